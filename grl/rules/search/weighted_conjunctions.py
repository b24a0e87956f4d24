"""Conjunctions that cover much weight and no good row, by products of matrices.

All pairs of literals are counted at once: the weight of the bad rows that a pair covers is an entry
of one Gram matrix, the weight of good rows an entry of another. The pairs of most information
gain (FOIL: Quinlan 1990, "Learning logical definitions from relations", section 4.1) are then tried
with every third literal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

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
BLOCK = 128
"""So many literals are looked at at a time, with all others."""
FLOOR = -1e30
"""Below any sum of weights."""


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
    ours, theirs = _Pairs(bad, weights[0]), _Pairs(good, weights[1])
    kept = np.flatnonzero(ours.singles >= least)
    if not len(kept):
        return []
    width = bad.shape[1]
    prices = [(0.0, 0.0)] * width if costs is None else costs
    price = np.array([cost[1] for cost in prices] + [cost[0] for cost in prices])[kept]
    names = [(int(at) % width, int(at) < width) for at in kept]
    none = NONE * max(theirs.total, 1.0)
    before = ours.total / (ours.total + theirs.total)
    cheap = (TIE * price).astype(np.float32)
    best, rising = _Largest(PURE), _Largest(NEARLY_PURE)
    for begin in range(0, len(kept), BLOCK):
        mass, count = ours.among(kept, begin), theirs.among(kept, begin)
        free = count <= none
        out = np.tri(len(mass), mass.shape[1], -1, dtype=np.bool_)
        pure = mass - cheap[begin : begin + BLOCK, None] - cheap[None, begin:]
        alone = np.arange(len(mass))
        pure[alone, alone] += cheap[begin : begin + BLOCK]
        best.add(np.where(free & ~out & (pure > 0), pure, -np.inf), begin)
        gain = _gain(mass, count, before)
        rising.add(np.where(free | out | (mass <= 0), -np.inf, gain), begin)
    found = [_body(pair, names) for pair in best.pairs(above=0.0)]
    nearly = rising.pairs()
    if nearly:
        third, more = theirs.thirds(kept, nearly), ours.thirds(kept, nearly)
        more[third > none] = 0
        for (one, other), worth in zip(nearly, more, strict=True):
            for extra in _top(worth, THIRDS):
                found.append(_body((one, other, extra), names))
    return list(dict.fromkeys(found))


class _Pairs:
    """How much rows weigh that have literals: those of all columns, then all their negations."""

    def __init__(self, table: Bools, weights: Weights) -> None:
        self.total = float(weights.sum())
        self._roots = np.sqrt(weights)[:, None]
        self._rooted: Weights = table.astype(np.float64)
        self._rooted *= self._roots
        self._table = table
        self._both: Weights = self._rooted.T @ self._rooted
        plain = np.diagonal(self._both)
        self.singles: Weights = np.concatenate([plain, self.total - plain])

    def among(self, kept: Indices, begin: int) -> Floats:
        """What pairs of some literals weigh: a block from one on, with all from there on."""
        width, rows = len(self._both), kept[begin : begin + BLOCK]
        later = kept[begin:]
        true, false = later[later < width], later[later >= width] - width
        both = self._both[rows % width]
        found = np.empty((len(rows), len(later)), dtype=np.float32)
        held, lacking = found[:, : len(true)], found[:, len(true) :]
        held[:] = both[:, true]
        lacking[:] = self.singles[rows % width, None] - both[:, false]
        negated = rows >= width
        some, ours = both[negated], self.singles[rows[negated] % width, None]
        held[negated] = self.singles[true] - some[:, true]
        lacking[negated] = some[:, false] - ours - self.singles[false] + self.total
        return found

    def thirds(self, kept: Indices, pairs: Sequence[tuple[int, int]]) -> Floats:
        """The weight of each of some pairs with every third literal: pairs × literals."""
        ones, others = kept[np.array(pairs)].T
        having = self._having(ones) & self._having(others)
        rows = having * self._roots
        held = rows.T @ self._rooted
        rows *= self._roots
        found = np.concatenate([held, rows.sum(axis=0)[:, None] - held], axis=1)
        return found[:, kept].astype(np.float32)

    def _having(self, literals: Indices) -> Bools:
        """Which rows have some literals."""
        width = self._table.shape[1]
        found: Bools = self._table[:, literals % width] == (literals < width)
        return found


class _Largest:
    """The places of the largest of many values, which come in blocks of rows.

    Equal ones, to `DIGITS` decimals, come as they stand.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values = np.zeros(0, dtype=np.float32)
        self._places = np.zeros((0, 2), dtype=np.intp)

    def add(self, values: Floats, begin: int) -> None:
        """Let the values of a block join, whose first row and column have this number."""
        tops = np.concatenate([self._values, values.max(axis=1)])
        bound = np.partition(tops, -self._most)[-self._most] if len(tops) > self._most else -np.inf
        rows, columns = np.nonzero(values > max(bound - 10.0**-DIGITS, FLOOR))
        found = values[rows, columns].round(DIGITS)
        known = np.concatenate([self._values, found])
        places = np.concatenate([self._places, np.stack([rows, columns], axis=1) + begin])
        order = np.argsort(-known, kind="stable")[: self._most]
        self._values, self._places = known[order], places[order]

    def pairs(self, above: float = FLOOR) -> list[tuple[int, int]]:
        """The numbers of row and column, of values `above` some, in descending order."""
        return [(int(one), int(two)) for one, two in self._places[self._values > above]]


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


def _top(values: Floats, most: int) -> list[int]:
    """The places of the largest values above 0, in descending order, equal ones as they stand."""
    least = float(np.partition(values, -most)[-most]) if len(values) > most else 0.0
    places = np.flatnonzero(values > max(least - 10.0**-DIGITS, 0.0))
    rounded = values[places].round(DIGITS)
    places = places[rounded > 0]
    order = np.argsort(-rounded[rounded > 0], kind="stable")[:most]
    return [int(at) for at in places[order]]


def _body(literals: tuple[int, ...], names: Sequence[tuple[int, bool]]) -> Body:
    return tuple(sorted({names[at] for at in literals}))
