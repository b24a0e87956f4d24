"""Tic-tac-toe: the players put stones on empty squares; three in a row win."""

from __future__ import annotations

from grl.board import EMPTY, Board, Player, Position
from grl.games import Game

from ..common import appear_text, make_equipment, not_over, position_of, shared_goals
from ..lines import Lines

X = Player("x")
O = Player("o")  # noqa: E741


class TicTacToe(Game):
    """The game on 3 x 3 squares; `x` begins."""

    name = "tic-tac-toe"
    provenance = "folk game; as in Berlekamp, Conway and Guy, Winning Ways, vol. 3, ch. 22"

    def __init__(self) -> None:
        board = Board(3, 3)
        self.equipment = make_equipment(board, (X, O), {"x": (X, "stone"), "o": (O, "stone")})
        self.initial = position_of(self.equipment, EMPTY * board.size, X)
        self._lines = Lines(board, 3, "xo")
        self._texts = {
            player: [name + appear_text(player) for name in board.names] for player in (X, O)
        }

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        texts = self._texts[position.to_move]
        return [texts[i] for i, cell in enumerate(position.cells) if cell == EMPTY]

    def is_terminal(self, position: Position) -> bool:
        cells = position.cells
        return EMPTY not in cells or self._lines.made(cells, X) or self._lines.made(cells, O)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        made = [player for player in (X, O) if self._lines.made(position.cells, player)]
        return shared_goals((X, O), made[0] if len(made) == 1 else None)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        made = any(self._lines.made(position.cells, player) for player in (X, O))
        return "line" if made else "board full"
