"""What trees of words are made of: what is known of a path, nodes, edges, ends of turns."""

from __future__ import annotations

from typing import NamedTuple

from grl.board import Square
from grl.model import Dfa, StateId
from grl.moves.turn_order import Order, Progress
from grl.turn import Letter, Segment, Turn

START = StateId(0)
STEPS = "ewpn"
ALWAYS = (-1, "!")
"""The test that every position passes: its text ends so."""


class TooLong(Exception):
    """A path that trees don't follow: the reference implementation has to."""


class Known(NamedTuple):
    """What a path fixes of the search state it leads to.

    `under` has the contents that may lie on `square`, the hand aside; `gained` what pieces the
    hand has gained or lost; `took` the squares from which this segment removed something, in order;
    `met` the opposing pieces passed over, where they are counted; `above` is one letter ago.
    """

    order: Order | None
    dfa: Dfa
    state: StateId
    square: Square
    held: str
    under: str
    progress: Progress
    changes: frozenset[tuple[Square, str]]
    gained: tuple[tuple[str, int], ...]
    took: tuple[Square, ...]
    met: tuple[Square, ...]
    origin: Square
    letters: tuple[Letter, ...]
    targets: tuple[str, ...]
    done: tuple[Segment, ...]
    starts: tuple[Square, ...]
    ends: tuple[Square, ...]
    above: Known | None


class Arrival(NamedTuple):
    """A letter to be carried out, and what is then known whatever the machines say of it."""

    before: Known
    letter: Letter
    dfa: Dfa
    state: StateId
    square: Square
    held: str
    under: str
    changes: frozenset[tuple[Square, str]]
    gained: tuple[tuple[str, int], ...]


Splice = tuple[slice, str, slice]
"""How one cell changes: what stays before it, its new content, what stays after it."""

NO_CHANGE: Splice = (slice(None), "", slice(0))

Edge = tuple[int, str, "Node"]
"""Where in a position's text which character must stand, and the node that lies behind."""


class End(NamedTuple):
    """A turn that may end at a node: the cell that the hand then changes, and what the hand gained.

    Where the hand is empty, `before` is the whole board and nothing comes after it. `reached` is
    a number for the search state, the same for all paths that lead there unless it matters which.
    """

    turn: Turn
    starts: tuple[Square, ...]
    ends: tuple[Square, ...]
    before: slice
    put: str
    after: slice
    gained: tuple[tuple[str, int], ...]
    reached: int


class Node:
    """A place in a tree.

    `change` is what happens to the board on the way in. Until the node is opened `edges` is None,
    and `arrival` is what leads here or, where a later segment begins, what is known of it. `end`
    stands from then on.
    """

    __slots__ = ("arrival", "change", "edges", "end")

    def __init__(
        self,
        arrival: Arrival | Known | None,
        change: Splice | None,
        edges: tuple[Edge, ...] | None = None,
    ) -> None:
        self.arrival = arrival
        self.change = change
        self.edges = edges
        self.end: End | None = None


def state_of(known: Known) -> object:
    """What distinguishes search states in the reference implementation."""
    return (
        known.square,
        known.dfa.key,
        known.state,
        known.progress,
        len(known.done),
        known.changes,
        known.held,
        known.gained,
        known.took,
        len(set(known.met)),
    )


def closes_circle(known: Known) -> bool:
    """Whether a path comes back to a search state in which it has been."""
    above = known.above
    while above is not None:
        if (
            above.square == known.square
            and above.state == known.state
            and above.dfa is known.dfa
            and above.letters
            and state_of(above) == state_of(known)
        ):
            return True
        above = above.above
    return False
