"""What the records say of movement: decisions, as sums that merge.

A decision is a position with a player to move; what is known of it is either every legal turn or
only the turns chosen there, with their counts. Equal decisions fall together, so evidence from
two shards, merged in any order, equals evidence from both.

Of endless records a bounded sample is kept: the decisions of smallest fingerprint with all that is
known of them, and for every kind of turn, however rare, a few *witnesses*, again those of smallest
fingerprint. What was dropped once could never have come back, so the sample doesn't depend on the
order of records, nor on how they were divided.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import NamedTuple

import numpy as np

from grl.board import Board, Player, Stock
from grl.fingerprints import (
    ALL,
    Hashes,
    combined,
    combined_columns,
    distinct,
    of_boards,
    of_stock,
    of_text,
)
from grl.traces import Play, Ply

DECISIONS = 1 << 16
"""Decisions that a sample holds; where the records have fewer they are kept whole."""
WITNESSES = 8
"""Decisions kept for each kind of turn."""
KINDS = 1 << 14
"""Kinds of turns of which witnesses are kept."""

Kind = tuple[Player, str, str]
"""Turns alike: who plays, what the origin square holds, and the text without that square."""


class Decision(NamedTuple):
    """A position in which a player chose; `complete` when every legal turn is known."""

    mover: Player
    cells: str
    stock: Stock
    complete: bool


@dataclass
class Witness:
    """A decision kept for one kind of turn: its rank, turns with counts, the least game."""

    rank: int
    turns: dict[str, int]
    game: int | None


def line_start(play: Play) -> int:
    """The fingerprint of a game before its first turn."""
    first = play.plies[0].position if play.plies else play.final
    trail = of_text(str(list(first.trail))) if first.trail else 0
    (cells,) = of_boards([first.cells]).tolist()
    return combined(cells, of_text(first.to_move), of_stock(first.stock), trail)


def line_numbers(play: Play) -> list[int]:
    """For each position of a game, the last included, a number for the game up to there."""
    found = [line_start(play)]
    for ply in play.plies:
        found.append(combined(found[-1], of_text(ply.turn), of_text(ply.by)))
    return found


def game_number(play: Play) -> int:
    """A number for a game, the same wherever its record stands."""
    return line_numbers(play)[-1]


def decision_of(ply: Ply) -> Decision:
    """The decision that a ply of a record is."""
    position = ply.position
    return Decision(position.to_move, position.cells, position.stock, ply.legal is not None)


def ranks_of(decisions: Iterable[Decision]) -> list[int]:
    """The fingerprints by which decisions are chosen for a sample."""
    known = list(decisions)
    found: list[int] = ranks(
        of_boards([each.cells for each in known]),
        _column(of_text(each.mover) for each in known),
        _column(of_stock(each.stock) for each in known),
        _column(int(each.complete) for each in known),
    ).tolist()
    return found


def ranks(cells: Hashes, movers: Hashes, stocks: Hashes | int, complete: Hashes | int) -> Hashes:
    """The same, from the fingerprints of the parts."""
    return combined_columns(cells, movers, stocks, complete)


@dataclass
class Evidence:
    """The decisions seen and, for each, turn texts with their counts (1 in complete ones).

    Turns of one game resemble one another, so `games` has for each decision the number of a game
    in which it was met, the least of them (`game_number`). A decision that is missing there counts
    as a game of its own. `limit` bounds the decisions, twice as many on the way: those of ranks
    below `bound` are kept, of others the `witnesses`, by kinds of turns.
    """

    decisions: dict[Decision, dict[str, int]] = field(default_factory=dict)
    games: dict[Decision, int] = field(default_factory=dict)
    limit: int = DECISIONS
    bound: int = ALL
    witnesses: dict[Kind, dict[Decision, Witness]] = field(default_factory=dict)
    board: Board | None = field(default=None, repr=False, compare=False)
    depths: dict[Kind, int] = field(default_factory=dict, repr=False, compare=False)
    """The rank up to which decisions are kept as witnesses of a kind; missing: up to any."""
    kind_bound: int = field(default=ALL, compare=False)

    def observe(self, ply: Ply, game: int | None = None) -> None:
        """Add one ply of a record, of the game with this number."""
        key = decision_of(ply)
        turns = dict.fromkeys(ply.legal, 1) if ply.legal is not None else {ply.turn: 1}
        self.board = ply.position.board
        self.add(key, turns, game, ranks_of([key])[0] if self.bound < ALL else 0)
        self.trim(2)

    def add(
        self,
        key: Decision,
        turns: Mapping[str, int],
        game: int | None,
        rank: int,
        *,
        witness: bool = True,
    ) -> None:
        """Add what is known of a decision; its rank means nothing before the first bound.

        Who knows that it is no `witness` spares the looking.
        """
        if rank < self.bound:
            _add(self.decisions.setdefault(key, {}), key, turns)
            if game is not None:
                self.games[key] = min(game, self.games.get(key, game))
        if witness and self.bound < ALL:
            self._testify(key, turns, game, rank)

    def expect(self, ranked: Hashes) -> None:
        """Set a bound before decisions of these ranks come, where they would be too many."""
        fresh = ranked if self.bound == ALL else ranked[ranked < np.uint64(self.bound)]
        if len(self.decisions) + len(fresh) > 2 * self.limit:
            known = np.array(ranks_of(self.decisions), dtype=np.uint64)
            everything = distinct(np.concatenate((known, fresh)))
            if len(everything) > 2 * self.limit:
                self._bound(int(everything[self.limit]))

    def merge(self, other: Evidence) -> None:
        """Add all that `other` has seen."""
        self.board = self.board or other.board
        bound = min(self.bound, other.bound)
        if bound < ALL:
            self._bound(bound)
            theirs = dict(zip(other.decisions, ranks_of(other.decisions), strict=True))
        else:
            theirs = dict.fromkeys(other.decisions, 0)
        testify = other.bound == ALL > bound
        for key, turns in other.decisions.items():
            rank, game = theirs[key], other.games.get(key)
            if testify:
                self._testify(key, turns, game, rank)
            if rank < bound:
                _add(self.decisions.setdefault(key, {}), key, turns)
                if game is not None:
                    self.games[key] = min(game, self.games.get(key, game))
        for kind, kept in other.witnesses.items():
            for key, each in kept.items():
                self._keep(kind, key, each.turns, each.game, each.rank)
        self.trim(1)

    def settled(self) -> Evidence:
        """What is kept in the end: the sample with the witnesses, as evidence without bounds."""
        self.trim(1)
        found = self.of(dict(self.decisions))
        for kept in self.witnesses.values():
            for key, each in kept.items():
                if each.rank >= self.bound:
                    _add(found.decisions.setdefault(key, {}), key, each.turns)
                    if each.game is not None:
                        found.games[key] = min(each.game, found.games.get(key, each.game))
        return found

    def kind(self, key: Decision, text: str) -> Kind:
        """The kind of a turn at a decision."""
        name, _, rest = text.partition(" ")
        holds = key.cells[self.board.square(name)] if rest and self.board else ""
        return key.mover, holds, rest

    def depth(self, kind: Kind) -> int:
        """The rank up to which a decision is kept as a witness of a kind."""
        if kind in self.witnesses:
            return self.depths.get(kind, ALL)
        return ALL if kind_rank(kind) < self.kind_bound else 0

    def _testify(
        self, key: Decision, turns: Mapping[str, int], game: int | None, rank: int
    ) -> None:
        """Keep a decision as a witness of the kinds of its turns, where it is among the first."""
        kinds: dict[Kind, dict[str, int]] = {}
        for text, count in turns.items():
            kinds.setdefault(self.kind(key, text), {})[text] = count
        for kind, some in kinds.items():
            self._keep(kind, key, turns if key.complete else some, game, rank)

    def _keep(
        self, kind: Kind, key: Decision, turns: Mapping[str, int], game: int | None, rank: int
    ) -> None:
        kept = self.witnesses.get(kind)
        if kept is None:
            if kind_rank(kind) >= self.kind_bound:
                return
            kept = self.witnesses[kind] = {}
        if rank > self.depths.get(kind, ALL):
            return
        known = kept.get(key)
        if known is None:
            kept[key] = Witness(rank, dict(turns), game)
        else:
            _add(known.turns, key, turns)
            if game is not None:
                known.game = game if known.game is None else min(game, known.game)
        if len(kept) >= 2 * WITNESSES:
            self._trim_kind(kind)

    def _trim_kind(self, kind: Kind) -> None:
        kept = self.witnesses[kind]
        if len(kept) >= WITNESSES:
            first = nsmallest(WITNESSES, kept, key=lambda key: (kept[key].rank, key))
            self.depths[kind] = kept[first[-1]].rank
            self.witnesses[kind] = {key: kept[key] for key in first}

    def _bound(self, bound: int) -> None:
        """Keep only decisions of a rank below `bound`, and what they are witnesses of."""
        ranked = dict(zip(self.decisions, ranks_of(self.decisions), strict=True))
        if self.bound == ALL:
            self.bound = bound
            for key, turns in self.decisions.items():
                self._testify(key, turns, self.games.get(key), ranked[key])
        self.bound = bound
        for key, rank in ranked.items():
            if rank >= bound:
                del self.decisions[key]
                self.games.pop(key, None)

    def trim(self, slack: int) -> None:
        """Keep what has the smallest ranks, once there is `slack` times too much."""
        if len(self.decisions) > self.limit * slack:
            self._bound(sorted(ranks_of(self.decisions))[self.limit])
        if len(self.witnesses) > KINDS * slack:
            first = nsmallest(KINDS + 1, self.witnesses, key=kind_rank)
            self.kind_bound = kind_rank(first[-1])
            self.witnesses = {kind: self.witnesses[kind] for kind in first[:-1]}
        if slack == 1:
            for kind in self.witnesses:
                self._trim_kind(kind)

    def sorted(self) -> Iterator[tuple[Decision, list[tuple[str, int]]]]:
        """All decisions in an order that doesn't depend on the order of observation."""
        for key in sorted(self.decisions):
            yield key, sorted(self.decisions[key].items())

    def sample(self, size: int, seed: int) -> Evidence:
        """`size` decisions chosen by `seed`, whatever the order of observation."""

        def rank(key: Decision) -> bytes:
            text = f"{seed}|{key.mover}|{key.cells}|{key.stock}|{key.complete}"
            return hashlib.blake2b(text.encode(), digest_size=16).digest()

        chosen: Iterable[Decision] = sorted(self.decisions, key=rank)[:size]
        return self.of({key: self.decisions[key] for key in chosen})

    def of(self, decisions: dict[Decision, dict[str, int]]) -> Evidence:
        """Some of the decisions, with these turns, met in the same games."""
        return Evidence(decisions, {k: self.games[k] for k in decisions if k in self.games})


def kind_rank(kind: Kind) -> int:
    """The fingerprint by which kinds of turns are kept."""
    return of_text("|".join(kind))


def _add(known: dict[str, int], key: Decision, turns: Mapping[str, int]) -> None:
    if key.complete:
        known.update(turns)
        return
    for text, count in turns.items():
        known[text] = known.get(text, 0) + count


def _column(values: Iterable[int]) -> Hashes:
    return np.fromiter(values, dtype=np.uint64)
