"""What the records say of rules: positions with the turns known there, and how games ended.

Unlike `grl.sgrl.evidence` a moment keeps the game so far, as far as positions have it. Records are
a bounded sample that merges: of games of about the same length the moments whose fingerprints are
smallest, so that records from two shards, merged in any order, equal records from both. A short
game weighs as much as a long one: records of a few plies are made around what is rare. On the way a
game is kept as its turns, and replayed in the end.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.board import Player, Position, outcome_of
from grl.fingerprints import (
    ALL,
    Hashes,
    combined_columns,
    distinct,
    of_boards,
    of_squares,
    of_stock,
    of_text,
)
from grl.replay import Play
from grl.sgrl.evidence import line_numbers
from grl.turn import Turn
from grl.turn import play as played

MOMENTS = 20_000
ENDS = 20_000
FURTHER = 5
"""Of positions where one turn is known so many times as many are kept: they say less each."""
APART = 100
"""What is added to the class of a game's length for its positions where one turn is known."""

Goals = tuple[tuple[Player, int], ...]
Key = tuple[int, int, int]
"""A class of moments, see `class_of`, and fingerprints of a position and, where all legal turns
are known, of these: the game so far may decide which there are."""


class Line:
    """A game as it was played from its first position: a position is replayed when asked for.

    Its turns, and who moves at each and after the last, are numbers in lists that many share.
    """

    __slots__ = ("_movers", "_players", "_positions", "_texts", "_turns", "initial")

    def __init__(
        self,
        initial: Position,
        turns: Sequence[int],
        movers: Sequence[int],
        texts: Sequence[str],
        positions: Sequence[Position] | None = None,
    ) -> None:
        self.initial = initial
        self._turns, self._movers, self._texts = turns, movers, texts
        self._positions = positions

    @classmethod
    def of(cls, play: Play) -> Line:
        """The line of a play, which knows its positions already."""
        positions = (*(ply.position for ply in play.plies), play.final)
        players = play.final.equipment.players
        movers = bytes(players.index(position.to_move) for position in positions)
        texts = [ply.turn for ply in play.plies]
        return cls(positions[0], range(len(texts)), movers, texts, positions)

    def __reduce__(self) -> tuple[object, ...]:
        return Line, (self.initial, range(len(self._turns)), bytes(self._movers), self.turns)

    @property
    def turns(self) -> list[str]:
        """The turns as text."""
        return [self._texts[turn] for turn in self._turns]

    @property
    def movers(self) -> bytes:
        """Who moves before each turn and after the last, by number."""
        return bytes(self._movers)

    @property
    def content(self) -> object:
        """What two lines have in common whose positions are the same."""
        return repr(self.initial.to_dict(trail=True)), tuple(self.turns), self.movers

    def position(self, ply: int) -> Position:
        """The position before that ply; the last one is that at the end."""
        if self._positions is not None:
            return self._positions[ply]
        return next(islice(self._replayed(), ply, None))

    def walk(self) -> Iterator[tuple[int, Position]]:
        """Every ply with the position before it, and that at the end."""
        return enumerate(self._replayed() if self._positions is None else self._positions)

    def _replayed(self) -> Iterator[Position]:
        players = self.initial.equipment.players
        position = self.initial
        yield position
        for text, mover in zip(self.turns, self._movers[1:], strict=False):
            after = played(position, Turn.parse(text))
            position = replace(after, to_move=players[mover])
            yield position


class Spot(NamedTuple):
    """A place in a line; the least `way` is kept of all that lead to one moment."""

    way: tuple[str, int, int]
    line: Line
    ply: int


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
class Seen:
    """A moment on the way: where it was met, and what is known of the choice so far."""

    spot: Spot
    complete: bool
    turns: set[str]
    followers: set[tuple[str, Player]]

    def join(self, other: Seen) -> None:
        """Add what is known of the same moment from elsewhere."""
        self.spot = min(self.spot, other.spot, key=_way)
        self.turns |= other.turns
        self.followers |= other.followers


@dataclass
class Ended:
    """An end on the way: where it was met, and how often with which goals."""

    spot: Spot
    goals: dict[Goals, int]


@dataclass
class Records:
    """A sample of moments and of ends; `limit` and `end_limit` bound it.

    Of moments in which one turn is known `FURTHER` times as many are kept, see `further`.
    """

    limit: int = MOMENTS
    end_limit: int = ENDS
    moments: dict[Key, Seen] = field(default_factory=dict)
    ends: dict[int, Ended] = field(default_factory=dict)
    bounds: dict[int, int] = field(default_factory=dict)
    """By class the fingerprint up to which moments are kept; missing: any."""
    end_bound: int = ALL

    def observe(self, play: Play) -> None:
        """Add a played game."""
        spanned, line, numbers = span(len(play.plies)), Line.of(play), line_numbers(play)
        before = len(play.plies[0].position.trail or ()) if play.plies else 0
        hashes = _fingerprints(play)
        for index, ply in enumerate(play.plies):
            complete = ply.legal is not None
            listed = of_text(" ".join(sorted(ply.legal))) if ply.legal is not None else 0
            following = play.plies[index + 1 : index + 2]
            self.add(
                (class_of(spanned, complete), hashes[index], listed),
                Seen(
                    Spot(("", before + index, numbers[index]), line, index),
                    complete,
                    set((ply.turn,) if ply.legal is None else ply.legal),
                    {(ply.turn, after.by) for after in following},
                ),
            )
        if play.end == "terminal" and play.goals is not None:
            index = len(play.plies)
            text = line.turns[-1] if line.turns else ""
            spot = Spot((text, before + index, numbers[-1]), line, index)
            goals = tuple(
                (p, play.goals[p]) for p in play.final.equipment.players if p in play.goals
            )
            self.add_end(hashes[index], spot, goals, 1)
        self.trim(2)

    def merge(self, other: Records) -> None:
        """Add all that `other` has seen."""
        for key, seen in other.moments.items():
            self.add(key, Seen(seen.spot, seen.complete, set(seen.turns), set(seen.followers)))
        for end_key, ended in other.ends.items():
            for goals, count in ended.goals.items():
                self.add_end(end_key, ended.spot, goals, count)
        self.trim(1)

    def add(self, key: Key, seen: Seen) -> None:
        """Add one moment, which is then this sample's own."""
        known = self.moments.get(key)
        if known is None:
            if key[1] < self.bounds.get(key[0], ALL):
                self.moments[key] = seen
        else:
            known.join(seen)

    def add_end(self, key: int, spot: Spot, goals: Goals, count: int) -> None:
        """Add one end; of several ways to a position the one that comes first is kept."""
        known = self.ends.get(key)
        if known is None:
            if key >= self.end_bound:
                return
            known = self.ends[key] = Ended(spot, {})
        known.spot = min(known.spot, spot, key=_way)
        known.goals[goals] = known.goals.get(goals, 0) + count

    def expect(self, spans: NDArray[np.int64], found: Hashes) -> None:
        """Set bounds before moments of these classes come, where they would be too many."""
        for number in np.flatnonzero(np.bincount(spans)).tolist():
            fresh = found[spans == number]
            bound = self.bounds.get(number, ALL)
            if bound < ALL:
                fresh = fresh[fresh < np.uint64(bound)]
            limit = self._limit(number)
            if len(fresh) <= limit // 4:
                continue
            known = [key[1] for key in self.moments if key[0] == number]
            everything = distinct(np.concatenate((np.array(known, dtype=np.uint64), fresh)))
            if len(everything) > 2 * limit:
                self.bounds[number] = int(everything[limit])
                for key in [k for k in self.moments if k[0] == number]:
                    if key[1] >= self.bounds[number]:
                        del self.moments[key]

    def without(self, bad: Callable[[Position], bool]) -> Records:
        """The records without the moments at some positions."""
        positions = _positions_at(
            [(seen.spot.line, seen.spot.ply) for seen in self.moments.values()]
        )
        several = zip(self.moments.items(), positions, strict=True)
        return replace(self, moments=dict(item for item, position in several if not bad(position)))

    def respelled(self, spell: Callable[[Position, str], str]) -> Records:
        """The records with the turns that are known at positions in another spelling."""
        spots = [(seen.spot.line, seen.spot.ply) for seen in self.moments.values()]
        moments = {
            key: Seen(
                seen.spot,
                seen.complete,
                {spell(position, text) for text in seen.turns},
                {(spell(position, text), player) for text, player in seen.followers},
            )
            for (key, seen), position in zip(
                self.moments.items(), _positions_at(spots), strict=True
            )
        }
        return replace(self, moments=moments)

    def sorted_moments(self) -> list[Moment]:
        """The moments of the sample, in an order of their own.

        There is one for each board and mover, and for each number of times that these occurred.

        Where all legal turns are known and differ, with the game so far, each list of them is kept.
        """
        chosen = self._ranked()[: self.limit]
        positions = _positions_at([(seen.spot.line, seen.spot.ply) for _, seen in chosen])
        made = [_moment(*one, position) for one, position in zip(chosen, positions, strict=True)]
        found: dict[object, Moment] = {}
        for moment in sorted(made, key=_moment_order):
            legal = moment.turns if moment.complete else None
            position = moment.position
            found.setdefault((position.outcome, _repeated(position), legal), moment)
        return list(found.values())

    def further(self) -> Iterator[Moment]:
        """Moments behind those of the sample in which one turn is known, game by game."""
        equal: dict[object, list[tuple[float, Seen]]] = {}
        lines: dict[int, list[tuple[float, Seen]]] = {}
        for rank, seen in self._ranked()[self.limit :]:
            if not seen.complete:
                line = seen.spot.line
                some = lines.get(id(line))
                if some is None:
                    some = lines[id(line)] = equal.setdefault(line.content, [])
                some.append((rank, seen))
        for some in equal.values():
            some.sort(key=lambda each: each[1].spot.ply)
            walk = some[0][1].spot.line.walk()
            ply, position = next(walk)
            for rank, seen in some:
                while ply < seen.spot.ply:
                    ply, position = next(walk)
                yield _moment(rank, seen, position)

    def _ranked(self) -> list[tuple[float, Seen]]:
        """All moments, those of long games behind those of short ones, with their ranks."""
        self.trim(1)
        merged: dict[tuple[int, int], tuple[float, Seen]] = {}
        for key in sorted(self.moments):
            rank, seen = key[1] * 8.0 ** (key[0] % APART), self.moments[key]
            known = merged.get(key[1:])
            if known is not None:
                other = known[1]
                seen = Seen(seen.spot, seen.complete, set(seen.turns), set(seen.followers))
                seen.join(other)
                rank = min(rank, known[0])
            merged[key[1:]] = rank, seen
        return [merged[each] for each in sorted(merged, key=lambda each: (merged[each][0], each))]

    def sorted_ends(self) -> list[End]:
        """The ends of the sample, in an order of their own.

        Where records disagree on the goals of a position, most of them decide.
        """
        self.trim(1)
        spots = [(ended.spot.line, ended.spot.ply) for ended in self.ends.values()]
        lasts = _positions_at(spots)
        befores = _positions_at([(line, max(ply - 1, 0)) for line, ply in spots])
        made = []
        for ended, (line, ply), position, before in zip(
            self.ends.values(), spots, lasts, befores, strict=True
        ):
            goals = max(ended.goals.items(), key=lambda item: (item[1], item[0]))[0]
            last = Last(position, before, line.turns[ply - 1]) if ply else Last(position)
            made.append(End(last, goals))
        found: dict[object, End] = {}
        for end in sorted(made, key=lambda end: _order(end.position, False)):
            found.setdefault((end.position.outcome, _repeated(end.position)), end)
        return list(found.values())

    def trim(self, slack: int) -> None:
        """Keep the smallest fingerprints, once there are `slack` times too many."""
        classes: dict[int, list[Key]] = {}
        for key in self.moments if len(self.moments) > self.limit * slack else ():
            classes.setdefault(key[0], []).append(key)
        for number, keys in classes.items():
            limit = self._limit(number)
            if len(keys) > limit * slack:
                keys.sort()
                self.bounds[number] = keys[limit - 1][1] + 1
                for key in keys[limit:]:
                    del self.moments[key]
        if len(self.ends) > self.end_limit * slack:
            kept = nsmallest(self.end_limit, self.ends)
            self.end_bound = kept[-1] + 1
            self.ends = {key: self.ends[key] for key in kept}

    def _limit(self, number: int) -> int:
        """How many moments of a class are kept."""
        return self.limit * (FURTHER if number >= APART else 1)


def class_of(spanned: int, complete: bool) -> int:
    """The class of the moments of games so long, where all legal turns are known or one is."""
    return spanned if complete else spanned + APART


def span(plies: int) -> int:
    """About the logarithm of a length, base 8."""
    return plies.bit_length() // 3


def moment_fingerprints(
    boards: Hashes,
    movers: Hashes,
    stocks: Hashes | int,
    moved: Hashes,
    lasts: Hashes,
    complete: Hashes | int,
    repeated: Hashes,
) -> Hashes:
    """What equal moments have in common, from the fingerprints of the parts.

    `repeated` holds for each 2³² times how often the position occurred before, and how often the
    board did.
    """
    return combined_columns(boards, movers, stocks, moved, lasts, complete, repeated)


def _fingerprints(play: Play) -> list[int]:
    """Those of a play's moments, and that of its end."""
    positions = [*(ply.position for ply in play.plies), play.final]
    squares = of_squares(play.final.board.size)
    complete = [int(ply.legal is not None) for ply in play.plies]
    found: list[int] = moment_fingerprints(
        of_boards([p.cells for p in positions]),
        _column(of_text(p.to_move) for p in positions),
        _column(of_stock(p.stock) for p in positions),
        np.array(
            [np.bitwise_xor.reduce(squares[sorted(p.moved)]) for p in positions], dtype=np.uint64
        ),
        _column(of_text(p.last) if p.last is not None else 0 for p in positions),
        _column([*complete, 0]),
        _column((n << 32) + m for n, m in _repetitions(positions)),
    ).tolist()
    return found


def _repetitions(positions: Sequence[Position]) -> Iterator[tuple[int, int]]:
    """`_repeated` of the positions of one game."""
    same: Counter[object] = Counter()
    boards: Counter[str] = Counter()
    for past in positions[0].trail or ():
        same[outcome_of(past)] += 1
        boards[past.cells] += 1
    for position in positions:
        outcome, cells = position.outcome, position.cells
        yield same[outcome], boards[cells]
        same[outcome] += 1
        boards[cells] += 1


def _positions_at(places: Sequence[tuple[Line, int]]) -> list[Position]:
    """The positions before those plies; every line is replayed once."""
    found: dict[int, Position] = {}
    lines: dict[int, list[int]] = {}
    for number, (line, _) in enumerate(places):
        lines.setdefault(id(line), []).append(number)
    for numbers in lines.values():
        numbers.sort(key=lambda number: places[number][1])
        walk = places[numbers[0]][0].walk()
        ply, position = next(walk)
        for number in numbers:
            while ply < places[number][1]:
                ply, position = next(walk)
            found[number] = position
    return [found[number] for number in range(len(places))]


def _moment(rank: float, seen: Seen, position: Position) -> Moment:
    return Moment(position, seen.complete, frozenset(seen.turns), frozenset(seen.followers), rank)


def _column(values: Iterable[int]) -> Hashes:
    return np.fromiter(values, dtype=np.uint64)


def _way(spot: Spot) -> tuple[str, int, int]:
    return spot.way


def _repeated(position: Position) -> tuple[int, int]:
    """How often the position, and the board, occurred before in its game."""
    cells = position.cells
    pasts = [past for past in position.trail or () if past.cells == cells]
    return sum(outcome_of(past) == position.outcome for past in pasts), len(pasts)


def _moment_order(moment: Moment) -> tuple[bytes, bytes]:
    listed = " ".join(sorted(moment.turns)) if moment.complete else ""
    return _order(moment.position, moment.complete), _digest(listed)


def _order(position: Position, complete: bool) -> bytes:
    """What positions are sorted by, so that neighbours have nothing to do with one another."""
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
