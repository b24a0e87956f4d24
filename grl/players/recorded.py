"""Players who choose for records of a reference game: `grl.generate.generate` asks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from grl.board import Position
from grl.errors import GrlError
from grl.players.chance import Chance
from grl.players.referees import Referee, Refereed
from grl.players.seats import Seat

Chooser = Callable[[Referee, Position, list[str], Random, int], str]
"""From a game, a position, its turns, chance, and a depth that is of no use here."""


def chooser(seats: Sequence[Seat]) -> Chooser:
    """Lets seats choose, in the order of players, one alone for all.

    Raises `GrlError` for a seat whose budget has a time: the same seed would give other records.
    """
    for seat in seats:
        if seat.budget.seconds is not None and not isinstance(seat.agent, Chance):
            raise GrlError(
                "a player with a time makes other records each time",
                found=seat.spec,
                expected="a budget of nodes or a depth",
            )

    def choose(referee: Referee, position: Position, legal: list[str], rng: Random, _: int) -> str:
        game = Refereed(referee)
        state = game.state(position)
        answer = seats[state.mover % len(seats)].choose(game, state, rng.getrandbits(32))
        assert answer.turn in legal
        return answer.turn

    return choose
