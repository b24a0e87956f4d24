"""Features that state machines can't say, in the manner of SIFT.

SIFT (Gösgens, Jansen and Geffner 2024) asks which predicates a set of plans allows. A *pattern* is
an action with chosen argument positions; a *feature* is a set of patterns, each adding or
deleting the atom of the objects in those positions. It is *admissible* when on every tuple of
objects, in every plan, what adds and what deletes alternate. A transition of a machine belongs to
one state, and its objects one by one; features hold for pairs, whatever else the two do.

SIFT looks at all sets of patterns. Here a set grows only where it must: two adds in a row on one
tuple are no longer in a row when a deletion that lies between them belongs to the set as well, so
from one pattern all least admissible features are reached without enumerating the rest. Features
have at most two arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from grl.locm.deadline import Deadline, passed
from grl.locm.domain import Argument
from grl.locm.event_sequences import EventSequences, bits
from grl.locm.sorts import Sorts, plan_sequences
from grl.locm.table import Ints

LARGEST = 6
NODES = 4_000
"""Sets looked at for one tuple of sorts."""
EXERCISED = 8
"""How often each pattern of a feature must have followed or been followed by one of the other
sign."""
PLANS = 3
"""And in how many plans: what one plan repeats may be true of that plan alone."""

Pattern = tuple[int, tuple[int, ...]]
"""An action and positions of its arguments, from 0."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A predicate over objects of `sorts`: what adds it, what deletes it, what needs it (`held`)
    and what needs its absence (`absent`) without changing it.

    `fixed` are actions that need it of an argument and a constant, given by its name.
    """

    sorts: tuple[int, ...]
    adds: tuple[Pattern, ...]
    deletes: tuple[Pattern, ...]
    held: tuple[Pattern, ...] = ()
    absent: tuple[Pattern, ...] = ()
    fixed: tuple[tuple[int, tuple[Argument, ...]], ...] = ()


@dataclass(frozen=True)
class Family:
    """All patterns over one tuple of sorts and the sequences of such tuples of objects."""

    sorts: tuple[int, ...]
    patterns: tuple[Pattern, ...]
    sequences: EventSequences


def families(sorts: Sorts) -> Iterator[Family]:
    """The tuples of sorts of length 0, 1 and 2 that some action names."""
    table = sorts.table
    kinds = range(len(table.signatures))
    yield Family((), tuple((k, ()) for k in kinds), plan_sequences(table))
    for sort in range(len(sorts.names)):
        slots = sorts.slots(sort)
        relabelled = np.zeros(len(table.slots), dtype=np.int64)
        relabelled[list(slots)] = np.arange(len(slots))
        own = sorts.events.only(slots)
        sequences = EventSequences(own.owner, own.row, relabelled[own.label], len(slots))
        patterns = tuple((int(k), (p,)) for k, p in (table.slots[s] for s in slots))
        yield Family((sort,), patterns, sequences)
    for one in range(len(sorts.names)):
        for other in range(one, len(sorts.names)):
            family = _pairs(sorts, one, other)
            if family is not None:
                yield family


def _pairs(sorts: Sorts, one: int, other: int) -> Family | None:
    table = sorts.table
    patterns: list[Pattern] = []
    owners, rows, labels = [], [], []
    size = len(table.name)
    for kind in range(len(table.signatures)):
        named = sorts.of_kind(kind)
        here: Ints | None = None
        for i, first in enumerate(named):
            for j, second in enumerate(named):
                if i != j and (first, second) == (one, other):
                    if here is None:
                        here = np.flatnonzero(table.kind == kind)
                    args = table.args[here]
                    owners.append(args[:, i] * size + args[:, j])
                    rows.append(here)
                    labels.append(np.full(len(here), len(patterns), dtype=np.int64))
                    patterns.append((kind, (i, j)))
    if len(patterns) < 2:
        return None
    sequences = EventSequences.of(
        np.concatenate(owners), np.concatenate(rows), np.concatenate(labels), len(patterns)
    )
    return Family((one, other), tuple(patterns), sequences)


def find_features(sorts: Sorts, deadline: Deadline = None) -> Iterator[Feature]:
    """All least admissible features that the plans exercise."""
    seen: set[tuple[tuple[Pattern, ...], tuple[Pattern, ...]]] = set()
    for family in families(sorts):
        if passed(deadline):
            return
        for found in signed_sets(family.sequences, deadline):
            if not _exercised(family.sequences, found, sorts.table.plan):
                continue
            upright = _begins_with_add(family.sequences, found)
            signs = {label: adds == upright for label, adds in found.items()}
            adds = tuple(family.patterns[x] for x in sorted(signs) if signs[x])
            deletes = tuple(family.patterns[x] for x in sorted(signs) if not signs[x])
            if {(adds, deletes), _mirrored(adds, deletes)} & seen:
                continue
            seen |= {(adds, deletes), (deletes, adds)}
            held, absent = _standing(family, signs, sorts.table.plan)
            yield Feature(family.sorts, adds, deletes, held, absent)


def _mirrored(
    adds: tuple[Pattern, ...], deletes: tuple[Pattern, ...]
) -> tuple[tuple[Pattern, ...], tuple[Pattern, ...]]:
    """The same feature with its arguments in the other order."""

    def turned(patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
        return tuple(sorted((kind, positions[::-1]) for kind, positions in patterns))

    return turned(adds), turned(deletes)


def signed_sets(sequences: EventSequences, deadline: Deadline = None) -> Iterator[dict[int, bool]]:
    """Every least set of labels, each with a sign, whose signs alternate in all projections."""
    between = sequences.between
    clash = sequences.together()
    present = sorted(set(sequences.label.tolist()))
    visited: set[frozenset[tuple[int, bool]]] = set()
    budget = NODES

    def grow(signs: dict[int, bool]) -> Iterator[dict[int, bool]]:
        nonlocal budget
        key = frozenset(signs.items())
        if key in visited or budget <= 0 or passed(deadline):
            return
        visited.add(key)
        budget -= 1
        if any(a in signs and b in signs and signs[a] != signs[b] for a, b in clash):
            return
        mask = sum(1 << x for x in signs)
        worst: tuple[int, int, bool] | None = None
        for a, sign in signs.items():
            for b, other in signs.items():
                if sign == other:
                    for lying in between.get((a, b), ()):
                        if not lying & mask and (worst is None or lying.bit_count() < worst[1]):
                            worst = lying, lying.bit_count(), sign
        if worst is None:
            yield dict(signs)
        elif len(signs) < LARGEST:
            for c in bits(worst[0]):
                yield from grow({**signs, c: not worst[2]})

    for label in present:
        yield from grow({label: True})


def _exercised(sequences: EventSequences, signs: Mapping[int, bool], plan: Ints) -> bool:
    """Whether each label stood often enough next to one of the other sign; `plan` is by row."""
    if len(set(signs.values())) < 2:
        return False
    projected = sequences.only(signs)
    beside = np.concatenate(projected.neighbours())
    labels, plans = projected.label[beside], plan[projected.row[beside]]
    return all(often(plans[labels == label]) for label in signs)


def often(plans: Ints) -> bool:
    """Whether something that happened once for each entry, in that plan, happened often enough."""
    return len(plans) >= EXERCISED and len(np.unique(plans)) >= PLANS


def _begins_with_add(sequences: EventSequences, signs: Mapping[int, bool]) -> bool:
    """Whether more tuples are first added than first deleted: facts are fewer than what is not."""
    projected = sequences.only(signs)
    owners = projected.owner
    first = np.append(True, owners[1:] != owners[:-1])
    added = np.isin(projected.label[first], [x for x, adds in signs.items() if adds])
    return 2 * int(np.count_nonzero(added)) >= len(added)


def _standing(
    family: Family, signs: Mapping[int, bool], plan: Ints
) -> tuple[tuple[Pattern, ...], tuple[Pattern, ...]]:
    """The patterns that always find the feature true, and those that always find it false."""
    sequences = family.sequences
    rest = [x for x in range(len(family.patterns)) if x not in signs]
    before, after = around(sequences, signs)
    held, absent = [], []
    for x in rest:
        mine = sequences.label == x
        truth = np.where(before[mine] != 0, before[mine], -after[mine])
        known = truth[truth != 0]
        if not often(plan[sequences.row[mine][before[mine] != 0]]):
            continue
        if (known > 0).all():
            held.append(family.patterns[x])
        elif (known < 0).all():
            absent.append(family.patterns[x])
    return tuple(held), tuple(absent)


def around(sequences: EventSequences, signs: Mapping[int, bool]) -> tuple[Ints, Ints]:
    """For every event the sign of the last change before it and of the next one from it on.

    1 is an add, -1 a deletion, 0 none. A change in the same row counts as one after it.
    """
    sign = np.zeros(sequences.labels, dtype=np.int64)
    for label, adds in signs.items():
        sign[label] = 1 if adds else -1
    value = sign[sequences.label]
    n = len(value)
    index = np.arange(n)
    moment = np.zeros(n, dtype=np.int64)
    moment[sequences.starts[1:]] = 1
    moment = np.cumsum(moment)
    start_of = sequences.starts[moment]
    last = np.maximum.accumulate(np.where(value != 0, index, -1))
    previous = np.where(start_of > 0, last[start_of - 1], -1)
    before = np.where(
        (previous >= 0) & (sequences.owner[previous] == sequences.owner), value[previous], 0
    )
    reverse = np.minimum.accumulate(np.where(value != 0, index, n)[::-1])[::-1]
    upcoming = reverse[start_of]
    safe = np.minimum(upcoming, n - 1)
    after = np.where((upcoming < n) & (sequences.owner[safe] == sequences.owner), value[safe], 0)
    return before, after
