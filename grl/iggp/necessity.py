"""What holds wherever a target is true: a rule for all of it, and as little else as can be.

Each literal that holds on every positive row is necessary; their conjunction covers all of the
target. It is often the whole rule. Where it covers more, what is left to tell apart are near misses
in far fewer rows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from grl.iggp.bias import Context
from grl.iggp.deadline import Late
from grl.iggp.goals import Goal
from grl.iggp.guards import Guard
from grl.iggp.sampling import literal_columns
from grl.iggp.tables import Bools, Ints
from grl.iggp.target import Target
from grl.iggp.terms import Literal, Rule, covered

_POSITIVES = 300
_NEGATIVES = 900
_ROUNDS = 6
_LITERALS = 8
_TRIED = 60
_FIRST = 12
_LEAST = 0.04
"""The share of the sampled wrong rows that a literal must exclude by itself."""
_BITS = 4.0
"""How much evidence a literal needs for each unit of its cost, in bits: that no positive row is
among those that it excludes."""


def necessary(target: Target, goal: Goal, late: Late) -> Guard:
    """A rule that covers all positive rows of a goal, by literals that exclude many others."""
    return _Necessity(target, goal).found(late)


class _Necessity:
    """The literals chosen so far, with the rows of the goal that each leaves."""

    def __init__(self, target: Target, goal: Goal) -> None:
        self.world, self.goal = target.world, goal
        self.random = np.random.default_rng((target.seed, 11))
        self.positives = np.flatnonzero(goal.positive)
        self.chosen: list[tuple[float, Literal, Bools]] = []

    def found(self, late: Late) -> Guard:
        for depth in (1, 2):
            for _ in range(_ROUNDS):
                wrong = np.flatnonzero(self._left() & ~self.goal.positive)
                if not len(wrong) or late() or len(self.chosen) >= _LITERALS:
                    break
                if not self._add(wrong, Context(depth=depth), late):
                    break
        self._drop_idle()
        rule = Rule((), (*self.goal.given, *(literal for _, literal, _ in self.chosen)))
        return Guard(rule, self._left())

    def _left(self, without: int = -1) -> Bools:
        rows = np.ones(len(self.goal.rows), dtype=bool)
        for number, (_, _, holds) in enumerate(self.chosen):
            if number != without:
                rows &= holds
        return rows

    def _some(self, rows: Ints, number: int) -> Ints:
        if len(rows) <= number:
            return rows
        return np.sort(self.random.choice(rows, number, replace=False))

    def _add(self, wrong: Ints, context: Context, late: Late) -> bool:
        """Choose literals that hold on all positive rows and exclude some of the wrong ones."""
        goal = self.goal
        positives, negatives = self._some(self.positives, _POSITIVES), self._some(wrong, _NEGATIVES)
        frame = goal.frame(self.world, np.concatenate([positives, negatives]))
        literals, matrix, costs = literal_columns(self.world, frame, goal.base, context, late)
        always = matrix[: len(positives)].all(axis=0)
        excludes = ~matrix[len(positives) :] & always
        share = np.minimum(excludes.mean(axis=0), 0.99)
        excludes &= -np.log2(1.0 - share) * len(self.positives) >= _BITS * costs
        states = goal.states[self.positives]
        columns = [column[self.positives] for column in goal.columns]
        known: dict[int, bool] = {}

        def holds_everywhere(number: int) -> bool:
            if number not in known:
                rule = Rule((), (literals[number],))
                known[number] = bool(covered(self.world, rule, states, columns).all())
            return known[number]

        # What excludes much for its cost may need help that what excludes most does not need.
        most = np.argsort(-excludes.sum(axis=0), kind="stable")[:_FIRST]
        options: list[tuple[int, float, list[int]]] = []
        for first in (-1, *(int(number) for number in most if excludes[:, number].any())):
            if late():
                break
            if first < 0 or holds_everywhere(first):
                options.append(self._greedily(excludes, costs, first, holds_everywhere))
        if not options:
            return False
        for number in min(options)[2]:
            holds = goal.covered(self.world, Rule((), (literals[number],)))
            self.chosen.append((float(costs[number]), literals[number], holds))
        return bool(min(options)[2])

    def _greedily(
        self,
        excludes: Bools,
        costs: NDArray[np.float64],
        first: int,
        holds_everywhere: Callable[[int], bool],
    ) -> tuple[int, float, list[int]]:
        """How many rows are not excluded, and the cost of the literals, from a first one on."""
        excludes = excludes.copy()
        left = np.ones(len(excludes), dtype=bool)
        found: list[int] = []
        for tried in range(_TRIED):
            gain = excludes[left].sum(axis=0)
            worth = np.where(gain >= _LEAST * len(left), gain / (costs + 1.0), 0.0)
            if not len(worth) or len(self.chosen) + len(found) >= _LITERALS:
                break
            best = first if first >= 0 and not tried else int(np.argmax(worth))
            if worth[best] == 0.0:
                break
            if holds_everywhere(best):
                found.append(best)
                left &= ~excludes[:, best]
            excludes[:, best] = False
        return int(left.sum()), float(sum(costs[number] + 1.0 for number in found)), found

    def _drop_idle(self) -> None:
        """Leave out dear literals that exclude no row by themselves."""
        for number in sorted(range(len(self.chosen)), key=lambda n: -self.chosen[n][0]):
            everything = self._left()
            if (self._left(number) == everything).all():
                cost, literal, _ = self.chosen[number]
                self.chosen[number] = cost, literal, np.ones(len(everything), dtype=bool)
        self.chosen = [item for item in self.chosen if not item[2].all()]


__all__ = ["necessary"]
