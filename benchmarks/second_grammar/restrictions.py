"""Restrictions on what a turn may do, by what it takes and where its piece stands.

A restriction keeps some of the candidates of a position. Those that ask for the game so far stand
in `recalling`, those about all of a player's pieces in `wholes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from grl.board import EMPTY, Position

from .table import Candidate, Judge, Zone

Candidates = list[Candidate]


class Restriction(Protocol):
    """Keeps some candidates of the player to move, in their order."""

    def keep(
        self, judge: Judge, position: Position, options: Sequence[Candidate]
    ) -> Candidates: ...

    def said(self) -> str: ...


@dataclass(frozen=True)
class Compulsory:
    """Who can take has to; with `most` as many pieces as possible."""

    most: bool

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        best = max((len(c.taken) for c in options), default=0)
        least = best if self.most else min(best, 1)
        return [c for c in options if len(c.taken) >= least]

    def said(self) -> str:
        return "who can take has to" + (", as many pieces as possible" if self.most else "")


@dataclass(frozen=True)
class MustTake:
    """A turn has to take something, or with `placed` a piece from the hand has to."""

    placed: bool

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        return [c for c in options if c.taken or (self.placed and not c.placed)]

    def said(self) -> str:
        return ("placing a piece" if self.placed else "every turn") + " has to take something"


@dataclass(frozen=True)
class Foremost:
    """If a piece of this type can take, no other type may."""

    letter: str
    name: str

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        def foremost(c: Candidate) -> bool:
            return judge.table.kinds[c.key].letter == self.letter

        if not any(c.taken and foremost(c) for c in options):
            return list(options)
        return [c for c in options if not c.taken or foremost(c)]

    def said(self) -> str:
        return f"if a {self.name} can take, no other type may take"


@dataclass(frozen=True)
class KeepsOut:
    """No turn ends in a zone: that of a type, of all but it with `but`, or of any (no letter)."""

    zone: Zone
    letter: str = ""
    name: str = "piece"
    but: bool = False
    placed_only: bool = False

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        zone = self.zone.squares[table.seat(position.to_move)]

        def meant(c: Candidate) -> bool:
            if self.placed_only and not c.placed:
                return False
            return not self.letter or (table.kinds[c.key].letter == self.letter) != self.but

        return [c for c in options if not (c.end in zone and meant(c))]

    def said(self) -> str:
        how = "be placed" if self.placed_only else "come to rest"
        which = f"no piece but a {self.name}" if self.but else f"no {self.name}"
        return f"{which} may {how} on {self.zone.said}"


@dataclass(frozen=True)
class StaysIn:
    """A piece (of a type, where there is a letter) that stands in a zone does not leave it."""

    zone: Zone
    letter: str = ""
    name: str = "piece"

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        zone = self.zone.squares[table.seat(position.to_move)]
        return [
            c
            for c in options
            if c.placed
            or c.origin not in zone
            or c.end in zone
            or (self.letter and table.kinds[c.key].letter != self.letter)
        ]

    def said(self) -> str:
        return f"no {self.name} leaves {self.zone.said} once it is there"


@dataclass(frozen=True)
class Beside:
    """Where a turn ends, the piece must touch (or, `forbidden`, must not) an own, opposing, any.

    The board is looked at after the turn. `what` is the turns that are meant: all, moves, placings.
    """

    whose: str
    forbidden: bool
    what: str

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        seat = table.seat(position.to_move)
        meant = {"own": "w", "opposing": "p", "any": "wpn"}[self.whose]

        def good(c: Candidate) -> bool:
            if c.end is None or (self.what != "all" and (self.what == "placings") != c.placed):
                return True
            near = [table.on(c.cells[s], seat) for s in table.field.around(c.end)]
            return any(on in meant for on in near) != self.forbidden

        return [c for c in options if good(c)]

    def said(self) -> str:
        must = "must not" if self.forbidden else "must"
        what = {"all": "a piece", "moves": "a moved piece", "placings": "a placed piece"}[self.what]
        whose = "another piece" if self.whose == "any" else f"an {self.whose} piece"
        return f"{what} {must} touch {whose} when the turn is over"


@dataclass(frozen=True)
class Frozen:
    """A piece that touches an opponent may not move, but with `unless` what touches a friend may.

    With `escape` it may still take.
    """

    unless: bool
    escape: bool

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        seat = table.seat(position.to_move)

        def frozen(c: Candidate) -> bool:
            if c.placed or c.origin is None or (self.escape and c.taken):
                return False
            near = {table.on(position.cells[s], seat) for s in table.field.around(c.origin)}
            return "p" in near and not (self.unless and "w" in near)

        return [c for c in options if not frozen(c)]

    def said(self) -> str:
        unless = " and no own piece" if self.unless else ""
        return f"a piece that touches an opponent{unless} may not move" + (
            " but to take" if self.escape else ""
        )


@dataclass(frozen=True)
class RoyalSafe:
    """No turn leaves a royal piece of the mover where it could be taken."""

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        seat = table.seat(position.to_move)
        royal = table.royals & table.own(seat)
        return [
            c
            for c in options
            if not any(
                c.cells[square] in royal
                for square in judge.attacked(position, c.cells, c.stock, seat)
            )
        ]

    def said(self) -> str:
        return "no turn may leave an own royal piece where it can be taken"


@dataclass(frozen=True)
class NoRetreat:
    """No piece of the type goes back towards its own side but to take."""

    letter: str
    name: str

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        width = position.board.width
        back = -table.front(table.seat(position.to_move), (0, 1))[1]

        def retreats(c: Candidate) -> bool:
            if c.placed or c.taken or c.origin is None or c.end is None:
                return False
            if table.kinds[c.key].letter != self.letter:
                return False
            return (c.end // width - c.origin // width) * back > 0

        return [c for c in options if not retreats(c)]

    def said(self) -> str:
        return f"a {self.name} may not go back towards its own side but to take"


@dataclass(frozen=True)
class Shielded:
    """A piece that touches `least` friends or more can't be taken."""

    least: int

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        seat = table.seat(position.to_move)

        def shielded(square: int) -> bool:
            friends = table.own(table.owners.get(position.cells[square], seat))
            near = [position.cells[s] in friends for s in table.field.around(square)]  # type: ignore[arg-type]
            return sum(near) >= self.least

        return [c for c in options if not any(shielded(s) for s in c.taken)]

    def said(self) -> str:
        return f"a piece that touches {self.least} or more of its own side can't be taken"


@dataclass(frozen=True)
class Below:
    """A piece of the one type may not take one of the other."""

    low: str
    high: str
    names: tuple[str, str]

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        kinds = judge.table.kinds

        def wrong(c: Candidate) -> bool:
            taken = {kinds[position.cells[s]].letter for s in c.taken}
            return kinds[c.key].letter == self.low and self.high in taken

        return [c for c in options if not wrong(c)]

    def said(self) -> str:
        return f"a {self.names[0]} may not take a {self.names[1]}"


@dataclass(frozen=True)
class LastResort:
    """A type moves only where nothing else can."""

    letter: str
    name: str

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        kinds = judge.table.kinds
        others = [c for c in options if kinds[c.key].letter != self.letter]
        return others or list(options)

    def said(self) -> str:
        return f"a {self.name} moves only where no other piece can"


@dataclass(frozen=True)
class NoFacing:
    """Two royal pieces may not stand on a file with nothing between them."""

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table

        def facing(c: Candidate) -> bool:
            for square in table.where(c.cells, table.royals):
                ray = table.field.ray(square, (0, 1))
                first = next((c.cells[s] for s in ray if c.cells[s] != EMPTY), EMPTY)
                if first in table.royals and first != c.cells[square]:
                    return True
            return False

        return [c for c in options if not facing(c)]

    def said(self) -> str:
        return "the royal pieces may not face each other on a file with nothing between them"
