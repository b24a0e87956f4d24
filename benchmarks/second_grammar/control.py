"""Who moves next, and what becomes of a player without a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from grl.board import Position

from .endings import Goals, Scored
from .patterns import rows
from .recalling import pasts
from .table import Judge, Zone


class Control(Protocol):
    """Whether the player who moved moves once more; `after` still has him to move."""

    def again(self, judge: Judge, before: Position, after: Position) -> bool: ...

    def said(self) -> str: ...


@dataclass(frozen=True)
class TurnAbout:
    """The players take turns."""

    def again(self, judge: Judge, before: Position, after: Position) -> bool:
        return False

    def said(self) -> str:
        return "the players take turns"


@dataclass(frozen=True)
class AfterTaking:
    """Who takes something moves again."""

    def again(self, judge: Judge, before: Position, after: Position) -> bool:
        table = judge.table
        enemies = table.enemies(table.seat(before.to_move))
        return table.count(after.cells, enemies) < table.count(before.cells, enemies)

    def said(self) -> str:
        return "who leaves the others with fewer pieces on the board moves again"


@dataclass(frozen=True)
class AfterRow:
    """Who has more rows of `length` own pieces than before moves again."""

    directions: str
    length: int

    def again(self, judge: Judge, before: Position, after: Position) -> bool:
        table = judge.table
        own = table.own(table.seat(before.to_move))

        def number(cells: str) -> int:
            known = rows(table, self.directions, self.length)
            return sum(all(cells[s] in own for s in row) for row in known)

        return number(after.cells) > number(before.cells)

    def said(self) -> str:
        return f"who adds to his rows of {self.length} {self.directions} moves again"


@dataclass(frozen=True)
class AfterZone:
    """Who has more pieces in a zone than before moves again."""

    zone: Zone

    def again(self, judge: Judge, before: Position, after: Position) -> bool:
        table = judge.table
        seat = table.seat(before.to_move)
        own, zone = table.own(seat), self.zone.squares[seat]
        return sum(after.cells[s] in own for s in zone) > sum(before.cells[s] in own for s in zone)

    def said(self) -> str:
        return f"who adds to his pieces on {self.zone.said} moves again"


@dataclass(frozen=True)
class Twice:
    """Everybody moves twice; with `once_first` the first turn of a game is single."""

    once_first: bool

    def again(self, judge: Judge, before: Position, after: Position) -> bool:
        last = pasts(after)
        if self.once_first and len(last) == 1:
            return False
        number = 0
        for past in last:
            if past.to_move != before.to_move:
                break
            number += 1
        return number % 2 == 1

    def said(self) -> str:
        first = ", but the first turn of a game is single" if self.once_first else ""
        return f"every player makes two turns at a time{first}"


@dataclass(frozen=True)
class NoTurn:
    """What a player without a turn gets: ``loses``, ``wins``, ``draw``, or ``mate``.

    ``mate`` is a loss where a royal piece could be taken, otherwise a draw. ``most`` counts pieces.
    """

    how: str

    def goals(self, judge: Judge, position: Position) -> Goals:
        table = judge.table
        seat = table.seat(position.to_move)
        how = self.how
        if how == "mate":
            attacked = judge.attacked(position, position.cells, position.stock, seat)
            safe = not any(position.cells[s] in table.royals for s in attacked)
            how = "draw" if safe else "loses"
        if how == "draw":
            return tuple(50 for _ in table.players)
        if how == "most":
            return Scored("pieces").goals(judge, position, ())
        return tuple(100 * ((s == seat) == (how == "wins")) for s, _ in enumerate(table.players))

    def said(self) -> str:
        what = {
            "loses": "has lost",
            "wins": "has won",
            "draw": "has drawn",
            "mate": "has lost if a royal piece of his could be taken, drawn otherwise",
            "most": "ends the game; who has most pieces on the board wins",
        }[self.how]
        return f"a player without a turn {what}"
