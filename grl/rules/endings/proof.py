"""Whether the endings of a model could be cheaper: its rules held to all rules over their pool.

The pool is made anew from records, as when endings were learned. The search for a cheaper list
begins with the positions that the learner looked at; those that a cheaper list gets wrong join,
until one gets nothing wrong or there is none. A bound for some positions holds for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grl.las.clock import Clock
from grl.model import Feature, Model, Rule
from grl.progress import Progress, silent
from grl.records import Records
from grl.rules.endings.learn import ending_learner, learn_endings
from grl.rules.endings.outcomes import Outcome, examples
from grl.rules.endings.pool import Pool, price
from grl.rules.endings.recorded import outcomes
from grl.rules.features.cases import Setting
from grl.rules.features.decision_list import Examples
from grl.rules.features.vocabulary import Priced
from grl.rules.play.effects import generator_of
from grl.rules.play.referee import presiding
from grl.rules.search.cheaper import Answer, Problem, cheaper
from grl.rules.search.conjunctions import RULE_COST
from grl.rules.search.cover import Option, packed_rows, whole
from grl.rules.search.refine import Attempt, refine
from grl.rules.templates.positions import position_table


@dataclass(frozen=True)
class Proof:
    """What was found out about the endings of a model; costs are whole numbers, `cover.UNIT` a
    unit.

    The rules are held to the `positions` that they get right, `terminal` of them terminal; those
    that they get wrong are left `aside`, and so are the rules that no position speaks for, which
    are `idle`. `cheaper` agrees with all positions too and has the cost `found`. No rules cost less
    than `bound`; `proven` says that the search came to its end.
    """

    positions: int
    terminal: int
    aside: int
    features: int
    rules: int
    idle: int
    cost: int
    bound: int
    proven: bool
    cheaper: tuple[Rule, ...] = ()
    found: int = 0
    unpriced: tuple[Feature, ...] = ()


def prove_endings(
    model: Model, records: Records, *, limit: float | None = None, progress: Progress = silent
) -> Proof | None:
    """Looks for endings over the pool that cost less than those of the model.

    `limit` bounds the search, in seconds, not the making of the pool before it. None where the
    model has no endings, or the records no terminal position.
    """
    if model.rules is None or not model.rules.endings:
        return None
    setting = Setting(model.equipment, model.rules.frames, generator_of(model))
    referee = presiding(setting, model.rules)
    data = outcomes(referee, records.sorted_moments(), records.sorted_ends())
    learner = ending_learner(setting, model, data)
    learned = learn_endings(setting, model, learner, progress)
    if learned.pool is None:
        return None
    search = _Search(model.rules.endings, learned.pool, learned.rules, data)
    return search.run(Clock(limit), progress)


class _Search:
    """A list of rules, the pool, and the positions on which the two are compared."""

    def __init__(
        self, rules: Sequence[Rule], pool: Pool, others: Sequence[Rule], data: Sequence[Outcome]
    ) -> None:
        self.setting = pool.setting
        said = examples(self.setting, data).says(rules)
        self.right = [item for item, what in zip(data, said, strict=True) if what == item.goals]
        self.aside = len(data) - len(self.right)
        self.examples = examples(self.setting, self.right)
        self.rules = _supported(self.examples, rules)
        self.idle = len(rules) - len(self.rules)
        self.prices, self.unpriced = _prices(pool, self.rules)
        self.features = [Priced(feature, cost) for feature, cost in self.prices.items()]
        self.classes = sorted({item.goals for item in self.right if item.goals is not None})
        known = {id(item.case): item for item in self.right}
        self.working = [known[id(case)] for case in pool.cases if id(case) in known]
        self.table = np.zeros((0, len(self.features)), dtype=np.bool_)
        self.bodies = [(rule.body, rule.value) for rule in (*self.rules, *others)]

    def run(self, clock: Clock, progress: Progress) -> Proof:
        """Looks until there is an answer, or the clock runs out."""
        cost = sum(self._cost(rule) for rule in self.rules)
        bound = 0
        answer = Answer(None, bound, False)

        def attempts(working: Sequence[Outcome], _: int) -> list[Attempt[tuple[Rule, ...]]]:
            nonlocal answer, bound
            problem = self._problem(working)
            given = self._given(problem)
            answer = cheaper(problem, cost, given=given, clock=clock, progress=progress)
            bound = max(bound, answer.bound)
            rules = self._rules(answer)
            self.bodies += ((rule.body, rule.value) for rule in rules)
            return [Attempt(rules, 0, last=answer.cheaper is None or not answer.proven)]

        enough = len(self.right) + 1
        rules, wrong = refine(self.working, attempts, self.examples.wrong, enough)
        better = None if wrong else answer.cheaper
        found = cost if better is None else sum(one.cost for one in better)
        return Proof(
            positions=len(self.right),
            terminal=sum(item.goals is not None for item in self.right),
            aside=self.aside,
            features=len(self.features),
            rules=len(self.rules),
            idle=self.idle,
            cost=cost,
            bound=min(bound, found),
            proven=answer.proven,
            cheaper=_supported(self.examples, rules if better else ()),
            found=found,
            unpriced=self.unpriced,
        )

    def _cost(self, rule: Rule) -> int:
        return whole(RULE_COST + sum(price(literal, self.prices) for literal in rule.body))

    def _problem(self, working: Sequence[Outcome]) -> Problem:
        number = {goals: at for at, goals in enumerate(self.classes)}
        kinds = [-1 if item.goals is None else number[item.goals] for item in working]
        fresh = [item.case for item in working[len(self.table) :]]
        more = position_table(self.setting, fresh, list(self.prices))
        self.table = np.vstack([self.table, more])
        return Problem(self.features, self.table, kinds, whole(RULE_COST))

    def _given(self, problem: Problem) -> list[Option]:
        """The bodies known so far that cover no position in which the game went on."""
        place = {each.feature: column for column, each in enumerate(self.features)}
        kinds = np.array(problem.kinds)
        found = []
        for body, value in self.bodies:
            if value in self.classes and all(literal.feature in place for literal in body):
                columns = [place[literal.feature] for literal in body]
                covers = np.all(problem.table[:, columns] == [each.holds for each in body], axis=1)
                if not covers[kinds < 0].any():
                    at, cost = self.classes.index(value), self._cost(Rule(body))
                    found.append(Option(body, at, cost, packed_rows(covers[kinds >= 0])))
        return found

    def _rules(self, answer: Answer) -> tuple[Rule, ...]:
        return tuple(Rule(one.body, self.classes[one.kind]) for one in answer.cheaper or ())


def _prices(pool: Pool, rules: Sequence[Rule]) -> tuple[dict[Feature, float], tuple[Feature, ...]]:
    """What features cost, with those of rules that the pool lacks: these cost the least there is.

    So what is cheaper than such rules is cheaper by any price.
    """
    found = dict(pool.prices)
    named = dict.fromkeys(literal.feature for rule in rules for literal in rule.body)
    unpriced = tuple(feature for feature in named if feature not in found)
    least = min(found.values(), default=0.0)
    return found | dict.fromkeys(unpriced, least), unpriced


def _supported(data: Examples[Outcome], rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that decide some position rightly, with how many each does."""
    return tuple(
        Rule(rule.body, rule.value, rule.support) for rule in data.counted(rules) if rule.support
    )
