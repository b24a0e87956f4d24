"""Conditions that may end a game, about nobody in particular: they hold for all seats or none."""

from __future__ import annotations

from dataclasses import dataclass

from grl.board import EMPTY, Player, Position

from .conditions import seats_of
from .recalling import pasts
from .table import Judge, Table


def _all_if(table: Table, holds: bool) -> list[int]:
    return list(seats_of(table)) if holds else []


@dataclass(frozen=True)
class Full:
    """No empty square, or at most `left`."""

    left: int = 0

    def holders(self, judge: Judge, position: Position) -> list[int]:
        return _all_if(judge.table, position.cells.count(EMPTY) <= self.left)

    def said(self) -> str:
        return f"at most {self.left} squares are empty" if self.left else "the board is full"


@dataclass(frozen=True)
class Passed:
    """Every player has passed in turn."""

    def holders(self, judge: Judge, position: Position) -> list[int]:
        number = len(judge.table.players)
        last = pasts(position)[:number]
        return _all_if(judge.table, len(last) == number and all(p.turn == "pass" for p in last))

    def said(self) -> str:
        return "all players pass one after the other"


@dataclass(frozen=True)
class Stuck:
    """No player has a turn other than a pass."""

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table = judge.table
        free = any(judge.options(position, seat) for seat in seats_of(table))
        return _all_if(table, not free)

    def said(self) -> str:
        return "nobody can do anything but pass"


@dataclass(frozen=True)
class Turns:
    """So many turns have been played."""

    number: int

    def holders(self, judge: Judge, position: Position) -> list[int]:
        return _all_if(judge.table, len(pasts(position)) >= self.number)

    def said(self) -> str:
        return f"{self.number} turns have been played"


@dataclass(frozen=True)
class Quiet:
    """In so many turns the number of pieces on the board has not changed."""

    number: int

    def holders(self, judge: Judge, position: Position) -> list[int]:
        last = pasts(position)[: self.number]
        empty = position.cells.count(EMPTY)
        quiet = len(last) == self.number and all(p.cells.count(EMPTY) == empty for p in last)
        return _all_if(judge.table, quiet)

    def said(self) -> str:
        return f"the number of pieces on the board has not changed for {self.number} turns"


@dataclass(frozen=True)
class Repeated:
    """The position, player to move and hands included, has occurred so many times.

    It holds for whoever brought it about, or with `for_all` for everybody.
    """

    times: int
    for_all: bool

    def holders(self, judge: Judge, position: Position) -> list[int]:
        now = position.cells, position.to_move, position.stock
        last = pasts(position)
        before = sum((p.cells, p.to_move, p.stock) == now for p in last)
        if before + 1 < self.times:
            return []
        table = judge.table
        return list(seats_of(table)) if self.for_all else [table.seat(Player(last[0].to_move))]

    def said(self) -> str:
        what = f"for the {self.times}. time"
        return f"a position occurs {what}" if self.for_all else f"brings a position about {what}"
