"""Tanbo: roots that grow stone by stone, and die when they can grow no more."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    REMOVED,
    WHITE,
    Classical,
    appears,
    changed,
    connected,
    ways,
)

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {BLACK: "x", WHITE: "o"}


class Tanbo(Classical):
    """Each turn places a stone on an empty point beside exactly one stone of one's own, along the
    lines. So roots grow, each a group of one colour, and never meet. A root is bounded when no
    stone can be placed that would make it grow. If the root that has just grown is bounded, it is
    taken off the board and no other; otherwise all other bounded roots are, of either colour. Who
    has no stones left has lost."""

    name = "tanbo"
    provenance = "Mark Steere, 1993; on 7 x 7 with two roots each, set up like the game on 9 x 9"

    def __init__(self, size: int = 7) -> None:
        board = Board(size, size)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        bar, gap = "." * size, "." * (size - 4)
        rows = [bar, f".o{gap}x.", *[bar] * (size - 4), f".x{gap}o.", bar]
        self.set_up(board, pieces, rows, (BLACK, WHITE))
        self._near = [[to for _, to in found] for found in ways(board, ORTHOGONAL)]

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        found = []
        for square in position.board.squares:
            if self._grows(position.cells, square, own):
                gone = self._bounded(changed(position.cells, {square: own}), square)
                removed = [names[s] + REMOVED for s in sorted(gone)]
                found.append("; ".join([names[square] + appears(own), *removed]))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if key not in position.cells:
                return self.won(self.other(player))
        return None

    def _grows(self, cells: str, square: Square, key: str) -> bool:
        """Whether a stone of a key may be placed on a square."""
        return cells[square] == EMPTY and sum(cells[to] == key for to in self._near[square]) == 1

    def _bounded(self, cells: str, placed: Square) -> set[Square]:
        """The stones that leave the board once the root on `placed` has grown."""
        current = connected(cells, self._near, placed)
        if not self._alive(cells, current):
            return current
        gone: set[Square] = set()
        for square in self.equipment.board.squares:
            if cells[square] != EMPTY and square not in current | gone:
                root = connected(cells, self._near, square)
                if not self._alive(cells, root):
                    gone |= root
        return gone

    def _alive(self, cells: str, root: set[Square]) -> bool:
        return any(self._grows(cells, to, cells[s]) for s in root for to in self._near[s])
