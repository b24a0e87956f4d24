"""Squares that two players contest: on which of them more pieces win, or fewer.

Of no more than some squares named one by one it is asked who has more pieces there. They are sought
by local search: from where the pieces of winners stand most (least squares), a square joins or
leaves as long as more ends come out as a comparison would have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from grl.logic.grid import Bools
from grl.logic.ops.places import lies
from grl.logic.ops.sets import together
from grl.logic.ops.shapes import named
from grl.model import Rule
from grl.rules.endings.outcomes import Outcome
from grl.rules.features.cases import Setting
from grl.rules.features.terms import sizes
from grl.rules.features.vocabulary import Priced

LEAST_ENDS = 12
MOST_SQUARES = 6
"""More squares than these are no short list."""
SHARE = 0.75
"""So many ends have to come out as the comparison says."""
SQUARE_COST = 0.3
RATHER_FEWER = 0.01
"""What a square more has to explain, in ends."""


def squares_contested(setting: Setting, ends: Sequence[Outcome]) -> Iterator[Priced]:
    """Who of two players has more pieces on a few squares."""
    said = [(item.case, item.goals) for item in ends if item.goals is not None]
    fixed = [(case, Rule((), goals).fixed) for case, goals in said]
    fixed = [(case, goals) for case, goals in fixed if len(goals) == 2]
    won = np.array([np.sign(goals[0] - goals[1]) for _, goals in fixed])
    if len(fixed) < LEAST_ENDS or len(setting.owners) != 2 or (won == won[0]).all():
        return
    size = setting.board.size
    ahead = np.stack(
        [
            _squares(case.bits("own"), size) - _squares(case.bits("opposing"), size)
            for case, _ in fixed
        ]
    )
    for sign in (1, -1):
        chosen = _chosen(ahead, sign * won)
        right = np.sign(ahead[:, chosen].sum(axis=1)) == sign * won
        if 1 < chosen.sum() <= MOST_SQUARES and right.mean() >= SHARE:
            squares = np.flatnonzero(chosen)
            ranks, files = np.divmod(squares, setting.board.width)
            places = zip((files + 1).tolist(), (ranks + 1).tolist(), strict=True)
            there = named(tuple(places), None)
            mine, theirs = (together(lies(owner), there) for owner in ("own", "opposing"))
            cost = 1.6 + SQUARE_COST * len(squares)
            for one, relation, other in (
                (mine, "=", theirs),
                (mine, "<", theirs),
                (theirs, "<", mine),
            ):
                yield Priced(sizes("now", one, relation, other), cost)


def _squares(bits: int, size: int) -> NDArray[np.int64]:
    return np.array([bits >> (size - 1 - square) & 1 for square in range(size)], dtype=np.int64)


def _chosen(ahead: NDArray[np.int64], won: NDArray[np.int64]) -> Bools:
    """The squares on which who is ahead has won most often."""
    weights = np.linalg.lstsq(ahead.astype(float), won.astype(float), rcond=None)[0]
    chosen: Bools = weights > max(weights.max(), 0.0) / 2
    best = -1.0
    while True:
        total = ahead[:, chosen].sum(axis=1)
        other = total[:, None] + np.where(chosen, -ahead, ahead)
        right = (np.sign(other) == won[:, None]).sum(axis=0)
        worth = right - RATHER_FEWER * np.where(chosen, chosen.sum() - 1, chosen.sum() + 1)
        square = int(worth.argmax())
        if worth[square] <= best:
            return chosen
        best = float(worth[square])
        chosen = chosen.copy()
        chosen[square] = ~chosen[square]
