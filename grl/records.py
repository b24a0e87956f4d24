"""What the records say of rules: positions with the turns known there, and how games ended.

Unlike `grl.sgrl.evidence` a moment keeps the game so far, as far as positions have it. Records are
a bounded sample that merges: of games of about the same length the moments whose hashes are
smallest, so that records from two shards, merged in any order, equal records from both. A short
game weighs as much as a long one: records of a few plies are made around what is rare.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import NamedTuple

from grl.board import Player, Position, outcome_of
from grl.traces import Play
from grl.trail import Past

MOMENTS = 20_000
ENDS = 20_000

Goals = tuple[tuple[Player, int], ...]
Key = tuple[int, bytes, bytes]
"""A class of games by length, see `_span`, and hashes of a position and, where all legal turns are
known, of these: the game so far may decide which there are."""


class Moment(NamedTuple):
    """A position in which a player chose, and what is known of the choice.

    `turns` holds every legal turn when `complete`, else the turns seen. `followers` lists the turns
    played together with who moved next. Moments of low `rank` come into a smaller sample.
    """

    position: Position
    complete: bool
    turns: frozenset[str]
    followers: frozenset[tuple[str, Player]]
    rank: float = 0.0


class Last(NamedTuple):
    """The last position of a game and the turn that led there, if there was one.

    Who would move there is not known: records don't say who follows on the last turn.
    """

    position: Position
    before: Position | None = None
    turn: str | None = None


class End(NamedTuple):
    """A position in which the rules ended a game, and its goals."""

    last: Last
    goals: Goals

    @property
    def position(self) -> Position:
        """The position; its player to move is the next in turn order, which may be wrong."""
        return self.last.position


@dataclass
class Records:
    """A sample of moments and of ends; `limit` and `end_limit` bound it."""

    limit: int = MOMENTS
    end_limit: int = ENDS
    moments: dict[Key, Moment] = field(default_factory=dict)
    ends: dict[bytes, dict[Goals, int]] = field(default_factory=dict)
    lasts: dict[bytes, Last] = field(default_factory=dict)

    def observe(self, play: Play) -> None:
        """Add a played game."""
        span = _span(len(play.plies))
        for index, ply in enumerate(play.plies):
            complete = ply.legal is not None
            turns = frozenset((ply.turn,) if ply.legal is None else ply.legal)
            following = play.plies[index + 1 : index + 2]
            followers = frozenset((ply.turn, after.by) for after in following)
            listed = " ".join(sorted(turns)) if complete else ""
            key = span, _key(ply.position, complete), _digest(listed)
            self._add(key, Moment(ply.position, complete, turns, followers))
        if play.end == "terminal" and play.goals is not None:
            end_key = _key(play.final, False)
            goals = tuple(play.goals.items())
            end = play.plies[-1:]
            last = Last(play.final, end[0].position, end[0].turn) if end else Last(play.final)
            self._add_last(end_key, last)
            counts = self.ends.setdefault(end_key, {})
            counts[goals] = counts.get(goals, 0) + 1
        self._trim(2)

    def merge(self, other: Records) -> None:
        """Add all that `other` has seen."""
        for key, moment in other.moments.items():
            self._add(key, moment)
        for end_key, last in other.lasts.items():
            self._add_last(end_key, last)
        for end_key, found in other.ends.items():
            counts = self.ends.setdefault(end_key, {})
            for goals, count in found.items():
                counts[goals] = counts.get(goals, 0) + count
        self._trim(1)

    def sorted_moments(self) -> list[Moment]:
        """The moments of the sample, in the order of their hashes.

        There is one for each board and mover, and for each number of times that these occurred.

        Where all legal turns are known and differ, with the game so far, each list of them is kept.
        """
        self._trim(1)
        merged: dict[tuple[bytes, bytes], Moment] = {}
        for key in sorted(self.moments):
            rank = int.from_bytes(key[1][:6]) * 8.0 ** key[0]
            known = merged.get((key[1], key[2]))
            moment = self.moments[key]._replace(rank=rank)
            merged[key[1], key[2]] = moment if known is None else _joined(known, moment)
        chosen = nsmallest(self.limit, merged, key=lambda each: (merged[each].rank, each))
        found: dict[object, Moment] = {}
        for hashes in sorted(chosen):
            moment = merged[hashes]
            legal = moment.turns if moment.complete else None
            position = moment.position
            found.setdefault((position.outcome, _repeated(position), legal), moment)
        return list(found.values())

    def sorted_ends(self) -> list[End]:
        """The ends of the sample, in the order of their hashes.

        Where records disagree on the goals of a position, most of them decide.
        """
        self._trim(1)
        found: dict[object, End] = {}
        for key in sorted(self.ends):
            goals = max(self.ends[key].items(), key=lambda item: (item[1], item[0]))[0]
            last = self.lasts[key]
            position = last.position
            found.setdefault((position.outcome, _repeated(position)), End(last, goals))
        return list(found.values())

    def _add(self, key: Key, moment: Moment) -> None:
        known = self.moments.get(key)
        self.moments[key] = moment if known is None else _joined(known, moment)

    def _add_last(self, key: bytes, last: Last) -> None:
        """Of several ways to a position keep the one that comes first by its text."""
        known = self.lasts.get(key)
        if known is None or _way(last) < _way(known):
            self.lasts[key] = last

    def _trim(self, slack: int) -> None:
        """Keep the smallest hashes, once there are `slack` times too many."""
        spans: dict[int, list[Key]] = {}
        for key in self.moments if len(self.moments) > self.limit * slack else ():
            spans.setdefault(key[0], []).append(key)
        for keys in spans.values():
            if len(keys) > self.limit * slack:
                for key in set(keys).difference(nsmallest(self.limit, keys)):
                    del self.moments[key]
        if len(self.ends) > self.end_limit * slack:
            self.ends = {k: self.ends[k] for k in nsmallest(self.end_limit, self.ends)}
            self.lasts = {k: self.lasts[k] for k in self.ends}


def _span(plies: int) -> int:
    """About the logarithm of a length, base 8."""
    return plies.bit_length() // 3


def _joined(one: Moment, other: Moment) -> Moment:
    """What is known of a moment by two sources."""
    return Moment(
        min(one.position, other.position, key=_trail),
        one.complete,
        one.turns | other.turns,
        one.followers | other.followers,
        min(one.rank, other.rank),
    )


def _repeated(position: Position) -> tuple[int, int]:
    """How often the position, and the board, occurred before in its game."""
    pasts = [past for past in position.trail or () if past.cells == position.cells]
    return sum(outcome_of(past) == position.outcome for past in pasts), len(pasts)


def _trail(position: Position) -> tuple[int, list[Past]]:
    """By which of several games that come to a position one is chosen, whatever their order."""
    pasts = list(position.trail or ())
    return len(pasts), pasts


def _way(last: Last) -> tuple[object, ...]:
    before = last.before
    if before is None or last.turn is None:
        return ("",)
    way = (last.turn, before.cells, before.stock, sorted(before.moved), before.last or "")
    return (*way, _trail(before))


def _key(position: Position, complete: bool) -> bytes:
    moved = sorted(position.moved)
    text = (
        f"{position.to_move}|{position.cells}|{position.stock}|{moved}|{position.last}|{complete}"
    )
    repeated = _repeated(position)
    if any(repeated):
        text += f"|{repeated}"
    return _digest(text)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
