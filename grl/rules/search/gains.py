"""The features, of thousands, that separate bad rows from others best, alone or after others.

They are ranked by what they gain as literals (FOIL's measure; Quinlan 1990, section 4). Those that
gain most are chosen, and likewise among the rows that the best literals keep.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grl.rules.features.vocabulary import Priced
from grl.rules.search.conjunctions import Bools

KEPT = 16
"""So many features are chosen of each look."""
FOLLOWED = 3
"""After so many of the best literals the next ones are sought."""
STEPS = 3

Floats = NDArray[np.float64]


class Columns:
    """Features with different columns, each up to negation: of equal ones the cheapest.

    Those that equal one of the columns `known`, rows × features, are left out.
    """

    def __init__(self, known: Bools) -> None:
        self.known = known
        self._old = {_either_way(column) for column in known.T}
        self._kept: dict[bytes, tuple[Priced, Bools]] = {}

    def add(self, priced: Priced, column: Bools) -> None:
        """Let a feature join, unless it is the same for all rows or is there already."""
        if column.all() or not column.any():
            return
        key = _either_way(column)
        if key in self._old:
            return
        kept = self._kept.get(key)
        if kept is None or _order(priced) < _order(kept[0]):
            self._kept[key] = priced, column

    @property
    def features(self) -> list[Priced]:
        """Those that joined."""
        return [priced for priced, _ in self._kept.values()]

    def table(self) -> Bools:
        """Rows × features."""
        columns = [column for _, column in self._kept.values()]
        return np.array(columns, dtype=np.bool_).reshape(len(columns), len(self.known)).T

    def best(self, bad: Bools, weights: Floats) -> list[int]:
        """The numbers of features that separate the rows `bad` from others best.

        They are looked at alone and after literals that gain most, those known before included.
        Gains are rounded, so that machines which add in another order choose the same.
        """
        chosen: dict[int, None] = {}
        table = np.concatenate([self.table(), self.known], axis=1).astype(np.float64)
        _follow(table, len(self._kept), bad, weights, STEPS, chosen)
        return sorted(chosen)


def _order(priced: Priced) -> tuple[float, str]:
    return priced.cost, repr(priced.feature)


def _either_way(column: Bools) -> bytes:
    return np.packbits(column ^ column[0]).tobytes()


def _follow(
    table: Floats, fresh: int, bad: Bools, weights: Floats, steps: int, chosen: dict[int, None]
) -> None:
    """Choose some of the first `fresh` columns, and of them after the best ones of all."""
    if not table.shape[1] or not bad.any() or bad.all():
        return
    gains, signs = _gains(table, bad, weights)
    order = [int(i) for i in np.argsort(-gains, kind="stable") if gains[i] > 0]
    chosen.update(dict.fromkeys([column for column in order if column < fresh][:KEPT]))
    if steps == 1:
        return
    for column in order[:FOLLOWED]:
        rows = (table[:, column] > 0) == signs[column]
        _follow(table[rows], fresh, bad[rows], weights[rows], steps - 1, chosen)


def _gains(table: Floats, bad: Bools, weights: Floats) -> tuple[Floats, Bools]:
    """What each column gains as a literal, plain or negated, and whether it is plain.

    A gain is the weight of the bad rows that the literal keeps times by how many bits a row that it
    keeps is likelier bad than before.
    """
    wrong, right = weights * bad, weights * ~bad
    before = np.log2(wrong.sum() / weights.sum())
    best = np.full(table.shape[1], -np.inf)
    plain = np.zeros(table.shape[1], dtype=np.bool_)
    kept_wrong, kept_right = wrong @ table, right @ table
    for sign in (True, False):
        kept = kept_wrong if sign else wrong.sum() - kept_wrong
        others = kept_right if sign else right.sum() - kept_right
        kept, others = np.maximum(kept, 0.0), np.maximum(others, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = np.where(kept > 1e-9, kept * (np.log2(kept / (kept + others)) - before), -np.inf)
        gain = np.round(gain, 9)
        plain = np.where(gain > best, sign, plain)
        best = np.maximum(best, gain)
    return best, plain
