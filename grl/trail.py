"""The game before a position: what positions it went through and what was played there.

A trail is persistent: the trails of one game share a list, of which each sees a part. It is no
part of a position's equality; rules about repetition and counters look at it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

Hand = tuple[tuple[Any, str, int], ...]


class Past(NamedTuple):
    """An earlier position, without its own past, and the turn played there, as text."""

    cells: str
    to_move: str
    stock: Hand
    turn: str


class Trail:
    """Earlier positions, oldest first; its length is their number."""

    __slots__ = ("_entries", "_length")

    def __init__(self, entries: Iterable[Past] = ()) -> None:
        self._entries = list(entries)
        self._length = len(self._entries)

    def followed_by(self, past: Past) -> Trail:
        """The trail with one position more."""
        entries, length = self._entries, self._length
        if len(entries) == length:
            entries.append(past)
        if entries[length] is not past:
            entries = [*entries[:length], past]
        found = Trail.__new__(Trail)
        found._entries, found._length = entries, length + 1
        return found

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, number: int) -> Past:
        if not 0 <= number < self._length:
            raise IndexError(number)
        return self._entries[number]

    def __iter__(self) -> Iterator[Past]:
        for number in range(self._length):
            yield self._entries[number]

    def __reversed__(self) -> Iterator[Past]:
        for number in reversed(range(self._length)):
            yield self._entries[number]

    def __repr__(self) -> str:
        return f"<Trail of {self._length} positions>"


def after(trail: Trail | None, past: Past) -> Trail:
    """The trail after a turn; a position without one is the first of its game."""
    return (Trail() if trail is None else trail).followed_by(past)
