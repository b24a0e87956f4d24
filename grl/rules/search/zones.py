"""Squares of the board where turns of a kind are never legal, or nowhere else: water, a den.

Which squares are special is often no matter of ranks and files, so that a rule would have to name
each of them. A zone is a set of squares, by file and rank as the mover sees them (the operator
`region`), that a square of turns to be forbidden lies on and that of no others, among all turns or
those that a literal keeps, as far as there are enough turns for that not to be an accident: each
square needs as much evidence as a pair of a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from grl.logic.grid import Bools, Indices
from grl.logic.ops.places import lies, square
from grl.logic.ops.sets import WITHOUT, together
from grl.logic.ops.shapes import REGION, named
from grl.logic.rows import Rows
from grl.logic.terms import Places, Term, make
from grl.rules.search.tables import LEAST_BITS, matched_terms, squares_of

MOST = 12
"""No zone has more squares."""
PLACE_COST = 0.3
"""What a square of a zone adds to the cost of a feature."""
MOST_CROWDED = 6
"""No more pieces than these are asked for in a zone."""
FITTING = 0.8
"""The least difference between the shares of bad and of other turns into a zone that find it too
crowded."""
EXCEPTIONS = 0.4
"""But for turns in a zone, of the turns with a pair of a table so many may be legal."""


def excepted(rows: Rows, points: Sequence[Term], bad: Bools) -> Iterator[tuple[Term, int, int]]:
    """Zones but for which tables of two squares of a turn hold, and the tables that hold so.

    With each term comes the number of its pairs, and of its zone's squares.
    """
    pairs = squares_of(points)
    zones: dict[Term, int] = {}
    for term, _ in matched_terms(rows, pairs, bad, [np.ones_like(bad)], EXCEPTIONS):
        among = rows.some(term)
        if (among & ~bad).any():
            zones.update(zone_terms(rows, points, bad, [among]))
    if not zones:
        return
    yield from ((zone, 0, places) for zone, places in zones.items())
    columns = [rows.some(zone) for zone in zones]
    looks = [*columns, *(~column for column in columns)]
    yield from ((table, number, 0) for table, number in matched_terms(rows, pairs, bad, looks))


def zone_terms(
    rows: Rows, sets: Sequence[Term], bad: Bools, kept: Iterable[Bools]
) -> Iterator[tuple[Term, int]]:
    """Squares of turns in zones, or outside of them, with the number of squares of the zone.

    `sets` are squares of turns, `kept` the sets of rows, those of a literal each, in which zones
    are sought. What is a zone of one of the sets may matter to others: they are all asked.
    """
    looks = list(kept)
    names = _Names(rows)
    found: dict[tuple[int, ...], None] = {}
    for squares in sets:
        there = names.held(rows, squares)
        for look in looks:
            found.update(dict.fromkeys(map(tuple, _zones(there[look], bad[look]))))
    for zone in found:
        region = names.region(zone)
        for squares in sets:
            yield together(squares, make(REGION, 0, region)), len(region)
            if not squares.point:
                yield make(WITHOUT, squares, make(REGION, 0, region)), len(region)


class Crowd(NamedTuple):
    """A zone, with how many squares, and how many pieces of a content there are too many in it, or
    how many more of it `than` of another."""

    zone: Term
    places: int
    content: str
    number: int
    than: str | None = None


def crowds(
    before: Rows, after: Rows, bad: Bools, kept: Sequence[Bools], contents: Sequence[str]
) -> Iterator[Crowd]:
    """Zones that turns may not enter who then has too many pieces there.

    In such a zone all turns to be forbidden end, among the rows of a set of those `kept`, and
    others as well, but seldom. It may have further squares on which rows hardly show turns that
    end: those join that make the numbers of pieces after the turn fit the rows better.
    """
    found: dict[Crowd, None] = {}
    for seat in (0, None):
        names = _Names(before, seat)
        ends = names.held(before, square("end1"))
        held = {each: names.held(after, lies(each)).astype(np.intp) for each in contents}
        counts: list[tuple[int, str, str | None, Indices]]
        counts = [(2, one, None, held[one]) for one in contents]
        counts += [(1, "own", each, held["own"] - held[each]) for each in contents if each != "own"]
        for zone in dict.fromkeys(chain.from_iterable(_entered(ends[at], bad[at]) for at in kept)):
            for least, one, than, pieces in counts:
                for number in range(least, MOST_CROWDED + 1):
                    whole = _fitting(zone, ends, pieces, bad, number)
                    if whole is not None:
                        region = named(names.region(whole), seat)
                        found.setdefault(Crowd(region, len(whole), one, number, than))
    yield from found


def _entered(ends: Bools, bad: Bools) -> Iterator[tuple[int, ...]]:
    """The squares on which bad rows end, if few of the others do."""
    wrong, right = (ends[rows].sum(axis=0) for rows in (bad, ~bad))
    zone = np.flatnonzero(wrong)
    share = right[zone].sum() / max(1, right.sum())
    few = 1 < len(zone) <= MOST and 0 < share < 1
    if few and wrong.sum() * -np.log2(share) >= LEAST_BITS * len(zone):
        yield tuple(zone.tolist())


def _fitting(
    zone: tuple[int, ...], ends: Bools, pieces: Indices, bad: Bools, number: int
) -> list[int] | None:
    """The zone, or a larger one, in which so many pieces are too many; None if they aren't."""
    found, held = list(zone), pieces[:, zone]
    within, count = np.logical_or.reduce(ends[:, zone], axis=1), held.sum(axis=1)
    wrong, right = (max(1, int((within & side).sum())) for side in (bad, ~bad))
    weights: Indices = np.where(bad, right, -wrong)
    best = int(weights @ (within & (count >= number)))
    while len(found) < MOST:
        entered = within[:, None] | ends
        entered[:, found] = False
        values = weights @ (entered & (count[:, None] + pieces >= number))
        more = int(values.argmax())
        if values[more] <= best:
            break
        best = int(values[more])
        found.append(more)
        count, within = count + pieces[:, more], entered[:, more]
    return sorted(found) if best >= FITTING * wrong * right else None


class _Names:
    """The squares of a board by file and rank as movers see them, in order, whoever moves; for no
    seat as the board has them."""

    def __init__(self, rows: Rows, seat: int | None = 0) -> None:
        files, ranks = (_by_row(rows, scale) for scale in ("file", "rank"))
        if seat is None:
            ranks, files = np.divmod(np.arange(rows.grid.size), rows.equipment.board.width)
            files, ranks = (np.tile(each + 1, (len(rows), 1)) for each in (files, ranks))
        numbers = (files - 1) * rows.grid.size + ranks - 1
        self._rows, self._names = rows, np.unique(numbers)
        self._order = np.argsort(numbers, axis=1)

    def held(self, rows: Rows, squares: Term) -> Bools:
        """Rows × names: on which squares those of a set lie, on boards of the same turns."""
        return np.take_along_axis(rows.squares(squares), self._order, axis=1)

    def region(self, zone: Iterable[int]) -> Places:
        """The squares of some names by file and rank."""
        places = (divmod(int(self._names[place]), self._rows.grid.size) for place in zone)
        return tuple(sorted((file + 1, rank + 1) for file, rank in places))


def _by_row(rows: Rows, scale: str) -> Indices:
    numbers = rows.numbered(0, scale)[:, 0]
    return numbers if rows.parent is None else numbers[rows.parent]


def _zones(there: Bools, bad: Bools) -> Iterator[list[int]]:
    """Squares that only bad rows have, and those outside of which only bad rows have any."""
    wrong, right = (there[rows].sum(axis=0) for rows in (bad, ~bad))
    some = there.any(axis=1)
    legal = int((some & ~bad).sum())
    if not legal:
        return
    bits = -np.log2(max(1.0 - legal / int(some.sum()), 1e-9))
    forbidden = np.flatnonzero((right == 0) & (wrong * bits >= LEAST_BITS)).tolist()
    allowed = np.flatnonzero(right).tolist()
    if 0 < len(forbidden) <= MOST:
        yield forbidden
    outside = int((there & (right == 0)).any(axis=1).sum())
    if len(allowed) <= MOST and outside * bits >= LEAST_BITS * len(allowed):
        yield allowed
