"""Yavalath: four in a row win, but three in a row lose."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    WHITE,
    Classical,
    Direction,
    appears,
    board_of,
    free,
    lines,
)

from grl.board import Player, Position

KEYS = {WHITE: "w", BLACK: "b"}
HEXAGON: tuple[Direction, ...] = ((1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1))


class Yavalath(Classical):
    """On a hexagon of hexagons each turn places a stone on an empty cell. Who has made four of
    them in a row has won; who has made three in a row without that has lost. A full board is a
    draw. The cells lie askew on squares: each is linked to six others."""

    name = "yavalath"
    provenance = "Cameron Browne and his program Ludi, 2007; a side of four cells, without swapping"

    def __init__(self, side: int = 4) -> None:
        size = 2 * side - 1
        there = range(side - 1, 3 * side - 2)
        rows = ["".join("#."[x + y in there] for x in range(size)) for y in reversed(range(size))]
        board = board_of(rows, lambda x, y: HEXAGON)  # noqa: ARG005
        self.set_up(board, {key: (who, "stone") for who, key in KEYS.items()}, rows)
        self._lines = {length: lines(board, length, HEXAGON[:3]) for length in (4, 3)}

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        return [names[s] + appears(own) for s in free(position)]

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells = position.cells
        for length, found in self._lines.items():
            for player, key in KEYS.items():
                full = key * length
                if any("".join(cells[s] for s in line) == full for line in found):
                    return self.won(player if length == 4 else self.other(player))
        return None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(None)
