"""Square numbers: which square of the board each number names.

Numbers run along the ranks over the squares of one colour, the one on which pieces stand when a
game begins. Notations differ in the corner from which they count, as seen by the player who
begins. The corners have the digits of PDN's tag GameType: 0 lower left, 1 lower right (English
checkers), 2 upper left (international draughts), 3 upper right. Few records say which and not all
of these say it rightly, so whoever imports tries all four.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from grl.board import EMPTY, Player, Position, Square, make_position
from grl.errors import BoardError, GameError
from grl.games import Game
from grl.importers.records import Format, RecordError, Setup


@dataclass(frozen=True)
class Numbering:
    """The squares in the order of their numbers; the first square has the number `first`."""

    squares: tuple[Square, ...]
    first: int

    @cached_property
    def numbers(self) -> dict[Square, int]:
        """The number of every square that has one."""
        return {square: n for n, square in enumerate(self.squares, self.first)}

    def square(self, number: int) -> Square | None:
        """The square called `number`, or None."""
        index = number - self.first
        return self.squares[index] if 0 <= index < len(self.squares) else None


def numberings(game: Game, form: Format) -> Iterator[Numbering]:
    """The numberings from the four corners, the usual one first.

    Raises `GameError` for a game whose squares can't be numbered.
    """
    board = game.equipment.board
    cells = game.initial.cells
    colours = {sum(divmod(s, board.width)) % 2 for s in board.squares if cells[s] != EMPTY}
    if len(colours) != 1:
        raise GameError(
            f"the squares of {game.name} can't be numbered",
            expected="a game that begins with pieces on squares of one colour",
        )
    (colour,) = colours
    for corner in sorted(range(4), key=lambda corner: corner != form.corner):
        squares = (
            Square(y * board.width + x)
            for y in sorted(range(board.height), reverse=corner >= 2)
            for x in sorted(range(board.width), reverse=corner % 2 == 1)
            if (x + y) % 2 == colour
        )
        yield Numbering(tuple(s for s in squares if s not in board.holes), form.first)


def starting_position(game: Game, numbering: Numbering, setup: Setup) -> Position:
    """The position that `setup` describes; raises `RecordError`.

    A man is of the type that its player begins with, a crowned one of the player's other type.
    """
    board = game.equipment.board
    low, high = _sides(game, numbering)
    keys = {
        (who, crowned): _key(game, who, crowned) for who in (low, high) for crowned in (False, True)
    }
    cells = [cell if cell == "#" else EMPTY for cell in game.initial.cells]
    for man in setup.men:
        square = numbering.square(man.number)
        key = keys[low if man.low else high, man.crowned]
        if square is None or key is None or cells[square] != EMPTY:
            raise RecordError(
                "position", found=f"a piece on {man.number}", expected="one piece on a square"
            )
        cells[square] = key
    rows = board.rows("".join(cells))
    try:
        return make_position(game.equipment, rows, low if setup.low_begins else high)
    except BoardError as error:
        raise RecordError("position", found=error.message) from None


def _sides(game: Game, numbering: Numbering) -> tuple[Player, Player]:
    """The player who holds the low numbers when a game begins, and the other one."""
    for square in numbering.squares:
        piece = game.equipment.pieces.get(game.initial.cells[square])
        if piece is not None and piece.player is not None and len(game.equipment.players) == 2:
            return piece.player, game.equipment.next_player(piece.player)
    raise RecordError("position", found=f"the game {game.name}", expected="a game of two players")


def _key(game: Game, player: Player, crowned: bool) -> str | None:
    """The piece of `player` that a letter for men, or for kings, means; None: there is none."""
    own = [key for key, piece in game.equipment.pieces.items() if piece.player == player]
    kind = [key for key in own if (key in game.initial.cells) != crowned]
    return kind[0] if len(kind) == 1 else None
