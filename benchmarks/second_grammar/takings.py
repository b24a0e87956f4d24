"""What a turn takes besides the piece that it lands on or jumps over.

A taking looks at the board after the move, at where the piece came from and where it stands now.
It gives the alternatives that the player has, mostly one; each is a set of opposing pieces, which
are removed or, with `flips`, change sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Protocol

from grl.board import EMPTY, Square

from .patterns import headings, rows
from .table import Candidate, Table, Zone

Alternatives = list[tuple[Square, ...]]


class Taking(Protocol):
    """A rule of taking; `cells` are those after the candidate's move."""

    @property
    def flips(self) -> bool: ...

    def sets(self, table: Table, cells: str, done: Candidate, seat: int) -> Alternatives: ...

    def said(self) -> str: ...


def _one(squares: Sequence[Square]) -> Alternatives:
    return [tuple(sorted(set(squares)))]


def _fate(flips: bool) -> str:
    return "turned" if flips else "removed"


@dataclass(frozen=True)
class Custodial:
    """Opponents between the piece and another own piece, one or with `runs` a whole line.

    With `hostile` a zone, or with `edge` the edge of the board, stands for the other own piece.
    Royal pieces are spared unless `royal`.
    """

    directions: str
    runs: bool
    flips: bool = False
    edge: bool = False
    hostile: Zone | None = None
    royal: bool = True
    placed_only: bool = False

    def sets(self, table: Table, cells: str, done: Candidate, seat: int) -> Alternatives:
        if done.end is None or (self.placed_only and not done.placed):
            return [()]
        enemies = table.enemies(seat) - (frozenset() if self.royal else table.royals)
        found: list[Square] = []
        for direction in headings(table, self.directions):
            ray = list(table.field.ray(done.end, direction))
            line = list(takewhile(lambda s: cells[s] in enemies, ray))
            if not line or (len(line) > 1 and not self.runs):
                continue
            behind = ray[len(line)] if len(line) < len(ray) else None
            if behind is None:
                closed = self.edge
            else:
                closed = cells[behind] in table.own(seat) or (
                    self.hostile is not None
                    and behind in self.hostile.squares[seat]
                    and cells[behind] == EMPTY
                )
            found += line if closed else []
        return _one(found)

    def said(self) -> str:
        what = "lines of opponents" if self.runs else "single opponents"
        also = " or the edge" if self.edge else ""
        also += f" or the empty {self.hostile.said}" if self.hostile else ""
        spared = "" if self.royal else "; royal pieces are safe"
        return (
            f"{what} {self.directions} between the piece and another own piece{also} are "
            f"{_fate(self.flips)}{spared}"
        )


@dataclass(frozen=True)
class Intervention:
    """Two opponents on either side of the piece."""

    directions: str
    flips: bool = False

    def sets(self, table: Table, cells: str, done: Candidate, seat: int) -> Alternatives:
        found: list[Square] = []
        enemies = table.enemies(seat)
        for dx, dy in headings(table, self.directions) if done.end is not None else ():
            here = done.end or Square(0)
            one = table.field.near.get((here, (dx, dy)))
            two = table.field.near.get((here, (-dx, -dy)))
            if one is not None and two is not None and {cells[one], cells[two]} <= enemies:
                found += [one, two]
        return _one(found)

    def said(self) -> str:
        return (
            f"two opponents {self.directions} on either side of the piece are {_fate(self.flips)}"
        )


@dataclass(frozen=True)
class Facing:
    """The opponents in line that a step comes up to (`approach`), or backs away from (`withdraw`).

    With both and a line on either side the player chooses, or with `all_lines` takes both.
    """

    approach: bool
    withdraw: bool
    runs: bool
    all_lines: bool = False
    flips: bool = False

    def sets(self, table: Table, cells: str, done: Candidate, seat: int) -> Alternatives:
        field, enemies = table.field, table.enemies(seat)
        if done.placed or done.origin is None or done.end is None:
            return [()]
        found: Alternatives = []
        for direction in field.compass:
            if done.end not in field.ray(done.origin, direction):
                continue
            back = -direction[0], -direction[1]
            for wanted, start, way in (
                (self.approach, done.end, direction),
                (self.withdraw, done.origin, back),
            ):
                line = list(takewhile(lambda s: cells[s] in enemies, field.ray(start, way)))
                line = line if self.runs else line[:1]
                if wanted and line:
                    found.append(tuple(sorted(line)))
            break
        if self.all_lines:
            return _one([square for line in found for square in line])
        return found or [()]

    def said(self) -> str:
        ways = [("a step towards them", self.approach), ("a step away from them", self.withdraw)]
        how = " or ".join(words for words, wanted in ways if wanted)
        what = "all opponents in an unbroken line" if self.runs else "the opponent next in line"
        both = ", on both sides if there are" if self.all_lines else ""
        both = (
            ", the player's choice if both"
            if not both and self.approach and self.withdraw
            else both
        )
        return f"{what} by {how} {'are' if self.runs else 'is'} {_fate(self.flips)}{both}"


@dataclass(frozen=True)
class Enclosure:
    """Groups of opponents that no empty square touches any more."""

    flips: bool = False

    def sets(self, table: Table, cells: str, done: Candidate, seat: int) -> Alternatives:
        found: list[Square] = []
        for other in range(len(table.players)):
            if other == seat:
                continue
            for group in table.field.groups(table.where(cells, table.own(other))):
                if not breathes(table, cells, group):
                    found += group
        return _one(found)

    def said(self) -> str:
        return f"groups of opponents that no empty square touches are {_fate(self.flips)}"


def breathes(table: Table, cells: str, group: set[Square]) -> bool:
    """Whether an empty square touches a group."""
    return any(cells[near] == EMPTY for square in group for near in table.field.around(square))


@dataclass(frozen=True)
class Outnumbered:
    """Opponents touching the piece that at least `least` of the mover's pieces touch."""

    least: int
    flips: bool = False

    def sets(self, table: Table, cells: str, done: Candidate, seat: int) -> Alternatives:
        if done.end is None:
            return [()]
        own, enemies, around = table.own(seat), table.enemies(seat), table.field.around
        return _one(
            [
                square
                for square in around(done.end)
                if cells[square] in enemies
                and sum(cells[near] in own for near in around(square)) >= self.least
            ]
        )

    def said(self) -> str:
        if self.least == 1:
            return f"all opponents that touch the piece are {_fate(self.flips)}"
        return (
            f"opponents that touch the piece and {self.least - 1} other or more of the mover's "
            f"are {_fate(self.flips)}"
        )


@dataclass(frozen=True)
class Mill:
    """One opponent of choice, when the piece completes a row of just `length` own pieces.

    Opponents in such rows are safe while there are others, with `safe`.
    """

    directions: str
    length: int
    safe: bool
    flips: bool = False

    def sets(self, table: Table, cells: str, done: Candidate, seat: int) -> Alternatives:
        own = table.own(seat)
        if done.end is None or done.end not in self._rowed(table, cells, own):
            return [()]
        enemies = table.where(cells, table.enemies(seat) - table.royals)
        if self.safe:
            rowed = set[Square]()
            for other in range(len(table.players)):
                rowed |= self._rowed(table, cells, table.own(other)) if other != seat else set()
            enemies = [s for s in enemies if s not in rowed] or enemies
        return [(square,) for square in enemies] or [()]

    def _rowed(self, table: Table, cells: str, own: frozenset[str]) -> set[Square]:
        """The squares of rows of pieces with these keys."""
        return {
            s
            for row in rows(table, self.directions, self.length)
            if all(cells[s] in own for s in row)
            for s in row
        }

    def said(self) -> str:
        safe = ", from outside such rows while there is one" if self.safe else ""
        return (
            f"who completes a row of {self.length} {self.directions} has one opponent of choice "
            f"{_fate(self.flips)}{safe}"
        )
