"""The cheapest term that denotes given squares on all rows.

Terms are made bottom-up, the cheap ones first; of those with equal values on the rows the cheapest
stays (observational equivalence). The squares sought are an intersection of a few such terms and
of what is outside others, along some directions or without any: a hitting set, for every square
that is not sought has to be excluded by one of them, and it is found by branching over the
literals that exclude one such square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from math import log2

import numpy as np
from numpy.typing import NDArray

from grl.board import Equipment
from grl.logic.evenly import evenly
from grl.logic.geometry import ADJACENCY, ZONES
from grl.logic.grid import DIRECTIONS
from grl.logic.ops.lines import AHEAD, BEHIND, BRINK, RUN, RUN_UP, SOME_WAY
from grl.logic.ops.places import CELL, LIES, ZONE, path, square
from grl.logic.ops.sets import BOTH, CROWD, EITHER, GROUP, NEAR, WITHOUT
from grl.logic.rows import Rows, Values
from grl.logic.terms import LARGEST, WAYS, Term, contents_of, make

MOST_LITERALS = 5
LONG = 14.0
"""Where what is found costs more, further words are tried."""
MOST_PARTS = 4
"""Of a union."""
SEEDS, SEED_STEPS = 5, 3_000
"""Squares from which parts of a union are sought, and partial intersections for each."""
MOST_STEPS = 20_000
"""Partial intersections that are looked at for one way of directions."""

MOST_CELLS = 6
"""So many squares may be named one by one."""
CROWDS = (2, 3)
"""How many neighbours of a sort a square may have to have."""

Sets = tuple[int, ...]
"""Squares of all rows as integers: one, or one for each direction."""


@dataclass(frozen=True)
class Found:
    """A term, and what it costs to name it among the terms tried, in bits."""

    term: Term
    bits: float
    whole: bool = True
    """Whether all squares are denoted, not only some of them and no other."""


def describe(rows: Rows, wanted: NDArray[np.bool_]) -> Found | None:
    """The cheapest term found that denotes `wanted` (rows × squares); None where there is none.

    Where no intersection does, it is a union: of what holds pieces of several owners, or types, and
    of the intersections that cover most of what is left. Such a union may leave some squares out,
    but has none that aren't sought.
    """
    target = _packed(wanted[:, None])[0]
    if not target:
        return None
    base = {*words(rows.equipment), *_alone(rows, wanted)}
    more = {word for word in words(rows.equipment, spared=True) if word not in base}
    search = _Sought(rows, target, base)
    whole = search.whole(target)
    found = [whole] if whole is not None else search.owners(target)
    if more and (found is None or _total(found) > LONG):
        search = _Sought(rows, target, base | more)
        other = search.whole(target)
        if other is not None and (found is None or other.term.price < _total(found)):
            found = [other]
    if found is None:
        found = search.covers(target)
    if not found:
        return None
    term, bits = found[0].term, found[0].bits
    for further in found[1:]:
        if term.size + further.term.size < LARGEST:
            term, bits = make(EITHER, term, further.term), bits + further.bits
    return Found(term, bits, bool((rows.squares(term) == wanted).all()))


def _total(found: Sequence[Found]) -> float:
    """What a union costs."""
    return sum(each.term.price for each in found) + EITHER.price * (len(found) - 1)


class _Sought:
    """Squares that are sought on some rows, with the terms of which descriptions are made."""

    def __init__(self, rows: Rows, target: int, vocabulary: Iterable[Term]) -> None:
        self.rows = rows
        self.outside = ~target & _ones(len(rows), rows.grid.size)[0]
        values: dict[Sets, Term] = {}
        for word in sorted(vocabulary):
            values.setdefault(_packed(rows.full(word)), word)
        self.candidates = [(word, sets) for sets, word in values.items()]

    def grounds(self) -> Iterator[_Literals]:
        """The literals without directions and along some, one after the other: they are large."""
        for ways in (None, *WAYS):
            yield _Literals(self.rows, ways, self.candidates)

    def whole(self, part: int) -> Found | None:
        """The cheapest intersection that has this part of the squares and nothing outside."""
        best: Found | None = None
        for ground in self.grounds():
            below = None if best is None else best.term.price
            _, found = _Search(ground, part, self.outside).run(MOST_STEPS, below)
            best = min(filter(None, (best, found)), key=_price, default=None)
        return best

    def owners(self, target: int) -> list[Found] | None:
        """An intersection for the squares with pieces of each owner; None where one has none."""
        parts = self.parted(target, typed=False)
        found = [self.whole(part) if len(parts) > 1 else None for part in parts]
        whole = [each for each in found if each is not None]
        return list(dict.fromkeys(whole)) if len(whole) == len(found) else None

    def covers(self, target: int) -> list[Found]:
        """Intersections for the squares with pieces of each type, several where one doesn't do."""
        found: list[Found] = []
        for part in self.parted(target, typed=True):
            one = self.whole(part)
            found += [one] if one is not None else self.cover(part)
        return list(dict.fromkeys(found))

    def around(self, seeds: Sequence[int]) -> Iterator[Found]:
        """Intersections with one of some squares and nothing outside: cheap and large ones."""
        best: dict[int, Found] = {}
        for ground in self.grounds():
            for seed in seeds:
                below = best[seed].term.price if seed in best else None
                large, cheap = _Search(ground, seed, self.outside).run(SEED_STEPS, below)
                if large is not None:
                    yield large
                if cheap is not None and (below is None or cheap.term < best[seed].term):
                    best[seed] = cheap
        yield from best.values()

    def parted(self, target: int, *, typed: bool) -> list[int]:
        """The squares by the owner, or the type, of the pieces that they hold."""
        contents = [c for c in contents_of(self.rows.equipment)[1:] if (":" in c) == typed]
        parts = [target & _packed(self.rows.holding(content))[0] for content in contents]
        found = [part for part in parts if part]
        rest = target & ~_joined(tuple(found))
        return [*found, rest] if rest else found

    def cover(self, part: int) -> list[Found]:
        """Intersections that together have the squares of a part, or many of them."""
        found: list[Found] = []
        left = part
        while left and len(found) < MOST_PARTS:
            best: tuple[int, float, Found, int] | None = None
            for one in self.around(evenly(_elements(left), SEEDS)):
                covered = _packed(self.rows.full(one.term))[0] & left
                rank = (-covered.bit_count(), one.term.price, one, covered)
                if best is None or rank[:2] < best[:2]:
                    best = rank
            if best is None:
                break
            found.append(best[2])
            left &= ~best[3]
        return found


def _alone(rows: Rows, wanted: NDArray[np.bool_]) -> list[Term]:
    """The squares sought in any row, as a constant, where they are few of the board."""
    width = rows.equipment.board.width
    squares = np.flatnonzero(wanted.any(axis=0)).tolist()
    if len(squares) > min(MOST_CELLS, rows.grid.size // 3):
        return []
    cells = [make(CELL, square % width + 1, square // width + 1) for square in squares]
    return [reduce(partial(make, EITHER), cells)]


def _elements(bits: int) -> list[int]:
    """The elements of a set, each as one of its own."""
    elements = []
    while bits:
        elements.append(bits & -bits)
        bits &= bits - 1
    return elements


def _packed(values: Values) -> Sets:
    """Truths as integers, a direction each."""
    return tuple(
        int.from_bytes(np.packbits(values[:, d]).tobytes(), "big") for d in range(values.shape[1])
    )


def _ones(rows: int, size: int) -> Sets:
    return _packed(np.ones((rows, 1, size), dtype=np.bool_))


def words(equipment: Equipment, *, spared: bool = False) -> Iterator[Term]:
    """The terms of which descriptions are made; with lines of all pieces but one type, if asked."""
    contents = [make(LIES, content) for content in contents_of(equipment)]
    empty, pieces = contents[0], contents[1:]
    zones = [make(ZONE, zone) for zone in ZONES]
    start, end, landing = square("start1"), square("end1"), square("captured")
    yield from (start, end, path, *contents, *zones)
    free = [make(WITHOUT, empty, zone) for zone in zones]
    links = () if equipment.board.links is None else ("links",)
    for nearness in (*ADJACENCY, *links):
        for seeds in (start, end, *contents, *zones, *free):
            beside = make(NEAR, nearness, seeds)
            yield beside
            for piece in pieces if seeds not in zones else ():
                if piece is not seeds:
                    yield make(GROUP, nearness, beside, piece)
        for number in CROWDS:
            yield from (make(CROWD, nearness, number, piece) for piece in pieces)
    brink = make(BRINK)
    yield brink
    yield from (landing, make(AHEAD, landing))
    yield from (make(AHEAD, _pushed(landing, piece)) for piece in pieces)
    for origin in (start, end, *contents):
        ahead, behind = make(AHEAD, origin), make(BEHIND, origin)
        targets = [behind]
        if origin in pieces:
            targets += [make(BEHIND, each) for each in _hostile(origin, zones, empty)]
            targets += [make(EITHER, behind, brink)]
        yield from (ahead, *targets)
        for piece in (*pieces, *_spared(contents)) if spared else pieces:
            if piece is not origin:
                yield make(RUN, ahead, piece)
                yield from (make(RUN_UP, target, piece) for target in targets)
    yield from (make(AHEAD, make(BOTH, end, make(AHEAD, piece))) for piece in pieces)


def _spared(contents: Sequence[Term]) -> Iterator[Term]:
    """An owner's pieces without those of one type, where there are more than two types."""
    for piece in contents:
        owner, _, kind = str(piece.arguments[0]).partition(":")
        alike = [each for each in contents if str(each.arguments[0]).startswith(f"{owner}:")]
        if kind and len(alike) > 2:
            yield make(WITHOUT, make(LIES, owner), piece)


def _pushed(here: Term, piece: Term) -> Term:
    """A square with the pieces in an unbroken line ahead of it."""
    return make(EITHER, here, make(RUN, make(AHEAD, here), piece))


def _hostile(piece: Term, zones: Sequence[Term], empty: Term) -> Iterator[Term]:
    """What may stand in for a piece: zones, whatever lies there, or while they are empty."""
    stand_in = [*zones, *(make(BOTH, zone, empty) for zone in zones)]
    for number, zone in enumerate(stand_in):
        one = make(EITHER, piece, zone)
        yield one
        for other in stand_in[:number]:
            yield make(EITHER, one, other)


def _price(found: Found) -> Term:
    return found.term


@dataclass(frozen=True)
class _Literal:
    term: Term
    holds: bool
    sets: Sets
    joined: int
    """The squares in any of the sets."""

    @property
    def price(self) -> float:
        return self.term.price + (0.0 if self.holds else 0.5)


class _Literals:
    """The literals there are along some directions, or without, cheap ones first."""

    def __init__(
        self, rows: Rows, ways: str | None, candidates: Sequence[tuple[Term, Sets]]
    ) -> None:
        self.ways = ways
        everything = _ones(len(rows), rows.grid.size)[0]
        self.start: Sets = (everything,)
        if ways is not None:
            shape = (len(rows), len(DIRECTIONS), rows.grid.size)
            self.start = _packed(np.broadcast_to(rows.ways(ways), shape))
        found = []
        for number, (term, sets) in enumerate(candidates):
            if ways is None and len(sets) > 1:
                continue
            for holds in (True, False):
                kept = sets if holds else tuple(everything & ~each for each in sets)
                spread = kept * len(self.start) if len(kept) < len(self.start) else kept
                left = tuple(a & b for a, b in zip(self.start, spread, strict=True))
                if left != self.start:
                    literal = _Literal(term, holds, left, _joined(left))
                    found.append((literal.price, number, not holds, literal))
        self.literals = [each[-1] for each in sorted(found, key=lambda each: each[:3])]


class _Search:
    """The search for intersections that have a target and nothing outside."""

    def __init__(self, ground: _Literals, target: int, outside: int) -> None:
        self.target, self.outside, self.ways = target, outside, ground.ways
        self.start = ground.start
        self.literals = [each for each in ground.literals if not target & ~each.joined]

    def run(self, steps: int, below: float | None) -> tuple[Found | None, Found | None]:
        """An intersection found greedily, and the cheapest one met if cheaper than `below`.

        The second costs no more than the first; `steps` bounds how many partial ones are looked at.
        """
        if self.target & ~_joined(self.start):
            return None, None
        self._steps = steps
        self._best: list[_Literal] | None = None
        self._price = float("inf")
        self._greedy()
        first = None if self._best is None else self._found(self._best)
        if below is not None:
            limit = below - (0.0 if self.ways is None else SOME_WAY.price)
            if limit < self._price:
                self._best, self._price = None, limit
        self._grow(self.start, [], 0.0)
        return first, None if self._best is None else self._found(self._best)

    def _found(self, chosen: Sequence[_Literal]) -> Found:
        return Found(self._term(chosen), log2(len(self.literals) + 2) * max(1, len(chosen)))

    def _greedy(self) -> None:
        """A first intersection, by the literal that leaves the purest set each time.

        It is not the cheapest, but bounds what the search has to look at.
        """
        left, chosen, price = self.start, list[_Literal](), 0.0
        wanted = ~self.outside
        while len(chosen) < MOST_LITERALS:
            best: tuple[float, int, float, int] | None = None
            for number, literal in enumerate(self.literals):
                further = tuple(a & b for a, b in zip(left, literal.sets, strict=True))
                joined = _joined(further)
                if self.target & ~joined or further == left:
                    continue
                kept = (joined & wanted).bit_count()
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
            if not _joined(left) & self.outside:
                if any(each.holds for each in chosen):
                    self._best, self._price = chosen, price
                return

    def _grow(self, left: Sets, chosen: list[_Literal], price: float) -> None:
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
            if not self.target & ~_joined(further):
                self._grow(further, [*chosen, literal], total)

    def _term(self, chosen: Sequence[_Literal]) -> Term:
        ordered = sorted(chosen, key=lambda each: (not each.holds, each.term))
        term = ordered[0].term
        for literal in ordered[1:]:
            term = make(BOTH if literal.holds else WITHOUT, term, literal.term)
        return term if self.ways is None else make(SOME_WAY, self.ways, term)


def _joined(sets: Sets) -> int:
    found = 0
    for each in sets:
        found |= each
    return found
