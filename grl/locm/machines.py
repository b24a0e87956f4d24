"""Machines of whole turns, from turns written as plans.

Every transition, an action at an argument position, starts and ends in a state of its own, so
that each occurs once. Two transitions that follow one another in some object's sequence meet:
the end of the first is the start of the second. The zero machine is that of an imaginary
argument which all actions of a plan share; it orders the turn, and where that would allow pairs of
actions that no turn shows, LOCM2 adds zero machines for some of the actions alone. A zero machine
is left out when all its states fall together, for then it orders nothing.

State parameters are squares. LOCM keeps one only where every transition of a state names it, and
the machine of a long turn has few states, so here the transitions are taken two by two: whatever
follows in the projection to two actions, the squares that always agree are a `Tie`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise

from grl.board import Player, Square
from grl.later import Later
from grl.locm.event_sequences import masks_between, windows
from grl.locm.machine_sets import transition_sets
from grl.locm.plans import Plan, Plans
from grl.model import Machine, StateId, Tie

nx = Later("networkx")

ZERO = "zero"
SQUARE = "square"
SEEN = 3
"""How many turns must show a tie before it is believed."""

Transition = tuple[str, int]


def learn_machines(plans: Plans) -> list[Machine]:
    """The zero machines and the machine of squares for every mover and piece, sorted."""
    machines = []
    for (mover, piece), patterns in sorted(plans.patterns.items()):
        sequences = zero_sequences(patterns)
        for number, chosen in enumerate(zero_sets(sequences)):
            projected = {tuple(t for t in sequence if t in chosen) for sequence in sequences}
            machine = machine_of(mover, piece, ZERO, projected, whole=number == 0)
            if machine is not None:
                machines.append(machine)
        squares = machine_of(
            mover, piece, SQUARE, square_sequences(patterns), ties=find_ties(patterns)
        )
        if squares is not None:
            machines.append(squares)
    return machines


def zero_sets(sequences: set[tuple[Transition, ...]]) -> list[frozenset[Transition]]:
    """The sets of actions that have a zero machine, by LOCM2; all actions first."""
    actions = sorted({transition for sequence in sequences for transition in sequence})
    number = {transition: i for i, transition in enumerate(actions)}
    numbered = [[number[t] for t in sequence] for sequence in sequences]
    following = {pair for sequence in numbered for pair in pairwise(sequence)}
    texts = windows("".join(map(chr, sequence)) for sequence in numbered)
    sets = transition_sets(range(len(actions)), following, masks_between(texts, {}))
    return [frozenset(actions[i] for i in chosen) for chosen in sets]


def find_ties(patterns: Mapping[Plan, int]) -> tuple[Tie, ...]:
    """The squares that two actions of a turn always share, sorted."""
    seen: Counter[tuple[str, str]] = Counter()
    equal: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for plan, count in patterns.items():
        latest: dict[str, int] = {}
        for at, action in enumerate(plan):
            since = latest.get(action.name, -1)
            for name, before in latest.items():
                if before >= since:
                    pair = name, action.name
                    seen[pair] += count
                    shared = {
                        (i, j)
                        for i, one in enumerate(plan[before].args, 1)
                        for j, other in enumerate(action.args, 1)
                        if one == other
                    }
                    equal[pair] = equal[pair] & shared if pair in equal else shared
            latest[action.name] = at
    return tuple(
        sorted(
            Tie(before, i, after, j)
            for (before, after), shared in equal.items()
            if seen[before, after] >= SEEN
            for i, j in shared
        )
    )


def zero_sequences(patterns: Counter[Plan]) -> set[tuple[Transition, ...]]:
    """What the imaginary argument of each plan goes through: its actions, at position 0."""
    return {tuple((action.name, 0) for action in plan) for plan in patterns}


def square_sequences(patterns: Counter[Plan]) -> set[tuple[Transition, ...]]:
    """What each square of each plan goes through, at positions counted from 1.

    A square that stands in an action twice is there once, at both positions: 13 for 1 and 3.
    """
    sequences: set[tuple[Transition, ...]] = set()
    for plan in patterns:
        by_square: dict[int, list[Transition]] = {}
        for action in plan:
            at: dict[Square, int] = {}
            for position, square in enumerate(action.args, 1):
                at[square] = 10 * at.get(square, 0) + position
            for square, position in at.items():
                by_square.setdefault(square, []).append((action.name, position))
        sequences.update(map(tuple, by_square.values()))
    return sequences


def machine_of(
    mover: Player,
    piece: str,
    sort: str,
    sequences: Iterable[tuple[Transition, ...]],
    *,
    whole: bool = True,
    ties: tuple[Tie, ...] = (),
) -> Machine | None:
    """The machine of objects that go through `sequences`; None for a zero machine of one state."""
    ordered = sorted(sequence for sequence in sequences if sequence)
    ends = nx.utils.UnionFind()
    for sequence in ordered:
        for transition in sequence:
            ends.union((transition, "start"))
            ends.union((transition, "end"))
        for before, after in pairwise(sequence):
            ends.union((before, "end"), (after, "start"))
    number: dict[object, StateId] = {}

    def state(transition: Transition, side: str) -> StateId:
        return number.setdefault(ends[transition, side], StateId(len(number)))

    transitions = tuple(
        (state(transition, "start"), *transition, state(transition, "end"))
        for transition in sorted({t for sequence in ordered for t in sequence})
    )
    if not transitions or (sort == ZERO and len(number) == 1):
        return None
    return Machine(
        mover=mover,
        piece=piece,
        sort=sort,
        size=len(number),
        transitions=transitions,
        initial=frozenset(state(sequence[0], "start") for sequence in ordered),
        final=frozenset(state(sequence[-1], "end") for sequence in ordered),
        whole=whole,
        ties=ties,
    )
