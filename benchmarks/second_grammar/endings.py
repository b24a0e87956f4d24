"""What each player gets when a game ends, and endings: a condition with a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from grl.board import EMPTY, Position

from .conditions import Condition, seats_of
from .table import Judge, Table, Zone

Goals = tuple[int, ...]
"""0..100 for each seat."""


class Result(Protocol):
    """What each player gets, given for whom the condition holds."""

    def goals(self, judge: Judge, position: Position, holders: Sequence[int]) -> Goals: ...

    def said(self) -> str: ...


@dataclass(frozen=True)
class Fixed:
    """`holder` for those for whom it holds, `rest` for the others.

    Where it holds for several they share as in a draw, or with `mover_last` it counts only for the
    one who is not to move.
    """

    holder: int
    rest: int
    mover_last: bool = False

    def goals(self, judge: Judge, position: Position, holders: Sequence[int]) -> Goals:
        table = judge.table
        if len(holders) > 1:
            to_move = table.seat(position.to_move)
            holders = [s for s in holders if s != to_move] if self.mover_last else []
            if len(holders) != 1:
                return tuple(50 for _ in seats_of(table))
        return tuple(self.holder if s in holders else self.rest for s in seats_of(table))

    def said(self) -> str:
        tie = "who is not to move counts" if self.mover_last else "all get 50"
        return f"gets {self.holder} and every other {self.rest} (if several: {tie})"


@dataclass(frozen=True)
class Shared:
    """The same for all, whoever it holds for; or one seat gets everything."""

    seat: int | None = None

    def goals(self, judge: Judge, position: Position, holders: Sequence[int]) -> Goals:
        return tuple(
            50 if self.seat is None else 100 * (s == self.seat) for s in seats_of(judge.table)
        )

    def said(self) -> str:
        return "draw" if self.seat is None else f"player {self.seat + 1} wins"


@dataclass(frozen=True)
class Scored:
    """Pieces, pieces in a zone, largest groups or territory are counted; most, or fewest, win.

    With `each` every point is worth so much of the goal instead.
    """

    what: str
    most: bool = True
    zone: Zone | None = None
    each: int = 0

    def goals(self, judge: Judge, position: Position, holders: Sequence[int]) -> Goals:
        table = judge.table
        points = [self._points(table, position.cells, seat) for seat in seats_of(table)]
        if self.each:
            return tuple(min(100, self.each * n) for n in points)
        best = max(points) if self.most else min(points)
        if points.count(best) > 1:
            return tuple(50 if n == best else 0 for n in points)
        return tuple(100 * (n == best) for n in points)

    def _points(self, table: Table, cells: str, seat: int) -> int:
        own = table.where(cells, table.own(seat))
        if self.what == "group":
            return max(map(len, table.field.groups(own)), default=0)
        if self.what == "zone":
            return sum(s in own for s in self.zone.squares[seat]) if self.zone else 0
        if self.what == "pieces":
            return len(own)
        territory = 0
        for group in table.field.groups(table.where(cells, frozenset(EMPTY))):
            border = {
                cells[near] for s in group for near in table.field.around(s) if near not in group
            }
            territory += len(group) if border and border <= table.own(seat) else 0
        return territory + (len(own) if self.what == "area" else 0)

    def said(self) -> str:
        what = {
            "pieces": "pieces",
            "zone": f"pieces on {self.zone.said}" if self.zone else "",
            "group": "pieces in the largest group",
            "territory": "empty squares enclosed by own pieces alone",
            "area": "pieces and empty squares enclosed by them alone",
        }[self.what]
        if self.each:
            return f"{self.each} for each of a player's {what}, 100 at most"
        return f"who has {'most' if self.most else 'fewest'} {what} wins, a tie is a draw"


@dataclass(frozen=True)
class Ending:
    """A condition with its result; `seats` are those whom it can end the game for."""

    when: Condition
    result: Result
    seats: tuple[int, ...] = (0, 1, 2)

    def holders(self, judge: Judge, position: Position) -> list[int]:
        return [seat for seat in self.when.holders(judge, position) if seat in self.seats]

    @property
    def name(self) -> str:
        letters = getattr(self.when, "letters", "")
        return f"{type(self.when).__name__.lower()} {letters}".rstrip()

    def said(self, players: Sequence[str]) -> str:
        every = len(self.seats) >= len(players)
        who = "a player" if every else " or ".join(players[s] for s in self.seats)
        text = self.when.said()
        text = f"{who} {text}" if text.split()[0] in _VERBS else text
        result = self.result.said()
        return f"it ends when {text}: " + (f"he {result}" if result.startswith("gets") else result)


_VERBS = ("has", "joins", "fills", "is", "brings")
