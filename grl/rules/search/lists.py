"""Ordered lists of rules learned from examples: when a game is over, who moves, where one may pass.

Each use says what its examples are and which features there are of them, in rounds. Rules are
found greedily on a working set, with as few kinds of features as explain all of it; further
features are made where the listed ones don't do; of the bodies that were met the cheapest list is
taken. Examples that it gets wrong join the working set (`grl.rules.search.refine`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Generic, TypeVar

import numpy as np

from grl.logic.ops.shapes import NAMING
from grl.model import Feature, Rule
from grl.progress import Progress, Stopped, late, silent
from grl.rules.features.decision_list import FEW, Example, Examples, first_of
from grl.rules.features.terms import speaks_of
from grl.rules.features.vocabulary import Priced
from grl.rules.search.conjunctions import RULE_COST, Bools, Rows
from grl.rules.search.cover import (
    EFFORT,
    UNIT,
    Option,
    cheapest_list,
    covers_of,
    masks,
    supported,
    whole,
)
from grl.rules.search.deepening import MOST_ROWS
from grl.rules.search.greedy import Greedy, Listed, sweeping, thrifty
from grl.rules.search.refine import Attempt, by_level, refine
from grl.rules.search.reuse import reusing

REVISIONS = 12
FRUITLESS = 4
"""After so many revisions that are no better than one before no further one is made."""
TRIALS = 2
"""After so many revisions none is made for fewer examples than speak for a rule."""
DEEPENINGS = 2
"""So often the examples that are left are looked at for features that are not listed."""
CRUMB = 0.1
"""A rule that explains less than this part of a class may be an accident."""
SPLINTERED, SPLINTER = 3, 0.5
"""A class of more rules than that is explained well by those alone that explain such a part."""
MOST_CRUMBS = 8
"""After more rules that explain little no further one is sought: a feature is missing."""
MOST_ORDERS = 4
"""With more classes than these no order of theirs is tried but the greedy one."""

Item = TypeVar("Item", bound=Example[Any])


@dataclass(frozen=True)
class Use(Generic[Item]):
    """What lists of rules are to say of which examples.

    Learning begins with so many of the `first` that a rule should cover, and of the others. There
    are `levels` of `features`, which may depend on the working set; those `without` are left out.
    `closer` offers further ones for examples that no well supported rule covers, given these and
    the working set; `deeper` makes some, given cases, which of them are to be separated from the
    others, and the columns there are. `contests` may decide by who has more.
    """

    name: str
    first: tuple[int, int]
    levels: int
    features: Callable[[Sequence[Item], int], Iterable[Priced]]
    closer: Callable[[Sequence[Item], Sequence[Item], int], Iterable[Priced]] = lambda *_: ()
    deeper: Callable[[Sequence[Any], Bools, Bools], Iterable[Priced]] = lambda *_: ()
    without: frozenset[Feature] = frozenset()
    contests: bool = False


class ListLearner(Generic[Item]):
    """A list of rules in the making, with the working set and the features of the last round."""

    def __init__(self, use: Use[Item], examples: Examples[Item]) -> None:
        self.use, self.examples = use, examples
        self.prices: dict[Feature, float] = {}
        """What the features of all rounds cost."""
        self._least = 0
        self._deeper: dict[Priced, None] = {}
        self._progress: Progress = silent
        self._begin(examples.among(first_of(examples.items, *use.first)))

    def _begin(self, known: Examples[Item]) -> None:
        """Go on with this working set, without features."""
        self.known = known
        self.features: list[Priced] = []
        self._drafted: Listed | None = None
        self._ends = Counter(item.says for item in known.items)

    def learned(self, progress: Progress) -> tuple[Rule, ...]:
        """The rules that get fewest examples wrong."""

        def attempts(working: Sequence[Item], revision: int) -> list[Attempt[tuple[Rule, ...]]]:
            progress(f"{self.use.name}: rounds", revision + 1, None)
            if working is not self.known.items:
                self._begin(self.examples.among(working))
            found = self._theory()
            self.prices.update(self.features)
            # What few examples speak for may be wrong elsewhere, more often than it is right here.
            firm = tuple(rule for rule in found.rules if not self._weak(rule))
            if len(firm) == len(found.rules):
                return [Attempt(firm, found.cost)]
            strange = revision >= TRIALS and len(wrong(firm)) < FEW
            return [Attempt(firm, found.cost), Attempt(found.rules, found.cost, last=strange)]

        first, wrong, self._progress = self.known.items, self.examples.wrong, progress
        try:
            return refine(first, attempts, wrong, REVISIONS, fruitless=FRUITLESS)[0]
        except Stopped:
            return ()

    def draft(self) -> Listed:
        """What the features of the first round make of the first examples: learning begins so."""
        self._offer(self.use.features(self.known.items, 0))
        self._drafted = self._greedy()
        return self._drafted

    def further_draft(self) -> Listed:
        """What the features of the first two rounds make of them."""
        known = list(self.features)
        for level in range(1 if known else 0, 2):
            self._offer(self.use.features(self.known.items, level))
        found = self._greedy()
        self.features = known
        return found

    def _theory(self) -> Listed:
        """Rules with as few kinds of features as explain all, or those that explain most.

        In the last round features made of terms join, and stay for later revisions.
        """
        use, working = self.use, self.known.items
        for level in range(self._least):
            self._offer(use.features(working, level))

        kept: set[tuple[Rule, ...]] = set()

        def settled(found: Listed) -> Listed:
            """The list, or a cheaper one; of one list none is sought twice before the last."""
            if found.unexplained:
                return found
            best = found if found.rules in kept else self._cheapest(found)
            if best is found:
                kept.add(found.rules)
            return reusing(best)

        def made(level: int) -> Listed:
            self._progress(f"{use.name}: levels", level + 1, use.levels)
            final = level == use.levels - 1
            found, self._drafted = self._drafted, None
            if found is None:
                self._offer(use.features(working, level))
                self._offer(self._deeper if final else ())
                found = self._greedy()
            if self._offer(self._closer(found, level), fresh=True):
                found = self._again(found)
            for _ in range(DEEPENINGS if final else 0):
                more = self._offer(self._deepened(settled(found)), fresh=True)
                if not more or self._late(found.rules):
                    break
                self._deeper.update(dict.fromkeys(more))
                found = self._again(found)
            if not final:
                return settled(found)
            # Where the time is over the orders that were still to be tried are worse.
            best = min(self._ordered(found.search), found, key=lambda each: each.rank)
            return reusing(self._cheapest(best))

        def enough(found: Listed, _: int) -> bool:
            return not any(self._doubtful(rule) or self._fitted(rule) for rule in found.rules)

        best, self._least = by_level(made, range(self._least, use.levels), enough)
        return best

    def _offer(self, offered: Iterable[Priced], *, fresh: bool = False) -> list[Priced]:
        """Let features join that are not to be left out, or those that are not there yet.

        Which these are.
        """
        known = {each.feature for each in self.features if fresh} | self.use.without
        cheapest: dict[Feature, Priced] = {}
        for each in offered:
            same = cheapest.get(each.feature, each)
            if each.feature not in known:
                cheapest[each.feature] = min(same, each, key=lambda it: it.cost)
        self.features += cheapest.values()
        return list(cheapest.values())

    def _closer(self, found: Listed, level: int) -> Iterable[Priced]:
        """Features for the examples that no well supported rule covers, or after the first level
        only one that another feature might do better than.

        Among all of a class they are too few to be looked at.
        """
        firm = [rule for rule in found.rules if not rule.provisional]
        if level:
            firm = [rule for rule in firm if not (self._doubtful(rule) or self._fitted(rule))]
        wrong = self.known.wrong(firm)
        loose = [item for item in wrong if item.says is not None]
        if len(loose) == len(self.known.items) - self._ends[None]:
            return ()
        return self.use.closer(loose, self.known.items, level)

    def _deepened(self, found: Listed) -> list[Priced]:
        """Features that are made for each class of which no rule explains some examples well.

        Where these are few, beside what others of its rules explain, it may be a single rule that
        explains them all; so it may where a rule is doubtful that says the same of another player.
        """
        search, items = found.search, self.known.items
        several = Counter(rule.value for rule in found.rules)
        numbered = {value: number for number, value in enumerate(search.classes)}
        doubted = {numbered.get(rule.value) for rule in found.rules if self._doubtful(rule)}
        alike = (each for each in search.alike() if not doubted.isdisjoint(each))
        doubtful = {search.classes[at] for at in chain.from_iterable(alike)}

        def part(value: Any) -> float:
            return SPLINTER if value in doubtful or several[value] > SPLINTERED else CRUMB

        firm = [each for each in found.rules if each.support >= self._crumb(each, part(each.value))]
        said = self.known.says(firm)
        more: list[Priced] = []
        for number, value in enumerate(search.classes):
            loose = np.array(
                [item.says == value != what for item, what in zip(items, said, strict=True)]
            )
            if loose.any() and several[value] > 1 and (value in doubtful or loose.sum() < FEW):
                loose = search.kind == number
            if loose.sum() >= FEW:
                others = _spread(search.kind != number, MOST_ROWS)
                rows = np.sort(np.concatenate([_spread(loose, MOST_ROWS // 2), others]))
                cases = [items[row].case for row in rows]
                more += self.use.deeper(cases, loose[rows], search.table[rows])
        return more

    def _doubtful(self, rule: Rule) -> bool:
        """Whether another feature might do better: a rule names squares, or covers little of
        much."""
        return any(speaks_of(literal.feature, NAMING) for literal in rule.body) or (
            self._weak(rule) and self._ends[rule.value] >= FEW
        )

    def _fitted(self, rule: Rule) -> bool:
        """Whether its literals may fit its few examples by chance, where fewer might do."""
        return 0 < rule.support < FEW * len(rule.body) and self._ends[rule.value] >= FEW

    def _late(self, rules: Sequence[Rule]) -> bool:
        """Report the rules found, and say whether the time is over."""
        return late(self._progress, f"{self.use.name}: rules found", len(rules), None)

    @staticmethod
    def _weak(rule: Rule) -> bool:
        """Whether few examples speak for a rule; those that are images of others need none."""
        return rule.provisional and rule.support > 0

    def _crumb(self, rule: Rule, part: float = CRUMB) -> float:
        """How many examples of its class a rule has to explain, or it may be an accident."""
        return max(FEW, part * self._ends[rule.value])

    def _greedy(self) -> Listed:
        """Rules for the examples that some should cover, by the features that there are."""
        table = self.known.table([feature for feature, _ in self.features])
        search = Greedy(self.features, table, self.known.items, contests=self.use.contests)
        return self._ordered(search, all_orders=False)

    def _again(self, found: Listed) -> Listed:
        """Rules by the features that have joined as well; those found before where time is over."""
        more = self._greedy()
        return more if more.rules else found

    def _ordered(self, search: Greedy, *, all_orders: bool = True) -> Listed:
        """The best rules of several orders.

        What is left over when all other classes are explained often has the shortest rule, so each
        class is tried as the last one; what goes before all else has one that needn't make way, so
        each is tried as the first one, with what it says of others, and so is a contest; and greed
        may go for cheap rules or for those that cover most. Unless `all_orders` are wanted, no
        class is tried as the last or first one where greed leaves some.
        """

        def enough(rules: Sequence[Rule]) -> bool:
            crumbs = sum(rule.support < self._crumb(rule) for rule in rules)
            return crumbs > MOST_CRUMBS or self._late(rules)

        def ordered(
            last: int | None,
            first: frozenset[int] = frozenset(),
            *,
            shared: bool = False,
            contest: bool = False,
        ) -> list[Listed]:
            return [
                search.ordered(worth, last, first, enough, shared=shared, contest=contest)
                for worth in (thrifty, sweeping)
            ]

        found = ordered(None)
        if self.use.contests:
            found += ordered(None, contest=True)
        more = all_orders or not all(each.unexplained for each in found)
        number = len(search.classes)
        if more and 1 < number <= MOST_ORDERS:
            found += chain.from_iterable(map(ordered, range(number)))
        alike = search.alike() if more else []
        if 1 < len(alike) <= MOST_ORDERS:
            found += chain.from_iterable(ordered(None, each) for each in alike)
            if all_orders:
                found += ordered(None, shared=True)
                found += chain.from_iterable(ordered(None, each, shared=True) for each in alike)
        return min(found, key=lambda each: each.rank)

    def _cheapest(self, greedy: Listed) -> Listed:
        """The cheapest list of the bodies that were met, where it costs less than the greedy one.

        Greed met some; further ones say a class, or what those of its rules leave that explain more
        than a crumb, behind all rules of other classes.
        """
        search = greedy.search
        for at, value in enumerate(search.classes):
            loose = search.kind == at
            search.meet(loose, at)
            for rule in greedy.rules:
                if rule.value == value and rule.support >= self._crumb(rule):
                    loose &= ~search.covered(rule.body)
            search.meet(loose, at)
        rows = np.flatnonzero(search.kind >= 0)
        numbered = enumerate(search.features)
        columns = {feature: search.table[rows, at] for at, (feature, _) in numbered}
        kinds = search.kind[rows].tolist()
        own = masks(kinds)
        wanted = 0
        for rule in (rule for rule in greedy.rules if rule.support):
            wanted |= (
                covers_of(rule.body, columns, len(rows)) & own[search.classes.index(rule.value)]
            )
        options = []
        for body, price in search.met().items():
            covers = covers_of(body, columns, len(rows))
            said = [at for at in own if covers & own[at]]
            options += [Option(body, at, whole(price + RULE_COST), covers) for at in said]
        found = cheapest_list(options, kinds, wanted, whole(greedy.cost), effort=EFFORT)
        if found is None:
            return greedy
        cheaper = []
        for option, support in supported(found, kinds):
            value = search.classes[option.kind]
            cheaper.append(Rule(option.body, value, support, provisional=support < FEW))
        cost = sum(option.cost for option in found) / UNIT
        return replace(greedy, rules=tuple(cheaper), cost=cost)


def _spread(rows: Bools, most: int) -> Rows:
    """Some of the rows that are true, evenly."""
    found = np.flatnonzero(rows)
    return found[:: max(1, -(-len(found) // most))]
