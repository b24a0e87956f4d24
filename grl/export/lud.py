"""A model as a game of Ludii (Piette et al.: Ludii, the ludemic general game system, 2020).

Ludii's moves are of a few kinds: a piece is added, steps, slides, or hops. An automaton whose words
are of these kinds becomes them; what else it has, and rules beyond lines, places, numbers of pieces
and players without a turn, is refused by `NotLudemic`, named in English.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from grl.board import EMPTY, Player
from grl.errors import ModelError
from grl.export.squares import NotRegular, Squares
from grl.logic.terms import Term
from grl.model import Dfa, Goal, Literal, Model, Role, Rule, StateId, refuse_effects
from grl.rules.english.sentences import sentences
from grl.turn import Letter

COMPASS: Mapping[tuple[int, int], str] = {
    (0, 1): "N", (1, 1): "NE", (1, 0): "E", (1, -1): "SE",
    (0, -1): "S", (-1, -1): "SW", (-1, 0): "W", (-1, 1): "NW",
}  # fmt: skip
WHO = {"e": "(is Empty (to))", "p": "(is Enemy (who at:(to)))"}
JUMPED = {"p": "Enemy", "w": "Friend"}
Word = tuple[Letter, ...]
LONGEST = 3
"""Letters of a word that is no slide."""


class NotLudemic(ModelError):
    """What a model says that these moves and rules can't; the message names it."""


def lud_program(model: Model) -> str:
    """The game; raises `ModelError` where there are effects, `NotLudemic` for other things."""
    refuse_effects(model, "a game of Ludii")
    board = model.equipment.board
    if board.holes or board.links is not None:
        raise NotLudemic("a board with holes or links can't be written as a game of Ludii")
    if model.equipment.stocked or model.passes or model.segments > 1:
        what = "passes" if model.passes else "pieces in hand, and turns of several segments"
        raise NotLudemic(f"{what} can't be written as a game of Ludii")
    for part, kind in (("restrictions", "restriction"), ("control", "control")):
        if model.rules is not None and getattr(model.rules, part):
            raise _refused(model, part, kind, 0)
    return "\n".join(_lines(model)) + "\n"


def _refused(model: Model, part: str, kind: str, number: int) -> NotLudemic:
    said = sentences(model.equipment, kind, getattr(model.rules, part))[number]
    return NotLudemic(f"{kind} {number + 1} can't be written as a game of Ludii", found=said)


def _lines(model: Model) -> Iterator[str]:
    equipment = model.equipment
    board, players = equipment.board, equipment.players
    names = Squares(model).pieces
    first = players.index(model.initial.to_move)
    if first:
        raise NotLudemic("a game that another than the first player begins")
    yield f'(game "{" ".join(model.game.split())}"'
    yield f"    (players {len(players)})"
    yield "    (equipment {"
    yield f"        (board (rectangle {board.height} {board.width}))"
    owners = {key: piece.player for key, piece in sorted(equipment.pieces.items())}
    moves = {key: _moves(model, key) for key in owners}
    for key, owner in owners.items():
        role = "Neutral" if owner is None else f"P{players.index(owner) + 1}"
        said = f" {moves[key]}" if moves[key] else ""
        yield f'        (piece "{names[key].capitalize()}" {role}{said})'
    yield "    })"
    yield "    (rules"
    yield from _start(model, names)
    adding = [_adding(model, player, names) for player in players]
    yield f"        (play {_played(adding, any(moves.values()))})"
    endings = model.rules.endings if model.rules is not None else ()
    yield "        (end {"
    for number, rule in enumerate(endings):
        try:
            yield f"            {_ending(model, rule)}"
        except (NotLudemic, NotRegular):
            raise _refused(model, "endings", "ending", number) from None
    yield "        })"
    yield "    )"
    yield ")"


def item(model: Model, names: Mapping[str, str], key: str) -> str:
    """Ludii's name of a piece: with the number of its player, 0 for nobody's."""
    owner = model.equipment.pieces[key].player
    number = 0 if owner is None else model.equipment.players.index(owner) + 1
    return f'"{names[key].capitalize()}{number}"'


def _start(model: Model, names: Mapping[str, str]) -> Iterator[str]:
    """Which pieces stand where at first."""
    cells, board = model.initial.cells, model.equipment.board
    lines = []
    for key in sorted(model.equipment.pieces):
        squares = [board.names[s].upper() for s in board.squares if cells[s] == key]
        if squares:
            listed = " ".join(f'"{name}"' for name in squares)
            lines.append(f"(place {item(model, names, key)} {{{listed}}})")
    if lines:
        yield f"        (start {{{' '.join(lines)}}})"


def _played(adding: Sequence[str], moving: bool) -> str:
    """What a player may do: move a piece, or add one where the automata of empty squares do."""
    each = "(forEach Piece)"
    parts = [(f"(or {each} {add})" if moving else add) if add else each for add in adding]
    if len(set(parts)) == 1:
        return parts[0]
    if len(parts) > 2:
        raise NotLudemic("more than two players who move in different ways")
    return f"(if (is Mover P1) {parts[0]} {parts[1]})"


def _adding(model: Model, player: Player, names: Mapping[str, str]) -> str:
    """The pieces that a player adds to empty squares."""
    for dfa in model.automata:
        if dfa.key.mover == player and dfa.key.holds == EMPTY and dfa.key.role is Role.FIRST:
            found = []
            for word in _words(dfa):
                if len(word) != 1 or not word[0].appears:
                    raise _word(dfa, word)
                name = item(model, names, word[0].piece)
                found.append(f"(move Add (piece {name}) (to (sites Empty)))")
            return found[0] if len(found) == 1 else f"(or {{{' '.join(found)}}})"
    return ""


def _moves(model: Model, key: str) -> str:
    """How a piece moves: the words of its automaton by kinds."""
    parts: list[str] = []
    for dfa in model.automata:
        if dfa.key.holds != key:
            continue
        if dfa.key.role is Role.APPEARED:
            if dfa.size > 1:
                raise NotLudemic(f"the automaton {dfa.key} goes on", found="further letters")
            continue
        if model.equipment.pieces[key].player != dfa.key.mover:
            raise NotLudemic(f"the automaton {dfa.key} moves a piece of somebody else")
        parts += _kinds(dfa)
    return parts[0] if len(parts) == 1 else f"(or {{{' '.join(parts)}}})" if parts else ""


def _kinds(dfa: Dfa) -> list[str]:
    """The moves of an automaton."""
    slides = {way for way in COMPASS if _slides(dfa, way)}
    steps, hops = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    taking = {"e": False, "p": False}
    for word in _words(dfa, slides):
        way = COMPASS.get((word[0].dx, word[0].dy))
        first = word[0]
        if way is None or first.fly:
            raise _word(dfa, word)
        if len(word) == 1 and first.on in WHO:
            if (first.dx, first.dy) in slides:
                taking[first.on] = True
            else:
                steps[way].append(first.on)
        elif (
            len(word) == 3 and first.on in JUMPED and word[1].removes
            and word[2] == first._replace(on="e")
        ):  # fmt: skip
            hops[first.on].append(way)
        else:
            raise _word(dfa, word)
    parts = []
    for way in sorted(steps):
        conditions = [WHO[on] for on in sorted(steps[way])]
        condition = conditions[0] if len(conditions) == 1 else f"(or {' '.join(conditions)})"
        taken = " (apply (remove (to)))" if "p" in steps[way] else ""
        parts.append(f"(move Step (directions {{{way}}}) (to if:{condition}{taken}))")
    if slides:
        ways = " ".join(sorted(COMPASS[way] for way in slides))
        takes = " (to if:(is Enemy (who at:(to))) (apply (remove (to))))" if taking["p"] else ""
        parts.append(f"(move Slide (directions {{{ways}}}){takes})")
    for on, found in sorted(hops.items()):
        between = f"(between if:(is {JUMPED[on]} (who at:(between))) (apply (remove (between))))"
        ways = " ".join(sorted(found))
        parts.append(f"(move Hop (directions {{{ways}}}) {between} (to if:(is Empty (to))))")
    return parts


def _slides(dfa: Dfa, way: tuple[int, int]) -> bool:
    """Whether a piece may go on and on over empty squares in a direction, and end anywhere."""
    letter = Letter(*way, "e")
    state = dfa.steps.get((StateId(0), letter))
    return state is not None and state in dfa.accepting and dfa.steps.get((state, letter)) == state


def _words(
    dfa: Dfa, slides: set[tuple[int, int]] | frozenset[tuple[int, int]] = frozenset()
) -> Iterator[Word]:
    """The words of an automaton, of slides only where they take; raises `NotLudemic`."""
    waiting: list[tuple[StateId, Word]] = [(StateId(0), ())]
    while waiting:
        state, word = waiting.pop(0)
        if len(word) > LONGEST or state in dfa.continuing:
            raise _word(dfa, word)
        if state in dfa.accepting and word:
            yield word
        for letter, target in dfa.successors[state]:
            if target == state and (letter.dx, letter.dy) in slides:
                continue
            onward = (*word, letter)
            sliding = word and (word[0].dx, word[0].dy) in slides and word[0].on == "e"
            if sliding and (letter.dx, letter.dy) == (word[0].dx, word[0].dy):
                onward = (letter,)
            waiting.append((target, onward))


def _word(dfa: Dfa, word: Word) -> NotLudemic:
    said = " ".join(map(str, word)) or "nothing"
    return NotLudemic(
        f"the automaton {dfa.key} can't be written as a game of Ludii",
        found=said,
        expected="pieces that are added, step, slide, or hop once",
    )


RESULTS: Mapping[tuple[Goal, ...], str] = {
    (0, 100): "Win",
    (100, 0): "Loss",
    (50, 50): "Draw",
    (0,): "Loss",
    (100,): "Win",
}
"""Of the player who has moved, by the goals of the one to move and the other."""


def _ending(model: Model, rule: Rule) -> str:
    """An ending, said of the player who has moved; with one player that is the one to move."""
    result = RESULTS.get(rule.value)
    if result is None or not rule.body:
        raise NotLudemic("other goals")
    conditions = [_condition(model, literal) for literal in rule.body]
    said = conditions[0] if len(conditions) == 1 else f"(and {{{' '.join(conditions)}}})"
    return f"(if {said} (result Mover {result}))"


def _condition(model: Model, literal: Literal) -> str:
    others = len(model.equipment.players) > 1
    match literal.feature:
        case ("stuck", 0) if literal.holds:
            return "(no Moves Next)"
        case ("size", "now", ("lies", "own" | "opposing" as owner), "=" | "<" as op, int(number)):
            who = "Mover" if owner == "opposing" or not others else "Next"
            said = f"({op} (count Pieces {who}) {number})"
        case ("some", "now", tuple(data)):
            said = _place(model, Squares(model).term(data))
        case _:
            raise NotLudemic("no such condition")
    return said if literal.holds else f"(not {said})"


def _place(model: Model, term: Term) -> str:
    """That a piece of the player who has moved is in a line, or stands on some squares."""
    match term.operator.name, term.arguments:
        case "lined", ("around", int(number), Term(arguments=("opposing",))):
            return f"(is Line {number})"
        case "both", (Term(arguments=("opposing",)), Term() as where):
            squares = Squares(model)
            parts = []
            for number, player in enumerate(model.equipment.players, start=1):
                squares.check(where, player)
                found = squares.labels[squares.check(where, player)]
                assert isinstance(found, frozenset)
                names = [f'"{model.equipment.board.names[s].upper()}"' for s in sorted(found)]
                parts.append(
                    f"(and (is Next P{number}) (> (count Sites in:(intersection (sites Occupied"
                    f" by:Mover) (sites {{{' '.join(names)}}}))) 0))"
                )
            return parts[0] if len(parts) == 1 else f"(or {{{' '.join(parts)}}})"
    raise NotLudemic("no such place")
