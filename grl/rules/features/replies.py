"""Which squares the turns of a position could change, and which they could reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from grl.board import Player, Position, Stock
from grl.logic.rows import Touched
from grl.moves.candidate import Candidate

MOST_POSITIONS = 20_000
"""Positions of which it is remembered."""


class Replies:
    """The squares that pseudo-legal turns touch.

    Where the generator can say what squares these are without making the turns, it does so by its
    method `touched`.
    """

    def __init__(self, generator: Callable[[Position], Sequence[Candidate]]) -> None:
        self._generator = generator
        self._touched: Callable[[Position], Touched | None] = getattr(
            generator, "touched", lambda _: None
        )
        self._known: dict[tuple[str, Stock, Player], Touched] = {}

    def touched(self, position: Position) -> Touched:
        """What turns of the player to move would change, and where their first segments would
        end."""
        key = (position.cells, position.stock, position.to_move)
        found = self._known.get(key)
        if found is None:
            if len(self._known) > MOST_POSITIONS:
                self._known.clear()
            found = self._touched(position)
            if found is None:
                found = touched_by(position.cells, self._generator(position))
            self._known[key] = found
        return found


def touched_by(cells: str, turns: Iterable[Candidate]) -> Touched:
    """The squares that differ after some turn on a board, and those that some ends on."""
    before = np.frombuffer(cells.encode("utf-32-le"), dtype=np.uint32)
    changed = np.zeros(len(cells), dtype=np.bool_)
    reached = np.zeros(len(cells), dtype=np.bool_)
    for candidate in turns:
        changed |= before != np.frombuffer(candidate.cells.encode("utf-32-le"), np.uint32)
        reached[list(candidate.ends[:1])] = True
    return changed, reached
