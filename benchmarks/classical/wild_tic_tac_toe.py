"""Wild tic-tac-toe: both players put crosses or noughts, as they like."""

from __future__ import annotations

from classical_rules import Classical, appears, free, lines

from grl.board import Board, Player, Position

FIRST, SECOND = Player("first"), Player("second")
MARKS = {"x": "cross", "o": "nought"}
SIZE = 3


class WildTicTacToe(Classical):
    """On 3 x 3 squares a turn puts a cross or a nought, whichever the player likes, on an empty
    square. Who completes three equal marks in a row, a file or a diagonal has won. A full board
    without such a line is a draw."""

    name = "wild-tic-tac-toe"
    provenance = "Wikipedia, Wild tic-tac-toe, the normal game: three in a line win"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {key: (None, kind) for key, kind in MARKS.items()}
        self.set_up(board, pieces, ["." * SIZE] * SIZE, (FIRST, SECOND))
        self._lines = lines(board, SIZE)

    def turns(self, position: Position) -> list[str]:
        names = position.board.names
        return [names[s] + appears(mark) for s in free(position) for mark in MARKS]

    def decided(self, position: Position) -> dict[Player, int] | None:
        for line in self._lines:
            if {position.cells[s] for s in line} in ({"x"}, {"o"}):
                return self.won(self.other(position.to_move))
        return None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(None)
