"""What a player did, found from the board before and after: a turn in micro-moves.

Libraries play a move and show the board; a turn has to say how. The piece that moved goes first,
in single steps along a line (whatever it passes over), else in one leap; what it passed over and
is gone was taken on the way. What differs still follows in later segments, in the order of the
squares: pieces that moved too, pieces that vanished, pieces that appeared or changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

from grl.board import EMPTY, HOLE, Board, Square, file_name
from grl.errors import GrlError
from grl.turn import Segment, Turn

Hands = Mapping[str, Mapping[str, int]]
"""Pieces in hand: player, key, how many."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a library shows of a position: its rows from the highest rank down, who moves, and
    what players hold."""

    rows: tuple[str, ...]
    mover: str
    hands: Hands

    @property
    def cells(self) -> str:
        """Square by square, as in `grl.board.Position`."""
        return "".join(reversed(self.rows))


class Unsayable(GrlError):
    """A move that no turn of the trace format says."""


class Way(NamedTuple):
    """From which square to which a move leads, as far as its text says; None: a piece appears."""

    start: int | None
    end: int


@dataclass(frozen=True)
class Differences:
    """Explains boards of one `width`; `owners` says whose the pieces are, None for nobody's, and
    `stock` what may be in a player's hand, from where it comes whenever it appears. A piece that is
    `thrown` comes from the one that moved, along a free line. Where squares have `links`, who
    doesn't go along one flies."""

    width: int
    owners: Mapping[str, str | None]
    stock: Mapping[str, Sequence[str]]
    thrown: frozenset[str] = frozenset()
    links: frozenset[frozenset[Square]] = frozenset()

    def turn(self, before: Shown, after: Shown, way: Way | None = None) -> str:
        """The turn of `before.mover` that leads from `before` to `after`; ``pass`` where nothing
        differs. Raises `Unsayable` where hands change as no turn changes them."""
        work = _Work(self, before, after)
        text = "; ".join(work.segments(way)) or "pass"
        for key in self.stock.get(before.mover, ()):
            if text.count(f"(0 0 a {key})") != max(0, -work.change.get(key, 0)):
                raise Unsayable(
                    f"a {key} appears that doesn't come from the hand, which may hold such",
                    expected="a game in which they are told apart",
                )
        return text


class _Work:
    """The board on its way from one position to the next."""

    def __init__(self, means: Differences, before: Shown, after: Shown) -> None:
        self.width, self.mover = means.width, before.mover
        self.owners, self.thrown, self.links = means.owners, means.thrown, means.links
        self.now, self.goal = list(before.cells), after.cells
        self.change = _change(before, after)
        self.gained = {key: more for key, more in self.change.items() if more > 0}
        self.changed = {s for s, new in enumerate(self.goal) if self.now[s] != new}

    def segments(self, way: Way | None) -> list[str]:
        if not self.changed:
            return []
        if way is None or not self._leads(way):
            way = self._main()
        found = []
        if way is not None:
            found.append(self._appears(way.end) if way.start is None else self._moved(way))
            found[0] += self._throw(way.end) if way.start is not None and self.thrown else ""
        while (pair := self._other_pair()) is not None:
            found.append(self._moved(pair))
        found += [self._settled(square) for square in sorted(self.changed)]
        if self.gained and found:
            found[-1] += self._takings()
        return found

    def _own(self, key: str) -> bool:
        return key != EMPTY and self.owners.get(key) == self.mover

    def _name(self, square: int) -> str:
        y, x = divmod(square, self.width)
        return f"{file_name(x + 1)}{y + 1}"

    def _leads(self, way: Way) -> bool:
        """Whether a way says where the piece is that moved, or that was lost in taking another."""
        here = self.goal[way.end]
        if way.start is None:
            return way.end in self.changed and here != EMPTY
        if way.start == way.end or not self._own(self.now[way.start]):
            return False
        lost = here == EMPTY and self._on(way.end) == "p" and way.start in self.changed
        return (self._own(here) and not self._own(self.now[way.end])) or lost

    def _main(self) -> Way | None:
        """The way of the piece that moved, where no text says it; None where none did.

        Of several the one of which there are fewest; it goes where a piece like it arrived, on
        an empty square rather than on another's.
        """
        left = sorted(s for s in self.changed if self._own(self.now[s]))
        came = sorted(s for s in self.changed if self._own(self.goal[s]))
        gone = [s for s in left if not self._own(self.goal[s])]
        ways = [
            (self.now[s] != self.goal[t], self.now.count(self.now[s]), self.now[t] != EMPTY, s, t)
            for s in gone
            for t in came
            if t != s
        ]
        if ways:
            *_, start, end = min(ways)
            return Way(start, end)
        fresh = [s for s in came if self.now[s] == EMPTY] or [
            s for s in sorted(self.changed) if self.now[s] == EMPTY
        ]
        return Way(None, fresh[0]) if fresh and not gone else None

    def _other_pair(self) -> Way | None:
        """A piece of the mover that went elsewhere as well, as it is."""
        for start in sorted(self.changed):
            key = self.now[start]
            if not self._own(key) or self.goal[start] != EMPTY:
                continue
            for end in sorted(self.changed):
                if self.goal[end] == key and self.now[end] == EMPTY:
                    return Way(start, end)
        return None

    def _moved(self, way: Way) -> str:
        """The segment of a piece that goes its way; takes what is gone on it."""
        start, end = way
        assert start is not None
        key = self.now[start]
        self._set(start, EMPTY)
        letters = [self._name(start), *self._steps(start, end)]
        if self.now[end] != EMPTY:
            letters.append(self._takings())
        self._set(end, key)
        new = self.goal[end]
        if new not in (key, EMPTY) and self._own(new):
            letters.append(f" (0 0 a {new})")
            self._set(end, new)
        return "".join(letters)

    def _throw(self, start: int) -> str:
        """The letters of a piece that goes on from where another has gone, if one does."""
        ends = [s for s in self.changed if self.goal[s] in self.thrown and self.now[s] == EMPTY]
        if len(ends) != 1:
            return ""
        (y, x), (to_y, to_x) = divmod(start, self.width), divmod(ends[0], self.width)
        far = max(abs(to_x - x), abs(to_y - y))
        if {abs(to_x - x), abs(to_y - y)} > {0, far}:
            return ""
        stride = (ends[0] - start) // far
        if any(self.now[start + i * stride] != EMPTY for i in range(1, far)):
            return ""
        letters = "".join(self._steps(start, ends[0]))
        key = self.goal[ends[0]]
        self._set(ends[0], key)
        return f" (0 0 a {key}){letters}"

    def _steps(self, start: int, end: int) -> list[str]:
        """The letters from square to square; pieces passed over that are gone are removed."""
        (y, x), (to_y, to_x) = divmod(start, self.width), divmod(end, self.width)
        dx, dy = to_x - x, to_y - y
        if self.links:
            linked = {start, end} in self.links
            return [f" ({dx} {dy} {self._on(end)})" if linked else self._flight(end)]
        passed = self._passed(start, end)
        if passed is not None:
            by, bx = divmod(passed, self.width)
            hops = [(bx - x, by - y), (to_x - bx, to_y - by)]
        else:
            number = gcd(dx, dy)
            hops = [(dx // number, dy // number)] * number
            stride = hops[0][1] * self.width + hops[0][0]
            if HOLE in (self.now[start + i * stride] for i in range(1, number)):
                hops = [(dx, dy)]
        letters, here = [], start
        for right, up in hops:
            here += up * self.width + right
            letters.append(f" ({right} {up} {self._on(here)})")
            if here != end and self._on(here) == "p" and self.goal[here] == EMPTY:
                letters.append(" (0 0 d)")
                self._set(here, EMPTY)
        return letters

    def _flight(self, end: int) -> str:
        return f" (@{self._name(end)} {self._on(end)})"

    def _passed(self, start: int, end: int) -> int | None:
        """The piece that a step onto an empty square takes beside itself: it lies next to both."""
        if self.now[end] != EMPTY or not self._next_to(start, end):
            return None
        gone = [
            s
            for s in self.changed
            if self.goal[s] == EMPTY
            and self._on(s) == "p"
            and self._next_to(start, s)
            and self._next_to(s, end)
        ]
        return gone[0] if len(gone) == 1 else None

    def _next_to(self, one: int, other: int) -> bool:
        (y, x), (to_y, to_x) = divmod(one, self.width), divmod(other, self.width)
        return max(abs(x - to_x), abs(y - to_y)) == 1

    def _on(self, square: int) -> str:
        key = self.now[square]
        if key == EMPTY:
            return "e"
        owner = self.owners.get(key)
        return "n" if owner is None else "w" if owner == self.mover else "p"

    def _appears(self, square: int) -> str:
        self._set(square, self.goal[square])
        return f"{self._name(square)} (0 0 a {self.goal[square]})"

    def _settled(self, square: int) -> str:
        """The segment that makes one square what it is afterwards."""
        self.now[square] = new = self.goal[square]
        return f"{self._name(square)} " + ("(0 0 d)" if new == EMPTY else f"(0 0 a {new})")

    def _set(self, square: int, key: str) -> None:
        self.now[square] = key
        if key == self.goal[square]:
            self.changed.discard(square)
        else:
            self.changed.add(square)

    def _takings(self) -> str:
        """The pieces that join the mover's hand."""
        text = "".join(f" (0 0 r {key})" * number for key, number in sorted(self.gained.items()))
        self.gained = {}
        return text


def _change(before: Shown, after: Shown) -> dict[str, int]:
    """How many the mover holds more, by key; raises `Unsayable` where another's hand changes."""
    change: dict[str, int] = {}
    if before.hands == after.hands:
        return change
    for player in {*before.hands, *after.hands}:
        old, new = before.hands.get(player, {}), after.hands.get(player, {})
        for key in {*old, *new}:
            more = new.get(key, 0) - old.get(key, 0)
            if more and player != before.mover:
                raise Unsayable(
                    f"a turn of {before.mover} that changes what {player} holds",
                    expected="a game in which players change their own hands",
                )
            if more:
                change[key] = more
    return change


def square_at(name: str, width: int) -> int:
    """The index of a square such as ``e4``, of at most 26 files."""
    return (int(name[1:]) - 1) * width + ord(name[0]) - ord("a")


def joined(parts: Sequence[str], board: Board) -> str:
    """What a player did in several parts as one turn.

    Where a part begins with the piece that the one before has put down, it goes on with it.
    """
    segments: list[Segment] = []
    for part in parts:
        for segment in Turn.parse(part).segments:
            last = segments[-1] if segments else None
            goes_on = (
                last is not None
                and last.letters[0].steps
                and segment.letters[0].steps
                and board.names[last.path(board)[-1]] == segment.origin
            )
            if last is not None and goes_on:
                segments[-1] = Segment(last.origin, last.letters + segment.letters)
            else:
                segments.append(segment)
    return str(Turn(tuple(segments)))
