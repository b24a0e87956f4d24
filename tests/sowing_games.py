"""Small games of sowing, each with its own way of sowing and capturing.

They are here to be learned. Nothing in grl was written with them in mind.
"""

from __future__ import annotations

from typing import ClassVar

from grl.board import EMPTY, Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import GameError
from grl.games import Game

SOUTH, NORTH = Player("south"), Player("north")
KEYS = "qwertzuiopasdfghjklyxcvbnmQWERTZUIOPASDFGHJKL"
"""The piece for each number of stones, from one on, in no order that says so."""


class Sowing(Game):
    """Each side has a row of houses, and stones go round, to the right on the near side.

    South's houses are on rank 1. Who has no stones in the houses at their turn has lost.
    """

    provenance = "made up for tests"
    houses: ClassVar[int] = 4
    stones: ClassVar[int] = 3
    keeps: ClassVar[bool] = False
    """Whether the first stone falls where the turn starts."""
    skips: ClassVar[bool] = False
    """Whether no stone falls there in later rounds."""
    goes_on: ClassVar[bool] = False
    """Whether a single stone falls on the next square all the same."""

    def __init__(self) -> None:
        number = 2 * self.houses * self.stones
        # Listed by key, so that their order says nothing either.
        pieces = {key: Piece(key, None, f"heap {key}") for key in sorted(KEYS[:number])}
        board = Board(self.houses, 2)
        self.equipment = Equipment(board, (SOUTH, NORTH), pieces)
        row = self.houses * KEYS[self.stones - 1]
        self.initial = make_position(self.equipment, (row, row), SOUTH)
        lower = [Square(s) for s in range(self.houses)]
        upper = [Square(s) for s in reversed(range(self.houses, 2 * self.houses))]
        self.rows = {SOUTH: lower, NORTH: upper}
        round_the_board = [*lower, *upper]
        self.way = dict(zip(round_the_board, [*round_the_board[1:], lower[0]], strict=True))

    def legal(self, position: Position) -> list[str]:
        before = [0 if key == EMPTY else KEYS.index(key) + 1 for key in position.cells]
        found = []
        for house in self.rows[position.to_move]:
            if before[house]:
                after = self.sown(before, house, position.to_move)
                if after != before:
                    found.append(self.text(before, after, house))
        return found

    def text(self, before: list[int], after: list[int], house: Square) -> str:
        changed = [house, *(s for s in self.way if s != house and after[s] != before[s])]
        names = self.equipment.board.names
        rest = sorted(changed[1:])
        return "; ".join(
            f"{names[s]} (0 0 {'a ' + KEYS[after[s] - 1] if after[s] else 'd'})"
            for s in (house, *rest)
        )

    def sown(self, before: list[int], house: Square, mover: Player) -> list[int]:
        after, at = list(before), house
        left, after[house] = after[house], 0
        if self.keeps and not (self.goes_on and left == 1):
            after[house], left = 1, left - 1
        while left:
            at = self.way[at]
            if self.skips and at == house:
                continue
            after[at] += 1
            left -= 1
        self.capture(after, at, mover)
        return after

    def capture(self, after: list[int], last: Square, mover: Player) -> None:
        """Take off what a turn captures whose last stone has fallen on a square."""

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise GameError("the game is not over", expected="a terminal position")
        return {player: 100 * (player != position.to_move) for player in self.rows}


class Backwards(Sowing):
    """Two or three stones in the last house, if it is the opponent's, leave the board, and so do
    those in the houses before it as long as there are two or three in each."""

    name = "backwards"
    skips = True

    def capture(self, after: list[int], last: Square, mover: Player) -> None:
        at = last
        came = {following: square for square, following in self.way.items()}
        while at not in self.rows[mover] and after[at] in (2, 3):
            after[at] = 0
            at = came[at]


class Facing(Sowing):
    """The first stone stays; where the last one makes four, what faces it leaves the board."""

    name = "facing"
    houses = 5
    keeps = True

    def capture(self, after: list[int], last: Square, mover: Player) -> None:  # noqa: ARG002
        if after[last] == 4:
            after[(last + self.houses) % (2 * self.houses)] = 0


class Even(Sowing):
    """The first stone stays but for a single one; an even number in the last house, if it is the
    opponent's, leaves the board."""

    name = "even"
    keeps = goes_on = True

    def capture(self, after: list[int], last: Square, mover: Player) -> None:
        if last not in self.rows[mover] and after[last] % 2 == 0:
            after[last] = 0
