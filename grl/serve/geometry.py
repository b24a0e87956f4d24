"""Where squares lie on the page: a grid, a hexagon, or points with lines between them.

Units are the side of a square; y grows downwards. Nothing is known of any game: a board whose
pieces step to six neighbours of eight, all six ways being used, is one of hexagons.
"""

from __future__ import annotations

import math
from typing import Any

from grl.board import Board, Square
from grl.model import Model

Point = tuple[float, float]

MOST_SQUARES = 2_500
"""A larger board is no picture any more."""
_AXES = frozenset({(1, 0), (0, 1), (-1, 0), (0, -1)})
_RISING, _FALLING = frozenset({(1, 1), (-1, -1)}), frozenset({(1, -1), (-1, 1)})


def board_data(model: Model) -> dict[str, Any]:
    """The board for a page: its shape, and for each square of it name and middle."""
    board = model.equipment.board
    shape, slant = _shape(model)
    middles = {square: _middle(board, square, slant) for square in board.squares}
    xs = [x for x, _ in middles.values()] or [0.0]
    ys = [y for _, y in middles.values()] or [0.0]
    left, top = min(xs) - 0.5, min(ys) - 0.5
    names = board.names
    return {
        "shape": shape,
        "width": round(max(xs) + 0.5 - left, 3),
        "height": round(max(ys) + 0.5 - top, 3),
        "files": board.width,
        "ranks": board.height,
        "squares": [
            {
                "name": names[square],
                "at": square,
                "x": round(x - left, 3),
                "y": round(y - top, 3),
                "dark": (square // board.width + square % board.width) % 2 == 0,
            }
            for square, (x, y) in middles.items()
        ],
        "lines": [
            [names[one], names[other], (other, one) in links]
            for links in [board.links or frozenset()]
            for one, other in sorted(links)
            if one < other or (other, one) not in links
        ],
    }


def _shape(model: Model) -> tuple[str, int]:
    """``lines``, ``hexagons`` with the way in which they slant, or ``grid``."""
    board = model.equipment.board
    if board.links is not None:
        return "lines", 0
    steps = {
        (letter.dx, letter.dy)
        for dfa in model.automata
        for _, letter, _ in dfa.transitions
        if letter.steps
    }
    near = {step for step in steps if max(map(abs, step)) == 1}
    if board.holes and near == steps and near >= _AXES:
        if near == _AXES | _RISING:
            return "hexagons", -1
        if near == _AXES | _FALLING:
            return "hexagons", 1
    return "grid", 0


def _middle(board: Board, square: Square, slant: int) -> Point:
    y, x = divmod(square, board.width)
    if slant:
        return x + slant * y / 2, -y * math.sqrt(3) / 2
    return float(x), float(-y)
