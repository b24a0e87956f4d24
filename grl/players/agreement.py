"""Whether players choose alike on two implementations of a game: a learned model and a reference.

A tournament was played on one of them. Along its games the same players, with the same seeds and
budgets, are asked on the other one, in every position in which they chose a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from grl.children import FORKS, Report
from grl.errors import GrlError
from grl.players.arena import Contest, Record, seed_of
from grl.players.chance import Chance
from grl.players.interface import Game
from grl.players.ordering import name_of, named
from grl.players.seats import Seat
from grl.progress import Progress, silent
from grl.supervise import together

COMPILED = ("swift", "solver")
"""Players whose order of turns is that of compiled states: elsewhere they are other players."""


@dataclass(frozen=True)
class Difference:
    """Where a player chose `turn` in one implementation and `other`, or nothing, in the second:
    after so many plies of a game. `rows` is the position in the second one."""

    game: int
    ply: int
    player: str
    turn: str
    other: str | None
    rows: tuple[str, ...]


def differences(
    contest: Contest,
    records: Sequence[Record],
    game: Game,
    jobs: int = 1,
    progress: Progress = silent,
) -> tuple[int, list[Difference]]:
    """How many choices were asked of `game`, and those that were others there.

    A game is followed up to its first difference. Raises `GrlError` as `check_repeatable` does.
    """
    check_repeatable(contest.seats)
    found: list[tuple[int, Difference | None]] = []

    def done(_: int, one: tuple[int, Difference | None] | GrlError) -> None:
        if isinstance(one, GrlError):
            raise one
        found.append(one)
        progress("held to the other", len(found), len(records))

    works = [partial(_followed, contest, record, game) for record in records]
    if jobs > 1 and FORKS:
        together(works, jobs, done)
    else:
        for number, work in enumerate(works):
            done(number, work())
    differing = [difference for _, difference in found if difference is not None]
    return sum(asked for asked, _ in found), sorted(differing, key=lambda each: each.game)


def check_repeatable(seats: Sequence[Seat]) -> None:
    """Raises `GrlError` for players that can't be held to their choices: whose budget has a time,
    and those of `COMPILED`."""
    for seat in seats:
        if seat.spec.partition(":")[0] in COMPILED:
            raise GrlError(
                "this player searches compiled states alone",
                found=seat.spec,
                expected="mtdf, alphabeta, negamax, uct or random",
            )
        if seat.budget.seconds is not None and not isinstance(seat.agent, Chance):
            raise GrlError(
                "a player with a time chooses differently each time",
                found=seat.spec,
                expected="a budget of nodes or a depth",
            )


def _followed(
    contest: Contest, record: Record, game: Game, _: Report[None] | None = None
) -> tuple[int, Difference | None]:
    """How many choices of a game were asked, and the first that was another one."""
    state, asked = game.initial, 0
    first = None
    for ply, turn in enumerate(record.turns):
        who = "opening"
        other = None
        if ply >= contest.opening and not state.over:
            first = state.mover if first is None else first
            seat = contest.seats[record.seats[state.mover != first]]
            who, asked = seat.spec, asked + 1
            other = seat.choose(game, state, seed_of(contest, record.number, ply)).turn
        number = None if state.over else dict(named(state)).get(name_of(turn))
        if number is None or (other is not None and name_of(other) != name_of(turn)):
            rows = tuple(state.position().rows)
            return asked, Difference(record.number, ply, who, turn, other, rows)
        state = state.play(number)
    return asked, None
