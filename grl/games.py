"""Reference games: what a hand-written game offers, and the register of those installed.

A game is a factory registered under the entry point group ``grl.games``; its keyword arguments
are the game's options. Any package can register one; grl's own live in the repository's
``games/`` folder. Learners never import this module.
"""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from typing import ClassVar

from grl.board import Equipment, Player, Position
from grl.errors import GameError
from grl.turn import Turn, play

ENTRY_POINT_GROUP = "grl.games"

_OPTION_VALUE = re.compile(r"[0-9]{1,9}")


class Game(ABC):
    """A hand-written game; positions are immutable values and every method is a pure function.

    `provenance` says in one line where the rules come from.
    """

    name: ClassVar[str]
    provenance: ClassVar[str]

    equipment: Equipment
    initial: Position

    @abstractmethod
    def legal(self, position: Position) -> list[str]:
        """The legal turns in trace syntax, no two with the same origin and effect.

        Empty exactly on terminal positions.
        """

    @abstractmethod
    def is_terminal(self, position: Position) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def goals(self, position: Position) -> dict[Player, int]:
        """0..100 for each player of a terminal position; raises `GameError` for any other."""

    def ending(self, position: Position) -> str:
        """What kind of ending a terminal position is, in a few words.

        Raises `GameError` for any other position. Comparisons report the kinds apart; a game that
        ends in one way only need not say.
        """
        self.goals(position)
        return "over"

    def next_player(self, position: Position, turn: Turn) -> Player:  # noqa: ARG002
        """Who moves after `turn`; by default the players take turns."""
        return self.equipment.next_player(position.to_move)

    def play(self, position: Position, turn: str | Turn) -> Position:
        """The position after a legal turn; raises `IllegalTurn` for a turn that doesn't fit.

        Whether the turn is legal is not checked again: compare with `legal` where that matters.
        """
        parsed = Turn.parse(turn) if isinstance(turn, str) else turn
        after = play(position, parsed)
        mover = self.next_player(position, parsed)
        return after if mover == after.to_move else replace(after, to_move=mover)

    def endgames(self) -> list[Position]:
        """Positions close to endings that random play hardly reaches, none terminal; may be empty.

        The same list every time.
        """
        return []

    def perft(self, position: Position, depth: int) -> int:
        """The number of legal turn sequences of length `depth`."""
        if depth == 0:
            return 1
        turns = self.legal(position)
        if depth == 1:
            return len(turns)
        return sum(self.perft(self.play(position, turn), depth - 1) for turn in turns)


def outcomes(game: Game, position: Position) -> dict[tuple[str, object], str]:
    """The legal turns of `position` by first origin square and effect."""
    result: dict[tuple[str, object], str] = {}
    for text in game.legal(position):
        turn = Turn.parse(text)
        result[turn.origin, game.play(position, turn).outcome] = text
    return result


def available() -> dict[str, EntryPoint]:
    """The registered games by name, sorted."""
    return {entry.name: entry for entry in sorted(entry_points(group=ENTRY_POINT_GROUP))}


def factory(name: str) -> Callable[..., Game]:
    """The factory registered under `name` (``-`` and ``_`` are the same); raises `GameError`."""
    entry = available().get(name.replace("_", "-"))
    if entry is None:
        raise GameError(
            f"there is no reference game {name!r}",
            expected=f"one of {', '.join(available()) or 'none: no package registers any'}",
        )
    made: Callable[..., Game] = entry.load()
    return made


def options(name: str) -> dict[str, int]:
    """The options of a game with their defaults."""
    parameters = inspect.signature(factory(name)).parameters
    return {key: int(parameter.default) for key, parameter in parameters.items()}


def load(spec: str) -> Game:
    """The game that `spec` names: ``checkers`` or, with options, ``connect-four:width=5,height=4``.

    Raises `GameError` for an unknown game or option, or a value that the game refuses.
    """
    name, _, text = spec.partition(":")
    make = factory(name)
    known = options(name)
    chosen: dict[str, int] = {}
    for item in filter(None, text.split(",")):
        key, _, value = item.partition("=")
        if key not in known or key in chosen or not _OPTION_VALUE.fullmatch(value):
            raise GameError(
                f"bad or repeated option {item!r} of the game {name}",
                expected=", ".join(f"{k}=NUMBER" for k in known) or "no options",
            )
        chosen[key] = int(value)
    return make(**chosen)


__all__ = ["Game", "available", "factory", "load", "options", "outcomes"]
