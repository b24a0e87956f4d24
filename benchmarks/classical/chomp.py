"""Chomp: a bar of chocolate is eaten from one corner, and the last square is poisoned."""

from __future__ import annotations

from classical_rules import REMOVED, Classical

from grl.board import EMPTY, Board, Player, Position

FIRST, SECOND = Player("first"), Player("second")
CHOCOLATE = "c"


class Chomp(Classical):
    """Each turn chooses a square that is left of the bar and eats it, with all those to its right,
    above it, and both. The square in the corner, a1, is poisoned: who eats it, the whole rest with
    it, has lost."""

    name = "chomp"
    provenance = "David Gale, 1974, and Frederik Schuh; on 5 x 4"

    def __init__(self, width: int = 5, height: int = 4) -> None:
        board = Board(width, height)
        pieces = {CHOCOLATE: (None, "chocolate")}
        self.set_up(board, pieces, [CHOCOLATE * width] * height, (FIRST, SECOND))
        self._eaten = [
            [s for s in board.squares if s % width >= chosen % width and s >= chosen]
            for chosen in board.squares
        ]

    def turns(self, position: Position) -> list[str]:
        cells, names = position.cells, position.board.names
        return [
            "; ".join(names[s] + REMOVED for s in self._eaten[chosen] if cells[s] != EMPTY)
            for chosen in position.board.squares
            if cells[chosen] != EMPTY
        ]

    def stuck(self, position: Position) -> dict[Player, int]:
        """The bar is gone: the other one has eaten the poison."""
        return self.won(position.to_move)
