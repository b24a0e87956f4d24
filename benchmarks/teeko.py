"""Teeko, for what learners make of a game with stones in hand that nobody tuned them on.

The board has 5 x 5 squares; each player has four stones in hand. A turn places a stone while there
is one in hand, and afterwards moves a stone a step in any of eight directions. Four stones of one
player in a line or in a square of 2 x 2 win; a player without a turn has lost.
"""

from __future__ import annotations

from grl.board import EMPTY, Board, Equipment, Piece, Player, Position, make_position
from grl.errors import GameError
from grl.games import Game

WHITE, BLACK = Player("white"), Player("black")
KEYS = {WHITE: "w", BLACK: "b"}
SIDE, STONES = 5, 4
WAYS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
LINES = (
    *(tuple((n * dx, n * dy) for n in range(4)) for dx, dy in WAYS[:4]),
    ((0, 0), (1, 0), (0, 1), (1, 1)),
)


class Teeko(Game):
    """White's stones are `w`, black's `b`; white begins."""

    name = "teeko"
    provenance = "John Scarne, Teeko; the plain game"

    def __init__(self) -> None:
        pieces = {key: Piece(key, player, "stone") for player, key in KEYS.items()}
        self.equipment = Equipment(Board(SIDE, SIDE), tuple(KEYS), pieces, frozenset(KEYS.items()))
        hands: dict[str, dict[str, int]] = {p: {key: STONES} for p, key in KEYS.items()}
        self.initial = make_position(self.equipment, (EMPTY * SIDE,) * SIDE, WHITE, hands)

    def legal(self, position: Position) -> list[str]:
        if self._winner(position) is not None:
            return []
        board, cells, mover = position.board, position.cells, position.to_move
        own, names = KEYS[mover], board.names
        if position.reserve[mover][own]:
            return [f"{names[s]} (0 0 a {own})" for s in board.squares if cells[s] == EMPTY]
        return [
            f"{names[s]} ({dx} {dy} e)"
            for s in board.squares
            if cells[s] == own
            for dx, dy in WAYS
            if (target := board.step(s, dx, dy)) is not None and cells[target] == EMPTY
        ]

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise GameError("the game is not over", expected="a terminal position")
        won = self._winner(position) or self.equipment.next_player(position.to_move)
        return {player: 100 * (player == won) for player in KEYS}

    def _winner(self, position: Position) -> Player | None:
        """Who has four stones in a line or a square."""
        board, cells = position.board, position.cells
        for player, key in KEYS.items():
            stones = {(s % SIDE, s // SIDE) for s in board.squares if cells[s] == key}
            for x, y in stones:
                if any({(x + dx, y + dy) for dx, dy in line} <= stones for line in LINES):
                    return player
        return None
