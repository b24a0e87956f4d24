"""Reference games: what a hand-written game offers, and the register of those installed.

A game is a factory registered under the entry point group ``grl.games``; its keyword arguments
are the game's options. Any package can register one; grl's own live in the repository's
``games/`` folder. Learners never import this module.
"""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from random import Random
from typing import Any, ClassVar

from grl.board import Equipment, Player, Position
from grl.errors import GameError, Place
from grl.gamefile import FileSpec, blamed, guard, parse_spec, run_file
from grl.turn import Turn, play

ENTRY_POINT_GROUP = "grl.games"

_OPTION_VALUE = re.compile(r"[0-9]{1,9}")


class Game(ABC):
    """A hand-written game; positions are immutable values and every method is a pure function.

    `provenance` says in one line where the rules come from; `notations` lists the formats of
    `grl import` whose records are of this game unless another one is named, with the options that
    it has there after a colon.
    """

    name: ClassVar[str]
    provenance: ClassVar[str]
    notations: ClassVar[tuple[str, ...]] = ()

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

    def rare(self, chance: Random) -> Position | None:
        """A position before turns that random play seldom meets, drawn by `chance`; not terminal.

        Its trail leads there from a position without a past, where what is rare depends on that.
        By default one of `endgames`, or None where there are none.
        """
        starts = self.endgames()
        return replace(chance.choice(starts), trail=None) if starts else None

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
    return {entry.name: entry for entry in _registered()}


@cache
def _registered() -> tuple[EntryPoint, ...]:
    """Looked up once: a look goes through the metadata of every package that is installed."""
    return tuple(sorted(entry_points(group=ENTRY_POINT_GROUP)))


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
    return _options(factory(name))


def _options(make: Callable[..., Game]) -> dict[str, int]:
    """The keyword arguments of a factory that are whole numbers by default."""
    return {
        key: parameter.default
        for key, parameter in inspect.signature(make).parameters.items()
        if isinstance(parameter.default, int) and not isinstance(parameter.default, bool)
    }


def load(spec: str) -> Game:
    """The game that `spec` names: ``checkers`` or, with options, ``connect-four:width=5,height=4``.

    ``FILE.py:Class`` and ``FILE.py:Class:width=5`` name a game in a Python file, which is run;
    without a class the one game that the file defines. Raises `GameError` for an unknown game or
    option, a value that the game refuses, or a file that makes no game.
    """
    own = parse_spec(spec)
    if own is not None:
        return _load_own(own)
    name, _, text = spec.partition(":")
    make = factory(name)
    return make(**_chosen(f"the game {name}", _options(make), text))


def _chosen(whose: str, known: Mapping[str, int], text: str) -> dict[str, int]:
    """The options that `text` sets."""
    chosen: dict[str, int] = {}
    for item in filter(None, text.split(",")):
        key, _, value = item.partition("=")
        if key not in known or key in chosen or not _OPTION_VALUE.fullmatch(value):
            raise GameError(
                f"bad or repeated option {item!r} of {whose}",
                expected=", ".join(f"{k}=NUMBER" for k in known) or "no options",
            )
        chosen[key] = int(value)
    return chosen


def _load_own(spec: FileSpec) -> Game:
    """The game in a Python file, checked as far as can be without playing."""
    module = run_file(spec.file)
    own = {
        name: value
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, Game)
        and value.__module__ == module.__name__
    }
    name = spec.name or (next(iter(own)) if len(own) == 1 else "")
    place = Place(file=spec.file)
    make = getattr(module, name, None) if name else None
    if make is None:
        raise GameError(
            f"the file has no {name}" if name else f"the file defines {len(own)} games",
            place=place,
            expected=f"one of {', '.join(own)}" if own else "a class that inherits grl.games.Game",
        )
    missing = sorted(getattr(make, "__abstractmethods__", ()))
    if missing:
        raise GameError(
            f"{name} lacks " + ", ".join(f"{method}()" for method in missing),
            place=place,
            expected="a class that defines legal, is_terminal and goals",
        )
    with blamed(spec.file, f"{name} can't be made"):
        known = _options(make) if callable(make) else {}
        game = make(**_chosen(name, known, spec.options)) if callable(make) else make
    if not isinstance(game, Game):
        raise GameError(
            f"{name} is no game",
            place=place,
            expected="a class that inherits grl.games.Game, or a function that returns such a game",
            found=repr(type(game).__name__),
        )
    for field, kind in (("name", str), ("equipment", Equipment), ("initial", Position)):
        if not isinstance(getattr(game, field, None), kind):
            raise GameError(
                f"{name} has no {field}",
                place=place,
                expected=f"{field}: a value of the type {kind.__name__}",
            )
    guard(game, spec.file, _checks(game))
    return game


def _checks(game: Game) -> dict[str, Callable[[Any], str | None]]:
    """What the methods of a game have to give."""
    players = set(game.equipment.players)

    def turns(value: Any) -> str | None:
        good = isinstance(value, list) and all(isinstance(turn, str) for turn in value)
        return None if good and len(set(value)) == len(value) else "a list of turns, each once"

    def goals(value: Any) -> str | None:
        if isinstance(value, dict) and set(value) == players:
            good = (type(goal) is int and 0 <= goal <= 100 for goal in value.values())
            return None if all(good) else "whole numbers from 0 to 100"
        return f"goals for each of {', '.join(sorted(players))}"

    return {
        "legal": turns,
        "is_terminal": lambda value: None if isinstance(value, bool) else "True or False",
        "goals": goals,
        "ending": lambda value: None if isinstance(value, str) else "a few words",
        "next_player": lambda value: None if value in players else "one of the players",
        "endgames": lambda value: None if isinstance(value, list) else "a list of positions",
        "rare": lambda value: (
            None if value is None or isinstance(value, Position) else "a position, or None"
        ),
        "play": lambda value: None if isinstance(value, Position) else "a position",
    }


def written_in(notation: str) -> str:
    """The one game that claims `notation`, by its name and perhaps options, as `load` takes it.

    Raises `GameError` where none or many do.
    """
    claims = []
    for name in available():
        for claim in getattr(factory(name), "notations", ()):
            known, colon, options = claim.partition(":")
            claims += [f"{name}{colon}{options}"] if known == notation else []
    if len(claims) != 1:
        raise GameError(
            f"{len(claims) or 'no'} games claim records of the format {notation}",
            expected="--game NAME: the game that the records are of",
            found=", ".join(claims) or None,
        )
    return claims[0]


__all__ = ["Game", "available", "factory", "load", "options", "outcomes", "written_in"]
