"""Named squares that stand in for pieces: where a piece is shut in between another one and any of
some squares, say.

Which squares these are nothing but records can say. So they are sought once a description without
them has a part of the squares sought: a square stands in where the description has more of them
with it and none that isn't sought.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from grl.logic.intersections import MOST_VALUES, Places, Squares, packed
from grl.logic.ops.places import LIES, lies
from grl.logic.ops.sets import BOTH, EITHER
from grl.logic.ops.shapes import named
from grl.logic.rows import Rows
from grl.logic.terms import Term, make, replaced

MOST_PLACES = 8
"""More squares than these are no few."""


def stand_ins(rows: Rows, target: Squares, parts: Sequence[Term]) -> list[Term]:
    """Pieces, each with the squares that stand in for it in some part of what has the target.

    For each part there is one at most, that by which it gains most.
    """
    outside = ~target & Places(rows).everywhere[0]
    found = (_stand_in(rows, part, target & ~_squares(rows, part), outside) for part in parts)
    return list(dict.fromkeys(filter(None, found)))


def _stand_in(rows: Rows, part: Term, left: Squares, outside: Squares) -> Term | None:
    best: Term | None = None
    most = 0
    pieces = [each for each in part.terms() if each.operator is LIES]
    for piece, empty in product(pieces, (False, True)):
        places = tuple(_places(rows, part, piece, empty, left, outside))
        if 0 < len(places) <= MOST_PLACES:
            term = _or_on(piece, places, empty)
            squares = _squares(rows, replaced(part, piece, term))
            gained = int(np.bitwise_count(squares & left).sum())
            if gained > most and not (squares & outside).any():
                best, most = term, gained
    return best


def _places(
    rows: Rows, part: Term, piece: Term, empty: bool, left: Squares, outside: Squares
) -> Iterator[tuple[int, int]]:
    """File and rank of each square that, standing in for a piece, brings some of what is `left`."""
    width = rows.equipment.board.width
    for square in rows.equipment.board.squares:
        place = square % width + 1, square // width + 1
        squares = _squares(rows, replaced(part, piece, _or_on(piece, (place,), empty)))
        if (squares & left).any() and not (squares & outside).any():
            yield place


def _or_on(piece: Term, places: tuple[tuple[int, int], ...], empty: bool) -> Term:
    """Where a piece lies, or one of some squares, while that is empty if it has to be."""
    squares = named(places, None)
    return make(EITHER, piece, make(BOTH, squares, lies("empty")) if empty else squares)


def _squares(rows: Rows, term: Term) -> Squares:
    found: Squares = packed(rows.full(term))[0]
    rows.forget(beyond=MOST_VALUES)
    return found
