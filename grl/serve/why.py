"""Why a turn is legal or not, what a begun turn may become, and what rules say of a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from grl.board import HOLE, Position
from grl.errors import GrlError, IllegalTurn, TurnSyntaxError
from grl.explain.answer import Explainer, Explanation
from grl.explain.spelling import Spelling, spelling_of
from grl.model import AutomatonKey, Role
from grl.notation import find_turn
from grl.rules.play.effects import parted
from grl.serve.refusals import Refused
from grl.serve.shelf import Served
from grl.serve.trees import touched, tree
from grl.turn import PASS, Letter, Segment, Turn, play

MOST_WAYS = 60
"""Turns of a rule that are shown with their ways."""


def explained(served: Served, position: Position, text: str, squares: Sequence[str]) -> Any:
    """Why a turn is legal or not, given as text or as the squares of its way."""
    if text:
        turn = _named(served, position, text)
    elif squares:
        for name in squares:
            position.board.square(name)
        turn = _along(served, position, list(squares))
    else:
        raise Refused(422, "expected a turn or squares")
    found = served.explainer.turn(position, turn)
    return found.to_dict() | {
        "text": list(found.lines()),
        "squares": _on_board(position, turn),
        "marked": sorted(_marked(found)),
        "rivals": [
            {"turn": rival, "squares": _on_board(position, Turn.parse(rival))}
            for rival in _rivals(found)
        ],
    }


def _named(served: Served, position: Position, text: str) -> Turn:
    legal = served.rulebook.legal(position)
    try:
        return find_turn(position, text, lambda: legal)
    except IllegalTurn:
        able = served.explainer.candidates(position)
        return find_turn(position, text, lambda: able)


def _along(served: Served, position: Position, squares: list[str]) -> Turn:
    """The turn that somebody means who goes by these squares, whether it is legal or not."""
    board = position.board
    start, end = squares[0], squares[-1]
    fitting = []
    for turn in served.explainer.candidates(position):
        way = touched(board, turn)
        if way[:1] == [start] and end in way and _within(squares, way):
            fitting.append((way[-1] != end, len(turn.segments), len(way), turn))
    if fitting:
        best = min(fitting, key=lambda item: item[:3])
        return best[3]
    return _leap(position, start, end)


def _within(squares: Sequence[str], way: Sequence[str]) -> bool:
    left = iter(way)
    return all(name in left for name in squares)


def _leap(position: Position, start: str, end: str) -> Turn:
    """What no piece does from a square to another: straight on where that leads there, else at
    once."""
    board, view = position.board, position.equipment.views[position.to_move]
    one, other = board.square(start), board.square(end)
    if one == other:
        piece = next(
            (k for k, p in position.equipment.pieces.items() if p.player == position.to_move), ""
        )
        if not piece:
            raise Refused(422, f"there is no turn on {start} alone")
        return Turn((Segment(start, (Letter(0, 0, "a", piece),)),))
    dy, dx = other // board.width - one // board.width, other % board.width - one % board.width
    count = max(abs(dx), abs(dy)) if dx in (0, dy, -dy) or dy == 0 else 1
    step = (dy * board.width + dx) // count
    contents = [position.cells[one + step * (at + 1)] for at in range(count)]
    if HOLE in contents:
        count, contents = 1, contents[-1:]
    letters = (Letter(dx // count, dy // count, view.get(each, "e")) for each in contents)
    return Turn((Segment(start, tuple(letters)),))


def _on_board(position: Position, turn: Turn) -> list[str]:
    try:
        return touched(position.board, turn)
    except GrlError:
        return [segment.origin for segment in turn.segments]


def _marked(found: Explanation) -> set[str]:
    """The squares that rules speak of."""
    rulings = [rule for rule in (found.rule, found.ending) if rule is not None]
    return {
        square
        for ruling in rulings
        for finding in ruling.findings
        for square in finding.squares.values()
    }


def _rivals(found: Explanation) -> list[str]:
    if found.rule is None:
        return []
    return [rival for finding in found.rule.findings for rival in finding.rivals]


def outlook(served: Served, position: Position, legal: Sequence[Turn]) -> Any:
    """What the rules say of a position, and which squares each of them is about here.

    The squares of a restriction are those of all turns that it forbids, those of an ending the
    pieces that make it true; of who moves next, the turns after which a rule says so, and of
    effects what legal turns bring about.
    """
    found, explainer = served.explainer.position(position), served.explainer
    data = asdict(found)
    data.pop("turns")
    forbidden = explainer.forbidden(position) if found.forbidden else {}
    for group, shown in zip(found.forbidden, data["forbidden"], strict=True):
        turn = Turn.parse(group.example)
        shown["squares"] = _on_board(position, turn)
        shown["pass"] = turn == PASS
        shown["marked"] = sorted(
            {square for finding in group.rule.findings for square in finding.squares.values()}
        )
        turns = [] if turn == PASS else forbidden.get(group.rule.number, [])
        shown["ways"] = [_on_board(position, each) for each in turns[:MOST_WAYS]]
        shown["all"] = _union(_on_board(position, each) for each in turns)
        rivals = [rival for finding in group.rule.findings for rival in finding.rivals]
        shown["rivals"] = [_on_board(position, Turn.parse(rival)) for rival in rivals]
    if data["ending"] is not None:
        data["ending"]["all"] = list(explainer.ended_by(position))
    return data | {
        "control": _controlled(explainer, position, legal[:MOST_WAYS]),
        "effects": _union(
            [segment.origin for segment in parted(turn)[1]] for turn in legal if turn.segments
        ),
    }


def _controlled(
    explainer: Explainer, position: Position, legal: Sequence[Turn]
) -> list[dict[str, Any]]:
    """The rules on who moves next, with the ways of the turns after which they say so."""
    ways: dict[int, list[list[str]]] = {}
    for turn in legal:
        ruling = explainer.control(position, turn) if turn.segments else None
        if ruling is not None:
            ways.setdefault(ruling.number, []).append(_on_board(position, turn))
    return [
        {"number": number, "ways": found, "all": _union(found)} for number, found in ways.items()
    ]


def _union(ways: Iterable[Iterable[str]]) -> list[str]:
    """The squares of all ways, each once."""
    return list(dict.fromkeys(square for way in ways for square in way))


def walked(served: Served, position: Position, begun: str, legal: Sequence[Turn]) -> Any:
    """How automata and machines read the beginning of a turn, and how it may go on."""
    turn, bare = _begun(begun)
    spelling = (
        spelling_of(served.searcher, position, turn)
        if turn.segments
        else Spelling((), (), "", "", "")
    )
    segments = [asdict(stretch) for stretch in spelling.segments]
    if bare:
        segments.append(_bare(served, position, turn, bare))
    return {
        "segments": segments,
        "actions": list(spelling.actions),
        "language": "" if _only_unfinished(spelling, turn) else spelling.language,
        "board": spelling.board,
        "machines": _machines(served, position, turn, bare, spelling.actions),
        "next": _onward(position, begun, legal),
    }


def _begun(begun: str) -> tuple[Turn, str]:
    """The segments of a beginning that have letters, and the square where another one begins."""
    if not begun:
        return PASS, ""
    try:
        turn = Turn.parse(begun)
    except TurnSyntaxError:
        before, _, square = begun.rpartition("; ")
        if not square.isalnum():
            raise
        return (Turn.parse(before) if before else PASS), square
    return turn, ""


def _only_unfinished(spelling: Spelling, turn: Turn) -> bool:
    """Whether all that the automata have against a beginning is that it doesn't end here."""
    if not spelling.segments or not turn.segments:
        return True
    last = spelling.segments[-1].steps
    return bool(last) and last[-1].state is not None


def _bare(served: Served, position: Position, turn: Turn, square: str) -> dict[str, Any]:
    here = position.board.square(square)
    after = play(position, turn) if turn.segments else position
    holds = after.cells[here]
    role = Role.LATER if turn.segments else Role.FIRST
    key = AutomatonKey(position.to_move, holds, role)
    known = key in served.rulebook.model.automaton
    return {"origin": square, "holds": holds, "automaton": str(key) if known else "", "steps": []}


def _machines(
    served: Served, position: Position, turn: Turn, bare: str, actions: Sequence[str]
) -> list[dict[str, Any]]:
    """The zero machines of the piece that the turn begins with, each with its state by now."""
    origin = turn.segments[0].origin if turn.segments else bare
    if not origin:
        return []
    holds = position.cells[position.board.square(origin)]
    found = []
    for number, machine in enumerate(served.rulebook.model.machines):
        if (machine.mover, machine.piece, machine.sort) != (position.to_move, holds, "zero"):
            continue
        state = None
        for action in actions:
            name = action.partition("(")[0]
            if machine.whole or name in machine.actions:
                state = machine.after(state, name)
                if state is None:
                    break
        found.append({"machine": number, "state": state, "begun": bool(actions)})
    return found


def _onward(position: Position, begun: str, legal: Sequence[Turn]) -> list[dict[str, Any]]:
    """The letters with which legal turns go on after a beginning."""
    return [
        {"text": text, "square": square, "ends": ends}
        for text, square, ends in _below(tree(position.board, legal), begun)
    ]


def _below(nodes: list[Any], begun: str) -> Iterator[tuple[str, str, bool]]:
    for token in _tokens(begun):
        nodes = next((node[3] for node in nodes if node[0] == token), [])
    yield from ((text, square, ends) for text, square, ends, _ in nodes)


def _tokens(begun: str) -> Iterator[str]:
    turn, bare = _begun(begun)
    for segment in turn.segments:
        yield segment.origin
        yield from segment.spelled()
    if bare:
        yield bare
