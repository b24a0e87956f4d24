"""Further features of turns where the listed ones leave positions unexplained.

Terms are made bottom-up over some positions that are not explained yet: the squares of the turn and
of earlier ones, what lies somewhere, parts of the board, and what one further operator makes of
these; of terms with equal values the cheapest stays. What they say of the turns' squares, and how
many of some content they denote, are features by the thousand. Those are kept that tell the
forbidden turns left from the legal ones, alone, or after another that does it best; the same is
asked of what rival turns have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.logic.geometry import ZONES
from grl.logic.grid import WAYS_OF
from grl.logic.ops.lines import SIGHT, THROUGH
from grl.logic.ops.places import LAST, LINE, RING, ZONE, lies, moved, path, square
from grl.logic.ops.sets import ALIGNED, CROWD, EITHER, GROUP, NEAR, WITHOUT, together
from grl.logic.rows import Rows
from grl.logic.search import CROWDS
from grl.logic.terms import BACK, LAST_ROLES, Term, contents_of, make
from grl.rules.cases import Setting, TurnCase, rows_of
from grl.rules.conjunctions import Bools
from grl.rules.relations import has
from grl.rules.term_features import size, some
from grl.rules.vocabulary import Priced, Words, named, rings, roles

MOST_ROWS = 1_500
KEPT = 16
"""So many features are kept of each look, and so many relations."""
FOLLOWED = 3
"""After so many of the best features the next ones are sought."""
STEPS = 3
MOST_COUNTED = 6
"""Numbers of squares are asked up to this one."""
TERM_COST = 2.0
SQUARE_PRICE = 0.1
"""What a unit of a term's price adds to the cost of a feature."""
NUMBER_COST = 0.1

Floats = NDArray[np.float64]


class Deeper(NamedTuple):
    """Features that were found, and those of which rivals are asked."""

    features: list[Priced]
    compared: list[Priced]


class Sample(NamedTuple):
    """Turns that are still alive, of whole positions, with the group of each by scope."""

    cases: Sequence[TurnCase]
    bad: Bools
    positions: NDArray[np.intp]
    scopes: dict[str, NDArray[np.intp]]
    known: Bools
    """The columns of features that there are already: turns × features."""


def deepened(setting: Setting, words: Words, sample: Sample) -> Deeper:
    """Features that tell the bad turns of a sample from the others."""
    if not sample.bad.any() or sample.bad.all():
        return Deeper([], [])
    columns = _Columns(sample.known)
    for when in ("before", "after"):
        for priced, column in _asked(setting, words, sample.cases, when):
            columns.add(priced, column)
    features, table = columns.features, columns.table()
    weights = _weights(sample)
    chosen = _telling(table, sample.bad, weights)
    alive = np.ones(len(sample.cases), dtype=np.bool_)
    related = _Columns(np.concatenate([sample.known, table[:, chosen]], axis=1))
    for groups in sample.scopes.values():
        for priced, column in zip(features, table.T, strict=True):
            for lacks in (False, True):
                related.add(priced, has(column, groups, alive, lacks=lacks))
    compared, found = related.features, _telling(related.table(), sample.bad, weights)
    return Deeper([features[i] for i in chosen], list(dict.fromkeys(compared[i] for i in found)))


class _Columns:
    """Features with different columns, each up to negation: of equal ones the cheapest."""

    def __init__(self, known: Bools) -> None:
        self._rows = len(known)
        self._known = {_either_way(column) for column in known.T}
        self._kept: dict[bytes, tuple[Priced, Bools]] = {}

    def add(self, priced: Priced, column: Bools) -> None:
        if column.all() or not column.any():
            return
        key = _either_way(column)
        if key in self._known:
            return
        kept = self._kept.get(key)
        if kept is None or _order(priced) < _order(kept[0]):
            self._kept[key] = priced, column

    @property
    def features(self) -> list[Priced]:
        return [priced for priced, _ in self._kept.values()]

    def table(self) -> Bools:
        """Turns × features."""
        columns = [column for _, column in self._kept.values()]
        return np.array(columns, dtype=np.bool_).reshape(len(columns), self._rows).T


def _order(priced: Priced) -> tuple[float, str]:
    return priced.cost, repr(priced.feature)


def _either_way(column: Bools) -> bytes:
    return np.packbits(column ^ column[0]).tobytes()


def _weights(sample: Sample) -> Floats:
    """Every position weighs as much by its bad turns as by its others."""
    found = np.zeros(len(sample.bad))
    for side in (sample.bad, ~sample.bad):
        groups = sample.positions[side]
        found[side] = 1.0 / np.bincount(groups)[groups]
    return found


def _telling(table: Bools, bad: Bools, weights: Floats) -> list[int]:
    """The columns that tell bad rows from others best, alone or after others.

    Gains are rounded, so that machines which add in another order choose the same columns.
    """
    chosen: dict[int, None] = {}
    numbers = table.astype(np.float64)
    _follow(numbers, bad, weights, STEPS, chosen)
    return sorted(chosen)


def _follow(
    table: Floats, bad: Bools, weights: Floats, steps: int, chosen: dict[int, None]
) -> None:
    if not table.shape[1] or not bad.any() or bad.all():
        return
    gains, signs = _gains(table, bad, weights)
    order = np.argsort(-np.round(gains, 9), kind="stable")
    best = [int(i) for i in order[:KEPT] if gains[i] > 0]
    chosen.update(dict.fromkeys(best))
    if steps == 1:
        return
    for column in best[:FOLLOWED]:
        rows = (table[:, column] > 0) == signs[column]
        _follow(table[rows], bad[rows], weights[rows], steps - 1, chosen)


def _gains(table: Floats, bad: Bools, weights: Floats) -> tuple[Floats, Bools]:
    """What each column gains as a literal, plain or negated, and whether it is plain.

    A gain is the weight of the bad rows that the literal keeps times by how many bits a row that it
    keeps is likelier bad than before (FOIL's measure; Quinlan 1990, section 4).
    """
    wrong, right = weights * bad, weights * ~bad
    before = np.log2(wrong.sum() / weights.sum())
    best = np.full(table.shape[1], -np.inf)
    plain = np.zeros(table.shape[1], dtype=np.bool_)
    kept_wrong, kept_right = wrong @ table, right @ table
    for sign in (True, False):
        kept = kept_wrong if sign else wrong.sum() - kept_wrong
        others = kept_right if sign else right.sum() - kept_right
        kept, others = np.maximum(kept, 0.0), np.maximum(others, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = np.where(kept > 1e-9, kept * (np.log2(kept / (kept + others)) - before), -np.inf)
        plain = np.where(gain > best, sign, plain)
        best = np.maximum(best, gain)
    return best, plain


def _asked(
    setting: Setting, words: Words, cases: Sequence[TurnCase], when: str
) -> Iterator[tuple[Priced, Bools]]:
    """The features of terms on the boards before or after the turns, with their columns."""
    rows = rows_of(setting, cases, when)
    kinds = contents_of(setting.equipment)[1:]
    held = np.array([rows.squares(lies(kind)) for kind in kinds], dtype=np.float32)
    squares = [square(role) for role in roles(words)]
    for term, value in _different(rows, _terms(setting, words)):
        cost = TERM_COST + SQUARE_PRICE * term.price
        for here in squares:
            if here is not term:
                yield (
                    Priced(some(when, together(here, term)), cost),
                    rows.some(together(here, term)),
                )
        yield Priced(some(when, term), cost), rows.some(term)
        counts = np.einsum("krs,rs->kr", held, value.astype(np.float32)).astype(np.intp)
        for kind, count in zip(kinds, counts, strict=True):
            if term.point:
                continue
            both = term if term is lies(kind) else together(lies(kind), term)
            for number in range(1, min(int(count.max()), MOST_COUNTED) + 1):
                feature = size(when, both, "<", number)
                more = NUMBER_COST * number + named(kind)
                yield Priced(feature, cost + more), count < number


def _different(rows: Rows, terms: Sequence[Term]) -> Iterator[tuple[Term, Bools]]:
    """The terms whose values differ, the cheapest of equal ones, cheap ones first."""
    seen: set[bytes] = set()
    for term in sorted(terms):
        value = rows.squares(term)
        key = np.packbits(value).tobytes()
        if key not in seen and value.any():
            seen.add(key)
            yield term, value


def _terms(setting: Setting, words: Words) -> list[Term]:
    """Squares, contents, parts of the board, and what one operator makes of them."""
    board = setting.board
    kinds = [lies(kind) for kind in contents_of(setting.equipment)]
    pieces = kinds[1:]
    backs = sorted({1, len(setting.equipment.players)} & set(BACK))
    points = [square(role) for role in roles(words)]
    points += [make(LAST, role, back) for role in LAST_ROLES for back in backs]
    zones = [make(ZONE, zone) for zone in ZONES]
    places = [*points, *kinds, *zones, moved, path]
    found = [*places]
    scales = (("rank", board.height), ("file", board.width), ("colour", 1))
    for scale, last in scales:
        for number in range(1, last + 1):
            found += [make(LINE, scale, 0, relation, number) for relation in ("=", "<")]
    found += [make(RING, "=", number) for number in range(1, rings(setting) + 1)]
    for adjacency in sorted(setting.near):
        found += [make(NEAR, adjacency, place) for place in places if place is not path]
        found += [make(CROWD, adjacency, number, piece) for number in CROWDS for piece in pieces]
        for piece in pieces:
            for seeds in (kinds[0], *zones, *(other for other in pieces if other is not piece)):
                found.append(make(GROUP, adjacency, make(NEAR, adjacency, seeds), piece))
    for ways in WAYS_OF:
        found += [make(THROUGH, ways, place) for place in (*points, *pieces)]
        found += [make(SIGHT, ways, place) for place in (*points, *pieces)]
    for point in points:
        lines = [make(ALIGNED, scale, point) for scale in ("rank", "file")]
        found.append(make(ALIGNED, "colour", point))
        found += [*lines, make(EITHER, *lines)]
    return found + [make(WITHOUT, one, two) for one in pieces for two in found if _group(two, one)]


def _group(term: Term, piece: Term) -> bool:
    return term.operator is GROUP and term.arguments[2] is piece
