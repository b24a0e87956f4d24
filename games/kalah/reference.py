"""Kalah: seeds are sown from house to house, and who has more of them in the store at the end wins.

South's houses lie on rank 1 from file b on, north's on rank 2 above them; a2 is north's store, the
last square of rank 1 south's. A pit holds one neutral piece, whose key is the number of its seeds
(1 to 9, then A to Z, then a to z), or nothing.
"""

from __future__ import annotations

import random
import string

from grl.board import EMPTY, HOLE, Board, Player, Position, Square
from grl.errors import GameError
from grl.games import Game
from grl.turn import Turn

from ..common import (
    REMOVE_TEXT,
    appear_text,
    check_option,
    make_equipment,
    not_over,
    position_of,
    shared_goals,
)

SOUTH = Player("south")
NORTH = Player("north")
KEYS = EMPTY + string.digits[1:] + string.ascii_uppercase + string.ascii_lowercase
MOST_SEEDS = len(KEYS) - 1
ENDGAMES = 60


class Kalah(Game):
    """South begins; `houses` on each side with `seeds` in each."""

    name = "kalah"
    provenance = (
        "the common rules of W. J. Champion's Kalah: the game ends as soon as a player's houses "
        "are empty, and the rest goes to the player in whose houses it lies"
    )

    def __init__(self, houses: int = 4, seeds: int = 3) -> None:
        check_option(self.name, "houses", houses, 1, 30)
        check_option(self.name, "seeds", seeds, 1, 30)
        self._number = 2 * houses * seeds
        if self._number > MOST_SEEDS:
            raise GameError(
                f"too many seeds for {self.name}",
                found=f"2 x {houses} houses of {seeds}",
                expected=f"at most {MOST_SEEDS} seeds, for each number has a key",
            )
        width = houses + 2
        board = Board(width, 2, frozenset({Square(0), Square(2 * width - 1)}))
        self.equipment = make_equipment(
            board,
            (SOUTH, NORTH),
            {
                KEYS[n]: (None, "1 seed" if n == 1 else f"{n} seeds")
                for n in range(1, self._number + 1)
            },
        )
        self._store = {SOUTH: width - 1, NORTH: width}
        self._houses = {
            SOUTH: list(range(1, houses + 1)),
            NORTH: list(range(2 * width - 2, width, -1)),
        }
        self._facing = dict(zip(self._houses[SOUTH], reversed(self._houses[NORTH]), strict=True))
        self._facing |= {north: south for south, north in self._facing.items()}
        full = [0] * (2 * width)
        for side in self._houses.values():
            for house in side:
                full[house] = seeds
        self.initial = self._position(full, SOUTH)

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        before = self._seeds(position)
        names = position.board.names
        turns = []
        for house in self._houses[position.to_move]:
            if not before[house]:
                continue
            after, _ = self._sown(before, house, position.to_move)
            segments = [names[house] + self._change(after[house])]
            segments += [
                names[s] + self._change(after[s])
                for s in position.board.squares
                if s != house and after[s] != before[s]
            ]
            turns.append("; ".join(segments))
        return turns

    def next_player(self, position: Position, turn: Turn) -> Player:
        mover = position.to_move
        if turn.segments:
            house = position.board.square(turn.origin)
            after, last = self._sown(self._seeds(position), house, mover)
            if last == self._store[mover] and not self._over(after):
                return mover
        return self.equipment.next_player(mover)

    def is_terminal(self, position: Position) -> bool:
        return self._over(self._seeds(position))

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        south, north = self._totals(position)
        winner = None if south == north else SOUTH if south > north else NORTH
        return shared_goals((SOUTH, NORTH), winner)

    def ending(self, position: Position) -> str:
        return "draw" if set(self.goals(position).values()) == {50} else "more seeds"

    def endgames(self) -> list[Position]:
        """Few seeds in the houses, the stores about even."""
        chance = random.Random(4)
        found: dict[object, Position] = {}
        for _ in range(ENDGAMES):
            seeds = [0] * self.equipment.board.size
            inside = chance.randint(2, max(2, self._number // 4))
            for _ in range(inside):
                seeds[chance.choice(sorted(self._facing))] += 1
            rest = self._number - inside
            seeds[self._store[SOUTH]] = chance.randint(0, 2) + max(0, rest - 2) // 2
            seeds[self._store[NORTH]] = rest - seeds[self._store[SOUTH]]
            position = self._position(seeds, chance.choice((SOUTH, NORTH)))
            found[position.outcome] = position
        return [p for p in found.values() if not self.is_terminal(p)]

    def _position(self, seeds: list[int], to_move: Player) -> Position:
        holes = self.equipment.board.holes
        cells = [HOLE if s in holes else KEYS[n] for s, n in enumerate(seeds)]
        return position_of(self.equipment, cells, to_move)

    def _seeds(self, position: Position) -> list[int]:
        return [0 if content == HOLE else KEYS.index(content) for content in position.cells]

    def _change(self, seeds: int) -> str:
        return appear_text(KEYS[seeds]) if seeds else REMOVE_TEXT

    def _over(self, seeds: list[int]) -> bool:
        return any(not any(seeds[h] for h in houses) for houses in self._houses.values())

    def _totals(self, position: Position) -> tuple[int, int]:
        """What each player has at the end, seeds still in the houses included."""
        seeds = self._seeds(position)
        south, north = (
            seeds[self._store[p]] + sum(seeds[h] for h in self._houses[p]) for p in (SOUTH, NORTH)
        )
        return south, north

    def _sown(self, before: list[int], house: int, mover: Player) -> tuple[list[int], int]:
        """The seeds in all pits after the turn, and where the last one fell."""
        after = list(before)
        other = self.equipment.next_player(mover)
        store = self._store[mover]
        way = [*self._houses[mover], store, *self._houses[other]]
        at = way.index(house) if house in way else 0
        seeds, after[house] = after[house], 0
        for _ in range(seeds):
            at = (at + 1) % len(way)
            after[way[at]] += 1
        last = way[at]
        if seeds and last in self._houses[mover] and after[last] == 1 and after[self._facing[last]]:
            after[store] += 1 + after[self._facing[last]]
            after[last] = after[self._facing[last]] = 0
        if self._over(after):
            for player, houses in self._houses.items():
                for pit in houses:
                    after[self._store[player]] += after[pit]
                    after[pit] = 0
        return after, last
