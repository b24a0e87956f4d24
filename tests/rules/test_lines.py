"""Straight lines of squares, for features that ask for rows."""

from __future__ import annotations

import numpy as np

from grl.board import Board, Equipment, Piece, Player, Square
from grl.rules.features.cases import Setting

SMALL = Board(5, 4)
HOLED = Board(4, 4, holes=frozenset({Square(5)}))
RING = Board(
    3,
    1,
    links=frozenset((Square(a), Square(b)) for a, b in ((0, 1), (1, 2), (2, 1), (1, 0), (0, 2))),
)


def setting(board: Board) -> Setting:
    white = Player("white")
    equipment = Equipment(board, (white,), {"w": Piece("w", white, "man")})
    return Setting(equipment, {white: "identity"}, lambda _: [])


def test_rays_go_to_the_edge_and_never_round() -> None:
    rays = [np.flatnonzero(each).tolist() for each in setting(SMALL).grid.toward[:, 0]]
    assert rays == [[1, 2, 3, 4], [5, 10, 15], [6, 12, 18], [], [], [], [], []]
    assert not setting(RING).grid.toward.diagonal(axis1=1, axis2=2).any()
