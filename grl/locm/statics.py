"""Static relations: combinations of arguments that no machine explains and that never change.

LOP's job (Gregory and Cresswell 2015), without being given what is static. Within each plan, the
arguments of an action at two positions are paired anew at random. Where the plans show clearly
fewer different pairs than chance does, something ties the two objects together. Positions that a
machine's state already ties are left out: an object stays where it was put for a while, and that
is no static relation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from grl.locm.deadline import Deadline, passed
from grl.locm.sorts import Sorts
from grl.locm.table import Ints

SHUFFLES = 12
SURE = 5.0
"""By how many standard deviations the pairs must be fewer than chance makes them."""
FEWER = 0.85
"""And what share of the pairs by chance they must stay below: nearly free is free."""


@dataclass(frozen=True, slots=True)
class Static:
    """A relation between two arguments of an action; positions count from 0.

    `pairs` are the different pairs that the plans show, `chance` what random pairing shows.
    """

    kind: int
    first: int
    second: int
    pairs: int
    chance: float


def find_statics(
    sorts: Sorts, tied: Iterable[tuple[int, int, int]], deadline: Deadline = None
) -> list[Static]:
    """The static relations; `tied` are (action, position, position) that a machine explains.

    Behind the deadline those found so far.
    """
    known = {(k, *sorted((i, j))) for k, i, j in tied}
    random = np.random.default_rng(0)
    table = sorts.table
    found: list[Static] = []
    for kind, signature in enumerate(table.signatures):
        here = np.flatnonzero(table.kind == kind)
        for i in range(signature.arity):
            for j in range(i + 1, signature.arity):
                if passed(deadline):
                    return found
                if (kind, i, j) in known:
                    continue
                static = _tested(table.args[here, i], table.args[here, j], table.plan[here], random)
                if static is not None:
                    found.append(Static(kind, i, j, *static))
    return found


def _tested(
    one: Ints, two: Ints, plan: Ints, random: np.random.Generator
) -> tuple[int, float] | None:
    """The number of pairs and the mean number by chance, where they clearly differ."""
    size = int(max(one.max(initial=0), two.max(initial=0))) + 1
    pairs = _different(one, two, size)
    apart = not (one == two).any()
    by_chance = []
    for _ in range(SHUFFLES):
        paired = two[np.lexsort((random.random(len(two)), plan))]
        if apart:
            _part(one, paired, plan, random)
        by_chance.append(_different(one, paired, size))
    mean, deviation = float(np.mean(by_chance)), float(np.std(by_chance))
    if mean - pairs > SURE * max(deviation, 1.0) and pairs < FEWER * mean:
        return pairs, mean
    return None


def _part(one: Ints, two: Ints, plan: Ints, random: np.random.Generator) -> None:
    """Exchange partners within plans until nobody, if possible, is paired with himself."""
    low, high = np.searchsorted(plan, plan), np.searchsorted(plan, plan, side="right")
    for _ in range(SHUFFLES):
        alone = np.flatnonzero(one == two)
        if not len(alone):
            return
        other = random.integers(low[alone], high[alone])
        kept = np.unique(other, return_index=True)[1]
        alone, other = alone[kept], other[kept]
        free = ~np.isin(other, alone)
        alone, other = alone[free], other[free]
        two[alone], two[other] = two[other], two[alone]


def _different(one: Ints, two: Ints, size: int) -> int:
    return len(np.unique(one * size + two))
