"""Tables of integers for numpy: lookups by state and arguments, and the different rows of one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

UNDEFINED = -1
_DENSE = 1 << 24
_SMALL = 1 << 20


class Places:
    """The place of each constant among the values of an argument position."""

    def __init__(self, domain: Ints, size: int) -> None:
        self.width = len(domain) + 1
        # The last place is that of all other constants, and of what is undefined.
        self.of = np.full(size + 1, len(domain), dtype=np.int64)
        self.of[domain] = np.arange(len(domain))

    def place(self, values: Ints) -> Ints:
        return self.of.take(values)


class Table:
    """A map from (state, places of arguments) to an integer; `UNDEFINED` where there is none."""

    def __init__(self, states: int, places: Sequence[Places], rows: Ints, values: Ints):
        """`rows` are (state, argument, …), unique, and `places` those of the arguments."""
        self._widths = [place.width for place in places]
        self._static = states == 1
        keys = rows[:, 0].copy()
        for i, place in enumerate(places):
            keys = keys * place.width + place.of[rows[:, i + 1]]
        space = states * int(np.prod([float(width) for width in self._widths], initial=1.0))
        self._dense: NDArray[np.int32] | None = None
        if space <= min(_DENSE, max(_SMALL, 16 * len(rows))):
            self._dense = np.full(space, UNDEFINED, dtype=np.int32)
            self._dense[keys] = values
        else:
            order = np.argsort(keys, kind="stable")
            self._keys = np.append(keys[order], np.iinfo(np.int64).max)
            self._values = np.append(values[order], UNDEFINED)

    def get(self, states: Ints, arguments: Sequence[Ints]) -> NDArray[np.integer]:
        """The values at these keys; a row of arguments is one for each state."""
        keys = np.zeros(len(states), dtype=np.int64) if self._static else states
        for width, places in zip(self._widths, arguments, strict=True):
            keys = keys * width + places
        if self._dense is not None:
            return self._dense.take(keys)
        at = np.searchsorted(self._keys, keys)
        return np.where(self._keys[at] == keys, self._values[at], UNDEFINED)


def runs(table: Ints) -> tuple[Ints, Ints]:
    """The first of each different row of a table, in the order of the rows, and how often each is.

    As `numpy.unique` over rows, by one number a row, which is many times as quick.
    """
    keys = np.zeros(len(table), dtype=np.int64)
    space = 1.0
    for column in table.T if len(table) else ():
        low = column.min()
        width = int(column.max() - low) + 1
        space *= width
        if space > 2.0**62:
            _, first, times = np.unique(table, axis=0, return_index=True, return_counts=True)
            return first, times
        keys = keys * width + (column - low)
    if len(keys) and (keys[1:] > keys[:-1]).all():
        return np.arange(len(keys)), np.ones(len(keys), dtype=np.int64)
    _, first, times = np.unique(keys, return_index=True, return_counts=True)
    return first, times


def unique_rows(table: Ints) -> Ints:
    """The different rows of a table, in their order."""
    rows: Ints = table[runs(table)[0]]
    return rows
