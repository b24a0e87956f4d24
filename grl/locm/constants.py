"""Constants of the domain: what an action needs of an object that it doesn't name.

``(put_on_tray sandwich tray)`` needs the tray in the kitchen and names no place. Where a feature
of pairs, such as a tray at a place, always holds for an action's object and one object of the
other sort that goes by the same name in the plans, the action needs that.

An object that an action names is a parameter, even if it is the same in every plan: the action
keeps its arguments, and nothing but its name distinguishes that object from another one of its
sort.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grl.locm.deadline import Deadline, passed
from grl.locm.event_sequences import EventSequences
from grl.locm.features import Feature, Pattern, around, often
from grl.locm.pddl import NAME
from grl.locm.sorts import Sorts
from grl.locm.table import Ints

FIRST_LOOK = 200
"""Plans in which most of what doesn't hold fails already."""
ADD, DELETE, ASKED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Fixed:
    """An action needs a feature of the object at `position`, from 0, and the constant `name`.

    `feature` is a number; the constant is the feature's second object, or its first where
    `leading`.
    """

    feature: int
    kind: int
    position: int
    name: str
    leading: bool

    def added(self, features: Sequence[Feature]) -> Feature:
        """The feature with this need among its own."""
        feature = features[self.feature]
        args = (self.name, self.position) if self.leading else (self.position, self.name)
        return replace(feature, fixed=(*feature.fixed, (self.kind, args)))


def find_constants(
    sorts: Sorts, features: Sequence[Feature], deadline: Deadline = None
) -> Iterator[Fixed]:
    """What actions always find true of a constant, as often as a feature has to be seen.

    A constant occurs in more than half of the plans.
    """
    for number, feature in enumerate(features):
        if len(feature.sorts) == 2 and len(set(feature.sorts)) == 2:
            for leading in (False, True):
                own, other = feature.sorts[leading], feature.sorts[not leading]
                for name, here in _frequent(sorts, other):
                    if passed(deadline):
                        return
                    for kind, position in _unnamed(sorts, own, other):
                        fixed = Fixed(number, kind, position, name, leading)
                        if _holds(sorts, feature, fixed, here, FIRST_LOOK) and _holds(
                            sorts, feature, fixed, here, sorts.table.plans
                        ):
                            yield fixed


def _frequent(sorts: Sorts, sort: int) -> Iterator[tuple[str, Ints]]:
    """Names of a sort that occur in most plans; the object of each plan that goes by it, or -1."""
    table = sorts.table
    members = np.flatnonzero(sorts.of_object == sort)
    counts = np.bincount(table.name[members], minlength=len(table.names))
    taken = {name.lower() for name in sorts.names}
    for name in sorted(np.flatnonzero(2 * counts > table.plans), key=lambda n: table.names[n]):
        text = table.names[name]
        if NAME.fullmatch(text) and text.lower() not in taken:
            named = members[table.name[members] == name]
            here = np.full(table.plans, -1, dtype=np.int64)
            here[table.home[named]] = named
            yield text, here


def _unnamed(sorts: Sorts, own: int, other: int) -> Iterator[tuple[int, int]]:
    """The argument positions of one sort in actions that name nothing of the other."""
    for kind in range(len(sorts.table.signatures)):
        named = sorts.of_kind(kind)
        if other not in named:
            yield from ((kind, position) for position, sort in enumerate(named) if sort == own)


def _holds(sorts: Sorts, feature: Feature, fixed: Fixed, here: Ints, plans: int) -> bool:
    """Whether the first so many plans never find it false; all of them must find it true often."""
    table = sorts.table
    end = int(np.searchsorted(table.plan, plans))
    owners, rows, labels = [], [], []
    events: list[tuple[int, Pattern]] = [(ADD, pattern) for pattern in feature.adds]
    events += [(DELETE, pattern) for pattern in feature.deletes]
    size = len(table.name)
    for label, (kind, (first, second)) in events:
        at = np.flatnonzero(table.kind[:end] == kind)
        owners.append(table.args[at, first] * size + table.args[at, second])
        rows.append(at)
        labels.append(np.full(len(at), label, dtype=np.int64))
    at = np.flatnonzero((table.kind[:end] == fixed.kind) & (here[table.plan[:end]] >= 0))
    given, constant = table.args[at, fixed.position], here[table.plan[at]]
    owners.append(constant * size + given if fixed.leading else given * size + constant)
    rows.append(at)
    labels.append(np.full(len(at), ASKED, dtype=np.int64))
    sequences = EventSequences.of(
        np.concatenate(owners), np.concatenate(rows), np.concatenate(labels), 3
    )
    before, after = around(sequences, {ADD: True, DELETE: False})
    asked = sequences.label == ASKED
    known = np.where(before[asked] != 0, before[asked], -after[asked])
    if (known < 0).any():
        return False
    return plans < table.plans or often(table.plan[sequences.row[asked][before[asked] != 0]])
