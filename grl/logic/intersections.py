"""Intersections of a few sets of squares that have a target and nothing outside.

The squares of several rows are words of bits, a square of a row a bit; sets have them in some
directions or without. A search goes through the literals, sets that are to hold or not to hold:
greedily at first, then by branching over those that exclude one square that has to go. Where there
is a compiler it is done in C (``intersections.c``), with the same result.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf, log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.compiler import Kernel
from grl.logic.grid import DIRECTIONS, Bools
from grl.logic.ops.lines import SOME_WAY
from grl.logic.ops.sets import BOTH, WITHOUT
from grl.logic.rows import Rows, Values
from grl.logic.terms import Term, make

MOST_VALUES = 100_000_000
"""Values of terms are let go of once they take so many bytes."""
MOST_LITERALS = 5
NEGATION = 0.5
"""What a literal costs more that is not to hold."""

Squares = NDArray[np.uint64]
"""Squares of all rows as words, the first word of the last squares."""
Sets = NDArray[np.uint64]
"""Such squares by direction, or one row of words for all."""

_KERNEL = Kernel(__package__, "intersections", worth=2)


class Found(NamedTuple):
    """A term, and what it costs to name it among the terms tried, in bits."""

    term: Term
    bits: float
    whole: bool = True
    """Whether all squares are denoted, not only some of them and no other."""


class Literal(NamedTuple):
    """A term that is to hold, or not to, with the squares that it denotes."""

    term: Term
    holds: bool
    sets: Sets

    @property
    def price(self) -> float:
        """What it costs to say so."""
        return self.term.price + (0.0 if self.holds else NEGATION)


class Places:
    """The squares of some rows, all of them or those `among` which others are sought, as words of
    bits: a square of a row a bit."""

    def __init__(self, rows: Rows, among: Bools | None = None) -> None:
        self.rows, self._among = rows, among
        self.everywhere = self.packed(np.ones((len(rows), 1, rows.grid.size), dtype=np.bool_))

    @property
    def some(self) -> bool:
        """Whether these aren't all squares."""
        return self._among is not None

    def packed(self, values: Values) -> Sets:
        """Truths, rows × directions × squares, as words of bits: directions × words."""
        if self._among is None:
            return packed(values)
        row, square = np.nonzero(self._among)
        return packed(values[row, :, square][:, :, None])

    def sets(self, term: Term) -> Sets:
        """What a term denotes."""
        return self.packed(self.rows.full(term))


class Literals:
    """The literals there are along some `ways`, or without, cheap ones first.

    They are intersected with the squares `start`.
    """

    def __init__(self, ways: str | None, start: Sets, literals: Sequence[Literal]) -> None:
        self.ways, self.start, self.literals = ways, start, literals

    @classmethod
    def of(
        cls, places: Places, ways: str | None, candidates: Sequence[tuple[Term, Sets]]
    ) -> Literals:
        """Those that some terms make on the rows; equal prices in this order."""
        start, rows = places.everywhere, places.rows
        if ways is not None:
            shape = (len(rows), len(DIRECTIONS), rows.grid.size)
            start = places.packed(np.broadcast_to(rows.ways(ways), shape))
        found = [
            Literal(term, holds, sets)
            for term, sets in candidates
            if ways is not None or len(sets) == 1
            for holds in (True, False)
            if (start & (~sets if holds else sets)).any()
        ]
        return cls(ways, start, sorted(found, key=lambda each: each.price))

    @cached_property
    def table(self) -> _Table:
        """The same as the search in C takes it."""
        literals = self.literals
        return _Table(
            np.array([each.sets.ctypes.data for each in literals], dtype=np.uint64),
            np.array(
                [each.sets.shape[1] * (len(each.sets) > 1) for each in literals], dtype=np.int64
            ),
            np.array([each.price for each in literals], dtype=np.float64),
            np.array([each.holds for each in literals], dtype=np.bool_),
        )


class _Table(NamedTuple):
    """Where the sets of literals are, how far apart their directions, their prices, which hold."""

    sets: NDArray[np.uint64]
    strides: NDArray[np.int64]
    prices: NDArray[np.float64]
    holds: NDArray[np.bool_]


class Search:
    """The search for intersections that have a target and nothing outside."""

    def __init__(self, ground: Literals, target: Squares, outside: Squares) -> None:
        self.ground, self.target, self.outside = ground, target, outside

    def run(self, steps: int, below: float | None) -> tuple[Found | None, Found | None]:
        """An intersection found greedily, and the cheapest one met if cheaper than `below`.

        The second costs no more than the first; `steps` bounds how many partial ones are looked at.
        """
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

    def gaining(self) -> Found | None:
        """An intersection of what gains most of the target each time, with nothing outside.

        It may have a part of the target alone. A gain is that of FOIL (Quinlan 1990): the squares
        kept times the bits by which they are more of all that are left.
        """
        left, chosen = self.ground.start, list[Literal]()
        while (left & self.outside).any() and len(chosen) < MOST_LITERALS:
            before = self._purity(left)[1]
            best: tuple[float, Literal, Sets] | None = None
            for literal in self.ground.literals:
                further = left & (literal.sets if literal.holds else ~literal.sets)
                kept, purity = self._purity(further)
                gain = round(kept * (purity - before), 6) if kept else 0.0
                if gain > (0.0 if best is None else best[0]):
                    best = gain, literal, further
            if best is None:
                return None
            chosen.append(best[1])
            left = best[2]
        if (left & self.outside).any() or not any(literal.holds for literal in chosen):
            return None
        return self._found(chosen, len(self.ground.literals))

    def _purity(self, sets: Sets) -> tuple[int, float]:
        """How many squares of the target there are, and the bits of their share."""
        kept = _count(joined(sets) & self.target)
        return kept, log2(kept / (kept + _count(sets & self.outside))) if kept else -inf

    def _native(
        self, function: Callable[..., int], steps: int, limit: float
    ) -> tuple[list[Literal], list[Literal], int]:
        """What the search in C finds, and of how many literals; raises `MemoryError`."""
        table, literals = self.ground.table, self.ground.literals
        found = np.zeros((2, MOST_LITERALS + 1), dtype=np.int32)
        start = np.ascontiguousarray(self.ground.start)
        ways, words = start.shape
        pointer = ctypes.c_void_p
        number = function(
            pointer(table.sets.ctypes.data), pointer(table.strides.ctypes.data),
            pointer(table.prices.ctypes.data), pointer(table.holds.ctypes.data),
            len(literals), ways, words, pointer(start.ctypes.data),
            pointer(self.target.ctypes.data), pointer(self.outside.ctypes.data),
            MOST_LITERALS, ctypes.c_long(steps), ctypes.c_double(BOTH.price),
            ctypes.c_double(limit), pointer(found[0].ctypes.data), pointer(found[1].ctypes.data),
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

    def __init__(self, ground: Literals, target: Squares, outside: Squares) -> None:
        self.target, self.outside, self.start = target, outside, ground.start
        sets = [each.sets if each.holds else ~each.sets for each in ground.literals]
        kept = [at for at, each in enumerate(sets) if self._has_target(self.start & each)]
        self.literals = [ground.literals[at] for at in kept]
        self.sets = [sets[at] for at in kept]

    def run(self, steps: int, limit: float) -> tuple[list[Literal], list[Literal]]:
        """The literals found greedily, and those that cost least; none where there are none.

        The second cost less than `limit`, if the first don't.
        """
        self._steps = steps
        self._best = list[int]()
        self._price = inf
        self._greedy()
        first = self._best
        if limit < self._price:
            self._best, self._price = [], limit
        self._grow(self.start, [], 0.0)
        return [self.literals[at] for at in first], [self.literals[at] for at in self._best]

    def _has_target(self, sets: Sets) -> bool:
        return not (self.target & ~joined(sets)).any()

    def _some_holds(self, chosen: Sequence[int]) -> bool:
        return any(self.literals[at].holds for at in chosen)

    def _greedy(self) -> None:
        """A first intersection, by the literal that leaves the purest set each time.

        It is not the cheapest, but bounds what the search has to look at.
        """
        left, chosen, price = self.start, list[int](), 0.0
        while len(chosen) < MOST_LITERALS:
            best: tuple[float, int, float, int] | None = None
            for at, (literal, sets) in enumerate(zip(self.literals, self.sets, strict=True)):
                further = left & sets
                if not self._has_target(further) or (further == left).all():
                    continue
                kept = _count(joined(further) & ~self.outside)
                surplus = _count(further & self.outside)
                rank = (-kept / (kept + surplus), -kept, literal.price, at)
                if best is None or rank < best:
                    best = rank
            if best is None:
                return
            price += best[2] + (BOTH.price if chosen else 0.0)
            chosen.append(best[3])
            left = left & self.sets[best[3]]
            if not (left & self.outside).any():
                if self._some_holds(chosen):
                    self._best, self._price = chosen, price
                return

    def _grow(self, left: Sets, chosen: list[int], price: float) -> None:
        surplus = (left & self.outside).ravel()
        places = np.flatnonzero(surplus)
        if not len(places):
            if self._some_holds(chosen):
                self._best, self._price = list(chosen), price
            return
        if len(chosen) == MOST_LITERALS:
            return
        way, word = divmod(int(places[0]), left.shape[1])
        bits = int(surplus[places[0]])
        bit = bits & -bits
        for at, (literal, sets) in enumerate(zip(self.literals, self.sets, strict=True)):
            total = price + literal.price + (BOTH.price if chosen else 0.0)
            if total >= self._price:
                break
            if int(sets[way % len(sets), word]) & bit:
                continue
            self._steps -= 1
            if self._steps < 0:
                return
            further = left & sets
            if self._has_target(further):
                self._grow(further, [*chosen, at], total)


def joined(sets: Sets) -> Squares:
    """The squares in any direction."""
    found: Squares = np.bitwise_or.reduce(sets, axis=0)
    return found


def _count(squares: NDArray[np.uint64]) -> int:
    return int(np.bitwise_count(squares).sum())


def packed(values: Values) -> Sets:
    """Truths, rows × directions × squares, as words of bits: directions × words.

    The last square is the lowest bit of the first word.
    """
    rows, ways, size = values.shape
    width = 64 * -(-rows * size // 64)
    flat = np.zeros((ways, width), dtype=np.bool_)
    flat[:, width - rows * size :] = values.swapaxes(0, 1).reshape(ways, rows * size)
    return np.ascontiguousarray(np.packbits(flat, axis=1)[:, ::-1]).view(np.uint64)
