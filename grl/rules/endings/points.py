"""Points: what pieces count by type, where more of it wins.

Of two players each type counts so much, the same for both. The numbers are sought by local search:
from one for each type, a few of them are set anew together as long as more ends come out as the
comparison would have them. Where both have as many, whatever is most common is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import inf, log2

import numpy as np
from numpy.typing import NDArray

from grl.logic.contents import contents_by_player, held_contents, names_type, owner_in
from grl.model import Rule
from grl.rules.endings.outcomes import Outcome
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.terms import Data, Held, points, said_of, sizes
from grl.rules.features.vocabulary import Priced
from grl.rules.templates.terms import amounts_of

Numbers = NDArray[np.int64]

LEAST_ENDS = 12
SHARE = 0.75
"""So many ends have to come out as the comparison says."""
MOST = 10
"""No piece counts more."""
TOGETHER = 3
"""So many types are set anew at once."""
MOST_OFFERED = 8
FITS = 5
"""So often goals are fitted, those that fit badly left out."""
POINTS_COST, TYPE_COST = 1.6, 0.2
"""What it costs to compare points, and besides to name a type, and a bit of what one counts."""


def points_compared(setting: Setting, ends: Sequence[Outcome]) -> Iterator[Priced]:
    """Who of two players has more points, on the board, in hand, or in both together."""
    said = [(item.case, Rule((), item.goals).fixed) for item in ends if item.goals is not None]
    fixed = [(case, goals) for case, goals in said if len(goals) == 2]
    won = np.array([np.sign(goals[0] - goals[1]) for _, goals in fixed], dtype=np.int64)
    if len(fixed) < LEAST_ENDS or len(setting.owners) != 2 or (won == won[0]).all():
        return
    cases = [case for case, _ in fixed]
    for amounts in _typed(setting):
        ahead = _held(cases, amounts) - _held(cases, map(_theirs, amounts))
        for sign in (1, -1):
            for worth in _counting(ahead, sign * won):
                yield from _compared([(n, x) for n, x in zip(worth, amounts, strict=True) if n])


def _compared(counting: Sequence[tuple[int, Held]]) -> Iterator[Priced]:
    """Whether who moves has as many points as the other player, or fewer, or more."""
    cost, mine = _price(counting), _amount(counting)
    theirs = _theirs(mine)
    for one, relation, other in ((mine, "=", theirs), (mine, "<", theirs), (theirs, "<", mine)):
        yield Priced(sizes("now", one, relation, other), cost)


def _price(counting: Sequence[tuple[int, Held]]) -> float:
    return POINTS_COST + sum(TYPE_COST * (1 + log2(1 + each)) for each, _ in counting)


def _amount(counting: Sequence[tuple[int, Held]]) -> Data:
    """The points, or what alone counts."""
    return counting[0][1] if len(counting) == 1 else points(counting)


def _theirs(amount: Data) -> Data:
    """The amount that the other player has."""
    theirs = said_of(amount, 1, 2)
    assert theirs is not None
    return theirs


def points_given(
    setting: Setting, cases: Sequence[PositionCase], goals: Numbers
) -> Iterator[tuple[float, Data]]:
    """Points of which goals may be a multiple, more or less, cases × 2 of them; with their price.

    They are fitted to the goals by least squares, again and again to those that fit best.
    """
    for amounts in _typed(setting) if len(setting.owners) == 2 else ():
        seen = np.concatenate([_held(cases, amounts), _held(cases, map(_theirs, amounts))])
        counted = np.column_stack([seen, np.ones(len(seen), dtype=np.int64)])
        given = goals.T.ravel()
        fitting = np.arange(len(given))
        for _ in range(FITS):
            line = np.linalg.lstsq(counted[fitting], given[fitting], rcond=None)[0]
            off = np.abs(counted @ line - given)
            fitting = np.argsort(off, kind="stable")[: max(1, int(SHARE * len(given)))]
        worth = np.rint(line[:-1]).astype(np.int64)
        worth //= max(1, int(np.gcd.reduce(worth)))
        for found in (worth, -worth):
            if len({*found.tolist()}) > 1 and found.min() >= 0:
                pairs = [(n, x) for n, x in zip(found.tolist(), amounts, strict=True) if n]
                yield _price(pairs), _amount(pairs)


def _typed(setting: Setting) -> Iterator[list[Held]]:
    """Pieces of who moves, type by type: on the board, in hand, and both together."""
    equipment = setting.equipment
    known = [each for each in contents_by_player(equipment) if names_type(each)]
    own = [each for each in known if owner_in(each) == "own"]
    held = [
        each for each in held_contents(equipment) if owner_in(each) == "own" and names_type(each)
    ]
    zones = [("lies", own)]
    if equipment.stocked:
        zones += [("hand", [*own, *held]), ("all", own)]
    yield from ([(zone, each) for each in those] for zone, those in zones if len(those) > 1)


def _held(cases: Sequence[PositionCase], amounts: Iterable[Data]) -> Numbers:
    """Cases × amounts: how much there is."""
    return np.stack([amounts_of(cases, each, sums=False) for each in amounts], axis=1)


def _counting(ahead: Numbers, won: Numbers) -> list[list[int]]:
    """What one of each amount may count so that most ends come out right, the cheapest first, where
    that is a large share of them; of what orders all ends alike the cheapest."""
    rows, number = np.unique(np.column_stack([ahead, won]), axis=0, return_counts=True)
    ahead, won = rows[:, :-1], rows[:, -1:]
    together = min(TOGETHER, ahead.shape[1])
    blocks = [*map(list, combinations(range(ahead.shape[1]), together))]
    tried = np.array([*product(range(MOST + 1), repeat=together)])
    found, best = np.ones(ahead.shape[1], dtype=np.int64), (-1, 0)
    better = True
    while better:
        better, kept = False, dict[bytes, tuple[float, list[int]]]()
        for block in blocks:
            rest = found.copy()
            rest[block] = 0
            lead = (ahead @ rest)[:, None] + ahead[:, block] @ tried.T
            right = _right(lead, won, number)
            total = int(rest.sum()) + tried.sum(axis=1)
            at = int(np.lexsort((total, -right))[0])
            rank = int(right[at]), -int(total[at])
            if rank > best:
                found, best, better = rest, rank, True
                found[block] = tried[at]
                break
            for at in np.flatnonzero(right == best[0]).tolist():
                worth = rest.copy()
                worth[block] = tried[at]
                said = np.sign(lead[:, at]).tobytes()
                kept[said] = min(kept.get(said, (inf, [])), (int(total[at]), worth.tolist()))
    if best[0] < SHARE * number.sum():
        return []
    several = [worth for _, worth in sorted(kept.values()) if len(set(worth)) > 1]
    return several[:MOST_OFFERED]


def _right(lead: Numbers, won: Numbers, number: Numbers) -> Numbers:
    """Of so many ends of each row how many come out right, for each column of leads."""
    ahead = number @ ((lead != 0) & (np.sign(lead) == won))
    level = [number @ ((lead == 0) & (won == result)) for result in (-1, 0, 1)]
    return np.asarray(ahead + np.max(level, axis=0), dtype=np.int64)
