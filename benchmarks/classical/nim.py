"""Nim: rows of sticks, and whoever takes the last one wins."""

from __future__ import annotations

from classical_rules import BLACK, REMOVED, WHITE, Classical

from grl.board import EMPTY, Board, Position

STICK = "i"


class Nim(Classical):
    """Sticks lie in rows, one row a heap; they belong to nobody. A turn takes any number of sticks,
    at least one, from the right end of one row. Who takes the last stick wins: who finds none has
    lost."""

    name = "nim"
    provenance = "C. L. Bouton, 1901, normal play; heaps of 1, 3, 5 and 7"

    def __init__(self, heaps: tuple[int, ...] = (1, 3, 5, 7)) -> None:
        rows = [(STICK * heap).ljust(max(heaps), EMPTY) for heap in heaps]
        board = Board(max(heaps), len(heaps))
        self.set_up(board, {STICK: (None, "stick")}, rows, (WHITE, BLACK))

    def turns(self, position: Position) -> list[str]:
        board, found = position.board, []
        for rank in range(board.height):
            row = range(rank * board.width, (rank + 1) * board.width)
            sticks = [board.names[s] + REMOVED for s in row if position.cells[s] == STICK]
            found += ["; ".join(sticks[first:]) for first in range(len(sticks))]
        return found
