"""Endings of checkers that random play hardly reaches, as plain boards."""

from __future__ import annotations

import random
from collections.abc import Iterator

from grl.board import EMPTY

Rows = tuple[str, ...]

ROWS: tuple[Rows, ...] = (
    # g5 by the king from h4 blocks the last man, which can't jump onto f4.
    (
        "........",
        "........",
        ".......M",
        "........",
        ".....k.k",
        "........",
        "........",
        "........",
    ),
    # h6 is blocked already; b4 has its last steps.
    (
        "........",
        "........",
        ".......M",
        "......m.",
        ".M...m..",
        "m.......",
        ".m......",
        "........",
    ),
    # Two closed ranks: the side that runs out of waiting moves must give itself up.
    (
        ".......M",
        "M.M.M.M.",
        "........",
        "m.m.m.m.",
        "........",
        "........",
        ".....m..",
        "m.......",
    ),
    # One man each, in contact: whoever moves captures the last one.
    (
        "........",
        "........",
        "........",
        "....M...",
        "...m....",
        "........",
        "........",
        "........",
    ),
    # A king in the corner: f6 behind g7 shuts it in.
    (
        ".......K",
        "......k.",
        "........",
        "....k...",
        "........",
        "........",
        "........",
        "........",
    ),
    # A king can circle four men either way round.
    (
        "........",
        "........",
        "...M.M..",
        "........",
        "...M.M..",
        "....k...",
        "........",
        "........",
    ),
    # A man captures into the far rank, where its turn ends beside a further victim.
    (
        "........",
        "..M.M...",
        ".m......",
        "........",
        "........",
        "........",
        ".K......",
        "........",
    ),
    # Kings against men that are one step from promotion.
    (
        "........",
        "m...m...",
        "........",
        "..K.....",
        "........",
        "....k...",
        ".M...M..",
        "........",
    ),
)

FEW_PIECES = 64
NEARLY_BLOCKED = 600
MOST_BLOCKED = 3


def few_pieces() -> Iterator[tuple[str, int]]:
    """Boards of two to five pieces, with their number; no man stands where it would promote."""
    chance = random.Random(64)
    dark = [y * 8 + x for y in range(8) for x in range(8) if (x + y) % 2 == 0]
    for number in range(FEW_PIECES):
        cells = [EMPTY] * 64
        extra = chance.choices("mkMK", k=number % 4)
        for piece in [chance.choice("mk"), chance.choice("MK"), *extra]:
            far = {"m": 7, "M": 0}.get(piece)
            free = [s for s in dark if cells[s] == EMPTY and s // 8 != far]
            cells[chance.choice(free)] = piece
        yield "".join(cells), number


def nearly_blocked() -> Iterator[str]:
    """Boards on which white's men have no turn, but for a black piece that has stepped away.

    Black is to move. In some of them black can't step back, or has to capture instead.
    """
    chance = random.Random(65)
    for _ in range(NEARLY_BLOCKED):
        cells = [EMPTY] * 64
        low = [y * 8 + x for y in range(6) for x in range(8) if (x + y) % 2 == 0]
        for square in chance.sample(low, chance.randint(1, MOST_BLOCKED)):
            cells[square] = "m"
        for square in [s for s in low if cells[s] == "m"]:
            for over in _ahead(square):
                if cells[over] == EMPTY:
                    cells[over] = chance.choice("MMK")
                behind = 2 * over - square
                if behind in _ahead(over) and cells[behind] == EMPTY:
                    cells[behind] = chance.choice("MMK")
        ways = [
            (start, square)
            for square in range(64)
            if cells[square] in "MK"
            for start in _ahead(square)
            if cells[start] == EMPTY
        ]
        if ways:
            start, square = chance.choice(ways)
            cells[start], cells[square] = cells[square], EMPTY
            yield "".join(cells)


def _ahead(square: int) -> list[int]:
    """The squares one step diagonally up the board."""
    y, x = divmod(square, 8)
    return [(y + 1) * 8 + x + dx for dx in (-1, 1) if y < 7 and 0 <= x + dx < 8]
