"""Less common ways of moving: swapping, pushing, shooting, splitting, leaving the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from grl.board import EMPTY

from .table import Spot, Table, Way, Zone
from .words import ahead


@dataclass(frozen=True)
class Swap:
    """Changes places with an adjacent piece: w an own one of another type, p an opponent's."""

    directions: str
    whose: str

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        cells, at, seat = spot.cells, spot.at, spot.seat
        for direction in ahead(table, seat, self.directions):
            target = table.field.near.get((at, direction))
            if target is None or table.on(cells[target], seat) != self.whose:
                continue
            other = cells[target]
            if other != spot.key:
                letters = table.field.step(at, target, self.whose)
                tail = f"; {table.name(at)} (0 0 a {other})"
                yield Way(letters, target, put=((at, other),), tail=tail)

    def said(self) -> str:
        whose = "an opponent" if self.whose == "p" else "an own piece of another type"
        return f"changes places {self.directions} with {whose}"


@dataclass(frozen=True)
class Push:
    """Steps onto an opponent and pushes it one square on: to an empty square or off the board."""

    directions: str
    off: bool

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        cells, at, seat, field = spot.cells, spot.at, spot.seat, table.field
        for direction in ahead(table, seat, self.directions):
            target = field.near.get((at, direction))
            if target is None or table.on(cells[target], seat) != "p":
                continue
            letters = field.step(at, target, "p")
            behind = field.near.get((target, direction))
            if behind is None:
                if self.off:
                    yield Way(letters, target, (target,))
            elif cells[behind] == EMPTY:
                pushed = cells[target]
                tail = f"; {table.name(behind)} (0 0 a {pushed})"
                yield Way(letters, target, put=((behind, pushed),), tail=tail)

    def said(self) -> str:
        off = ", or off the board" if self.off else ""
        return f"pushes an opponent {self.directions} one square on{off}"


@dataclass(frozen=True)
class Shoot:
    """Takes the first opponent along a line, up to `reach` squares off, and stays where it is."""

    directions: str
    reach: int

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        cells, at, seat, field = spot.cells, spot.at, spot.seat, table.field
        for direction in ahead(table, seat, self.directions):
            path = [at]
            for number, target in enumerate(field.ray(at, direction), 1):
                on = table.on(cells[target], seat)
                path.append(target)
                if number > self.reach or on not in ("e", "p"):
                    break
                if on == "p":
                    steps = list(pairwise(path))
                    go = [field.step(a, b, "p" if b == target else "e") for a, b in steps]
                    back = [field.step(b, a, "e") for a, b in reversed(steps)]
                    yield Way("".join((*go, " (0 0 d)", *back)), at, (target,))
                    break

    def said(self) -> str:
        return f"shoots the first opponent {self.directions}, up to {self.reach} off, and stays"


@dataclass(frozen=True)
class Split:
    """Puts another piece of its kind on an adjacent empty square, and stays."""

    directions: str

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        for direction in ahead(table, spot.seat, self.directions):
            target = table.field.near.get((spot.at, direction))
            if target is not None and spot.cells[target] == EMPTY:
                letters = f" (0 0 a {spot.key})" + table.field.step(spot.at, target, "e")
                yield Way(letters, target, put=((spot.at, spot.key),))

    def said(self) -> str:
        return f"splits: another of its kind appears {self.directions} on an empty square"


@dataclass(frozen=True)
class Leave:
    """Leaves the board from a zone."""

    zone: Zone

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        if spot.at in self.zone.squares[spot.seat]:
            yield Way(" (0 0 d)", None)

    def said(self) -> str:
        return f"may leave the board from {self.zone.said}"
