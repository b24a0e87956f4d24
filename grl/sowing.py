"""Contents that stand for numbers, and the ways along which what they count is sown.

All of it is found in the records (`grl.rules.learn.sowing`) and kept in the model, as constants of
the game: which number a content stands for, which square comes next on a player's way, from which
squares a player's turns begin, and where a player's gains are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from grl.later import Later

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
else:
    np = Later("numpy")

FIELDS = ("home", "store")
"""Squares that belong to players: their turns begin on those of the first kind; the others gain."""
NOWHERE = -1
"""In the place of a square that there is not."""


@dataclass(frozen=True)
class Sowing:
    """What contents count, and how that is sown.

    `values` has the number of each content, a piece's key; an empty square counts nothing. `ways`
    has for each player and square the next one on their way, `NOWHERE` where it ends or doesn't
    lead. `homes` and `stores` are the squares of players. Where a turn `keeps` one, the first falls
    where it starts; where it `skips`, none falls there in later rounds.
    """

    values: Mapping[str, int]
    ways: Mapping[str, tuple[int, ...]]
    homes: Mapping[str, tuple[int, ...]]
    stores: Mapping[str, tuple[int, ...]]
    keeps: bool = False
    skips: bool = False

    @cached_property
    def contents(self) -> dict[int, str]:
        """The piece's key by the number that it stands for."""
        return {value: key for key, value in self.values.items()}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {player: number for number, player in enumerate(self.ways)}

    @cached_property
    def _table(self) -> Numbers:
        """The ways by player, a last entry for no square."""
        return np.array([[*way, NOWHERE] for way in self.ways.values()], dtype=np.int64)

    def field(self, kind: str, player: str) -> tuple[int, ...]:
        """The squares of a kind that belong to a player."""
        return (self.homes if kind == "home" else self.stores).get(player, ())

    def sown(
        self,
        players: Sequence[str],
        movers: NDArray[np.int64],
        starts: NDArray[np.int64],
        lifted: Numbers,
    ) -> tuple[Numbers, NDArray[np.int64]]:
        """What falls on each square, rows × squares, and the square on which the last one falls.

        `movers` are numbers of players, `lifted` is how many are taken up at the `starts`.
        """
        ways = self._table[[self._numbers[player] for player in players]]
        fallen = np.zeros((len(starts), ways.shape[1]), dtype=np.int64)
        rows = np.arange(len(starts))
        at, last = starts.copy(), np.full(len(starts), NOWHERE, dtype=np.int64)
        for step in range(int(lifted.max(initial=0))):
            if step or not self.keeps:
                at = ways[movers, at]
                if self.skips:
                    at = np.where(at == starts, ways[movers, at], at)
            falls = (lifted > step) & (at != NOWHERE)
            fallen[rows[falls], at[falls]] += 1
            last = np.where(falls, at, last)
        return fallen[:, :-1], last
