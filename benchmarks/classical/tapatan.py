"""Tapatan, three men's morris with diagonals."""

from __future__ import annotations

from classical_rules import (
    ALL,
    BLACK,
    WHITE,
    Classical,
    alquerque,
    appears,
    board_of,
    free,
    lines,
    step,
    ways,
)

from grl.board import EMPTY, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}
MEN = 3


class Tapatan(Classical):
    """Nine points joined by rows, files and two diagonals. In turn the players place three men
    each; then a man steps along a line to an empty point beside it. Three in a row win; who can't
    move has lost."""

    name = "tapatan"
    provenance = "R. C. Bell, Board and Table Games from Many Civilizations: three men's morris"

    def __init__(self) -> None:
        rows = ["..."] * 3
        board = board_of(rows, alquerque)
        pieces = {key: (who, "man") for who, key in KEYS.items()}
        self.set_up(board, pieces, rows, reserve={who: {key: MEN} for who, key in KEYS.items()})
        self._near, self._lines = ways(board, ALL), lines(board, 3)

    def turns(self, position: Position) -> list[str]:
        cells, own, names = position.cells, KEYS[position.to_move], position.board.names
        if position.reserve[position.to_move][own]:
            return [names[s] + appears(own) for s in free(position)]
        men = [s for s, content in enumerate(cells) if content == own]
        steps = ((s, way) for s in men for way, to in self._near[s] if cells[to] == EMPTY)
        return [names[s] + step(way, "e") for s, way in steps]

    def decided(self, position: Position) -> dict[Player, int] | None:
        for line in self._lines:
            held = {position.cells[s] for s in line}
            if len(held) == 1 and EMPTY not in held:
                return self.won(next(who for who, key in KEYS.items() if key in held))
        return None
