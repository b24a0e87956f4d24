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
from grl.traces import Ply


class Decision(NamedTuple):
    """A position in which a player chose; `complete` when every legal turn is known."""

    mover: Player
    cells: str
    stock: Stock
    complete: bool


def decision_of(ply: Ply) -> Decision:
    """The decision that a ply of a record is."""
    position = ply.position
    return Decision(position.to_move, position.cells, position.stock, ply.legal is not None)


@dataclass
class Evidence:
    """The decisions seen and, for each, turn texts with their counts (1 in complete ones)."""

    decisions: dict[Decision, dict[str, int]] = field(default_factory=dict)

    def observe(self, ply: Ply) -> None:
        """Add one ply of a record."""
        self._add(
            decision_of(ply),
            dict.fromkeys(ply.legal, 1) if ply.legal is not None else {ply.turn: 1},
        )

    def merge(self, other: Evidence) -> None:
        """Add all that `other` has seen."""
        for key, turns in other.decisions.items():
            self._add(key, turns)

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
        return Evidence({key: self.decisions[key] for key in chosen})
