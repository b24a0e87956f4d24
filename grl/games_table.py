"""Many records as columns: the texts of turns as numbers, one game after the other."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

IN_TURN = -1
"""Who plays where a record leaves it to the order of players."""


@dataclass(frozen=True)
class GamesTable:
    """Records of single moves.

    The turns of game i are ``texts[turns[j]]`` for j from ``starts[i]`` to ``starts[i + 1]``; `by`
    numbers who plays them, in the header's order, and is None where all leave it to that. `line` is
    the line of each game, in a file of lines; the others are as in a record, where it has them,
    `initial` as JSON.
    """

    players: Sequence[str]
    texts: Sequence[str]
    turns: NDArray[np.int32]
    starts: NDArray[np.int64]
    by: NDArray[np.int8] | None
    lines: Sequence[int]
    ids: Sequence[str | None]
    initials: Sequence[str | None]
    ends: Sequence[str | None]
    goals: Sequence[Mapping[str, int] | None]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def record(self, game: int) -> dict[str, Any]:
        """A game as the object that a line holds."""
        some = slice(int(self.starts[game]), int(self.starts[game + 1]))
        turns: list[dict[str, str]] = [{"turn": self.texts[n]} for n in self.turns[some].tolist()]
        if self.by is not None:
            for turn, who in zip(turns, self.by[some].tolist(), strict=True):
                if who != IN_TURN:
                    turn["by"] = self.players[who]
        record: dict[str, Any] = {"turns": turns}
        if self.ids[game] is not None:
            record = {"id": self.ids[game], **record}
        initial, goals = self.initials[game], self.goals[game]
        if initial is not None:
            record["initial"] = json.loads(initial)
        if self.ends[game] is not None:
            record["end"] = self.ends[game]
        if goals is not None:
            record["goals"] = dict(goals)
        return record
