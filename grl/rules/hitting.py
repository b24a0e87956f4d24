"""The search for one rule: a short conjunction that covers a bad row and no good one.

Rows are integers with a bit an atom. A conjunction that covers a seed agrees with the seed on some
atoms; it spares a good row when it holds an atom on which seed and row differ. So the bodies that
cover the seed and spare all good rows are the hitting sets of those differences, and the cheapest
are found by branching on the smallest difference that is not hit yet, under a rising bound of cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

SUBSETS = 300
"""How many of the smallest differences are used to drop those that contain them."""


def hitting_sets(
    differences: Sequence[int],
    costs: Sequence[float],
    *,
    longest: int = 5,
    slack: float = 1.0,
    most: int = 60,
    nodes: int = 6_000,
) -> list[int]:
    """Cheap sets of atoms that meet every difference, as integers; [] when there is none.

    `costs` has an entry an atom, `longest` bounds the number of atoms. Sets that cost up to
    `slack` more than the cheapest come too, at most `most` of them. `nodes` bounds the search.
    """
    minimal = minimal_sets(differences)
    if minimal and minimal[0] == 0:
        return []
    search = _Search(minimal, costs, longest, most, nodes)
    bound = 1.0
    step = 1.0
    while bound <= longest * 4:
        search.run(bound)
        if search.found or search.nodes <= 0:
            break
        bound += step
    if search.found and search.nodes > 0 and slack:
        cheapest = min(search.found.values())
        search.run(cheapest + slack)
    return sorted(search.found, key=lambda found: (search.found[found], found))


def minimal_sets(sets: Sequence[int]) -> list[int]:
    """The sets, smallest first, without those that contain one of the first `SUBSETS`."""
    kept: list[int] = []
    for candidate in sorted(set(sets), key=lambda s: (s.bit_count(), s)):
        if not any(small & candidate == small for small in kept[:SUBSETS]):
            kept.append(candidate)
    return kept


class _Search:
    """The differences, the smallest first, also transposed: `missed[a]` are those without atom a.

    What is not hit yet is an integer with a bit a difference, so that its lowest bit is the
    smallest of them.
    """

    def __init__(
        self, minimal: list[int], costs: Sequence[float], longest: int, most: int, nodes: int
    ) -> None:
        self.minimal = minimal
        self.missed = _missed(minimal, len(costs))
        self.costs = costs
        self.cheapest = min(costs, default=0.0)
        self.longest = longest
        self.most = most
        self.nodes = nodes
        self.found: dict[int, float] = {}

    def run(self, bound: float) -> None:
        """Find the sets whose cost is at most `bound`."""
        self.bound = bound
        self._grow((1 << len(self.minimal)) - 1, 0, 0.0, 0, 0)

    def _grow(self, remaining: int, chosen: int, cost: float, size: int, banned: int) -> None:
        self.nodes -= 1
        if self.nodes <= 0 or len(self.found) >= self.most:
            return
        if not remaining:
            self.found[chosen] = cost
            return
        if size >= self.longest:
            return
        smallest = self.minimal[(remaining & -remaining).bit_length() - 1] & ~banned
        if size == self.longest - 1 or self.bound - cost < 2 * self.cheapest:
            smallest = self._common(smallest, remaining)
        while smallest:
            bit = smallest & -smallest
            smallest ^= bit
            atom = bit.bit_length() - 1
            total = cost + self.costs[atom]
            if total <= self.bound:
                left = remaining & self.missed[atom]
                self._grow(left, chosen | bit, total, size + 1, banned)
                banned |= bit

    def _common(self, atoms: int, remaining: int) -> int:
        """Those of the atoms that meet all that remains."""
        while remaining and atoms:
            lowest = remaining & -remaining
            atoms &= self.minimal[lowest.bit_length() - 1]
            remaining ^= lowest
        return atoms


def _missed(sets: Sequence[int], atoms: int) -> list[int]:
    width = (atoms + 7) // 8
    raw = b"".join(one.to_bytes(width, "little") for one in sets)
    bytewise = np.frombuffer(raw, dtype=np.uint8).reshape(len(sets), width)
    holds = np.unpackbits(bytewise, axis=1, count=atoms, bitorder="little")
    columns = np.packbits(holds == 0, axis=0, bitorder="little").T
    return [int.from_bytes(column.tobytes(), "little") for column in columns]


def bits_of(number: int) -> Iterator[int]:
    """The positions of the set bits, lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
