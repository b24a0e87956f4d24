"""Mangala, the Turkish mancala: the first stone stays, and even pits are taken."""

from __future__ import annotations

import string

from classical_rules import REMOVED, Classical, appears, board_of

from grl.board import EMPTY, HOLE, Player, Position, Square
from grl.turn import Turn

SOUTH, NORTH = Player("south"), Player("north")
KEYS = EMPTY + string.digits[1:] + string.ascii_uppercase + string.ascii_lowercase


class Mangala(Classical):
    """South's pits lie on rank 1 from file b on, north's above them; south's store is the last
    square of rank 1, north's a2. A pit's key is the number of its stones. A turn sows all stones of
    one of the mover's pits counter-clockwise, over his own store too, but not over the opponent's;
    of several stones the first goes into the pit they come from, a single one goes on to the next
    pit. If the last stone falls into the mover's store, he moves again. If it makes an even number
    in an opponent's pit, he puts all of that pit into his store. If it falls into a pit of his own
    that was empty, and stones lie in the pit opposite, he puts both into his store. As soon as a
    player's pits are all empty the game is over: that player gets the stones that are left as well,
    and who has more has won. Simplified: the stones that are left stay where they are, and the
    points of a match of several rounds are not counted."""

    name = "mangala"
    provenance = "the Turkish federation's mangala: 6 pits and a store each, 4 stones in a pit"

    def __init__(self, pits: int = 6, stones: int = 4) -> None:
        rows = [EMPTY + KEYS[stones] * pits + HOLE, HOLE + KEYS[stones] * pits + EMPTY]
        pieces = {KEYS[n]: (None, f"{n} stones") for n in range(1, 2 * pits * stones + 1)}
        self.set_up(board_of(rows), pieces, rows, (SOUTH, NORTH))
        width = pits + 2
        south = [Square(s) for s in range(1, pits + 1)]
        north = [Square(s) for s in range(2 * width - 2, width, -1)]
        self._pits = {SOUTH: south, NORTH: north}
        self._store = {SOUTH: Square(width - 1), NORTH: Square(width)}
        self._way = {
            SOUTH: [*south, self._store[SOUTH], *north],
            NORTH: [*north, self._store[NORTH], *south],
        }

    def turns(self, position: Position) -> list[str]:
        before, names, mover = _stones(position.cells), position.board.names, position.to_move
        found = []
        for pit in self._pits[mover]:
            if before[pit]:
                after, _ = self._sown(before, pit, mover)
                others = [s for s in position.board.squares if s != pit and after[s] != before[s]]
                found.append("; ".join(names[s] + _content(after[s]) for s in (pit, *others)))
        return found

    def next_player(self, position: Position, turn: Turn) -> Player:
        mover = position.to_move
        _, last = self._sown(_stones(position.cells), position.board.square(turn.origin), mover)
        return mover if last == self._store[mover] else self.other(mover)

    def decided(self, position: Position) -> dict[Player, int] | None:
        stones = _stones(position.cells)
        left = {player: sum(stones[s] for s in pits) for player, pits in self._pits.items()}
        if all(left.values()):
            return None
        south, north = (stones[self._store[p]] + left[self.other(p)] for p in (SOUTH, NORTH))
        return self.won(None if south == north else SOUTH if south > north else NORTH)

    def _sown(self, before: list[int], pit: Square, mover: Player) -> tuple[list[int], Square]:
        """The stones on all squares after a pit is sown, and where the last one fell."""
        after, way, store = list(before), self._way[mover], self._store[mover]
        at = way.index(pit) - (before[pit] > 1)
        after[pit] = 0
        for _ in range(before[pit]):
            at = (at + 1) % len(way)
            after[way[at]] += 1
        last, taken = way[at], []
        if last in self._pits[self.other(mover)]:
            taken = [last] if after[last] % 2 == 0 else []
        elif last != store and after[last] == 1:
            facing = self._pits[self.other(mover)][-1 - self._pits[mover].index(last)]
            taken = [last, facing] if after[facing] else []
        for square in taken:
            after[store] += after[square]
            after[square] = 0
        return after, last


def _stones(cells: str) -> list[int]:
    return [0 if content == HOLE else KEYS.index(content) for content in cells]


def _content(stones: int) -> str:
    return appears(KEYS[stones]) if stones else REMOVED
