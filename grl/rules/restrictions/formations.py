"""Patterns that a turn completes, found bottom-up from what legal turns share and others lack.

A formation is a set of pieces, up to translation, that the square on which a turn ends belongs to.
Candidates are taken from the turns themselves: from a few legal and a few illegal ones of every
shape, and those that separate the two best are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from grl.board import Square
from grl.logic.contents import owner_in
from grl.logic.evenly import evenly
from grl.logic.ops.places import square
from grl.logic.ops.sets import together
from grl.logic.ops.shapes import PATTERN
from grl.logic.terms import Cells, make
from grl.rules.features.cases import Setting, TurnCase
from grl.rules.features.terms import some
from grl.rules.features.vocabulary import Priced
from grl.rules.search.board_bitsets import BoardBitsets

ROLE = "end1"
SIZES = range(2, 5)
SEEDS = 2
"""From so many turns of each side candidates are taken."""
MOST_CANDIDATES = 600
"""So many patterns of a turn are tried at most, small ones first."""
FARTHEST = 3
"""No cell of a formation is more files or ranks away from the turn's last square."""
FORMED_COST, CELL_COST = 1.2, 0.3
KEPT = 3
"""How many formations a shape of turns adds for each of the two ways to separate."""


class Sides(NamedTuple):
    """Turns by their numbers, those that are legal and those that are not."""

    legal: Sequence[int]
    illegal: Sequence[int]


def formations(
    setting: Setting, cases: Sequence[TurnCase], shapes: Iterable[Sides]
) -> list[Priced]:
    """Patterns that all legal turns of a shape complete and few others, or no legal one.

    `shapes` gives, for each shape of turns, the numbers in `cases` of those that have it.
    """
    completed = _Completed(setting, cases)
    found: dict[Priced, None] = {}
    for sides in shapes:
        legal, illegal = _number(sides.legal), _number(sides.illegal)
        tried: dict[Cells, tuple[int, int]] = {}
        for row in (*evenly(sides.legal, SEEDS), *evenly(sides.illegal, SEEDS)):
            for cells in completed.around(row):
                if cells not in tried:
                    having = completed.having(cells)
                    tried[cells] = (having & legal).bit_count(), (having & illegal).bit_count()
        every, few = len(sides.legal), len(sides.illegal)
        separating = [
            [cells for cells, (good, bad) in tried.items() if good == every and bad < few],
            [cells for cells, (good, bad) in tried.items() if good == 0 and bad],
        ]
        for sign, side in zip((1, -1), separating, strict=True):
            ranked = sorted(side, key=lambda cells: (sign * tried[cells][1], len(cells), cells))
            for cells in ranked[:KEPT]:
                formed = together(square(ROLE), make(PATTERN, cells))
                cost = FORMED_COST + CELL_COST * len(cells)
                found[Priced(some("after", formed), cost)] = None
    return list(found)


class _Completed:
    """Which turns complete which patterns, each asked once."""

    def __init__(self, setting: Setting, cases: Sequence[TurnCase]) -> None:
        self._setting, self._cases = setting, cases
        boards = [(case.candidate.cells, case.before.to_move) for case in cases]
        self._boards = BoardBitsets(setting, boards)
        self._through = [0] * setting.size
        for i, case in enumerate(cases):
            end = case.square(ROLE)
            if end is not None:
                self._through[end] |= 1 << i
        self._around: dict[int, list[Cells]] = {}
        self._having: dict[Cells, int] = {}

    def around(self, row: int) -> Sequence[Cells]:
        """The smallest patterns that a turn completes."""
        found = self._around.get(row)
        if found is None:
            found = list(islice(_around(self._setting, self._cases[row]), MOST_CANDIDATES))
            self._around[row] = found
        return found

    def having(self, cells: Cells) -> int:
        """The turns that complete a pattern."""
        found = self._having.get(cells)
        if found is None:
            found = self._having[cells] = self._boards.having(cells, self._through)
        return found


def _around(setting: Setting, case: TurnCase) -> Iterator[Cells]:
    """The patterns that the turn's last square belongs to once it is played, small ones first.

    Pieces are named by owner, and where there are several types of them by type.
    """
    end = case.square(ROLE)
    if end is None:
        return
    width = setting.board.width
    y, x = divmod(end, width)
    mover = case.before.to_move
    pieces = setting.equipment.pieces
    near = [
        s
        for s in setting.board.squares
        if case.candidate.cells[s] in pieces
        and max(abs(s % width - x), abs(s // width - y)) <= FARTHEST
    ]
    if end not in near:
        return
    types = {piece.type for piece in pieces.values() if piece.player is not None}
    others = [s for s in near if s != end]

    def name(s: Square, kind: str) -> str:
        content = setting.content(mover, case.candidate.cells[s])
        neutral = pieces[case.candidate.cells[s]].player is None
        return owner_in(content) if neutral or kind == "owner" else content

    for size in SIZES:
        for rest in combinations(others, size - 1):
            ordered = sorted((end, *rest))
            y0, x0 = divmod(ordered[0], width)
            for kind in ("owner", "type") if len(types) > 1 else ("owner",):
                cells = ((s % width - x0, s // width - y0, name(s, kind)) for s in ordered)
                yield tuple(sorted(cells))


def _number(rows: Iterable[int]) -> int:
    """A set of turns as an integer."""
    return sum(1 << i for i in rows)
