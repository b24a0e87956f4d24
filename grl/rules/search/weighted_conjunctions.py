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
    mass = ours.among(kept)
    count = theirs.among(kept)
    free = count <= none
    found = [_body((one, other), names) for one, other in _largest(_pure(mass, free, price), PURE)]
    before = ours.total / (ours.total + theirs.total)
    nearly = _largest(_rising(_gain(mass, count, before), ~free & (mass > 0)), NEARLY_PURE)
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
        self.table = table
        self.weights = weights
        self.total = float(weights.sum())
        rooted: Weights = table.astype(np.float64) * np.sqrt(weights)[:, None]
        self.both: Weights = rooted.T @ rooted
        plain = np.diagonal(self.both)
        self.singles: Weights = np.concatenate([plain, self.total - plain])

    def among(self, kept: Indices) -> Floats:
        """The weight of each pair of some literals."""
        width = len(self.both)
        true, false = kept[kept < width], kept[kept >= width] - width
        found = np.empty((len(kept), len(kept)), dtype=np.float32)
        held, lacking = slice(None, len(true)), slice(len(true), None)
        plain = np.diagonal(self.both)
        found[held, held] = self.both[np.ix_(true, true)]
        crossed = plain[true][:, None] - self.both[np.ix_(true, false)]
        found[held, lacking] = crossed
        found[lacking, held] = crossed.T
        without = self.both[np.ix_(false, false)] - plain[false][:, None] - plain[false]
        found[lacking, lacking] = without + self.total
        return found

    def thirds(self, kept: Indices, pairs: Sequence[tuple[int, int]]) -> Floats:
        """The weight of each of some pairs with every third literal: pairs × literals."""
        ones, others = kept[np.array(pairs)].T
        having = self._having(ones) & self._having(others)
        rows = having * self.weights[:, None]
        held = rows.T @ self.table
        found = np.concatenate([held, rows.sum(axis=0)[:, None] - held], axis=1)
        return found[:, kept].astype(np.float32)

    def _having(self, literals: Indices) -> Bools:
        """Which rows have some literals."""
        width = self.table.shape[1]
        found: Bools = self.table[:, literals % width] == (literals < width)
        return found


def _pure(mass: Floats, free: Bools, price: Weights) -> Floats:
    """The weight of pairs that no good row has, less what they cost; of a single literal once."""
    cheap = (TIE * price).astype(np.float32)
    found = mass - cheap[:, None] - cheap[None, :]
    np.fill_diagonal(found, np.diagonal(mass) - cheap)
    found[~free] = 0
    return found


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


def _rising(values: Floats, wanted: Bools) -> Floats:
    """The wanted values moved above 0, the others 0."""
    values += 1 - values.min(where=wanted, initial=0)
    values[~wanted] = 0
    return values


def _largest(values: Floats, most: int) -> list[tuple[int, int]]:
    """The places of the largest values above 0 in the upper triangle, in descending order.

    The values themselves are spoilt.
    """
    size = values.shape[1]
    for row in range(1, size):
        values[row, :row] = 0
    top = _top(values.ravel(), most, values.max(axis=1))
    return [divmod(at, size) for at in top]


def _top(values: Floats, most: int, some: Floats | None = None) -> list[int]:
    """The places of the largest values above 0, in descending order, equal ones as they stand.

    `some` may be given where each of them is among the values, in a place of its own.
    """
    bounds = values if some is None else some
    least = float(np.partition(bounds, -most)[-most]) if len(bounds) > most else 0.0
    places = np.flatnonzero(values > max(least - 10.0**-DIGITS, 0.0))
    rounded = values[places].round(DIGITS)
    places = places[rounded > 0]
    order = np.argsort(-rounded[rounded > 0], kind="stable")[:most]
    return [int(at) for at in places[order]]


def _body(literals: tuple[int, ...], names: Sequence[tuple[int, bool]]) -> Body:
    return tuple(sorted({names[at] for at in literals}))
