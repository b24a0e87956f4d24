"""Patterns found bottom-up, from what terminal positions share and others lack.

A pattern is a set of stones up to translation; patterns are tried in the order of their size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations, islice
from operator import or_

from grl.board import Square
from grl.logic.ops.shapes import FIGURE, PATTERN, images
from grl.logic.terms import Cells, Term, make
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.search.board_bitsets import BoardBitsets

PATTERN_SEEDS = 4
MOST_STONES = 24
PATTERN_SIZES = range(2, 7)
MOST_PATTERNS = 10_000
"""How many patterns of one size are taken from a position at most."""
KEPT = 6
"""How many patterns of one size are kept, those that cover most."""


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
