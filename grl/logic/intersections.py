"""Intersections of a few sets of squares that have a target and nothing outside.

The squares of several rows, in some directions or without, are integers with a bit a square of a
row. A search goes through the literals, sets that are to hold or not to hold: greedily at first,
then by branching over those that exclude one square that has to go. Where there is a compiler it is
done in C (``intersections.c``), with the same result.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.compiler import Kernel
from grl.logic.grid import DIRECTIONS
from grl.logic.ops.lines import SOME_WAY
from grl.logic.ops.sets import BOTH, WITHOUT
from grl.logic.rows import Rows, Values
from grl.logic.terms import Term, make

MOST_LITERALS = 5
NEGATION = 0.5
"""What a literal costs more that is not to hold."""

Sets = tuple[int, ...]
"""Squares of all rows as integers: one, or one for each direction."""
Words = NDArray[np.uint64]

_KERNEL = Kernel(__package__, "intersections", worth=2)


@dataclass(frozen=True)
class Found:
    """A term, and what it costs to name it among the terms tried, in bits."""

    term: Term
    bits: float
    whole: bool = True
    """Whether all squares are denoted, not only some of them and no other."""


@dataclass(frozen=True)
class Literal:
    """A term that is to hold, or not to, with its squares among those that come into question."""

    term: Term
    holds: bool
    sets: Sets
    joined: int
    """The squares in any of the sets."""

    @property
    def price(self) -> float:
        """What it costs to say so."""
        return self.term.price + (0.0 if self.holds else NEGATION)


class Literals:
    """The literals there are along some `ways`, or without, cheap ones first, and all squares.

    `bits` says how many squares there are on all rows together.
    """

    def __init__(
        self, ways: str | None, start: Sets, bits: int, literals: Sequence[Literal]
    ) -> None:
        self.ways, self.start, self.bits, self.literals = ways, start, bits, literals
        self.joined = joined(start)

    @classmethod
    def of(cls, rows: Rows, ways: str | None, candidates: Sequence[tuple[Term, Sets]]) -> Literals:
        """Those that some terms make, with their sets on the rows; equal prices in this order."""
        everything = ones(len(rows), rows.grid.size)[0]
        start: Sets = (everything,)
        if ways is not None:
            shape = (len(rows), len(DIRECTIONS), rows.grid.size)
            start = packed(np.broadcast_to(rows.ways(ways), shape))
        found = []
        for number, (term, sets) in enumerate(candidates):
            if ways is None and len(sets) > 1:
                continue
            for holds in (True, False):
                kept = sets if holds else tuple(everything & ~each for each in sets)
                spread = kept * len(start) if len(kept) < len(start) else kept
                left = tuple(a & b for a, b in zip(start, spread, strict=True))
                if left != start:
                    literal = Literal(term, holds, left, joined(left))
                    found.append((literal.price, number, not holds, literal))
        ranked = [each[-1] for each in sorted(found, key=lambda each: each[:3])]
        return cls(ways, start, len(rows) * rows.grid.size, ranked)

    @property
    def room(self) -> int:
        """How many bytes the sets take, about."""
        return len(self.literals) * len(self.start) * self.bits // 8

    @cached_property
    def table(self) -> _Table:
        """The same as arrays."""
        prices = [literal.price for literal in self.literals]
        holds = [literal.holds for literal in self.literals]
        sets = [each for literal in self.literals for each in literal.sets]
        return _Table(
            words_of(sets, self.bits),
            words_of(self.start, self.bits),
            np.array(prices, dtype=np.float64),
            np.array(holds, dtype=np.bool_),
        )


class _Table(NamedTuple):
    """Sets as words, a row a literal and direction, with what the literals cost; and the first."""

    sets: Words
    start: Words
    prices: NDArray[np.float64]
    holds: NDArray[np.bool_]


class Search:
    """The search for intersections that have a target and nothing outside."""

    def __init__(self, ground: Literals, target: int, outside: int) -> None:
        self.ground, self.target, self.outside = ground, target, outside

    def run(self, steps: int, below: float | None) -> tuple[Found | None, Found | None]:
        """An intersection found greedily, and the cheapest one met if cheaper than `below`.

        The second costs no more than the first; `steps` bounds how many partial ones are looked at.
        """
        if self.target & ~self.ground.joined:
            return None, None
        limit = inf
        if below is not None:
            limit = below - (0.0 if self.ground.ways is None else SOME_WAY.price)
        function = _KERNEL.function()
        if function is None:
            search = _Branching(self.ground, self.target, self.outside)
            first, best = search.run(steps, limit)
            number = len(search.literals)
        else:
            first, best, number = self._native(function, steps, limit)
        return self._found(first, number), self._found(best, number)

    def _native(
        self, function: Callable[..., int], steps: int, limit: float
    ) -> tuple[list[Literal], list[Literal], int]:
        """What the search in C finds, and of how many literals; raises `MemoryError`."""
        table, literals = self.ground.table, self.ground.literals
        target, outside = words_of((self.target, self.outside), self.ground.bits)
        found = np.zeros((2, MOST_LITERALS + 1), dtype=np.int32)
        ways, words = table.start.shape
        pointer = ctypes.c_void_p
        number = function(
            pointer(table.sets.ctypes.data), pointer(table.prices.ctypes.data),
            pointer(table.holds.ctypes.data), len(literals), ways, words,
            pointer(table.start.ctypes.data), pointer(target.ctypes.data),
            pointer(outside.ctypes.data), MOST_LITERALS, ctypes.c_long(steps),
            ctypes.c_double(BOTH.price), ctypes.c_double(limit),
            pointer(found[0].ctypes.data), pointer(found[1].ctypes.data),
        )  # fmt: skip
        if number < 0:
            raise MemoryError
        first, best = ([literals[at] for at in row[1 : 1 + row[0]]] for row in found.tolist())
        return first, best, number

    def _found(self, chosen: Sequence[Literal], number: int) -> Found | None:
        """The intersection of some literals, one at least, among so `number` many."""
        if not chosen:
            return None
        return Found(self._term(chosen), log2(number + 2) * len(chosen))

    def _term(self, chosen: Sequence[Literal]) -> Term:
        ordered = sorted(chosen, key=lambda each: (not each.holds, each.term))
        term = ordered[0].term
        for literal in ordered[1:]:
            term = make(BOTH if literal.holds else WITHOUT, term, literal.term)
        return term if self.ground.ways is None else make(SOME_WAY, self.ground.ways, term)


class _Branching:
    """The search in Python; of the literals only those come into question that have the target."""

    def __init__(self, ground: Literals, target: int, outside: int) -> None:
        self.target, self.outside, self.start = target, outside, ground.start
        self.literals = [each for each in ground.literals if not target & ~each.joined]

    def run(self, steps: int, limit: float) -> tuple[list[Literal], list[Literal]]:
        """The literals found greedily, and those that cost least; none where there are none.

        The second cost less than `limit`, if the first don't.
        """
        self._steps = steps
        self._best = list[Literal]()
        self._price = inf
        self._greedy()
        first = self._best
        if limit < self._price:
            self._best, self._price = [], limit
        self._grow(self.start, [], 0.0)
        return first, self._best

    def _greedy(self) -> None:
        """A first intersection, by the literal that leaves the purest set each time.

        It is not the cheapest, but bounds what the search has to look at.
        """
        left, chosen, price = self.start, list[Literal](), 0.0
        wanted = ~self.outside
        while len(chosen) < MOST_LITERALS:
            best: tuple[float, int, float, int] | None = None
            for number, literal in enumerate(self.literals):
                further = tuple(a & b for a, b in zip(left, literal.sets, strict=True))
                whole = joined(further)
                if self.target & ~whole or further == left:
                    continue
                kept = (whole & wanted).bit_count()
                surplus = sum((each & self.outside).bit_count() for each in further)
                rank = (-kept / (kept + surplus), -kept, literal.price, number)
                if best is None or rank < best:
                    best = rank
            if best is None:
                return
            literal = self.literals[best[3]]
            price += literal.price + (BOTH.price if chosen else 0.0)
            chosen.append(literal)
            left = tuple(a & b for a, b in zip(left, literal.sets, strict=True))
            if not joined(left) & self.outside:
                if any(each.holds for each in chosen):
                    self._best, self._price = chosen, price
                return

    def _grow(self, left: Sets, chosen: list[Literal], price: float) -> None:
        surplus = [each & self.outside for each in left]
        at = next((d for d, each in enumerate(surplus) if each), None)
        if at is None:
            if chosen and any(literal.holds for literal in chosen):
                self._best, self._price = list(chosen), price
            return
        if len(chosen) == MOST_LITERALS:
            return
        bit = surplus[at] & -surplus[at]
        for literal in self.literals:
            total = price + literal.price + (BOTH.price if chosen else 0.0)
            if total >= self._price:
                break
            if literal.sets[at] & bit:
                continue
            self._steps -= 1
            if self._steps < 0:
                return
            further = tuple(a & b for a, b in zip(left, literal.sets, strict=True))
            if not self.target & ~joined(further):
                self._grow(further, [*chosen, literal], total)


def joined(sets: Sets) -> int:
    found = 0
    for each in sets:
        found |= each
    return found


def packed(values: Values) -> Sets:
    """Truths as integers, a direction each."""
    return tuple(
        int.from_bytes(np.packbits(values[:, d]).tobytes(), "big") for d in range(values.shape[1])
    )


def ones(rows: int, size: int) -> Sets:
    return packed(np.ones((rows, 1, size), dtype=np.bool_))


def words_of(sets: Sequence[int], bits: int) -> Words:
    """Sets of so many squares as rows of words, the lowest bit of the first word first."""
    size = 8 * -(-bits // 64)
    text = b"".join(each.to_bytes(size, "little") for each in sets)
    return np.frombuffer(text, dtype=np.uint64).reshape(len(sets), -1)
