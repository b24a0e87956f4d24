"""Boards: rectangles, holes, hexagons, alquerque lines, walls, rings and cylinders.

Whatever the board, a neighbour lies in a direction of the compass, so that a move, a line of pieces
or a group is the same notion on all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from grl.board import Board, Square

Direction = tuple[int, int]
ORTHOGONAL: tuple[Direction, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL: tuple[Direction, ...] = ((1, 1), (-1, 1), (-1, -1), (1, -1))
ALL = ORTHOGONAL + DIAGONAL
HEXAGONAL: tuple[Direction, ...] = (*ORTHOGONAL, (1, 1), (-1, -1))
DIRECTIONS: dict[str, tuple[Direction, ...]] = {
    "orthogonally": ((1, 0), (0, 1), (-1, 0), (0, -1)),
    "diagonally": ((1, 1), (-1, 1), (-1, -1), (1, -1)),
    "in every direction": ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)),
    "straight ahead": ((0, 1),),
    "diagonally ahead": ((1, 1), (-1, 1)),
    "ahead, straight or diagonally": ((0, 1), (1, 1), (-1, 1)),
    "ahead or sideways": ((0, 1), (1, 0), (-1, 0)),
    "ahead or back": ((0, 1), (0, -1)),
    "diagonally or straight ahead": ((1, 1), (-1, 1), (-1, -1), (1, -1), (0, 1)),
    "straight or diagonally ahead": ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1)),
}
"""Sets of directions by name, as white sees them."""
ROUND = ("orthogonally", "diagonally", "in every direction")
"""Those that look the same from every side."""
Near = dict[tuple[Square, Direction], Square]

KINDS: Mapping[str, int] = {
    "plain": 44,
    "holes": 11,
    "cross": 6,
    "hexagons": 11,
    "alquerque": 9,
    "walls": 6,
    "rings": 6,
    "cylinder": 7,
}
"""Kinds of boards with their weights."""


@dataclass(frozen=True, eq=False)
class Field:
    """A board with its neighbours: `near` holds the next square in each direction that has one.

    `touching` are the directions in which squares are adjacent; `leaps` tells whether a piece may
    step to squares that are not neighbours, which links forbid.
    """

    kind: str
    board: Board
    compass: tuple[Direction, ...]
    touching: tuple[Direction, ...]
    near: Mapping[tuple[Square, Direction], Square]

    @property
    def leaps(self) -> bool:
        return self.board.links is None

    @property
    def squares(self) -> tuple[Square, ...]:
        return self.board.squares

    def ray(self, square: Square, direction: Direction) -> tuple[Square, ...]:
        """The squares from `square` on in a direction; a way round the board ends before it."""
        return self._rays.get((square, direction), ())

    @cached_property
    def _rays(self) -> dict[tuple[Square, Direction], tuple[Square, ...]]:
        found = {}
        for square, direction in self.near:
            ray = [self.near[square, direction]]
            while (after := self.near.get((ray[-1], direction))) not in (None, square):
                ray.append(after)
            found[square, direction] = tuple(ray)
        return found

    def around(self, square: Square) -> tuple[Square, ...]:
        """The adjacent squares."""
        return self._around[square]

    @cached_property
    def _around(self) -> dict[Square, tuple[Square, ...]]:
        return {
            s: tuple(self.near[s, d] for d in self.touching if (s, d) in self.near)
            for s in self.squares
        }

    def step(self, start: Square, end: Square, on: str) -> str:
        """The letter of a step, with the space before it."""
        (y, x), (to_y, to_x) = divmod(start, self.board.width), divmod(end, self.board.width)
        return f" ({to_x - x} {to_y - y} {on})"

    def groups(self, squares: Sequence[Square]) -> list[set[Square]]:
        """The connected parts of a set of squares."""
        left, found = set(squares), []
        while left:
            group, edge = set(), [min(left)]
            while edge:
                square = edge.pop()
                if square in left:
                    left.remove(square)
                    group.add(square)
                    edge += self.around(square)
            found.append(group)
        return found

    def said(self) -> str:
        """The board in words."""
        board = self.board
        missing = " ".join(board.names[s] for s in sorted(board.holes))
        text = f"{board.width} x {board.height}, {self.kind}"
        text += f", without {missing}" if missing else ""
        if self.kind == "walls":
            walls = [
                f"{board.names[s]}/{board.names[t]}"
                for s in board.squares
                for d in ((1, 0), (0, 1))
                if (t := Board(board.width, board.height, board.holes).step(s, *d)) is not None
                and (s, d) not in self.near
            ]
            text += f" between {' '.join(walls)}"
        touching = "eight" if len(self.touching) == 8 else "four" if self.leaps else "all"
        return f"{text}; squares touch in {touching} directions"


def draw_field(chance: Random, kind: str) -> Field:
    """A board of one of the `KINDS`, from 3 x 4 to 7 x 7."""
    if kind == "rings":
        return _rings(chance.choice((5, 5, 7)))
    low = {"cross": 5, "alquerque": 4, "cylinder": 4, "holes": 4}.get(kind, 3)
    sides = (3, 4, 4, 5, 5, 5, 6, 6, 7)
    width, height = (max(low, chance.choice(sides)) for _ in range(2))
    if width * height < 12:
        height = 4
    if kind == "cross":
        cut = 2 if min(width, height) == 7 and chance.random() < 0.6 else 1
        return _plain(chance, kind, Board(width, height, _corners(width, height, cut)))
    if kind == "holes":
        return _plain(chance, kind, Board(width, height, _pairs(chance, width, height)))
    board = Board(width, height)
    if kind == "plain":
        return _plain(chance, kind, board)
    if kind == "hexagons":
        return _linked(kind, board, HEXAGONAL, _steps(board, HEXAGONAL))
    if kind == "alquerque":
        odd = chance.randrange(2) if width % 2 == height % 2 == 1 else 0
        near = _steps(board, ALL)
        lines = {k: s for k, s in near.items() if 0 in k[1] or sum(divmod(k[0], width)) % 2 == odd}
        lines = {k: s for k, s in lines.items() if (s, (-k[1][0], -k[1][1])) in lines}
        return _linked(kind, board, ALL, lines)
    if kind == "walls":
        return _linked(kind, board, ORTHOGONAL, _walls(chance, board))
    compass = chance.choice((ORTHOGONAL, ALL))
    return _linked(kind, board, compass, _wrapped(board, compass))


def _plain(chance: Random, kind: str, board: Board) -> Field:
    touching = ORTHOGONAL if chance.random() < 0.65 else ALL
    return Field(kind, board, ALL, touching, _steps(board, ALL))


def _linked(kind: str, board: Board, compass: tuple[Direction, ...], near: Near) -> Field:
    links = frozenset((square, target) for (square, _), target in near.items())
    linked = Board(board.width, board.height, board.holes, links)
    return Field(kind, linked, compass, compass, near)


def _steps(board: Board, compass: Sequence[Direction]) -> Near:
    found = {(s, d): board.step(s, *d) for s in board.squares for d in compass}
    return {key: target for key, target in found.items() if target is not None}


def _corners(width: int, height: int, cut: int) -> frozenset[Square]:
    return frozenset(
        Square(y * width + x)
        for y in range(height)
        for x in range(width)
        if min(x, width - 1 - x) < cut and min(y, height - 1 - y) < cut
    )


def _pairs(chance: Random, width: int, height: int) -> frozenset[Square]:
    """One to three squares and those that lie half a turn away, not on the first rank."""
    last = width * height - 1
    some = chance.sample(range(width, last + 1 - width), chance.randint(1, 3))
    return frozenset(Square(s) for square in some for s in (square, last - square))


def _walls(chance: Random, board: Board) -> Near:
    """Orthogonal steps, without a few that are walled off; all squares stay within reach."""
    near = _steps(board, ORTHOGONAL)
    for _ in range(chance.randint(2, 5)):
        square, direction = chance.choice(sorted(near))
        fewer = dict(near)
        last = board.size - 1
        back = -direction[0], -direction[1]
        target = near[square, direction]
        for start, way in ((square, direction), (Square(last - square), back)):
            end = target if start == square else Square(last - target)
            fewer.pop((start, way), None)
            fewer.pop((end, (-way[0], -way[1])), None)
        if len(Field("", board, ORTHOGONAL, ORTHOGONAL, fewer).groups(board.squares)) == 1:
            near = fewer
    return near


def _wrapped(board: Board, compass: Sequence[Direction]) -> Near:
    """Steps on a board whose first and last files are adjacent."""
    near: Near = {}
    for square in board.squares:
        y, x = divmod(square, board.width)
        for dx, dy in compass:
            if 0 <= y + dy < board.height:
                target = (y + dy) * board.width + (x + dx) % board.width
                near[square, (dx, dy)] = Square(target)
    return near


def _rings(side: int) -> Field:
    """Squares one inside the other, joined at the middle of their sides, as for mills."""
    middle = side // 2
    points: set[tuple[int, int]] = set()
    for reach in range(1, middle + 1):
        points |= {
            (middle + reach * dx, middle + reach * dy)
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if (dx, dy) != (0, 0)
        }
    near: Near = {}
    for x, y in points:
        reach = max(abs(x - middle), abs(y - middle))
        for dx, dy in ORTHOGONAL:
            along = (x - middle) * dy == 0 and (y - middle) * dx == 0
            far = (x + dx, y + dy) if along else (x + reach * dx, y + reach * dy)
            on_ring = max(abs(far[0] - middle), abs(far[1] - middle)) == reach
            if far in points and (along or on_ring):
                near[Square(y * side + x), (dx, dy)] = Square(far[1] * side + far[0])
    every = frozenset(Square(i) for i in range(side * side))
    holes = every - {Square(y * side + x) for x, y in points}
    return _linked("rings", Board(side, side, holes), ORTHOGONAL, near)
