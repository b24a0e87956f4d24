"""Further features where the listed ones leave turns or terminal positions unexplained.

Terms are made bottom-up over some rows, among them those that are not explained yet: the squares
of the turn and of earlier ones, what lies somewhere, parts of the board, and what one further
operator makes of these; of terms with equal values the cheapest stays. What they say of the turns'
squares, how many of some content they denote, and of which player they denote more, are features by
the thousand. Those are kept that separate the rows left over from the others best (`gains`); of
turns the same is asked of what rivals have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.logic.contents import (
    MOST_PAIRED,
    contents_by_player,
    contents_of,
    finest_contents,
    many_contents,
    names_type,
    owner_in,
)
from grl.logic.geometry import ZONES
from grl.logic.grid import BROAD_WAYS, WAYS_OF, Indices
from grl.logic.ops.groups import LARGEST
from grl.logic.ops.lines import AHEAD, BEHIND, LINED, RUN, SIGHT, SOME_WAY, THROUGH
from grl.logic.ops.places import (
    CELL,
    LAST,
    LIES,
    LINE,
    RING,
    ZONE,
    crossed,
    lies,
    moved,
    path,
    square,
    taken,
)
from grl.logic.ops.sets import ALIGNED, BOTH, CROWD, EITHER, GROUP, NEAR, WITHOUT, together
from grl.logic.ops.turns import reachable, threatened
from grl.logic.rows import Rows
from grl.logic.search import CROWDS
from grl.logic.terms import DIAGONALS, LAST_ROLES, Term, make, turned
from grl.rules.features.cases import PositionCase, Setting, TurnCase, rows_of
from grl.rules.features.quantities import lines_made, touching, wholes
from grl.rules.features.relations import contrasts
from grl.rules.features.terms import size, sizes, some
from grl.rules.features.vocabulary import LONGEST_ROW, Priced, Words, broad, named, rings, roles
from grl.rules.search.conjunctions import Bools
from grl.rules.search.gains import Columns, Floats, kept_by_best
from grl.rules.search.packed import row_words
from grl.rules.search.sightlines import sightlines
from grl.rules.search.tables import beside, matched_terms, squares_of
from grl.rules.search.zones import PLACE_COST, crowds, excepted, zone_terms

MOST_ROWS = 1_500
MOST_COUNTED = 6
"""Numbers of squares are asked up to this one."""
MOST_LEAD = 4
"""Of who has more squares it is asked up to this number by how many."""
TERM_COST = 2.0
SQUARE_PRICE = 0.1
"""What a unit of a term's price adds to the cost of a feature."""
NUMBER_COST = 0.1
LEAD_COST = 0.1
"""To say by how many more there are costs more than to say how many there are."""
PAIR_COST = 0.2
"""What a pair of a table adds."""
LETTER_COST = 0.3
"""What a letter of a word along a line adds."""


Asked = tuple[Sequence[Priced], Bools]
"""Features with their columns: rows × features."""


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
    shapes: Sequence[Priced]
    """What the first of these columns are."""


def deepened(setting: Setting, words: Words, sample: Sample) -> Deeper:
    """Features that separate the bad turns of a sample from the others; no scope, no rivals."""
    if not sample.bad.any() or sample.bad.all():
        return Deeper([], [])
    columns = Columns(sample.known)
    weights = _weights(sample)
    points = [*map(square, roles(words)), *(there for there in words.changed if there is taken)]
    changed = [there for there in words.changed if there is not taken]
    boards = {when: rows_of(setting, sample.cases, when) for when in ("before", "after")}
    looks = kept_by_best(sample.known, sample.bad, weights)
    for when, rows in boards.items():
        more = _more(setting, rows, when, boards["before"]) if when == "after" else ()
        others = changed if when == "before" else ()
        groups = _groups(setting, rows, words) if when == "after" else ()
        for priced, table in chain(_asked(setting, rows, when, points, others), more, groups):
            columns.add(priced, table)
        for each, column in _sighted(setting, rows, when, points, sample.bad, looks):
            columns.add([each], column[:, None])
        if when == "before":
            asked = [*squares_of(points), *beside(points, setting.near)]
            for term, pairs in matched_terms(rows, asked, sample.bad, looks):
                cost = TERM_COST + PAIR_COST * pairs
                columns.add([Priced(some(when, term), cost)], rows.some(term)[:, None])
            for term, cost in _zoned(rows, points, sample.bad, looks):
                columns.add([Priced(some(when, term), TERM_COST + cost)], rows.some(term)[:, None])
            for each, column in _crowded(setting, boards, sample.bad, looks):
                columns.add([each], column[:, None])
    chosen = columns.best(sample.bad, weights)
    kept = columns.features
    kept = [kept[number] for number in chosen]
    if not sample.scopes:
        return Deeper(kept, [])
    related = Columns(np.concatenate([sample.known, columns.table(chosen)], axis=1))
    scopes, alive = [*sample.scopes.values()], np.ones_like(sample.bad)
    for priced, table in chain(columns.blocks(), _joined(sample)):
        several = [each for each in priced for _ in range(2 * len(scopes))]
        related.add(several, contrasts(table, scopes, alive))
    compared, found = related.features, related.best(sample.bad, weights)
    return Deeper(kept, list(dict.fromkeys(compared[i] for i in found)))


def deepened_positions(
    setting: Setting, cases: Sequence[PositionCase], bad: Bools, known: Bools
) -> list[Priced]:
    """Features that separate the bad positions from the others; `known` as of a `Sample`."""
    if not bad.any() or bad.all():
        return []
    rows = Rows(setting.equipment, setting.grid, [case.ground() for case in cases])
    # That there was a turn before is no reason to end: records just begin somewhere.
    columns = Columns(known, np.stack([rows.some(make(LAST, x, 1)) for x in LAST_ROLES], axis=1))
    for priced, table in chain(_asked(setting, rows, "now", []), _more(setting, rows, "now")):
        columns.add(priced, table)
    weights = np.where(bad, 1.0 / bad.sum(), 1.0 / (~bad).sum())
    features = columns.features
    return [features[number] for number in columns.best(bad, weights)]


def _zoned(
    rows: Rows, points: Sequence[Term], bad: Bools, looks: Sequence[Bools]
) -> Iterator[tuple[Term, float]]:
    """Zones among the rows of some looks, and tables that hold but for turns in a zone; costs."""
    sets = [*points, path, make(WITHOUT, path, square("end1"))]
    for term, places in zone_terms(rows, sets, bad, looks):
        yield term, PLACE_COST * places
    for term, pairs, places in excepted(rows, points, bad):
        yield term, PAIR_COST * pairs + PLACE_COST * places


def _crowded(
    setting: Setting, boards: Mapping[str, Rows], bad: Bools, looks: Sequence[Bools]
) -> Iterator[tuple[Priced, Bools]]:
    """Whether a turn ends in a zone, and how many pieces there are of whom after it."""
    before, after = boards["before"], boards["after"]
    for crowd in crowds(before, after, bad, looks, broad(setting)[1:]):
        cost = TERM_COST + PLACE_COST * crowd.places
        here = together(square("end1"), crowd.zone)
        there = together(lies(crowd.content), crowd.zone)
        yield Priced(some("before", here), cost), before.some(here)
        if crowd.than is None:
            few = size("after", there, "<", crowd.number)
            column = after.size(there) < crowd.number
            yield Priced(few, cost + NUMBER_COST * crowd.number), column
        else:
            theirs = together(lies(crowd.than), crowd.zone)
            lead = after.size(there) - after.size(theirs)
            by = crowd.number - 1
            yield (
                Priced(sizes("after", theirs, "<", there, by), cost + NUMBER_COST * by + LEAD_COST),
                lead > by,
            )


def _sighted(
    setting: Setting,
    rows: Rows,
    when: str,
    points: Sequence[Term],
    bad: Bools,
    looks: Sequence[Bools],
) -> Iterator[tuple[Priced, Bools]]:
    """Whether words are seen along lines from a turn's squares: of whose pieces, and of which."""
    finest = finest_contents(setting.equipment)
    owners = [each for each in contents_by_player(setting.equipment) if not names_type(each)]
    alphabets = [["empty", *owners]]
    if finest != alphabets[0] and len(finest) <= MOST_PAIRED:
        alphabets.append(finest)
    single = [point for point in points if point.point]
    for letters in alphabets:
        for point, seen in sightlines(rows, single, bad, looks, letters):
            there = together(point, seen.squares)
            cost = TERM_COST + LETTER_COST * seen.letters
            yield Priced(some(when, there), cost), rows.some(there)


def _joined(sample: Sample) -> Iterator[Asked]:
    """What two shapes of turns say together."""
    for number, one in enumerate(sample.shapes):
        others = [
            other
            for other in range(number + 1, len(sample.shapes))
            if sample.shapes[other].feature[0] != one.feature[0]
        ]
        pairs = [(one, sample.shapes[other]) for other in others]
        both = [Priced(("and", x.feature, y.feature), x.cost + y.cost) for x, y in pairs]
        yield both, sample.known[:, others] & sample.known[:, [number]]


def _weights(sample: Sample) -> Floats:
    """Every position weighs as much by its bad turns as by its others."""
    found = np.zeros(len(sample.bad))
    for side in (sample.bad, ~sample.bad):
        groups = sample.positions[side]
        found[side] = 1.0 / np.bincount(groups)[groups]
    return found


def _asked(
    setting: Setting,
    rows: Rows,
    when: str,
    points: Sequence[Term],
    changed: Sequence[Term] = (),
) -> Iterator[Asked]:
    """The features of terms on some boards, with their columns; what effects have `changed` is
    asked of as the points of a turn are."""
    kinds = contents_of(setting.equipment)[1:]
    held = [row_words(rows.squares(lies(kind))) for kind in kinds]
    many = many_contents(setting.equipment)
    # What the mover could take next.
    again = [threatened(0)] if when == "after" else []
    for term, value in _different(rows, [*_terms(setting, points, earlier=True), *again]):
        cost = TERM_COST + SQUARE_PRICE * term.price
        several: list[Priced] = []
        columns: list[Bools] = []
        for here in (*points, *changed):
            if here is not term:
                there = together(here, term)
                several.append(Priced(some(when, there), cost))
                columns.append(rows.some(there))
        several.append(Priced(some(when, term), cost))
        columns.append(rows.some(term))
        words = row_words(value)
        typed = many and _typed(term)
        for kind, pieces in zip(kinds, held, strict=True):
            if typed and names_type(kind):
                continue
            count = _common(pieces, words)
            both = term if term is lies(kind) else together(lies(kind), term)
            for number in range(1, min(int(count.max()), MOST_COUNTED) + 1):
                feature = some(when, both) if number == 1 else size(when, both, "<", number)
                several.append(Priced(feature, cost + NUMBER_COST * number + named(kind)))
                columns.append(count > 0 if number == 1 else count < number)
        yield several, np.stack(columns, axis=1)


def _more(setting: Setting, rows: Rows, when: str, earlier: Rows | None = None) -> Iterator[Asked]:
    """Of which player a term denotes more pieces, said of each as of the mover, or there; and
    whether it denotes more, or fewer, of the mover's than on the `earlier` boards."""
    players = len(setting.equipment.players)
    own = [kind for kind in contents_of(setting.equipment) if owner_in(kind) == "own"]
    whole = list(chain.from_iterable(wholes(near, "own") for near in touching(setting)))
    whole += lines_made(setting, "own")
    counts, before = _Counts(rows), None if earlier is None else _Counts(earlier)
    many = many_contents(setting.equipment)
    for term, _ in _different(rows, [*whole, *_terms(setting, [], earlier=False)]):
        several: list[Priced] = []
        columns: list[Bools] = []
        typed = many and _typed(term)
        for kind in own:
            if typed and names_type(kind):
                continue
            mine = term if term is lies(kind) or term in whole else together(lies(kind), term)
            cost = TERM_COST + SQUARE_PRICE * term.price + named(kind)
            if before is not None:
                more = counts.of(mine) - before.of(mine)
                for across, column in (("gain", more > 0), ("loss", more < 0)):
                    several.append(Priced(sizes(across, mine, "<", mine), cost))
                    columns.append(column)
            for by in range(1, players):
                there = turned(lies(kind), by, players)
                found = [turned(mine, by, players)]
                if there is not None and term not in whole:
                    found.append(there if term is lies(kind) else together(there, term))
                for theirs in dict.fromkeys(found):
                    if theirs is not None:
                        lead = counts.of(mine) - counts.of(theirs)
                        for priced, column in _differing(when, mine, theirs, cost, lead):
                            several.append(priced)
                            columns.append(column)
        if several:
            yield several, np.stack(columns, axis=1)


def _groups(setting: Setting, rows: Rows, words: Words) -> Iterator[Asked]:
    """How many squares a turn empties, the largest group of them, and the group of its end: which
    of these are more."""
    if taken not in words.changed:
        return
    counts = _Counts(rows)
    for near in touching(setting):
        end = make(GROUP, near, square("end1"), lies("own"))
        several: list[Priced] = []
        columns: list[Bools] = []
        for one, other in combinations((taken, make(LARGEST, near, taken), end), 2):
            cost = TERM_COST + SQUARE_PRICE * (one.price + other.price)
            lead = counts.of(one) - counts.of(other)
            for priced, column in _differing("after", one, other, cost, lead):
                several.append(priced)
                columns.append(column)
        yield several, np.stack(columns, axis=1)


def _differing(
    when: str, one: Term, other: Term, cost: float, lead: Indices
) -> Iterator[tuple[Priced, Bools]]:
    """Which of two terms denotes more squares, and by how many; `lead` is of the first."""
    yield Priced(sizes(when, one, "=", other), cost), lead == 0
    for fewer, more, by in ((one, other, -lead), (other, one, lead)):
        yield Priced(sizes(when, fewer, "<", more), cost), by > 0
        for number in range(1, min(int(by.max(initial=0)), MOST_LEAD)):
            price = cost + NUMBER_COST * (number + 1) + LEAD_COST
            yield Priced(sizes(when, fewer, "<", more, number), price), by > number


class _Counts:
    """How many squares terms denote by row, of intersections without their values."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._known: dict[Term, NDArray[np.uint64]] = {}

    def of(self, term: Term) -> Indices:
        """The number of squares by row."""
        if term.operator is BOTH:
            one, other = (part for part in term.arguments if isinstance(part, Term))
            return _common(self._words(one), self._words(other))
        words = self._words(term)
        return _common(words, words)

    def _words(self, term: Term) -> NDArray[np.uint64]:
        if term not in self._known:
            self._known[term] = row_words(_flat(self._rows, term))
        return self._known[term]


def _flat(rows: Rows, term: Term) -> Bools:
    """What a term denotes, rows × squares, of one direction after another if it has any."""
    return rows.full(term).reshape(len(rows), -1)


def _common(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> Indices:
    """How many squares sets have in common, by row."""
    found: Indices = np.bitwise_count(one & other).sum(axis=1, dtype=np.intp)
    return found


def _different(rows: Rows, terms: Sequence[Term]) -> Iterator[tuple[Term, Bools]]:
    """The terms whose values differ, the cheapest of equal ones, cheap ones first."""
    seen: set[bytes] = set()
    for term in sorted(terms):
        value = _flat(rows, term)
        key = np.packbits(value).tobytes()
        if key not in seen and value.any():
            seen.add(key)
            yield term, value


def _terms(setting: Setting, points: Sequence[Term], *, earlier: bool) -> list[Term]:
    """Squares, contents, parts of the board, and what one operator makes of them.

    Squares are the `points` and, if asked for, those of `earlier` turns; with these goes what turns
    of other players would do.
    """
    board = setting.board
    kinds = [lies(kind) for kind in contents_of(setting.equipment)]
    pieces = kinds[1:]
    many = many_contents(setting.equipment)
    points = [*points]
    if earlier:
        points += [make(LAST, role, back) for role in LAST_ROLES for back in setting.back]
    zones = [make(ZONE, zone) for zone in ZONES]
    places = [*points, *kinds, *zones, moved]
    found = [*places]
    if any(point.of_turn for point in points):
        found += [path, crossed, *_onward(pieces)]
        found += [make(CELL, s % board.width + 1, s // board.width + 1) for s in board.squares]
    diagonals = [(scale, board.width + board.height - 1) for scale in DIAGONALS]
    scales = (("rank", board.height), ("file", board.width), *diagonals, ("colour", 1))
    for scale, last in scales:
        for number in range(1, last + 1):
            for seat in range(len(setting.equipment.players)):
                found += [make(LINE, scale, seat, relation, number) for relation in ("=", "<")]
        for number in range(1, (last + 1) // 2 if scale in ("rank", "file") else 1):
            sides = [make(LINE, scale, 0, "=", side) for side in (number, last + 1 - number)]
            found.append(make(EITHER, *sides))
    found += [make(RING, "=", number) for number in range(1, rings(setting) + 1)]
    broad = [kind for kind in kinds if ":" not in str(kind.arguments[0])]
    unions = [make(EITHER, one, other) for one, other in combinations(broad, 2)]
    for adjacency in sorted(setting.near):
        found += [make(NEAR, adjacency, place) for place in (*places, *unions)]
        found += [make(CROWD, adjacency, number, piece) for number in CROWDS for piece in pieces]
        for piece in pieces:
            others = [
                other
                for other in pieces
                if other is not piece and not (many and _typed(other) and _typed(piece))
            ]
            for seeds in (kinds[0], *zones, *others):
                found.append(make(GROUP, adjacency, make(NEAR, adjacency, seeds), piece))
    if earlier:
        found += _asking(setting, zones)
    for ways in WAYS_OF:
        if ways in BROAD_WAYS:
            found += [make(THROUGH, ways, place) for place in (*points, *pieces)]
        found += [make(SIGHT, ways, place) for place in (*points, *pieces)]
        between = [make(BOTH, make(AHEAD, piece), make(BEHIND, piece)) for piece in broad[1:]]
        found += [make(SOME_WAY, ways, each) for each in between]
        longest = min(LONGEST_ROW, max(board.width, board.height))
        for number in range(2, longest + 1):
            found += [make(LINED, ways, number, piece) for piece in pieces]
    for point in points:
        lines = [make(ALIGNED, scale, "=", point) for scale in ("rank", "file")]
        found.append(make(ALIGNED, "colour", "=", point))
        found += [*lines, make(EITHER, *lines)]
    return found + [
        make(WITHOUT, one, two)
        for one in pieces
        for two in found
        if _group(two, one) or (two.operator is NEAR and two.arguments[1] in unions)
    ]


def _asking(setting: Setting, zones: Sequence[Term]) -> Iterator[Term]:
    """What other players' turns would take or end on, parts of the board among it, and what lies
    beside or in a group with what they would take of the mover's."""
    own = lies("own")
    for seat in range(1, len(setting.equipment.players)):
        yield from (reachable(seat), threatened(seat))
        yield from (together(zone, threatened(seat)) for zone in zones)
        for adjacency in sorted(setting.near):
            taken = together(own, threatened(seat))
            yield from (make(NEAR, adjacency, taken), make(GROUP, adjacency, taken, own))


def _onward(pieces: Sequence[Term]) -> Iterator[Term]:
    """What lies ahead of a turn's start and end in its direction: next, in a row, and behind it."""
    for here in (square("start1"), square("end1")):
        yield make(SOME_WAY, "onward", make(AHEAD, here))
        for piece in pieces:
            row = make(RUN, make(AHEAD, here), piece)
            yield make(SOME_WAY, "onward", row)
            yield make(SOME_WAY, "onward", make(AHEAD, make(EITHER, here, row)))


def _typed(term: Term) -> bool:
    """Whether a term speaks of pieces of one type."""
    if term.operator is LIES:
        return names_type(str(term.arguments[0]))
    return any(isinstance(part, Term) and _typed(part) for part in term.arguments)


def _group(term: Term, piece: Term) -> bool:
    return term.operator is GROUP and term.arguments[2] is piece
