"""A game whose turns, positions and ends a library says, by way of the importers' referees.

A position carries the library's own state along, so that nothing has to be read back out of the
board, and rules that look at more than the board stay the library's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

from grl.board import Player, Position
from grl.errors import GameError
from grl.fresh import Met
from grl.games import Game
from grl.importers.referee import Referee
from grl.importers.refereed import Told
from grl.tracejson import read_header
from grl.turn import Turn

SURVEYED, STARTS = 20, 20
LONGEST = 400
"""Plies after which a random game is given up."""
NEAR = 6
"""Plies before an end at which a game may begin, at most."""


@dataclass(frozen=True, slots=True, repr=False)
class Reached(Position):
    """A position with the library's state, and its legal turns with their moves once asked for."""

    state: Any = field(default=None, compare=False)
    choices: dict[str, str] = field(default_factory=dict, compare=False)


class RefereedGame(Game):
    """The game of a referee; which pieces there are shows in random games."""

    provenance = "a library, position by position"

    def __init__(self, referee: Referee[Any]) -> None:
        self.name = referee.name  # type: ignore[misc]
        self._referee = referee
        start = referee.start(None)
        self._told = Told(referee, referee.shown(start))
        for index in range(SURVEYED):
            for state, _ in self._states(Random(f"survey {index}")):
                self._told.shown(state)
        header = read_header(self._told.keys.header())
        self.equipment = header.equipment
        self.initial = self._reached(header.initial, start)

    def legal(self, position: Position) -> list[str]:
        return sorted(self._choices(position))

    def is_terminal(self, position: Position) -> bool:
        return self._over(_state(position))

    def goals(self, position: Position) -> dict[Player, int]:
        goals = self._referee.goals(_state(position))
        if goals is None:
            raise GameError("goals were asked for, but the game is not over")
        return {player: goals[player] for player in self.equipment.players}

    def play(self, position: Position, turn: str | Turn) -> Position:
        move = self._choices(position).get(str(turn))
        if move is None:
            raise GameError(f"{turn} is no legal turn of {self.name}")
        after = super().play(position, turn)
        return self._reached(after, self._referee.after(_state(position), move))

    def endgames(self) -> list[Position]:
        """Positions shortly before the ends of random games."""
        ways = (self._way(Random(f"starts {index}")) for index in range(STARTS))
        return [way[-2 - min(i % NEAR, len(way) - 2)] for i, way in enumerate(ways) if len(way) > 1]

    def ended(self, number: int, seed: int) -> Iterator[Met]:
        """The distinct ends of so many random games."""
        seen = set()
        for index in range(number):
            way = self._way(Random(f"ends {seed} {index}"))
            if way and way[-1].outcome not in seen:
                seen.add(way[-1].outcome)
                yield way[-1], []

    def _way(self, chance: Random) -> list[Position]:
        """The last positions of a random game, the terminal one too; none where it has no end."""
        states = list(self._states(chance))
        if not self._over(states[-1][0]):
            return []
        position, way = self.initial, [self.initial]
        for (state, _), (after, move) in pairwise(states):
            turn, _, _ = self._told.played(state, self._told.shown(state), move)
            position = self._reached(super().play(position, turn), after)
            way.append(position)
        return way[-2 - NEAR :]

    def _over(self, state: Any) -> bool:
        """Whether the library has ended the game."""
        return self._referee.goals(state) is not None

    def _states(self, chance: Random) -> Iterator[tuple[Any, str]]:
        """The states of a random game, each with the move that led there."""
        state, move = self._referee.start(None), ""
        for _ in range(LONGEST):
            yield state, move
            moves = self._referee.moves(state)
            if not moves:
                return
            move = chance.choice(moves)
            state = self._referee.after(state, move)
        yield state, move

    def _choices(self, position: Position) -> dict[str, str]:
        assert isinstance(position, Reached)
        if not position.choices:
            state = position.state
            position.choices.update(self._told.choices(state, self._told.shown(state)))
        return position.choices

    def _reached(self, position: Position, state: Any) -> Reached:
        """A position with its state, which has to look as the library shows it."""
        shown = self._told.shown(state)
        hands = [
            {p: {key: n for key, n in hands.get(p, {}).items() if n} for p in self._referee.players}
            for hands in (position.reserve, shown.hands)
        ]
        if tuple(position.rows) != shown.rows or hands[0] != hands[1]:
            raise GameError(f"a turn of {self.name} leads elsewhere than its move")
        # At the end nobody moves, and libraries say what they like.
        mover = position.to_move if self._over(state) else Player(shown.mover)
        return Reached(
            position.equipment,
            position.cells,
            mover,
            position.stock,
            position.moved,
            position.last,
            position.trail,
            state,
        )


def _state(position: Position) -> Any:
    assert isinstance(position, Reached)
    return position.state
