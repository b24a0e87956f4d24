"""Random terms: what compiled C computes is what is computed on columns."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import numpy as np
import pytest
from c_terms import COMPILER, Compiled
from random_terms import Answers, random_term

from grl.board import Board, Equipment, Piece, Player, Square
from grl.logic.code import Code
from grl.logic.geometry import Geometry
from grl.logic.grid import DIRECTIONS, Grid
from grl.logic.ops import OPERATORS
from grl.logic.rows import Ground, Rows, Walked
from grl.logic.terms import BACK, LAST_ROLES, ROLES, SCALES, SIDES, read_term

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


def rolled(width: int, height: int) -> Board:
    """The last file is beside the first one: steps in all directions are links."""
    squares = {(x, y): Square(y * width + x) for x in range(width) for y in range(height)}
    found = {
        (one, squares[(x + dx) % width, y + dy])
        for (x, y), one in squares.items()
        for dx, dy in DIRECTIONS
        if 0 <= y + dy < height
    }
    return Board(width, height, links=frozenset(found))


def game(board: Board, players: Sequence[Player] = (A, B), second: str = "turn"):
    """Equipment and grid; the others see the board in another way than the first player."""
    pieces = PIECES | (THIRD if C in players else {})
    seen = dict.fromkeys(players, second) | {A: "identity"}
    return Equipment(board, tuple(players), pieces), Grid(Geometry(board), seen)


HOLES = frozenset(map(Square, (0, 10, 11, 27)))
FAR = frozenset((Square(s), Square((s * k + 5) % 60)) for s in range(60) for k in (17, 23, 43))
GAMES = {
    "8 x 8": game(Board(8, 8)),
    "holes": game(Board(6, 7, HOLES), second="flip"),
    "links": game(linked(Board(5, 5), 1), second="identity"),
    "long links": game(linked(Board(7, 7, HOLES), 4)),
    "cylinder": game(rolled(5, 4)),
    "two words": game(Board(10, 10), second="quarter"),
    "six words": game(Board(19, 19)),
    "three players": game(Board(5, 4), (A, B, C)),
    "many lengths of links": game(Board(60, 1, links=FAR)),
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
        known = lambda back, lasts=lasts: lasts[back]  # noqa: E731
        asked = Answers(chance, board)
        grounds.append(Ground(mover, "".join(cells), frozenset(moved), known, asked))
    for at in [*range(number), *chance.choices(range(number), k=number)]:
        squares = {role: chance.choice(board.squares) for role in ROLES if chance.random() < 0.6}
        start = chance.choice(board.squares)
        ends = [Square(t) for t in np.flatnonzero(grid.toward[:, start].any(axis=0)).tolist()]
        if ends and chance.random() < 0.7:
            squares |= {"start1": start, "end1": chance.choice(ends)}
        path = chance.sample(board.squares, min(len(board.squares), chance.randint(0, 3)))
        path += chance.sample(path, chance.randint(0, len(path)))
        taken = chance.sample(board.squares, min(len(board.squares), chance.randint(0, 2)))
        turns.append(Walked(squares.get, lambda p=path: p, lambda t=taken: t))
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


def terms_of(equipment: Equipment, *data):
    return [read_term(each, OPERATORS, equipment) for each in data]


@pytest.mark.parametrize("name", GAMES)
def test_c_and_columns_agree_on_random_terms(name, tmp_path):
    equipment, grid = GAMES[name]
    chance = random.Random(name)
    rows = random_rows(chance, equipment, grid, ROWS)
    terms = drawn(chance, equipment, 25 if grid.size > 128 else 50)
    compiled = Compiled(rows, terms, tmp_path)
    assert differences(rows, compiled) == []


ALL = ["ring", "<", 99]
END, START = ["square", "end1"], ["square", "start1"]
OWN, EMPTY, MOVED = ["lies", "own"], ["lies", "empty"], ["moved"]
CORNERS = [
    *(["crowd", "around", number, OWN] for number in (-3, 0, 1, 4, 8, 9, 99)),
    *(["crowd", "around", number, ALL] for number in (3, 4, 5, 7, 8)),
    *(["lined", "around", number, each] for number in (2, 3, 4, 5) for each in (ALL, OWN)),
    *(["lined", "diagonal", number, ["ahead", OWN]] for number in (-1, 1, 2, 7, 99)),
    *(["lined", "onward", number, OWN] for number in (0, 2, 3)),
    *(["along", ways, n, OWN] for ways in ("onward", "around") for n in (-99, 0, 1, 3, 99)),
    *(["along", "diagonal", number, ["run", OWN, OWN]] for number in (0, 1, 2)),
    *(["through", ways, ["brink"]] for ways in ("onward", "diagonal", "around")),
    *(["through", ways, END] for ways in ("onward", "orthogonal")),
    *(["sight", ways, ["ahead", START]] for ways in ("onward", "orthogonal")),
    *(["some_way", "onward", each] for each in (OWN, ["run", ["ahead", START], EMPTY])),
    *(["line", scale, 1, "<", 3] for scale in SCALES),
    *(["line", scale, 0, "=", number] for scale in ("rank", "file") for number in (-1, 0, 2)),
    *(["aligned", scale, op, ["both", OWN, MOVED]] for scale in SCALES for op in "=<"),
    *(["side", side, each] for side in SIDES for each in (["both", OWN, MOVED], END)),
    *(["cell", file, rank] for file in (-1, 0, 1, 3, 99) for rank in (0, 1, 2)),
    *([name, number] for name in ("board_file", "board_rank") for number in (-1, 0, 1, 3, 99)),
    *(["last", "end1", back] for back in (0, 1, 8)),
    *(["shift", view, dx, 99 * dx, OWN] for view in ("board", "seen") for dx in (0, 1)),
    *(["shift", view, 1, 2, each] for view in ("board", "seen") for each in (END, OWN, ["brink"])),
    ["shift", "seen", 0, -1, ["shift", "board", 1, 1, ["last", "start1", 2]]],
    ["near", "around", ["without", ["path"], END]],
    ["both", ["shift", "seen", 0, 1, END], ["without", ["near", "around", OWN], START]],
    ["both", ["both", MOVED, END], ["last", "end1", 1]],
    ["without", ["either", END, START], START],
    ["without", END, ["both", START, OWN]],
]


LINKS = [["crowd", "links", number, each] for number in (1, 2, 3, 4, 6) for each in (ALL, OWN)]
NEXT = [
    ["behind", OWN],
    ["run", ["ahead", OWN], ALL],
    ["group", "links", END, ["without", ALL, OWN]],
]


@pytest.mark.parametrize("name", ["8 x 8", "long links", "many lengths of links", "cylinder"])
def test_c_and_columns_agree_on_odd_numbers_and_words(name, tmp_path):
    equipment, grid = GAMES[name]
    rows = random_rows(random.Random(1), equipment, grid, 12)
    more = [*LINKS, *NEXT] if equipment.board.links else []
    compiled = Compiled(rows, terms_of(equipment, *CORNERS, *more), tmp_path)
    assert compiled.code.back == 8
    assert differences(rows, compiled) == []


def test_a_board_alone_has_no_turn(tmp_path):
    """Nothing is of a turn then; the rest is as ever. A path is known of turns only."""
    equipment, grid = GAMES["holes"]
    chance = random.Random(2)
    grounds = random_rows(chance, equipment, grid, ROWS).grounds
    rows = Rows(equipment, grid, grounds)
    terms = [
        term
        for term in drawn(chance, equipment, 60)
        if not {"path", "crossed", "taken"} & set(re.findall(r"\w+", str(term)))
    ]
    assert any(term.of_turn for term in terms)
    compiled = Compiled(rows, [*terms, *terms_of(equipment, ["along", "onward", 0, OWN])], tmp_path)
    assert differences(rows, compiled) == []


def test_compilers_warn_of_nothing(tmp_path):
    equipment, grid = GAMES["long links"]
    rows = random_rows(random.Random(3), equipment, grid, 1)
    Compiled(rows, terms_of(equipment, *CORNERS[::2]), tmp_path, ("-O2", "-Wall", "-Werror"))


def test_the_text_is_the_same_each_time_and_has_no_words_of_the_game():
    equipment, grid = GAMES["long links"]
    terms = drawn(random.Random(4), equipment, 200)
    assert any("own:king" in str(term) for term in terms)
    first, second = (Code(equipment, grid) for _ in range(2))
    for term in terms:
        assert first.some(term) == second.some(term)
    assert first.text() == second.text()
    words = set(re.findall(r"\w+", first.text()))
    assert words.isdisjoint({"man", "king", "stone", "own", "around", "orthogonal", "rank"})


def test_what_all_turns_of_a_position_share_is_computed_once():
    equipment, grid = GAMES["8 x 8"]
    code = Code(equipment, grid)
    shared = ["group", "around", OWN, OWN]
    beside = ["near", "around", END]
    lines = ["run", OWN, EMPTY]
    for each in terms_of(
        equipment,
        ["both", shared, beside],
        ["without", beside, shared],
        ["some_way", "onward", lines],
        ["both", END, OWN],
    ):
        code.some(each)
    assert code.memos == 1 + 8
    names = [code.define(each) for each in terms_of(equipment, shared, beside, shared, beside)]
    assert names[:2] == names[2:]
    assert code.memos == 1 + 8


def test_constants_and_tables_are_written_once():
    equipment, grid = GAMES["six words"]
    code = Code(equipment, grid)
    assert code.constant([0, 360]) == code.constant([360, 0]) != code.constant([])
    assert code.table([3, -1]) == code.table([3, -1]) != code.table([])
    table = grid.shifted(1, 0)
    assert code.relation([table], "x") == code.relation([table.tolist()[:-1]], "x")
    assert code.relation([table], "x") != code.relation([table, grid.shifted(0, 1)], "x")
    text = code.text()
    assert text.count("SET(0x1ULL, 0x0ULL, 0x0ULL, 0x0ULL, 0x0ULL, 0x10000000000ULL)") == 1
    assert text.count("{3, -1}") == 1
