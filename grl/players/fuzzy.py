"""Fuzzy goals as an evaluation: how nearly each player has what the endings of a model give.

Genesereth and Thielscher, *General Game Playing*, sections 16.2 to 16.4, on the endings of a
learned model (`grl.players.goals`). A goal's degree of truth counts with its worth out of 100, and
a player's goals make one number by the disjunction of `Logic`. The evaluation of a seat is that
number less the best of the others'; a player alone is held to the middle.

Beyond the chapter, each where it is asked for:

* latches: what is false for good has truth 0, and with it every line that needs it;
* distances: a piece that isn't on a square makes it true the more, the fewer turns it is away.

Where an ending asks whether a player has no turn, the degree is by mobility, `mobility`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grl.board import Player, Position
from grl.engine.engine import State
from grl.players.distances import Place
from grl.players.formulas import Logic
from grl.players.goals import Goals
from grl.players.latches import Latches
from grl.players.propositions import InHand, OnSquare, Proposition, propositions

BOOK = Logic()
"""As in the chapter's examples: 0.9, the product, no threshold."""


@dataclass(frozen=True)
class Fuzzy:
    """An evaluation (`grl.players.interface.Evaluation`) from goals; see the module.

    `count` gives the number of turns in a position; it is asked where the goals speak of turns.
    """

    goals: Goals
    logic: Logic = BOOK
    latches: Latches | None = None
    distances: Mapping[Place, Mapping[Place, int]] | None = None
    count: Callable[[Position], int] | None = None

    def __call__(self, state: State, seat: int) -> float:
        """From -1 to 1, as the player at `seat` sees it."""
        return compared(self.values(state.position()), seat)

    def values(self, position: Position) -> list[float]:
        """For each player how nearly they have their goals, from 0 to 1."""
        truths = self.truths(position)
        return [
            self.logic.either([goal / 100 * truths[root] for goal, root in goals])
            for goals in self.goals.goals.values()
        ]

    def truths(self, position: Position) -> list[float]:
        """The truth of every node of the goals' circuit."""
        atoms = {name: self._truth(one, position) for name, one in self.propositions.items()}
        return self.logic.truths(self.goals.circuit, atoms)

    @cached_property
    def propositions(self) -> dict[str, Proposition]:
        """What the goals ask of a position."""
        return propositions(self.goals, self.latches, self.distances)

    def _truth(self, one: Proposition, position: Position) -> float:
        if isinstance(one, OnSquare):
            return self._on_square(one, position.cells)
        if isinstance(one, InHand):
            held = sum(n for p, k, n in position.stock if (p, k) == (one.player, one.key))
            return self.logic.atom(held == one.number)
        return mobility(self.logic, self._turns(position, one.player))

    def _on_square(self, one: OnSquare, cells: str) -> float:
        if cells[one.square] == one.key:
            return self.logic.tau
        if one.never or any((cells[s] == key) == taken for (key, s), taken in one.dead):
            return 0.0
        away = min((turns for (key, s), turns in one.away.items() if cells[s] == key), default=None)
        return self.logic.atom(False) if away is None else nearness(self.logic, away)

    def _turns(self, position: Position, player: Player) -> int:
        if self.count is None:
            raise TypeError("goals for want of turns need a count of turns")
        return self.count(
            position if position.to_move == player else replace(position, to_move=player)
        )


def mobility(logic: Logic, turns: int) -> float:
    """How true it is that a player has no turn: `tau` without any, and less with each."""
    return logic.tau / (1 + turns)


def nearness(logic: Logic, away: int) -> float:
    """The truth of a square to which a piece may come: one half next to it, less by halves beyond.

    It is never less than that of falsehood.
    """
    return (1 - logic.tau) + (logic.tau - 0.5) * 0.5 ** (away - 1)


def compared(values: Sequence[float], seat: int) -> float:
    """A player's value against the best of the others', or against the middle."""
    others = [value for place, value in enumerate(values) if place != seat]
    return values[seat] - max(others) if others else 2 * values[seat] - 1
