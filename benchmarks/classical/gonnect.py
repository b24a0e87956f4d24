"""Gonnect: go in which a chain from side to side wins."""

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
    free,
    ways,
)

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {BLACK: "x", WHITE: "o"}


class Gonnect(Classical):
    """Each turn places a stone on an empty point; nobody passes. Chains of the opponent's that no
    longer have an empty point beside them are taken off the board. A stone that takes nothing must
    not leave its own chain so, not even to win. A chain along the lines that joins two opposite
    sides, left and right or bottom and top, wins for its player. Who has no turn has lost."""

    name = "gonnect"
    provenance = "Joao Pedro Neto, 2000; on 5 x 5, without ko and swapping"

    def __init__(self, size: int = 5) -> None:
        board = Board(size, size)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["." * size] * size, (BLACK, WHITE))
        self._near = [[to for _, to in found] for found in ways(board, ORTHOGONAL)]

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        foe = KEYS[self.other(position.to_move)]
        found = []
        for square in free(position):
            after = changed(position.cells, {square: own})
            beside = (
                connected(after, self._near, s) for s in self._near[square] if after[s] == foe
            )
            taken = {s for chain in beside if not self._breathes(after, chain) for s in chain}
            if taken or self._breathes(after, connected(after, self._near, square)):
                removed = [names[s] + REMOVED for s in sorted(taken)]
                found.append("; ".join([names[square] + appears(own), *removed]))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells, size = position.cells, position.board.width
        for player, key in KEYS.items():
            for square in position.board.squares:
                if cells[square] == key and 0 in divmod(square, size):
                    chain = connected(cells, self._near, square)
                    ranks, files = ({s // size for s in chain}, {s % size for s in chain})
                    if {0, size - 1} <= ranks or {0, size - 1} <= files:
                        return self.won(player)
        return None

    def _breathes(self, cells: str, chain: set[Square]) -> bool:
        """Whether an empty point lies beside a chain."""
        return any(cells[to] == EMPTY for s in chain for to in self._near[s])
