"""Which squares the turns of a position could change, and which they could reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from grl.board import Equipment, Player, Position, Stock
from grl.logic.rows import Touched
from grl.moves.candidate import Candidate

Seen = tuple[str, Stock, Player]
"""The cells of a board, what is in hand, and whose turns are asked for."""
MOST_POSITIONS = 20_000
"""Positions of which it is remembered."""


class Replies:
    """The squares that pseudo-legal turns touch.

    Where the generator can say what squares these are without making the turns, it does so by its
    method `touched`, of many positions at once.
    """

    def __init__(
        self, equipment: Equipment, generator: Callable[[Position], Sequence[Candidate]]
    ) -> None:
        self._equipment, self._generator = equipment, generator
        self._touched: Callable[[Sequence[Seen]], Sequence[Touched] | None] = getattr(
            generator, "touched", lambda _: None
        )
        self._known: dict[Seen, Touched] = {}

    def touched(self, seen: Seen) -> Touched:
        """What turns of a player would change, and where their first segments would end."""
        found = self._known.get(seen)
        if found is None:
            quick = self._touched([seen])
            if quick is None:
                cells, stock, mover = seen
                turns = self._generator(Position(self._equipment, cells, mover, stock))
                found = touched_by(cells, turns)
            else:
                found = quick[0]
            self._remember([seen], [found])
        return found

    def foresee(self, several: Iterable[Seen]) -> None:
        """Look up at once what will be asked, where that takes less time."""
        fresh = [seen for seen in dict.fromkeys(several) if seen not in self._known]
        found = self._touched(fresh) if len(fresh) > 1 else None
        if found is not None:
            self._remember(fresh, found)

    def _remember(self, several: Sequence[Seen], found: Sequence[Touched]) -> None:
        if len(self._known) > MOST_POSITIONS:
            self._known.clear()
        self._known.update(zip(several, found, strict=True))


def touched_by(cells: str, turns: Iterable[Candidate]) -> Touched:
    """The squares that differ after some turn on a board, and those that some ends on."""
    before = np.frombuffer(cells.encode("utf-32-le"), dtype=np.uint32)
    changed = np.zeros(len(cells), dtype=np.bool_)
    reached = np.zeros(len(cells), dtype=np.bool_)
    for candidate in turns:
        changed |= before != np.frombuffer(candidate.cells.encode("utf-32-le"), np.uint32)
        reached[list(candidate.ends[:1])] = True
    return changed, reached
