"""What the reference games share: checked options, equipment, texts of letters and goals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grl.board import Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import GameError, Place
from grl.games import Game

WHITE = Player("white")
BLACK = Player("black")

Direction = tuple[int, int]
ORTHOGONALS: tuple[Direction, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONALS: tuple[Direction, ...] = ((1, 1), (-1, 1), (-1, -1), (1, -1))

MAX_SIDE = 64


def check_option(game: str, name: str, value: int, low: int, high: int = MAX_SIDE) -> int:
    """`value` when it is a whole number from `low` to `high`; raises `GameError` otherwise."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise GameError(
            f"bad value of the option {name} of {game}",
            found=repr(value),
            expected=f"a whole number from {low} to {high}",
        )
    return value


def make_equipment(
    board: Board,
    players: Sequence[Player],
    pieces: Mapping[str, tuple[Player | None, str]],
    stocked: Iterable[tuple[Player, str]] = (),
) -> Equipment:
    """Equipment from ``{piece key: (owner or None, type)}``; `stocked` as in `Equipment`."""
    return Equipment(
        board,
        tuple(players),
        {key: Piece(key, player, kind) for key, (player, kind) in pieces.items()},
        frozenset(stocked),
    )


def position_of(equipment: Equipment, cells: Iterable[str], to_move: Player) -> Position:
    """A checked position from the characters of all squares, a1 first."""
    return make_position(equipment, equipment.board.rows("".join(cells)), to_move)


def mirrored(rows: Sequence[str]) -> tuple[str, ...]:
    """The board turned half round; the players, whose keys differ in case, change sides."""
    return tuple(row[::-1].swapcase() for row in reversed(rows))


def step_text(direction: Direction, on: str) -> str:
    """The letter of one step, with the space in front that separates it."""
    return f" ({direction[0]} {direction[1]} {on})"


def appear_text(piece: str) -> str:
    """The letter of a piece that appears, with the space in front."""
    return f" (0 0 a {piece})"


REMOVE_TEXT = " (0 0 d)"


def fly_text(target: str, on: str) -> str:
    """The letter of a flight to the square called `target`, with the space in front."""
    return f" (@{target} {on})"


def ray(board: Board, square: Square, direction: Direction) -> list[Square]:
    """The squares from `square`, itself left out, to the edge of the board or a hole."""
    squares = []
    target = board.step(square, *direction)
    while target is not None:
        squares.append(target)
        target = board.step(target, *direction)
    return squares


def shared_goals(players: Sequence[Player], winner: Player | None) -> dict[Player, int]:
    """100 for the winner and 0 for the others; 50 each for a draw (`winner` is None)."""
    if winner is None:
        return dict.fromkeys(players, 50)
    return {player: 100 if player == winner else 0 for player in players}


def leads_to(game: Game, position: Position, kind: str) -> bool:
    """Whether some legal turn ends the game in an ending of this kind."""
    following = (game.play(position, turn) for turn in game.legal(position))
    return any(game.is_terminal(after) and game.ending(after) == kind for after in following)


def not_over(position: Position) -> GameError:
    """The error of asking for the goals of a game that goes on."""
    return GameError(
        "goals were asked for, but the game is not over",
        expected="a terminal position",
        place=Place(rows=tuple(position.rows)),
    )
