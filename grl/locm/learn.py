"""From plans to a planning domain: machines first, then what machines can't say.

Machines of LOCM2 are learned for the plan as a whole and for every sort. Then actions are made
up: what a plan did at some point with other objects of the same sorts in it. Features, what they
say of constants, and static relations that refuse many of those which the machines would accept
are added, the one that refuses most first.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from grl.locm.constants import find_constants
from grl.locm.deadline import Deadline, Late, check, passed
from grl.locm.domain import Domain, Fact
from grl.locm.event_sequences import EventSequences
from grl.locm.features import Feature, find_features
from grl.locm.fsm import ZERO, Fsm, machine_of
from grl.locm.machine_sets import transition_sets
from grl.locm.schemas import Draft
from grl.locm.sorts import Sorts, find_sorts, plan_sequences
from grl.locm.statics import Static, find_statics
from grl.locm.table import PlanTable, Step
from grl.progress import Progress, silent

PLANS, POINTS, TRIALS = 40, 10, 25
"""Plans, points in each and actions made up at each point."""
LEAST = 0.01
"""A feature or relation must refuse this share of all made-up actions that machines accept."""


@dataclass(frozen=True)
class Learned:
    """A domain and what it was made from; `stopped` when the time limit cut the search short."""

    sorts: Sorts
    machines: tuple[Fsm, ...]
    features: tuple[Feature, ...]
    statics: tuple[Static, ...]
    domain: Domain
    stopped: bool = False


def learn(
    table: PlanTable,
    *,
    name: str = "learned",
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Learned:
    """Learn a domain. After `time_limit` seconds the best so far is returned."""
    deadline = None if time_limit is None else time.monotonic() + time_limit
    sorts = find_sorts(table)
    machines = learn_fsms(sorts, deadline, progress)
    features: list[Feature] = []
    statics: list[Static] = []
    try:
        check(deadline)
        progress("plans: features", 0, None)
        doubts = _Doubts(sorts, _domain(sorts, machines, (), (), name), deadline)
        _remaining(doubts, sorts, machines, features, statics, name, deadline)
    except Late:
        pass
    return Learned(
        sorts,
        tuple(machines),
        tuple(features),
        tuple(statics),
        _domain(sorts, machines, features, statics, name),
        passed(deadline),
    )


def bare(table: PlanTable, name: str = "learned") -> Learned:
    """Types and actions alone, which accept every plan: what there is before any search."""
    sorts = find_sorts(table)
    return Learned(sorts, (), (), (), _domain(sorts, (), (), (), name), True)


def _remaining(
    doubts: _Doubts,
    sorts: Sorts,
    machines: Sequence[Fsm],
    features: list[Feature],
    statics: list[Static],
    name: str,
    deadline: Deadline,
) -> None:
    """Adds the features and static relations that settle doubts."""
    if doubts.open:
        features += doubts.chosen(
            list(find_features(sorts, deadline)),
            lambda feature: _domain(sorts, (), (feature,), (), name),
            deadline,
        )
        for fixed in doubts.chosen(
            list(find_constants(sorts, features, deadline)),
            lambda fixed: _domain(sorts, (), (fixed.added(features),), (), name),
            deadline,
        ):
            features[fixed.feature] = fixed.added(features)
        statics += doubts.chosen(
            find_statics(sorts, tied(sorts, machines, features), deadline),
            lambda static: _domain(sorts, (), (), (static,), name),
            deadline,
        )


def learn_domain(table: PlanTable, **options: object) -> Domain:
    """Only the domain of `learn`."""
    return learn(table, **options).domain  # type: ignore[arg-type]


def learn_fsms(sorts: Sorts, deadline: Deadline = None, progress: Progress = silent) -> list[Fsm]:
    """The machines of the plans and of every sort, without those that allow everything.

    Behind the deadline those found so far.
    """
    found: list[Fsm] = []
    with suppress(Late):
        _add_fsms(found, sorts, deadline, progress)
    return found


def _add_fsms(found: list[Fsm], sorts: Sorts, deadline: Deadline, progress: Progress) -> None:
    families: list[tuple[int, EventSequences, Sequence[int]]] = [
        (ZERO, plan_sequences(sorts.table), range(len(sorts.table.signatures)))
    ]
    for sort in range(len(sorts.names)):
        check(deadline)
        slots = sorts.slots(sort)
        families.append((sort, sorts.events.only(slots), slots))
    for number, (sort, sequences, transitions) in enumerate(families):
        progress("plans: machines", number, len(families))
        check(deadline)
        for chosen in transition_sets(
            transitions, sequences.following(), sequences.between, deadline
        ):
            fsm = machine_of(sorts, sort, chosen, sequences, deadline=deadline)
            if not fsm.says_nothing:
                found.append(fsm)
    progress("plans: machines", len(families), len(families))


def _domain(
    sorts: Sorts,
    machines: Sequence[Fsm],
    features: Sequence[Feature],
    statics: Sequence[Static],
    name: str,
) -> Domain:
    actions = (signature.name.lower() for signature in sorts.table.signatures)
    draft = Draft(sorts, taken={*sorts.names, *actions})
    for fsm in machines:
        draft.machine(fsm)
    for feature in features:
        draft.feature(feature)
    for static in statics:
        draft.static(static)
    constants = tuple(sorted(draft.constants.items()))
    return Domain(name, sorts.names, constants, tuple(draft.predicates), draft.schemas())


def tied(
    sorts: Sorts, machines: Sequence[Fsm], features: Sequence[Feature]
) -> Iterator[tuple[int, int, int]]:
    """The (action, position, position) whose objects a state or a feature ties together."""
    for feature in features:
        if len(feature.sorts) == 2:
            for kind, positions in (*feature.adds, *feature.deletes, *feature.held):
                yield kind, positions[0], positions[1]
    for fsm in machines:
        for state in fsm.parameters:
            for parameter in state:
                for t, position in (*parameter.into, *parameter.out):
                    if fsm.sort != ZERO:
                        kind, own = sorts.table.slots[t]
                        yield kind, own, position


T = TypeVar("T")


class _Doubts:
    """Made-up actions at points of some plans, and which of them are still accepted."""

    def __init__(self, sorts: Sorts, domain: Domain, deadline: Deadline) -> None:
        self.table = sorts.table
        self.plans = [self.table.steps(number) for number in _spread(self.table.plans, PLANS)]
        self.open: set[tuple[int, int, Step]] = set()
        dice = random.Random(0)
        for number, plan in enumerate(self.plans):
            objects = _objects(sorts, plan)
            points = set(_spread(len(plan), POINTS))
            state = domain.initial(plan)
            for point, step in enumerate(plan):
                check(deadline)
                if point in points:
                    for _ in range(TRIALS):
                        check(deadline)
                        trial = _made_up(sorts, objects, dice)
                        if trial != step and domain.applicable(state, trial):
                            self.open.add((number, point, trial))
                state = domain.apply(state, step)
        self.total = len(self.open)

    def refused(self, domain: Domain) -> set[tuple[int, int, Step]]:
        """The doubts that another domain settles."""
        found = set()
        by_plan: dict[int, dict[int, list[Step]]] = {}
        for number, point, step in self.open:
            by_plan.setdefault(number, {}).setdefault(point, []).append(step)
        for number, points in by_plan.items():
            plan = self.plans[number]
            state: set[Fact] = domain.initial(plan)
            for point, step in enumerate(plan):
                for trial in points.get(point, ()):
                    if not domain.applicable(state, trial):
                        found.add((number, point, trial))
                state = domain.apply(state, step)
        return found

    def chosen(
        self, candidates: Sequence[T], domain: Callable[[T], Domain], deadline: Deadline
    ) -> list[T]:
        """Those candidates that settle doubts, the one that settles most first."""
        settled = []
        for candidate in candidates:
            if passed(deadline):
                break
            settled.append(self.refused(domain(candidate)))
        result = []
        while settled:
            best = max(range(len(settled)), key=lambda i: (len(settled[i] & self.open), -i))
            gain = settled[best] & self.open
            if len(gain) <= max(2, LEAST * self.total):
                break
            self.open -= gain
            result.append(best)
        return [candidates[i] for i in sorted(result)]


def _spread(size: int, number: int) -> list[int]:
    """`number` numbers below `size`, evenly spread, or all."""
    if size <= number:
        return list(range(size))
    return [int(x) for x in np.linspace(0, size - 1, number)]


def _objects(sorts: Sorts, plan: Sequence[Step]) -> dict[int, list[str]]:
    table = sorts.table
    kinds = {signature.name: kind for kind, signature in enumerate(table.signatures)}
    found: dict[int, dict[str, None]] = {}
    for step in plan:
        for sort, argument in zip(sorts.of_kind(kinds[step.name]), step.args, strict=True):
            found.setdefault(sort, {})[argument] = None
    return {sort: list(names) for sort, names in found.items()}


def _made_up(sorts: Sorts, objects: dict[int, list[str]], dice: random.Random) -> Step:
    """An action with objects of the plan, each of the right sort."""
    signatures = sorts.table.signatures
    while True:
        kind = dice.randrange(len(signatures))
        wanted = sorts.of_kind(kind)
        if all(sort in objects for sort in wanted):
            return Step(signatures[kind].name, tuple(dice.choice(objects[s]) for s in wanted))
