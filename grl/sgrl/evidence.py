"""What the records say of movement: decisions, as sums that merge.

A decision is a position with a player to move; what is known of it is either every legal turn or
only the turns chosen there, with their counts. Equal decisions fall together, so evidence from
two shards, merged in any order, equals evidence from both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from grl.board import Player, Stock
from grl.traces import Play, Ply


class Decision(NamedTuple):
    """A position in which a player chose; `complete` when every legal turn is known."""

    mover: Player
    cells: str
    stock: Stock
    complete: bool


def game_number(play: Play) -> int:
    """A number for a game, the same wherever its record stands."""
    text = "|".join([play.final.cells, *(f"{ply.position.cells} {ply.turn}" for ply in play.plies)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest())


def decision_of(ply: Ply) -> Decision:
    """The decision that a ply of a record is."""
    position = ply.position
    return Decision(position.to_move, position.cells, position.stock, ply.legal is not None)


@dataclass
class Evidence:
    """The decisions seen and, for each, turn texts with their counts (1 in complete ones).

    Turns of one game resemble one another, so `games` has for each decision the number of a game
    in which it was met, the least of them (`game_number`). A decision that is missing there counts
    as a game of its own.
    """

    decisions: dict[Decision, dict[str, int]] = field(default_factory=dict)
    games: dict[Decision, int] = field(default_factory=dict)

    def observe(self, ply: Ply, game: int | None = None) -> None:
        """Add one ply of a record, of the game with this number."""
        key = decision_of(ply)
        self._add(key, dict.fromkeys(ply.legal, 1) if ply.legal is not None else {ply.turn: 1})
        if game is not None:
            self.games[key] = min(game, self.games.get(key, game))

    def merge(self, other: Evidence) -> None:
        """Add all that `other` has seen."""
        for key, turns in other.decisions.items():
            self._add(key, turns)
        for key, game in other.games.items():
            self.games[key] = min(game, self.games.get(key, game))

    def _add(self, key: Decision, turns: dict[str, int]) -> None:
        known = self.decisions.get(key)
        if known is None:
            self.decisions[key] = dict(turns)
        elif key.complete:
            known.update(turns)
        else:
            for text, count in turns.items():
                known[text] = known.get(text, 0) + count

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
