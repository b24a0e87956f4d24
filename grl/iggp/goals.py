"""Goals and their solutions: positive and negative rows, and rules that cover the positive ones.

A row is a state and a candidate. A solution grows while contexts are tried; the cheapest cover is
cut out of it at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from grl.iggp.bias import Typed
from grl.iggp.sweep import OVERHEAD
from grl.iggp.tables import Bools, Ints
from grl.iggp.terms import Frame, Literal, Rule, covered
from grl.iggp.world import World


@dataclass(frozen=True, eq=False)
class Goal:
    """Positive and negative rows; `base` types the variables and `given` holds on every row.

    `rows` are the places of the rows among all rows of the target; `surprise` is the least that a
    positive row has, in bits.
    """

    states: Ints
    columns: list[Ints]
    positive: Bools
    base: list[Typed]
    rows: Ints
    given: tuple[Literal, ...] = ()
    surprise: float = 0.0

    def part(self, keep: Bools, positive: Bools, given: tuple[Literal, ...]) -> Goal:
        """Some of the rows with these labels."""
        return Goal(
            self.states[keep],
            [column[keep] for column in self.columns],
            positive[keep],
            self.base,
            self.rows[keep],
            given,
            self.surprise if positive is self.positive else 0.0,
        )

    def within(self, keep: Bools, given: tuple[Literal, ...]) -> Goal:
        """Rows that these literals leave, all positive ones among them.

        Each rule has the literals, so that it is worth as much as it was before.
        """
        part = self.part(keep, self.positive, given)
        return replace(part, surprise=self.bits)

    @property
    def bits(self) -> float:
        """The surprise of a positive row, in bits."""
        number = max(int(self.positive.sum()), 1)
        return max(self.surprise, -float(np.log2(number / (len(self.positive) + 1))))

    def frame(self, world: World, rows: Ints) -> Frame:
        """Some of the rows, to evaluate terms and literals on."""
        return Frame(world, self.states[rows], [column[rows] for column in self.columns])

    def covered(self, world: World, rule: Rule) -> Bools:
        """Which rows the body of a rule covers."""
        return covered(world, rule, self.states, self.columns)

    def pure(self, rows: Bools) -> bool:
        """Whether no negative row is among these."""
        return not (rows & ~self.positive).any()


@dataclass(frozen=True, eq=False)
class Found:
    """A rule that covers no negative row, the rows that it covers, and its cost."""

    rule: Rule
    covers: Bools
    cost: float


@dataclass
class Solution:
    """Rules in the order found, and the positive rows that none of them covers.

    The reserve holds rules that cover little for what they cost; `hard` are negative rows that
    refuted rules.
    """

    rules: list[Found]
    missing: Bools
    reserve: list[Found] = field(default_factory=list)
    hard: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @property
    def complete(self) -> bool:
        return not self.missing.any()

    @property
    def cost(self) -> float:
        return total_cost(self.rules)

    def all_missing(self) -> Bools:
        """The positive rows that no rule covers, the reserve counted in."""
        left = self.missing.copy()
        for found in self.reserve:
            left &= ~found.covers
        return left


def unsolved(goal: Goal) -> Solution:
    """No rules yet."""
    return Solution([], goal.positive.copy())


def total_cost(rules: Iterable[Found]) -> float:
    """What rules cost together, each with its share for being one more."""
    return sum(found.cost + OVERHEAD for found in rules)


def covering(rules: Iterable[Found], rows: Bools) -> list[Found]:
    """The rules that cover any of these rows."""
    return [found for found in rules if (found.covers & rows).any()]


def trimmed(goal: Goal, solution: Solution, wanted: Bools | None = None) -> Solution:
    """The same cover with fewer rules: greedily by worth, then without what others cover."""
    positive = goal.positive if wanted is None else wanted
    rules = [*solution.rules, *solution.reserve]
    if not rules or not positive.any():
        return Solution([], positive.copy())
    covers = np.stack([found.covers[positive] for found in rules])
    costs = np.array([found.cost + OVERHEAD for found in rules])
    fresh = covers.sum(axis=1)
    left = np.ones(covers.shape[1], dtype=bool)
    kept: list[int] = []
    while left.any():
        best = int(np.argmax(fresh / costs))
        if not fresh[best]:
            break
        kept.append(best)
        now = covers[best] & left
        fresh = fresh - covers[:, now].sum(axis=1)
        left &= ~now
    times = covers[kept].sum(axis=0)
    for number in sorted(kept, key=lambda number: -rules[number].cost):
        if (times[covers[number]] > 1).all():
            times = times - covers[number]
            kept.remove(number)
    missing = positive.copy()
    missing[positive] = times == 0
    return Solution([rules[number] for number in kept], missing)
