"""Susan on a small hexagon: stones are placed or slid, and whoever is surrounded loses."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    WHITE,
    Classical,
    Direction,
    appears,
    board_of,
    free,
    step,
    ways,
)

from grl.board import EMPTY, Player, Position

KEYS = {BLACK: "x", WHITE: "o"}
HEXAGON: tuple[Direction, ...] = ((1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1))


class Susan(Classical):
    """On a hexagon of hexagons each turn places a stone on an empty cell, or slides one of one's
    own stones to an empty cell beside it. A stone is surrounded when no cell beside it is empty,
    whatever lies there; the edge shuts in as well. Who surrounds a stone of the opponent has won;
    but whoever's turn leaves one of his own surrounded has lost, even if it surrounds the other's
    too. The cells lie askew on squares: each is linked to six others. Simplified: no draw after six
    slides."""

    name = "susan"
    provenance = "Stephen Linhart, 1991; a side of four cells, without the draw by slides"

    def __init__(self, side: int = 4) -> None:
        size = 2 * side - 1
        there = range(side - 1, 3 * side - 2)
        rows = ["".join("#."[x + y in there] for x in range(size)) for y in reversed(range(size))]
        board = board_of(rows, lambda x, y: HEXAGON)  # noqa: ARG005
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        self.set_up(board, pieces, rows, (BLACK, WHITE))
        self._near = ways(board, HEXAGON)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        stones = [s for s in position.board.squares if cells[s] == own]
        slides = ((s, way) for s in stones for way, to in self._near[s] if cells[to] == EMPTY)
        return [
            *(names[s] + appears(own) for s in free(position)),
            *(names[s] + step(way, "e") for s, way in slides),
        ]

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells = position.cells
        mover = self.other(position.to_move)
        for player in (mover, position.to_move):
            for square in position.board.squares:
                near = self._near[square] if cells[square] == KEYS[player] else ()
                if near and all(cells[to] != EMPTY for _, to in near):
                    return self.won(self.other(player))
        return None
