"""Gomoku: stones on any empty square; five of one colour in a line, or more, win.

It is here to be learned and measured (`engine_models.py`).
"""

from __future__ import annotations

import random

from grl.board import EMPTY, Board, Equipment, Piece, Player, Position, make_position
from grl.errors import GameError
from grl.games import Game

BLACK, WHITE = Player("black"), Player("white")
KEYS = {BLACK: "x", WHITE: "o"}
ENDGAMES = 60


class Gomoku(Game):
    """Black's stones are `x`, white's `o`; black begins. A full board without a line is a draw."""

    name = "gomoku"
    provenance = "free-style, without restrictions on black"

    def __init__(self, size: int = 15, line: int = 5) -> None:
        board = Board(size, size)
        pieces = {key: Piece(key, player, "stone") for player, key in KEYS.items()}
        self.equipment = Equipment(board, (BLACK, WHITE), pieces)
        self.initial = make_position(self.equipment, [EMPTY * size] * size, BLACK)
        self._line = line

    def legal(self, position: Position) -> list[str]:
        if self._winner(position) is not None:
            return []
        names, own = position.board.names, KEYS[position.to_move]
        return [f"{names[s]} (0 0 a {own})" for s, c in enumerate(position.cells) if c == EMPTY]

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        winner = self._winner(position)
        if winner is None and EMPTY in position.cells:
            raise GameError("the game is not over", expected="a terminal position")
        won = {winner: 100} if winner is not None else dict.fromkeys(KEYS, 50)
        return {player: won.get(player, 0) for player in KEYS}

    def ending(self, position: Position) -> str:
        self.goals(position)
        return "board full" if self._winner(position) is None else "line"

    def endgames(self) -> list[Position]:
        """Boards without a line on which few squares are empty, which random games don't reach."""
        chance, size = random.Random(5), self.equipment.board.width
        found = []
        for number in range(ENDGAMES):
            # No line of more than two of a colour, whatever its direction.
            cells = ["xo"[(x + 2 * y) // 2 % 2] for y in range(size) for x in range(size)]
            for square in chance.sample(range(len(cells)), 2 + number % 6):
                cells[square] = EMPTY
            rows = self.equipment.board.rows("".join(cells))
            position = make_position(self.equipment, rows, chance.choice((BLACK, WHITE)))
            if self._winner(position) is None:
                found.append(position)
        return found

    def _winner(self, position: Position) -> Player | None:
        text = ".".join(position.rows)  # a column more, so that no line goes round the edge
        wide = position.board.width + 1
        for player, key in KEYS.items():
            stones = int(text.translate({ord(c): str(int(c == key)) for c in "xo."}), 2)
            for shift in (1, wide - 1, wide, wide + 1):
                found = stones
                for number in range(1, self._line):
                    found &= stones >> number * shift
                if found:
                    return player
        return None
