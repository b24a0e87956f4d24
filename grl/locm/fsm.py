"""Machines of a sort of objects, with state parameters: LOCM's steps 2 to 6.

Each transition starts and ends in states of its own, which are unified where one transition
follows another on the same object. A *state parameter* is an object that a state remembers: a
choice of one argument for every transition into and out of the state, such that whatever a
transition puts in, the one that follows takes out. Every such choice that agrees with all
sequences is a parameter, so parameters that LOCM would have merged and then lost are kept apart; a
choice that leaves some transition of the state out is none, which is LOCM's step 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from grl.later import Later
from grl.locm.deadline import Deadline, check
from grl.locm.event_sequences import EventSequences
from grl.locm.sorts import Sorts, plan_sequences
from grl.locm.table import NOBODY, Ints

nx = Later("networkx")

ZERO = -1
"""The sort of the imaginary argument that all actions of a plan share."""
CHOICES = 64
"""More choices for the parameters of one state are not looked at."""
LEAST_SUPPORT = 1.0
"""Bits of agreement below which a state doesn't remember an object."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """An object that a state remembers.

    `into` gives for each transition into the state, and `out` for each out of it, the argument
    position (from 0) that names the object. `bits` says how surprising the agreement is.
    """

    sort: int
    into: tuple[tuple[int, int], ...]
    out: tuple[tuple[int, int], ...]
    bits: float


@dataclass(frozen=True)
class Fsm:
    """A machine: a transition is a slot, or an action in a machine of sort `ZERO`.

    `start` and `end` give every transition its states, which are counted from 0. `parameters`
    has a tuple for each state.
    """

    sort: int
    start: Mapping[int, int]
    end: Mapping[int, int]
    parameters: tuple[tuple[Parameter, ...], ...]
    initial: frozenset[int] = frozenset()
    final: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.parameters)

    @cached_property
    def says_nothing(self) -> bool:
        """Whether it has one state and no parameter: it allows everything."""
        return self.size == 1 and not self.parameters[0]


def machine_of(
    sorts: Sorts,
    sort: int,
    transitions: Iterable[int],
    sequences: EventSequences,
    deadline: Deadline = None,
) -> Fsm:
    """The machine of a sort for one set of transitions. Raises `Late` behind the deadline."""
    chosen = sorted(transitions)
    projected = sequences.only(chosen)
    counts = projected.pair_counts()
    union = nx.utils.UnionFind([(t, side) for t in chosen for side in (0, 1)])
    for a, b in counts:
        union.union((a, 1), (b, 0))
    for a, b in projected.together():
        union.union((a, 0), (b, 0))
        union.union((a, 1), (b, 1))
    number: dict[object, int] = {}

    def state(transition: int, side: int) -> int:
        return number.setdefault(union[transition, side], len(number))

    start, end = {}, {}
    for t in chosen:
        start[t], end[t] = state(t, 0), state(t, 1)
    check(deadline)
    agreement = _agreements(sorts, sort, projected, deadline)
    parameters = tuple(
        _parameters(
            sorts,
            sort,
            [t for t in chosen if end[t] == s],
            [t for t in chosen if start[t] == s],
            agreement,
            deadline,
        )
        for s in range(len(number))
    )
    parameters = _remembered(sorts, sort, start, end, parameters, deadline)
    first, last = projected.ends
    return Fsm(
        sort,
        start,
        end,
        parameters,
        frozenset(start[t] for t in first),
        frozenset(end[t] for t in last),
    )


@dataclass(frozen=True)
class _Agreement:
    """For two transitions in a row, which arguments always agreed, and for each sort how hard
    that was by chance, in bits.

    `one` and `two` hold the arguments of each, a row for each time: actions may have thousands
    of arguments, so two are compared when somebody asks.
    """

    one: Ints
    two: Ints
    bits: Mapping[int, float]
    _known: dict[tuple[int, int], bool] = field(default_factory=dict)

    def equal(self, first: int, second: int) -> bool:
        """Whether argument `first` of the one was always argument `second` of the other."""
        at = first, second
        if at not in self._known:
            self._known[at] = bool((self.one[:, first] == self.two[:, second]).all())
        return self._known[at]


def _agreements(
    sorts: Sorts, sort: int, sequences: EventSequences, deadline: Deadline
) -> dict[tuple[int, int], _Agreement]:
    table = sorts.table
    first, second = sequences.neighbours()
    codes = sequences.label[first] * sequences.labels + sequences.label[second]
    order = np.argsort(codes, kind="stable")
    first, second, codes = first[order], second[order], codes[order]
    if not len(codes):
        return {}
    bounds = np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1], [True])))
    surprise = [np.log2(np.maximum(members, 1)) for members in sorts.members]
    result = {}
    for low, high in pairwise(bounds):
        a, b = divmod(int(codes[low]), sequences.labels)
        check(deadline)
        one, two = (
            table.args[sequences.row[first[low:high]]],
            table.args[sequences.row[second[low:high]]],
        )
        kinds = _kind(sorts, sort, a), _kind(sorts, sort, b)
        plans = table.plan[sequences.row[first[low:high]]]
        involved = set(sorts.of_kind(kinds[0])) & set(sorts.of_kind(kinds[1]))
        result[a, b] = _Agreement(one, two, {s: float(surprise[s][plans].sum()) for s in involved})
    return result


def _kind(sorts: Sorts, sort: int, transition: int) -> int:
    return transition if sort == ZERO else int(sorts.table.slots[transition][0])


def _own(sorts: Sorts, sort: int, transition: int) -> int:
    return NOBODY if sort == ZERO else sorts.table.slots[transition][1]


def _parameters(
    sorts: Sorts,
    sort: int,
    into: list[int],
    out: list[int],
    agreement: Mapping[tuple[int, int], _Agreement],
    deadline: Deadline,
) -> tuple[Parameter, ...]:
    """The parameters of one state."""
    pairs = [(a, b) for a in into for b in out if (a, b) in agreement]
    ends = [(a, 1) for a in into] + [(b, 0) for b in out]
    linked = {(a, 1) for a, _ in pairs} | {(b, 0) for _, b in pairs}
    if not pairs or linked != set(ends):
        return ()
    found: list[Parameter] = []
    involved = set.intersection(*(set(sorts.of_kind(_kind(sorts, sort, t))) for t in {*into, *out}))
    for remembered in sorted(involved):
        check(deadline)
        domains = {
            (t, side): [
                k
                for k in sorts.positions(_kind(sorts, sort, t), remembered)
                if k != _own(sorts, sort, t)
            ]
            for t, side in ends
        }
        weight = {pair: agreement[pair].bits.get(remembered, 0.0) for pair in pairs}
        support = min(
            sum(weight[pair] for pair in pairs if pair[1 - side] == t) for t, side in ends
        )
        if support < LEAST_SUPPORT:
            continue
        equal = {pair: agreement[pair].equal for pair in pairs}
        choices = _choices(domains, pairs, equal, deadline)
        covered: set[tuple[tuple[int, int], int]] = set()
        for choice in choices:
            if set(choice.items()) <= covered:
                continue
            covered |= set(choice.items())
            found.append(
                Parameter(
                    remembered,
                    tuple((a, choice[a, 1]) for a in into),
                    tuple((b, choice[b, 0]) for b in out),
                    support,
                )
            )
    return tuple(found)


def _remembered(
    sorts: Sorts,
    sort: int,
    start: Mapping[int, int],
    end: Mapping[int, int],
    parameters: tuple[tuple[Parameter, ...], ...],
    deadline: Deadline,
) -> tuple[tuple[Parameter, ...], ...]:
    """`parameters`, and what objects bring into a plan and keep after it.

    In short plans an object is often taken from somewhere once and put somewhere once: no sequence
    shows that what was put there could be taken from there. Where every way into a state that
    nothing leaves names one object of a sort, and so does every way out of a state that nothing
    enters, both states remember it: the one is what the other was before the plan began.
    """
    states = range(len(parameters))
    fresh = [s for s in states if s not in end.values()]
    done = [s for s in states if s not in start.values()]
    result = [list(items) for items in parameters]
    if sort == ZERO:
        return parameters
    for remembered in range(len(sorts.names)):
        check(deadline)
        taken = {s: _naming(sorts, sort, start, s, remembered) for s in fresh}
        put = {s: _naming(sorts, sort, end, s, remembered) for s in done}
        moved = [
            (s, t)
            for s, out in taken.items()
            for t, into in put.items()
            if out and into and not dict(out).keys() & dict(into).keys()
        ]
        for s in sorted({s for s, _ in moved}):
            result[s].append(Parameter(remembered, (), taken[s], 0.0))
        for t in sorted({t for _, t in moved}):
            result[t].append(Parameter(remembered, put[t], (), 0.0))
    return tuple(map(tuple, result))


def _naming(
    sorts: Sorts, sort: int, side: Mapping[int, int], state: int, remembered: int
) -> tuple[tuple[int, int], ...]:
    """For each transition at a state the one other argument of a sort; empty if not just one."""
    found = []
    for t in sorted(t for t, s in side.items() if s == state):
        own = _own(sorts, sort, t)
        named = [k for k in sorts.positions(_kind(sorts, sort, t), remembered) if k != own]
        if len(named) != 1:
            return ()
        found.append((t, named[0]))
    return tuple(found)


def _choices(
    domains: Mapping[tuple[int, int], list[int]],
    pairs: list[tuple[int, int]],
    equal: Mapping[tuple[int, int], Callable[[int, int], bool]],
    deadline: Deadline,
) -> list[dict[tuple[int, int], int]]:
    """Every choice of an argument for each end that agrees on all pairs, in ascending order."""
    order: list[tuple[int, int]] = []
    waiting = sorted(domains)
    while waiting:
        check(deadline)
        near = [
            e
            for e in waiting
            if any(
                (e == (a, 1) and (b, 0) in order) or (e == (b, 0) and (a, 1) in order)
                for a, b in pairs
            )
        ]
        following = (near or waiting)[0]
        order.append(following)
        waiting.remove(following)
    found: list[dict[tuple[int, int], int]] = []

    def extend(choice: dict[tuple[int, int], int]) -> None:
        if len(found) >= CHOICES:
            return
        if len(choice) == len(order):
            found.append(dict(choice))
            return
        end = order[len(choice)]
        for position in domains[end]:
            check(deadline)
            choice[end] = position
            if all(
                equal[a, b](choice[a, 1], choice[b, 0])
                for a, b in pairs
                if end in ((a, 1), (b, 0)) and (a, 1) in choice and (b, 0) in choice
            ):
                extend(choice)
            del choice[end]

    extend({})
    return found


def zero_sequences(sorts: Sorts) -> EventSequences:
    """The sequences of the imaginary argument."""
    return plan_sequences(sorts.table)
