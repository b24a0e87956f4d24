"""Seega on 5 x 5 squares: two by two the stones are placed, then they capture between two."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    REMOVED,
    WHITE,
    Classical,
    appears,
    changed,
    custodial,
    free,
    rays,
    step,
    ways,
)

from grl.board import EMPTY, Board, Player, Position
from grl.turn import Turn

KEYS = {WHITE: "w", BLACK: "b"}
STONES = 12


class Seega(Classical):
    """In turn the players place two of their twelve stones, each on any empty square but the
    centre. Then a stone steps orthogonally onto an empty square, and takes each opposing stone that
    lies between it and another of the mover's in a row or a file; a stone on the centre is safe,
    and who steps between two is too. Who can't move passes. Who has one stone left has lost."""

    name = "seega"
    provenance = "E. W. Lane, Manners and Customs of the Modern Egyptians; one step a turn"

    def __init__(self) -> None:
        board = Board(5, 5)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        hands = {who: {key: STONES} for who, key in KEYS.items()}
        self.set_up(board, pieces, ["....."] * 5, reserve=hands)
        self._centre = board.square("c3")
        self._near, self._rays = ways(board, ORTHOGONAL), rays(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        if position.reserve[position.to_move][own]:
            return [names[s] + appears(own) for s in free(position) if s != self._centre]
        foe = KEYS[self.other(position.to_move)]
        found = []
        for square, content in enumerate(cells):
            for way, to in self._near[square] if content == own else ():
                if cells[to] != EMPTY:
                    continue
                after = changed(cells, {position.board.square(names[square]): EMPTY})
                taken = [s for _, line in self._rays[to] for s in custodial(after, line, own, foe)]
                removed = [names[s] + REMOVED for s in taken if s != self._centre]
                found.append("; ".join([names[square] + step(way, "e"), *removed]))
        return found or ["pass"]

    def next_player(self, position: Position, turn: Turn) -> Player:  # noqa: ARG002
        mover = position.to_move
        once = position.reserve[mover][KEYS[mover]] % 2 == 0
        placing = position.reserve[mover][KEYS[mover]] > 0
        return mover if placing and once else self.other(mover)

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if position.cells.count(key) + position.reserve[player][key] < 2:
                return self.won(self.other(player))
        return None
