"""All bodies worth having for one table: depth first, by what is still derived wrongly.

A body is valid when no forbidden row is left. A least valid body holds, for every forbidden row,
a literal that is false there; so the search takes the first forbidden row that is left and
branches over the literals that exclude it, leaving out in later branches those tried before. Where
atoms are unwelcome without being forbidden every valid body counts, and the search goes on.

Every welcome atom has a price. A body is of use only while what it still derives is worth its
length, less what may be lost: both only fall along a branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from grl.las.clock import Clock
from grl.las.tables import Table

EVERY = 1024
"""How many nodes are visited between two looks at the clock."""
PEEKS = 6
"""How many forbidden rows the last literal is chosen by before it is tried."""

Alive = Sequence[tuple[float, int]]


@dataclass(frozen=True, slots=True)
class Body:
    """Columns of a body and the rows it leaves."""

    columns: tuple[int, ...]
    rows: int


@dataclass(slots=True)
class BodySearch:
    """Finds bodies of at most `most` literals that leave a welcome row and no forbidden one.

    `worth` prices the welcome atoms by bit number; a rule may cost at most `loss` more than what
    it derives is worth.
    """

    table: Table
    most: int
    clock: Clock
    worth: Mapping[int, float]
    loss: float
    _full: int = field(init=False)
    _true_at: dict[int, int] = field(init=False, default_factory=dict)
    _nodes: int = field(init=False, default=0)
    _recalls: Mapping[int, int] = field(init=False)
    _modes: tuple[int, ...] = field(init=False)
    _head: int = field(init=False)
    _prices: npt.NDArray[np.float64] = field(init=False)
    _priced: npt.NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        columns = self.table.columns
        self._full = (1 << len(columns)) - 1
        self._head = self.table.head is not None
        self._modes = tuple(column.placed.schema.mode for column in columns)
        self._recalls = {
            column.placed.schema.mode: column.placed.schema.recall
            for column in columns
            if column.placed.schema.recall is not None
        }

    def bodies(self) -> Iterator[Body]:
        """Valid bodies; every least one that is of use is among them."""
        table = self.table
        alive = [(self.worth[n], rows) for n, rows in table.atoms.items() if n in self.worth]
        if table.spans is not None:
            self._prices = np.array([self.worth.get(int(n), 0.0) for n in table.spans.numbers])
            self._priced = np.array([int(n) in self.worth for n in table.spans.numbers])
        if alive or (table.spans is not None and self._priced.any()):
            yield from self._grow(table.everything, (), self._full, alive)

    def _grow(
        self, rows: int, chosen: tuple[int, ...], allowed: int, alive: Alive
    ) -> Iterator[Body]:
        self._nodes += 1
        if self._nodes % EVERY == 0:
            self.clock.check()
        table = self.table
        left = self.most - len(chosen)
        wrong = rows & table.forbidden
        missing = 0
        if wrong:
            if not left:
                return
            branches = allowed & ~self._literals_true_at((wrong & -wrong).bit_length() - 1)
            if left == 1:
                branches = self._peek(branches, wrong)
        else:
            missing = self._unbound(chosen)
            if missing:
                branches = self._binders(missing, allowed)
            else:
                if chosen or self._head:
                    yield Body(chosen, rows)
                    if not rows & ~table.welcome:
                        return
                branches = allowed
            if not left:
                return
        columns = table.columns
        forbidden = table.forbidden
        least = self._head + len(chosen) + 1 - self.loss
        while branches:
            low = branches & -branches
            branches ^= low
            number = low.bit_length() - 1
            allowed ^= low
            column = columns[number]
            fewer = rows & column.rows
            if left == 1 and fewer & forbidden:
                continue
            if table.spans is not None:
                has = table.spans.alive(fewer) & self._priced
                if not has.any() or float(self._prices[has].sum()) < least:
                    continue
                still: Alive = alive
            else:
                still = [one for one in alive if one[1] & fewer]
                if not still or sum(one[0] for one in still) < least:
                    continue
            started = chosen or self._head
            if started and fewer == rows and not wrong and not column.binds & missing:
                continue
            room = self._room(number, chosen)
            if room is None:
                continue
            grown = (*chosen, number)
            yield from self._grow(fewer, grown, allowed & room, still)

    def _peek(self, branches: int, wrong: int) -> int:
        """Of literals one of which has to exclude all wrong rows, those that exclude the first."""
        for _ in range(PEEKS):
            wrong &= wrong - 1
            if not wrong or not branches:
                break
            branches &= ~self._literals_true_at((wrong & -wrong).bit_length() - 1)
        if wrong and branches:
            branches &= ~self._literals_true_at(wrong.bit_length() - 1)
        return branches

    def _literals_true_at(self, row: int) -> int:
        known = self._true_at.get(row)
        if known is None:
            known = self.table.true_at(row)
            self._true_at[row] = known
        return known

    def _unbound(self, chosen: tuple[int, ...]) -> int:
        """Variables that no chosen literal binds: a body of fewer variables has its own table."""
        bound = 0
        for number in chosen:
            bound |= self.table.columns[number].binds
        return ((1 << (len(self.table.types) + 1)) - 2) & ~bound

    def _binders(self, missing: int, allowed: int) -> int:
        one = missing & -missing
        return sum(
            1 << n
            for n, column in enumerate(self.table.columns)
            if column.binds & one and allowed >> n & 1
        )

    def _room(self, number: int, chosen: tuple[int, ...]) -> int | None:
        """The columns that recalls leave when `number` joins; None where it may not."""
        mode = self._modes[number]
        recall = self._recalls.get(mode)
        if recall is None:
            return self._full
        used = 1 + sum(self._modes[other] == mode for other in chosen)
        if used > recall:
            return None
        if used < recall:
            return self._full
        return self._full & ~sum(1 << n for n, other in enumerate(self._modes) if other == mode)
