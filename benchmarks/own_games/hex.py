"""Hex: stones on any empty cell; a chain of one colour between its two edges wins.

Cells of hexagons are squares with links to six neighbours. It is here to be learned and measured
(`engine_models.py`).
"""

from __future__ import annotations

from itertools import product

from grl.board import EMPTY, Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import GameError
from grl.games import Game

BLACK, WHITE = Player("black"), Player("white")
KEYS = {BLACK: "x", WHITE: "o"}
NEIGHBOURS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


class Hex(Game):
    """Black's stones `x` join the lowest rank and the highest, white's `o` the outer files."""

    name = "hex"
    provenance = "Piet Hein 1942, without the right to swap"

    def __init__(self, size: int = 11) -> None:
        plain = Board(size, size)
        links = frozenset(
            (square, to)
            for square, (dx, dy) in product(plain.squares, NEIGHBOURS)
            if (to := plain.step(square, dx, dy)) is not None
        )
        pieces = {key: Piece(key, player, "stone") for player, key in KEYS.items()}
        self.equipment = Equipment(Board(size, size, links=links), (BLACK, WHITE), pieces)
        self.initial = make_position(self.equipment, [EMPTY * size] * size, BLACK)
        last = range(size * size - size, size * size)
        self._edges = {
            "x": (range(size), last),
            "o": (range(0, size * size, size), range(size - 1, size * size, size)),
        }

    def legal(self, position: Position) -> list[str]:
        if self._winner(position) is not None:
            return []
        names, own = position.board.names, KEYS[position.to_move]
        return [f"{names[s]} (0 0 a {own})" for s, c in enumerate(position.cells) if c == EMPTY]

    def is_terminal(self, position: Position) -> bool:
        return self._winner(position) is not None

    def goals(self, position: Position) -> dict[Player, int]:
        winner = self._winner(position)
        if winner is None:
            raise GameError("the game is not over", expected="a terminal position")
        return {player: 100 * (player == winner) for player in KEYS}

    def _winner(self, position: Position) -> Player | None:
        return next((player for player, key in KEYS.items() if self._joined(position, key)), None)

    def _joined(self, position: Position, key: str) -> bool:
        board, cells = position.board, position.cells
        first, last = self._edges[key]
        waiting = [Square(s) for s in first if cells[s] == key]
        met = set(waiting)
        while waiting:
            here = waiting.pop()
            for dx, dy in NEIGHBOURS:
                to = board.step(here, dx, dy)
                if to is not None and to not in met and cells[to] == key:
                    met.add(to)
                    waiting.append(to)
        return not met.isdisjoint(last)
