"""Small games in which a player may pass, but not everywhere, each in its own way.

They are here to be learned. Nothing in grl was written with them in mind.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from capturing_games import ASLANT, STRAIGHT, Capturing
from lessons import games_of, taught
from made_once import made_once

from grl.board import Player, Position
from grl.rulebook import Rulebook
from grl.turn import Turn


class Strollers(Capturing):
    """Men step along ranks and files and take aslant; a pass is always legal; no men: lost."""

    name = "strollers"
    kind = "man"
    start: ClassVar[tuple[str, ...]] = ("bbbb", "b..b", "w..w", "wwww")

    def decided(self, position: Position) -> bool:
        return self.keys[position.to_move] not in position.cells

    def turns(self, position: Position) -> Iterator[str]:
        steps, takes = list(self.steps(position, STRAIGHT)), list(self.steps(position, ASLANT))
        yield from (*steps, *takes)
        if self.may_pass(position, can_take=bool(takes)):
            yield "pass"

    def steps(self, position: Position, compass: list[tuple[int, int]]) -> Iterator[str]:
        """Steps to empty squares straight on, or onto men of the other player aslant."""
        board, cells = position.board, position.cells
        letter, wanted = ("e", ".") if compass is STRAIGHT else ("p", self.theirs(position))
        for square in board.squares:
            if cells[square] == self.keys[position.to_move]:
                for dx, dy in compass:
                    target = board.step(square, dx, dy)
                    if target is not None and cells[target] == wanted:
                        yield f"{board.names[square]} ({dx} {dy} {letter})"

    def may_pass(self, position: Position, *, can_take: bool) -> bool:  # noqa: ARG002
        """Whether a pass is legal in a position that is not decided."""
        return True

    def men(self, position: Position) -> tuple[int, int]:
        """How many men the player to move has, and how many the other."""
        mine, theirs = self.keys[position.to_move], self.theirs(position)
        return position.cells.count(mine), position.cells.count(theirs)


class TiredStrollers(Strollers):
    """A pass is legal with at most four men."""

    name = "tired-strollers"

    def may_pass(self, position: Position, *, can_take: bool) -> bool:  # noqa: ARG002
        return self.men(position)[0] <= 4


class GreedyStrollers(Strollers):
    """A pass is illegal where something can be taken; but nobody has to take."""

    name = "greedy-strollers"

    def may_pass(self, position: Position, *, can_take: bool) -> bool:  # noqa: ARG002
        return not can_take


class RestlessStrollers(Strollers):
    """A pass is illegal right after a pass."""

    name = "restless-strollers"

    def may_pass(self, position: Position, *, can_take: bool) -> bool:  # noqa: ARG002
        return position.last != "pass"


class ModestStrollers(Strollers):
    """A pass is legal with fewer men than the other player, where nothing can be taken."""

    name = "modest-strollers"

    def may_pass(self, position: Position, *, can_take: bool) -> bool:
        mine, theirs = self.men(position)
        return mine < theirs and not can_take


class RunningStrollers(Strollers):
    """A man may go on one more square, and who does moves again; a pass is always legal."""

    name = "running-strollers"

    def steps(self, position: Position, compass: list[tuple[int, int]]) -> Iterator[str]:
        board, cells = position.board, position.cells
        for step in super().steps(position, compass):
            yield step
            if compass is STRAIGHT:
                origin, dx, dy = step.replace("(", "").split()[:3]
                way = int(dx), int(dy)
                first = board.step(board.square(origin), *way)
                target = None if first is None else board.step(first, *way)
                if target is not None and cells[target] == ".":
                    yield f"{step} ({dx} {dy} e)"

    def next_player(self, position: Position, turn: Turn) -> Player:
        if len(turn.segments) == 1 and len(turn.segments[0].letters) == 2:
            return position.to_move
        return super().next_player(position, turn)


@cache
def lesson(kind: type[Strollers]) -> Rulebook:
    """What is learned of such a game, enough to know where a pass is legal."""

    def learn() -> Rulebook:
        return taught(kind(), games_of(kind(), 20, endgames=0.0, max_plies=80))

    return made_once(kind.__name__, learn)
