"""Boards as the brute-force references of the tests see them: characters by file and rank."""

from __future__ import annotations

from itertools import product

Grid = dict[tuple[int, int], str]
Rows = tuple[str, ...]
Effects = set[tuple[str, Rows]]

AROUND = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]


def grid_of(rows: Rows) -> Grid:
    return {(x, len(rows) - y): c for y, row in enumerate(rows) for x, c in enumerate(row, 1)}


def rows_of(grid: Grid) -> Rows:
    """The rows of a grid that was made by `grid_of`, whose order changes keep."""
    width, text = next(reversed(grid))[0], "".join(grid.values())
    return tuple(text[start : start + width] for start in range(0, len(text), width))


def name(square: tuple[int, int]) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[square[0] - 1] + str(square[1])
