"""Connect6 on a small board: one stone first, then two stones each."""

from __future__ import annotations

from classical_rules import BLACK, WHITE, Classical, appears, free, lines

from grl.board import EMPTY, Board, Player, Position
from grl.turn import Turn

KEYS = {BLACK: "x", WHITE: "o"}


class Connect6(Classical):
    """Black puts one stone on an empty square; from then on white and black put two each, one after
    the other, each stone a turn of its own. Six or more in a row in any direction win, with the
    first of two stones as well; a full board without that is a draw."""

    name = "connect6"
    provenance = "I-C. Wu and D.-Y. Huang, A New Family of k-in-a-Row Games, 2005; on 7 x 7"

    def __init__(self, size: int = 7) -> None:
        board = Board(size, size)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["." * size] * size, (BLACK, WHITE))
        self._lines = lines(board, 6)

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        return [names[s] + appears(own) for s in free(position)]

    def next_player(self, position: Position, turn: Turn) -> Player:  # noqa: ARG002
        stones = position.board.size - position.cells.count(EMPTY) + 1
        return BLACK if stones % 4 in (0, 3) else WHITE

    def decided(self, position: Position) -> dict[Player, int] | None:
        for line in self._lines:
            held = {position.cells[s] for s in line}
            if len(held) == 1 and EMPTY not in held:
                return self.won(next(who for who, key in KEYS.items() if key in held))
        return None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(None)
