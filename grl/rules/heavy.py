"""Conjunctions that cover much weight and no good row, by products of matrices.

All pairs of literals are counted at once: the weight of the bad rows that a pair covers is an entry
of one Gram matrix, the weight of good rows an entry of another. The pairs of most information
gain (FOIL: Quinlan 1990, "Learning logical definitions from relations", section 4.1) are then tried
with every third literal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Weights = NDArray[np.float64]
Sums = NDArray[np.floating[Any]]
Body = tuple[tuple[int, bool], ...]
"""Columns with the values that they must have."""

PURE = 40
NEARLY_PURE = 160
THIRDS = 4
TIE = 0.02
"""How much weight a unit of cost weighs, to tell bodies of equal weight apart."""
NONE = 1e-6
"""A sum of weights in single precision below this part of their sum is none."""
DIGITS = 3
"""Sums that agree in so many decimals are equal, in whatever order they were added up."""


def heavy_conjunctions(
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
    heaviness = weights[0].astype(np.float32)
    bad_literals, good_literals = _literals(bad), _literals(good)
    kept = np.flatnonzero(heaviness @ bad_literals >= least)
    if not len(kept):
        return []
    bad_literals, good_literals = bad_literals[:, kept], good_literals[:, kept]
    width = bad.shape[1]
    prices = [(0.0, 0.0)] * width if costs is None else costs
    price = np.array([cost[1] for cost in prices] + [cost[0] for cost in prices])[kept]
    names = [(int(at) % width, int(at) < width) for at in kept]
    weighted = bad_literals * heaviness[:, None]
    against = good_literals * weights[1].astype(np.float32)[:, None]
    none = NONE * max(float(weights[1].sum()), 1.0)
    mass = weighted.T @ bad_literals
    count = against.T @ good_literals
    dear = price[:, None] + price[None, :]
    np.fill_diagonal(dear, price)
    pure = np.where(count <= none, mass - TIE * dear, 0)
    found = [_body((one, other), names) for one, other in _largest(pure, PURE)]
    before = float(weights[0].sum()) / float(weights[0].sum() + weights[1].sum())
    mixed = (count > none) & (mass > 0)
    nearly = _largest(_rising(_gain(mass, count, before), mixed), NEARLY_PURE)
    if nearly:
        ones, others = np.array(nearly).T
        third = (against[:, ones] * good_literals[:, others]).T @ good_literals
        more = (weighted[:, ones] * bad_literals[:, others]).T @ bad_literals
        more = np.where(third <= none, more, 0)
        for row, (one, other) in enumerate(nearly):
            for extra in np.argsort(-more[row].round(DIGITS), kind="stable")[:THIRDS]:
                if more[row, extra] > 0:
                    found.append(_body((one, other, int(extra)), names))
    return list(dict.fromkeys(found))


def _gain(mass: Sums, count: Sums, before: float) -> Sums:
    """FOIL's information gain of covering the weight `mass` of bad and `count` of good rows."""
    share = mass / np.maximum(mass + count, NONE)
    found: Sums = mass * (np.log2(np.maximum(share, NONE)) - np.log2(before))
    return found


def _rising(values: Sums, wanted: Bools) -> Sums:
    """The wanted values moved above 0, the others 0."""
    least = values.min(where=wanted, initial=0)
    return np.where(wanted, values - least + 1, 0)


def _literals(table: Bools) -> Floats:
    """Each column and its negation."""
    return np.concatenate([table, ~table], axis=1).astype(np.float32)


def _largest(values: Sums, most: int) -> list[tuple[int, int]]:
    """The places of the largest values above 0 in the upper triangle, in descending order."""
    flat = np.triu(values).round(DIGITS).ravel()
    top = np.argsort(-flat, kind="stable")[:most]
    size = values.shape[1]
    return [(int(at) // size, int(at) % size) for at in top if flat[at] > 0]


def _body(literals: tuple[int, ...], names: Sequence[tuple[int, bool]]) -> Body:
    return tuple(sorted({names[at] for at in literals}))
