"""The definition of a target while it is learned: an anytime answer that grows clause by clause.

Whatever is learned is put here at once, so that an interrupt finds the best so far: the clauses,
what is kept in doubt because it costs much for what it covers, and the searches that were begun.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import dataclass, field

import numpy as np

from grl.iggp.bias import Context
from grl.iggp.clauses import Clause, clauses_of, covered_by, program_lines
from grl.iggp.contexts import contexts_in_order
from grl.iggp.goals import Found, Goal, Solution, covering, total_cost, trimmed
from grl.iggp.guards import Guard
from grl.iggp.sweep import OVERHEAD
from grl.iggp.tables import Bools
from grl.iggp.target import Target
from grl.iggp.terms import Key, Rule
from grl.iggp.text import used_relations
from grl.iggp.world import Relation


@dataclass(frozen=True, eq=False)
class Doubtful:
    """Clauses that cover all positive rows of a part, but may be owed to chance."""

    cost: float
    rows: Bools
    clauses: list[Clause]


@dataclass(eq=False)
class Definition:
    """What is known of a target at any moment.

    `named` are the rows of the relations that were invented for what had been learned, and `guard`
    is a rule that covers all of the target. `first` is what was found for the target as a whole;
    `doubted` says that the clauses may be owed to chance.
    """

    target: Target
    clauses: list[Clause] = field(default_factory=list)
    named: Bools = field(init=False)
    guard: Guard | None = None
    first: Solution | None = None
    doubted: bool = False
    _doubtful: list[Doubtful] = field(default_factory=list)
    _offers: list[Clause] = field(default_factory=list)
    _begun: list[tuple[Goal, Solution]] = field(default_factory=list)
    _contexts: list[Context] | None = None
    _names: int = 0

    def __post_init__(self) -> None:
        self.named = np.zeros(len(self.target.goal.rows), dtype=bool)

    @property
    def cost(self) -> float:
        return sum(clause.cost + OVERHEAD for clause in self.clauses)

    @property
    def complete(self) -> bool:
        return not self.missing().any()

    def covers(self) -> Bools:
        """The rows that the clauses cover."""
        return covered_by(self.target, self.clauses)

    def predicted(self) -> Bools:
        """The same with a row a state and a column a candidate."""
        return self.covers().reshape(self.target.world.labels[self.target.key].shape)

    def missing(self) -> Bools:
        """The positive rows that no clause covers."""
        return self.target.goal.positive & ~self.covers()

    @property
    def sure(self) -> bool:
        """Whether the clauses cover what is positive, nothing else, and not by chance."""
        exact = bool((self.covers() == self.target.goal.positive).all())
        return exact and not self.doubted

    def settled(self, part: Goal) -> bool:
        """Whether nothing of a part is missing."""
        return not self.missing()[part.rows].any()

    def lines(self) -> list[str]:
        """The program of the clauses."""
        return program_lines(self.target, self.clauses)

    def contexts(self) -> list[Context]:
        """The contexts over the relations that there are now."""
        if self._contexts is None:
            self._contexts = list(contexts_in_order(self.target.world, self.target.goal.base))
        return self._contexts

    def add_relation(self, relation: Relation) -> None:
        """Let the bodies of further clauses use an invented relation."""
        self.target.world.add(relation)
        self._contexts = None
        self.guard = self.first = None

    def search_in(self, contexts: list[Context]) -> None:
        """Search in these contexts, until there is a relation more or less."""
        self._contexts = contexts

    def remove_relations(self, keys: Collection[Key]) -> None:
        """Take relations out that no clause speaks of, with all else that speaks of them."""

        def stays(rule: Rule) -> bool:
            return not any(key in keys for key in used_relations(rule))

        self._offers = [offer for offer in self._offers if stays(offer.rule)]
        self._doubtful = [
            option
            for option in self._doubtful
            if all(stays(clause.rule) for clause in option.clauses)
        ]
        self._begun = []
        self.target.world.remove(keys)
        self._contexts = self.guard = self.first = None

    def fresh_name(self, kind: str) -> str:
        """A name for a relation to be invented."""
        self._names += 1
        return f"{self.target.world.prefix}_{kind}_{self.target.key[0]}_{self._names}"

    def begin(self, goal: Goal, solution: Solution) -> None:
        """Remember a solution that is about to grow, if it is one for rows of the target."""
        if bool((goal.positive == self.target.goal.positive[goal.rows]).all()):
            self._begun.append((goal, solution))

    def accept(self, part: Goal, rules: Iterable[Found]) -> None:
        """Take rules that were found for rows of the target."""
        self.clauses += clauses_of(self.target, part, rules)

    def offer(self, part: Goal, guard: Guard) -> None:
        """Remember a rule that is wrong somewhere, in case that nothing better turns up."""
        rows = self.target.rows_of(part, guard.covers)
        self._offers.append(Clause(guard.rule, rows, 0.0))

    def settle(self, part: Goal, clauses: list[Clause], cost: float, *, believed: bool) -> bool:
        """Take clauses that cover a part if they are believed; keep the others in doubt."""
        if believed:
            self.clauses += clauses
        else:
            rows = self.target.rows_of(part, part.positive)
            self._doubtful.append(Doubtful(cost, rows, clauses))
        return believed

    def fall_back(self, goal: Goal, deep: Solution) -> None:
        """Cover what is missing the cheapest way, though it may be owed to chance.

        A part is covered by what is in doubt or, for less, by rules of `deep`, which are those of a
        goal that has all that is missing.
        """
        self.doubted = True
        for option in sorted(self._doubtful, key=lambda option: option.cost):
            left = self.missing() & option.rows
            if not left.any():
                continue
            others = covering(deep.rules, left[goal.rows])
            if (deep.missing & option.rows[goal.rows]).any() or option.cost < total_cost(others):
                self.clauses += option.clauses
        self.accept(goal, covering(deep.rules, self.missing()[goal.rows]))

    def take_offers(self) -> None:
        """Take rules that are wrong somewhere, as far as they raise the balanced accuracy."""
        positive = self.target.goal.positive
        right, wrong = (max(int(rows.sum()), 1) for rows in (positive, ~positive))
        offers = list(self._offers)
        said = self.covers()
        while offers:
            fresh = [offer.covers & ~said for offer in offers]
            gains = [(f & positive).sum() / right - (f & ~positive).sum() / wrong for f in fresh]
            best = int(np.argmax(gains))
            if gains[best] <= 0.0:
                break
            self.clauses.append(offers.pop(best))
            said |= self.clauses[-1].covers

    def forget(self) -> None:
        """Begin anew, but for the relations that bodies may use and what is offered."""
        self.clauses, self.doubted, self._doubtful, self._begun = [], False, [], []

    def best_so_far(self) -> Definition:
        """What there would be if the search ended now; this definition stays as it is."""
        now = copy(self)
        now.clauses = list(self.clauses)
        now.take_what_there_is()
        return now

    def take_what_there_is(self) -> None:
        """After an interrupt: also the rules of searches that were begun, and what is in doubt."""
        for goal, solution in self._begun:
            left = self.missing()[goal.rows]
            rules = trimmed(goal, solution, left).rules
            self.clauses += clauses_of(self.target, goal, rules)
        self.fall_back(self.target.goal, Solution([], self.missing()))
        self.take_offers()
