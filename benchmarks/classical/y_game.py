"""The game of Y: one chain of stones that touches all three sides of a triangle."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    WHITE,
    Classical,
    Direction,
    appears,
    board_of,
    connected,
    free,
    ways,
)

from grl.board import Player, Position

KEYS = {WHITE: "w", BLACK: "b"}
HEXAGON: tuple[Direction, ...] = ((1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1))


class YGame(Classical):
    """On a triangle of hexagons each turn places a stone on an empty cell. Who has a connected
    group of stones that touches all three sides of the triangle has won; a corner is part of two
    sides. There is no draw: on a full board just one player has such a group. The cells lie askew
    on squares: each is linked to six others. Simplified: no swapping after the first stone."""

    name = "y-game"
    provenance = "Claude Shannon about 1953, Schensted and Titus 1975; a side of six cells"

    def __init__(self, side: int = 6) -> None:
        rows = ["." * (side - y) + "#" * y for y in reversed(range(side))]
        board = board_of(rows, lambda x, y: HEXAGON)  # noqa: ARG005
        self.set_up(board, {key: (who, "stone") for who, key in KEYS.items()}, rows)
        self._near = [[to for _, to in found] for found in ways(board, HEXAGON)]
        places = [(s, *divmod(s, side)) for s in board.squares]
        self._left = [s for s, _, x in places if x == 0]
        self._others = (
            {s for s, y, _ in places if y == 0},
            {s for s, y, x in places if x + y == side - 1},
        )

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        return [names[s] + appears(own) for s in free(position)]

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells = position.cells
        for player, key in KEYS.items():
            for square in self._left:
                if cells[square] == key:
                    group = connected(cells, self._near, square)
                    if all(group & side for side in self._others):
                        return self.won(player)
        return None
