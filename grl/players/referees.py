"""Reference games behind the interface of engines: players play them as they play models."""

from __future__ import annotations

from typing import Protocol

from grl.board import Equipment, Player, Position
from grl.engine.engine import Interpreted, Rules
from grl.turn import Turn


class Referee(Protocol):
    """What is asked of a reference game; `grl.games.Game` has it."""

    equipment: Equipment
    initial: Position

    def legal(self, position: Position) -> list[str]:
        """The legal turns; none where the game is over."""

    def play(self, position: Position, turn: str | Turn) -> Position:
        """The position after a legal turn."""

    def goals(self, position: Position) -> dict[Player, int]:
        """The goals of a position in which the game is over."""


class Refereed:
    """A reference game as players see it.

    `remembers` says that board, hands and who is to move are not all that a game goes on by, as
    with repetition or rights that are lost. Otherwise states are equal where these are, as those of
    learned models are. `rulings` is a model that was learned of the game, where there is one: from
    it evaluations are read.
    """

    def __init__(
        self, referee: Referee, *, remembers: bool = True, rulings: Rules | None = None
    ) -> None:
        self._referee, self.rulings = referee, rulings
        self.equipment = referee.equipment
        self.transposes = not remembers

    @property
    def initial(self) -> Interpreted:
        """See `grl.players.interface.Game`."""
        return self.state(self._referee.initial)

    def state(self, position: Position) -> Interpreted:
        """See `grl.players.interface.Game`."""
        return (_Plain if self.transposes else Interpreted)(_Rulings(self._referee), position)


class _Rulings:
    """A reference game as `grl.engine.engine.Rulings`."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self.initial = referee.initial
        self.goals = referee.goals

    def legal(self, position: Position) -> list[Turn]:
        return [Turn.parse(text) for text in self._referee.legal(position)]

    def after(self, position: Position, turn: Turn) -> Position:
        return self._referee.play(position, turn)


class _Plain(Interpreted):
    """A state of a game without memory."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Plain) and self._position.outcome == other._position.outcome

    __hash__ = Interpreted.__hash__
