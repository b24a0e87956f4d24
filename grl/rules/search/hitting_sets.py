"""The search for one rule: a short conjunction that covers a bad row and no good one.

Rows are integers with a bit an atom. A conjunction that covers a seed agrees with the seed on some
atoms; it spares a good row when it holds an atom on which seed and row differ. So the bodies that
cover the seed and spare all good rows are the hitting sets of those differences, and the cheapest
are found by branching on the smallest difference that is not hit yet, under a rising bound of cost.
Where there is a compiler the branching is done in C, with the same result.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grl.compiler import Kernel
from grl.las.cover import members
from grl.rules.search.packed import column_words, row_words

SUBSETS = 300
"""How many of the smallest differences are used to drop those that contain them."""

_KERNEL = Kernel(__package__, "hitting_sets", worth=300)


class Family:
    """Sets of atoms, the smallest first, also transposed: `missed(a)` are those without atom a.

    A set of atoms is an integer with a bit an atom, some of the sets one with a bit a set, so that
    its lowest bit is the smallest of them. In `rows` and `columns` both stand as words of 64 bits.
    """

    def __init__(self, table: NDArray[np.bool_], seed: NDArray[np.bool_] | None = None) -> None:
        """The rows of a table, sets × atoms, no two of them equal, or where they differ from a
        `seed`."""
        self.size, self.atoms = table.shape
        seed = np.zeros(self.atoms, dtype=np.bool_) if seed is None else seed
        rows = row_words(table) ^ row_words(seed[None])
        order = np.argsort(np.bitwise_count(rows).sum(axis=1), kind="stable")
        self.rows = rows[order]
        self.empty = self.size > 0 and not bool(self.rows[0].any())
        self.columns = column_words(table[order])
        self.columns[~seed] ^= row_words(np.ones((1, self.size), dtype=np.bool_))
        self.everything = (1 << self.size) - 1
        self._missed: dict[int, int] = {}

    @cached_property
    def sets(self) -> list[int]:
        """The sets of atoms."""
        return [int.from_bytes(row.tobytes(), "little") for row in self.rows]

    def missed(self, atom: int) -> int:
        """The sets without an atom."""
        if atom not in self._missed:
            self._missed[atom] = int.from_bytes(self.columns[atom].tobytes(), "little")
        return self._missed[atom]

    def missed_by(self, chosen: int) -> int:
        """The sets that some atoms don't meet."""
        left: int = self.everything
        for atom in members(chosen):
            left &= self.missed(atom)
        return left


def hitting_sets(
    family: Family,
    costs: Sequence[float],
    among: int | None = None,
    *,
    longest: int = 5,
    slack: float = 1.0,
    most: int = 60,
    nodes: int = 6_000,
) -> list[int]:
    """Cheap sets of atoms that meet every set of a family, as integers; [] when there is none.

    `costs` has an entry above 0 an atom, `longest` bounds the number of atoms; only the sets
    `among` the family, if given, are to be met. Sets that cost up to `slack` more than the cheapest
    come too, at most `most` of them. `nodes` bounds the search.
    """
    if family.empty:
        return []
    among = family.everything if among is None else among
    function = _KERNEL.function() if among else None
    if function is not None:
        found = _native(function, family, among, costs, longest, slack, most, nodes)
        return sorted(found, key=lambda each: (found[each], each))
    search = _Search(family, among, costs, longest=longest, most=most, nodes=nodes)
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


def _native(
    function: Callable[..., int],
    family: Family,
    among: int,
    costs: Sequence[float],
    longest: int,
    slack: float,
    most: int,
    nodes: int,
) -> dict[int, float]:
    """What `_Search` finds, with its cost, by the same search in C; raises `MemoryError`."""
    words = family.rows.shape[1]
    chosen = np.zeros((most, words), dtype=np.uint64)
    paid = np.zeros(most, dtype=np.float64)
    prices = np.array(costs, dtype=np.float64)
    some = np.frombuffer(among.to_bytes(8 * family.columns.shape[1], "little"), dtype=np.uint64)
    pointer = ctypes.c_void_p
    count = function(
        pointer(family.rows.ctypes.data), pointer(family.columns.ctypes.data),
        family.size, family.atoms, pointer(some.ctypes.data), pointer(prices.ctypes.data),
        longest, most, ctypes.c_long(nodes), ctypes.c_double(slack),
        pointer(chosen.ctypes.data), pointer(paid.ctypes.data),
    )  # fmt: skip
    if count < 0:
        raise MemoryError
    return {int.from_bytes(chosen[at].tobytes(), "little"): float(paid[at]) for at in range(count)}


class _Search:
    """The state of a search under a rising bound of cost.

    So many atoms meet at most `reach` sets; `wide` are by number the atoms that meet at least so
    many.
    """

    def __init__(
        self,
        family: Family,
        among: int,
        costs: Sequence[float],
        *,
        longest: int,
        most: int,
        nodes: int,
    ) -> None:
        self.sets = family.sets
        self.missed = [family.missed(atom) for atom in range(family.atoms)]
        self.among = among
        self.costs = costs
        self.cheapest = min(costs, default=1.0)
        self.longest = longest
        self.most = most
        self.nodes = nodes
        self.found: dict[int, float] = {}
        total = among.bit_count()
        sizes = [total - (among & missed).bit_count() for missed in self.missed]
        widest = sorted(sizes, reverse=True)[:longest]
        self.reach = [sum(widest[:number]) for number in range(longest + 1)]
        self.wide = [0] * (total + 1)
        for atom, meets in enumerate(sizes):
            self.wide[meets] |= 1 << atom
        for number in range(total - 1, -1, -1):
            self.wide[number] |= self.wide[number + 1]

    def run(self, bound: float) -> None:
        """Find the sets whose cost is at most `bound`."""
        self.bound = bound
        self.nodes -= 1
        if self.nodes <= 0 or len(self.found) >= self.most:
            return
        if not self.among:
            self.found[0] = 0.0
            return
        more = min(self.longest, int(bound / self.cheapest))
        if self.among.bit_count() <= self.reach[more]:
            self._grow(self.among, 0, 0.0, more, self.longest, 0)

    def _grow(
        self, remaining: int, chosen: int, cost: float, more: int, longest: int, banned: int
    ) -> None:
        """Go on from some atoms, of which `more` at most may follow by cost and by `longest`.

        Whether a node is worth going on from is seen before it is entered: most aren't.
        """
        costs, missed, reach = self.costs, self.missed, self.reach
        bound, found = self.bound, self.found
        atoms = self.sets[(remaining & -remaining).bit_length() - 1] & ~banned
        if more == 1:
            atoms = self._common(atoms & self.wide[remaining.bit_count()], remaining)
        longest -= 1
        while atoms:
            bit = atoms & -atoms
            atoms ^= bit
            atom = bit.bit_length() - 1
            total = cost + costs[atom]
            if total > bound:
                continue
            self.nodes -= 1
            if self.nodes <= 0 or len(found) >= self.most:
                return
            left = remaining & missed[atom]
            if not left:
                found[chosen | bit] = total
            else:
                further = min(longest, int((bound - total) / self.cheapest))
                if left.bit_count() <= reach[further]:
                    self._grow(left, chosen | bit, total, further, longest, banned)
            banned |= bit

    def _common(self, atoms: int, remaining: int) -> int:
        """Those of the atoms that meet all that remains."""
        while remaining and atoms:
            lowest = remaining & -remaining
            atoms &= self.sets[lowest.bit_length() - 1]
            remaining ^= lowest
        return atoms


def minimal_sets(sets: Sequence[int]) -> list[int]:
    """The sets, smallest first, without those that contain one of the first `SUBSETS`."""
    kept: list[int] = []
    for candidate in sorted(set(sets), key=lambda s: (s.bit_count(), s)):
        if not any(small & candidate == small for small in kept[:SUBSETS]):
            kept.append(candidate)
    return kept
