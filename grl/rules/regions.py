"""Regions and patterns found bottom-up, from what terminal positions share and others lack.

A region is a set of cells that hold the same in several terminal positions: their least general
generalisation (Plotkin), taken greedily as long as no other position has it (as in Golem). A
pattern is a set of stones up to translation; patterns are tried in the order of their size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from grl.board import EMPTY, Square
from grl.model import Feature
from grl.rules.cases import PositionCase, Setting
from grl.rules.features import compile_position, last_square

SEEDS = 6
MOST_STONES = 24
PATTERN_SIZES = range(2, 7)
MOST_PATTERNS = 40_000
"""How many patterns of one size are tried at most."""

Cells = frozenset[tuple[int, int, str]]


def regions(
    setting: Setting, positive: Sequence[PositionCase], negative: Sequence[PositionCase]
) -> list[Feature]:
    """Features ``filled`` that some of `positive` have and none of `negative`."""
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
    return list(found)


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


def _cells(setting: Setting, case: PositionCase, seat: int, kind: str) -> Cells:
    """What lies where, as the player at `seat` sees the board.

    ``owner`` takes the pieces of that player, ``type`` those with their types, ``whole`` all cells.
    """
    player = setting.seat(case.to_move, seat)
    seen = setting.relative[player]
    pieces = setting.equipment.pieces
    players = setting.equipment.players
    found = set()
    for square in setting.board.squares:
        key = case.cells[square]
        if key == EMPTY:
            if kind == "whole":
                found.add((*seen[square], EMPTY))
            continue
        owner = pieces[key].player
        if owner == player:
            what = f"{seat}*" if kind == "owner" else f"{seat}:{pieces[key].type}"
        elif kind != "whole":
            continue
        elif owner is None:
            what = f"n:{pieces[key].type}"
        else:
            distance = (players.index(owner) - players.index(case.to_move)) % len(players)
            what = f"{distance}:{pieces[key].type}"
        found.add((*seen[square], what))
    return frozenset(found)


def patterns(
    setting: Setting,
    what: str,
    positive: Sequence[PositionCase],
    negative: Sequence[PositionCase],
) -> list[Feature]:
    """Features ``pattern``, small ones first, that cover `positive` and no position of `negative`.

    Where a last turn is known its end belongs to the pattern, for it made the difference. Lines
    are no patterns: the feature ``row`` knows them.
    """
    left = list(positive)
    found: list[Feature] = []
    for size in PATTERN_SIZES:
        tried: dict[tuple[tuple[int, int], ...], bool] = {}
        for case in positive:
            if case not in left:
                continue
            for offsets in _shapes(setting, case, what, size):
                if offsets in tried:
                    continue
                if len(tried) >= MOST_PATTERNS:
                    break
                test = compile_position(setting, ("pattern", what, offsets))
                tried[offsets] = not any(map(test, negative))
                if tried[offsets]:
                    covered = [other for other in left if test(other)]
                    if len(covered) > 1:
                        found.append(("pattern", what, offsets))
                        left = [other for other in left if other not in covered]
                        break
        if not left:
            break
    return found


def _shapes(
    setting: Setting, case: PositionCase, what: str, size: int
) -> Iterator[tuple[tuple[int, int], ...]]:
    """The patterns of `size` stones of a position, each with its first stone at (0, 0)."""
    keys = setting.keys(case.to_move, what)
    stones = [s for s in setting.board.squares if case.cells[s] in keys]
    last = last_square(case, "end1")
    chosen: Iterable[tuple[Square, ...]]
    if last is not None and last in stones:
        others = [s for s in stones if s != last]
        chosen = ((last, *rest) for rest in combinations(others[:MOST_STONES], size - 1))
    else:
        chosen = combinations(stones[:MOST_STONES], size)
    width = setting.board.width
    for squares in chosen:
        points = sorted((s // width, s % width) for s in squares)
        y0, x0 = points[0]
        yield tuple((x - x0, y - y0) for y, x in points)
