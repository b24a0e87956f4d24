"""NoGo, anti-atari go: nothing may be captured, and who can't place a stone has lost."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    WHITE,
    Classical,
    appears,
    changed,
    connected,
    free,
    ways,
)

from grl.board import EMPTY, Board, Position, Square

KEYS = {BLACK: "x", WHITE: "o"}


class Nogo(Classical):
    """Each turn places a stone on an empty point; stones never move and never leave the board.
    Stones of one colour that hang together along the lines are a group. A stone may not be placed
    where it would leave any group, of either colour, without an empty point beside it: there are no
    captures and no suicide. Who has no turn has lost."""

    name = "nogo"
    provenance = "Neil Moffatt 2005, as played at the BIRS workshop 2011; on 6 x 6"

    def __init__(self, size: int = 6) -> None:
        board = Board(size, size)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["." * size] * size, (BLACK, WHITE))
        self._near = [[to for _, to in found] for found in ways(board, ORTHOGONAL)]

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        return [names[s] + appears(own) for s in free(position) if self._may(cells, s, own)]

    def _may(self, cells: str, square: Square, own: str) -> bool:
        """Whether all groups that a stone touches, its own too, keep an empty point beside them."""
        after = changed(cells, {square: own})
        touched = [square, *(s for s in self._near[square] if cells[s] != EMPTY)]
        return all(self._alive(after, s) for s in touched)

    def _alive(self, cells: str, square: Square) -> bool:
        group = connected(cells, self._near, square)
        return any(cells[to] == EMPTY for s in group for to in self._near[s])
