"""Turns as rows of a table: what each demands of a board, and what it writes there.

A turn's program is run once on a board of which nothing is known. What it looks at becomes a
condition on what lay on a square before the turn; what it leaves on a square is a piece of its own,
or what lay on some square before. So a row carries a turn out on thousands of boards at once, and
says the same as `grl.turn.carry_out`. A turn of which that can't be said has no row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, HOLE, Content, Equipment, Square
from grl.errors import GrlError
from grl.interpreter import Interpreter, Reading
from grl.turn import APPEAR, LIFT, PUT, REMOVE, STEP, Program

UNKNOWN = -2
NO_ROW = -1
MOST_KINDS = 62
"""Kinds of pieces that conditions may tell apart."""

Numbers = NDArray[np.int64]


class Row(NamedTuple):
    """Conditions: squares with sets of contents, as bits. Writes: squares with what comes there,
    the number of a square for what lay on it before, or that of a content, from `size` on. The same
    for whether a piece has moved."""

    conditions: list[tuple[int, int]]
    writes: list[tuple[int, int]]
    moved: list[tuple[int, int]]


class Columns(NamedTuple):
    """One part of all rows: squares, what belongs to them, and how many of them a row has."""

    square: NDArray[np.int16]
    value: NDArray[np.uint64]
    length: NDArray[np.int16]

    def put(self, row: int, entries: list[tuple[int, int]]) -> Columns:
        """The columns with a row in them, larger where they are too small."""
        rows, width = self.square.shape
        found = self
        if row >= rows or len(entries) > width:
            shape = (max(rows, 2 * row, 64), max(width, len(entries)))
            found = Columns(
                np.zeros(shape, np.int16), np.zeros(shape, np.uint64), np.zeros(shape[0], np.int16)
            )
            found.square[:rows, :width], found.value[:rows, :width] = self.square, self.value
            found.length[:rows] = self.length
        for at, (square, value) in enumerate(entries):
            found.square[row, at], found.value[row, at] = square, value
        found.length[row] = len(entries)
        return found


def _no_columns() -> Columns:
    return Columns(np.zeros((0, 1), np.int16), np.zeros((0, 1), np.uint64), np.zeros(0, np.int16))


class TurnTable:
    """The turns met so far, numbered, and their rows, made when they are asked for.

    `contents` are the characters of boards by code, the empty square first.
    """

    def __init__(self, equipment: Equipment) -> None:
        self.equipment = equipment
        self.contents = "".join((EMPTY, *sorted(equipment.pieces), HOLE))
        self.codes = {content: code for code, content in enumerate(self.contents)}
        self.conditions, self.writes, self.moved = _no_columns(), _no_columns(), _no_columns()
        self.texts: list[str] = []
        self.starts: NDArray[np.int32] = np.zeros(0, np.int32)
        self._numbers: dict[str, int] = {}
        self._readings: list[Reading | None] = []
        self._interpreter = Interpreter(equipment)
        self._rows: NDArray[np.int32] = np.zeros((0, len(equipment.players), 2), np.int32)
        self._made = 1
        self._masks = [self._mask(equipment.views[player]) for player in equipment.players]
        nothing = Row([], [], [])
        self._store(0, nothing)

    def _mask(self, view: Mapping[str, Content]) -> dict[str, int]:
        """For each kind of content the codes that are of it, as bits."""
        masks = dict.fromkeys("ewpn", 0)
        for content, kind in view.items():
            masks[kind] |= 1 << self.codes[content]
        return masks

    def numbers(self, texts: Iterable[str]) -> NDArray[np.int32]:
        """Numbers for texts of turns."""
        found = []
        known = self._numbers
        for text in texts:
            number = known.get(text)
            if number is None:
                number = known[text] = len(self.texts)
                self.texts.append(text)
                self._readings.append(self._read(text))
            found.append(number)
        grown = len(self.texts) - len(self.starts)
        if grown:
            fresh = [r.program[0].square if r and r.program else 0 for r in self._readings[-grown:]]
            self.starts = np.concatenate((self.starts, np.array(fresh, np.int32)))
            shape = (grown, *self._rows.shape[1:])
            self._rows = np.concatenate((self._rows, np.full(shape, UNKNOWN, np.int32)))
        return np.array(found, dtype=np.int32)

    def rows(
        self, turns: NDArray[np.int32], movers: NDArray[np.int8], empty: NDArray[np.bool_]
    ) -> NDArray[np.int32]:
        """The rows of turns, by who plays them and whether their first square is empty; `NO_ROW`
        where there is none."""
        at = empty.astype(np.int8)
        found = self._rows[turns, movers, at]
        missing = np.flatnonzero(found == UNKNOWN)
        if len(missing):
            span = 2 * self._rows.shape[1]
            keys = np.unique(
                turns[missing].astype(np.int64) * span + movers[missing] * 2 + at[missing]
            )
            for key in keys.tolist():
                turn, rest = divmod(key, span)
                self._rows[turn, rest >> 1, rest & 1] = self._make(turn, rest >> 1, bool(rest & 1))
            found = self._rows[turns, movers, at]
        return found

    def _read(self, text: str) -> Reading | None:
        try:
            return self._interpreter.read(text)
        except GrlError:
            return None

    def _make(self, turn: int, mover: int, empty: bool) -> int:
        reading = self._readings[turn]
        if reading is None or len(self.contents) > MOST_KINDS:
            return NO_ROW
        row = row_of(reading, empty, self._masks[mover], self.codes, self.equipment.board.size)
        if row is None:
            return NO_ROW
        self._store(self._made, row)
        self._made += 1
        return self._made - 1

    def _store(self, number: int, row: Row) -> None:
        self.conditions = self.conditions.put(number, row.conditions)
        self.writes = self.writes.put(number, row.writes)
        self.moved = self.moved.put(number, row.moved)


def row_of(
    reading: Reading, empty: bool, masks: Mapping[str, int], codes: Mapping[str, int], size: int
) -> Row | None:
    """The row of a turn whose first square is `empty`, or holds a piece of the mover's or nobody's.

    Contents and whether pieces have moved are numbers: those of squares for what was there before
    the turn, others from `size` on.
    """
    program = reading.program
    if reading.start < 0 and any(op.code == LIFT for op in program):
        return None
    nothing = size + codes[EMPTY]
    still, stepped_once = size, size + 1
    before = _Before(masks)
    cells: dict[int, int] = {}
    moved: dict[int, int] = {}
    hand: int | None = None
    was_moved, stepped, changed = still, False, False
    for at, (code, square, arg) in enumerate(program):
        lies = cells.get(square, square)
        if code == LIFT:
            changed = stepped = False
            if at == 0:
                if empty and not reading.places:
                    return None
                before.demand(lies, masks["e"] if empty else masks["w"] | masks["n"])
                lifted = not empty
            elif lies < size and not _replaces(program, at):
                before.demand(lies, before.occupied)
                lifted = True
            else:
                lifted = size <= lies != nothing
            if lifted:
                hand, changed = lies, True
                was_moved = moved.get(square, square)
                cells[square], moved[square] = nothing, still
        elif code == STEP:
            if lies < size:
                before.demand(lies, masks[arg])
            elif not masks[arg] >> (lies - size) & 1:
                return None
            stepped = True
        elif code == REMOVE:
            if lies < size:
                before.demand(lies, before.occupied)
            elif lies == nothing:
                return None
            cells[square], moved[square] = nothing, still
            changed = True
        elif code in (PUT, APPEAR):
            if hand is not None:
                cells[square] = hand
                moved[square] = stepped_once if stepped else was_moved
            if code == APPEAR:
                if arg not in codes:
                    return None
                hand, changed = size + codes[arg], True
            elif not changed:
                return None
            else:
                hand, changed = None, False
            stepped, was_moved = False, still
        else:
            return None
    if not all(before.demands.values()):
        return None
    return Row(
        list(before.demands.items()),
        [(square, content) for square, content in cells.items() if square != content],
        [(square, piece) for square, piece in moved.items() if square != piece],
    )


class _Before:
    """What is demanded of squares as they were before the turn: sets of contents, as bits."""

    def __init__(self, masks: Mapping[str, int]) -> None:
        self.occupied = masks["w"] | masks["p"] | masks["n"]
        self.demands: dict[int, int] = {}

    def demand(self, square: int, contents: int) -> None:
        self.demands[square] = self.demands.get(square, -1 & (1 << 64) - 1) & contents


def _replaces(program: Program, at: int) -> bool:
    """Whether a segment puts a piece on its first square and does no more: then what lay there,
    something or nothing, is gone."""
    return [op.code for op in program[at : at + 3]] == [LIFT, APPEAR, PUT]


__all__ = ["NO_ROW", "Columns", "Row", "Square", "TurnTable", "row_of"]
