"""Squares that are given: those of the turn, of the turn before, and those that hold something."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from grl.board import Board, Square, file_name
from grl.logic.english import Speech, line_of, turn_back
from grl.logic.rows import Rows, Values
from grl.logic.terms import Operator, Sort, Term, make

LIES = Operator(
    "lies",
    (Sort.CONTENT,),
    evaluate=lambda rows, content: rows.holding(content),
    noun=lambda say, content: say.things(content),
    clause=lambda say, content: say.being(content),
    states=lambda say, content: say.holding(content),
    rules=lambda asp, head, content: f"{head('S')} :- {asp.world.holds('S', content)}.",
    code=lambda c, content: c.holding(content),
)


def _role_noun(say: Speech, role: str) -> str:  # noqa: ARG001
    if role == "drop":
        return "the square where a piece first appears"
    if role == "taken":
        return "the square where it first removes a piece"
    if role == "captured":
        return "the square where it lands on a piece"
    sort, number = ("start" if role[0] == "s" else "end"), int(role[-1])
    if number == 1:
        return f"its {sort}"
    ordinals = ("", "first", "second", "third", "fourth", "fifth")
    ordinal = ordinals[number] if number < len(ordinals) else f"{number}th"
    return f"the {sort} of its {ordinal} segment"


SQUARE = Operator(
    "square",
    (Sort.ROLE,),
    evaluate=lambda rows, role: rows.role(role),
    point=lambda rows, role: rows.role(role),
    noun=_role_noun,
    rules=lambda asp, head, role: f"{head('S')} :- {asp.world.role(role, 'S')}.",
    code=lambda c, role: c.role(role),
    of_turn=True,
)
LAST = Operator(
    "last",
    (Sort.LAST, Sort.BACK),
    evaluate=lambda rows, role, back: rows.last(role, back),
    point=lambda rows, role, back: rows.last(role, back),
    noun=lambda say, role, back: (
        f"the square where {turn_back(back)} {'began' if role == 'start1' else 'ended'}"
    ),
    rules=lambda asp, head, role, back: f"{head('S')} :- {asp.world.last(role, back, 'S')}.",
    code=lambda c, role, back: c.last(role, back),
    of_past=True,
)
MOVED = Operator(
    "moved",
    (),
    evaluate=lambda rows: rows.moved(),
    noun=lambda say: "squares with pieces that have moved before",
    clause=lambda say: (
        "with a piece that has moved before",
        "without a piece that has moved before",
    ),
    states=lambda say: (
        "holds a piece that has moved before",
        "holds no piece that has moved before",
    ),
    rules=lambda asp, head: f"{head('S')} :- {asp.world.moved('S')}.",
    code=lambda c: "g->moved",
    of_past=True,
)
PATH = Operator(
    "path",
    (),
    evaluate=lambda rows: rows.paths(),
    clause=lambda say: (
        "that its first segment passes over",
        "that its first segment does not pass over",
    ),
    rules=lambda asp, head: asp.world.path(head),
    code=lambda c: "t ? t->path : NO_SQUARE",
    of_turn=True,
)
CROSSED = Operator(
    "crossed",
    (),
    evaluate=lambda rows: rows.paths(twice=True),
    clause=lambda say: (
        "that its first segment passes over twice",
        "that its first segment does not pass over twice",
    ),
    rules=lambda asp, head: asp.world.path(head, twice=True),
    code=lambda c: "t ? t->crossed : NO_SQUARE",
    of_turn=True,
)
TAKEN = Operator(
    "taken",
    (),
    evaluate=lambda rows: rows.taken(),
    clause=lambda say: (
        "where it removes a piece",
        "where it removes no piece",
    ),
    rules=lambda asp, head: asp.world.taken(head),
    code=lambda c: "t ? t->takes : NO_SQUARE",
    of_turn=True,
)
_ZONES: Mapping[str, str] = {
    "corner": "the corners",
    "edge": "the squares at the edge",
    "centre": "the centre",
}
ZONE = Operator(
    "zone",
    (Sort.ZONE,),
    evaluate=lambda rows, zone: rows.zone(zone),
    noun=lambda say, zone: _ZONES[zone],
    clause=lambda say, zone: (f"on {_ZONES[zone]}", f"not on {_ZONES[zone]}"),
    rules=lambda asp, head, zone: (
        f"{head('S')} :- {asp.world.given(head.row)}, {asp.world.zone(zone)}(S)."
    ),
    code=lambda c, zone: c.code.constant(c.code.grid.geometry.zone(zone)),
)


def _line(rows: Rows, scale: str, seat: int, relation: str, number: int) -> Values:
    numbers = rows.numbered(seat, scale)
    found = numbers == number if relation == "=" else numbers < number
    found[:, :, list(rows.grid.geometry.board.holes)] = False
    return np.asarray(found, dtype=np.bool_)


def _property(relation: str, number: int) -> Callable[[int], bool]:
    """Whether a number stands in a relation to another."""
    return lambda each: each == number if relation == "=" else each < number


def _line_clause(say: Speech, scale: str, seat: int, relation: str, number: int) -> tuple[str, str]:
    seen = f" as {say.seat(seat)} sees it" if seat else ""
    where = f"{line_of(scale, relation, number)}{seen}"
    return where, f"not {where}"


LINE = Operator(
    "line",
    (Sort.SCALE, Sort.SEAT, Sort.RELATION, Sort.NUMBER),
    evaluate=_line,
    clause=_line_clause,
    rules=lambda asp, head, scale, seat, relation, number: (
        f"{head('S')} :- {asp.world.given(head.row)}, {asp.world.numbered(seat, 'S', scale, 'N')}, "
        f"N {relation} {number}."
    ),
    code=lambda c, scale, seat, relation, number: c.numbered(
        seat, scale, _property(relation, number)
    ),
    seen=True,
)


def _ring(rows: Rows, relation: str, number: int) -> Values:
    """How far squares are from the edge is the same for all who look."""
    return _line(rows, "ring", 0, relation, number)


def _ring_clause(say: Speech, relation: str, number: int) -> tuple[str, str]:
    return _line_clause(say, "ring", 0, relation, number)


RING = Operator(
    "ring",
    (Sort.RELATION, Sort.NUMBER),
    evaluate=_ring,
    clause=_ring_clause,
    rules=lambda asp, head, relation, number: (
        f"{head('S')} :- {asp.world.given(head.row)}, {asp.world.numbered(0, 'S', 'ring', 'N')}, "
        f"N {relation} {number}."
    ),
    code=lambda c, relation, number: c.numbered(0, "ring", _property(relation, number)),
)


def _cells(board: Board, file: int | None, rank: int | None) -> list[Square]:
    """The squares on a file and a rank, on any where it is None."""
    places = ((square, *divmod(square, board.width)) for square in board.squares)
    return [s for s, y, x in places if file in (None, x + 1) and rank in (None, y + 1)]


def _cell(rows: Rows, file: int | None, rank: int | None) -> Values:
    found = np.zeros((1, 1, rows.grid.size), dtype=np.bool_)
    found[0, 0, _cells(rows.grid.geometry.board, file, rank)] = True
    return found


def _cell_name(file: int, rank: int) -> str:
    return f"{file_name(file) or f'({file})'}{rank}"


CELL = Operator(
    "cell",
    (Sort.NUMBER, Sort.NUMBER),
    evaluate=_cell,
    noun=lambda say, file, rank: f"the square {_cell_name(file, rank)}",
    clause=lambda say, file, rank: (
        f"on {_cell_name(file, rank)}",
        f"not on {_cell_name(file, rank)}",
    ),
    rules=lambda asp, head, file, rank: (
        f"{head('S')} :- {asp.world.given(head.row)}, {asp.world.cell('S', file, rank)}."
    ),
    code=lambda c, file, rank: c.code.constant(_cells(c.code.grid.geometry.board, file, rank)),
)


def _strip(name: str, place: Callable[[int], tuple[int | None, int | None]]) -> Operator:
    """The squares of a file or of a rank, as the board has them."""
    return Operator(
        f"board_{name}",
        (Sort.NUMBER,),
        evaluate=lambda rows, number: _cell(rows, *place(number)),
        clause=lambda say, number: (
            f"on {name} {number} of the board",
            f"not on {name} {number} of the board",
        ),
        rules=lambda asp, head, number: (
            f"{head('S')} :- {asp.world.given(head.row)}, {asp.world.cell('S', *place(number))}."
        ),
        code=lambda c, number: c.code.constant(_cells(c.code.grid.geometry.board, *place(number))),
    )


BOARD_FILE = _strip("file", lambda number: (number, None))
BOARD_RANK = _strip("rank", lambda number: (None, number))
OPERATORS = (
    *(LIES, SQUARE, LAST, MOVED, PATH, CROSSED, TAKEN, ZONE, LINE, RING, CELL),
    *(BOARD_FILE, BOARD_RANK),
)

path, crossed, taken, moved = make(PATH), make(CROSSED), make(TAKEN), make(MOVED)


def lies(content: str) -> Term:
    """The squares that hold a content."""
    return make(LIES, content)


def square(role: str) -> Term:
    """The square that plays a role in the turn."""
    return make(SQUARE, role)
