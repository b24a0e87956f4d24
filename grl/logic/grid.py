"""The tables of a board by which sets of squares are moved about, and how each player sees it.

Directions are numbered: d and d + 4 are opposite.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import permutations
from math import gcd

import numpy as np
from numpy.typing import NDArray

from grl.board import Player, Square
from grl.logic.geometry import AXES, Geometry
from grl.logic.perspectives import seen_from, turned_back
from grl.logic.remembered import remembered

Bools = NDArray[np.bool_]
Indices = NDArray[np.intp]
DIRECTIONS = (*AXES, *((-dx, -dy) for dx, dy in AXES))
WAYS_OF: Mapping[str, tuple[int, ...]] = {
    "orthogonal": (0, 1, 4, 5),
    "diagonal": (2, 3, 6, 7),
    "around": tuple(range(8)),
    "rank": (0, 4),
    "file": (1, 5),
    "rising": (0, 1, 2, 4, 5, 6),
    "falling": (0, 1, 3, 4, 5, 7),
}
BROAD_WAYS = ("orthogonal", "diagonal", "around")
"""Those that a quarter turn of the board leaves as they are."""
NONE = -1
"""In the place of a square that there is not."""


def axes_of(ways: str) -> tuple[int, ...]:
    """The directions of some ways, one of two opposite ones."""
    return tuple(d for d in WAYS_OF[ways] if d < len(AXES))


class Grid:
    """The tables of a board by which values are moved about, and how each player sees it."""

    def __init__(self, geometry: Geometry, perspectives: Mapping[Player, str]) -> None:
        self.geometry = geometry
        self.size = geometry.size
        self.perspectives = perspectives
        self._numbers: dict[tuple[str, str], Indices] = {}
        self.held: dict[str, Bools] = {}
        """For every content by player and character whether it is that; rows know the pieces."""
        self.fields: dict[str, Bools] = {}
        """For every kind of squares that belong to players, by player, which they are."""

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
        for name, near in self.geometry.near.items():
            sources: list[list[int]] = [[] for _ in range(self.size)]
            for square, targets in enumerate(near):
                for target in targets:
                    sources[target].append(square)
            found[name] = _tables([sources], self.size)
        return found

    @cached_property
    def toward(self) -> NDArray[np.bool_]:
        """Directions × squares × squares: whether a straight line leads from one to the other.

        On a board with links a line follows them; a link may span several files or ranks.
        """
        found = np.zeros((len(DIRECTIONS), self.size, self.size), dtype=np.bool_)
        for reached, ahead in zip(found, self.ahead.tolist(), strict=True):
            for square in range(self.size):
                here = ahead[square]
                while here not in (self.size, square) and not reached[square, here]:
                    reached[square, here] = True
                    here = ahead[here]
        return found

    @cached_property
    def longest(self) -> list[int]:
        """By direction how many squares lie in line from one at most, itself aside."""
        return [int(number) for number in self.toward.sum(axis=2).max(axis=1)]

    @cached_property
    def closed(self) -> list[list[int]]:
        """By direction the squares whose line comes back to them."""
        on = np.arange(self.size)
        found = []
        for ahead in self.ahead:
            further = np.append(ahead, self.size)
            here, back = further[:-1], np.zeros(self.size, dtype=np.bool_)
            for _ in range(self.size):
                back |= here == on
                here = further[here]
            found.append(np.flatnonzero(back).tolist())
        return found

    @cached_property
    def inline(self) -> NDArray[np.float32]:
        """The same by axis, whichever way the line leads: ones and zeros."""
        half = len(AXES)
        return (self.toward[:half] | self.toward[half:]).astype(np.float32)

    @cached_property
    def bearings(self) -> Indices:
        """Squares × squares: the number of the direction, in lowest terms, from one to the other;
        `NONE` from a square to itself, and for holes."""
        found = np.full((self.size, self.size), NONE, dtype=np.intp)
        numbers: dict[tuple[int, int], int] = {}
        for one, other in permutations(self.geometry.board.squares, 2):
            (y, x), (to_y, to_x) = (divmod(s, self.geometry.board.width) for s in (one, other))
            far = gcd(to_x - x, to_y - y)
            way = (to_x - x) // far, (to_y - y) // far
            found[one, other] = numbers.setdefault(way, len(numbers))
        return found

    @remembered
    def lines(self, number: int, along: tuple[int, ...]) -> tuple[Indices, NDArray[np.float32]]:
        """The straight lines of so many squares in some directions: lines × squares in order.

        With them comes lines × all squares: 1 where a line has the square.
        """
        lines = set()
        for direction in along:
            for square in self.geometry.board.squares:
                line = [int(square)]
                while len(line) < number and line[-1] < self.size:
                    line.append(int(self.ahead[direction, line[-1]]))
                if line[-1] < self.size:
                    lines.add(tuple(sorted(line)))
        squares = np.array(sorted(lines), dtype=np.intp).reshape(len(lines), number)
        members = np.zeros((len(lines), self.size), dtype=np.float32)
        members[np.arange(len(lines))[:, None], squares] = 1
        return squares, members

    @remembered
    def shifted(self, dx: int, dy: int) -> Indices:
        """For every square the one (dx, dy) away on the board; `NONE` where there is none.

        A last entry stands for no square.
        """
        targets = [NONE if t is None else t for t in self.geometry.offset(dx, dy)]
        return np.array([*targets, NONE], dtype=np.intp)

    def seen_shift(self, player: Player, view: str, dx: int, dy: int) -> Indices:
        """`shifted` by a displacement on the board, or (view ``seen``) as a player sees it."""
        if view == "seen":
            dx, dy = turned_back(self.perspectives[player], dx, dy)
        return self.shifted(dx, dy)

    def leading(self, player: Player, view: str, dx: int, dy: int) -> Bools:
        """Squares × squares: whether one is at a displacement from the other, as `seen_shift`."""
        found: Bools = self.seen_shift(player, view, dx, dy)[:-1, None] == np.arange(self.size)
        return found

    def aligned(self, player: Player, scale: str, relation: str) -> Bools:
        """Squares × squares: whether the second has the number of the first, or a lower one."""
        inside = np.isin(np.arange(self.size), self.geometry.board.squares)
        numbers = np.where(inside, self.numbers(player, scale), 0)
        first, second = numbers[:, None], numbers[None]
        related = first == second if relation == "=" else second < first
        found: Bools = related & inside[:, None] & inside
        return found

    def farther(self, side: str) -> Bools:
        """Squares × squares: whether the second lies farther to a side of the board."""
        board = self.geometry.board
        inside = np.isin(np.arange(self.size), board.squares)
        y, x = np.divmod(np.arange(self.size), board.width)
        place = x if side in ("left", "right") else y
        sign = 1 if side in ("right", "above") else -1
        found: Bools = (sign * place[:, None] < sign * place) & inside[:, None] & inside
        return found

    def numbers(self, player: Player, scale: str) -> Indices:
        """For every square its number on one of the `SCALES`, as a player sees it, or its ring.

        All from 1: rising diagonals from the far left corner, falling ones from the near left one.
        """
        perspective = self.perspectives[player]
        found = self._numbers.get((perspective, scale))
        if found is None:
            found = self._numbers[perspective, scale] = np.array(
                [self._number(perspective, scale, square) for square in range(self.size)]
            )
        return found

    def _number(self, perspective: str, scale: str, square: int) -> int:
        board = self.geometry.board
        if scale == "ring":
            return self.geometry.rings[square]
        x, y = seen_from(board, perspective, Square(square))
        if scale == "rising":
            return x - y + board.height
        wing = abs(2 * x - board.width - 1) // 2 + 1
        numbers = {"file": x, "rank": y, "falling": x + y - 1, "wing": wing}
        return (x + y) % 2 + 1 if scale == "colour" else numbers[scale]


def _tables(sources: list[list[list[int]]], size: int) -> list[Indices]:
    """Lists of squares as arrays of one square each, filled up with `size`."""
    longest = max((len(each) for lists in sources for each in lists), default=0)
    return [
        np.array([[e[k] if k < len(e) else size for e in lists] for lists in sources], np.intp)
        for k in range(longest)
    ]
