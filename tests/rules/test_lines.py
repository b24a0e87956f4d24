"""Straight lines of squares, for features that ask for rows."""

from __future__ import annotations

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
    (right, _), (up, down), (rising, _), _ = setting(SMALL).rays[0]
    assert (right, up, down, rising) == ((1, 2, 3, 4), (5, 10, 15), (), (6, 12, 18))
    assert all(
        len({*ray}) == len(ray) < 3 for axes in setting(RING).rays for a in axes for ray in a
    )
