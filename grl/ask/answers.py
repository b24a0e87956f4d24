"""What is asked and answered: a position, with its legal turns or how the game ended there.

An answer is a played game of the trace format that begins in the position: one turn with all the
legal ones, and broken off; or no turn at all, and over. A file of answers is a trace file, so that
learning from the records and the answers together needs nothing more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grl.board import Player, Position
from grl.errors import GrlError
from grl.model import Model
from grl.traceio import Lines
from grl.tracejson import describe, parse_object, position_dict
from grl.traces import Traces, write_traces
from grl.turn import Turn


@dataclass(frozen=True)
class Question:
    """A position, why it is asked, and what the model makes of it.

    `offered` lists all pseudo-legal turns; of them the model holds `turns` to be legal, none where
    it takes the game to be over, with `goals` where it knows them. `doubtful` are the offered turns
    on which theories differ.
    """

    position: Position
    reason: str
    offered: tuple[str, ...]
    turns: tuple[str, ...]
    doubtful: frozenset[str]
    over: bool
    goals: Mapping[Player, int]


@dataclass(frozen=True)
class Answer:
    """The legal turns of a position; or none, and the goals of the players, where it is over."""

    position: Position
    turns: tuple[str, ...]
    goals: Mapping[Player, int] | None = None

    def agrees(self, turns: Iterable[str]) -> bool:
        """Whether these are the legal turns, by what they do and not by how they are spelled."""
        mine, theirs = (
            {effect_of(self.position, Turn.parse(text)) for text in each}
            for each in (self.turns, turns)
        )
        return mine == theirs

    def play(self, name: str) -> dict[str, Any]:
        """The answer as a played game called `name`, plain data of the trace format."""
        record: dict[str, Any] = {"id": name, "initial": position_dict(self.position)}
        if self.goals is not None:
            return record | {"turns": [], "end": "terminal", "goals": dict(self.goals)}
        turns = sorted(self.turns)
        return record | {"turns": [{"turn": turns[0], "legal": turns}], "end": "stopped"}


Oracle = Callable[[Question], Answer | None]
"""Answers a question, or None: no answer to this one. Raises `EndOfAnswers` to end the asking."""


class EndOfAnswers(Exception):
    """Whoever answers has had enough."""


def read_plays(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The plays of a file of answers, checked; none where there is no such file."""
    if not Path(path).exists():
        return []
    for _ in Traces.open(path):
        pass
    lines = iter(Lines(os.fspath(path)))
    next(lines)
    return [parse_object(line) for line in lines if line.strip()]


def write_plays(
    path: str | os.PathLike[str], model: Model, plays: Iterable[Mapping[str, Any]]
) -> None:
    """Write a file of answers on the game of `model`."""
    write_traces(path, describe(model.game, model.equipment, model.initial), plays)


def effect_of(position: Position, turn: Turn) -> object:
    """`Turn.effect`, or the turn itself where it doesn't fit."""
    try:
        return turn.effect(position)
    except GrlError:
        return turn
