"""Jeson mor, nine horses, of Mongolia: a race of knights through the centre."""

from __future__ import annotations

from classical_rules import BLACK, WHITE, Classical, Direction, step, ways

from grl.board import Board, Player, Position

KEYS = {WHITE: "n", BLACK: "N"}
LEAPS: tuple[Direction, ...] = tuple(
    (x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if x * x != y * y
)


class JesonMor(Classical):
    """All pieces are knights and move and take as in chess; they fill the first ranks. The first
    to enter the central square and to leave it again wins. The position after the leap out no
    longer shows it, so here the game is over a ply earlier: a player who begins his turn with a
    knight on the centre, which the opponent has failed to take, has won. Who has no knights left,
    or no turn, has lost."""

    name = "jeson-mor"
    provenance = "D. B. Pritchard, The Encyclopedia of Chess Variants: nine horses, of Mongolia"

    def __init__(self, size: int = 9) -> None:
        board = Board(size, size)
        pieces = {key: (who, "knight") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["N" * size, *["." * size] * (size - 2), "n" * size])
        self._leaps = ways(board, LEAPS)
        self._centre = board.size // 2

    def turns(self, position: Position) -> list[str]:
        cells, names = position.cells, position.board.names
        view = position.equipment.views[position.to_move]
        return [
            names[square] + step(way, view[cells[to]])
            for square in position.board.squares
            if view[cells[square]] == "w"
            for way, to in self._leaps[square]
            if view[cells[to]] != "w"
        ]

    def decided(self, position: Position) -> dict[Player, int] | None:
        mover = position.to_move
        return self.won(mover) if position.cells[self._centre] == KEYS[mover] else None
