"""Hare and hounds, the French military game: three hounds hunt a hare."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from classical_rules import (
    ALL,
    DIAGONAL,
    ORTHOGONAL,
    STARTS,
    Classical,
    Direction,
    board_of,
    changed,
    step,
    ways,
)

from grl.board import EMPTY, Player, Position

HOUNDS, HARE = Player("hounds"), Player("hare")
KEYS = {HOUNDS: "d", HARE: "h"}
ROWS = ("#d..#", "d...h", "#d..#")


class HareAndHounds(Classical):
    """Eleven points. A hound steps along a line forward, to the right, or straight up or down, the
    hare in any direction, all to an empty point. Hounds win when the hare can't move; the hare
    wins once it is further left than all hounds, or when they can't move."""

    name = "hare-and-hounds"
    provenance = "E. Lucas, Récréations mathématiques; without the count of idle moves"

    def __init__(self) -> None:
        board = board_of(ROWS, _linked)
        pieces = {"d": (HOUNDS, "hound"), "h": (HARE, "hare")}
        self.set_up(board, pieces, ROWS, (HOUNDS, HARE))
        self._near = ways(board, ALL)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        found = []
        for square, content in enumerate(cells):
            for way, to in self._near[square] if content == KEYS[mover] else ():
                if cells[to] == EMPTY and (mover == HARE or way[0] >= 0):
                    found.append(names[square] + step(way, "e"))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        width = position.board.width
        files = [s % width for s, content in enumerate(position.cells) if content == "d"]
        return self.won(HARE) if position.cells.index("h") % width < min(files) else None

    def endgames(self) -> list[Position]:
        """Random hounds hardly ever win: half of the positions let them do so at once."""
        found = []
        points = self.equipment.board.squares
        for hare, *hounds in (
            (h, *d) for d in combinations(points, 3) for h in points if h not in d
        ):
            changes = dict.fromkeys(points, EMPTY) | dict.fromkeys(hounds, "d") | {hare: "h"}
            position = replace(self.initial, cells=changed(self.initial.cells, changes))
            turns = [] if self.decided(position) else self.turns(position)
            if any(not self.turns(self.play(position, turn)) for turn in turns):
                found.append(position)
        return [*super().endgames(), *found[:: max(1, len(found) // STARTS)]]


def _linked(x: int, y: int) -> tuple[Direction, ...]:
    """Diagonals join the two ends, the centre, and the corners of the block of nine points."""
    return ORTHOGONAL if (x + y) % 2 == 0 else ORTHOGONAL + DIAGONAL
