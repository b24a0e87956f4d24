"""Rows on which terms are evaluated, all at once: turns, with the boards that they leave.

A value is an array of truths, rows × directions × squares; it has one direction where the term
isn't directed. Directions are numbered as in `Grid`: d and d + 4 are opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, Board, Equipment, Player, Square
from grl.logic.geometry import AXES, Geometry
from grl.logic.terms import Term

Values = NDArray[np.bool_]
Indices = NDArray[np.intp]
DIRECTIONS = (*AXES, *((-dx, -dy) for dx, dy in AXES))
WAYS_OF: Mapping[str, tuple[int, ...]] = {
    "orthogonal": (0, 1, 4, 5),
    "diagonal": (2, 3, 6, 7),
    "around": tuple(range(8)),
}


class Row(NamedTuple):
    """A turn, or its beginning: who moves, the board that it leaves, where it starts and ends.

    `path` gives the squares that the hand passes, the end included.
    """

    mover: Player
    cells: str
    start: Square
    end: Square
    path: Callable[[], Sequence[Square]]


class Grid:
    """The tables of a board by which values are moved about."""

    def __init__(self, board: Board) -> None:
        self.geometry = Geometry(board)
        self.size = board.size

    @cached_property
    def ahead(self) -> Indices:
        """For every direction and square the next one in line; `size` where there is none."""
        followers = self.geometry.followers
        return np.array(
            [[self.size if t is None else t for t in followers[d]] for d in DIRECTIONS],
            dtype=np.intp,
        )

    @cached_property
    def behind(self) -> list[Indices]:
        """The squares to which each is next in line; several tables where links make it several."""
        sources: list[list[list[int]]] = [[[] for _ in range(self.size)] for _ in DIRECTIONS]
        for lists, follow in zip(sources, self.ahead.tolist(), strict=True):
            for square, target in enumerate(follow):
                if target < self.size:
                    lists[target].append(square)
        return _tables(sources, self.size)

    @cached_property
    def neighbours(self) -> dict[str, list[Indices]]:
        """For every kind of adjacency the squares of which each is a neighbour."""
        found = {}
        for name, masks in self.geometry.near.items():
            sources: list[list[int]] = [[] for _ in range(self.size)]
            for square, mask in enumerate(masks):
                for target in self.geometry.members(mask):
                    sources[target].append(square)
            found[name] = _tables([sources], self.size)
        return found

    @cached_property
    def toward(self) -> NDArray[np.bool_]:
        """Directions × squares × squares: whether a straight line leads from one to the other."""
        found = np.zeros((len(DIRECTIONS), self.size, self.size), dtype=np.bool_)
        for square, axes in enumerate(self.geometry.rays):
            for axis, rays in enumerate(axes):
                for half, ray in enumerate(rays):
                    found[axis + 4 * half, square, list(ray)] = True
        return found


def _tables(sources: list[list[list[int]]], size: int) -> list[Indices]:
    """Lists of squares as arrays of one square each, filled up with `size`."""
    longest = max((len(each) for lists in sources for each in lists), default=0)
    return [
        np.array([[e[k] if k < len(e) else size for e in lists] for lists in sources], np.intp)
        for k in range(longest)
    ]


class Rows:
    """Turns as columns; values of terms are kept."""

    def __init__(self, equipment: Equipment, grid: Grid, rows: Sequence[Row]) -> None:
        self.equipment, self.grid, self.rows = equipment, grid, rows
        self._values: dict[Term, Values] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def value(self, term: Term) -> Values:
        """What a term denotes, row by row."""
        found = self._values.get(term)
        if found is None:
            arguments = [self.value(a) if isinstance(a, Term) else a for a in term.arguments]
            found = self._values[term] = term.operator.evaluate(self, *arguments)
        return found

    def squares(self, term: Term) -> NDArray[np.bool_]:
        """What an undirected term denotes: rows × squares."""
        return self.value(term)[:, 0]

    # What operators are made of ---------------------------------------------------------------

    @cached_property
    def _codes(self) -> tuple[list[str], Indices]:
        """The characters that occur, and each square's as an index of these."""
        text = "".join(row.cells for row in self.rows)
        points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
        found, codes = np.unique(points, return_inverse=True)
        return [chr(point) for point in found], codes.reshape(len(self.rows), -1)

    @cached_property
    def _movers(self) -> Indices:
        players = self.equipment.players
        return np.array([players.index(row.mover) for row in self.rows], dtype=np.intp)

    def holding(self, content: str) -> Values:
        """The squares that hold a content as the mover sees it."""
        characters, codes = self._codes
        held = np.array(
            [
                [character in keys for character in characters]
                for keys in (keys_of(self.equipment, p, content) for p in self.equipment.players)
            ]
        )
        return held[self._movers[:, None], codes][:, None]

    def zone(self, zone: str) -> Values:
        """A part of the board, the same in every row."""
        return self._points([self.grid.geometry.zone(zone)] * len(self.rows))

    def starts(self) -> Values:
        """Where the turns start."""
        return self._points([(row.start,) for row in self.rows])

    def ends(self) -> Values:
        """Where the turns end."""
        return self._points([(row.end,) for row in self.rows])

    def paths(self) -> Values:
        """The squares that the hand passes."""
        return self._points([row.path() for row in self.rows])

    def _points(self, squares: Sequence[Sequence[Square]]) -> Values:
        found = np.zeros((len(self.rows), 1, self.grid.size), dtype=np.bool_)
        for row, each in zip(found, squares, strict=True):
            row[0, list(each)] = True
        return found

    def less(self, one: Values, other: Values) -> Values:
        """One set without another."""
        return one & ~other

    def gathered(self, values: Values, tables: Sequence[Indices]) -> Values:
        """Where a table leads to a square of the set; one of several tables is enough.

        Tables are directions × squares, or 1 × squares for what has no direction.
        """
        shape = (*values.shape[:2], 1)
        padded = np.concatenate([values, np.zeros(shape, dtype=np.bool_)], axis=2)
        found: Values | None = None
        for table in tables:
            if len(table) == 1:
                one = padded[:, :, table[0]]
            elif values.shape[1] == 1:
                one = padded[:, 0][:, table]
            else:
                one = padded[:, np.arange(len(table))[:, None], table]
            found = one if found is None else found | one
        return np.zeros_like(values) if found is None else found

    def ahead(self, values: Values) -> Values:
        """The next squares in each direction."""
        return self._directed(self.gathered(values, self.grid.behind))

    def behind(self, values: Values) -> Values:
        """The squares to which those are next in each direction."""
        return self.gathered(values, [self.grid.ahead])

    def near(self, nearness: str, values: Values) -> Values:
        """The neighbours."""
        return self.gathered(values, self.grid.neighbours[nearness])

    def _directed(self, values: Values) -> Values:
        shape = (len(self.rows), len(DIRECTIONS), self.grid.size)
        return values if values.shape == shape else np.broadcast_to(values, shape)

    def closed(self, seeds: Values, within: Values, onward: Callable[[Values], Values]) -> Values:
        """The least part of `within` with the seeds in it that `onward` doesn't lead out of."""
        found = fresh = seeds & within
        while fresh.any():
            fresh = onward(fresh) & within & ~found
            found = found | fresh
        return found

    @cached_property
    def onward(self) -> Values:
        """Rows × directions × 1: which way a turn leads from start to end; none if not straight."""
        starts = [row.start for row in self.rows]
        ends = [row.end for row in self.rows]
        return self.grid.toward[:, starts, ends].T[:, :, None]

    def ways(self, ways: str) -> Values:
        """Rows (or 1) × directions × 1: the directions that are meant."""
        if ways == "onward":
            return self.onward
        found = np.zeros((1, len(DIRECTIONS), 1), dtype=np.bool_)
        found[0, list(WAYS_OF[ways])] = True
        return found


def keys_of(equipment: Equipment, mover: Player, content: str) -> frozenset[str]:
    """The cells' characters that a content names when `mover` moves."""
    if content == "empty":
        return frozenset(EMPTY)
    owner, _, kind = content.partition(":")
    return frozenset(
        key
        for key, piece in equipment.pieces.items()
        if kind in ("", piece.type) and owner == owner_of(piece.player, mover)
    )


def owner_of(player: Player | None, mover: Player) -> str:
    """Whose a piece is, as the mover sees it."""
    if player is None:
        return "neutral"
    return "own" if player == mover else "opposing"
