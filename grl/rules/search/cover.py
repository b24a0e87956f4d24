"""The cheapest ordered list among rules whose covers are known.

An option is a body with the class that it would say and the terminal positions that it covers. A
list of options explains a terminal position when the first that covers it says its class. So an
option may cover a position of another class if one that says that class comes before it. Which
options to take is the weighted cover of `grl.las.cover`; which of them come before which is given
to clingo as a graph that has to be acyclic.

Positions are bits of integers. Costs are whole numbers, a unit of price being `UNIT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from clingo.backend import Backend
from numpy.typing import NDArray

from grl.las.clock import Clock
from grl.las.cover import Candidate, cheapest, members, undominated
from grl.las.observed import Bit, Observed
from grl.las.task import Example, Task
from grl.las.terms import Rule
from grl.model import Feature, Literal
from grl.rules.search.conjunctions import Spelled

Column = NDArray[np.bool_]

UNIT = 1000
"""Prices differ from a thousandth on."""
MOST_OPTIONS = 1_500
"""Of more options that none dominates no cheapest list is sought within an effort."""
EFFORT = 4_000
"""Conflicts of clingo, which are the same on any machine, after which the greedy list stands."""


class Option(NamedTuple):
    """A body, the class that it says, its cost with that of a rule, and the bits that it covers."""

    body: tuple[Literal, ...]
    kind: int
    cost: int
    covers: int


def whole(price: float) -> int:
    """A price as a whole number."""
    return round(price * UNIT)


def masks(kinds: Sequence[int]) -> dict[int, int]:
    """For each class the bits of its positions; position i has the class ``kinds[i]``."""
    found = dict.fromkeys(sorted(set(kinds)), 0)
    for bit, kind in enumerate(kinds):
        found[kind] |= 1 << bit
    return found


def packed_rows(rows: Column) -> int:
    """The rows that hold, as bits."""
    return int.from_bytes(np.packbits(rows, bitorder="little").tobytes(), "little")


def covers_of(body: Iterable[Literal], columns: Mapping[Feature, Column], number: int) -> int:
    """Of so many rows those on which all literals agree with their columns, as bits."""
    found = (1 << number) - 1
    for feature, holds in body:
        bits = packed_rows(columns[feature])
        found &= bits if holds else ~bits
    return found


def cheapest_list(
    options: Iterable[Option],
    kinds: Sequence[int],
    wanted: int,
    below: int,
    *,
    clock: Clock | None = None,
    effort: int | None = None,
) -> tuple[Option, ...] | None:
    """The list of least cost, less than `below`, that explains the positions `wanted`.

    Of the other positions it may leave some uncovered and says nothing wrong. None where there is
    no such list, or where clingo found none within `effort` conflicts. Raises `OutOfTime` when the
    clock runs out.
    """
    own = masks(kinds)
    usable = _usable(options, own, below)
    covered = 0
    for one in usable:
        covered |= one.covers & own[one.kind]
    if wanted & ~covered or (effort is not None and len(usable) > MOST_OPTIONS):
        return None
    if least_cost(usable, own, wanted) >= below:
        return None
    groups = _Groups(usable, own, len(kinds))
    needed = groups.least(wanted)
    names = [f"e{number}" for number in range(len(needed))]
    task = Task(examples=tuple(Example(name, True, (name,), ()) for name in names))
    bits = tuple(Bit(0, name, None, True, False) for name in names)
    candidates = [
        Candidate(
            _named(number, one.cost),
            sum(1 << at for at, n in enumerate(needed) if groups.explaining[n] >> number & 1),
        )
        for number, one in enumerate(usable)
    ]

    def ordered(backend: Backend, chosen: Sequence[int]) -> None:
        _add_order(backend, chosen, usable, own, groups)

    found = cheapest(
        task,
        Observed((), bits, (), frozenset()),
        candidates,
        clock or Clock(),
        lambda _: None,
        below,
        further=ordered,
        options=() if effort is None else (f"--solve-limit={effort}",),
    )
    if found is None:
        return None
    taken = [usable[candidates.index(one)] for one in found.chosen]
    return in_order(taken, own)


def least_cost(options: Iterable[Option], own: dict[int, int], wanted: int) -> int:
    """A bound from below: each class of which some position is wanted takes its cheapest option."""
    cheapest_of: dict[int, int] = {}
    for one in options:
        if own[one.kind] & wanted & one.covers:
            cheapest_of[one.kind] = min(cheapest_of.get(one.kind, one.cost), one.cost)
    return sum(cheapest_of.values())


def in_order(options: Sequence[Option], own: dict[int, int]) -> tuple[Option, ...]:
    """The options in an order by which the first that covers a position says its class.

    Of those that may come next the one that covers most of what is left does. What is in the way of
    every order is left out.
    """
    left = list(options)
    done = 0
    found: list[Option] = []
    while True:
        free = [one for one in left if not one.covers & ~own[one.kind] & ~done]
        if not free:
            return tuple(found)
        best = min(
            free, key=lambda one: (-(one.covers & ~done).bit_count(), one.cost, Spelled(one.body))
        )
        left.remove(best)
        found.append(best)
        done |= best.covers & own[best.kind]


def supported(options: Sequence[Option], kinds: Sequence[int]) -> Iterator[tuple[Option, int]]:
    """Each option of a list with the number of positions that it is the first to cover."""
    left = (1 << len(kinds)) - 1
    for one in options:
        yield one, (one.covers & left).bit_count()
        left &= ~one.covers


def _usable(options: Iterable[Option], own: dict[int, int], below: int) -> list[Option]:
    """The options that none dominates, without those that no others can make room for."""
    by_kind: dict[int, list[Option]] = {kind: [] for kind in own}
    for one in options:
        if one.cost < below and one.covers & own[one.kind]:
            by_kind[one.kind].append(one)
    kept: list[Option] = []
    for kind, each in by_kind.items():
        ordered = sorted(each, key=lambda one: (one.cost, Spelled(one.body)))
        place = {
            Candidate(_named(number, one.cost), one.covers): one
            for number, one in enumerate(ordered)
        }
        kept += [place[candidate] for candidate in undominated(list(place), own[kind])]
    while True:
        covered = 0
        for one in kept:
            covered |= one.covers & own[one.kind]
        fewer = [one for one in kept if not one.covers & ~own[one.kind] & ~covered]
        if len(fewer) == len(kept):
            return kept
        kept = fewer


def _named(number: int, cost: int) -> Rule:
    """An option as a rule that was written out; of equal ones the first number wins."""
    return Rule(None, (), cost, f"option({number:06})")


class _Groups:
    """The wanted and other positions, in groups that the same options explain."""

    def __init__(self, options: Sequence[Option], own: dict[int, int], number: int) -> None:
        rights = [_unpacked(one.covers & own[one.kind], number) for one in options]
        explained = np.packbits(np.array(rights).T, axis=1, bitorder="little")
        found: dict[bytes, int] = {}
        for bit, key in enumerate(map(bytes, explained)):
            found[key] = found.get(key, 0) | 1 << bit
        sets = {int.from_bytes(key, "little"): bits for key, bits in found.items()}
        sets.pop(0, None)
        ordered = sorted((each.bit_count(), members(each), each) for each in sets)
        self.explaining = [each for _, _, each in ordered]
        """Of each group the options, as bits; those with fewer come first."""
        self.bits = [sets[each] for each in self.explaining]
        """The positions of each group."""

    def least(self, positions: int) -> list[int]:
        """The groups that meet some positions, without those that are explained with another."""
        found: dict[int, int] = {}
        for at, bits in enumerate(self.bits):
            each = self.explaining[at]
            if bits & positions and all(one & ~each for one in found.values()):
                found[at] = each
        return list(found)


def _unpacked(bits: int, number: int) -> Column:
    rows = np.frombuffer(bits.to_bytes(-(-number // 8), "little"), dtype=np.uint8)
    return np.unpackbits(rows, count=number, bitorder="little").astype(np.bool_)


def _add_order(
    backend: Backend,
    chosen: Sequence[int],
    options: Sequence[Option],
    own: dict[int, int],
    groups: _Groups,
) -> None:
    """Constraints: what an option says wrongly another one has said rightly before it.

    Options come before the positions that they explain, and those before the options that are wrong
    there: a graph that has to be acyclic.
    """
    explained: dict[int, int] = {}
    for number, one in enumerate(options):
        for at in groups.least(one.covers & ~own[one.kind]):
            if at not in explained:
                explained[at] = backend.add_atom()
                for first in members(groups.explaining[at]):
                    does = backend.add_atom()
                    backend.add_rule([does], [chosen[first]], True)
                    backend.add_rule([explained[at]], [does])
                    backend.add_acyc_edge(first, len(options) + at, [does])
            backend.add_rule([], [chosen[number], -explained[at]])
            backend.add_acyc_edge(len(options) + at, number, [chosen[number]])
