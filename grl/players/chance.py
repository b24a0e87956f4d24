"""A player who plays at random."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from grl.engine.engine import State
from grl.players.interface import Answer, Budget, Game, Meter, check_going_on
from grl.players.ordering import named


@dataclass(frozen=True)
class Chance:
    """Plays any turn, by chance that depends on the seed and on what lies on the board."""

    def choose(self, game: Game, state: State, budget: Budget, seed: int = 0) -> Answer:  # noqa: ARG002
        """See `grl.players.interface.Agent`."""
        check_going_on(state)
        meter = Meter(budget)
        _, number = Random(f"{seed} {state.cells}").choice(named(state))
        turn = state.turns()[number]
        return Answer(number, turn, 0, False, (turn,), meter.nodes, meter.seconds, 0)
