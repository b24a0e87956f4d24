"""The squares of a board: displacements, neighbours, straight lines; nothing lies on them here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from grl.board import Board, Square
from grl.logic.remembered import remembered

AXES = ((1, 0), (0, 1), (1, 1), (1, -1))
AROUND = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
ADJACENCY: Mapping[str, tuple[tuple[int, int], ...]] = {
    "orthogonal": tuple(d for d in AROUND if 0 in d),
    "around": AROUND,
    "rising": tuple(d for d in AROUND if d not in ((1, -1), (-1, 1))),
    "falling": tuple(d for d in AROUND if d not in ((1, 1), (-1, -1))),
}
"""Which squares are neighbours: four, eight, or six in the two ways of a hexagonal board."""

ZONES = ("corner", "edge", "centre")
"""The ends of the first and of the last rank, squares at one or two sides of the board, and those
in the middle: one, two or four."""

NOWHERE = -1
"""Stands for a square that the board doesn't have."""


def _beyond(rings: Sequence[int], square: Square | None) -> int:
    """The ring of a square, 0 where there is none."""
    return 0 if square is None else rings[square]


class Geometry:
    """The tables of one board, each made when it is first asked for."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.size = board.size

    @remembered
    def offset(self, dx: int, dy: int) -> tuple[Square | None, ...]:
        """For every square the one (dx, dy) away, whether a link leads there or not."""
        return tuple(self._away(Square(s), dx, dy) for s in range(self.size))

    def _away(self, square: Square, dx: int, dy: int) -> Square | None:
        y, x = divmod(square, self.board.width)
        x, y = x + dx, y + dy
        if not (0 <= x < self.board.width and 0 <= y < self.board.height):
            return None
        target = Square(y * self.board.width + x)
        return None if target in self.board.holes or square in self.board.holes else target

    def zone(self, name: str) -> tuple[Square, ...]:
        """The squares of one of the `ZONES`, without holes."""
        if name == "corner":
            return self._corners
        if name == "edge":
            return tuple(square for square in self.board.squares if self.rings[square] == 1)
        width, height = self.board.width, self.board.height
        found = []
        for square in self.board.squares:
            y, x = divmod(square, width)
            if abs(2 * x + 1 - width) < 2 and abs(2 * y + 1 - height) < 2:
                found.append(square)
        return tuple(found)

    @cached_property
    def rings(self) -> tuple[int, ...]:
        """For every square how far it is from the edge, which is ring 1.

        On a hexagon, a board that lacks two opposite corners, it is the edge of the hexagon.
        """
        width, height = self.board.width, self.board.height
        places = [divmod(square, width) for square in range(self.size)]
        within = [min(x + 1, y + 1, width - x, height - y) for y, x in places]
        beside = self._hexagonal
        if beside is None:
            return tuple(within)
        found = [0 if Square(s) in self.board.holes else within[s] for s in range(self.size)]
        for _ in range(max(within)):
            found = [
                number and min(number, 1 + min(_beyond(found, self.offset(*d)[s]) for d in beside))
                for s, number in enumerate(found)
            ]
        return tuple(found)

    @property
    def _hexagonal(self) -> Sequence[tuple[int, int]] | None:
        """The neighbours on a hexagon that lies askew; None on other boards."""
        width, last = self.board.width, self.size - 1
        level = Square(0) in self.board.holes, Square(last) in self.board.holes
        aslant = Square(width - 1) in self.board.holes, Square(last - width + 1) in self.board.holes
        if all(level) and not any(aslant):
            return ADJACENCY["falling"]
        return ADJACENCY["rising"] if all(aslant) and not any(level) else None

    @cached_property
    def _corners(self) -> tuple[Square, ...]:
        """The ends of the first and of the last rank that have squares; all six of a hexagon."""
        beside = self._hexagonal
        if beside is not None:
            away = [[self.offset(*d)[s] for d in beside] for s in range(self.size)]
            return tuple(s for s in self.board.squares if away[s].count(None) == len(beside) // 2)
        ranks: dict[int, list[Square]] = {}
        for square in self.board.squares:
            ranks.setdefault(square // self.board.width, []).append(square)
        ends = {ranks[rank][end] for rank in (min(ranks), max(ranks)) for end in (0, -1)}
        return tuple(sorted(ends))

    @cached_property
    def followers(self) -> dict[tuple[int, int], tuple[Square | None, ...]]:
        """By direction for every square the next one in line."""
        return {
            (sign * dx, sign * dy): self._follower(sign * dx, sign * dy)
            for dx, dy in AXES
            for sign in (1, -1)
        }

    def _follower(self, dx: int, dy: int) -> tuple[Square | None, ...]:
        if self.board.links is None:
            return self.offset(dx, dy)
        found: list[Square | None] = [None] * self.size
        for a, b in sorted(self.board.links):
            step_x, step_y = self._shortest(a, b)
            straight = step_x == 0 or step_y == 0 or abs(step_x) == abs(step_y)
            if straight and (_sign(step_x), _sign(step_y)) == (dx, dy):
                found[a] = b
        return tuple(found)

    def _shortest(self, one: Square, other: Square) -> tuple[int, int]:
        """The displacement of a link, across edges that meet where that is shorter."""
        width, height = self.board.width, self.board.height
        (y, x), (to_y, to_x) = divmod(one, width), divmod(other, width)
        files, ranks = self.board.edges_meet
        return _around(to_x - x, width if files else 0), _around(to_y - y, height if ranks else 0)

    def places(self, offsets: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
        """The squares at these displacements from one and the same square, wherever all exist."""
        tables = (self._table(*offset) for offset in offsets)
        return [squares for squares in zip(*tables, strict=True) if NOWHERE not in squares]

    @remembered
    def _table(self, dx: int, dy: int) -> list[int]:
        """For every square of the board the one (dx, dy) away, or `NOWHERE`."""
        table = self.offset(dx, dy)
        found = (table[square] if dx or dy else square for square in self.board.squares)
        return [NOWHERE if square is None else square for square in found]

    @cached_property
    def near(self) -> dict[str, Sequence[Sequence[Square]]]:
        """For every square its neighbours, by kind of adjacency; ``links`` where given."""
        found: dict[str, Sequence[Sequence[Square]]] = {
            name: [
                [t for d in offsets if (t := self.offset(*d)[s]) is not None]
                for s in range(self.size)
            ]
            for name, offsets in ADJACENCY.items()
        }
        if self.board.links is not None:
            linked: list[list[Square]] = [[] for _ in range(self.size)]
            for a, b in self.board.links:
                linked[a].append(b)
            found["links"] = linked
        return found


def _around(by: int, period: int) -> int:
    """The shortest of the displacements that are the same where edges meet."""
    further = by - period * _sign(by)
    return further if abs(further) < abs(by) else by


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
