"""A pseudo-legal turn together with what it leaves behind."""

from __future__ import annotations

from typing import NamedTuple

from grl.board import Square, Stock
from grl.turn import Effect, Turn, effect_of


class Candidate(NamedTuple):
    """A turn, where its segments begin and stop, and the board and reserve after it.

    `starts` and `ends` have a square a segment: its origin, and where the hand is put down.
    The last `added` segments are effects of the others, which were chosen.
    """

    turn: Turn
    starts: tuple[Square, ...]
    ends: tuple[Square, ...]
    cells: str
    stock: Stock
    added: int = 0

    @property
    def chosen(self) -> Turn:
        """The turn without its effects."""
        return Turn(self.turn.segments[: -self.added]) if self.added else self.turn

    @property
    def effect(self) -> Effect:
        """`Turn.effect`, without carrying the turn out again."""
        return effect_of(self.starts[0], self.cells, self.stock)
