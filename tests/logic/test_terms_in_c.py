"""Random terms: what compiled C computes is what is computed on columns."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from c_terms import COMPILER, Compiled
from random_terms import random_term

from grl.board import Board, Equipment, Piece, Player, Square
from grl.logic.geometry import Geometry
from grl.logic.grid import DIRECTIONS, Grid
from grl.logic.rows import Ground, Rows, Walked
from grl.logic.terms import BACK, LAST_ROLES, ROLES

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler cc")

A, B, C = Player("a"), Player("b"), Player("c")
PIECES = {
    "m": Piece("m", A, "man"),
    "M": Piece("M", B, "man"),
    "k": Piece("k", A, "king"),
    "x": Piece("x", None, "stone"),
}
THIRD = {"w": Piece("w", C, "man"), "v": Piece("v", C, "king")}


def linked(board: Board, reach: int) -> Board:
    """Some steps are links, most of them both ways, and some lead farther."""
    found = set()
    for s in board.squares:
        for dx, dy in DIRECTIONS:
            for far in range(1, reach + 1):
                t = board.step(s, far * dx, far * dy)
                if t is not None and (s * 7 + t * 3 + far) % 5 == far % 3:
                    found.add((s, t))
    return Board(board.width, board.height, board.holes, frozenset(found))


def game(board: Board, players: Sequence[Player] = (A, B), second: str = "turn"):
    """Equipment and grid; the others see the board in another way than the first player."""
    pieces = PIECES | (THIRD if C in players else {})
    seen = dict.fromkeys(players, second) | {A: "identity"}
    return Equipment(board, tuple(players), pieces), Grid(Geometry(board), seen)


HOLES = frozenset(map(Square, (0, 10, 11, 27)))
GAMES = {
    "8 x 8": game(Board(8, 8)),
    "holes": game(Board(6, 7, HOLES), second="flip"),
    "links": game(linked(Board(5, 5), 1), second="identity"),
    "long links": game(linked(Board(7, 7, HOLES), 4)),
    "two words": game(Board(10, 10), second="quarter"),
    "six words": game(Board(19, 19)),
    "three players": game(Board(5, 4), (A, B, C)),
    "one square": game(Board(1, 1)),
}
ROWS = 6
"""Boards, and as many turns more."""


def random_rows(chance: random.Random, equipment: Equipment, grid: Grid, number: int) -> Rows:
    board = equipment.board
    keys = ["."] * 4 + sorted(equipment.pieces)
    grounds, turns, parent = [], [], []
    for _ in range(number):
        cells = chance.choices(keys, k=board.size)
        for hole in board.holes:
            cells[hole] = "#"
        lasts = [
            dict(zip(LAST_ROLES, chance.choices(board.squares, k=2), strict=True))
            if chance.random() < 0.6
            else {}
            for _ in BACK
        ]
        if chance.random() < 0.2:
            lasts = [{} for _ in BACK]
        moved = chance.sample(board.squares, len(board.squares) // 4)
        mover = chance.choice(equipment.players)
        known = lambda back, lasts=lasts: lasts[back - 1]  # noqa: E731
        grounds.append(Ground(mover, "".join(cells), frozenset(moved), known))
    for at in [*range(number), *chance.choices(range(number), k=number)]:
        squares = {role: chance.choice(board.squares) for role in ROLES if chance.random() < 0.6}
        start = chance.choice(board.squares)
        ends = [t for ray in grid.geometry.rays[start] for way in ray for t in way]
        if ends and chance.random() < 0.7:
            squares |= {"start1": start, "end1": chance.choice(ends)}
        path = chance.sample(board.squares, min(len(board.squares), chance.randint(0, 3)))
        turns.append(Walked(squares.get, lambda p=path: p))
        parent.append(at)
    return Rows(equipment, grid, grounds, turns, np.array(parent))


def differences(rows: Rows, compiled: Compiled) -> list[str]:
    """The terms of which C computes something else."""
    wrong = set()
    for term, found in zip(compiled.undirected, compiled.sets, strict=True):
        if not (found == rows.squares(term)).all():
            wrong.add(f"set {term}")
    for term, found in zip(compiled.directed, compiled.ways, strict=True):
        if not (found == rows.full(term)).all():
            wrong.add(f"ways {term}")
    for term, found in zip(compiled.pointed, compiled.points, strict=True):
        if not (found == rows.point(term)).all():
            wrong.add(f"point {term}")
    for term, found in zip(compiled.terms, compiled.some, strict=True):
        if not (found == rows.some(term)).all():
            wrong.add(f"some {term}")
    return sorted(wrong)


def drawn(chance: random.Random, equipment: Equipment, number: int):
    found = {random_term(chance, equipment, chance.randint(1, 4)): None for _ in range(number)}
    return list(found)


@pytest.mark.parametrize("name", GAMES)
def test_c_and_columns_agree_on_random_terms(name, tmp_path):
    equipment, grid = GAMES[name]
    chance = random.Random(name)
    rows = random_rows(chance, equipment, grid, ROWS)
    compiled = Compiled(rows, drawn(chance, equipment, 60), tmp_path)
    assert differences(rows, compiled) == []
