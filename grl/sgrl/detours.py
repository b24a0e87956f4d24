"""Detours: ways on which a hand comes back to where it was, with nothing changed since.

A rider that hops over pieces and may go on can hop to and fro for ever. What follows after a detour
follows without it as well, so walks over an automaton's words stop there, as the search for turns
does where it meets a state again (GRL paper, section 3.4).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from grl.sgrl.automaton import START
from grl.sgrl.wrapping import NO_EDGE, Wrapping
from grl.turn import Letter


@dataclass
class Places:
    """The places of walks, numbered: an automaton's state, and where the hand is.

    Across edges that meet, by the `wrapping`, a hand comes back as well.
    """

    wrapping: Wrapping = NO_EDGE
    numbers: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def begin(self, state: int) -> Visit:
        """The visit with which a walk begins."""
        return Visit(self, state, 0, 0, self.bit(state, 0, 0))

    def bit(self, state: int, x: int, y: int) -> int:
        """A number with one bit, for a place."""
        place = state, x, y
        return 1 << self.numbers.setdefault(place, len(self.numbers))


class Visit(NamedTuple):
    """Where a walk is: the automaton's state, and the hand as seen from where the walk began.

    `visited` has a bit for each place since a letter may have changed something.
    """

    places: Places
    state: int
    x: int
    y: int
    visited: int

    def on(self, letter: Letter, state: int) -> Visit | None:
        """The visit by a letter that leads to a state; None where that ends a detour.

        In whatever state the hand comes back to where the turn began, nothing was done.
        """
        return self._by(letter, state, self.visited)

    def afresh(self, letter: Letter, state: int) -> Visit | None:
        """The same where all that is known is whether anything was done since the turn began."""
        return self._by(letter, state, self.visited & self.places.bit(START, 0, 0))

    def _by(self, letter: Letter, state: int, visited: int) -> Visit | None:
        places, x, y = self.places, self.x, self.y
        if not letter.steps:
            return Visit(places, state, x, y, places.bit(state, x, y))
        x, y = x + letter.dx, y + letter.dy
        if places.wrapping:
            x, y = places.wrapping.place(x, y)
        bit = places.bit(state, x, y)
        home = places.bit(START, 0, 0) if not (x or y) else 0
        return None if visited & (bit | home) else Visit(places, state, x, y, visited | bit)
