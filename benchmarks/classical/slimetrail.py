"""Slimetrail: both players move the same snail, which never goes where it has been."""

from __future__ import annotations

from classical_rules import ALL, BLACK, WHITE, Classical, appears, step, ways

from grl.board import EMPTY, Board, Player, Position

SNAIL, SLIME = "s", "x"
ROWS = (".......", ".......", "....s..", ".......", ".......", ".......", ".......")
HOMES = {WHITE: "a1", BLACK: "g7"}


class Slimetrail(Classical):
    """On 7 x 7 squares a snail, which belongs to nobody, begins on e5. A turn moves it one square
    in any of eight directions onto an empty square, and leaves slime on the square that it comes
    from; no square with slime is entered again. White wins when the snail reaches a1, black when it
    reaches g7, whoever has brought it there. Who can't move the snail has lost."""

    name = "slimetrail"
    provenance = "Bill Taylor, 1992, as Rastros in the Portuguese school championship"

    def __init__(self) -> None:
        board = Board(len(ROWS[0]), len(ROWS))
        self.set_up(board, {SNAIL: (None, "snail"), SLIME: (None, "slime")}, ROWS)
        self._near = ways(board, ALL)
        self._homes = {who: board.square(home) for who, home in HOMES.items()}

    def turns(self, position: Position) -> list[str]:
        cells, names = position.cells, position.board.names
        square = cells.index(SNAIL)
        return [
            f"{names[square]}{step(way, 'e')}; {names[square]}{appears(SLIME)}"
            for way, to in self._near[square]
            if cells[to] == EMPTY
        ]

    def decided(self, position: Position) -> dict[Player, int] | None:
        square = position.cells.index(SNAIL)
        return next((self.won(who) for who, home in self._homes.items() if home == square), None)
