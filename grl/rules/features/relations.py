"""Turns and their rivals on columns: who is whose, and the numbers by which they are compared.

What relations there are between them stands in `grl.rules.templates.rivals`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grl.logic.grid import Bools, Indices
from grl.rules.features.cases import Setting, TurnCase
from grl.rules.features.distinct_turns import DistinctTurns

SCOPES: Final = ("any", "start", "first")
BEGINNINGS: Final = ("letters", "pieces")
"""How turns begin alike: with all that is chosen, or from one square with the same pieces, in
order, to which they come."""
MEASURES: Final = ("start", "end", "distance")
"""Ranks of the first segment's start and end as the mover sees them; how far it goes, in files or
ranks, whichever is more."""
LEAST: Final = int(np.iinfo(np.intp).min)
"""The measure of a pass."""


def taken(case: TurnCase, what: str) -> int:
    """By how many `what`, as the mover sees it, has become fewer on the board."""
    before = case.turn_list.before
    cells, left = before.cells, case.candidate.cells
    keys = before.setting.keys(before.to_move, what)
    return sum(cells.count(key) - left.count(key) for key in keys)


def has(column: Bools, groups: Indices, alive: Bools, *, lacks: bool = False) -> Bools:
    """Which rows lack (or have) what some row of their group has (or lacks) that is alive."""
    rivals = ~column if lacks else column
    some = np.bincount(groups[rivals & alive], minlength=int(groups.max(initial=-1)) + 1) > 0
    return some[groups] & ~rivals


def contrasts(table: Bools, scopes: Sequence[Indices], alive: Bools) -> Bools:
    """As `has` of each column of a table, rows × features, where rows have each as many groups.

    Rows × (features × groups × 2): what a row lacks and some other has, and the reverse.
    """
    number = table.shape[1]
    packed = np.packbits(table, axis=1)
    found = np.empty((len(table), number, len(scopes), 2), dtype=np.bool_)
    rows = np.flatnonzero(alive)
    for at, groups in enumerate(scopes):
        order = rows[np.argsort(groups[rows], kind="stable")]
        starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
        some = np.zeros((int(groups.max(initial=-1)) + 1, packed.shape[1]), dtype=np.uint8)
        every = np.full_like(some, 255)
        if len(starts):
            present = groups[order[starts]]
            some[present] = np.bitwise_or.reduceat(packed[order], starts, axis=0)
            every[present] = np.bitwise_and.reduceat(packed[order], starts, axis=0)
        for lacks, bits in enumerate((some[groups] & ~packed, ~every[groups] & packed)):
            found[:, :, at, lacks] = np.unpackbits(bits, axis=1, count=number)
    return found.reshape(len(table), -1)


class Rivals:
    """Turns of one list, or of several, of which those of one list are rivals."""

    def __init__(self, setting: Setting, cases: Sequence[TurnCase]) -> None:
        self.setting, self.cases = setting, cases
        self._numbers: dict[str, NDArray[np.intp]] = {}

    def groups(self, scope: str) -> Indices:
        """The number of each turn's group, within a scope."""
        known: dict[object, int] = {}

        def number(case: TurnCase) -> int:
            key: object = id(case.turn_list)
            if scope == "start":
                key = key, case.candidate.starts[:1]
            elif scope == "first":
                key = key, case.candidate.turn.segments[:1]
            return known.setdefault(key, len(known))

        return self._kept(scope, lambda: list(map(number, self.cases)))

    @cached_property
    def turns(self) -> DistinctTurns:
        """The different turns among them."""
        return DistinctTurns(self.cases)

    @cached_property
    def goes_on(self) -> tuple[Indices, Indices]:
        """Pairs of turns of which the second begins with all of the first and goes on."""
        return self._pairs(self.turns.beginnings)

    def comes_to_more(self, begins: str) -> tuple[Indices, Indices]:
        """Pairs of turns of which the second comes to more pieces than the first, with which it
        `begins`, see `BEGINNINGS`."""
        if begins == "pieces":
            return self._same_route
        (ones, others), far = self.goes_on, np.array(list(map(len, self.turns.routes)))
        more = far[self.turns.number[ones]] < far[self.turns.number[others]]
        return ones[more], others[more]

    @cached_property
    def _same_route(self) -> tuple[Indices, Indices]:
        return self._pairs(self.turns.shorter_routes)

    def _pairs(self, beginnings: Sequence[Sequence[int]]) -> tuple[Indices, Indices]:
        """Pairs of turns of one list of which the first is a beginning of the second."""
        numbers = self.turns.number.tolist()
        sought = {one for begun in beginnings for one in begun}
        where: dict[tuple[int, int], list[int]] = {}
        groups = self.groups("any").tolist()
        for row, (group, number) in enumerate(zip(groups, numbers, strict=True)):
            if number in sought:
                where.setdefault((group, number), []).append(row)
        pairs = [
            (one, row)
            for row, (group, number) in enumerate(zip(groups, numbers, strict=True))
            for begun in beginnings[number]
            for one in where.get((group, begun), ())
        ]
        ones, others = zip(*pairs, strict=True) if pairs else ((), ())
        return np.array(ones, dtype=np.intp), np.array(others, dtype=np.intp)

    def measure(self, name: str) -> NDArray[np.intp]:
        """A measure of each turn; of a pass the least number there is."""
        measured = partial(_measure, self.setting, name)
        return self._kept(f"measure {name}", lambda: self.turns.spread(measured, np.intp))

    def taken(self, what: str) -> NDArray[np.intp]:
        """By how many `what` has become fewer, by turn."""
        return self._kept(f"taken {what}", lambda: [taken(case, what) for case in self.cases])

    def _kept(self, name: str, made: Callable[[], ArrayLike]) -> NDArray[np.intp]:
        """Numbers of turns, made once."""
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = np.array(made(), dtype=np.intp)
        return found

    def above(self, scope: str, numbers: NDArray[np.intp], alive: Bools) -> Bools:
        """Of which turns a rival's number lies above their own, of those that have any."""
        groups = self.groups(scope)
        best = np.full(int(groups.max(initial=-1)) + 1, LEAST)
        np.maximum.at(best, groups[alive], numbers[alive])
        found: Bools = (best[groups] > numbers) & (numbers != LEAST)
        return found


def _measure(setting: Setting, measure: str, case: TurnCase) -> int:
    if not case.candidate.starts:
        return LEAST
    start, end = case.candidate.starts[0], case.candidate.ends[0]
    if measure == "distance":
        (y, x), (to_y, to_x) = divmod(start, setting.board.width), divmod(end, setting.board.width)
        return max(abs(to_x - x), abs(to_y - y))
    return setting.relative[case.before.to_move][start if measure == "start" else end][1]
