"""Squares of the board where turns of a kind are never legal, or nowhere else: water, a den.

Which squares are special is often no matter of ranks and files, so that a rule would have to name
each of them. A zone is a set of squares, by file and rank as the mover sees them (the operator
`region`), that a square of turns to be forbidden lies on and that of no others, among all turns or
those that a literal keeps, as far as there are enough turns for that not to be an accident: each
square needs as much evidence as a pair of a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from grl.logic.grid import Bools, Indices
from grl.logic.ops.sets import WITHOUT, together
from grl.logic.ops.shapes import REGION
from grl.logic.rows import Rows
from grl.logic.terms import Places, Term, make
from grl.rules.search.tables import LEAST_BITS, matched_terms, squares_of

MOST = 12
"""No zone has more squares."""
PLACE_COST = 0.3
"""What a square of a zone adds to the cost of a feature."""
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
    files, ranks = (_by_row(rows, scale) for scale in ("file", "rank"))
    numbers = (files - 1) * rows.grid.size + ranks - 1
    named = np.unique(numbers)
    order = np.argsort(numbers, axis=1)
    found: dict[tuple[int, ...], None] = {}
    for squares in sets:
        # Of each row by the squares' names, in their order, whoever moves.
        there = np.take_along_axis(rows.squares(squares), order, axis=1)
        for look in looks:
            found.update(dict.fromkeys(map(tuple, _zones(there[look], bad[look]))))
    for zone in found:
        places = (divmod(int(named[place]), rows.grid.size) for place in zone)
        region: Places = tuple(sorted((file + 1, rank + 1) for file, rank in places))
        for squares in sets:
            yield together(squares, make(REGION, 0, region)), len(region)
            if not squares.point:
                yield make(WITHOUT, squares, make(REGION, 0, region)), len(region)


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
