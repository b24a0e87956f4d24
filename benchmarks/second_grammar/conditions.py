"""Conditions that may end a game, about a player's own pieces.

A condition gives the seats for which it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from grl.board import EMPTY, Position

from .fields import Field
from .patterns import rows, shapes
from .table import Judge, Table, Zone


class Condition(Protocol):
    """Something that may hold in a position, for some seats."""

    def holders(self, judge: Judge, position: Position) -> list[int]: ...

    def said(self) -> str: ...


def seats_of(table: Table) -> range:
    """All seats."""
    return range(len(table.players))


def keys_of(table: Table, letters: str, seat: int) -> frozenset[str]:
    """A player's keys of these types, all of them without letters; of types of nobody, those."""
    if not letters:
        return table.own(seat)
    return frozenset(
        table.key(kind, seat)
        for kind in table.types
        if kind.letter in letters and (seat in kind.seats or not kind.seats)
    )


@dataclass(frozen=True)
class Row:
    """Own pieces in a row of `length`; with `exact` no longer one."""

    directions: str
    length: int
    exact: bool = False

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table, cells = judge.table, position.cells
        return [seat for seat in seats_of(table) if self._has(table, cells, seat)]

    def _has(self, table: Table, cells: str, seat: int) -> bool:
        own = table.own(seat)

        def full(length: int) -> list[frozenset[int]]:
            known = rows(table, self.directions, length)
            return [frozenset(row) for row in known if all(cells[s] in own for s in row)]

        found = full(self.length)
        longer = full(self.length + 1) if self.exact and found else []
        return any(not any(row < more for more in longer) for row in found)

    def said(self) -> str:
        exact = "exactly " if self.exact else ""
        return f"has {exact}{self.length} pieces in a row {self.directions}"


@dataclass(frozen=True)
class Shape:
    """Own pieces in a shape."""

    name: str

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table, cells = judge.table, position.cells
        places = shapes(table, self.name)
        return [
            seat
            for seat in seats_of(table)
            if any(all(cells[s] in table.own(seat) for s in place) for place in places)
        ]

    def said(self) -> str:
        return f"has pieces in the shape of {self.name}"


def _sides(field: Field) -> list[tuple[list[int], list[int]]]:
    """The first and last rank, the first and last file."""
    board = field.board
    last = board.size - board.width
    ranks = [list(range(board.width)), list(range(last, board.size))]
    files = [list(range(x, board.size, board.width)) for x in (0, board.width - 1)]
    return [(ranks[0], ranks[1]), (files[0], files[1])]


@dataclass(frozen=True)
class Joined:
    """A chain of touching own pieces from one side to the opposite one.

    With `own_sides` white joins the first and last rank, the others the outer files.
    """

    own_sides: bool

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table, cells = judge.table, position.cells
        found = []
        for seat in seats_of(table):
            groups = table.field.groups(table.where(cells, table.own(seat)))
            sides = _sides(table.field)
            if self.own_sides:
                sides = sides[:1] if seat == 0 else sides[1:]
            if any(g & set(a) and g & set(b) for g in groups for a, b in sides):
                found.append(seat)
        return found

    def said(self) -> str:
        if self.own_sides:
            return "joins his sides by touching pieces (white the outer ranks, others the files)"
        return "joins two opposite sides by touching pieces"


@dataclass(frozen=True)
class Arrived:
    """At least `least` pieces of some types in a zone."""

    zone: Zone
    letters: str
    names: str
    least: int

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table, cells = judge.table, position.cells
        return [
            seat
            for seat in seats_of(table)
            if (keys := keys_of(table, self.letters, seat))
            and sum(cells[s] in keys for s in self.zone.squares[seat]) >= self.least
        ]

    def said(self) -> str:
        return f"has {self.least} {self.names} on {self.zone.said}"


@dataclass(frozen=True)
class Occupied:
    """A zone without an empty square that holds own pieces, or with `only` nothing else."""

    zone: Zone
    only: bool

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table, cells = judge.table, position.cells
        found = []
        for seat in seats_of(table):
            there = [cells[s] in table.own(seat) for s in self.zone.squares[seat]]
            full = all(cells[s] != EMPTY for s in self.zone.squares[seat])
            if full and (all(there) if self.only else any(there)):
                found.append(seat)
        return found

    def said(self) -> str:
        what = "fills" if self.only else "has a piece on, while all squares are occupied,"
        return f"{what} {self.zone.said}"


@dataclass(frozen=True)
class Held:
    """The player to move has a piece in a zone: it stood there through the others' turns."""

    zone: Zone
    letters: str
    names: str

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table = judge.table
        seat = table.seat(position.to_move)
        keys = keys_of(table, self.letters, seat)
        held = any(position.cells[s] in keys for s in self.zone.squares[seat])
        return [seat] if held else []

    def said(self) -> str:
        return f"is to move and has {self.names} on {self.zone.said}"


@dataclass(frozen=True)
class Few:
    """Fewer than `least` pieces of some types, those in hand included if all types are meant."""

    letters: str
    names: str
    least: int

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table, found = judge.table, []
        for seat in seats_of(table):
            keys = keys_of(table, self.letters, seat)
            held = 0 if self.letters else judge.in_hand(position.stock, seat)
            if keys and held is not None:
                number = table.count(position.cells, keys) + held
                found += [seat] if number < self.least else []
        return found

    def said(self) -> str:
        hand = "" if self.letters else ", hand included"
        return f"has fewer than {self.least} {self.names}{hand}"


@dataclass(frozen=True)
class Lead:
    """More pieces on the board than every other player, by `by`."""

    by: int

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table = judge.table
        numbers = [table.count(position.cells, table.own(seat)) for seat in seats_of(table)]
        return [
            seat
            for seat in seats_of(table)
            if all(numbers[seat] >= n + self.by for other, n in enumerate(numbers) if other != seat)
        ]

    def said(self) -> str:
        return f"has {self.by} pieces more on the board than every other player"


@dataclass(frozen=True)
class OneGroup:
    """All own pieces, two or more, touch in one group and none is in hand."""

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table, found = judge.table, []
        for seat in seats_of(table):
            own = table.where(position.cells, table.own(seat))
            if len(own) > 1 and judge.in_hand(position.stock, seat) == 0:
                found += [seat] if len(table.field.groups(own)) == 1 else []
        return found

    def said(self) -> str:
        return "has all of two or more pieces in one touching group, and none in hand"


@dataclass(frozen=True)
class Trapped:
    """A piece of some types touches no empty square; with `enemies` only opponents touch it."""

    letters: str
    names: str
    enemies: bool

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table, cells = judge.table, position.cells
        found = []
        for seat in seats_of(table):
            for square in table.where(cells, keys_of(table, self.letters, seat)):
                near = {table.on(cells[s], seat) for s in table.field.around(square)}
                if near <= {"p"} or ("e" not in near and not self.enemies):
                    found.append(seat)
                    break
        return found

    def said(self) -> str:
        who = "is touched by opponents on every side" if self.enemies else "touches no empty square"
        return f"has one of his {self.names} that {who}"


@dataclass(frozen=True)
class Contact:
    """An own piece touches an opposing royal piece, and it is the other's turn no more."""

    least: int

    def holders(self, judge: Judge, position: Position) -> list[int]:
        table, cells = judge.table, position.cells
        found = []
        for seat in seats_of(table):
            for square in table.where(cells, table.royals & table.enemies(seat)):
                near = table.field.around(square)
                if sum(cells[s] in table.own(seat) for s in near) >= self.least:
                    found.append(seat)
                    break
        return found

    def said(self) -> str:
        return f"has {self.least} pieces that touch an opposing royal piece"
