"""Mu torere, the Maori game of blockade on a star of eight points."""

from __future__ import annotations

from classical_rules import (
    ALL,
    BLACK,
    ORTHOGONAL,
    WHITE,
    Classical,
    Direction,
    board_of,
    step,
    ways,
)

from grl.board import EMPTY, Position

KEYS = {WHITE: "w", BLACK: "b"}
ROWS = ("bbb", "b.w", "www")


class MuTorere(Classical):
    """Eight points in a circle and the centre; each player's four men begin side by side. A man
    goes to an empty point beside it in the circle, from the centre to any empty point, or from the
    circle to the centre, the latter only if a neighbour in the circle is an opponent's. Who can't
    move has lost."""

    name = "mu-torere"
    provenance = "R. C. Bell, Board and Table Games from Many Civilizations"

    def __init__(self) -> None:
        board = board_of(ROWS, _linked)
        self.set_up(board, {key: (who, "man") for who, key in KEYS.items()}, ROWS)
        self._centre = board.square("b2")
        self._near = ways(board, ALL)

    def turns(self, position: Position) -> list[str]:
        cells, own, names = position.cells, KEYS[position.to_move], position.board.names
        foe = KEYS[self.other(position.to_move)]
        found = []
        for square in position.board.squares:
            for way, to in self._near[square] if cells[square] == own else ():
                beside = (cells[s] for _, s in self._near[square] if s != self._centre)
                if cells[to] == EMPTY and (to != self._centre or foe in beside):
                    found.append(names[square] + step(way, "e"))
        return found


def _linked(x: int, y: int) -> list[Direction]:
    """Along the circle, and to the centre and from it."""
    inwards = (1 - x, 1 - y)
    if inwards == (0, 0):
        return list(ALL)
    along = [(dx, dy) for dx, dy in ORTHOGONAL if (x + dx, y + dy) != (1, 1)]
    return [*along, inwards]
