"""Prices of what has to be derived: the dual of the relaxed cover, by a small simplex.

With prices under which no rule derives more than it costs, the sum of all prices bounds the cost
of every hypothesis from below, and a rule whose cost exceeds the prices of what it derives by more
than the known gap is in no better hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from grl.las.cover import members

MOST_CELLS = 6_000_000
MOST_PIVOTS = 4000
TINY = 1e-9

Prices = npt.NDArray[np.float64]


def prices(columns: Sequence[tuple[int, float]], number: int) -> Prices:
    """Prices of `number` items, none negative, that no column (set of items, cost) exceeds.

    Their sum is the largest possible where the problem is small enough for the simplex. Items in
    the same columns, but for those that hold one item alone, are priced together, and what they
    are worth is handed out as far as their own columns allow.
    """
    if not number or not columns:
        return np.zeros(number)
    alone: dict[int, float] = {}
    wide: list[tuple[int, float]] = []
    for derives, cost in columns:
        if derives & (derives - 1):
            wide.append((derives, cost))
        elif derives:
            item = derives.bit_length() - 1
            alone[item] = min(cost, alone.get(item, cost))
    together: dict[bytes, list[int]] = {}
    matrix = np.zeros((len(wide), number), dtype=np.bool_)
    for row, (derives, _) in enumerate(wide):
        matrix[row, members(derives)] = True
    for item in range(number):
        place = matrix[:, item].tobytes() + bytes([item in alone])
        together.setdefault(place, []).append(item)
    groups = list(together.values())
    found = np.zeros(number)
    reduced = [
        (sum(1 << at for at, group in enumerate(groups) if matrix[row, group[0]]), cost)
        for row, (_, cost) in enumerate(wide)
    ]
    reduced += [
        (1 << at, sum(alone[item] for item in group))
        for at, group in enumerate(groups)
        if group[0] in alone
    ]
    for group, worth in zip(groups, _priced(reduced, len(groups)), strict=True):
        left = float(worth)
        for item in group:
            found[item] = min(left, alone.get(item, left))
            left -= found[item]
    return found


def _priced(columns: Sequence[tuple[int, float]], number: int) -> Prices:
    """Prices of items that are all in different columns."""
    if not columns:
        return np.zeros(number)
    matrix = np.zeros((len(columns), number))
    for row, (derives, _) in enumerate(columns):
        matrix[row, members(derives)] = 1.0
    costs = np.array([cost for _, cost in columns], dtype=np.float64)
    if len(columns) * (len(columns) + number) > MOST_CELLS:
        found = _ascent(matrix, costs)
    else:
        found = _simplex(matrix, costs)
    found = np.maximum(found, 0.0)
    sums = matrix @ found
    over = sums > costs
    if over.any():
        found *= float((costs[over] / sums[over]).min())
    return found


def _ascent(matrix: Prices, costs: Prices) -> Prices:
    """Raises the price of each thing as far as it goes, those with few columns first."""
    slack = costs.copy()
    found = np.zeros(matrix.shape[1])
    for thing in np.argsort(matrix.sum(axis=0), kind="stable"):
        rows = matrix[:, thing] > 0
        if rows.any():
            found[thing] = slack[rows].min()
            slack[rows] -= found[thing]
    return found


def _simplex(matrix: Prices, costs: Prices) -> Prices:
    """max 1·y where matrix·y ≤ costs, y ≥ 0."""
    rows, items = matrix.shape
    tableau = np.zeros((rows + 1, items + rows + 1))
    tableau[:rows, :items] = matrix
    tableau[:rows, items : items + rows] = np.eye(rows)
    tableau[:rows, -1] = costs
    tableau[-1, :items] = -1.0
    basis = np.arange(items, items + rows)
    for pivots in range(MOST_PIVOTS):
        objective = tableau[-1, :-1]
        if pivots < MOST_PIVOTS // 2:
            enter = int(np.argmin(objective))
        else:
            below = np.flatnonzero(objective < -TINY)
            enter = int(below[0]) if below.size else 0
        if objective[enter] >= -TINY:
            break
        column = tableau[:-1, enter]
        usable = column > TINY
        if not usable.any():
            break
        ratios = np.full(rows, np.inf)
        ratios[usable] = tableau[:-1, -1][usable] / column[usable]
        leave = int(np.argmin(ratios))
        tableau[leave] /= tableau[leave, enter]
        factors = tableau[:, enter].copy()
        factors[leave] = 0.0
        tableau -= np.outer(factors, tableau[leave])
        basis[leave] = enter
    found = np.zeros(items)
    for row, variable in enumerate(basis):
        if variable < items:
            found[variable] = tableau[row, -1]
    return found
