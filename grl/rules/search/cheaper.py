"""Whether rules over a pool of features can cost less: a search that proves it, or says how far.

What has to be explained gets prices under which no body covers more than it costs, as in
`grl.las.coverage`: bodies that cover more join until there is none, and then the prices add up to
a bound that no list of rules undercuts. Bodies that don't exceed their prices by more than the gap
between that bound and the cost to be beaten are all that a cheaper list can be made of. They are
found as hitting sets: a body that covers a seed spares a position when it holds a literal that is
true of the seed and false of the position. The cheapest list of them is `grl.rules.search.cover`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.las.clock import Clock, OutOfTime
from grl.las.cover import members
from grl.las.prices import prices
from grl.model import Literal
from grl.progress import Progress, silent
from grl.rules.features.vocabulary import Priced
from grl.rules.search.conjunctions import atoms_of
from grl.rules.search.cover import Option, cheapest_list, masks, packed_rows, whole
from grl.rules.search.hitting_sets import minimal_sets

LONGEST = 5
"""Literals of a body at the most, as when rules are learned."""
AT_ONCE = 40
"""How many bodies join before prices are worked out again."""
SLACK = 0.5
"""Less than a unit of cost is none."""
LOOK = 200
"""Nodes of the search between two looks at the clock."""


class Problem(NamedTuple):
    """A table, positions x features, with a class for each position, -1 where the game went on.

    A rule costs `rule`, as a whole number, beside its literals.
    """

    features: Sequence[Priced]
    table: NDArray[np.bool_]
    kinds: Sequence[int]
    rule: int


@dataclass(frozen=True)
class Answer:
    """The cheapest list that costs less than asked, or None; no list costs less than `bound`.

    `proven` says that the search came to its end.
    """

    cheaper: tuple[Option, ...] | None
    bound: int
    proven: bool


class _Search:
    """The state of one search."""

    def __init__(self, problem: Problem, clock: Clock, progress: Progress) -> None:
        self.problem, self.clock, self.progress = problem, clock, progress
        self.ends = [row for row, kind in enumerate(problem.kinds) if kind >= 0]
        self.kinds = [problem.kinds[row] for row in self.ends]
        self.own = masks(self.kinds)
        self.everything = (1 << len(self.ends)) - 1
        self._options: dict[tuple[int, int], Option] = {}
        self._nodes = 0
        atoms = atoms_of(problem.features, problem.table)
        self._literals: list[Literal] = []
        self._costs: list[int] = []
        columns = []
        for at, (literals, costs) in enumerate(zip(atoms.literals, atoms.costs, strict=True)):
            for value in (0, 1):
                self._literals.append(literals[value])
                self._costs.append(whole(costs[value]))
                columns.append(atoms.table[:, at] == bool(value))
        whole_table = (
            np.stack(columns, axis=1) if columns else np.zeros((len(problem.kinds), 0), np.bool_)
        )
        going = [row for row, kind in enumerate(problem.kinds) if kind < 0]
        self._covers = [packed_rows(column) for column in whole_table[self.ends].T]
        self._true = [packed_rows(row) for row in whole_table[self.ends]]
        self._spares = sorted({packed_rows(~row) for row in whole_table[going]})
        self._least = min(self._costs, default=0)
        self._minimal: dict[int, list[int]] = {}
        # A class has at least a rule, with a literal where there is anything to spare.
        self.bound = len(self.own) * (problem.rule + (self._least if going else 0))

    def run(self, below: int, given: Sequence[Option] = ()) -> Answer:
        """Looks for a list that explains all ends and costs less than `below`.

        The options `given` are tried first; they have bits by the ends of the table.
        """
        for one in given:
            self._keep(one)
        try:
            self.clock.check()
            worth = {kind: self._priced(kind) for kind in self.own}
            self.bound = max(self.bound, int(np.ceil(sum(map(sum, worth.values())) - SLACK)))
            if self.bound >= below:
                return Answer(None, below, True)
            found = self._best(below)
            if found is not None:
                below = sum(one.cost for one in found)
            if self.bound < below:
                self._close(worth, below - self.bound)
                found = self._best(below) or found
        except OutOfTime:
            early = self._best(below, hurried=True)
            return Answer(early, self.bound, False)
        cost = below if found is None else sum(one.cost for one in found)
        return Answer(found, cost, True)

    def _best(self, below: int, *, hurried: bool = False) -> tuple[Option, ...] | None:
        """The cheapest list of the options known."""
        options, wanted = list(self._options.values()), self.everything
        if hurried:
            return cheapest_list(options, self.kinds, wanted, below, effort=1_000)
        return cheapest_list(options, self.kinds, wanted, below, clock=self.clock)

    def _keep(self, one: Option) -> bool:
        known = self._options.get((one.kind, one.covers))
        if known is not None and (known.cost, len(known.body)) <= (one.cost, len(one.body)):
            return False
        self._options[one.kind, one.covers] = one
        return True

    def _priced(self, kind: int) -> list[float]:
        """Adds bodies until none covers more than it costs; the prices of the ends of a class."""
        while True:
            worth = self._prices(kind)
            self.progress("rules generated", len(self._options), None)
            added = 0
            for seed in _seeds(worth):
                for one in self._bodies(kind, seed, worth, -SLACK):
                    added += self._keep(one)
                    if added >= AT_ONCE:
                        break
                if added:
                    break
            if not added:
                return worth

    def _prices(self, kind: int) -> list[float]:
        """Prices under which the options known cover no more than they cost."""
        options = [one for one in self._options.values() if one.kind == kind]
        ends = members(self.own[kind])
        alike: dict[int, int] = {}
        for end in ends:
            by = sum(1 << number for number, one in enumerate(options) if one.covers >> end & 1)
            alike.setdefault(by, end)
        places = list(alike.values())
        columns = [
            (sum(1 << at for at, end in enumerate(places) if one.covers >> end & 1), one.cost)
            for one in options
        ]
        expensive = self.problem.rule * 100
        columns += [(1 << at, expensive) for at in range(len(places))]
        found = prices([(bits, float(cost)) for bits, cost in columns if bits], len(places))
        worth = [0.0] * len(self.ends)
        for at, end in enumerate(places):
            worth[end] = float(found[at])
        return worth

    def _close(self, worth: dict[int, list[float]], gap: int) -> None:
        """Adds every body that can be in a list which costs less than the bound and the gap."""
        for kind in self.own:
            small = gap <= self.problem.rule + self._least
            seeds = _seeds(worth[kind]) if small else members(self.own[kind])
            for seed in seeds:
                for one in self._bodies(kind, seed, worth[kind], gap - SLACK):
                    self._keep(one)
                self.progress("rules generated", len(self._options), None)

    def _bodies(self, kind: int, seed: int, worth: Sequence[float], gap: float) -> Iterator[Option]:
        """The bodies that cover a seed and no position going on, and cost less than the gap more
        than the prices of what they cover."""
        true = self._true[seed]
        if seed not in self._minimal:
            self._minimal[seed] = minimal_sets([spares & true for spares in self._spares])
        if 0 in self._minimal[seed]:
            return
        least = min((self._costs[at] for at in members(true)), default=0)
        priced = [(1 << end, one) for end, one in enumerate(worth) if one > 0]
        own = self.own[kind]
        stack: list[tuple[list[int], int, int, int, int, int]] = [
            (self._minimal[seed], 0, self.problem.rule, 0, 0, self.everything)
        ]
        while stack:
            self._nodes += 1
            if self._nodes % LOOK == 0:
                self.clock.check()
            remaining, chosen, cost, size, banned, covers = stack.pop()
            left = cost - sum(one for bit, one in priced if covers & bit)
            if left + (least if remaining else 0) >= gap:
                continue
            if not remaining:
                body = tuple(self._literals[at] for at in members(chosen))
                yield Option(body, kind, cost, covers)
            if size == LONGEST or left + least >= gap:
                continue
            if remaining:
                further = remaining[0] & ~banned
                if size == LONGEST - 1 or left + 2 * least >= gap:
                    for other in remaining:
                        further &= other
                        if not further:
                            break
            else:
                wrong = covers & ~own
                further = true & ~banned & ~chosen if wrong else 0
            for at in members(further):
                bit = 1 << at
                narrower = covers & self._covers[at]
                if not remaining and not wrong & ~narrower:
                    continue
                stack.append(
                    (
                        [other for other in remaining if not other & bit],
                        chosen | bit,
                        cost + self._costs[at],
                        size + 1,
                        banned,
                        narrower,
                    )
                )
                banned |= bit


def cheaper(
    problem: Problem,
    below: int,
    *,
    given: Sequence[Option] = (),
    clock: Clock | None = None,
    progress: Progress = silent,
) -> Answer:
    """The cheapest list of rules that explains the ends of a table, if it costs less than `below`.

    It says nothing of the positions in which the game went on, and bodies have `LONGEST` literals
    at most.
    """
    return _Search(problem, clock or Clock(), progress).run(below, given)


def _seeds(worth: Sequence[float]) -> list[int]:
    """The ends that have a price, the highest first."""
    return sorted((end for end, one in enumerate(worth) if one > 0), key=lambda e: (-worth[e], e))
