"""Ways of moving: steps, slides, leaps, hops and what else pieces of the world's games do.

Directions are white's. `on` says onto what a piece may come to rest: e an empty square, p an
opponent's piece, which is captured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from grl.board import EMPTY, Square

from .fields import DIRECTIONS, Direction
from .table import Spot, Table, Way, Zone

LEAPS: dict[str, tuple[Direction, ...]] = {
    "a knight's leap": tuple(
        (dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)
    ),
    "a leap of two orthogonally": ((2, 0), (0, 2), (-2, 0), (0, -2)),
    "a leap of two diagonally": ((2, 2), (-2, 2), (-2, -2), (2, -2)),
    "a knight's leap ahead": ((1, 2), (-1, 2)),
    "a camel's leap": tuple(
        (dx, dy) for dx in (-3, -1, 1, 3) for dy in (-3, -1, 1, 3) if abs(dx) != abs(dy)
    ),
}
ONTO = {
    "e": "to an empty square",
    "p": "to capture only",
    "ep": "to an empty square or capturing",
}


def ahead(table: Table, seat: int, name: str) -> list[Direction]:
    """The directions of that name that the board has, as the player sees them."""
    return [d for x in DIRECTIONS[name] if (d := table.front(seat, x)) in table.field.compass]


@dataclass(frozen=True)
class Slide:
    """Up to `reach` squares over empty ones; with `far` as far as it goes, and no less."""

    directions: str
    reach: int
    on: str
    far: bool = False

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        cells, at, seat, field = spot.cells, spot.at, spot.seat, table.field
        for direction in ahead(table, seat, self.directions):
            letters, here = "", at
            found: list[Way] = []
            for number, target in enumerate(field.ray(at, direction), 1):
                on = table.on(cells[target], seat)
                if number > self.reach or on not in ("e", "p"):
                    break
                letters += field.step(here, target, on)
                here = target
                if on == "p":
                    found += [Way(letters, target, (target,))] if "p" in self.on else []
                    break
                found += [Way(letters, target)] if "e" in self.on else []
            yield from found[-1:] if self.far else found

    def said(self) -> str:
        if self.reach == 1:
            return f"steps {self.directions} {ONTO[self.on]}"
        how = "as far as it can" if self.far else f"up to {self.reach} squares"
        return f"slides {self.directions} {how} {ONTO[self.on]}"


@dataclass(frozen=True)
class FirstStride:
    """Two steps at once for a piece that has not moved, over an empty square to an empty one."""

    directions: str

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        stride = Slide(self.directions, 2, "e")
        for way in stride.ways(table, spot) if spot.unmoved else ():
            if way.letters.count("(") == 2:
                yield way

    def said(self) -> str:
        return f"may go two squares {self.directions} while it has not moved"


@dataclass(frozen=True)
class Leap:
    """To a square some way off, whatever lies between; only where the board has no links."""

    leap: str
    on: str

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        cells, at, seat, board = spot.cells, spot.at, spot.seat, table.field.board
        for offset in LEAPS[self.leap]:
            target = board.step(at, *table.front(seat, offset))
            if target is not None and (on := table.on(cells[target], seat)) in self.on:
                letters = table.field.step(at, target, on)
                yield Way(letters, target, (target,) if on == "p" else ())

    def said(self) -> str:
        return f"makes {self.leap} {ONTO[self.on]}"


@dataclass(frozen=True)
class Lame:
    """A knight's leap in two steps, straight and then diagonally on; the first square is empty."""

    on: str

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        cells, at, seat, board = spot.cells, spot.at, spot.seat, table.field.board
        for dx, dy in DIRECTIONS["orthogonally"]:
            middle = board.step(at, dx, dy)
            if middle is None or cells[middle] != EMPTY:
                continue
            for side in (-1, 1):
                target = board.step(middle, dx or side, dy or side)
                if target is not None and (on := table.on(cells[target], seat)) in self.on:
                    letters = table.field.step(at, middle, "e")
                    letters += table.field.step(middle, target, on)
                    yield Way(letters, target, (target,) if on == "p" else ())

    def said(self) -> str:
        return f"makes a knight's leap, if the square beside it is empty, {ONTO[self.on]}"


@dataclass(frozen=True)
class Hop:
    """Over adjacent pieces onto the empty square behind; `over` holds whose: w, p.

    `takes` is what becomes of opponents jumped over: ``none``; ``now``, they are removed at once;
    ``later``, when the turn is over; ``flip``, they change sides then. With `chain` the piece may
    go on, with `must` it has to while it can. With `flying` it comes from and lands further off.
    """

    directions: str
    over: str
    takes: str
    chain: bool = False
    must: bool = False
    flying: bool = False

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        cells, seat = spot.cells, spot.seat
        seen: set[tuple[Square, frozenset[Square]]] = {(spot.at, frozenset())}

        def go_on(here: Square, letters: str, over: tuple[Square, ...]) -> Iterator[Way]:
            for leg, middle, target in self._legs(table, spot, here, over):
                taken = over
                if self.takes != "none" and table.on(cells[middle], seat) == "p":
                    taken = (*over, middle)
                if (target, frozenset(taken)) in seen:
                    continue
                seen.add((target, frozenset(taken)))
                if not (self.must and any(self._legs(table, spot, target, taken))):
                    yield self._way(table, spot, letters + leg, target, taken)
                if self.chain:
                    yield from go_on(target, letters + leg, taken)

        yield from go_on(spot.at, "", ())

    def _legs(
        self, table: Table, spot: Spot, here: Square, over: tuple[Square, ...]
    ) -> Iterator[tuple[str, Square, Square]]:
        seat, field = spot.seat, table.field

        def on(square: Square) -> str:
            gone = self.takes == "now" and square in over
            return "e" if gone else table.on(spot.cells[square], seat)

        for direction in ahead(table, seat, self.directions):
            ray = list(field.ray(here, direction))
            first = next((i for i, s in enumerate(ray) if on(s) != "e"), None)
            if first is None or (first > 0 and not self.flying) or ray[first] in over:
                continue
            middle = ray[first]
            if on(middle) not in self.over:
                continue
            path = [here, *ray[: first + 1]]
            letters = "".join(field.step(a, b, on(b)) for a, b in pairwise(path))
            if self.takes == "now" and on(middle) == "p":
                letters += " (0 0 d)"
            before = middle
            for target in ray[first + 1 :]:
                if on(target) != "e":
                    break
                letters += field.step(before, target, "e")
                before = target
                yield letters, middle, target
                if not self.flying:
                    break

    def _way(
        self, table: Table, spot: Spot, letters: str, end: Square, taken: tuple[Square, ...]
    ) -> Way:
        if self.takes in ("now", "none"):
            return Way(letters, end, taken)
        if self.takes == "later":
            return Way(letters, end, later=tuple(sorted(taken)))
        put = tuple((s, table.mine(spot.key, spot.cells[s])) for s in sorted(taken))
        tail = "".join(f"; {table.name(s)} (0 0 a {new})" for s, new in put)
        return Way(letters, end, put=put, tail=tail, flipped=tuple(sorted(taken)))

    def said(self) -> str:
        whose = {"w": "an own piece", "p": "an opponent", "wp": "a piece"}[self.over]
        far = " from and to any distance" if self.flying else ""
        fate = {
            "none": "",
            "now": ", removing opponents at once",
            "later": ", removing opponents when it has finished",
            "flip": ", turning opponents into own pieces",
        }[self.takes]
        more = " and goes on while it can" if self.must else " and may go on" if self.chain else ""
        return f"hops {self.directions} over {whose}{far}{fate}{more}"


@dataclass(frozen=True)
class Cannon:
    """Captures along a line over exactly one piece, whosever it is."""

    directions: str

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        cells, at, seat, field = spot.cells, spot.at, spot.seat, table.field
        for direction in ahead(table, seat, self.directions):
            letters, here, screens = "", at, 0
            for target in field.ray(at, direction):
                on = table.on(cells[target], seat)
                letters += field.step(here, target, on)
                here = target
                screens += on != "e"
                if screens == 2:
                    if on == "p":
                        yield Way(letters, target, (target,))
                    break

    def said(self) -> str:
        return f"captures {self.directions} along a line over exactly one piece"


@dataclass(frozen=True)
class Tally:
    """Goes as many squares as there are pieces on the line of its move, over own pieces only."""

    directions: str
    on: str

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        cells, at, seat, field = spot.cells, spot.at, spot.seat, table.field
        for direction in ahead(table, seat, self.directions):
            ray = list(field.ray(at, direction))
            behind = list(field.ray(at, (-direction[0], -direction[1])))
            far = 1 + sum(cells[s] != EMPTY for s in {*ray, *behind})
            path = [at, *ray[:far]]
            contents = [table.on(cells[s], seat) for s in path[1:]]
            if len(path) <= far or not set(contents[:-1]) <= {"e", "w"}:
                continue
            if contents[-1] in self.on:
                steps = zip(path, path[1:], contents, strict=False)
                letters = "".join(field.step(a, b, on) for a, b, on in steps)
                yield Way(letters, path[-1], (path[-1],) if contents[-1] == "p" else ())

    def said(self) -> str:
        return (
            f"goes {self.directions}, over own pieces, as far as there are pieces on that line, "
            f"{ONTO[self.on]}"
        )


@dataclass(frozen=True)
class Fly:
    """To any empty square, or any of a zone; only while the player has at most `few` pieces."""

    zone: Zone | None = None
    few: int | None = None

    def ways(self, table: Table, spot: Spot) -> Iterator[Way]:
        cells, at, seat = spot.cells, spot.at, spot.seat
        if self.few is not None and table.count(cells, table.own(seat)) + 1 > self.few:
            return
        for target in table.field.squares:
            inside = self.zone is None or target in self.zone.squares[seat]
            if target != at and cells[target] == EMPTY and inside:
                yield Way(f" (@{table.name(target)} e)", target)

    def said(self) -> str:
        where = "any empty square" + (f" of {self.zone.said}" if self.zone else "")
        when = "" if self.few is None else f" while its player has at most {self.few} on the board"
        return f"may go to {where}{when}"
