"""A library that plays a game and says what is legal, as the importers ask it.

A position is whatever the library has, and never changed: `Referee.after` gives another one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Generic, TypeVar

from grl.board import Player, Position, make_position
from grl.errors import GrlError, IllegalTurn, MissingExtra, TurnSyntaxError
from grl.games import Game
from grl.importers.differences import Shown, Way
from grl.importers.records import Reason, RecordError
from grl.notation import find_turn
from grl.tracejson import header_dict
from grl.turn import Turn

State = TypeVar("State")


class Referee(ABC, Generic[State]):
    """Plays a game by a library; `name` is what the game is called, `players` are in turn order.

    `stock` lists by player the pieces that may ever be in hand, and `types` what pieces are
    called, as far as that is known beforehand.
    """

    name: str
    players: tuple[str, ...]
    stock: Mapping[str, Sequence[str]] = {}
    types: Mapping[str, str] = {}
    thrown: frozenset[str] = frozenset()
    """Pieces that come from the one that moved, along a free line."""
    links: Sequence[tuple[str, str]] = ()
    """The squares that lines join, by name, where pieces go along lines."""

    @abstractmethod
    def start(self, setup: str | None) -> State:
        """Where a game begins, at `setup` or as usual; raises `RecordError`."""

    @abstractmethod
    def shown(self, state: State) -> Shown:
        """The board of a position."""

    @abstractmethod
    def moves(self, state: State) -> Sequence[str]:
        """The legal moves, as the library writes them; none when the game is over."""

    @abstractmethod
    def after(self, state: State, move: str) -> State:
        """The position after a legal move."""

    def skip(self, state: State) -> str | None:  # noqa: ARG002
        """The only legal move where it does nothing, and records leave it out."""
        return None

    def turn(self, move: str) -> str | None:  # noqa: ARG002
        """The turn that a move is, where moves are turns; None: it shows in the boards."""
        return None

    def header(self) -> dict[str, Any] | None:
        """The header of a trace file, where it is known beforehand."""
        return None

    def course(self, state: State, move: str) -> Sequence[State]:
        """The positions that a legal move leads through, to the last, where it is done in parts."""
        return (self.after(state, move),)

    def mover(self, state: State, move: str) -> str:  # noqa: ARG002
        """Who makes a move, where a record may say so."""
        return self.shown(state).mover

    def foreseen(self, state: State, move: str) -> Shown:
        """The board after a legal move that isn't played."""
        return self.shown(self.after(state, move))

    @abstractmethod
    def goals(self, state: State) -> Mapping[str, int] | None:
        """0 to 100 for each player where the rules ended the game, else None."""

    def find(self, state: State, text: str) -> str:
        """The legal move that a record's `text` means; raises `RecordError`."""
        moves = self.moves(state)
        if text in moves:
            return text
        raise misfit(moves, text)

    def way(self, move: str) -> Way | None:  # noqa: ARG002
        """From where to where a move leads, where the library says it."""
        return None

    def owner(self, key: str) -> str | None:
        """Whose a piece is; by default upper case is the first player's."""
        if key.upper() == key.lower():
            return None
        return self.players[key.islower()]


class GameReferee(Referee[Position]):
    """A reference game; moves are its turns, and texts name them in short notation."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = game.name
        self.players = tuple(game.equipment.players)
        pieces = game.equipment.pieces.values()
        self._own = {
            player: [piece.key for piece in pieces if piece.player == player]
            for player in game.equipment.players
        }

    def start(self, setup: str | None) -> Position:
        """`setup` is rows with strokes between them, a space, and who moves."""
        if setup is None:
            return self.game.initial
        rows, _, mover = setup.partition(" ")
        try:
            return make_position(self.game.equipment, rows.split("/"), Player(mover))
        except GrlError as error:
            raise RecordError("position", message=error.message, found=rows) from None

    def shown(self, state: Position) -> Shown:
        return Shown(tuple(state.rows), state.to_move, state.reserve)

    def moves(self, state: Position) -> Sequence[str]:
        return self.game.legal(state)

    def after(self, state: Position, move: str) -> Position:
        return self.game.play(state, move)

    def goals(self, state: Position) -> Mapping[str, int] | None:
        if not self.game.is_terminal(state):
            return None
        return {str(player): goal for player, goal in self.game.goals(state).items()}

    def find(self, state: Position, text: str) -> str:
        legal = self.game.legal(state)
        if not legal:
            raise RecordError("over", found=text)
        try:
            found = str(find_turn(state, text, lambda: [Turn.parse(turn) for turn in legal]))
        except TurnSyntaxError as error:
            raise RecordError("unreadable", message=error.message, found=repr(text)) from None
        except IllegalTurn as error:
            reason: Reason = "illegal" if error.found is None else "ambiguous"
            raise RecordError(reason, message=error.message, expected=error.expected) from None
        if found not in legal:
            raise misfit(legal, text)
        return found

    def turn(self, move: str) -> str | None:
        return move

    def header(self) -> dict[str, Any] | None:
        return header_dict(self.game)

    def owner(self, key: str) -> str | None:
        return self.game.equipment.pieces[key].player

    def piece(self, player: str) -> str:
        """The key of the only kind of piece that a player has; raises `RecordError`."""
        own = self._own.get(Player(player), [])
        if len(own) != 1:
            raise RecordError("position", message=f"{player} has {len(own)} kinds of pieces")
        return own[0]


def misfit(moves: Sequence[str], text: str) -> RecordError:
    """The flaw of a move that isn't among the legal `moves`."""
    if not moves:
        return RecordError("over", found=text)
    return RecordError("illegal", found=text, expected=f"one of {' '.join(moves)}")


def library(module: str, extra: str, package: str | None = None) -> Any:
    """An imported package; raises `MissingExtra`, which says how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtra(
            f"the package {package or module} is not installed", hint=f"pip install 'grl[{extra}]'"
        ) from None
