"""Picaria of the Zuni: three men's morris with more diagonals."""

from __future__ import annotations

from classical_rules import ALL, BLACK, WHITE, Classical, appears, board_of, free, lines, step, ways

from grl.board import EMPTY, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}
MEN = 3


class Picaria(Classical):
    """Nine points; lines join each to all that are beside it, in rows, files and diagonals. In turn
    the players place three men each, on any empty point but the centre. Then a man steps along a
    line to an empty point, the centre too. Three in a row, a file or one of the two long diagonals
    win, while men are placed as well; who can't move has lost."""

    name = "picaria"
    provenance = "the game of the Zuni as on Wikipedia, Picaria; with nine points"

    def __init__(self) -> None:
        rows = ["..."] * 3
        board = board_of(rows, lambda _x, _y: ALL)
        pieces = {key: (who, "man") for who, key in KEYS.items()}
        self.set_up(board, pieces, rows, reserve={who: {key: MEN} for who, key in KEYS.items()})
        self._centre = board.square("b2")
        self._near, self._lines = ways(board, ALL), lines(board, 3)

    def turns(self, position: Position) -> list[str]:
        cells, own, names = position.cells, KEYS[position.to_move], position.board.names
        if position.reserve[position.to_move][own]:
            return [names[s] + appears(own) for s in free(position) if s != self._centre]
        men = [s for s, content in enumerate(cells) if content == own]
        steps = ((s, way) for s in men for way, to in self._near[s] if cells[to] == EMPTY)
        return [names[s] + step(way, "e") for s, way in steps]

    def decided(self, position: Position) -> dict[Player, int] | None:
        for line in self._lines:
            held = {position.cells[s] for s in line}
            if len(held) == 1 and EMPTY not in held:
                return self.won(next(who for who, key in KEYS.items() if key in held))
        return None
