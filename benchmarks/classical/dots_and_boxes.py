"""Dots and boxes: who draws the last side of a box owns it, and goes on."""

from __future__ import annotations

from classical_rules import Classical, appears, board_of, free

from grl.board import EMPTY, Player, Position, Square
from grl.turn import Turn

FIRST, SECOND = Player("first"), Player("second")
KEYS = {FIRST: "A", SECOND: "B"}
LINES = "-|"


class DotsAndBoxes(Classical):
    """Between dots, which are the holes of the board, lie places for lines; the squares between
    these are the boxes. Each turn draws one line, on ranks 1, 3, 5 … a lying one, on the others an
    upright one. Who draws the fourth side of a box, or of two at once, owns them, and moves again,
    unless nothing is left to draw. When all lines are drawn who owns more boxes has won; a draw if
    they have as many."""

    name = "dots-and-boxes"
    provenance = "Edouard Lucas 1889, as commonly played; 3 x 3 boxes"

    def __init__(self, width: int = 3, height: int = 3) -> None:
        dots, places = "#." * width + "#", "." * (2 * width + 1)
        rows = [dots, *[places, dots] * height]
        board = board_of(rows)
        pieces: dict[str, tuple[Player | None, str]] = {
            "-": (None, "lying line"),
            "|": (None, "upright line"),
        }
        boxes = {key: (player, "box") for player, key in KEYS.items()}
        self.set_up(board, pieces | boxes, rows, (FIRST, SECOND))
        across = board.width
        self._key = ["-" if s // across % 2 == 0 else "|" for s in range(board.size)]
        self._sides = {
            Square(s): (s - across, s - 1, s + 1, s + across)
            for s in board.squares
            if s % across % 2 and s // across % 2
        }

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        found = []
        for square in free(position):
            if square in self._sides:
                continue
            closed = [
                names[box] + appears(own)
                for box, sides in self._sides.items()
                if square in sides and sum(cells[side] == EMPTY for side in sides) == 1
            ]
            found.append("; ".join([names[square] + appears(self._key[square]), *closed]))
        return found

    def next_player(self, position: Position, turn: Turn) -> Player:
        again = len(turn.segments) > 1
        return position.to_move if again else self.other(position.to_move)

    def stuck(self, position: Position) -> dict[Player, int]:
        first, second = (position.cells.count(key) for key in KEYS.values())
        return self.won(None if first == second else FIRST if first > second else SECOND)
