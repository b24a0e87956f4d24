"""What somebody chose among the legal turns, from trace files and from tournaments' results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from grl.board import Player, Position
from grl.errors import GrlError, Place
from grl.inputs import read_bounded
from grl.players.arena import FORMAT, Record
from grl.players.interface import Game
from grl.replay import Play

WINNER = "winner"
"""Stands for whoever won a game."""
HEAD = 100
T = TypeVar("T")


@dataclass(frozen=True)
class Choice:
    """A position of a record, and the turn that was played."""

    position: Position
    turn: str


def evenly(found: Sequence[T], most: int | None) -> Sequence[T]:
    """Of more than `most` some are left out, evenly spread."""
    if most is None or len(found) <= most:
        return found
    return [found[number * len(found) // most] for number in range(most)]


def choices(plays: Iterable[Play], whose: str | None) -> list[Choice]:
    """What was played by a player, by the `WINNER` of each game, or by anybody."""
    return [
        Choice(ply.position, ply.turn)
        for play in plays
        for ply in play.plies
        if whose is None or ply.by == (_winner(play) if whose == WINNER else whose)
    ]


def _winner(play: Play) -> Player | None:
    """Who has more than the others."""
    goals = play.goals or {}
    best = [player for player, goal in goals.items() if goal == max(goals.values())]
    return best[0] if len(best) == 1 else None


def of_tournament(path: Path) -> bool:
    """Whether a file begins as one of results does."""
    return read_bounded(path, HEAD).startswith(json.dumps({"format": FORMAT})[:-1].encode())


def choices_of_records(
    game: Game, records: Iterable[Record], opening: int, seats: Sequence[int] | None
) -> Iterator[Choice]:
    """What was played in a tournament after the openings: by some of its players, each by its
    place, by winners where there are none of these, or by anybody where that is None."""
    for record in records:
        wanted = range(len(record.seats)) if seats is None else _sides(record, seats)
        state = game.initial
        first = None
        for ply, turn in enumerate(record.turns):
            if ply == opening:
                first = state.mover
            if first is not None and int(state.mover != first) in wanted:
                yield Choice(state.position(), turn)
            turns = state.turns()
            if turn not in turns:
                raise GrlError(
                    "a turn is not legal",
                    place=Place(game=str(record.number), ply=ply + 1),
                    found=turn[:80],
                )
            state = state.play(turns.index(turn))


def _sides(record: Record, seats: Sequence[int]) -> list[int]:
    """0 for who began after the opening, 1 for the other."""
    if seats:
        return [side for side, seat in enumerate(record.seats) if seat in seats]
    return [] if record.points == 0.5 else [int(record.points == 0)]


def check_whose(whose: str | None, players: Sequence[str]) -> None:
    """Raises `GrlError` where nobody is called so."""
    if whose is not None and whose not in (*players, WINNER):
        raise GrlError(
            "there is no such player", found=whose, expected=", ".join((*players, WINNER))
        )
