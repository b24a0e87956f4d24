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
    where it starts, but not where it `goes_on` for there is one alone; where it `skips`, none falls
    there in later rounds.
    """

    values: Mapping[str, int]
    ways: Mapping[str, tuple[int, ...]]
    homes: Mapping[str, tuple[int, ...]]
    stores: Mapping[str, tuple[int, ...]]
    keeps: bool = False
    skips: bool = False
    goes_on: bool = False

    @cached_property
    def contents(self) -> dict[int, str]:
        """The piece's key by the number that it stands for."""
        return {value: key for key, value in self.values.items()}

    @cached_property
    def _known(self) -> dict[tuple[str, int, int], tuple[list[int], int]]:
        """What was sown before: the same is, again and again."""
        return {}

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
        taken = zip(movers.tolist(), starts.tolist(), lifted.tolist(), strict=True)
        found = [self._walked(players[mover], start, number) for mover, start, number in taken]
        size = len(self.ways[players[0]])
        fallen = np.array([each for each, _ in found], dtype=np.int64).reshape(len(found), size)
        return fallen, np.array([last for _, last in found], dtype=np.int64)

    def _walked(self, player: str, start: int, lifted: int) -> tuple[list[int], int]:
        """What falls on each square, and on which the last one falls."""
        known = self._known.get((player, start, lifted))
        if known is None:
            way, at, last = self.ways[player], start, NOWHERE
            fallen = [0] * len(way)
            keeps = self.keeps and (lifted > 1 or not self.goes_on)
            for step in range(lifted):
                if step or not keeps:
                    at = way[at]
                    if self.skips and at == start:
                        at = way[at]
                if at == NOWHERE:
                    break
                fallen[at] += 1
                last = at
            known = self._known[player, start, lifted] = fallen, last
        return known
