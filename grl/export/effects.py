"""What turns bring about without a choice, in ASP: `grl.rules.effects` at work in a program.

What the automata spell is a word then, ``word(W,U)``, and a turn is a word with its effects.
``lies(W,U,S,C)`` is the board after word U in position W, ``stops(W,U,S)`` the square on which its
first segment stops, and ``hit(W,U,S,L)`` says that letter L then happens on S. Squares that are hit
are gone through in the order of squares, each a further segment: ``rest(W,U,N,S,T)`` says that T
has N segments and the last of them is on S, and ``whole(W,T,U)`` that turn T is word U with all its
effects. Where pieces in reserve give out on the way there is no such turn: ``spare(W,T,C,N)`` is
what is left of them.
"""

from __future__ import annotations

import textwrap

import numpy as np

from grl.board import EMPTY
from grl.export import levels, paths
from grl.export.walks import letter_term
from grl.logic.asp import NAMES, Atom, Writer
from grl.logic.changes import effect_term, heir
from grl.logic.rows import DIRECTIONS, Grid, Row, Rows, Values
from grl.logic.terms import Term
from grl.model import Model
from grl.rules.asp_telling import Telling
from grl.rules.effects import letter_of
from grl.rules.english_effects import effect_sentence
from grl.rules.naming import NOBODY, Names, constant


def terms_of(model: Model) -> list[Term]:
    """The terms of the effects; raises `ModelError` for effects that there are not."""
    return [
        effect_term(effect.where, effect.becomes, model.equipment, f"effects[{number}]")
        for number, effect in enumerate(model.effects)
    ]


def effect_letters(model: Model, names: Names) -> list[str]:
    """The letters that effects add to turns, as terms."""
    return sorted({letter for _, _, _, letter in _brought(model, names)})


def kind_facts(model: Model, names: Names) -> str:
    """What kinds the letters of effects are of, as `paths.KINDS` has it."""
    return " ".join(
        f"kind({term},{'d' if term == 'remove' else 'a'})." for term in effect_letters(model, names)
    )


def passes_over(model: Model) -> bool:
    """Whether an effect asks how first segments come about, and so for `paths.growth`."""
    return any(
        part.operator.name in ("path", "start") or "onward" in part.arguments
        for term in terms_of(model)
        for part in term.terms()
    )


def effect_facts(model: Model, names: Names) -> str:
    """What becomes of which contents by which effect; a sentence for each effect."""
    said: list[str] = []
    for number, effect in enumerate(model.effects, 1):
        sentence = effect_sentence(effect, model.equipment)
        said += textwrap.wrap(f"Effect {number}. {sentence}", 94)
    facts = [
        f"brings({number},{mover},{content},{letter})."
        for number, mover, content, letter in _brought(model, names)
    ]
    return "\n".join([*(f"% {line}" for line in said), *levels.filled(facts)])


def _brought(model: Model, names: Names) -> list[tuple[int, str, str, str]]:
    """Number of the effect, mover, content that was there, and the letter that it brings."""
    found = []
    contents = (EMPTY, *sorted(model.equipment.pieces))
    for number, effect in enumerate(model.effects, 1):
        for player in model.equipment.players:
            for key in contents:
                letter = letter_of(heir(model.equipment, effect.becomes, player, key))
                if letter is not None:
                    term = letter_term(letter, names)
                    found.append((number, names.player[player], names.cell(key), term))
    return found


# Rules -----------------------------------------------------------------------------------------


def meeting(model: Model, told: Telling) -> str:
    """The rules that say on which squares what happens; they may be copied for other positions."""
    several = model.segments > 1
    parts = [
        paths.growth(several) + _ORIGIN.format(n=",1" if several else "")
        if passes_over(model)
        else "",
        _stopping(several),
        "% The board after a word.\n"
        "lies(W,U,S,C) :- wrote(W,U,S,C).\n"
        "lies(W,U,S,C) :- word(W,U), board(W,S,C), not written(W,U,S).",
    ]
    writer = Writer(_Words(model, told), "set")
    atoms = [writer.define(term) for term in terms_of(model)]
    parts.append(writer.text())
    for number, atom in enumerate(atoms, 1):
        parts.append(f"% Squares that effect {number} meets.\nmet_{number}(W,U,S) :- {atom('S')}.")
    parts += [_hits(len(model.effects)), _OUTCOME]
    return "\n\n".join(filter(None, parts))


_ORIGIN = """
% Where words begin.
outset(W,from(S),S) :- begin(W,from(S),_,_,_,_{n}).
outset(W,Q,S) :- grows(W,Q,P), outset(W,P,S)."""


class _Words:
    """What a program says of words, for `grl.logic.asp`."""

    row = "W,U"

    def __init__(self, model: Model, told: Telling) -> None:
        self.model, self.told = model, told

    def given(self) -> str:
        """The literal that binds a word."""
        return "word(W,U)"

    def holds(self, square: str, content: str) -> str:
        """The literals: a square holds a content on the board after the word."""
        owner, _, kind = content.partition(":")
        if content == "empty":
            return f"lies(W,U,{square},empty)"
        names = self.told.names
        piece = f"piece(C,{{}},{names.type.get(kind, constant(kind)) if kind else '_'})"
        rules = {
            "own": f"player(M), {piece.format('M')}",
            "opposing": f"player(M), player(P), {piece.format('P')}, P != M",
            "neutral": f"player(M), {piece.format(NOBODY)}",
        }
        name = f"{owner}_{constant(kind)}" if kind else owner
        name = self.told.define(f"is_{name}", "", f"is_{name}(M,C) :- {rules[owner]}.")
        return f"lies(W,U,{square},C), plays(W,M), {name}(M,C)"

    def start(self, square: str) -> str:
        """The literal: the word begins there."""
        return f"outset(W,U,{square})"

    def end(self, square: str) -> str:
        """The literal: the first segment of the word stops there."""
        return f"stops(W,U,{square})"

    def path(self, head: Atom) -> str:
        """The rules for the squares that the first segment passes; none where the hand flies."""
        n = ",N" if self.model.segments > 1 else ""
        over = f"""strode(W,Q,S) :- extends(W,Q,P,L), moves(L), walk(W,Q,A,Z,S,H,B{n}).
strode(W,Q,S) :- extends(W,Q,P,L), strode(W,P,S).
{head("S")} :- first(W,U,P), strode(W,P,S)"""
        if not any(letter.fly for dfa in self.model.automata for _, letter, _ in dfa.transitions):
            return f"{over}."
        return f"""{over}, not flew(W,P).
flew(W,then(P,fly(R,K))) :- extends(W,then(P,fly(R,K)),P,fly(R,K)).
flew(W,Q) :- extends(W,Q,P,L), flew(W,P)."""

    def near(self, nearness: str) -> str:
        """The static relation of neighbours."""
        return self.told.near(nearness)

    def zone(self, zone: str) -> str:
        """The static relation of the squares of a zone."""
        names, squares = self.told.names.squares, self.told.setting.zone(zone)
        facts = " ".join(f"zone_{zone}({names[square]})." for square in squares)
        return self.told.define(f"zone_{zone}", "", facts)

    def line(self) -> str:
        """The static relation of a direction, a square and the next one."""
        self.told.lines()
        rules = [f"way({name},S,T) :- ahead(S,{name},T)." for name in NAMES[:4]]
        rules += [f"way({NAMES[i + 4]},S,T) :- behind(S,{NAMES[i]},T)." for i in range(4)]
        return self.told.define("way", "The next square in a direction.", "\n".join(rules))

    def define(self, name: str, comment: str, rules: str) -> str:
        """Note a static relation."""
        return self.told.define(name, comment, rules)


def _stopping(several: bool) -> str:
    if not several:
        return (
            "% A word is a first segment; where it stops.\n"
            "first(W,U,U) :- word(W,U).\n"
            "stops(W,U,S) :- word(W,U), walk(W,U,A,Q,S,H,B)."
        )
    return """% The first segment of a word, and where it stops.
headed(W,and(P,S),P) :- begin(W,and(P,S),_,_,_,_,2).
headed(W,Q,R) :- onward(W,Q,P), headed(W,P,R).
onward(W,then(P,L),P) :- walk(W,then(P,L),_,_,_,_,_,_).
onward(W,and(P,S),P) :- begin(W,and(P,S),_,_,_,_,_).
first(W,U,U) :- word(W,U), walk(W,U,A,Q,S,H,B,1).
first(W,U,P) :- word(W,U), headed(W,U,P).
stops(W,U,S) :- first(W,U,P), walk(W,P,A,Q,S,H,B,1)."""


def _hits(number: int) -> str:
    """What happens where; of several effects on one square the first counts."""
    rules = ["% What happens on squares that effects meet."]
    for one in range(1, number + 1):
        head = "hit(W,U,S,L)" if number == 1 else f"hit_{one}(W,U,S,L)"
        free = "".join(f", not struck_{before}(W,U,S)" for before in range(1, one))
        rules.append(
            f"{head} :- met_{one}(W,U,S), lies(W,U,S,C), plays(W,M), brings({one},M,C,L){free}."
        )
        if number > 1:
            rules.append(f"hit(W,U,S,L) :- {head}.")
            rules.append(f"struck_{one}(W,U,S) :- {head}.")
    rules.append("struck(W,U,S) :- hit(W,U,S,L).\neventful(W,U) :- hit(W,U,S,L).")
    return "\n".join(rules)


def adding(model: Model, told: Telling, *, stocked: bool) -> str:
    """The rules that add segments to words, square by square; `grl.export.levels` unrolls them."""
    told.follows()
    first = told.names.squares[model.equipment.board.squares[0]]
    begun = (
        "rest(W,U,N,outset,U) :- word(W,U), walk(W,U,A,Q,S,H,B,N)."
        if model.segments > 1
        else "rest(W,U,1,outset,U) :- word(W,U)."
    )
    text = f"""% Each such square is a further segment, in the order of squares.
gap(W,U,outset,{first}) :- eventful(W,U).
gap(W,U,S,R) :- hit(W,U,S,L), follows(S,R).
gap(W,U,S,R) :- gap(W,U,S,Q), not struck(W,U,Q), follows(Q,R).
{begun}"""
    longer = "rest(W,U,N,S,P), gap(W,U,S,R), hit(W,U,R,L), succ(N,K)"
    cases = [""]
    letters = effect_letters(model, told.names)
    appearing = [letter for letter in letters if letter != "remove"]
    if stocked and appearing:
        cases = [", L = appear(C), spare(W,P,C,J), J != 0", ", L = appear(C), not limited(W,C)"]
        cases += [", L = remove"] if "remove" in letters else []
    for case in cases:
        text += f"\nrest'(W,U,K,R,then(and(P,R),L)) :- {longer}{case}."
    if stocked:
        text += "\nspare(W,U,C,N) :- word(W,U), left(W,U,C,N)."
        said = "rest'(W,U,K,R,then(and(P,R),L)), spare(W,P,C,N)"
        text += f"\nspare'(W,then(and(P,R),L),C,N) :- {said}, L != appear(C)."
        if appearing:
            text += f"\nspare'(W,then(and(P,R),L),C,J) :- {said}, L = appear(C), succ(J,N)."
    return text


_OUTCOME = """% Whole turns, and what they leave on the squares that they touch.
more(W,U,S) :- gap(W,U,S,R), struck(W,U,R).
whole(W,T,U) :- rest(W,U,N,S,T), not more(W,U,S).
turn(W,T) :- whole(W,T,U).
changed(W,T,S,C) :- whole(W,T,U), wrote(W,U,S,C), not struck(W,U,S).
changed(W,T,S,empty) :- whole(W,T,U), hit(W,U,S,remove).
changed(W,T,S,C) :- whole(W,T,U), hit(W,U,S,appear(C)).
altered(W,T,S) :- changed(W,T,S,C)."""


def most_changes(model: Model, longest: int) -> int:
    """No turn has more squares that its effects change; `longest` bounds the letters of words."""
    equipment, squares = model.equipment, model.equipment.board.squares
    mover = equipment.players[0]
    ends = [Row(mover, "." * equipment.board.size, end, end, lambda: squares) for end in squares]
    rows = _Widest(equipment, Grid(equipment.board), ends)
    total = 0
    for term in terms_of(model):
        most = int(rows.squares(term).sum(axis=1).max())
        total += min(most, longest) if _within_path(term) else most
    return min(total, len(squares))


def _within_path(term: Term) -> bool:
    """Whether all squares are passed by the hand."""
    if term.operator.name == "path":
        return True
    inner = [a for a in term.arguments if isinstance(a, Term)]
    if term.operator.name in ("both", "some_way"):
        return any(map(_within_path, inner))
    return term.operator.name == "without" and _within_path(inner[0])


class _Widest(Rows):
    """Whatever lies on the board and wherever turns start: no term denotes more squares."""

    def holding(self, content: str) -> Values:  # noqa: ARG002
        """All squares."""
        found = np.zeros((len(self), 1, self.grid.size), dtype=np.bool_)
        found[:, :, list(self.equipment.board.squares)] = True
        return found

    def starts(self) -> Values:
        """All squares."""
        return self.holding("")

    def paths(self) -> Values:
        """All squares."""
        return self.holding("")

    def less(self, one: Values, other: Values) -> Values:  # noqa: ARG002
        """All of the first set."""
        return one

    @property
    def onward(self) -> Values:
        """All directions."""
        return np.ones((1, len(DIRECTIONS), 1), dtype=np.bool_)
