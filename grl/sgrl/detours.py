"""Detours: ways on which a hand comes back to where it was, with nothing changed since.

A rider that hops over pieces and may go on can hop to and fro for ever. What follows after a detour
follows without it as well, so walks over an automaton's words stop there, as the search for turns
does where it meets a state again (GRL paper, section 3.4).
"""

from __future__ import annotations

from typing import NamedTuple

from grl.turn import Letter


class Visit(NamedTuple):
    """Where a walk is: the automaton's state, and the hand as seen from where the walk began.

    `changes` counts the letters that may have changed something; `before` is where it was before.
    """

    state: int
    x: int = 0
    y: int = 0
    changes: int = 0
    before: Visit | None = None

    def on(self, letter: Letter, state: int) -> Visit | None:
        """The visit by a letter that leads to a state; None where that ends a detour."""
        if not letter.steps:
            return Visit(state, self.x, self.y, self.changes + 1, self)
        x, y = self.x + letter.dx, self.y + letter.dy
        earlier: Visit | None = self
        while earlier is not None and earlier.changes == self.changes:
            if earlier.x == x and earlier.y == y and earlier.state == state:
                return None
            earlier = earlier.before
        return Visit(state, x, y, self.changes, self)
