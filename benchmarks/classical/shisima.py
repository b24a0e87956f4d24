"""Shisima, of western Kenya: three water bugs each, on an octagon around a pool."""

from __future__ import annotations

from classical_rules import (
    ALL,
    BLACK,
    ORTHOGONAL,
    WHITE,
    Classical,
    Direction,
    board_of,
    lines,
    step,
    ways,
)

from grl.board import EMPTY, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}
ROWS = ("bbb", "...", "www")


class Shisima(Classical):
    """Eight points in a circle, each joined to its two neighbours and to the centre, the pool. Here
    they are the squares around the middle one of 3 x 3. Each player has three bugs, which begin on
    three neighbouring points of the circle, opposite the other player's; the centre and the two
    points between are empty. A turn moves a bug along a line to the empty point at its end; nothing
    is jumped over or taken. Who gets his three bugs into a straight line, which runs through the
    centre, wins; three side by side in the circle are no such line. There is always a turn: who
    shuts all three bugs in has such a line already. Simplified: no draw by repetition."""

    name = "shisima"
    provenance = "Claudia Zaslavsky, Math Games and Activities from Around the World, 1998"

    def __init__(self) -> None:
        board = board_of(ROWS, _linked)
        self.set_up(board, {key: (who, "bug") for who, key in KEYS.items()}, ROWS)
        centre = board.square("b2")
        self._near = ways(board, ALL)
        self._lines = [line for line in lines(board, 3) if centre in line]

    def turns(self, position: Position) -> list[str]:
        cells, own, names = position.cells, KEYS[position.to_move], position.board.names
        return [
            names[s] + step(way, "e")
            for s in position.board.squares
            for way, to in (self._near[s] if cells[s] == own else ())
            if cells[to] == EMPTY
        ]

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if any(all(position.cells[s] == key for s in line) for line in self._lines):
                return self.won(player)
        return None


def _linked(x: int, y: int) -> list[Direction]:
    """The lines that leave a point: along the circle, and to the centre or from it."""
    inwards = (1 - x, 1 - y)
    if inwards == (0, 0):
        return list(ALL)
    return [*((dx, dy) for dx, dy in ORTHOGONAL if (x + dx, y + dy) != (1, 1)), inwards]
