"""Squava: four in a row win, but three in a row lose, on squares."""

from __future__ import annotations

from classical_rules import BLACK, WHITE, Classical, appears, free, lines

from grl.board import Board, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}


class Squava(Classical):
    """Each turn places a stone on an empty square of 5 x 5. Who has made four of them in a row, a
    file or a diagonal, or five, has won; who has made three without that has lost. A full board is
    a draw. Simplified: without swapping after the first stone."""

    name = "squava"
    provenance = "Néstor Romeral Andrés, nestorgames; four win even if three arise as well"

    def __init__(self, size: int = 5) -> None:
        board = Board(size, size)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["." * size] * size)
        self._lines = {length: lines(board, length) for length in (4, 3)}

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        return [names[s] + appears(own) for s in free(position)]

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells = position.cells
        for length, found in self._lines.items():
            for player, key in KEYS.items():
                if any(all(cells[s] == key for s in line) for line in found):
                    return self.won(player if length == 4 else self.other(player))
        return None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(None)
