"""Conjunctions that cover much weight and no good row, by products of matrices.

All pairs of literals are counted at once: the weight of the bad rows that a pair covers is an entry
of one Gram matrix, the number of good rows an entry of another. The heaviest pairs that are
nearly pure are then tried with every third literal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Body = tuple[tuple[int, bool], ...]
"""Columns with the values that they must have."""

PURE = 40
NEARLY_PURE = 30
THIRDS = 4
HALF = 0.5
"""Counts in single precision are whole; less than this is none."""


def heavy_conjunctions(bad: Bools, good: Bools, weights: NDArray[np.float64]) -> list[Body]:
    """Bodies of up to three literals that no row of `good` has, by the weight of `bad`.

    Both tables are rows x columns over the same columns; `weights` has an entry a bad row.
    """
    width = bad.shape[1]
    if not width or not len(bad):
        return []
    bad_literals = _literals(bad)
    good_literals = _literals(good)
    weighted = bad_literals * weights.astype(np.float32)[:, None]
    mass = weighted.T @ bad_literals
    count = good_literals.T @ good_literals
    found = [
        _body((one, other), width) for one, other in _largest(np.where(count < HALF, mass, 0), PURE)
    ]
    nearly = np.where(count < HALF, 0, mass / (1 + count))
    for one, other in _largest(nearly, NEARLY_PURE):
        rows = good_literals[:, one] * good_literals[:, other] > HALF
        third = good_literals[rows].sum(axis=0)
        gain = (weighted[:, one] * bad_literals[:, other]) @ bad_literals
        gain = np.where(third < HALF, gain, 0)
        for extra in np.argsort(-gain, kind="stable")[:THIRDS]:
            if gain[extra] > 0:
                found.append(_body((one, other, int(extra)), width))
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


def _body(literals: tuple[int, ...], width: int) -> Body:
    return tuple(sorted({(at % width, at < width) for at in literals}))
