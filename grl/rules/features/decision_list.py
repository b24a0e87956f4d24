"""Ordered lists of rules: what the first rule that covers a case says is said of the case.

One case is held to the rules one by one; many are held to them feature by feature, as columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from grl.logic.grid import Bools
from grl.model import Feature, Goals, Literal, Rule
from grl.rules.features.levels import asks

Case = TypeVar("Case")
Said = Goals | None
"""The value of a rule; None where no rule covers a case."""
Rows = NDArray[np.intp]

FEW = 3
"""A rule that fewer cases speak for is provisional."""


class DecisionList(Generic[Case]):
    """Rules in order, each with the test that `covering` makes of its body."""

    def __init__(
        self,
        rules: Sequence[Rule],
        covering: Callable[[Sequence[Literal]], Callable[[Case], bool]],
    ) -> None:
        self._rules = [(rule, covering(rule.body)) for rule in rules]

    def first(self, case: Case) -> Rule | None:
        """The first rule that covers a case."""
        for rule, covers in self._rules:
            if covers(case):
                return rule
        return None


@dataclass(frozen=True)
class Example(Generic[Case]):
    """A case of the records with what rules should say of it."""

    case: Case
    says: Said


Item = TypeVar("Item", bound=Example[Any])


def first_of(items: Sequence[Item], covered: int, uncovered: int) -> list[Item]:
    """The first of the cases that some rule should cover, and the first of the others."""
    some = [item for item in items if item.says is not None]
    others = [item for item in items if item.says is None]
    return some[:covered] + others[:uncovered]


class Examples(Generic[Item]):
    """Many cases, to which lists of rules are held.

    `table` makes columns of features. Each feature is computed only for the cases of which it is
    asked, and kept.
    """

    def __init__(
        self,
        items: Sequence[Item],
        table: Callable[[Sequence[Any], Sequence[Feature]], Bools],
    ) -> None:
        self.items, self._table = items, table
        self._known: dict[Feature, tuple[Bools, Bools]] = {}

    def among(self, items: Sequence[Item]) -> Examples[Item]:
        """Other cases of the same sort, some of these perhaps."""
        return Examples(items, self._table)

    def table(self, features: Sequence[Feature]) -> Bools:
        """Features of all cases, those made together that were not asked for: cases × features."""
        known = {each for each, (_, cases) in self._known.items() if cases.all()}
        fresh = [each for each in dict.fromkeys(features) if each not in known]
        made = self._table([item.case for item in self.items], fresh)
        everything = np.ones(len(self.items), dtype=np.bool_)
        self._known.update(
            (f, (column, everything)) for f, column in zip(fresh, made.T, strict=True)
        )
        columns = [self._known[feature][0] for feature in features]
        return np.stack(columns, axis=1) if columns else made

    def says(self, rules: Sequence[Rule]) -> list[Said]:
        """What the rules say of each case."""
        values = [*(rule.value for rule in rules), None]
        return [values[number] for number in self._firsts(rules).tolist()]

    def wrong(self, rules: Sequence[Rule]) -> list[Item]:
        """The cases of which the rules say something else than they should."""
        said = self.says(rules)
        return [item for item, what in zip(self.items, said, strict=True) if what != item.says]

    def uncovered(self, rules: Sequence[Rule]) -> list[Item]:
        """The cases that no rule covers."""
        said = self.says(rules)
        return [item for item, what in zip(self.items, said, strict=True) if what is None]

    def counted(self, rules: Sequence[Rule]) -> tuple[Rule, ...]:
        """The rules with the cases that speak for and against each: those that it decides."""
        counts = np.zeros((len(rules) + 1, 2), dtype=np.intp)
        values = [*(rule.value for rule in rules), None]
        for item, number in zip(self.items, self._firsts(rules).tolist(), strict=True):
            counts[number, int(values[number] != item.says)] += 1
        return tuple(
            replace(
                rule, support=support, against=against, provisional=support < FEW or against > 0
            )
            for rule, (support, against) in zip(rules, counts.tolist(), strict=False)
        )

    def believed(self, rules: Sequence[Rule]) -> tuple[Rule, ...]:
        """The rules, counted, without those that more cases speak against than for."""
        while True:
            counted = self.counted(rules)
            rules = tuple(rule for rule in counted if rule.against <= rule.support)
            if len(rules) == len(counted):
                return rules

    def _firsts(self, rules: Sequence[Rule]) -> Rows:
        """The number of the first rule that covers each case; how many there are for none."""
        found = np.full(len(self.items), len(rules), dtype=np.intp)
        for number, rule in enumerate(rules):
            found[self.covered(rule, found == len(rules))] = number
        return found

    def covered(self, rule: Rule, among: Bools) -> Bools:
        """Which of some cases the body of a rule covers, whatever comes before it."""
        found = among.copy()
        for feature, holds in sorted(rule.body, key=lambda each: asks(each.feature)):
            found &= self._values(feature, found) == holds
        return found

    def _values(self, feature: Feature, asked: Bools) -> Bools:
        """A feature of the cases asked for; what is said of others means nothing."""
        size = len(self.items)
        values, known = self._known.setdefault(
            feature, (np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_))
        )
        fresh = np.flatnonzero(asked & ~known)
        if len(fresh):
            cases = [self.items[at].case for at in fresh.tolist()]
            values[fresh] = self._table(cases, [feature])[:, 0]
            known[fresh] = True
        return values
