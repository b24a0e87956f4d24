"""Sorts of objects: LOCM's first step.

Two slots, argument positions of actions, belong to one sort when some object stands in both.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grl.later import Later
from grl.locm.domain import RESERVED
from grl.locm.event_sequences import EventSequences
from grl.locm.table import NOBODY, Ints, PlanTable

nx = Later("networkx")


@dataclass(frozen=True, eq=False)
class Sorts:
    """`of_slot` gives every slot its sort, `of_object` every object, `names` every sort a name.

    Sorts are numbered in the order of their least slots.
    """

    table: PlanTable
    of_slot: tuple[int, ...]
    names: tuple[str, ...]
    events: EventSequences
    """What every object goes through; a label is a slot."""

    @cached_property
    def of_object(self) -> Ints:
        """The sort of every object."""
        result = np.zeros(len(self.table.name), dtype=np.int64)
        result[self.events.owner] = np.array(self.of_slot, dtype=np.int64)[self.events.label]
        return result

    @cached_property
    def members(self) -> tuple[Ints, ...]:
        """For every sort how many objects of it each plan names."""
        home = self.table.home
        return tuple(
            np.bincount(home[self.of_object == sort], minlength=self.table.plans)
            for sort in range(len(self.names))
        )

    def slots(self, sort: int) -> tuple[int, ...]:
        """The slots of a sort."""
        return self._slots[sort]

    @cached_property
    def _slots(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.names]
        for slot, sort in enumerate(self.of_slot):
            found[sort].append(slot)
        return tuple(map(tuple, found))

    def of_kind(self, kind: int) -> tuple[int, ...]:
        """The sorts of an action's arguments."""
        return self.of_slot[self.table.base[kind] : self.table.base[kind + 1]]

    def positions(self, kind: int, sort: int) -> tuple[int, ...]:
        """The argument positions of an action, from 0, that are of a sort."""
        return self._positions.get((kind, sort), ())

    @cached_property
    def _positions(self) -> dict[tuple[int, int], tuple[int, ...]]:
        found: dict[tuple[int, int], list[int]] = {}
        for kind in range(len(self.table.signatures)):
            for position, sort in enumerate(self.of_kind(kind)):
                found.setdefault((kind, sort), []).append(position)
        return {at: tuple(positions) for at, positions in found.items()}


def find_sorts(table: PlanTable) -> Sorts:
    """The sorts of the objects of some plans."""
    events = object_sequences(table)
    union = nx.utils.UnionFind(range(len(table.slots)))
    same = events.owner[1:] == events.owner[:-1]
    width = max(1, len(table.slots))
    met = np.unique(events.label[:-1][same] * width + events.label[1:][same])
    for code in met.tolist():
        union.union(code // width, code % width)
    numbers: dict[int, int] = {}
    of_slot = tuple(
        numbers.setdefault(union[slot], len(numbers)) for slot in range(len(table.slots))
    )
    return Sorts(table, of_slot, _names(table, events, of_slot, len(numbers)), events)


def object_sequences(table: PlanTable) -> EventSequences:
    """What every object goes through, as slots."""
    row, position = np.nonzero(table.args != NOBODY)
    base = np.array(table.base[:-1], dtype=np.int64)
    slot = base[table.kind[row]] + position
    return EventSequences.of(table.args[row, position], row, slot, len(table.slots))


def plan_sequences(table: PlanTable) -> EventSequences:
    """What the imaginary argument of each plan goes through, as actions."""
    rows = np.arange(len(table.kind))
    return EventSequences(table.plan, rows, table.kind, len(table.signatures))


def _names(
    table: PlanTable, events: EventSequences, of_slot: tuple[int, ...], sorts: int
) -> tuple[str, ...]:
    """A name for each sort: what its objects' names share, without digits."""
    sort_of_slot = np.array(of_slot, dtype=np.int64)
    pairs = np.unique(
        sort_of_slot[events.label] * max(1, len(table.names)) + table.name[events.owner]
    )
    votes: list[Counter[str]] = [Counter() for _ in range(sorts)]
    for code in pairs.tolist():
        sort, name = divmod(code, max(1, len(table.names)))
        votes[sort][re.sub(r"[^a-z_]+", "", table.names[name].lower()).strip("_")] += 1
    taken = {signature.name.lower() for signature in table.signatures} | RESERVED
    result = []
    for number, vote in enumerate(votes):
        stem, most = min(vote.items(), key=lambda item: (-item[1], item[0]))
        good = len(stem) > 1 or (len(stem) == 1 and sum(vote.values()) > 1)
        name = stem if good and 2 * most > sum(vote.values()) else f"sort{number + 1}"
        while name in taken:
            name += "_"
        taken.add(name)
        result.append(name)
    return tuple(result)
