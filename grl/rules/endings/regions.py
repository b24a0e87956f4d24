"""Regions found bottom-up, from what terminal positions share and others lack.

A region is a set of cells that hold the same in several terminal positions: their least general
generalisation (Plotkin), taken greedily as long as no other position has it (as in Golem).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import chain
from operator import and_
from typing import NamedTuple

from grl.errors import ModelError
from grl.logic.contents import NOTHING
from grl.logic.ops.places import lies
from grl.logic.ops.sets import together
from grl.logic.ops.shapes import lacking, named
from grl.logic.terms import Cells
from grl.rules.endings.pictures import Picture, Pictures, View
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.terms import size, some
from grl.rules.features.vocabulary import NEGATION, Priced
from grl.rules.templates.positions import position_table

SEEDS = 6
ENOUGH = 6
"""What fewer positions than these share may be more than what ended their games; a single one
shows nothing of what is more."""
CHANCE = 0.05
"""What positions share by chance with at least this probability they needn't share."""
MOST_SQUARES = 16
"""How many squares those are at most of which some have to be held."""

CELL_COST, SQUARE_COST, OWNER_COST = 0.35, 0.3, 0.05
"""What a cell costs with what it holds, one of several squares, and one that is known to hold
something."""


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
    pictures: Pictures, positive: Sequence[PositionCase], negative: Sequence[PositionCase]
) -> list[Priced]:
    """What some squares of `positive` hold and none of `negative`, or not, as a literal denied."""
    setting = pictures.setting
    found: dict[Region, None] = {}
    for view in _views(setting):
        for kind in ("owner", "type", "whole"):
            shown = [pictures.of(case, view, kind) for case in positive]
            others = [pictures.of(case, view, kind) for case in negative]
            everywhere = _shared(others)
            for seed in _seeds(shown):
                region = _grow(seed, shown, others) & ~everywhere
                if region:
                    found[Region(view, tuple(pictures.cells(region)))] = None
                    if 1 < sum(_has(each, region) for each in shown) < ENOUGH:
                        fewest = _fewest(region, pictures.in_order(region), others)
                        found[Region(view, tuple(pictures.cells(fewest)))] = None
    filled = chain.from_iterable(map(_filled, found))
    counted = _counted(setting, list(found), negative)
    return [*filled, *counted, *dict.fromkeys(occupied(pictures, positive, negative))]


def _filled(region: Region) -> Iterator[Priced]:
    """Whether a square lacks what the region has there; not said of more than a term can name."""
    view, cells = region
    with suppress(ModelError):
        some_lack = some("now", lacking(view.eyes, cells))
        yield Priced(some_lack, 1.2 + CELL_COST * len(cells) - NEGATION)


def occupied(
    pictures: Pictures, positive: Sequence[PositionCase], negative: Sequence[PositionCase]
) -> Iterator[Priced]:
    """What the squares hold that are all occupied in several of `positive`, never in `negative`."""
    for view in _views_of_all(pictures.setting):
        shown, others = (
            [pictures.of(case, view, "occupied") for case in cases]
            for cases in (positive, negative)
        )
        everywhere = _shared(others)
        for seed in _seeds(shown):
            region = _grow(seed, shown, others) & ~everywhere
            number = sum(_has(each, region) for each in shown)
            if number >= ENOUGH:
                yield from _held(pictures, view, region)
                needed = _needed(pictures, region, others, number)
                if needed != region:
                    yield from _held(pictures, view, needed)


def always_occupied(
    pictures: Pictures, positive: Sequence[PositionCase], negative: Sequence[PositionCase]
) -> Iterator[Priced]:
    """What the squares hold that are occupied in all of `positive`, but not in all of `negative`.

    In some of these they may be so, too: then which pieces stand there makes the difference.
    """
    if len(positive) >= ENOUGH:
        for view in _views_of_all(pictures.setting):
            shown, others = (
                [pictures.of(case, view, "occupied") for case in cases]
                for cases in (positive, negative)
            )
            yield from _held(pictures, view, _shared(shown) & ~_shared(others))


def _seeds(shown: Sequence[Picture]) -> range:
    """The numbers of some pictures, far apart."""
    return range(0, len(shown), max(1, len(shown) // SEEDS))


def _shared(shown: Sequence[Picture]) -> Picture:
    """What lies where in all of some positions; nothing where there are none."""
    return reduce(and_, shown) if shown else 0


def _has(picture: Picture, part: Picture) -> bool:
    return part & ~picture == 0


def _views_of_all(setting: Setting) -> list[View]:
    """The views in which it makes no difference whose pieces are looked at."""
    return [view for view in _views(setting) if view.seat == 0]


def _held(pictures: Pictures, view: View, region: Picture) -> Iterator[Priced]:
    """Whether one of the squares is empty, or holds a player's piece; if they aren't too many.

    Whose pieces stand there is cheap to say, for their being occupied is said as well.
    """
    if 1 < region.bit_count() <= MOST_SQUARES:
        squares = named(tuple((x, y) for x, y, _ in pictures.cells(region)), view.eyes)
        for content in (NOTHING, *pictures.setting.owners):
            cost = 1.2 + (CELL_COST if content == NOTHING else OWNER_COST) * region.bit_count()
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


def _grow(seed: int, shown: Sequence[Picture], others: Sequence[Picture]) -> Picture:
    """What is in one positive picture, cut down to what others share while no negative has it."""
    region = first = shown[seed]
    if any(_has(other, region) for other in others):
        return 0
    for each in sorted(shown, key=lambda each: -(each & first).bit_count()):
        smaller = region & each
        if smaller and smaller != region and not any(_has(other, smaller) for other in others):
            region = smaller
    return region


def _needed(pictures: Pictures, region: Picture, others: Sequence[Picture], number: int) -> Picture:
    """The region without cells that nothing needs to distinguish it from others, where it may be
    chance that so many positions have them: the others that are nearest to it do, too.

    As any square of the board may be one by chance, that is so many times as probable.
    """
    for cell in pictures.in_order(region):
        smaller = region & ~cell
        lacking = [(smaller & ~each).bit_count() for each in others]
        least = min(lacking, default=0)
        if least:
            near = [
                _has(each, cell)
                for each, lacks in zip(others, lacking, strict=True)
                if lacks == least
            ]
            share = sum(near) / len(near)
            if share**number * pictures.setting.size > CHANCE:
                region = smaller
    return region


def _fewest(region: Picture, cells: Iterator[Picture], others: Sequence[Picture]) -> Picture:
    """The region without those of its `cells` that nothing needs to distinguish it from others.

    What few positions share they may share by chance.
    """
    for cell in cells:
        smaller = region & ~cell
        if smaller and not any(_has(other, smaller) for other in others):
            region = smaller
    return region
