"""The search in one context: sample, sweep, cover, and check on every row.

In a context bodies that are pure on a small sample are found, the cheapest cover is taken, each
rule is checked on all rows, and the negatives that it covers join the sample: induction guided by
counterexamples.
"""

from __future__ import annotations

import time

import numpy as np

from grl.iggp.bias import Context, opened
from grl.iggp.deadline import Late, until
from grl.iggp.evidence import certain, rule_cost
from grl.iggp.goals import Found, Goal, Solution
from grl.iggp.merging import body_of, grown, unions
from grl.iggp.sampling import literal_columns
from grl.iggp.sweep import OVERHEAD, Body, Sample, sweep
from grl.iggp.tables import Bools, Ints
from grl.iggp.terms import Frame, Literal, Rule, variables
from grl.iggp.world import World

_POSITIVES = 250
_NEGATIVES = 500
_ROWS = 12_000
_FEW_ROWS = 4_000
_ROUNDS = 24
_REFUSED = 25
_IDLE = 5
_HARD = 100
_PATIENT = 3.0
_WORSE = 24
_MERGES = 4
_PLAIN = 2
_GRACE = 1.0


def search_context(
    world: World,
    goal: Goal,
    context: Context,
    late: Late,
    seed: int,
    solution: Solution,
    *,
    thorough: bool = True,
) -> None:
    """Add to a solution what rules of one context cover.

    Rules that cover little for what they cost go into the reserve. A search that is not `thorough`
    counts fewer literals and gives up soon, but seeks rules for all positive rows, and not only for
    those that are missing: what covers some dearly must not hide what covers all for less. Nothing
    is done where it is late, unless the context has literals of its own.
    """
    if late() and not context.fixed:
        return
    random = np.random.default_rng((seed, 0))
    _ContextSearch(world, goal, context, late, random, thorough).run(solution)


class _ContextSearch:
    """One context: its sample grows with counterexamples while rules are accepted."""

    def __init__(
        self,
        world: World,
        goal: Goal,
        context: Context,
        late: Late,
        random: np.random.Generator,
        thorough: bool,
    ) -> None:
        self.world, self.goal, self.context = world, goal, context
        self.late, self.random, self.thorough = late, random, thorough
        self.slow = late
        self.left = goal.positive
        self.negatives = np.flatnonzero(~goal.positive)
        # A line is made of three literals that tell little by themselves.
        self.every = thorough or (context.chains and bool(context.generators))
        fan = 1.0
        for generator in context.generators:
            relation = world.relations[generator.relation]
            fan *= len(relation.rows) / max(relation.distinct(generator.positions), 1)
        rows = _ROWS if self.every else _FEW_ROWS
        self.share = min(1.0, rows / (fan * (_POSITIVES + _NEGATIVES)))

    def run(self, result: Solution) -> None:
        # The rows that this context has not covered yet.
        self.left = result.missing.copy() if self.thorough else self.goal.positive.copy()
        if self.context.fixed:
            self._bare(result)
        chosen: Ints = self._first_negatives(result)
        idle = 0
        span = until(self.late.moment)
        share, least = (0.2, 1.0) if self.every else (0.1, 0.5)
        stop = span.begin + max(share * (span.end - span.begin), least)
        # One context must not take all the time, however many literals it has.
        self.slow = Late(min(span.end, span.begin + max(0.4 * (span.end - span.begin), 1.5)))
        patient = span.begin + _PATIENT * (stop - span.begin)
        accepted = 0
        for _ in range(_ROUNDS):
            if self.late() or not self.left.any():
                return
            # A context that gets further gets more time.
            if time.monotonic() > (patient if accepted else stop):
                return
            positives = self._some(np.flatnonzero(self.left), int(_POSITIVES * self.share) + 8)
            sampled = self._sample(positives, chosen)
            if sampled is None:
                return
            sample, literals, own = sampled
            bodies = sweep(sample, self.slow, thorough=self.every)
            accepted, refuted = self._cover(result, sample, literals, bodies, positives[own])
            fresh = np.setdiff1d(refuted, chosen)
            chosen = np.union1d(chosen, fresh)
            result.hard = np.union1d(result.hard, self._some(fresh, _HARD))
            idle = 0 if accepted else idle + 1
            if not accepted and (not len(fresh) or idle > (_IDLE if self.every else 1)):
                return

    def _bare(self, result: Solution) -> None:
        """What the context's own literals cover, where that is already enough."""
        rule = Rule(self.context.generators, (*self.goal.given, *self.context.fixed))
        rows = self.goal.covered(self.world, rule)
        if self.goal.pure(rows) and (rows & self.left).any():
            result.rules.append(Found(rule, rows, rule_cost(self.world, rule)))
            result.missing &= ~rows
            self.left &= ~rows

    def _first_negatives(self, result: Solution) -> Ints:
        number = int(_NEGATIVES * self.share) + 16
        states = np.unique(self.goal.states[self.left])
        same = self.negatives[np.isin(self.goal.states[self.negatives], states)]
        near = self._near_misses(np.flatnonzero(self.left))
        chosen = [(near, number // 2), (same, number // 4), (self.negatives, number // 4)]
        if not len(near):
            chosen[1:] = [(same, number // 2), (self.negatives, number // 2)]
        # What refuted rules of other contexts is worth more than what is drawn by chance.
        some = [self._some(rows, n) for rows, n in (*chosen, (result.hard, number // 2))]
        return np.unique(np.concatenate(some))

    def _near_misses(self, positives: Ints) -> Ints:
        """Negatives that differ from a positive of the same state in one argument."""
        goal = self.goal
        if len(goal.columns) < 2:
            return np.empty(0, dtype=np.int64)
        found = [np.empty(0, dtype=np.int64)]
        table = np.stack(goal.columns, axis=1)
        for row in self._some(positives, 120):
            begin, end = np.searchsorted(goal.states, [goal.states[row], goal.states[row] + 1])
            there = slice(int(begin), int(end))
            agree = (table[there] == table[row]).sum(axis=1)
            rows = begin + np.flatnonzero((agree == len(goal.columns) - 1) & ~goal.positive[there])
            found.append(self._some(rows, 5))
        return np.unique(np.concatenate(found))

    def _some(self, rows: Ints, number: int) -> Ints:
        if len(rows) <= number:
            return rows
        return np.sort(self.random.choice(rows, number, replace=False))

    def _frame(self, rows: Ints) -> tuple[Frame, Ints]:
        frame = self.goal.frame(self.world, rows)
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
    ) -> tuple[Sample, list[Literal], Ints] | None:
        """Literals on the rows that the context makes of these; and which positives are left."""
        rows = np.concatenate([positives, negatives])
        frame, origin = self._frame(rows)
        base = self.goal.base
        for generator in self.context.generators:
            base = opened(self.world, base, generator)
        literals, matrix, costs = literal_columns(
            self.world, frame, base, self.context, self.slow, thorough=self.thorough
        )
        if not literals:
            return None
        mine = origin < len(positives)
        own, places = np.unique(origin[mine], return_inverse=True)
        if not len(own):
            return None
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
        if not bodies:
            return 0, np.empty(0, dtype=np.int64)
        table = sample.as_table(bodies)
        covers = sample.covers(table)
        costs = np.append(sample.costs, 0.0)[table].sum(axis=1) + OVERHEAD
        left = self.left[examples].copy()
        fresh = np.count_nonzero(covers[:, left], axis=1)
        alive = np.ones(len(bodies), dtype=bool)
        refuted: list[Ints] = []
        parts: list[Bools] = []
        accepted = tried = 0
        while left.any() and alive.any() and tried < _REFUSED and not self.late(_GRACE):
            worth = np.where(alive, fresh / costs, 0.0)
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
            rows = self.goal.covered(self.world, rule)
            wrong = np.flatnonzero(rows & ~self.goal.positive)
            if len(wrong):
                refuted.append(self._some(wrong, _WORSE))
                continue
            rule, rows = self._general(rule, rows)
            found = Found(rule, rows, rule_cost(self.world, rule))
            parts.append(rows[examples])
            now = left & rows[examples]
            fresh -= np.count_nonzero(covers[:, now], axis=1)
            left &= ~now
            if not certain(self.goal, found):
                result.reserve.append(found)
                continue
            result.rules.append(found)
            result.missing &= ~rows
            self.left &= ~rows
            accepted += 1
        if not self.context.generators:
            self._merge(result, sample, literals, parts)
        return accepted, np.concatenate([*refuted, np.empty(0, dtype=np.int64)]).astype(np.int64)

    def _merge(
        self, result: Solution, sample: Sample, literals: list[Literal], parts: list[Bools]
    ) -> None:
        """Put rules for what several rules cover into the reserve."""
        positive, negative = sample.positive, sample.negative
        together = list(unions(positive, negative, parts))
        if len(parts) > _PLAIN or not (parts and np.any(parts, axis=0).all()):
            together += grown(positive, negative, parts, self.random)
        for union in together:
            for _ in range(_MERGES):
                body = None if self.late() else body_of(positive, negative, sample.costs, union)
                if body is None:
                    break
                chosen = (*self.context.fixed, *(literals[i] for i in body))
                rule = Rule((), (*self.goal.given, *chosen))
                rows = self.goal.covered(self.world, rule)
                wrong = self._some(np.flatnonzero(rows & ~self.goal.positive), _WORSE)
                if not len(wrong):
                    rule, rows = self._general(rule, rows)
                    result.reserve.append(Found(rule, rows, rule_cost(self.world, rule)))
                    break
                both = self.goal.frame(self.world, wrong).truths(literals)
                signs = np.array([literal.positive for literal in literals])
                negative = np.concatenate([negative, np.where(signs[:, None], *both).T])

    def _general(self, rule: Rule, rows: Bools) -> tuple[Rule, Bools]:
        """Leave out literals that no negative row needs."""
        for literal in sorted(rule.literals, key=self._complexity, reverse=True):
            if literal in self.goal.given or self.late(_GRACE):
                continue
            fewer = Rule(rule.generators, tuple(x for x in rule.literals if x != literal))
            now = self.goal.covered(self.world, fewer)
            if self.goal.pure(now):
                rule, rows = fewer, now
        head = len(self.goal.columns)
        if rule.generators and all(max(variables(x), default=-1) < head for x in rule.literals):
            bare = Rule((), rule.literals)
            now = self.goal.covered(self.world, bare)
            if self.goal.pure(now):
                rule, rows = bare, now
        return rule, rows

    def _complexity(self, literal: Literal) -> float:
        return rule_cost(self.world, Rule((), (literal,)))
