"""Pallanguzhi, of Tamil Nadu, with few houses: sowing lap after lap, and fours for the owner."""

from __future__ import annotations

import string

from classical_rules import REMOVED, Classical, appears, board_of

from grl.board import EMPTY, HOLE, Player, Position, Square

SOUTH, NORTH = Player("south"), Player("north")
KEYS = EMPTY + string.digits[1:] + string.ascii_uppercase
COW = 4


class Pallanguzhi(Classical):
    """South's houses lie on rank 1 from file b on, north's above them; g1 is south's store, a2
    north's. A player takes all seeds of one of his houses and sows them one by one
    counter-clockwise over the houses. Whenever a seed brings a house to four, these are a cow, and
    go into the store of the house's owner at once. If the last seed falls into a house with seeds,
    and makes no cow there, the seeds of this house are sown on in the same way. If it falls into an
    empty house, the player takes what lies in the next one, whoever owns it, into his store, and
    the turn is over; it is also over after a cow. When the houses of a player are empty the game is
    over; the other puts the seeds on his side into his store, and more seeds win."""

    name = "pallanguzhi"
    provenance = (
        "pallankuli after A. Durai, 1928, as in Ludii; one round with 2 x 5 houses and 2 seeds in "
        "each; a turn that would never end is not allowed"
    )

    def __init__(self, houses: int = 5, seeds: int = 2) -> None:
        rows = [EMPTY + KEYS[seeds] * houses + HOLE, HOLE + KEYS[seeds] * houses + EMPTY]
        pieces = {KEYS[n]: (None, f"{n} seeds") for n in range(1, 2 * houses * seeds + 1)}
        self.set_up(board_of(rows), pieces, rows, (SOUTH, NORTH))
        width = houses + 2
        south = [Square(s) for s in range(1, houses + 1)]
        north = [Square(s) for s in range(2 * width - 2, width, -1)]
        self._way = south + north
        self._houses = {SOUTH: south, NORTH: north}
        self._store = {SOUTH: Square(width - 1), NORTH: Square(width)}

    def turns(self, position: Position) -> list[str]:
        before, mover, names = _seeds(position.cells), position.to_move, position.board.names
        turns = []
        for house in self._houses[mover]:
            after = self._sown(before, house, mover) if before[house] else None
            if after is not None:
                others = [s for s in position.board.squares if s != house and after[s] != before[s]]
                changes = [names[s] + _content(after[s]) for s in others]
                turns.append("; ".join([names[house] + _content(after[house]), *changes]))
        return turns

    def decided(self, position: Position) -> dict[Player, int] | None:
        seeds = _seeds(position.cells)
        if all(any(seeds[h] for h in houses) for houses in self._houses.values()):
            return None
        return self.stuck(position)

    def stuck(self, position: Position) -> dict[Player, int]:
        seeds = _seeds(position.cells)
        south, north = (
            seeds[self._store[who]] + sum(seeds[h] for h in self._houses[who])
            for who in (SOUTH, NORTH)
        )
        return self.won(None if south == north else SOUTH if south > north else NORTH)

    def _sown(self, before: list[int], house: Square, mover: Player) -> list[int] | None:
        """The seeds on all squares after a house is sown; None where that never ends."""
        seeds, at = list(before), self._way.index(house)
        met = set()
        while (at, *seeds) not in met:
            met.add((at, *seeds))
            hand, seeds[self._way[at]] = seeds[self._way[at]], 0
            cow = False
            for _ in range(hand):
                at = (at + 1) % len(self._way)
                here = self._way[at]
                seeds[here] += 1
                cow = seeds[here] == COW
                if cow:
                    owner = next(who for who, houses in self._houses.items() if here in houses)
                    seeds[self._store[owner]] += COW
                    seeds[here] = 0
            if cow:
                return seeds
            if seeds[self._way[at]] == 1:
                following = self._way[(at + 1) % len(self._way)]
                seeds[self._store[mover]] += seeds[following]
                seeds[following] = 0
                return seeds
        return None


def _seeds(cells: str) -> list[int]:
    return [0 if content == HOLE else KEYS.index(content) for content in cells]


def _content(seeds: int) -> str:
    return appears(KEYS[seeds]) if seeds else REMOVED
