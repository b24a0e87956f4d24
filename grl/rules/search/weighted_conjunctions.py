"""Conjunctions that cover much weight and no good row, by products of matrices.

All pairs of literals are counted at once: the weight of the bad rows that a pair covers is an entry
of one Gram matrix, the weight of good rows an entry of another. The pairs of most information
gain (FOIL: Quinlan 1990, "Learning logical definitions from relations", section 4.1) are then tried
with every third literal. Where there is a compiler rows are bits instead, those of one weight
together: the bad ones are counted in C (``pair_weights.c``), the good ones looked up
(``literal_pairs.c``) for those conjunctions alone that may be among the best by what is known of
their parts.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from math import inf, log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.compiler import Kernel
from grl.rules.search.packed import WORD, column_words

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Weights = NDArray[np.float64]
Indices = NDArray[np.intp]
Body = tuple[tuple[int, bool], ...]
"""Columns with the values that they must have."""

PURE = 40
NEARLY_PURE = 160
THIRDS = 4
TIE = 0.02
"""How much weight a unit of cost weighs, to decide between bodies of equal weight."""
NONE = 1e-6
"""A sum of weights in single precision below this part of their sum is none."""
DIGITS = 3
"""Sums that agree in so many decimals are equal, in whatever order they were added up."""
BLOCK = 64
"""So many literals are looked at at a time, with all others."""
PARTS = 4096
"""Shares are rounded up to so many parts of 1, where a bound is enough."""
FLOOR = -1e30
"""Below any sum of weights."""

_LOOKING = Kernel(__package__, "literal_pairs", worth=2)
_COUNTING = Kernel(__package__, "pair_weights", worth=0)


def weighted_conjunctions(
    bad: Bools,
    good: Bools,
    weights: tuple[Weights, Weights],
    costs: Sequence[tuple[float, float]] | None = None,
    least: float = 0.0,
) -> list[Body]:
    """Bodies of up to three literals that no row of `good` has, by the weight of `bad`.

    Both tables are rows x columns over the same columns; `weights` has an entry above 0 for every
    bad and every good row, `costs` for each column what it costs to be false and to be true, which
    decides between equal weights. Literals that cover less than the weight `least` are left aside.
    """
    if not bad.shape[1] or not len(bad):
        return []
    width = bad.shape[1]
    prices = [(0.0, 0.0)] * width if costs is None else costs
    price = np.array([cost[1] for cost in prices] + [cost[0] for cost in prices])
    search = _search((bad, good), weights, (TIE * price).astype(np.float32), least)
    kept, cheap = search.kept, search.cheap
    if not len(kept):
        return []
    best, rising = _Largest(PURE), _Largest(NEARLY_PURE)
    for begin in range(0, len(kept), BLOCK):
        some = kept[begin : begin + BLOCK]
        pairs, mass, count = search.pairs(some, max(best.least, 0.0), rising.least)
        free = count <= search.none
        one, other = pairs[free].T
        best.join(pairs[free], mass[free] - cheap[one] - np.where(one == other, 0, cheap[other]))
        rising.join(pairs[~free], _gain(mass[~free], count[~free], search.before))
    nearly = rising.pairs()
    longer = _heaviest(search.thirds(nearly), THIRDS)
    found = [*best.pairs(above=0.0), *([*nearly[pair], extra] for pair, extra in longer)]
    return list(dict.fromkeys(_body(literals, width) for literals in found))


class _Pairs(NamedTuple):
    """Pairs of literals, and what the bad and the good rows weigh that have them."""

    pairs: Indices
    bad: Floats
    good: Floats


class _Rows(ABC):
    """Rows with weights; literals are the numbers of the columns, then those of their negations."""

    kind: Indices
    """For each column the number of those that equal it."""
    kinds: int

    def __init__(self, weights: Weights) -> None:
        self.total = float(weights.sum())
        self.none = NONE * max(self.total, 1.0)
        """What is not more weighs nothing."""
        self.lightest = float(weights.min()) if len(weights) else 0.0

    def _number(self, columns: Iterable[bytes]) -> Indices:
        """Number columns by kind; gives the first one of each kind."""
        kinds: dict[bytes, int] = {}
        self.kind = np.array([kinds.setdefault(each, len(kinds)) for each in columns], np.intp)
        self.kinds = len(kinds)
        return np.unique(self.kind, return_index=True)[1]

    @property
    @abstractmethod
    def singles(self) -> Weights:
        """What each literal weighs."""


class _Multiplied(_Rows):
    """Rows of which weights are products of matrices."""

    def __init__(self, table: Bools, weights: Weights) -> None:
        super().__init__(weights)
        self.table = table
        self._roots = np.sqrt(weights)[:, None]
        first = self._number(map(bytes, column_words(table)))
        self._rooted = table[:, first].astype(np.float64) * self._roots

    @cached_property
    def both(self) -> Weights:
        """What pairs of columns weigh, by their kinds."""
        found: Weights = self._rooted.T @ self._rooted
        return found

    @cached_property
    def singles(self) -> Weights:
        """What each literal weighs."""
        plain = np.diagonal(self.both)[self.kind]
        return np.concatenate([plain, self.total - plain])

    def among(self, rows: Indices, columns: Indices) -> Floats:
        """What each of some literals weighs with each of others, which are in order."""
        width = len(self.kind)
        true, false = columns[columns < width], columns[columns >= width] - width
        both = self.both[self.kind[rows % width]][:, self.kind]
        found = np.empty((len(rows), len(columns)), dtype=np.float32)
        held, lacking = found[:, : len(true)], found[:, len(true) :]
        held[:] = both[:, true]
        lacking[:] = self.singles[rows % width, None] - both[:, false]
        negated = rows >= width
        some, ours = both[negated], self.singles[rows[negated] % width, None]
        held[negated] = self.singles[true] - some[:, true]
        lacking[negated] = some[:, false] - ours - self.singles[false] + self.total
        return found

    def with_pairs(self, pairs: Indices) -> tuple[Weights, Weights]:
        """What each of some pairs weighs, and with every kind of column: pairs × kinds."""
        ones, others = pairs.T
        rows = (self._having(ones) & self._having(others)) * self._roots
        held = rows.T @ self._rooted
        rows *= self._roots
        return rows.sum(axis=0), held

    def _having(self, literals: Indices) -> Bools:
        """Which rows have some literals."""
        width = self.table.shape[1]
        found: Bools = self.table[:, literals % width] == (literals < width)
        return found


class _Counted(_Rows):
    """Rows as bits of literals, those of one weight in words of their own, counted in C."""

    def __init__(self, table: Bools, weights: Weights, function: Callable[..., int]) -> None:
        super().__init__(weights)
        self._function = function
        values, value, sizes = np.unique(weights, return_inverse=True, return_counts=True)
        words = -(-sizes // WORD)
        ends = np.cumsum(words)
        begins = WORD * (ends - words) - (np.cumsum(sizes) - sizes)
        order = np.argsort(value, kind="stable")
        spread = np.zeros((WORD * int(words.sum()), table.shape[1] + 1), dtype=np.bool_)
        places = np.arange(len(order)) + begins[value[order]]
        spread[places, :-1], spread[places, -1] = table[order], True
        bits = column_words(spread)
        self.words = np.concatenate([bits[:-1], bits[-1] & ~bits[:-1]])
        """The rows that have each literal."""
        self.by_word: Weights = np.repeat(values, words)
        """What a row of each word weighs."""
        self._values, self._ends = values, ends.astype(np.int32)
        self._columns = bits[self._number(map(bytes, bits[:-1]))]

    @cached_property
    def singles(self) -> Weights:
        """What each literal weighs."""
        return self._weigh(self.words)

    @cached_property
    def both(self) -> Weights:
        """What pairs of columns weigh, by their kinds."""
        found = np.empty((self.kinds, self.kinds))
        for begin in range(0, self.kinds, BLOCK):
            some = slice(begin, begin + BLOCK)
            sums = self._together(self._columns[some], self._columns[begin:])
            found[some, begin:], found[begin:, some] = sums, sums.T
        return found

    def with_pairs(self, pairs: Indices) -> tuple[Weights, Weights]:
        """What each of some pairs weighs, and with every kind of column: pairs × kinds."""
        ones, others = pairs.T
        words = self.words[ones] & self.words[others]
        return self._weigh(words), self._together(words, self._columns)

    def _weigh(self, words: NDArray[np.uint64]) -> Weights:
        found: Weights = np.bitwise_count(words) @ self.by_word
        return found

    def _together(self, ones: NDArray[np.uint64], others: NDArray[np.uint64]) -> Weights:
        """What each of some sets of rows weighs with each of others."""
        found = np.empty((len(ones), len(others)))
        arrays = (ones, others, self._ends, self._values, found)
        self._function(
            *(ctypes.c_void_p(array.ctypes.data) for array in arrays),
            len(ones), len(others), ones.shape[1], len(self._values),
        )  # fmt: skip
        return found


def _search(
    tables: tuple[Bools, Bools], weights: tuple[Weights, Weights], cheap: Floats, least: float
) -> _Products | _Lookups:
    looking = _LOOKING.function()
    counting = looking and _COUNTING.compiled
    if looking is None or counting is None:
        multiplied = [_Multiplied(*each) for each in zip(tables, weights, strict=True)]
        return _Products(multiplied[0], multiplied[1], cheap, least)
    counted = [_Counted(*each, counting) for each in zip(tables, weights, strict=True)]
    return _Lookups(counted[0], counted[1], cheap, least, looking)


class _Search(ABC):
    """Conjunctions of literals that cover the weight `least` of our rows.

    Each is `cheap` by what its literals cost as weight.
    """

    def __init__(self, ours: _Rows, theirs: _Rows, cheap: Floats, least: float) -> None:
        self.cheap, self.none = cheap, theirs.none
        self.kept: Indices = np.flatnonzero(ours.singles >= least)
        self.before = ours.total / (ours.total + theirs.total)

    @abstractmethod
    def pairs(self, some: Indices, least: float, least_gain: float) -> _Pairs:
        """The pairs of some literals, neighbours among those kept, with all that follow.

        Others may be missing than those worth more than `least` by weight, or more than
        `least_gain` in gain.
        """

    @abstractmethod
    def thirds(self, pairs: Indices) -> _Pairs:
        """Pairs by number with each literal that leaves them no good row."""


class _Products(_Search):
    """What all conjunctions weigh."""

    def __init__(self, ours: _Multiplied, theirs: _Multiplied, cheap: Floats, least: float) -> None:
        super().__init__(ours, theirs, cheap, least)
        self.ours, self.theirs = ours, theirs

    def pairs(self, some: Indices, least: float, least_gain: float) -> _Pairs:  # noqa: ARG002
        """The pairs of some literals, neighbours among those kept, with all that follow."""
        later = self.kept[np.searchsorted(self.kept, some[0]) :]
        mass, count = self.ours.among(some, later), self.theirs.among(some, later)
        which = (mass > 0) & (some[:, None] <= later)
        one, other = np.nonzero(which)
        return _Pairs(np.stack([some[one], later[other]], axis=1), mass[which], count[which])

    def thirds(self, pairs: Indices) -> _Pairs:
        """Pairs by number with each literal that leaves them no good row."""
        more, third = map(partial(self._thirds, pairs), (self.ours, self.theirs))
        which = (more > 0) & (third <= self.theirs.none)
        one, other = np.nonzero(which)
        return _Pairs(np.stack([one, self.kept[other]], axis=1), more[which], third[which])

    def _thirds(self, pairs: Indices, rows: _Multiplied) -> Floats:
        alone, held = rows.with_pairs(pairs)
        true = held[:, rows.kind]
        found = np.concatenate([true, alone[:, None] - true], axis=1)
        return found[:, self.kept].astype(np.float32)


class _Lookups(_Search):
    """What conjunctions weigh that may be among the best: in C."""

    def __init__(
        self,
        ours: _Counted,
        theirs: _Counted,
        cheap: Floats,
        least: float,
        function: Callable[..., int],
    ) -> None:
        super().__init__(ours, theirs, cheap, least)
        self.ours, self.theirs, self._function = ours, theirs, function
        self._kept = np.zeros(len(cheap), dtype=np.bool_)
        self._kept[self.kept] = True
        self._logarithms = np.log2(np.minimum(np.arange(1, PARTS + 2) / PARTS, 1.0))

    def pairs(self, some: Indices, least: float, least_gain: float) -> _Pairs:
        """The pairs of some literals that are worth enough."""
        ours, theirs = self.ours, self.theirs
        columns = some % len(ours.kind)
        found = self._asked(
            some, theirs.words[some], ours.both[ours.kind[columns]], ours.singles[columns],
            theirs.singles[some], some >= len(ours.kind), self.cheap, least, least_gain,
        )  # fmt: skip
        found.pairs[:, 0] = some[found.pairs[:, 0]]
        return found

    def thirds(self, pairs: Indices) -> _Pairs:
        """Pairs by number with each literal that leaves them no good row."""
        one, other = pairs.T
        alone, held = self.ours.with_pairs(pairs)
        nothing = np.zeros(len(pairs))
        return self._asked(
            np.full(len(pairs), -1), self.theirs.words[one] & self.theirs.words[other], held, alone,
            nothing, nothing > 0, np.zeros_like(self.cheap), 0.0, inf,
        )  # fmt: skip

    def _asked(
        self,
        numbers: Indices,
        words: NDArray[np.uint64],
        both: Weights,
        alone: Weights,
        single: Weights,
        negated: Bools,
        cheap: Floats,
        least: float,
        least_gain: float,
    ) -> _Pairs:
        """See ``literal_pairs.c``."""
        most = len(numbers) * len(self.cheap)
        found = np.empty((most, 2), dtype=np.int32)
        mass, count = np.empty((2, most), dtype=np.float32)
        ours, theirs = self.ours, self.theirs
        arrays = (
            (both, np.float64), (alone, np.float64), (single, np.float64), (numbers, np.int32),
            (negated, np.bool_), (words, np.uint64), (ours.singles, np.float64),
            (theirs.singles, np.float64), (cheap, np.float32), (self._kept, np.bool_),
            (theirs.words, np.uint64), (theirs.by_word, np.float64), (self._logarithms, np.float64),
            (ours.kind, np.int32),
        )  # fmt: skip
        kept = [np.ascontiguousarray(array, dtype=kind) for array, kind in arrays]
        number = self._function(
            *(ctypes.c_void_p(array.ctypes.data) for array in (*kept, found, mass, count)),
            len(numbers), len(ours.kind), ours.kinds, theirs.words.shape[1], PARTS,
            *map(ctypes.c_double, (
                ours.total, theirs.total, theirs.lightest, log2(self.before), least, least_gain,
            )),
        )  # fmt: skip
        return _Pairs(found[:number].astype(np.intp), mass[:number], count[:number])


class _Largest:
    """The pairs of the largest values; equal ones, to `DIGITS` decimals, in order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values = np.zeros(0, dtype=np.float32)
        self._pairs = np.zeros((0, 2), dtype=np.intp)

    @property
    def least(self) -> float:
        """Values that are not above this one are not among the largest."""
        return self._above(self._values)

    def _above(self, values: Floats) -> float:
        if len(values) < self._most:
            return FLOOR
        last = float(np.partition(values, -self._most)[-self._most])
        return last - 10.0**-DIGITS - NONE * abs(last)

    def join(self, pairs: Indices, values: Floats) -> None:
        """Let pairs of these values join."""
        high = values > max(self._above(values), self.least)
        values = np.concatenate([self._values, values[high].round(DIGITS)])
        pairs = np.concatenate([self._pairs, pairs[high]])
        order = np.lexsort((pairs[:, 1], pairs[:, 0], -values))[: self._most]
        self._values, self._pairs = values[order], pairs[order]

    def pairs(self, above: float = FLOOR) -> Indices:
        """The pairs of values `above` some, in descending order."""
        return self._pairs[self._values > above]


def _gain(mass: Floats, count: Floats, before: float) -> Floats:
    """FOIL's information gain of covering the weight `mass` of bad and `count` of good rows."""
    share = mass + count
    np.maximum(share, NONE, out=share)
    np.divide(mass, share, out=share)
    np.maximum(share, NONE, out=share)
    np.log2(share, out=share)
    share -= np.float32(np.log2(before))
    share *= mass
    return share


def _heaviest(found: _Pairs, most: int) -> Indices:
    """For each first number the pairs of most weight above 0, equal ones as numbered."""
    weight = found.bad.round(DIGITS)
    first, second = found.pairs.T
    order = np.lexsort((second, -weight, first))
    order = order[weight[order] > 0]
    rank = np.arange(len(order)) - np.searchsorted(first[order], first[order])
    chosen: Indices = found.pairs[order[rank < most]]
    return chosen


def _body(literals: Sequence[int], width: int) -> Body:
    return tuple(sorted({(int(at) % width, int(at) < width) for at in literals}))
