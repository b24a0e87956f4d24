"""Regions and patterns found bottom-up, from what terminal positions share and others lack.

A region is a set of cells that hold the same in several terminal positions: their least general
generalisation (Plotkin), taken greedily as long as no other position has it (as in Golem). A
pattern is a set of stones up to translation; patterns are tried in the order of their size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import chain, combinations, islice
from operator import or_
from typing import NamedTuple

from grl.board import EMPTY, Square
from grl.errors import ModelError
from grl.logic.contents import NOTHING
from grl.logic.ops.places import lies
from grl.logic.ops.sets import together
from grl.logic.ops.shapes import FIGURE, PATTERN, images, lacking, named
from grl.logic.terms import Cells, Term, make
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.terms import size, some
from grl.rules.features.vocabulary import NEGATION, Priced
from grl.rules.search.board_bitsets import BoardBitsets
from grl.rules.templates.positions import position_table

SEEDS = 6
ENOUGH = 6
"""What fewer positions than these share may be more than what ended their games; a single one
shows nothing of what is more."""
PATTERN_SEEDS = 4
MOST_STONES = 24
PATTERN_SIZES = range(2, 7)
MOST_PATTERNS = 10_000
"""How many patterns of one size are taken from a position at most."""
MOST_SQUARES = 16
"""How many squares those are at most of which some have to be held."""
MOST_PICTURES = 20_000
"""Positions, as players see them, that are remembered: rounds of learning ask for them again."""
KEPT = 6
"""How many patterns of one size are kept, those that cover most."""

CELL_COST, SQUARE_COST, OWNER_COST = 0.35, 0.3, 0.05
"""What a cell costs with what it holds, one of several squares, and one that is known to hold
something."""
Squares = frozenset[tuple[int, int, str]]
"""Files and ranks with what lies there."""


class View(NamedTuple):
    """Whose pieces are looked at, and whose eyes name the squares: nobody's are the board's."""

    seat: int
    eyes: int | None


class Region(NamedTuple):
    """What lies on squares, in order, as they are viewed."""

    view: View
    cells: Cells


def _views(setting: Setting) -> list[View]:
    """The views of all seats, and where players see the board otherwise than it is, the board's."""
    seats = range(len(setting.equipment.players))
    found = [View(seat, seat) for seat in seats]
    if len(set(setting.frames.values())) > 1:
        found += [View(seat, None) for seat in seats]
    return found


def regions(
    setting: Setting, positive: Sequence[PositionCase], negative: Sequence[PositionCase]
) -> list[Priced]:
    """What some squares of `positive` hold and none of `negative`, or not, as a literal denied."""
    found: dict[Region, None] = {}
    for view in _views(setting):
        for kind in ("owner", "type", "whole"):
            cells = [_cells(setting, case, view, kind) for case in positive]
            others = [_cells(setting, case, view, kind) for case in negative]
            everywhere = _shared(others)
            step = max(1, len(cells) // SEEDS)
            for seed in range(0, len(cells), step):
                region = _grow(seed, cells, others) - everywhere
                if region:
                    found[Region(view, tuple(sorted(region)))] = None
                    if 1 < sum(region <= each for each in cells) < ENOUGH:
                        found[Region(view, tuple(sorted(_fewest(region, others))))] = None
    filled = chain.from_iterable(map(_filled, found))
    counted = _counted(setting, list(found), negative)
    return [*filled, *counted, *dict.fromkeys(_occupied(setting, positive, negative))]


def _filled(region: Region) -> Iterator[Priced]:
    """Whether a square lacks what the region has there; not said of more than a term can name."""
    view, cells = region
    with suppress(ModelError):
        some_lack = some("now", lacking(view.eyes, cells))
        yield Priced(some_lack, 1.2 + CELL_COST * len(cells) - NEGATION)


def _occupied(
    setting: Setting, positive: Sequence[PositionCase], negative: Sequence[PositionCase]
) -> Iterator[Priced]:
    """What the squares hold that are all occupied in several of `positive`, never in `negative`."""
    for view in _views_of_all(setting):
        cells, others = (
            [_cells(setting, case, view, "occupied") for case in cases]
            for cases in (positive, negative)
        )
        everywhere = _shared(others)
        step = max(1, len(cells) // SEEDS)
        for seed in range(0, len(cells), step):
            region = _grow(seed, cells, others) - everywhere
            if sum(region <= each for each in cells) >= ENOUGH:
                yield from _held(setting, view, region)


def always_occupied(
    setting: Setting, positive: Sequence[PositionCase], negative: Sequence[PositionCase]
) -> Iterator[Priced]:
    """What the squares hold that are occupied in all of `positive`, but not in all of `negative`.

    In some of these they may be so, too: then which pieces stand there makes the difference.
    """
    if len(positive) >= ENOUGH:
        for view in _views_of_all(setting):
            cells, others = (
                [_cells(setting, case, view, "occupied") for case in cases]
                for cases in (positive, negative)
            )
            yield from _held(setting, view, _shared(cells) - _shared(others))


def _shared(cells: Sequence[Squares]) -> Squares:
    """What lies where in all of some positions; nothing where there are none."""
    return reduce(frozenset.intersection, cells) if cells else frozenset()


def _views_of_all(setting: Setting) -> list[View]:
    """The views in which it makes no difference whose pieces are looked at."""
    return [view for view in _views(setting) if view.seat == 0]


def _held(setting: Setting, view: View, region: Squares) -> Iterator[Priced]:
    """Whether one of the squares is empty, or holds a player's piece; if they aren't too many.

    Whose pieces stand there is cheap to say, for their being occupied is said as well.
    """
    if 1 < len(region) <= MOST_SQUARES:
        squares = named(tuple(sorted((x, y) for x, y, _ in region)), view.eyes)
        for content in (NOTHING, *setting.owners):
            cost = 1.2 + (CELL_COST if content == NOTHING else OWNER_COST) * len(region)
            yield Priced(some("now", together(lies(content), squares)), cost)


def _counted(
    setting: Setting, regions: Sequence[Region], negative: Sequence[PositionCase]
) -> Iterator[Priced]:
    """Fewer of the squares of several regions, as far as all positions of `negative` have so few.

    The regions joined are as large as one another, of one view, and all of one content.
    """
    alike: dict[tuple[View, str, int], list[frozenset[tuple[int, int]]]] = {}
    for view, cells in regions:
        whats = {what for _, _, what in cells}
        if len(whats) == 1:
            squares = frozenset((x, y) for x, y, _ in cells)
            alike.setdefault((view, whats.pop(), len(cells)), []).append(squares)
    for (view, what, least), parts in alike.items():
        joined = frozenset().union(*parts)
        if least < len(joined) <= MOST_SQUARES:
            there = together(lies(what), named(tuple(sorted(joined)), view.eyes))
            feature = size("now", there, "<", least)
            if position_table(setting, negative, [feature]).all():
                cost = CELL_COST if what == NOTHING else SQUARE_COST
                yield Priced(feature, 1.2 + cost * len(joined) - NEGATION)


def _grow(seed: int, cells: Sequence[Squares], others: Sequence[Squares]) -> Squares:
    """The cells of one positive, cut down to what others share while no negative has them all."""
    region = cells[seed]
    if any(region <= other for other in others):
        return frozenset()
    near = [other for other in others if len(region - other) <= len(region)]
    for shared in sorted(range(len(cells)), key=lambda i: (-len(cells[i] & cells[seed]), i)):
        smaller = region & cells[shared]
        if smaller and smaller != region and not any(smaller <= other for other in near):
            region = smaller
    return region


def _fewest(region: Squares, others: Sequence[Squares]) -> Squares:
    """The region without cells that nothing needs to distinguish it from other positions.

    What few positions share they may share by chance.
    """
    for cell in sorted(region):
        smaller = region - {cell}
        if smaller and not any(smaller <= other for other in others):
            region = smaller
    return region


def _cells(setting: Setting, case: PositionCase, view: View, kind: str) -> Squares:
    """What lies where.

    ``owner`` takes the pieces of the player that the view is of, ``type`` those with their types,
    ``whole`` all cells; ``occupied`` all pieces, whatever they are.
    """
    key = case.cells, case.to_move, *view, kind
    known = setting.pictures.get(key)
    if known is None:
        if len(setting.pictures) >= MOST_PICTURES:
            setting.pictures.clear()
        known = setting.pictures[key] = _pictured(setting, case, view, kind)
    return known


def _pictured(setting: Setting, case: PositionCase, view: View, kind: str) -> Squares:
    player = setting.seat(case.to_move, view.seat)
    # The first player sees the board as it is.
    seen = setting.relative[setting.equipment.players[0] if view.eyes is None else player]
    pieces = setting.equipment.pieces
    found = set()
    for square in setting.board.squares:
        key = case.cells[square]
        if key == EMPTY:
            if kind == "whole":
                found.add((*seen[square], NOTHING))
            continue
        owner = pieces[key].player
        if kind == "occupied":
            content = "*"
        elif owner == player and kind == "owner":
            content = setting.owners[view.seat]
        elif owner == player or kind == "whole":
            content = setting.content(case.to_move, key)
        else:
            continue
        found.add((*seen[square], content))
    return frozenset(found)


def patterns(
    setting: Setting,
    seat: int,
    positive: Sequence[PositionCase],
    negative: Sequence[PositionCase],
) -> list[Term]:
    """Patterns of a seat's pieces that cover `positive` and nothing of `negative`, as they are or
    in all their turnings and mirror images.

    Sizes rise until one pattern covers most of them. Where a last turn is known its end belongs to
    the pattern, for it made the difference.
    """
    if len(positive) < 2:
        return []
    found: list[Term] = []
    types = {piece.type for piece in setting.equipment.pieces.values() if piece.player is not None}
    kinds = ("owner", "type") if len(types) > 1 else ("owner",)
    step = max(1, len(positive) // PATTERN_SEEDS)
    within, against = (
        BoardBitsets(setting, [(case.cells, case.to_move) for case in cases])
        for cases in (positive, negative)
    )
    for stones in PATTERN_SIZES:
        widest = 0
        for kind in kinds:
            pure: dict[Cells, int] = {}
            tried: set[Cells] = set()
            for case in positive[::step][:PATTERN_SEEDS]:
                for pattern in islice(_shapes(setting, case, seat, kind, stones), MOST_PATTERNS):
                    if pattern not in tried:
                        tried.add(pattern)
                        if not against.any_has(pattern):
                            pure[pattern] = within.having(pattern).bit_count()
            figures: dict[Cells, int] = {}
            for seen in dict.fromkeys(tuple(images(pattern)) for pattern in pure):
                if len(seen) > 1 and not any(map(against.any_has, seen)):
                    figures[seen[0]] = reduce(or_, map(within.having, seen)).bit_count()
            for operator, covers in ((PATTERN, pure), (FIGURE, figures)):
                best = sorted(covers, key=lambda pattern: (-covers[pattern], pattern))[:KEPT]
                found += [make(operator, pattern) for pattern in best if covers[pattern] > 1]
                widest = max([widest, *(covers[pattern] for pattern in best)])
        if widest * 2 > len(positive):
            break
    return found


def _shapes(
    setting: Setting, case: PositionCase, seat: int, kind: str, size: int
) -> Iterator[Cells]:
    """The patterns of `size` pieces of a position, each with its first piece at (0, 0)."""
    keys = setting.keys(case.to_move, setting.owners[seat])
    stones = [s for s in setting.board.squares if case.cells[s] in keys]
    last = case.last_squares(1).get("end1")
    chosen: Iterable[tuple[Square, ...]]
    if last is not None and last in stones:
        others = [s for s in stones if s != last]
        chosen = ((last, *rest) for rest in combinations(others[:MOST_STONES], size - 1))
    else:
        chosen = combinations(stones[:MOST_STONES], size)
    width = setting.board.width
    for squares in chosen:
        ordered = sorted(squares)
        y0, x0 = divmod(ordered[0], width)
        yield tuple(
            sorted(
                (
                    s % width - x0,
                    s // width - y0,
                    setting.owners[seat]
                    if kind == "owner"
                    else setting.content(case.to_move, case.cells[s]),
                )
                for s in ordered
            )
        )
