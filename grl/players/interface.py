"""What every player gets and gives, whatever the game: a state and a budget in, a turn out.

A game is a learned model (`grl.rulebook.Rulebook.engine`) or a reference game
(`grl.players.referees.Refereed`). Players know it by its states alone.

A *node* is a turn played while a player thinks: a state that a search or a random game comes to.
Budgets in nodes are therefore the same for all players and all implementations of a game.

Values are whole numbers from a loss at once to a win at once: the evaluation space of Pulles,
Symbolic AI's for Generalised Connect Four, section 2::

    -WIN + n         lost in n plies
    -LIKELY..LIKELY  what an evaluation thinks; 0, a draw; goals between a win and a loss
    WIN - n          won in n plies

All of it as seen by one side: the more, the better for it. Draws have no distance. With three
players and more a search is paranoid: one side is the player whose turn is wanted, the other side
is everybody else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from grl.board import Equipment, Player, Position
from grl.engine.engine import State
from grl.errors import GrlError

WIN = 1_000_000
MOST_PLIES = 10_000
"""Wins and losses lie within so many plies."""
LIKELY = 9_999
"""The most that an evaluation, or a goal which is no win, comes to."""

Evaluation = Callable[[State, int], float]
"""From a state, and the place among the players of the one who asks, to -1 (lost) to 1 (won).

It is asked of states in which the game goes on, and says nothing of how sure it is: whatever it
says is less than a win and more than a loss.
"""


class Game(Protocol):
    """What players ask of a game; `grl.engine.engine.Engine` has it."""

    @property
    def equipment(self) -> Equipment:
        """Board, pieces, players."""

    @property
    def initial(self) -> State:
        """The state in which a game begins."""

    @property
    def transposes(self) -> bool:
        """Whether states that are equal go on alike, however they came about."""

    def state(self, position: Position) -> State:
        """The state of a position."""

    def __hash__(self) -> int:
        """What is made for a game is kept for this one."""


@dataclass(frozen=True)
class Budget:
    """What a player may spend on a turn; None: as much as it wants.

    With `seconds` None a player plays the same whenever it is asked the same. `stop` is asked now
    and then; when it says yes a player answers with what it has.
    """

    nodes: int | None = None
    seconds: float | None = None
    depth: int | None = None
    stop: Callable[[], bool] | None = None


@dataclass(frozen=True)
class Answer:
    """A turn, and what a player thinks of it.

    `number` is the turn's place in `State.turns`. `value` is as the player to move sees it.
    `proven` says that no evaluation, no bound of depth and no chance is in it. `line` begins with
    the turn. `depth` is the number of plies to which everything was searched; in a tree that grows
    unevenly, to which anything was.
    """

    number: int
    turn: str
    value: int
    proven: bool
    line: tuple[str, ...]
    nodes: int
    seconds: float
    depth: int


class Agent(Protocol):
    """Somebody who plays."""

    def choose(self, game: Game, state: State, budget: Budget, seed: int = 0) -> Answer:
        """A legal turn of a state in which the game goes on; raises `GameOver` for any other.

        The best so far once the budget is spent, whatever that is. An interrupt
        (`KeyboardInterrupt`) goes on to the caller; to keep the best so far let `Budget.stop` say
        yes.
        """


class GameOver(GrlError):
    """A turn was asked of a player where the game is over."""


def check_going_on(state: State) -> None:
    """Raises `GameOver` where it is."""
    if state.over:
        raise GameOver("the game is over", expected="a state with legal turns")


def plies_to_end(value: int) -> int | None:
    """In how many plies a value is won or lost; None for any other value."""
    distance = WIN - abs(value)
    return distance if distance <= MOST_PLIES else None


def later(value: int, plies: int) -> int:
    """A win or a loss so many plies later; any other value as it is."""
    if value > LIKELY:
        return value - plies
    return value + plies if value < -LIKELY else value


def spoken(value: int) -> str:
    """A value for people: ``wins in 5``, ``loses in 2``, ``0``, ``+0.25``."""
    distance = plies_to_end(value)
    if distance is not None:
        return f"{'wins' if value > 0 else 'loses'} in {distance}"
    return f"{value / LIKELY:+.2f}" if value else "0"


def final_value(goals: Mapping[Player, int], players: Sequence[Player], seat: int) -> int:
    """The value, for a seat, of a state in which the game is over with these goals.

    A goal counts against the best of the others', and alone against the middle: 100 to 0 is a win.
    Unknown goals count as a draw.
    """
    if any(player not in goals for player in players):
        return 0
    mine = goals[players[seat]]
    others = [goals[player] for place, player in enumerate(players) if place != seat]
    margin = mine - max(others) if others else 2 * mine - 100
    return margin * WIN // 100 if abs(margin) == 100 else margin * LIKELY // 100


def guessed(evaluation: Evaluation, state: State, seat: int) -> int:
    """What an evaluation says of a state, as a value."""
    return round(LIKELY * min(max(evaluation(state, seat), -1.0), 1.0))


class Spent(Exception):
    """The budget is spent."""


class Meter:
    """Counts the nodes of one turn and raises `Spent` at the end of the budget.

    The clock, and whether to stop, are asked every `EVERY` nodes; the first `free` ones are never
    too many.
    """

    EVERY = 256

    def __init__(self, budget: Budget, free: int = 0) -> None:
        self._budget, self._free = budget, free
        self._began = time.perf_counter()
        self.nodes = 0
        self._look = self.EVERY

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return time.perf_counter() - self._began

    def count(self) -> None:
        """One more node, unless the budget is spent: then raises `Spent`."""
        if self.nodes >= self._free:
            most = self._budget.nodes
            if most is not None and self.nodes >= most:
                raise Spent
            if self.nodes >= self._look:
                self._look = self.nodes + self.EVERY
                self.check()
        self.nodes += 1

    def check(self) -> None:
        """Raises `Spent` where time is over or somebody says stop."""
        limit, stop = self._budget.seconds, self._budget.stop
        if (limit is not None and self.seconds >= limit) or (stop is not None and stop()):
            raise Spent
