"""Regions and patterns found bottom-up, from what terminal positions share and others lack.

A region is a set of cells that hold the same in several terminal positions: their least general
generalisation (Plotkin), taken greedily as long as no other position has it (as in Golem). A
pattern is a set of stones up to translation; patterns are tried in the order of their size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations, islice

from grl.board import EMPTY, Square
from grl.logic.contents import NOTHING
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.search.board_bitsets import BoardBitsets, Pattern
from grl.rules.templates.evaluation import compile_position

SEEDS = 6
ENOUGH = 6
"""What fewer positions than these share may be more than what ended their games."""
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

Cells = frozenset[tuple[int, int, str]]


def regions(
    setting: Setting, positive: Sequence[PositionCase], negative: Sequence[PositionCase]
) -> list[Feature]:
    """Features ``filled`` and ``held`` that some of `positive` have and none of `negative`."""
    found: dict[Feature, None] = {}
    for seat in range(len(setting.equipment.players)):
        for kind in ("owner", "type", "whole"):
            cells = [_cells(setting, case, seat, kind) for case in positive]
            others = [_cells(setting, case, seat, kind) for case in negative]
            step = max(1, len(cells) // SEEDS)
            for seed in range(0, len(cells), step):
                region = _grow(seed, cells, others)
                if region:
                    found[("filled", seat, tuple(sorted(region)))] = None
                    if sum(region <= each for each in cells) < ENOUGH:
                        few = _fewest(region, others)
                        found[("filled", seat, tuple(sorted(few)))] = None
    for feature in _counted(setting, list(found), negative):
        found[feature] = None
    for feature in _occupied(setting, positive, negative):
        found[feature] = None
    return list(found)


def _occupied(
    setting: Setting, positive: Sequence[PositionCase], negative: Sequence[PositionCase]
) -> Iterator[Feature]:
    """What the squares hold that are all occupied in several of `positive`, never in `negative`."""
    cells, others = (
        [_cells(setting, case, 0, "occupied") for case in cases] for cases in (positive, negative)
    )
    step = max(1, len(cells) // SEEDS)
    for seed in range(0, len(cells), step):
        region = _grow(seed, cells, others)
        if sum(region <= each for each in cells) >= ENOUGH:
            yield from _held(setting, region)


def always_occupied(setting: Setting, positive: Sequence[PositionCase]) -> Iterator[Feature]:
    """What the squares hold that are occupied in all of `positive`.

    In other positions they may be so, too: then which pieces stand there makes the difference.
    """
    if len(positive) >= ENOUGH:
        cells = [_cells(setting, case, 0, "occupied") for case in positive]
        yield from _held(setting, reduce(frozenset.intersection, cells))


def _held(setting: Setting, region: Cells) -> Iterator[Feature]:
    """Whether one of the squares is empty, or holds a player's piece; if they aren't too many."""
    if 1 < len(region) <= MOST_SQUARES:
        squares = tuple(sorted((x, y) for x, y, _ in region))
        for content in (NOTHING, *setting.owners):
            yield ("held", 0, squares, content, 1)


def _counted(
    setting: Setting, regions: Sequence[Feature], negative: Sequence[PositionCase]
) -> Iterator[Feature]:
    """So many of the squares of several regions, as far as no position of `negative` has as many.

    The regions joined are as large as one another, of one seat, and all of one content.
    """
    alike: dict[tuple[int, str, int], list[frozenset[tuple[int, int]]]] = {}
    for _, seat, cells in regions:
        whats = {what for _, _, what in cells}
        if len(whats) == 1:
            squares = frozenset((x, y) for x, y, _ in cells)
            alike.setdefault((seat, whats.pop(), len(cells)), []).append(squares)
    for (seat, what, size), parts in alike.items():
        joined = frozenset().union(*parts)
        if size < len(joined) <= MOST_SQUARES:
            feature = ("held", seat, tuple(sorted(joined)), what, size)
            test = compile_position(setting, feature)
            if not any(test(case) for case in negative):
                yield feature


def _grow(seed: int, cells: Sequence[Cells], others: Sequence[Cells]) -> Cells:
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


def _fewest(region: Cells, others: Sequence[Cells]) -> Cells:
    """The region without cells that nothing needs to distinguish it from other positions.

    What few positions share they may share by chance.
    """
    for cell in sorted(region):
        smaller = region - {cell}
        if smaller and not any(smaller <= other for other in others):
            region = smaller
    return region


def _cells(setting: Setting, case: PositionCase, seat: int, kind: str) -> Cells:
    """What lies where, as the player at `seat` sees the board.

    ``owner`` takes the pieces of that player, ``type`` those with their types, ``whole`` all cells;
    ``occupied`` all pieces, whatever they are.
    """
    key = case.cells, case.to_move, seat, kind
    known = setting.pictures.get(key)
    if known is None:
        if len(setting.pictures) >= MOST_PICTURES:
            setting.pictures.clear()
        known = setting.pictures[key] = _pictured(setting, case, seat, kind)
    return known


def _pictured(setting: Setting, case: PositionCase, seat: int, kind: str) -> Cells:
    player = setting.seat(case.to_move, seat)
    seen = setting.relative[player]
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
            content = setting.owners[seat]
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
) -> list[Feature]:
    """Features ``pattern`` of a seat's pieces that cover `positive` and nothing of `negative`.

    Sizes rise until one pattern covers most of them. Where a last turn is known its end belongs to
    the pattern, for it made the difference.
    """
    if len(positive) < 2:
        return []
    found: list[Feature] = []
    types = {piece.type for piece in setting.equipment.pieces.values() if piece.player is not None}
    kinds = ("owner", "type") if len(types) > 1 else ("owner",)
    step = max(1, len(positive) // PATTERN_SEEDS)
    within, against = (
        BoardBitsets(setting, [(case.cells, case.to_move) for case in cases])
        for cases in (positive, negative)
    )
    for size in PATTERN_SIZES:
        widest = 0
        for kind in kinds:
            pure: dict[Pattern, int] = {}
            tried: set[Pattern] = set()
            for case in positive[::step][:PATTERN_SEEDS]:
                for pattern in islice(_shapes(setting, case, seat, kind, size), MOST_PATTERNS):
                    if pattern not in tried:
                        tried.add(pattern)
                        if not against.having(pattern):
                            pure[pattern] = within.having(pattern).bit_count()
            best = sorted(pure, key=lambda pattern: (-pure[pattern], pattern))[:KEPT]
            found += [("pattern", pattern) for pattern in best if pure[pattern] > 1]
            widest = max([widest, *(pure[pattern] for pattern in best)])
        if widest * 2 > len(positive):
            break
    return found


def _shapes(
    setting: Setting, case: PositionCase, seat: int, kind: str, size: int
) -> Iterator[Pattern]:
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
            (
                s % width - x0,
                s // width - y0,
                setting.owners[seat]
                if kind == "owner"
                else setting.content(case.to_move, case.cells[s]),
            )
            for s in ordered
        )
