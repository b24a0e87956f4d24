"""Restrictions that ask for the game so far; a position without a trail begins its game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grl.board import EMPTY, Position, Square
from grl.trail import Past

from .restrictions import Candidates
from .table import Candidate, Judge, Zone


def pasts(position: Position) -> list[Past]:
    """The positions before this one with what was played there, latest first."""
    return list(reversed(position.trail)) if position.trail is not None else []


def ends(judge: Judge, past: Past, cells: str) -> tuple[Square | None, Square | None]:
    """Where the turn played in `past` began, and where its piece stood then; None for neither.

    `cells` is the board that it led to.
    """
    board = judge.table.field.board
    if past.turn == "pass":
        return None, None
    segment = past.turn.split("; ")[0]
    name, *letters = segment.split(" (")
    origin = here = board.square(name)
    for letter in letters:
        words = letter.rstrip(")").split()
        if words[0].startswith("@"):
            here = board.square(words[0][1:])
        else:
            here = Square(here + int(words[1]) * board.width + int(words[0]))
    return origin, here if cells[here] != EMPTY else None


def _own_last(judge: Judge, position: Position) -> tuple[Square | None, Square | None]:
    """Start and end of the mover's last turn."""
    after = position.cells
    for past in pasts(position):
        if past.to_move == position.to_move:
            return ends(judge, past, after)
        after = past.cells
    return None, None


def _last(judge: Judge, position: Position) -> tuple[Square | None, Square | None]:
    """Start and end of the last turn."""
    before = pasts(position)[:1]
    return ends(judge, before[0], position.cells) if before else (None, None)


@dataclass(frozen=True)
class NoUndo:
    """No piece goes straight back where its player's last turn took it from."""

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        start, end = _own_last(judge, position)
        if start is None or end is None or start == end:
            return list(options)
        return [c for c in options if c.placed or (c.origin, c.end) != (end, start)]

    def said(self) -> str:
        return "a piece may not go straight back where its player's last turn took it from"


@dataclass(frozen=True)
class AnotherPiece:
    """The piece that the player's last turn moved rests; with `if_any` only if another can move."""

    if_any: bool

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        _, end = _own_last(judge, position)
        others = [c for c in options if c.placed or end is None or c.origin != end]
        return others if others or not self.if_any else list(options)

    def said(self) -> str:
        unless = " unless no other can" if self.if_any else ""
        return f"nobody moves the piece that stands where the own last turn ended{unless}"


@dataclass(frozen=True)
class NotVacated:
    """No turn ends where the last one began."""

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        start, _ = _last(judge, position)
        return [c for c in options if c.end is None or c.end != start]

    def said(self) -> str:
        return "no turn may end on the square where the last turn began"


@dataclass(frozen=True)
class NoReturn:
    """The board never looks as it did: two turns ago, or with `ever` at any time before."""

    ever: bool

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        before = pasts(position)
        known = {past.cells for past in (before if self.ever else before[:1])}
        return [c for c in options if c.cells not in known]

    def said(self) -> str:
        when = "at any time before" if self.ever else "before the last turn"
        return f"no turn may bring the board back to what it was {when}"


@dataclass(frozen=True)
class InTouch:
    """A turn ends in some relation to the end of the last turn; with `if_any` only if one can."""

    how: str
    if_any: bool

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        _, last = _last(judge, position)
        if last is None:
            return list(options)
        width = position.board.width
        near = judge.table.field.around(last)

        def good(c: Candidate) -> bool:
            if c.end is None:
                return True
            if self.how == "touch":
                return c.end in near
            if self.how == "not touch":
                return c.end not in near
            return c.end % width == last % width or c.end // width == last // width

        kept = [c for c in options if good(c)]
        return kept if kept or not self.if_any else list(options)

    def said(self) -> str:
        how = {
            "touch": "touch the square",
            "not touch": "not touch the square",
            "line": "be on the rank or file",
        }[self.how]
        unless = ", if any can" if self.if_any else ""
        return f"a turn must end so as to {how} where the last turn ended{unless}"


@dataclass(frozen=True)
class Opening:
    """In the first `turns` turns of a game pieces end (or, `outside`, don't end) in a zone."""

    turns: int
    zone: Zone
    outside: bool

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        if len(pasts(position)) >= self.turns:
            return list(options)
        zone = self.zone.squares[judge.table.seat(position.to_move)]
        return [c for c in options if (c.end in zone) != self.outside]

    def said(self) -> str:
        where = "outside" if self.outside else "in"
        return f"the first {self.turns} turns of a game end {where} {self.zone.said}"


@dataclass(frozen=True)
class NoRecapture:
    """The piece with which the last turn took something can't be taken at once."""

    def keep(self, judge: Judge, position: Position, options: Sequence[Candidate]) -> Candidates:
        table = judge.table
        before = pasts(position)[:1]
        _, end = _last(judge, position)
        if not before:
            return list(options)
        own = table.own(table.seat(position.to_move))
        took = table.count(before[0].cells, own) > table.count(position.cells, own)
        return [c for c in options if not (took and end in c.taken)]

    def said(self) -> str:
        return "a piece whose turn just took something can't be taken at once"
