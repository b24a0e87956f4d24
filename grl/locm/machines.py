"""State machines from plans: LOCM's first stage (Cresswell, McCluskey and West 2009).

Every transition, an action at an argument position, starts and ends in a state of its own, so
that each occurs once. Two transitions that follow one another in the life of some object meet:
the end of the first is the start of the second. The zero machine is that of an imaginary
argument which all actions of a plan share; it orders the turn. It is left out when all its
states fall together, for then it orders nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import networkx as nx

from grl.board import Player
from grl.locm.plans import Plan, Plans
from grl.model import Machine, StateId

ZERO = "zero"
SQUARE = "square"

Transition = tuple[str, int]


def learn_machines(plans: Plans) -> list[Machine]:
    """The zero machine and the machine of squares for every mover and piece, sorted."""
    machines = []
    for (mover, piece), patterns in sorted(plans.patterns.items()):
        for sort, lives in ((ZERO, zero_lives(patterns)), (SQUARE, square_lives(patterns))):
            machine = machine_of(mover, piece, sort, lives)
            if machine is not None:
                machines.append(machine)
    return machines


def zero_lives(patterns: Counter[Plan]) -> set[tuple[Transition, ...]]:
    """What the imaginary argument of each plan goes through: its actions, at position 0."""
    return {tuple((action.name, 0) for action in plan) for plan in patterns}


def square_lives(patterns: Counter[Plan]) -> set[tuple[Transition, ...]]:
    """What each square of each plan goes through, at positions counted from 1."""
    lives: set[tuple[Transition, ...]] = set()
    for plan in patterns:
        by_square: dict[int, list[Transition]] = {}
        for action in plan:
            for position, square in enumerate(action.args, 1):
                by_square.setdefault(square, []).append((action.name, position))
        lives.update(map(tuple, by_square.values()))
    return lives


def machine_of(
    mover: Player, piece: str, sort: str, lives: Iterable[tuple[Transition, ...]]
) -> Machine | None:
    """The machine of objects that live through `lives`; None for a zero machine of one state."""
    ordered = sorted(life for life in lives if life)
    ends = nx.utils.UnionFind()
    for life in ordered:
        for transition in life:
            ends.union((transition, "start"))
            ends.union((transition, "end"))
        for before, after in pairwise(life):
            ends.union((before, "end"), (after, "start"))
    number: dict[object, StateId] = {}

    def state(transition: Transition, side: str) -> StateId:
        return number.setdefault(ends[transition, side], StateId(len(number)))

    transitions = tuple(
        (state(transition, "start"), *transition, state(transition, "end"))
        for transition in sorted({t for life in ordered for t in life})
    )
    if not transitions or (sort == ZERO and len(number) == 1):
        return None
    return Machine(
        mover=mover,
        piece=piece,
        sort=sort,
        size=len(number),
        transitions=transitions,
        initial=frozenset(state(life[0], "start") for life in ordered),
        final=frozenset(state(life[-1], "end") for life in ordered),
    )
