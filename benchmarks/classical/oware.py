"""Oware, also awari or wari, with few houses: sowing, and captures of twos and threes."""

from __future__ import annotations

import string

from classical_rules import REMOVED, Classical, appears, board_of

from grl.board import EMPTY, HOLE, Player, Position, Square

SOUTH, NORTH = Player("south"), Player("north")
KEYS = EMPTY + string.digits[1:] + string.ascii_uppercase


class Oware(Classical):
    """South's houses lie on rank 1 from file b on, north's above them; f1 is south's store, a2
    north's. The seeds of a house are sown one by one counter-clockwise over the houses, never into
    the house they come from. If the last one makes two or three seeds in an opponent's house, the
    player puts these into his store, and so those of the houses just before, as long as they are
    the opponent's and hold two or three; but if that took all that the opponent has, nothing is
    taken. Who has an opponent without seeds must give him some, if he can. More than half the seeds
    win; without a turn the game ends, and each player adds the seeds on his own side."""

    name = "oware"
    provenance = "abapa as the Oware Society has it; with 4 houses and 3 seeds in each"

    def __init__(self, houses: int = 4, seeds: int = 3) -> None:
        rows = [EMPTY + KEYS[seeds] * houses + HOLE, HOLE + KEYS[seeds] * houses + EMPTY]
        self._number = 2 * houses * seeds
        pieces = {KEYS[n]: (None, f"{n} seeds") for n in range(1, self._number + 1)}
        self.set_up(board_of(rows), pieces, rows, (SOUTH, NORTH))
        width = houses + 2
        south = [Square(s) for s in range(1, houses + 1)]
        north = [Square(s) for s in range(2 * width - 2, width, -1)]
        self._way = south + north
        self._houses = {SOUTH: south, NORTH: north}
        self._store = {SOUTH: Square(width - 1), NORTH: Square(width)}

    def turns(self, position: Position) -> list[str]:
        before, mover, names = _seeds(position.cells), position.to_move, position.board.names
        theirs = self._houses[self.other(mover)]
        found = {h: self._sown(before, h, mover) for h in self._houses[mover] if before[h]}
        if not any(before[h] for h in theirs):
            found = {h: after for h, after in found.items() if any(after[t] for t in theirs)}
        turns = []
        for house, after in found.items():
            others = [s for s in position.board.squares if s != house and after[s] != before[s]]
            turns.append("; ".join(names[s] + _content(after[s]) for s in (house, *others)))
        return turns

    def decided(self, position: Position) -> dict[Player, int] | None:
        seeds = _seeds(position.cells)
        for player, store in self._store.items():
            if 2 * seeds[store] > self._number:
                return self.won(player)
        return None

    def stuck(self, position: Position) -> dict[Player, int]:
        seeds = _seeds(position.cells)
        south, north = (
            seeds[self._store[who]] + sum(seeds[h] for h in self._houses[who])
            for who in (SOUTH, NORTH)
        )
        return self.won(None if south == north else SOUTH if south > north else NORTH)

    def _sown(self, before: list[int], house: Square, mover: Player) -> list[int]:
        """The seeds on all squares after a house is sown."""
        after, at = list(before), self._way.index(house)
        left, after[house] = after[house], 0
        while left:
            at = (at + 1) % len(self._way)
            if self._way[at] != house:
                after[self._way[at]] += 1
                left -= 1
        theirs, taken = self._houses[self.other(mover)], []
        while self._way[at] in theirs and after[self._way[at]] in (2, 3):
            taken.append(self._way[at])
            at -= 1
        if any(after[h] for h in theirs if h not in taken):
            for house_taken in taken:
                after[self._store[mover]] += after[house_taken]
                after[house_taken] = 0
        return after


def _seeds(cells: str) -> list[int]:
    return [0 if content == HOLE else KEYS.index(content) for content in cells]


def _content(seeds: int) -> str:
    return appears(KEYS[seeds]) if seeds else REMOVED
