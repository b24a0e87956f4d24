"""Restrictions: which pseudo-legal turns the rules forbid, learned from where turns are legal.

Rules are found greedily, one at a time. Each forbids turns and covers no legal one; the turns it
covers are dropped, and relations between turns are computed anew over those that are left, so
that the order of the rules becomes their stratification. They are learned from a working set of
positions, to which positions that come out wrong are added until none does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from grl.model import Feature, Rule
from grl.progress import Progress
from grl.rules.cases import Setting, TurnCase
from grl.rules.conjunctions import Bools, Found, Rows, best_rule
from grl.rules.features import compile_position, compile_turn_feature
from grl.rules.referee import Restrictor
from grl.rules.scenes import ILLEGAL, LEGAL, Labelled
from grl.rules.vocabulary import (
    ROUNDS,
    Priced,
    Words,
    contents,
    number_features,
    shape_features,
    turn_features,
)

FIRST_TURNS = 2_000
QUIET_TURNS = 500
ADDED_TURNS = 500
MOST_POSITIONS = 80
ADDED_POSITIONS = 16
REVISIONS = 16
MOST_WRONG = 60
"""Wrong positions are counted up to this many."""
RULE_COST = 2.0
RELATION_COST = 0.8
COMPARED = frozenset({"line"})
"""Features that are no shapes of turns, and of which relations speak all the same."""
FEW = 4
"""A rule that fewer positions speak for is provisional."""
SAMPLE = 400
"""Positions from which numbers are taken."""


@dataclass(frozen=True)
class Theory:
    """Rules, in how many positions of the working set they leave a surplus turn, and their cost."""

    rules: tuple[Rule, ...]
    unexplained: int
    cost: float

    @property
    def rank(self) -> tuple[int, float]:
        """Theories that explain more come first, then cheaper ones."""
        return self.unexplained, self.cost


@dataclass
class TurnVocabulary:
    """The features of turns round by round, with their evaluators."""

    setting: Setting
    words: Words
    levels: list[list[Priced]]
    shapes: int
    _tests: dict[Feature, Callable[..., bool]] = field(default_factory=dict)

    @classmethod
    def of(cls, setting: Setting, words: Words, sample: Sequence[Labelled]) -> TurnVocabulary:
        """The vocabulary of a game, with the numbers that occur in `sample`."""
        levels = [list(turn_features(setting, words, level)) for level in range(ROUNDS)]
        hands = bool(setting.equipment.stocked)
        befores = [item.scene.before for item in sample]
        afters = [item.cases[0].after for item in sample if item.cases]
        for name, cases in (("before", befores), ("after", afters)):
            numbers = number_features(setting, cases, hands=hands)
            levels[1] += [Priced((name, feature), cost + 0.3) for feature, cost in numbers]
        shapes = len(list(shape_features(setting, words)))
        return cls(setting, words, levels, shapes)

    def evaluate(self, cases: Sequence[TurnCase], level: int) -> Bools:
        """The features of a round on the turns of one scene: turns x features."""
        return self.table(cases, self.levels[level])

    def table(self, cases: Sequence[TurnCase], features: Sequence[Priced]) -> Bools:
        """Features on turns of one scene: turns x features."""
        table = np.zeros((len(cases), len(features)), dtype=np.bool_)
        if not cases:
            return table
        for column, (feature, _) in enumerate(features):
            if feature[0] == "before":
                test = self._test(feature, lambda f: compile_position(self.setting, f[1]))
                table[:, column] = test(cases[0].before)
            else:
                test = self._test(feature, lambda f: compile_turn_feature(self.setting, f))
                table[:, column] = [test(case) for case in cases]
        return table

    def relations(self) -> Iterator[Priced]:
        """Relations between turns that columns of shapes don't give."""
        yield Priced(("prefix",), 1.2)
        for what in contents(self.setting):
            if what[0] not in "0n" and what[1] == "*":
                for scope in ("any", "start"):
                    yield Priced(("more", scope, what), 1.8)

    def relation(self, feature: Feature, cases: Sequence[TurnCase]) -> list[bool]:
        """A relation on the surviving turns of a scene."""
        test = self._test(feature, lambda f: compile_turn_feature(self.setting, f))
        return [test(case) for case in cases]

    def _test(
        self, feature: Feature, make: Callable[[Feature], Callable[..., bool]]
    ) -> Callable[..., bool]:
        found = self._tests.get(feature)
        if found is None:
            found = self._tests[feature] = make(feature)
        return found


class _Working:
    """The working set as one table, a row a turn."""

    def __init__(self, vocabulary: TurnVocabulary) -> None:
        self.vocabulary = vocabulary
        self.items: list[Labelled] = []
        self._tables: dict[tuple[int, int], Bools] = {}

    def add(self, items: Sequence[Labelled]) -> None:
        self.items += items

    def theory(self, level: int) -> Theory:
        """Rules found greedily with the features of all rounds up to `level`."""
        vocabulary = self.vocabulary
        features = [f for i in range(level + 1) for f in vocabulary.levels[i]]
        table = np.concatenate(
            [
                np.concatenate([self._table(i, each) for each in range(level + 1)], axis=1)
                for i in range(len(self.items))
            ]
        )
        self._rows()
        alive = np.ones(len(table), dtype=np.bool_)
        rules: list[Rule] = []
        cost = 0.0
        while True:
            bad = np.flatnonzero(alive & (self.labels == ILLEGAL))
            if not len(bad):
                break
            related, among = self._related(features, table, alive)
            found = best_rule(
                [*features, *related],
                np.concatenate([table, among], axis=1),
                bad,
                np.flatnonzero(self.labels == LEGAL),
                self._worth,
            )
            if found is None:
                break
            rules.append(self._rule(found))
            cost += found.cost + RULE_COST
            alive[found.covered] = False
        left = len(np.unique(self.group[alive & (self.labels == ILLEGAL)]))
        return Theory(tuple(rules), left, cost)

    def _rule(self, found: Found) -> Rule:
        support = len(np.unique(self.group[found.covered]))
        return Rule(found.body, support=support, provisional=support < FEW)

    def _worth(self, covered: Rows, cost: float) -> float:
        return len(np.unique(self.group[covered])) / (cost + RULE_COST)

    def _table(self, index: int, level: int) -> Bools:
        found = self._tables.get((index, level))
        if found is None:
            found = self.vocabulary.evaluate(self.items[index].cases, level)
            self._tables[index, level] = found
        return found

    def _rows(self) -> None:
        """What each row is: legal or not, its position, and its scopes."""
        self.labels = np.array([x for item in self.items for x in item.labels], dtype=np.intp)
        self.group = np.array(
            [i for i, item in enumerate(self.items) for _ in item.cases], dtype=np.intp
        )
        starts: dict[object, int] = {}
        firsts: dict[object, int] = {}
        start_of, first_of = [], []
        for i, item in enumerate(self.items):
            for case in item.cases:
                start = (i, case.candidate.starts[0])
                first = (i, case.candidate.turn.segments[0])
                start_of.append(starts.setdefault(start, len(starts)))
                first_of.append(firsts.setdefault(first, len(firsts)))
        self.scopes: dict[str, Rows] = {
            "any": self.group,
            "start": np.array(start_of, dtype=np.intp),
        }
        if self.vocabulary.words.segments > 1:
            self.scopes["first"] = np.array(first_of, dtype=np.intp)

    def _related(
        self, priced: Sequence[Priced], table: Bools, alive: Bools
    ) -> tuple[list[Priced], Bools]:
        """The relations between the turns still alive, and their columns."""
        vocabulary = self.vocabulary
        features: list[Priced] = []
        columns: list[Bools] = []
        for number, (feature, cost) in enumerate(priced):
            if number >= vocabulary.shapes and feature[0] not in COMPARED:
                continue
            column = table[:, number]
            for scope, groups in self.scopes.items():
                for name, rivals in (("rival_has", column), ("rival_lacks", ~column)):
                    rows = groups[rivals & alive]
                    some = np.bincount(rows, minlength=int(groups.max()) + 1) > 0
                    features.append(Priced((name, scope, feature), cost + RELATION_COST))
                    columns.append(some[groups] & ~rivals)
        relations = list(vocabulary.relations())
        among = np.zeros((len(table), len(relations)), dtype=np.bool_)
        at = 0
        for item in self.items:
            here = slice(at, at + len(item.cases))
            at = here.stop
            living = alive[here]
            item.scene.survivors = [c for c, lives in zip(item.cases, living, strict=True) if lives]
            item.scene.memo = {}
            for number, (feature, _) in enumerate(relations):
                among[here, number] = vocabulary.relation(feature, item.cases)
        return [*features, *relations], np.concatenate([np.array(columns).T, among], axis=1)


def learn_restrictions(
    vocabulary: TurnVocabulary, items: Sequence[Labelled], progress: Progress
) -> tuple[tuple[Rule, ...], int]:
    """Rules that forbid what is never legal in `items`, whose legal turns are all known.

    With them comes the number of positions that they don't explain.
    """
    loud = [item for item in items if item.surplus]
    if not loud:
        return (), 0
    quiet = [item for item in items if not item.surplus and item.cases]
    working = _Working(vocabulary)
    working.add(_first(loud, MOST_POSITIONS, FIRST_TURNS))
    working.add(_first(quiet, MOST_POSITIONS // 2, QUIET_TURNS))
    inside = {id(item) for item in working.items}
    best: tuple[tuple[int, float], tuple[Rule, ...]] | None = None
    for revision in range(REVISIONS):
        progress("restrictions", revision, REVISIONS)
        theory = _best_theory(working)
        wrong = _wrong(vocabulary.setting, theory.rules, items, MOST_WRONG)
        rank = (len(wrong), theory.cost)
        if best is None or rank < best[0]:
            best = rank, theory.rules
        fresh = [item for item in wrong if id(item) not in inside]
        if not fresh:
            break
        chosen = _first(fresh, ADDED_POSITIONS, ADDED_TURNS)
        inside.update(map(id, chosen))
        working.add(chosen)
    assert best is not None
    rules = _pruned(vocabulary.setting, best[1], items)
    return rules, len(_wrong(vocabulary.setting, rules, items, len(items)))


def _first(items: Sequence[Labelled], positions: int, turns: int) -> list[Labelled]:
    """The first positions, until there are enough of them or of their turns; at least one."""
    found: list[Labelled] = []
    for item in items[:positions]:
        found.append(item)
        turns -= len(item.cases)
        if turns <= 0:
            break
    return found


def _best_theory(working: _Working) -> Theory:
    """The theory of the first round that explains all by few, well supported rules; or the best."""
    best: Theory | None = None
    for level in range(ROUNDS):
        theory = working.theory(level)
        if best is None or theory.rank < best.rank:
            best = theory
        if best.unexplained == 0 and not any(rule.provisional for rule in best.rules):
            break
    assert best is not None
    return best


def _wrong(
    setting: Setting, rules: Sequence[Rule], items: Sequence[Labelled], most: int
) -> list[Labelled]:
    """The positions in which the rules leave other turns than the legal ones, the first `most`."""
    restrictor = Restrictor(setting, rules)
    return list(islice((item for item in items if not _right(restrictor, item)), most))


def _right(restrictor: Restrictor, item: Labelled) -> bool:
    left = {id(case) for case in restrictor.survivors(item.scene, item.cases)}
    kept = {e for case, e in zip(item.cases, item.effects, strict=True) if id(case) in left}
    wanted = {e for e, each in zip(item.effects, item.labels, strict=True) if each == LEGAL}
    return kept == wanted


def _pruned(
    setting: Setting, rules: tuple[Rule, ...], items: Sequence[Labelled]
) -> tuple[Rule, ...]:
    """The rules without those that the others make needless."""
    loud = [item for item in items if item.surplus]
    missed = len(_wrong(setting, rules, loud, len(loud)))
    for rule in sorted(rules, key=lambda rule: rule.support):
        fewer = tuple(other for other in rules if other is not rule)
        if len(_wrong(setting, fewer, loud, missed + 1)) <= missed:
            rules = fewer
    return rules
