"""Clobber: a stone goes to a neighbouring square that holds one of the opponent's, and captures it.

It is here to be learned and measured (`engine_models.py`).
"""

from __future__ import annotations

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.errors import GameError
from grl.games import Game

WHITE, BLACK = Player("white"), Player("black")
KEYS = {WHITE: "o", BLACK: "x"}
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Clobber(Game):
    """All squares are occupied, by turns with a stone of each; who can't move loses."""

    name = "clobber"
    provenance = "Albert, Grossman and Nowakowski 2001"

    def __init__(self, width: int = 10, height: int = 10) -> None:
        pieces = {key: Piece(key, player, "stone") for player, key in KEYS.items()}
        self.equipment = Equipment(Board(width, height), (WHITE, BLACK), pieces)
        rows = ["".join("ox"[(x + y) % 2] for x in range(width)) for y in range(height)]
        self.initial = make_position(self.equipment, rows, WHITE)

    def legal(self, position: Position) -> list[str]:
        board, cells, own = position.board, position.cells, KEYS[position.to_move]
        turns = []
        for square in board.squares:
            for dx, dy in STEPS if cells[square] == own else ():
                target = board.step(square, dx, dy)
                if target is not None and cells[target] not in (own, "."):
                    turns.append(f"{board.names[square]} ({dx} {dy} p)")
        return turns

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise GameError("the game is not over", expected="a terminal position")
        return {player: 0 if player == position.to_move else 100 for player in KEYS}
