"""Snort: bulls and cows never graze side by side."""

from __future__ import annotations

from classical_rules import BLACK, ORTHOGONAL, WHITE, Classical, appears, free, ways

from grl.board import Board, Position

KEYS = {WHITE: "w", BLACK: "b"}


class Snort(Classical):
    """Each turn puts a stone of the mover's on an empty square that has no opposing stone beside it
    along its rank or file. Nothing moves and nothing is taken. Who has no turn has lost."""

    name = "snort"
    provenance = "Simon Norton, in Berlekamp, Conway and Guy, Winning Ways; on a grid of 6 x 6"

    def __init__(self, size: int = 6) -> None:
        board = Board(size, size)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["." * size] * size)
        self._near = [[to for _, to in found] for found in ways(board, ORTHOGONAL)]

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        foe = KEYS[self.other(position.to_move)]
        return [
            names[s] + appears(own)
            for s in free(position)
            if all(cells[to] != foe for to in self._near[s])
        ]
