"""Oust: a growing group takes all smaller ones beside it, and its player goes on."""

from __future__ import annotations

from collections.abc import Iterator

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

from grl.board import Board, Player, Position, Square
from grl.turn import Turn

KEYS = {BLACK: "x", WHITE: "o"}


class Oust(Classical):
    """The board begins empty. A turn puts a stone on an empty square; stones of one colour hang
    together along ranks and files, and make groups, one stone alone too. A stone with no stone of
    its own colour beside it takes nothing, whatever else is beside it. A stone that makes a larger
    group of its own colour may be placed only if that new group touches at least one opposing group
    and is larger than each that it touches; all these are taken off the board, and the same player
    must place another stone, which is a turn of its own, until he has placed one that takes
    nothing. Who can't place a stone passes. Who has taken all of the opponent's stones wins.
    Simplified: no exchange of sides after the first stone."""

    name = "oust"
    provenance = "Mark Steere, 2007; on 6 x 6, without the pie rule"

    def __init__(self, size: int = 6) -> None:
        board = Board(size, size)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["." * size] * size, (BLACK, WHITE))
        self._near = [[to for _, to in found] for found in ways(board, ORTHOGONAL)]

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        found = [
            "; ".join([names[to] + appears(own), *(names[s] + REMOVED for s in sorted(taken))])
            for to, taken in self._placements(position)
        ]
        return found or ["pass"]

    def next_player(self, position: Position, turn: Turn) -> Player:
        takes = len(turn.segments) > 1
        return position.to_move if takes else self.other(position.to_move)

    def decided(self, position: Position) -> dict[Player, int] | None:
        # Who is to move for the first time has no stones himself.
        cells, mover = position.cells, position.to_move
        alone = KEYS[mover] in cells and KEYS[self.other(mover)] not in cells
        return self.won(mover) if alone else None

    def _placements(self, position: Position) -> Iterator[tuple[Square, set[Square]]]:
        """Where the player to move may put a stone, and what that takes."""
        own, foe = KEYS[position.to_move], KEYS[self.other(position.to_move)]
        for to in free(position):
            after = changed(position.cells, {to: own})
            group = connected(after, self._near, to)
            if len(group) == 1:
                yield to, set()
                continue
            touched = {s for stone in group for s in self._near[stone] if after[s] == foe}
            groups = [connected(after, self._near, s) for s in touched]
            if groups and all(len(other) < len(group) for other in groups):
                yield to, {s for other in groups for s in other}
