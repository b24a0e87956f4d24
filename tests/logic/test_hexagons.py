"""Rings, edge and corners of a hexagon that lies askew on a board, by its own distances."""

from __future__ import annotations

import pytest

from grl.board import Board, Square
from grl.logic.geometry import Geometry


def hexagon(side: int, sign: int) -> tuple[Board, dict[Square, int]]:
    """A hexagon whose squares touch those up and to the right, or down, too; and for each square
    how many steps it takes from the middle to there."""
    width = 2 * side - 1
    away = {}
    for square in map(Square, range(width * width)):
        y, x = divmod(square, width)
        dx, dy = x - side + 1, y - side + 1
        away[square] = max(abs(dx), abs(dy), abs(dx - sign * dy))
    holes = frozenset(square for square, steps in away.items() if steps >= side)
    return Board(width, width, holes), {s: n for s, n in away.items() if s not in holes}


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("side", [2, 3, 4, 6])
def test_rings_are_counted_from_the_edge_of_the_hexagon(side: int, sign: int) -> None:
    board, away = hexagon(side, sign)
    geometry = Geometry(board)

    assert all(geometry.rings[square] == side - steps for square, steps in away.items())
    edge = {square for square, steps in away.items() if steps == side - 1}
    assert set(geometry.zone("edge")) == edge
    middle, last = side - 1, 2 * side - 2
    corners = {(0, middle), (middle, 0), (last, middle), (middle, last)}
    corners |= {(0, 0), (last, last)} if sign > 0 else {(0, last), (last, 0)}
    assert {divmod(s, board.width)[::-1] for s in geometry.zone("corner")} == corners


def test_other_boards_are_seen_by_files_and_ranks() -> None:
    cross = Board(5, 4, frozenset(map(Square, (0, 4, 15, 19))))
    geometry = Geometry(cross)

    assert geometry.rings[:10] == (1, 1, 1, 1, 1, 1, 2, 2, 2, 1)
    assert {cross.names[s] for s in geometry.zone("corner")} == {"b1", "d1", "b4", "d4"}
    assert len(geometry.zone("edge")) == 10
    assert {cross.names[s] for s in geometry.zone("centre")} == {"c2", "c3"}
