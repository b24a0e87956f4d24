"""Ordered lists of rules found greedily, the best rule of any class first.

A rule covers cases of its class, none of which nothing should be said, and none of another class
that earlier rules leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import numpy as np

from grl.model import Feature, Literal, Rule
from grl.rules.features.decision_list import FEW, Example
from grl.rules.features.vocabulary import NEGATION, Priced
from grl.rules.search.conjunctions import (
    RULE_COST,
    Atoms,
    Bools,
    Found,
    Rows,
    Worth,
    atoms_of,
    pure_rules,
    rank,
    ranked,
    rated,
)
from grl.rules.search.contests import FURTHER_COST, Contest, Contests
from grl.rules.search.refine import Theory
from grl.rules.templates.evaluation import mirror

PAIRED = 3_000
"""Wide rules are looked for among so many of the cheapest features, of which all pairs are counted
at once."""
MOST_GUARDS = 24
"""Parts of rules, the cheapest, behind which contests are sought."""
ENOUGH = 8
"""Of fewer cases some comparison among many is right by chance."""


@dataclass(frozen=True)
class Listed(Theory):
    """Rules in order, with the search that found them."""

    search: Greedy


Joint = tuple[Found, list[Rule]]
"""The rules of a contest, and what they are as one."""


def thrifty(covered: Rows, cost: float) -> float:
    """Rules are worth what they cover for what they cost."""
    return len(covered) / (cost + RULE_COST)


def sweeping(covered: Rows, cost: float) -> float:
    """Rules are worth what they cover."""
    return len(covered) - cost / 100


class Greedy:
    """Cases by what should be said of them, with the rules found among those left, each once.

    `table` holds the features, cases x features.
    """

    def __init__(
        self,
        features: Sequence[Priced],
        table: Bools,
        items: Sequence[Example[Any]],
        *,
        contests: bool = False,
    ) -> None:
        self.features, self.table = tuple(features), table
        self.classes = sorted({item.says for item in items if item.says is not None})
        number = {None: -1} | {value: i for i, value in enumerate(self.classes)}
        self.kind: Rows = np.array([number[item.says] for item in items], dtype=np.intp)
        self._known: dict[tuple[int, bytes, bool], list[Found]] = {}
        self._wide: dict[tuple[int, bytes], list[Found]] = {}
        asked = self.features if contests else ()
        self._contests = Contests(asked, table, self.classes, self.kind)
        self._images: dict[tuple[Literal, ...], float] = {}
        self._joint: dict[tuple[bytes, bool], tuple[list[Joint], list[Joint]]] = {}
        self._shared = False

    def ordered(
        self,
        worth: Worth = thrifty,
        last: int | None = None,
        first: frozenset[int] = frozenset(),
        enough: Callable[[Sequence[Rule]], bool] = lambda _: False,
        *,
        shared: bool = False,
        contest: bool = False,
    ) -> Listed:
        """Rules until all is explained, none can be found, or there are `enough`.

        Those of the class `last`, by number, are sought only when no other rule can be found; those
        of the classes `first` until there are none or none can be found; a `contest`, where
        there is one, before all others. Where that is to be `shared`, rules are also made of what
        several cases have in common.
        """
        self._shared = shared
        left: Bools = self.kind >= 0
        rules: list[Rule] = []
        cost = 0.0
        while left.any() and not enough(rules):
            present = sorted(set(self.kind[left].tolist()))
            leading = [at for at in present if at in first]
            best = self._best(left, leading or [at for at in present if at != last], worth)
            if best is None and last is not None and last in present:
                best = self._best(left, [last], worth)
            if leading:
                known = list(self._mirrored(left, leading))
            else:
                contests, images = self._joined(left, present)
                known = [*contests, *images]
                if contest and contests and not rules:
                    known, best = contests, None
            if leading and best is None and not known:
                first = frozenset()
                continue
            joint = zip(
                rated((each for each, _ in known), worth), (more for _, more in known), strict=True
            )
            found, more = max(joint, key=lambda each: rank(each[0]), default=(None, []))
            if found is not None and (best is None or found.worth > best[0].worth):
                said = {frozenset(rule.body) for rule in rules}
                rules += [rule for rule in more if frozenset(rule.body) not in said]
                cost += found.cost + RULE_COST
                left = left.copy()
                left[found.covered] = False
                continue
            if best is None:
                break
            found, at = best
            support = len(found.covered)
            rules.append(Rule(found.body, self.classes[at], support, provisional=support < FEW))
            cost += found.cost + RULE_COST
            left = left.copy()
            left[found.covered] = False
        return Listed(tuple(rules), int(left.sum()), cost, self)

    def alike(self) -> list[frozenset[int]]:
        """Sets of classes, by number, that say the same of one player or another; none where all
        that is said is of single players."""
        if not self._contests.features or not self.classes:
            return []
        seats = len(self.classes[0])
        found = set()
        for at, value in enumerate(self.classes):
            images = (mirror(Rule((), value, 0), by, seats) for by in range(seats))
            said = {image.value for image in images if image is not None}
            found.add(frozenset(n for n, each in enumerate(self.classes) if each in said) | {at})
        return sorted(found, key=sorted)

    def met(self) -> dict[tuple[Literal, ...], float]:
        """The bodies found so far, for whichever class, with what each costs."""
        lists = chain(self._known.values(), self._wide.values())
        return self._images | {each.body: each.cost for found in lists for each in found}

    def meet(self, left: Bools, at: int) -> None:
        """Look for rules that say a class of some cases, where no others are left.

        Those that cover most are looked for besides the cheapest ones.
        """
        key = at, left.tobytes()
        if left.any() and key not in self._wide:
            self._rules(left, at)
            bad, good = np.flatnonzero(left), np.flatnonzero(self.kind < 0)
            weights = np.ones(len(bad)), np.ones(len(good))
            table, literals, costs = self._atoms(bad, good)
            atoms = Atoms(table[:, :PAIRED], literals[:PAIRED], costs[:PAIRED])
            self._wide[key] = pure_rules(atoms, bad, weights)

    def covered(self, body: Sequence[Literal]) -> Bools:
        """The cases that a body covers."""
        found = np.ones(len(self.table), dtype=np.bool_)
        for feature, holds in body:
            found &= self._columns[self._numbers[feature]] == holds
        return found

    def _best(self, left: Bools, classes: Sequence[int], worth: Worth) -> tuple[Found, int] | None:
        """The best rule for one of some classes, with the class."""
        best: tuple[Found, int] | None = None
        for at in classes:
            found = max(rated(self._rules(left, at), worth), key=rank, default=None)
            if found is not None and (best is None or found.worth > best[0].worth):
                best = found, at
        return best

    def _joined(self, left: Bools, classes: Sequence[int]) -> tuple[list[Joint], list[Joint]]:
        """What explains several classes of what is left at once, whatever it is worth: contests,
        and rules with what they say of other players."""
        key = left.tobytes(), self._shared
        if key not in self._joint:
            contests = [*self._contested(left), *self._widened(left, classes)]
            self._joint[key] = contests, list(self._mirrored(left, classes))
        return self._joint[key]

    def _contested(self, left: Bools) -> Iterator[Joint]:
        """Contests for what is left, each as one rule that covers what its rules do."""
        for contest in self._contests.of(left):
            bad = np.flatnonzero(contest.right)
            good = np.flatnonzero((self.kind < 0) | (left & ~contest.right))
            asked = {self.features[at].feature for at in contest.measure.columns}
            for body, covered, price, _ in pure_rules(self._atoms(bad, good), bad):
                rules = contest.rules(body, covered, self._contests)
                several = sum(rule.support > 0 for rule in rules) > 1 and len(covered) >= FEW
                if several and asked.isdisjoint(literal.feature for literal in body):
                    cost = price + contest.measure.cost + contest.measure.further
                    yield Found(body, covered, cost), rules

    def _widened(self, left: Bools, classes: Sequence[int]) -> Iterator[Joint]:
        """The contests that are right wherever a part of a rule for one of some classes is true."""
        known = chain.from_iterable(self._rules(left, at) for at in classes)
        for contest, guard, rows in self._decided(left, (found.body for found in known)):
            price = sum(self.price(literal) for literal in guard)
            cost = price + contest.measure.cost + contest.measure.further
            rules = contest.rules(guard, rows, self._contests)
            yield Found(guard, rows, cost), rules

    def _decided(
        self, left: Bools, bodies: Iterable[Sequence[Literal]]
    ) -> Iterator[tuple[Contest, tuple[Literal, ...], Rows]]:
        """The cheapest contest for each part of a body that covers several classes, if one is right
        in all of these cases, and none of which nothing should be said."""
        seen: set[bytes] = set()
        guards = dict.fromkeys(chain.from_iterable(map(_parts, bodies)))
        cheap = sorted(guards, key=lambda each: sum(map(self.price, each)))
        for guard in cheap[:MOST_GUARDS]:
            covered = self.covered(guard) & (left | (self.kind < 0))
            key = covered.tobytes()
            said = set() if key in seen else set(self.kind[covered].tolist())
            seen.add(key)
            if len(said) > 1 and -1 not in said and covered.sum() >= ENOUGH:
                rows = np.flatnonzero(covered)
                asked = {self._numbers[literal.feature] for literal in guard}
                contest = self._contests.deciding(rows, asked)
                if contest is not None:
                    yield contest, guard, rows

    def _mirrored(self, left: Bools, classes: Sequence[int]) -> Iterator[Joint]:
        """Rules with what they say of other players, where that explains cases as well and none of
        them is wrong."""
        seats = len(self.classes[0]) if self._contests.features else 0
        values = [*self.classes, None]
        for at in classes if seats > 1 else ():
            for found in self._rules(left, at):
                rules, covered = [], np.zeros(len(left), dtype=np.bool_)
                for by in range(seats):
                    image = mirror(Rule(found.body, self.classes[at], 0), by, seats)
                    if image is None or any(x.feature not in self._numbers for x in image.body):
                        break
                    rows = self.covered(image.body) & (left | (self.kind < 0))
                    if {values[kind] for kind in set(self.kind[rows].tolist())} != {image.value}:
                        break
                    rules.append(replace(image, support=int(rows.sum()), provisional=False))
                    covered |= rows
                else:
                    cost = found.cost + FURTHER_COST * (seats - 1)
                    self._images |= {rule.body: found.cost for rule in rules}
                    several = np.flatnonzero(covered)
                    yield Found(found.body, several, cost), rules

    def price(self, literal: Literal) -> float:
        """What a literal costs."""
        number = self._numbers[literal.feature]
        return self.features[number].cost + (0.0 if literal.holds else NEGATION)

    @cached_property
    def _numbers(self) -> dict[Feature, int]:
        return {each.feature: number for number, each in enumerate(self.features)}

    def _rules(self, left: Bools, at: int) -> list[Found]:
        key = at, left.tobytes(), self._shared
        found = self._known.get(key)
        if found is None:
            bad = np.flatnonzero(left & (self.kind == at))
            good = np.flatnonzero((self.kind < 0) | (left & (self.kind != at)))
            atoms = self._atoms(bad, good)
            found = pure_rules(atoms, bad)
            if self._shared:
                found += pure_rules(atoms, bad, shared=True)
            self._known[key] = found
        return found

    def _atoms(self, bad: Rows, good: Rows) -> Atoms:
        return atoms_of(self.features, self.table[np.concatenate([bad, good])], self._order)

    @cached_property
    def _columns(self) -> Bools:
        """The table with the cases of a feature beside one another."""
        return np.ascontiguousarray(self.table.T)

    @cached_property
    def _order(self) -> list[int]:
        return ranked(self.features)


def _parts(body: Sequence[Literal]) -> Iterator[tuple[Literal, ...]]:
    """What is left of a body without some of its literals."""
    for number in range(1, len(body)):
        yield from combinations(body, number)
