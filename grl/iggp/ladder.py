"""One goal learned by a ladder of contexts: sample, sweep, cover, and check on every row.

A goal is a set of rows (a state and a candidate each) of which some are positive. In each context
bodies that are pure on a small sample are found, the cheapest cover is taken, each rule is checked
on all rows, and the negatives that it covers join the sample.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from grl.iggp.bias import Context, Typed, generators, make_literals, make_terms, opened
from grl.iggp.sweep import OVERHEAD, Body, Sample, sweep
from grl.iggp.terms import (
    Apply,
    Between,
    Const,
    Count,
    Equal,
    Frame,
    Generator,
    Holds,
    Key,
    Literal,
    Rule,
    Term,
    Var,
    covered,
    parts,
    terms_of,
    variables,
)
from grl.iggp.world import Bools, Ints, Positions, World

_T = TypeVar("_T")



@dataclass(frozen=True, slots=True)
class Late:
    """Whether a moment of the monotonic clock has passed; work begun may have some `grace`."""

    moment: float

    def __call__(self, grace: float = 0.0) -> bool:
        return time.monotonic() > self.moment + grace


_POSITIVES = 250
_NEGATIVES = 500
_ROWS = 12_000
_LITERALS = 800
_TRIED = 5000
_ROUNDS = 10
_REFUSED = 25
_WORSE = 24
_GRACE = 1.0
import os
DEBUG = os.environ.get('DEBUG')


@dataclass
class Goal:
    """Rows to be told apart; `base` types the variables and `given` holds on every row.

    `rows` are the places of the rows among all rows of the target.
    """

    states: Ints
    columns: list[Ints]
    positive: Bools
    base: list[Typed]
    rows: Ints
    given: tuple[Literal, ...] = ()

    def part(self, keep: Bools, positive: Bools, given: tuple[Literal, ...]) -> Goal:
        """Some of the rows with labels of their own."""
        columns = [column[keep] for column in self.columns]
        return Goal(
            self.states[keep], columns, positive[keep], self.base, self.rows[keep], given
        )


@dataclass
class Found:
    """A rule that covers no negative row, the rows that it covers, and its cost."""

    rule: Rule
    covers: Bools
    cost: float


@dataclass
class Solution:
    """Rules in the order found, and the positive rows that none of them covers."""

    rules: list[Found] = field(default_factory=list)
    missing: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    reserve: list[Found] = field(default_factory=list)

    def all_missing(self) -> Bools:
        """The positive rows that no rule covers, the reserve counted in."""
        left = self.missing.copy()
        for found in self.reserve:
            left &= ~found.covers
        return left

    @property
    def complete(self) -> bool:
        return not self.missing.any()

    @property
    def cost(self) -> float:
        return sum(found.cost + OVERHEAD for found in self.rules)


_TERMS: dict[type, float] = {Var: 0.0, Apply: 1.0, Count: 2.0, Between: 3.0}

BITS = 1.5
"""How much evidence rules need for each unit of their cost, in bits, to be believed."""

CERTAIN = 4.0
"""How much one rule needs so that what it covers is left out of the search for others."""


def surprise(goal: Goal) -> float:
    """The evidence, in bits, of one positive row in a rule that covers no negative one."""
    total = len(goal.positive)
    return -float(np.log2(max(int(goal.positive.sum()), 1) / (total + 1)))


def rule_cost(world: World, rule: Rule) -> float:
    """Literals, the terms that they need, constants, and generators."""
    terms: set[Term] = set()
    left: list[Term] = []
    cost = 2.0 * len(rule.generators)
    for literal in rule.literals:
        cost += 1.0 if literal.positive else 1.5
        if isinstance(literal, Equal) and literal.positive:
            cost -= 0.5
        left.extend(terms_of(literal))
        if isinstance(literal, Holds):
            cost += 0.25 * len(literal.positions)
    for generator in rule.generators:
        left.extend(generator.arguments)
    while left:
        term = left.pop()
        if term not in terms:
            terms.add(term)
            left.extend(parts(term))
            if isinstance(term, Const):
                cost += world.constant_cost(term.code)
            else:
                cost += _TERMS[type(term)]
    return cost


def climb(
    world: World,
    goal: Goal,
    contexts: Sequence[Context],
    late: Late,
    seed: int,
    solution: Solution | None = None,
) -> Solution:
    """Go up the ladder until all positives are covered, or there are no more rungs, or it is late.

    Rules that cover little for what they cost go into the reserve.
    """
    result = solution or Solution([], goal.positive.copy())
    for number, context in enumerate(contexts):
        if result.complete or (late() and not context.fixed):
            break
        rung = _Rung(world, goal, context, late, np.random.default_rng((seed, number)))
        rung.run(result)
    return result


def trimmed(goal: Goal, solution: Solution, wanted: Bools | None = None) -> Solution:
    """The same cover with fewer rules: greedily by worth, then without what others cover."""
    positive = goal.positive if wanted is None else wanted
    rules = [*solution.rules, *solution.reserve]
    left = positive.copy()
    kept: list[Found] = []
    while left.any() and rules:
        worth = [float((f.covers & left).sum()) / (f.cost + OVERHEAD) for f in rules]
        best = int(np.argmax(worth))
        if worth[best] == 0.0:
            break
        kept.append(rules.pop(best))
        left &= ~kept[-1].covers
    times = np.zeros(len(positive), dtype=np.int64)
    for found in kept:
        times += found.covers
    for found in sorted(kept, key=lambda f: -f.cost):
        if (times[found.covers & positive] > 1).all():
            times -= found.covers
            kept = [other for other in kept if other is not found]
    return Solution(kept, positive & (times == 0))


class _Rung:
    """One context: its sample grows with counterexamples while rules are accepted."""

    def __init__(
        self,
        world: World,
        goal: Goal,
        context: Context,
        late: Late,
        random: np.random.Generator,
    ) -> None:
        self.world, self.goal, self.context = world, goal, context
        self.late, self.random = late, random
        self.negatives = np.flatnonzero(~goal.positive)
        fan = 1.0
        for generator in context.generators:
            relation = world.relations[generator.relation]
            fan *= len(relation.rows) / max(relation.distinct(generator.positions), 1)
        self.bits = surprise(goal)
        self.share = min(1.0, _ROWS / (fan * (_POSITIVES + _NEGATIVES)))

    def run(self, result: Solution) -> None:
        if self.context.fixed:
            self._bare(result)
        chosen: Ints = self._first_negatives(result)
        idle = 0
        stop = time.monotonic() + max(0.2 * (self.late.moment - time.monotonic()), 1.0)
        for _ in range(_ROUNDS):
            if self.late() or result.complete or time.monotonic() > stop:
                return
            t0 = time.monotonic()
            positives = self._some(np.flatnonzero(result.missing), int(_POSITIVES * self.share) + 8)
            sample, literals, own = self._sample(positives, chosen)
            if sample is None or own is None:
                return
            bodies = sweep(sample, self.late)
            accepted, refuted = self._cover(result, sample, literals, bodies, positives[own])
            fresh = np.setdiff1d(refuted, chosen)
            chosen = np.union1d(chosen, fresh)
            idle = 0 if accepted else idle + 1
            if DEBUG: print("      round", accepted, len(fresh), len(positives), sample.positive.shape, sample.negative.shape, len(bodies), f"{time.monotonic()-t0:.2f}", "left", stop-time.monotonic())
            if not accepted and (not len(fresh) or idle > 4):
                return

    def _bare(self, result: Solution) -> None:
        """What the context's own literals cover, where that is already enough."""
        rule = Rule(self.context.generators, (*self.goal.given, *self.context.fixed))
        rows = covered(self.world, rule, self.goal.states, self.goal.columns)
        if not (rows & ~self.goal.positive).any() and (rows & result.missing).any():
            result.rules.append(Found(rule, rows, rule_cost(self.world, rule)))
            result.missing &= ~rows

    def _first_negatives(self, result: Solution) -> Ints:
        number = int(_NEGATIVES * self.share) + 16
        states = np.unique(self.goal.states[result.missing])
        near = self.negatives[np.isin(self.goal.states[self.negatives], states)]
        return np.union1d(self._some(near, number // 2), self._some(self.negatives, number // 2))

    def _some(self, rows: Ints, number: int) -> Ints:
        if len(rows) <= number:
            return rows
        return np.sort(self.random.choice(rows, number, replace=False))

    def _frame(self, rows: Ints) -> tuple[Frame, Ints]:
        goal = self.goal
        frame = Frame(self.world, goal.states[rows], [column[rows] for column in goal.columns])
        origin = np.arange(len(rows))
        for generator in self.context.generators:
            frame, step = frame.expand(generator)
            origin = origin[step]
        for literal in self.context.fixed:
            keep = frame.holds(literal)
            frame, origin = frame.where(keep), origin[keep]
        return frame, origin

    def _sample(
        self, positives: Ints, negatives: Ints
    ) -> tuple[Sample | None, list[Literal], Ints | None]:
        rows = np.concatenate([positives, negatives])
        frame, origin = self._frame(rows)
        base = self.goal.base
        for generator in self.context.generators:
            base = opened(self.world, base, generator)
        terms = make_terms(self.world, base, self.context)
        terms = _distinct_terms(frame, terms, len(base))
        literals, matrix, costs = _literals(self.world, frame, terms, self.context, origin < len(positives))
        if not literals:
            return None, [], None
        mine = origin < len(positives)
        own, places = np.unique(origin[mine], return_inverse=True)
        if not len(own):
            return None, [], None
        order = np.argsort(places, kind="stable")
        sample = Sample(matrix[mine][order], matrix[~mine], places[order], costs)
        return sample, literals, own

    def _cover(
        self,
        result: Solution,
        sample: Sample,
        literals: list[Literal],
        bodies: list[Body],
        examples: Ints,
    ) -> tuple[int, Ints]:
        """Accept rules that stand on all rows; also the negatives that refuted the others."""
        covers = sample.covers(bodies)
        costs = np.array([sample.costs[list(body)].sum() for body in bodies]) + OVERHEAD
        left = result.missing[examples].copy()
        alive = np.ones(len(bodies), dtype=bool)
        refuted: list[Ints] = []
        accepted = tried = 0
        while left.any() and alive.any() and tried < _REFUSED and not self.late(_GRACE):
            worth = np.where(alive, (covers & left).sum(1) / costs, 0.0)
            best = int(np.argmax(worth))
            if worth[best] == 0.0:
                break
            alive[best] = False
            tried += 1
            rule = Rule(
                self.context.generators,
                (
                    *self.goal.given,
                    *self.context.fixed,
                    *(literals[i] for i in bodies[best]),
                ),
            )
            rows = covered(self.world, rule, self.goal.states, self.goal.columns)
            wrong = np.flatnonzero(rows & ~self.goal.positive)
            if len(wrong):
                refuted.append(self._some(wrong, _WORSE))
                continue
            rule, rows = self._general(rule, rows)
            cost = rule_cost(self.world, rule)
            left &= ~rows[examples]
            if not self._worth(int((rows & self.goal.positive).sum()), cost):
                result.reserve.append(Found(rule, rows, cost))
                continue
            result.rules.append(Found(rule, rows, cost))
            result.missing &= ~rows
            accepted += 1
        return accepted, np.concatenate([*refuted, np.empty(0, dtype=np.int64)]).astype(np.int64)

    def _worth(self, number: int, cost: float) -> bool:
        return number * self.bits >= CERTAIN * cost

    def _general(self, rule: Rule, rows: Bools) -> tuple[Rule, Bools]:
        """Leave out literals that no negative row needs."""
        for literal in sorted(rule.literals, key=self._complexity, reverse=True):
            if literal in self.goal.given or self.late(_GRACE):
                continue
            fewer = Rule(rule.generators, tuple(x for x in rule.literals if x != literal))
            now = covered(self.world, fewer, self.goal.states, self.goal.columns)
            if not (now & ~self.goal.positive).any():
                rule, rows = fewer, now
        return rule, rows

    def _complexity(self, literal: Literal) -> float:
        return rule_cost(self.world, Rule((), (literal,)))


def _distinct_terms(frame: Frame, terms: Sequence[Typed], variables_: int) -> list[Typed]:
    """Terms with values of their own on the sample, the cheapest of equals."""
    seen: set[bytes] = set()
    result = []
    for typed in terms:
        values = frame.value(typed.term)
        mark = values.tobytes()
        if mark in seen or not (values >= 0).any():
            continue
        seen.add(mark)
        result.append(typed)
    del variables_
    return result


def _literals(
    world: World, frame: Frame, terms: Sequence[Typed], context: Context, mine: Bools
) -> tuple[list[Literal], Bools, np.ndarray]:
    """Literals and their negations that differ on the sample, cheap ones first."""
    del mine
    kept: list[tuple[float, int, Literal, Bools]] = []
    seen: set[bytes] = set()
    proposals = sorted(
        enumerate(make_literals(world, terms, context)), key=lambda pair: (pair[1][1], pair[0])
    )
    for number, (literal, cost) in proposals[:_TRIED]:
        for signed, price in ((literal, cost), (negated(literal), cost + 0.5)):
            if context.chains and context.generators and not signed.positive and cost > 3.0:
                continue
            truth = frame.holds(signed)
            count = int(truth.sum())
            if count in (0, len(truth)):
                continue
            mark = np.packbits(truth).tobytes()
            if mark in seen:
                continue
            seen.add(mark)
            kept.append((price, number, signed, truth))
    kept.sort(key=lambda item: (item[0], item[1]))
    kept = kept[: _LITERALS if context.generators else 2 * _LITERALS]
    if not kept:
        return [], np.zeros((len(frame.states), 0), dtype=bool), np.zeros(0)
    return (
        [literal for _, _, literal, _ in kept],
        np.stack([truth for *_, truth in kept], axis=1),
        np.array([price for price, *_ in kept]),
    )


def literal_matrix(
    world: World, goal: Goal, context: Context, rows: Ints
) -> tuple[list[Literal], Bools, np.ndarray]:
    """Literals of a context without generators, and their truth on some rows of a goal."""
    frame = Frame(world, goal.states[rows], [column[rows] for column in goal.columns])
    terms = _distinct_terms(frame, make_terms(world, goal.base, context), len(goal.base))
    return _literals(world, frame, terms, context, np.ones(0, dtype=bool))


def negated(literal: Literal) -> Literal:
    """The literal with the other sign."""
    if isinstance(literal, Equal):
        return Equal(literal.left, literal.right, not literal.positive)
    return Holds(literal.relation, literal.positions, literal.arguments, not literal.positive)


def ladder(world: World, base: Sequence[Typed]) -> Iterator[Context]:
    """The contexts of a goal: lifted before ground, few rows before many."""
    single = _varied(generators(world, base), lambda pair: _kind(pair[1]), 3)[:14]
    yield Context("plain", depth=1)
    yield Context("deep", depth=2)
    rich = [
        generator
        for _, generator in single
        if world.relations[generator.relation].dynamic
        and generator.relation[1] - len(generator.positions) >= 2
        and not any(isinstance(argument, Const) for argument in generator.arguments)
    ]
    rich.sort(key=lambda generator: len(generator.positions))
    yield Context("chains", level=1, chains=True)
    for generator in rich[:3]:
        yield Context("chains from a generator", (generator,), depth=0, level=1, chains=True)
    yield Context("counts", level=1, counts=True)
    for _, generator in single[:8]:
        yield Context("one generator", (generator,), level=1)
    yield Context("ground", level=1, ground=True)
    for _, generator in single[:4]:
        yield Context("one generator, deep", (generator,), depth=2, level=2)
    for _, generator in single[:4]:
        yield Context("one generator, counts", (generator,), level=2, counts=True)
    pairs: list[tuple[float, Generator, Generator]] = []
    general = [pair for pair in generators(world, base) if _open(pair[1])]
    for fan, first in _varied(general, lambda pair: _kind(pair[1]), 2)[:6]:
        inner = opened(world, base, first)
        further = [pair for pair in generators(world, inner) if _open(pair[1])]
        for other, second in _varied(further, lambda pair: _kind(pair[1]), 2)[:10]:
            if any(world.relations[g.relation].dynamic for g in (first, second)):
                # Facts that share nothing with what came before leave all to the literals.
                free = not second.positions or not second.arguments
                pairs.append((fan * other * (0.3 if free else 1.0), first, second))
    pairs.sort(key=lambda item: item[0])
    pairs = _varied(pairs, lambda pair: (_kind(pair[1]), _kind(pair[2])), 1)
    for _, first, second in pairs[:14]:
        yield Context("two generators", (first, second), level=3)
    for _, first, second in [
        pair for pair in pairs if all(world.relations[g.relation].dynamic for g in pair[1:])
    ][:3]:
        yield Context("two generators, counts", (first, second), level=3, counts=True)


def _open(generator: Generator) -> bool:
    """Whether it names no constant, so that literals can say which one matters."""
    return not any(isinstance(argument, Const) for argument in generator.arguments)


def _kind(generator: Generator) -> tuple[Key, Positions]:
    return generator.relation, generator.positions


def _varied(items: list[_T], kind: Callable[[_T], object], most: int) -> list[_T]:
    """The items in their order, but no more than `most` of a kind."""
    times: dict[object, int] = {}
    kept = []
    for item in items:
        times[kind(item)] = times.get(kind(item), 0) + 1
        if times[kind(item)] <= most:
            kept.append(item)
    return kept


__all__ = ["Found", "Goal", "Solution", "climb", "ladder", "rule_cost", "trimmed", "variables"]
