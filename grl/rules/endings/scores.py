"""Goals that are counted: where they differ from end to end, what there is so much of.

A score gives each player `each` for every one of an amount, such as their pieces or their area, and
`plus`, from 0 to 100. Ends whose goals a score gives make one class, of which rules are then
learned as of any other: when the game is over so. The amounts are those of which the listed
features ask how many there are, or who has more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, product
from typing import Any

import numpy as np

from grl.logic.grid import Bools, Indices
from grl.model import Goals, Score
from grl.rules.endings.features import pieces_compared
from grl.rules.endings.outcomes import Outcome
from grl.rules.endings.points import points_given
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.counted import positions_counted
from grl.rules.features.quantities import area_features, number_features
from grl.rules.features.terms import said_of
from grl.rules.features.vocabulary import Priced
from grl.rules.search.contests import measured
from grl.rules.templates.terms import SUMS, amounts_of

LEAST_NUMBERS = 5
"""With fewer different numbers among the goals each result has rules of its own."""
LEAST_GIVEN = 2
"""A score has to give so many more of them than it has numbers itself, each of them for most of the
ends with it: a line through two points says nothing of a third."""
MOST_LOOKED_AT = 2_000
"""Ends by which amounts are compared."""
MOST_LINES = 8
"""Ways of counting an amount that are looked at, those that most pairs of goals suggest."""
MOST_SCORES = 3


def with_scores(setting: Setting, data: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes, with scores in place of goals that these give.

    Goals of which most ends have them by no score stay as they are where a score gives them, too,
    and say nothing of either: such outcomes are left out.
    """
    found = list(data)
    for _ in range(MOST_SCORES):
        ends = [item for item in found if item.goals is not None and not _counted(item.goals)]
        if len({goal for item in ends for goal in item.goals or ()}) < LEAST_NUMBERS:
            break
        value = _score(setting, ends)
        if value is None:
            break
        found = _labelled(found, value)
    return found


def _counted(goals: Goals) -> bool:
    return any(isinstance(goal, Score) for goal in goals)


def _labelled(data: Sequence[Outcome], value: tuple[Score, ...]) -> list[Outcome]:
    """The outcomes with the score where it gives the goals; those in doubt are left out."""
    given = _given(value, [item.case for item in data])
    right = [item.goals == goals for item, goals in zip(data, given, strict=True)]
    hits = Counter(item.goals for item, yes in zip(data, right, strict=True) if yes)
    ends = Counter(item.goals for item in data)
    return [
        Outcome(item.case, value) if yes else item
        for item, yes in zip(data, right, strict=True)
        if not yes or 2 * hits[item.goals] >= ends[item.goals]
    ]


def _given(value: Sequence[Score], cases: Sequence[PositionCase]) -> list[tuple[int, ...]]:
    columns = [
        [score.of(number) for number in amounts_of(cases, score.amount, sums=score.sums).tolist()]
        for score in value
    ]
    return list(zip(*columns, strict=True))


def _score(setting: Setting, ends: Sequence[Outcome]) -> tuple[Score, ...] | None:
    """The score, by seat, that gives most ends their goals; None where none gives many numbers."""
    some = ends[:: max(1, -(-len(ends) // MOST_LOOKED_AT))]
    cases = [item.case for item in some]
    goals: Indices = np.array([item.goals for item in some], dtype=np.intp)
    players = len(setting.equipment.players)
    best: tuple[int, float, tuple[Score, ...]] | None = None
    counted = [(*priced, False) for priced in points_given(setting, cases, goals)]
    for cost, amount, sums in chain(_amounts(setting, cases), counted):
        said = [said_of(amount, seat, players) for seat in range(players)]
        seats = [data for data in said if data is not None]
        if len(seats) < players:
            continue
        there = np.stack([amounts_of(cases, data, sums=sums) for data in seats], axis=1)
        for each, plus in lines_suggested(there, goals):
            right: Bools = (np.clip(each * there + plus, 0, 100) == goals).all(axis=1)
            if _numbers_given(goals, right) >= LEAST_GIVEN + 1 + (plus != 0):
                rank = int(right.sum()), -cost
                if best is None or rank > best[:2]:
                    best = *rank, tuple(Score(each, plus, data, sums) for data in seats)
    return None if best is None else best[2]


def _numbers_given(goals: Indices, right: Bools) -> int:
    """How many different numbers there are among the goals that a score gives for most ends."""
    kinds, which = np.unique(goals, axis=0, return_inverse=True)
    hits = np.bincount(which[right], minlength=len(kinds))
    return len(np.unique(kinds[2 * hits >= np.bincount(which)]))


def lines_suggested(there: Indices, goals: Indices) -> Iterator[tuple[int, int]]:
    """Ways of counting: what one more is worth, and what is given besides, the likeliest first.

    `there` are amounts and `goals` what was given, cases x players; most may be given for other
    things.
    """
    seen: dict[int, Counter[int]] = defaultdict(Counter)
    for number, goal in zip(there.ravel().tolist(), goals.ravel().tolist(), strict=True):
        seen[number][goal] += 1
    votes: Counter[tuple[int, int]] = Counter()
    for (less, lower), (more, higher) in pairwise(sorted(seen.items())):
        for (low, some), (high, others) in product(lower.items(), higher.items()):
            each, rest = divmod(high - low, more - less)
            if each and not rest:
                votes[each, low - each * less] += min(some, others)
    yield from (line for line, _ in sorted(votes.items(), key=lambda x: (-x[1], x[0]))[:MOST_LINES])


def _amounts(
    setting: Setting, cases: Sequence[PositionCase]
) -> Iterator[tuple[float, tuple[Any, ...], bool]]:
    """What features count, or compare of two players, once each: its price, itself, and whether
    contents count."""
    hands = bool(setting.equipment.stocked)
    features: list[Priced] = [
        *number_features(setting, cases, hands=hands),
        *area_features(setting, ()),
        *pieces_compared(setting),
        *(positions_counted(setting, cases) if setting.equipment.sowing is not None else ()),
    ]
    found: dict[tuple[tuple[Any, ...], bool], float] = {}
    for feature, cost in features:
        counted = [feature[2]] if feature[0] == "size" else sorted(measured(feature), key=repr)
        for amount in counted:
            key = amount, feature[0] in SUMS
            found[key] = min(cost, found.get(key, cost))
    yield from ((cost, amount, sums) for (amount, sums), cost in found.items())
