"""Restrictions on what a turn may leave, for all of a player's pieces together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grl.board import EMPTY, Position

from .patterns import rows
from .restrictions import Candidates
from .table import Candidate, Judge, Zone
from .takings import breathes


@dataclass(frozen=True)
class NoSuicide:
    """The group of the piece must touch an empty square when the turn is over."""

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        own = table.own(table.seat(position.to_move))

        def dead(c: Candidate) -> bool:
            groups = table.field.groups(table.where(c.cells, own))
            return any(c.end in group and not breathes(table, c.cells, group) for group in groups)

        return [c for c in options if not dead(c)]

    def said(self) -> str:
        return "the group of the piece must touch an empty square when the turn is over"


@dataclass(frozen=True)
class AtMost:
    """A player never has more than so many pieces in a zone by an own turn."""

    most: int
    zone: Zone

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        seat = table.seat(position.to_move)
        own, zone = table.own(seat), self.zone.squares[seat]
        return [
            c
            for c in options
            if c.end not in zone or sum(c.cells[s] in own for s in zone) <= self.most
        ]

    def said(self) -> str:
        return f"nobody may enter {self.zone.said} with more than {self.most} pieces"


@dataclass(frozen=True)
class OneAFile:
    """A player places no second piece of a type on one file."""

    letter: str
    name: str
    files: bool

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table, width = judge.table, position.board.width

        def line(square: int) -> int:
            return square % width if self.files else square // width

        def second(c: Candidate) -> bool:
            end = c.end
            if not c.placed or end is None or table.kinds[c.key].letter != self.letter:
                return False
            same = table.where(position.cells, frozenset(c.key))
            return any(line(s) == line(end) for s in same)

        return [c for c in options if not second(c)]

    def said(self) -> str:
        line = "file" if self.files else "rank"
        return f"nobody places a {self.name} on a {line} where an own one stands"


@dataclass(frozen=True)
class NoRow:
    """A turn that takes nothing completes no row of so many own pieces."""

    directions: str
    length: int
    placed_only: bool

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        own = table.own(table.seat(position.to_move))
        known = rows(table, self.directions, self.length)

        def completes(c: Candidate) -> bool:
            if c.taken or (self.placed_only and not c.placed):
                return False
            return any(c.end in row and all(c.cells[s] in own for s in row) for row in known)

        return [c for c in options if not completes(c)]

    def said(self) -> str:
        how = "placing a piece" if self.placed_only else "a turn that takes nothing"
        return f"{how} may not complete a row of {self.length} own pieces {self.directions}"


@dataclass(frozen=True)
class StaysTogether:
    """No turn leaves the mover's pieces in more groups than before."""

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        own = table.own(table.seat(position.to_move))

        def number(cells: str) -> int:
            return len(table.field.groups(table.where(cells, own)))

        before = max(number(position.cells), 1)
        return [c for c in options if number(c.cells) <= before]

    def said(self) -> str:
        return "no turn may leave the mover's pieces in more groups than before"


@dataclass(frozen=True)
class LeavesTurn:
    """No turn leaves the next player without anything to do."""

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        seat = (table.seat(position.to_move) + 1) % len(table.players)
        return [
            c for c in options if judge.raw(replace(position, cells=c.cells, stock=c.stock), seat)
        ]

    def said(self) -> str:
        return "no turn may leave the next player without any move, restrictions aside"


@dataclass(frozen=True)
class NoRoom:
    """A piece that stands alone, touching no empty square, may be neither moved nor left so."""

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        around = judge.table.field.around
        return [
            c for c in options if c.end is None or any(c.cells[s] == EMPTY for s in around(c.end))
        ]

    def said(self) -> str:
        return "a piece must touch an empty square when its turn is over"


@dataclass(frozen=True)
class Balanced:
    """After a turn the mover has at most `more` pieces more than any other player in a zone."""

    more: int
    zone: Zone

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        seat = table.seat(position.to_move)
        zone = self.zone.squares[seat]

        def count(cells: str, who: int) -> int:
            return sum(cells[s] in table.own(who) for s in zone)

        others = [other for other in range(len(table.players)) if other != seat]
        return [
            c
            for c in options
            if c.end not in zone
            or all(count(c.cells, seat) <= count(c.cells, o) + self.more for o in others)
        ]

    def said(self) -> str:
        return (
            f"nobody may enter {self.zone.said} who then has over {self.more} more pieces there "
            "than another player"
        )
