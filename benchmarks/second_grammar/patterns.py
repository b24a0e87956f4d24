"""Rows and shapes that own pieces may form."""

from __future__ import annotations

from functools import lru_cache

from grl.board import Square

from .fields import DIRECTIONS, Direction
from .table import Table

SHAPES: dict[str, tuple[Direction, ...]] = {
    "a square of four": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "a corner of three": ((0, 0), (1, 0), (0, 1)),
    "a diamond": ((1, 0), (0, 1), (2, 1), (1, 2)),
    "the corners of a 3 x 3 square": ((0, 0), (2, 0), (0, 2), (2, 2)),
    "a row of three with gaps": ((0, 0), (2, 0), (4, 0)),
    "a T of four": ((0, 0), (1, 0), (2, 0), (1, 1)),
}
"""Shapes by name; they count in all four turnings."""


def headings(table: Table, directions: str) -> list[Direction]:
    """The directions of that name that the board has."""
    return [d for d in DIRECTIONS[directions] if d in table.field.compass]


@lru_cache(maxsize=256)
def rows(table: Table, directions: str, length: int) -> tuple[tuple[Square, ...], ...]:
    """All rows of so many squares in these directions, each once."""
    found: dict[frozenset[Square], tuple[Square, ...]] = {}
    for square in table.field.squares:
        for direction in headings(table, directions):
            row = (square, *table.field.ray(square, direction))[:length]
            if len(row) == length:
                found.setdefault(frozenset(row), row)
    return tuple(found.values())


@lru_cache(maxsize=256)
def shapes(table: Table, name: str) -> tuple[frozenset[Square], ...]:
    """All places of a shape on the board."""
    board, offsets = table.field.board, SHAPES[name]
    found = set()
    for _ in range(4):
        offsets = tuple((-y, x) for x, y in offsets)
        for square in board.squares:
            y, x = divmod(square, board.width)
            places = [(x + dx, y + dy) for dx, dy in offsets]
            if all(0 <= a < board.width and 0 <= b < board.height for a, b in places):
                squares = frozenset(Square(b * board.width + a) for a, b in places)
                if not squares & board.holes:
                    found.add(squares)
    return tuple(sorted(found, key=sorted))
