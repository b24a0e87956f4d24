"""Conjunctions that cover much weight and no good row, by products of matrices.

All pairs of literals are counted at once: the weight of the bad rows that a pair covers is an entry
of one Gram matrix, the number of good rows an entry of another. The heaviest pairs that are
nearly pure are then tried with every third literal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Body = tuple[tuple[int, bool], ...]
"""Columns with the values that they must have."""

PURE = 40
NEARLY_PURE = 30
THIRDS = 4
TIE = 0.02
"""How much weight a unit of cost weighs, to tell bodies of equal weight apart."""
HALF = 0.5
"""Counts in single precision are whole; less than this is none."""


def heavy_conjunctions(
    bad: Bools,
    good: Bools,
    weights: NDArray[np.float64],
    costs: Sequence[tuple[float, float]] | None = None,
    least: float = 0.0,
) -> list[Body]:
    """Bodies of up to three literals that no row of `good` has, by the weight of `bad`.

    Both tables are rows x columns over the same columns; `weights` has an entry a bad row, `costs`
    for each column what it costs to be false and to be true, which decides between equal weights.
    Literals that cover less than the weight `least` are left aside.
    """
    if not bad.shape[1] or not len(bad):
        return []
    bad_literals, good_literals = _literals(bad), _literals(good)
    kept = np.flatnonzero(weights.astype(np.float32) @ bad_literals >= least)
    if not len(kept):
        return []
    bad_literals, good_literals = bad_literals[:, kept], good_literals[:, kept]
    width = bad.shape[1]
    prices = [(0.0, 0.0)] * width if costs is None else costs
    price = np.array([cost[1] for cost in prices] + [cost[0] for cost in prices])[kept]
    names = [(int(at) % width, int(at) < width) for at in kept]
    weighted = bad_literals * weights.astype(np.float32)[:, None]
    mass = weighted.T @ bad_literals
    count = good_literals.T @ good_literals
    dear = price[:, None] + price[None, :]
    np.fill_diagonal(dear, price)
    pure = np.where(count < HALF, mass - TIE * dear, 0)
    found = [_body((one, other), names) for one, other in _largest(pure, PURE)]
    nearly = np.where(count < HALF, 0, mass / (1 + count))
    for one, other in _largest(nearly, NEARLY_PURE):
        rows = good_literals[:, one] * good_literals[:, other] > HALF
        third = good_literals[rows].sum(axis=0)
        gain = (weighted[:, one] * bad_literals[:, other]) @ bad_literals
        gain = np.where(third < HALF, gain, 0)
        for extra in np.argsort(-gain, kind="stable")[:THIRDS]:
            if gain[extra] > 0:
                found.append(_body((one, other, int(extra)), names))
    return list(dict.fromkeys(found))


def _literals(table: Bools) -> Floats:
    """Each column and its negation."""
    return np.concatenate([table, ~table], axis=1).astype(np.float32)


def _largest(values: Floats, most: int) -> list[tuple[int, int]]:
    """The places of the largest values above 0 in the upper triangle, in descending order."""
    flat = np.triu(values).ravel()
    top = np.argsort(-flat, kind="stable")[:most]
    size = values.shape[1]
    return [(int(at) // size, int(at) % size) for at in top if flat[at] > 0]


def _body(literals: tuple[int, ...], names: Sequence[tuple[int, bool]]) -> Body:
    return tuple(sorted({names[at] for at in literals}))
