"""Teeko: four men each are placed, then moved, until they make a line or a square."""

from __future__ import annotations

from classical_rules import ALL, BLACK, Classical, appears, free, lines, step, ways

from grl.board import EMPTY, Board, Player, Position

RED = Player("red")
KEYS = {BLACK: "b", RED: "r"}
SIZE, MEN = 5, 4


class Teeko(Classical):
    """In turn the players place four men each on empty points of 5 x 5. Then a man steps in any of
    eight directions to an empty point beside it. All four men in an unbroken line, in a row, a file
    or a diagonal, or in a square of two by two win, in either phase; so does to leave the other
    without a turn. Simplified: the first man may be placed in the centre, too."""

    name = "teeko"
    provenance = "John Scarne, Scarne on Teeko, 1955: the standard game of 44 positions"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {key: (who, "man") for who, key in KEYS.items()}
        hands = {who: {key: MEN} for who, key in KEYS.items()}
        self.set_up(board, pieces, ["." * SIZE] * SIZE, (BLACK, RED), hands)
        self._near = ways(board, ALL)
        last = SIZE - 1
        corners = [s for s in board.squares if s % SIZE < last and s // SIZE < last]
        squares = [(s, s + 1, s + SIZE, s + SIZE + 1) for s in corners]
        self._patterns = [*lines(board, MEN), *squares]

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        if position.reserve[position.to_move][own]:
            return [names[s] + appears(own) for s in free(position)]
        men = [s for s in position.board.squares if cells[s] == own]
        steps = ((s, way) for s in men for way, to in self._near[s] if cells[to] == EMPTY)
        return [names[s] + step(way, "e") for s, way in steps]

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if any(all(position.cells[s] == key for s in line) for line in self._patterns):
                return self.won(player)
        return None
