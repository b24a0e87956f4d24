"""The cheapest term that denotes given squares on all rows.

Terms are made bottom-up, the cheap ones first; of those with equal values on the rows the cheapest
stays (observational equivalence). The squares sought are an intersection of a few such terms and
of what is outside others, along some directions or without any: a hitting set, for every square
that is not sought has to be excluded by one of them, and it is found by branching over the
literals that exclude one such square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from hashlib import blake2b
from itertools import chain, permutations
from math import inf, log2

import numpy as np
from numpy.typing import NDArray

from grl.board import Board, Equipment
from grl.logic.contents import contents_of, many_contents, names_type, owner_in
from grl.logic.evenly import evenly
from grl.logic.geometry import ADJACENCY, ZONES
from grl.logic.grid import BROAD_WAYS
from grl.logic.intersections import (
    MOST_VALUES,
    Found,
    Literals,
    Places,
    Search,
    Sets,
    Squares,
)
from grl.logic.ops.counts import GIVEN
from grl.logic.ops.lines import AHEAD, BEHIND, BRINK, RUN, RUN_UP
from grl.logic.ops.places import BOARD_FILE, BOARD_RANK, CELL, LIES, ZONE, path, square
from grl.logic.ops.sets import BOTH, CROWD, EITHER, GROUP, NEAR, SIDE, WITHOUT
from grl.logic.rows import Rows
from grl.logic.stand_ins import stand_ins
from grl.logic.terms import LARGEST, SIDES, WAYS, Term, make

STAGES = 3
LONG = 16.0
"""Where what is found costs more, further words are tried."""
BROAD = (None, *BROAD_WAYS, "onward")
NARROW = tuple(ways for ways in WAYS if ways not in BROAD)
"""Directions that are tried first, and those that are tried where nothing is found along them."""
MOST_PARTS = 4
"""Of a union."""
FEW_LEFT = 0.01
"""Of the squares a union of plain terms may leave such a share out."""
SEEDS, SEED_STEPS = 5, 3_000
"""Squares from which parts of a union are sought, and partial intersections for each."""
MOST_STEPS = 20_000
"""Partial intersections that are looked at for one way of directions."""
MOST_CELLS = 6
"""So many squares may be named one by one."""
CROWDS = (2, 3)
"""How many neighbours of a sort a square may have to have."""


def describe(
    rows: Rows, wanted: NDArray[np.bool_], among: NDArray[np.bool_] | None = None
) -> Found | None:
    """The cheapest term found that denotes `wanted` (rows × squares); None where there is none.

    Where it is sought `among` some squares, what it denotes elsewhere doesn't matter. Where no
    intersection does, it is a union: of what holds pieces of several owners, of the intersections
    that cover most of what is left, or of such for each type of pieces. Such a union may leave some
    squares out, but has none that aren't sought.
    """
    places = Places(rows, among)
    target = places.packed(wanted[:, None])[0]
    if not target.any():
        return None
    found: list[Found] | None = None
    vocabulary = set(_alone(rows, wanted))
    sets: dict[Term, Sets] = {}
    for stage in range(STAGES):
        vocabulary.update(words(rows.equipment, stage))
        search = _Sought(places, target, _packed_all(places, vocabulary, sets))
        whole = search.whole(target)
        if whole is not None and (found is None or whole.term.price < _total(found)):
            found = [whole]
        if found is None and among is None:
            found = search.owners(target)
        if found is None and stage == 0:
            part, most = search.cover(target, paying=True)
            found = part if most else None
        if found is not None and _total(found) <= LONG:
            break
    else:
        found = found or (search.covers(target) if among is None else search.cover(target)[0])
        parts = [each.term for each in found]
        for stand_in in stand_ins(rows, target, parts) if among is None else ():
            vocabulary.update(_shut_in(rows.equipment, stand_in))
            search = _Sought(places, target, _packed_all(places, vocabulary, sets))
            whole = search.whole(target)
            if whole is not None and whole.term.price < _total(found):
                found = [whole]
    if not found:
        return None
    found = _needed(places, found)
    term, bits = found[0].term, found[0].bits
    for further in found[1:]:
        if term.size + further.term.size < LARGEST:
            term, bits = make(EITHER, term, further.term), bits + further.bits
    wrong = rows.squares(term) != wanted
    return Found(term, bits, not (wrong if among is None else wrong & among).any())


def _needed(places: Places, union: Sequence[Found]) -> list[Found]:
    """The parts of a union without those the squares of which the others have, expensive first."""
    kept = list(union)
    squares = {part: places.sets(part.term)[0] for part in union}
    for part in sorted(union, key=_price, reverse=True):
        rest = [squares[each] for each in kept if each is not part]
        if rest and not (squares[part] & ~reduce(np.bitwise_or, rest)).any():
            kept.remove(part)
    return kept


def _packed_all(
    places: Places, vocabulary: Iterable[Term], known: dict[Term, Sets]
) -> list[tuple[Term, Sets]]:
    """Terms with their sets, in order; those that are new are added to the `known` ones."""
    fresh = [word for word in sorted(vocabulary) if word not in known]
    for word in fresh:
        known[word] = places.sets(word)
        places.rows.forget(beyond=MOST_VALUES)
    places.rows.forget()
    return [(word, known[word]) for word in sorted(vocabulary)]


def _total(found: Sequence[Found]) -> float:
    """What a union costs."""
    return sum(each.term.price for each in found) + EITHER.price * (len(found) - 1)


class _Sought:
    """Squares that are sought on some rows, with the terms of which descriptions are made."""

    def __init__(
        self, places: Places, target: Squares, vocabulary: Sequence[tuple[Term, Sets]]
    ) -> None:
        self.places, self.rows = places, places.rows
        self.outside = ~target & places.everywhere[0]
        self.candidates = different(vocabulary)
        self._known: dict[str | None, Literals] = {}

    def grounds(self, among: Sequence[str | None] = BROAD) -> Iterator[Literals]:
        """The literals without directions and along some, one after the other."""
        for ways in among:
            if ways not in self._known:
                self._known[ways] = Literals.of(self.places, ways, self.candidates)
            yield self._known[ways]

    def whole(self, part: Squares) -> Found | None:
        """The cheapest intersection that has this part of the squares and nothing outside."""
        best: Found | None = None
        for among in (BROAD, NARROW):
            for ground in self.grounds(among):
                below = None if best is None else best.term.price
                _, found = Search(ground, part, self.outside).run(MOST_STEPS, below)
                best = min(filter(None, (best, found)), key=_price, default=None)
            if best is not None:
                break
        return best

    def owners(self, target: Squares) -> list[Found] | None:
        """An intersection for the squares with pieces of each owner; None where one has none."""
        parts = self.parted(target, typed=False)
        found = [self.whole(part) if len(parts) > 1 else None for part in parts]
        whole = [each for each in found if each is not None]
        return list(dict.fromkeys(whole)) if len(whole) == len(found) else None

    def covers(self, target: Squares) -> list[Found]:
        """Intersections for the squares with pieces of each type, several where one doesn't do."""
        found: list[Found] = []
        for part in self.parted(target, typed=True):
            one = self.whole(part)
            found += [one] if one is not None else self.cover(part)[0]
        return list(dict.fromkeys(found))

    def around(self, seeds: Sequence[Squares]) -> Iterator[Found]:
        """Intersections with one of some squares and nothing outside: cheap and large ones."""
        best: dict[int, Found] = {}
        for ground in self.grounds():
            for number, seed in enumerate(seeds):
                below = best[number].term.price if number in best else None
                large, cheap = Search(ground, seed, self.outside).run(SEED_STEPS, below)
                if large is not None:
                    yield large
                if cheap is not None and (below is None or cheap.term < best[number].term):
                    best[number] = cheap
        yield from best.values()

    def gaining(self, left: Squares) -> Iterator[Found]:
        """Intersections of what gains most of some squares, along the broad ways, or the cheapest
        that have as many."""
        for ground in self.grounds():
            one = Search(ground, left, self.outside).gaining()
            if one is not None:
                covered = self.places.sets(one.term)[0] & left
                search = Search(ground, covered, self.outside)
                yield search.run(SEED_STEPS, one.term.price)[1] or one

    def parted(self, target: Squares, *, typed: bool) -> list[Squares]:
        """The squares by the owner, or the type, of the pieces that they hold."""
        contents = [c for c in contents_of(self.rows.equipment)[1:] if (":" in c) == typed]
        parts = [target & self.places.packed(self.rows.holding(content))[0] for content in contents]
        found = [part for part in parts if part.any()]
        rest = target & ~reduce(np.bitwise_or, found, np.zeros_like(target))
        return [*found, rest] if rest.any() else found

    def cover(self, part: Squares, *, paying: bool = False) -> tuple[list[Found], bool]:
        """Intersections that together have the squares of a part, or many; whether all but a few.

        Where they are to be `paying`, each takes fewer bits than to name its squares one by one,
        and together they are not `LONG`; those that gain most are tried, too.
        """
        named = log2(self.rows.grid.size) if paying else inf
        most = LONG if paying else inf
        found: list[Found] = []
        left = part
        while left.any() and len(found) < MOST_PARTS:
            best: tuple[int, float, Found, Squares] | None = None
            further = self.gaining(left) if paying or self.places.some else ()
            for one in chain(self.around(_some(left, SEEDS)), further):
                if _total([*found, one]) > most:
                    continue
                covered = self.places.sets(one.term)[0] & left
                rank = (-_count(covered), one.term.price, one, covered)
                if best is None or rank[:2] < best[:2]:
                    best = rank
            if best is None or best[2].bits >= -best[0] * named:
                break
            found.append(best[2])
            left = left & ~best[3]
        return found, _count(left) <= FEW_LEFT * _count(part)


def _alone(rows: Rows, wanted: NDArray[np.bool_]) -> list[Term]:
    """The squares sought in any row, as a constant, where they are few of the board."""
    width = rows.equipment.board.width
    squares = np.flatnonzero(wanted.any(axis=0)).tolist()
    if len(squares) > min(MOST_CELLS, rows.grid.size // 3):
        return []
    cells = [make(CELL, square % width + 1, square // width + 1) for square in squares]
    return [reduce(partial(make, EITHER), cells)]


def _some(squares: Squares, number: int) -> list[Squares]:
    """Some squares of a set, spread over it, each as a set of its own."""
    bits = np.unpackbits(squares.view(np.uint8), bitorder="little")
    found = []
    for place in evenly(np.flatnonzero(bits).tolist(), number):
        one = np.zeros_like(squares)
        one[place // 64] = 1 << place % 64
        found.append(one)
    return found


def different(vocabulary: Iterable[tuple[Term, Sets]]) -> list[tuple[Term, Sets]]:
    """The terms whose squares differ, of equal ones the first."""
    found: dict[bytes, tuple[Term, Sets]] = {}
    for term, sets in vocabulary:
        found.setdefault(blake2b(sets.tobytes()).digest(), (term, sets))
    return list(found.values())


def words(equipment: Equipment, stage: int) -> Iterator[Term]:
    """The terms of which descriptions are made: plain ones, then with what stands in for pieces at
    the ends of lines, then with lines of all pieces but one type and what is two squares away.

    Where there are many types of pieces they are paired with what is of any type alone, and with
    that not at first.
    """
    spared = stage > 1
    contents = [make(LIES, content) for content in contents_of(equipment)]
    empty, pieces = contents[0], contents[1:]
    many = many_contents(equipment)

    def paired(one: Term) -> list[Term]:
        """The pieces that are looked at beside some squares."""
        if not many:
            return pieces
        typed = stage == 0 or (one.operator is LIES and _is_typed(one))
        return [piece for piece in pieces if not (typed and _is_typed(piece))]

    owners = [piece for piece in pieces if not _is_typed(piece)]
    zones = [make(ZONE, zone) for zone in ZONES]
    start, end, landing = square("start1"), square("end1"), square("captured")
    yield from (start, end, path, *contents)
    # Whether the turn is a move, which leaves its start.
    yield make(GIVEN, make(BOTH, start, empty))
    for part in (*_lines(equipment.board), *zones):
        yield part
        yield make(WITHOUT, end, make(GIVEN, make(BOTH, start, part)))
    origins = [each for each in contents if not (many and stage == 0 and _is_typed(each))]
    free = [make(WITHOUT, empty, zone) for zone in zones]
    links = () if equipment.board.links is None else ("links",)
    if stage:
        yield from (make(SIDE, side, origin) for origin in (start, end) for side in SIDES)
    for nearness in (*ADJACENCY, *links):
        for seeds in (start, end, *contents, *zones, *free):
            beside = make(NEAR, nearness, seeds)
            yield beside
            if seeds in zones or (seeds in contents and seeds not in origins):
                continue
            yield from (make(GROUP, nearness, beside, p) for p in paired(seeds) if p is not seeds)
        for one, other in permutations(owners, 2) if stage else ():
            touching = make(GROUP, nearness, make(NEAR, nearness, end), one)
            yield make(GROUP, nearness, make(NEAR, nearness, touching), other)
        yield make(NEAR, nearness, landing)
        for number in CROWDS:
            yield from (make(CROWD, nearness, number, piece) for piece in pieces)
    brink = make(BRINK)
    yield brink
    yield from (landing, make(AHEAD, landing))
    yield from (make(AHEAD, _pushed(landing, piece)) for piece in pieces)
    yield from (make(GIVEN, make(BOTH, end, piece)) for piece in pieces if _is_own(piece))
    for origin in (start, end, *origins):
        ahead, behind = make(AHEAD, origin), make(BEHIND, origin)
        targets = [behind]
        if origin in pieces:
            targets += [make(EITHER, behind, brink)]
            stand_ins = _hostile(origin, zones, empty) if stage else ()
            targets += [make(BEHIND, each) for each in stand_ins]
        yield from (ahead, *targets)
        if spared:
            yield from (make(AHEAD, ahead), make(BEHIND, behind))
        further = paired(origin)
        for piece in (*further, *_spared(contents)) if spared and not many else further:
            if piece is not origin:
                yield make(RUN, ahead, piece)
                yield from (make(RUN_UP, target, piece) for target in targets)
    yield from (make(AHEAD, make(BOTH, end, make(AHEAD, piece))) for piece in pieces)


def _lines(board: Board) -> Iterator[Term]:
    """Files and ranks."""
    for operator, most in ((BOARD_FILE, board.width), (BOARD_RANK, board.height)):
        yield from (make(operator, number) for number in range(1, most + 1))


def _is_typed(piece: Term) -> bool:
    """Whether a content is one of several types of pieces."""
    return names_type(str(piece.arguments[0]))


def _is_own(piece: Term) -> bool:
    """Whether a content is one of several types of pieces of the mover."""
    return str(piece.arguments[0]).startswith("own:")


def _spared(contents: Sequence[Term]) -> Iterator[Term]:
    """An owner's pieces without those of one type, where there are more than two types."""
    for piece in contents:
        content = str(piece.arguments[0])
        owner = owner_in(content)
        alike = [each for each in contents if str(each.arguments[0]).startswith(f"{owner}:")]
        if content != owner and len(alike) > 2:
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


def _shut_in(equipment: Equipment, origin: Term) -> Iterator[Term]:
    """Squares short of some, and unbroken lines of pieces up to them."""
    target = make(BEHIND, origin)
    yield target
    for content in contents_of(equipment)[1:]:
        yield make(RUN_UP, target, make(LIES, content))


def _count(squares: Squares) -> int:
    return int(np.bitwise_count(squares).sum())


def _price(found: Found) -> Term:
    return found.term
