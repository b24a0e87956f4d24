"""Which squares the turns of a position could change, and which they could reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from grl.board import Player, Position, Stock
from grl.logic.grid import Bools
from grl.moves.candidate import Candidate

MOST_POSITIONS = 20_000
"""Positions of which it is remembered."""

Touched = tuple[Bools, Bools]
"""Rows by square: what turns change, and where their first segments end."""


class Replies:
    """The squares that pseudo-legal turns touch, as sets.

    Where the generator can say what squares these are without making the turns, it does so by its
    method `touched`.
    """

    def __init__(self, generator: Callable[[Position], Sequence[Candidate]], size: int) -> None:
        self._generator, self._size = generator, size
        self._touched: Callable[[Position], Touched | None] = getattr(
            generator, "touched", lambda _: None
        )
        self._known: dict[tuple[str, Stock, Player], tuple[int, int]] = {}

    def touched(self, position: Position) -> tuple[int, int]:
        """Whose piece some turn of the player to move would change, and on which its first segment
        would end."""
        key = (position.cells, position.stock, position.to_move)
        found = self._known.get(key)
        if found is None:
            if len(self._known) > MOST_POSITIONS:
                self._known.clear()
            changed, reached = self._touched(position) or self._looked_up(position)
            found = self._known[key] = self._mask(changed), self._mask(reached)
        return found

    def _looked_up(self, position: Position) -> Touched:
        """The squares that differ after some pseudo-legal turn, and those that some ends on."""
        before = np.frombuffer(position.cells.encode("utf-32-le"), dtype=np.uint32)
        changed = np.zeros(self._size, dtype=np.bool_)
        reached = np.zeros(self._size, dtype=np.bool_)
        for candidate in self._generator(position):
            changed |= before != np.frombuffer(candidate.cells.encode("utf-32-le"), np.uint32)
            reached[list(candidate.ends[:1])] = True
        return changed, reached

    def _mask(self, squares: Bools) -> int:
        """The set of the squares where a row holds."""
        packed = int.from_bytes(np.packbits(squares).tobytes(), "big")
        return packed >> (-self._size % 8)
