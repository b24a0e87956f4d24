"""What the records say of rules: positions with the turns known there, and how games ended.

Unlike `grl.sgrl.evidence` a moment keeps the game so far, as far as positions have it. Records are
a bounded sample that merges: the moments whose hashes are smallest, so that records from two
shards, merged in any order, equal records from both.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import NamedTuple

from grl.board import Player, Position
from grl.traces import Play

MOMENTS = 20_000
ENDS = 20_000

Goals = tuple[tuple[Player, int], ...]


class Moment(NamedTuple):
    """A position in which a player chose, and what is known of the choice.

    `turns` holds every legal turn when `complete`, else the turns seen. `followers` lists the turns
    played together with who moved next.
    """

    position: Position
    complete: bool
    turns: frozenset[str]
    followers: frozenset[tuple[str, Player]]


class End(NamedTuple):
    """A position in which the rules ended a game, and its goals."""

    position: Position
    goals: Goals


@dataclass
class Records:
    """A sample of moments and of ends; `limit` and `end_limit` bound it."""

    limit: int = MOMENTS
    end_limit: int = ENDS
    moments: dict[bytes, Moment] = field(default_factory=dict)
    ends: dict[bytes, dict[Goals, int]] = field(default_factory=dict)
    last: dict[bytes, Position] = field(default_factory=dict)

    def observe(self, play: Play) -> None:
        """Add a played game."""
        for index, ply in enumerate(play.plies):
            complete = ply.legal is not None
            turns = frozenset((ply.turn,) if ply.legal is None else ply.legal)
            following = play.plies[index + 1 : index + 2]
            followers = frozenset((ply.turn, after.by) for after in following)
            key = _key(ply.position, complete)
            self._add(key, Moment(ply.position, complete, turns, followers))
        if play.end == "terminal" and play.goals is not None:
            key = _key(play.final, False)
            goals = tuple(play.goals.items())
            self.last[key] = play.final
            counts = self.ends.setdefault(key, {})
            counts[goals] = counts.get(goals, 0) + 1
        self._trim(2)

    def merge(self, other: Records) -> None:
        """Add all that `other` has seen."""
        for key, moment in other.moments.items():
            self._add(key, moment)
        self.last |= other.last
        for key, found in other.ends.items():
            counts = self.ends.setdefault(key, {})
            for goals, count in found.items():
                counts[goals] = counts.get(goals, 0) + count
        self._trim(1)

    def sorted_moments(self) -> list[Moment]:
        """The moments of the sample, in the order of their hashes; one for each board and mover."""
        self._trim(1)
        found: dict[object, Moment] = {}
        for key in sorted(self.moments):
            moment = self.moments[key]
            found.setdefault((moment.position.outcome, moment.complete), moment)
        return list(found.values())

    def sorted_ends(self) -> list[End]:
        """The ends of the sample, in the order of their hashes.

        Where records disagree on the goals of a position, most of them decide.
        """
        self._trim(1)
        found: dict[object, End] = {}
        for key in sorted(self.ends):
            goals = max(self.ends[key].items(), key=lambda item: (item[1], item[0]))[0]
            position = self.last[key]
            found.setdefault(position.outcome, End(position, goals))
        return list(found.values())

    def _add(self, key: bytes, moment: Moment) -> None:
        known = self.moments.get(key)
        if known is not None:
            moment = moment._replace(
                turns=known.turns | moment.turns, followers=known.followers | moment.followers
            )
        self.moments[key] = moment

    def _trim(self, slack: int) -> None:
        """Keep the smallest hashes, once there are `slack` times too many."""
        if len(self.moments) > self.limit * slack:
            self.moments = {k: self.moments[k] for k in nsmallest(self.limit, self.moments)}
        if len(self.ends) > self.end_limit * slack:
            self.ends = {k: self.ends[k] for k in nsmallest(self.end_limit, self.ends)}
            self.last = {k: self.last[k] for k in self.ends}


def _key(position: Position, complete: bool) -> bytes:
    moved = sorted(position.moved)
    text = (
        f"{position.to_move}|{position.cells}|{position.stock}|{moved}|{position.last}|{complete}"
    )
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
