"""Contests: who has more of something than all others, or less, wins, and who has as much shares.

That is a rule for each set of players that may lead, which share what they ask beside the
comparisons: for two players less, as much, and, behind these, whatever is left. They are found as
one, so that few cases of one result suffice where there are enough of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.model import Feature, Goals, Literal, Rule
from grl.rules.features.terms import said_of
from grl.rules.features.vocabulary import Priced
from grl.rules.search.conjunctions import Bools, Rows

FURTHER_COST = 0.5
"""What the second rule of a contest, and each further one, adds to the cost of one rule."""
SHARE = 0.75
"""Of the cases that are left, so many have the result that a contest says."""
TRIED = 3
MOST_PLAYERS = 4
"""Among more players there are too many sets that may lead."""


class Part(NamedTuple):
    """The columns that say who leads, behind the parts before it, and the seats that do."""

    columns: tuple[int, ...]
    leaders: frozenset[int]


class Measure(NamedTuple):
    """What players are compared by: parts that exclude one another, and what naming it costs."""

    parts: tuple[Part, ...]
    cost: float

    @property
    def columns(self) -> set[int]:
        return {column for part in self.parts for column in part.columns}

    @property
    def further(self) -> float:
        """What the further rules cost."""
        return FURTHER_COST * (len(self.parts) - 1)


class Contest(NamedTuple):
    """The goals for each part of a measure, and the cases of which these are right."""

    measure: Measure
    values: tuple[Goals, ...]
    right: Bools

    def rules(self, guard: Sequence[Literal], covered: Rows, search: Contests) -> list[Rule]:
        """The rules for the cases of which the guard is true, some of which are `covered`."""
        supports = [int(part.sum()) for part in search.parts(self.measure, covered)]
        asked = [
            [Literal(search.features[column].feature, True) for column in part.columns]
            for part in self.measure.parts
        ]
        bodies = [(*guard, *each) for each in asked]
        return list(map(Rule, bodies, self.values, supports))


class Contests:
    """The comparisons among the columns of a table, and what they may decide."""

    def __init__(
        self,
        features: Sequence[Priced],
        table: Bools,
        classes: Sequence[Goals],
        kind: NDArray[np.intp],
    ) -> None:
        self.features, self.table, self.classes, self.kind = features, table, classes, kind

    @cached_property
    def _measures(self) -> Mapping[Feature, Measure]:
        """By the first column's feature."""
        players = len(self.classes[0]) if self.classes else 0
        if not 2 <= players <= MOST_PLAYERS:
            return {}
        found = _pairs(self.features) if players == 2 else _tournaments(self.features, players)
        return {self.features[each.parts[0].columns[0]].feature: each for each in found}

    def of(self, left: Bools) -> list[Contest]:
        """The best contests for the cases that are left: few, those right of most first."""
        rows = np.flatnonzero(left)
        found: dict[bytes, Contest] = {}
        for measure in self._measures.values():
            contest = self._contest(measure, rows) if len(rows) else None
            if contest is not None:
                right = contest.right[rows]
                several = sum(bool((right & part).any()) for part in self.parts(measure, rows)) > 1
                if several and right.sum() >= SHARE * len(rows):
                    found.setdefault(right.tobytes(), contest)
        best = sorted(found.values(), key=lambda it: (-int(it.right.sum()), it.measure.cost))
        return best[:TRIED]

    def deciding(self, rows: Rows, without: set[int]) -> Contest | None:
        """The cheapest contest that is right in all of these rows, whoever leads, if there is one
        that does `without` some columns; more than one part of it comes about."""
        found: list[Contest] = []
        table, said = self.table[rows], self.kind[rows]
        # Where a column is true of several classes the part that asks for it alone can't be right.
        classes = np.sum([table[said == at].any(axis=0) for at in np.unique(said)], axis=0)
        mixed = set(np.flatnonzero(classes > 1).tolist())
        for measure in self._measures.values():
            cheaper = not found or measure.cost < found[0].measure.cost
            first = measure.parts[0].columns
            if len(first) == 1 and first[0] in mixed:
                continue
            if cheaper and measure.columns.isdisjoint(without):
                contest = self._contest(measure, rows)
                several = sum(map(np.any, self.parts(measure, rows))) > 1
                if several and contest is not None and contest.right[rows].all():
                    found = [contest]
        return found[0] if found else None

    def parts(self, measure: Measure, rows: Rows) -> Iterator[Bools]:
        """In which of the rows each part is the first that is true."""
        left = np.ones(len(rows), dtype=np.bool_)
        for part in measure.parts:
            here = left & self.table[rows[:, None], np.array(part.columns, np.intp)].all(axis=1)
            yield here
            left &= ~here

    def _contest(self, measure: Measure, rows: Rows) -> Contest | None:
        """The contest of a measure, with the goals that most of the rows have for so many leaders.

        Who leads alone has other goals than the others.
        """
        parts, said = list(self.parts(measure, rows)), self.kind[rows]
        players = len(self.classes[0])
        shares: dict[int, tuple[int, int]] = {}
        for number in range(1, players + 1):
            votes: Counter[tuple[int, int]] = Counter()
            for (_, leaders), part in zip(measure.parts, parts, strict=True):
                for at, goals in enumerate(self.classes) if len(leaders) == number else ():
                    share = _share(goals, leaders)
                    if share is not None and (number > 1 or share[0] != share[1]):
                        votes[share] += int((part & (said == at)).sum())
            if votes and (number == 1 or any(votes.values())):
                shares[number] = max(votes, key=lambda it: (votes[it], -it[1], -it[0]))
        if 1 not in shares:
            return None
        most, least = shares[1]
        values = []
        for _, leaders in measure.parts:
            number = len(leaders)
            mean = (most + (number - 1) * least) // number
            led, other = shares.get(number, (mean, least))
            values.append(tuple(led if seat in leaders else other for seat in range(players)))
        right = np.zeros(len(self.kind), dtype=np.bool_)
        for part, value in zip(parts, values, strict=True):
            if value in self.classes:
                right[rows] |= part & (said == self.classes.index(value))
        return Contest(measure, tuple(values), right)


def _share(goals: Goals, leaders: frozenset[int]) -> tuple[int, int] | None:
    """The goal of those that lead and that of the others; None where these differ among them, or
    are counted.

    Where all lead there are no others, and their goal is 0.
    """
    led = {goal for seat, goal in enumerate(goals) if seat in leaders}
    others = {goal for seat, goal in enumerate(goals) if seat not in leaders} or {0}
    if len(led) > 1 or len(others) > 1:
        return None
    most, least = led.pop(), others.pop()
    return (most, least) if isinstance(most, int) and isinstance(least, int) else None


def _pairs(features: Sequence[Priced]) -> Iterator[Measure]:
    """Of two players one has less, by the column that says so; or both as much; or neither."""
    numbers = {each.feature: number for number, each in enumerate(features)}
    for number, (feature, cost) in enumerate(features):
        if _compares(feature):
            *head, one, _, other = feature
            for pair in ((one, "=", other), (other, "=", one)):
                if (*head, *pair) in numbers:
                    equal = numbers[(*head, *pair)]
                    parts = ((number,), {1}), ((equal,), {0, 1}), ((), {0})
                    yield Measure(tuple(Part(at, frozenset(led)) for at, led in parts), cost)
                    break


def _tournaments(features: Sequence[Priced], players: int) -> Iterator[Measure]:
    """Who has more than all others, or less, alone or together, by the columns of all pairs of
    players."""
    numbers = {each.feature: number for number, each in enumerate(features)}
    for feature, cost in features:
        if _compares(feature):
            *head, one, _, other = feature
            amounts = [said_of(one, seat, players) for seat in range(players)]
            if other == amounts[1]:
                for most in (True, False):
                    yield from _tournament(numbers, tuple(head), amounts, cost, most=most)


def _tournament(
    numbers: Mapping[Feature, int],
    head: Feature,
    amounts: Sequence[Any],
    cost: float,
    *,
    most: bool,
) -> Iterator[Measure]:
    """The measure by amounts of all players, where all pairs of them are compared: whoever has most
    leads, or least."""
    players = len(amounts)

    def column(one: int, relation: str, other: int) -> int | None:
        return numbers.get((*head, amounts[one], relation, amounts[other]))

    parts: list[Part] = []
    for number in range(1, players):
        for led in combinations(range(players), number):
            others = [seat for seat in range(players) if seat not in led]
            asked = [column(led[0], "=", seat) for seat in led[1:]]
            pairs = [(seat, led[0]) if most else (led[0], seat) for seat in others]
            asked += [column(one, "<", other) for one, other in pairs]
            known = [each for each in asked if each is not None]
            if len(known) < len(asked):
                return
            parts.append(Part(tuple(known), frozenset(led)))
    everybody = Part((), frozenset(range(players)))
    yield Measure((*parts, everybody), (players - 1) * cost)


def _compares(feature: Feature) -> bool:
    """Whether a feature says that one amount is less than another."""
    return bool(measured(feature)) and feature[3] == "<"


def measured(feature: Feature) -> frozenset[Any]:
    """The two amounts that a feature compares; none where it asks for something else, or for how
    much more."""
    if feature[0] not in ("sizes", "sums") or len(feature) != 5:
        return frozenset()
    return frozenset((feature[2], feature[4]))
