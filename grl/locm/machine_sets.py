"""Which transitions belong together in one machine: LOCM2 (Cresswell and Gregory 2011).

In LOCM's machines two transitions that may follow the same one start in the same state, so both
may follow whatever the other one follows. A pair that this predicts and that was never seen is a
*hole*. LOCM2 covers each hole by a smaller set of transitions that has a machine of its own:
*well-formed*, any two rows of "may be followed by" are equal or disjoint and not all are empty,
and *valid*, the projection of every sequence to the set has no pair that isn't seen in full
sequences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from grl.locm.deadline import Deadline, passed
from grl.locm.event_sequences import bits, mask_of

LARGEST = 6
"""Sets of more transitions are not tried: what they say would be hard to read and slow to find."""


def transition_sets(
    transitions: Iterable[int],
    following: set[tuple[int, int]],
    between: Mapping[tuple[int, int], tuple[int, ...]],
    deadline: Deadline = None,
) -> list[frozenset[int]]:
    """The sets of transitions that get a machine each, the full set first.

    `following` holds the pairs seen in full sequences and `between` the least masks between two
    labels (`grl.locm.event_sequences`). After `deadline` (`time.monotonic`) no further set is
    looked for.
    """
    everything = sorted(transitions)
    rows = dict.fromkeys(everything, 0)
    for a, b in following:
        if a in rows and b in rows:
            rows[a] |= 1 << b
    found: list[int] = []
    for a, b in holes(rows):
        if passed(deadline):
            break
        both = 1 << a | 1 << b
        if any(both & known == both for known in found):
            continue
        for candidate in _candidates(a, b, everything):
            if well_formed(candidate, rows) and valid(candidate, rows, between):
                found.append(candidate)
                break
            if passed(deadline):
                break
    full = mask_of(everything)
    kept = [s for s in found if not any(s != t and s & t == s for t in found) and s != full]
    return [frozenset(everything), *(frozenset(bits(s)) for s in sorted(set(kept)))]


def holes(rows: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Pairs that equal rows would have and that were never seen, in ascending order."""
    for a in sorted(rows):
        predicted = 0
        for row in rows.values():
            if rows[a] & row:
                predicted |= row
        yield from ((a, c) for c in bits(predicted & ~rows[a]))


def _candidates(a: int, b: int, everything: list[int]) -> Iterator[int]:
    """Sets that contain a hole, the smallest first."""
    hole = 1 << a | 1 << b
    others = [c for c in everything if c not in (a, b)]
    for size in range(max(0, LARGEST - hole.bit_count()) + 1):
        for more in combinations(others, size):
            yield hole | mask_of(more)


def well_formed(candidate: int, rows: Mapping[int, int]) -> bool:
    """Whether the rows restricted to a set are equal or disjoint, and not all empty."""
    inside = [rows[a] & candidate for a in bits(candidate)]
    different = set(inside) - {0}
    return bool(different) and not any(a & b for a, b in combinations(different, 2))


def valid(
    candidate: int, rows: Mapping[int, int], between: Mapping[tuple[int, int], tuple[int, ...]]
) -> bool:
    """Whether the projection of every sequence to a set holds only pairs seen in full sequences."""
    for a in bits(candidate):
        for b in bits(candidate & ~rows[a]):
            if any(not mask & candidate for mask in between.get((a, b), ())):
                return False
    return True
