"""Knightthrough: knights that only go forward; who brings one to the far rank wins.

It is here to be learned and measured (`engine_models.py`).
"""

from __future__ import annotations

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.errors import GameError
from grl.games import Game

WHITE, BLACK = Player("white"), Player("black")
KEYS = {WHITE: "n", BLACK: "N"}
FORWARD = {WHITE: 1, BLACK: -1}
LEAPS = ((-2, 1), (-1, 2), (1, 2), (2, 1))


class Knightthrough(Game):
    """White's knights `n` stand on the two lowest ranks, black's `N` on the two highest.

    Who has no turn left loses.
    """

    name = "knightthrough"
    provenance = "as in general game playing competitions; by the manner of Breakthrough"

    def __init__(self, size: int = 8) -> None:
        pieces = {key: Piece(key, player, "knight") for player, key in KEYS.items()}
        self.equipment = Equipment(Board(size, size), (WHITE, BLACK), pieces)
        rows = ["N" * size] * 2 + ["." * size] * (size - 4) + ["n" * size] * 2
        self.initial = make_position(self.equipment, rows, WHITE)

    def legal(self, position: Position) -> list[str]:
        if self._arrived(position):
            return []
        board, cells, own = position.board, position.cells, KEYS[position.to_move]
        turns = []
        for square in board.squares:
            for dx, up in LEAPS if cells[square] == own else ():
                dy = up * FORWARD[position.to_move]
                target = board.step(square, dx, dy)
                if target is not None and cells[target] != own:
                    on = "e" if cells[target] == "." else "p"
                    turns.append(f"{board.names[square]} ({dx} {dy} {on})")
        return turns

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise GameError("the game is not over", expected="a terminal position")
        return {player: 0 if player == position.to_move else 100 for player in KEYS}

    def ending(self, position: Position) -> str:
        self.goals(position)
        return "far rank" if self._arrived(position) else "no turn"

    def _arrived(self, position: Position) -> bool:
        return "n" in position.rows[0] or "N" in position.rows[-1]
