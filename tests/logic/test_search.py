"""Squares that change, found again as terms: on boards that the search has not seen."""

from __future__ import annotations

import random
from itertools import count, islice
from typing import NamedTuple

import numpy as np
import pytest

from grl.board import Board, Equipment, Piece, Player, Square
from grl.compiler import Kernel
from grl.logic import intersections
from grl.logic.geometry import Geometry
from grl.logic.grid import Grid
from grl.logic.intersections import Literal, Literals, Search, joined, packed
from grl.logic.rows import Ground, Rows, Walked
from grl.logic.search import describe, words

A, B = Player("a"), Player("b")
STONES = {"w": Piece("w", A, "man"), "b": Piece("b", B, "man")}
KINGS = STONES | {"K": Piece("K", B, "king"), "k": Piece("k", A, "king")}
QUEENS = KINGS | {"Q": Piece("Q", B, "queen"), "q": Piece("q", A, "queen")}
SIZE = 5
STRAIGHT = [(1, 0), (0, 1), (-1, 0), (0, -1)]
ASLANT = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
CORNERS = {(0, 0), (0, 4), (4, 0), (4, 4)}
Grid2 = dict[tuple[int, int], str]


def line(start, step):
    """The places from one on, in a direction."""
    return ((start[0] + n * step[0], start[1] + n * step[1]) for n in count(1))


def run(cells: Grid2, start, step, things="bK"):
    """The things in a row from a place on, and the place behind them."""
    found = []
    for place in line(start, step):
        if cells.get(place, "#") not in things:
            return found, place
        found.append(place)
    return found, start


def reversed_ones(cells, _start, end):
    found = set()
    for step in STRAIGHT + ASLANT:
        taken, behind = run(cells, end, step)
        if cells.get(behind) in ("w", "k"):
            found |= set(taken)
    return found


def custodial(
    cells, _start, end, closers=lambda cells, place: cells.get(place) in ("w", "k"), steps=STRAIGHT
):
    found = set()
    for step in steps:
        taken, behind = run(cells, end, step)
        if len(taken) == 1 and closers(cells, behind):
            found |= set(taken)
    return found


def custodial_on_files(cells, start, end):
    return custodial(cells, start, end, steps=[(0, 1), (0, -1)])


def hostile_corners(cells, start, end):
    return custodial(cells, start, end, lambda c, p: c.get(p) in ("w", "k") or p in CORNERS)


def hostile_edge(cells, start, end):
    return custodial(cells, start, end, lambda c, p: c.get(p, "w") in ("w", "k"))


def hostile_empty_centre(cells, start, end):
    return custodial(
        cells,
        start,
        end,
        lambda c, p: c.get(p) in ("w", "k") or (p == (2, 2) and c[p] == "."),
    )


def hostile_places(cells, _start, end):
    """Squares that have nothing in common but the rule."""
    places = {(1, 0), (4, 1), (2, 3)}
    found = set()
    for step in STRAIGHT:
        one, other = islice(line(end, step), 2)
        if cells.get(one) == "b" and (other in places or cells.get(other) == "w"):
            found.add(one)
    return found


def hostile_empty_places(cells, start, end):
    places = {(3, 0), (0, 1), (1, 4)}
    return custodial(
        cells, start, end, lambda c, p: c.get(p) == "w" or (p in places and c[p] == ".")
    )


def drowned(cells, start, end):
    """The mover's men on the rank in the middle, but one that has just come there."""
    river = {place for place, c in cells.items() if place[1] == 2 and c == "w"}
    return river if start[1] == 2 else river - {end}


def neighbours(cells, _start, end):
    places = {(end[0] + dx, end[1] + dy) for dx, dy in STRAIGHT}
    return {place for place in places if cells.get(place, "#") in "bK"}


def outnumbered(cells, start, end):
    """Neighbours of the end that have three of the mover's men beside them."""
    return {
        (x, y)
        for x, y in neighbours(cells, start, end)
        if sum(cells.get((x + dx, y + dy), "#") in "wk" for dx, dy in STRAIGHT) >= 3
    }


def approached(cells, start, end):
    step = (end[0] - start[0], end[1] - start[1])
    distance = max(map(abs, step))
    if step[0] and step[1] and abs(step[0]) != abs(step[1]):
        return set()
    return set(run(cells, end, (step[0] // distance, step[1] // distance))[0])


def without_air(cells, _start, _end):
    found = set()
    for place in cells:
        if cells[place] in "bK":
            group, fresh = {place}, [place]
            while fresh:
                x, y = fresh.pop()
                for dx, dy in STRAIGHT:
                    near = (x + dx, y + dy)
                    if near not in group and cells.get(near, "#") in "bK":
                        group.add(near)
                        fresh.append(near)
            if not any(cells.get((x + dx, y + dy)) == "." for x, y in group for dx, dy in STRAIGHT):
                found.add(place)
    return found


def men_enclosed_and_kings_beside(cells, start, end):
    return {p for p in custodial(cells, start, end) if cells[p] == "b"} | {
        p for p in neighbours(cells, start, end) if cells[p] == "K"
    }


def reversed_without_kings(cells, _start, end):
    """A king breaks the line."""
    found = set()
    for step in STRAIGHT:
        taken, behind = run(cells, end, step, "bQ")
        if cells.get(behind, "#") in "wkq":
            found |= set(taken)
    return found


def enclosed_and_left_behind(cells, start, end):
    """Kings are never enclosed; whoever stood beside where the turn began goes as well."""
    left = {p for p in neighbours(cells, end, start) if cells.get(p) != "K"}
    enclosed = custodial(cells, start, end, steps=STRAIGHT + ASLANT)
    return left | {p for p in enclosed if cells[p] != "K"}


def trapped(cells, _start, _end):
    """Whoever stands on a trap without a piece of his beside it."""
    found = set()
    for x, y in ((1, 2), (3, 2)):
        side = "wk" if cells[x, y] in "wk" else "bK"
        if cells[x, y] != "." and not any(cells[x + dx, y + dy] in side for dx, dy in STRAIGHT):
            found.add((x, y))
    return found


class Case(NamedTuple):
    """A turn of the first player, and the board that it leaves."""

    cells: str
    start: Square
    end: Square


def rows(equipment: Equipment, cases: list[Case]) -> Rows:
    grid = Grid(Geometry(equipment.board), {A: "identity", B: "identity"})
    return Rows(
        equipment,
        grid,
        [Ground(A, case.cells) for case in cases],
        [Walked({"start1": case.start, "end1": case.end}.get, lambda: ()) for case in cases],
    )


def cases_of(chance: random.Random, pieces, number: int) -> list[Case]:
    found = []
    board = Board(SIZE, SIZE)
    for _ in range(number):
        keys = ["."] * 6 + sorted(pieces) * 2
        cells = chance.choices(keys, k=SIZE * SIZE)
        start, end = chance.sample(board.squares, 2)
        if chance.random() < 0.5:
            near = [t for d in STRAIGHT + ASLANT if (t := board.step(start, *d)) is not None]
            end = chance.choice(near)
        cells[start], cells[end] = ".", "w"
        found.append(Case("".join(cells), start, end))
    return found


def places(row: Case) -> tuple[Grid2, tuple[int, int], tuple[int, int]]:
    cells = {(s % SIZE, s // SIZE): c for s, c in enumerate(row.cells)}
    return cells, (row.start % SIZE, row.start // SIZE), (row.end % SIZE, row.end // SIZE)


def wanted(rows: list[Case], squares) -> np.ndarray:
    found = np.zeros((len(rows), SIZE * SIZE), dtype=np.bool_)
    for values, row in zip(found, rows, strict=True):
        for x, y in squares(*places(row)):
            values[Square(y * SIZE + x)] = True
    return found


@pytest.mark.parametrize(
    ("squares", "pieces"),
    [
        (reversed_ones, STONES),
        (custodial, STONES),
        (custodial_on_files, STONES),
        (hostile_corners, STONES),
        (hostile_edge, STONES),
        (hostile_empty_centre, STONES),
        (hostile_places, STONES),
        (drowned, KINGS),
        (hostile_empty_places, STONES),
        (neighbours, STONES),
        (outnumbered, STONES),
        (approached, STONES),
        (without_air, STONES),
        (custodial, KINGS),
        (men_enclosed_and_kings_beside, KINGS),
        (trapped, KINGS),
        (reversed_without_kings, QUEENS),
        (enclosed_and_left_behind, KINGS),
    ],
    ids=lambda value: getattr(value, "__name__", "pieces"),
)
def test_what_changes_is_found_as_a_term_that_holds_on_other_boards(squares, pieces):
    chance = random.Random(1)
    equipment = Equipment(Board(SIZE, SIZE), (A, B), pieces)
    seen, others = cases_of(chance, pieces, 200), cases_of(chance, pieces, 400)

    found = describe(rows(equipment, seen), wanted(seen, squares))
    assert found is not None
    assert (rows(equipment, others).squares(found.term) == wanted(others, squares)).all()


def test_what_no_term_describes_is_not_found():
    """Chance decides; no term is made to fit."""
    chance = random.Random(2)
    equipment = Equipment(Board(SIZE, SIZE), (A, B), STONES)
    seen = cases_of(chance, STONES, 120)
    squares = np.array([[c == "b" and chance.random() < 0.2 for c in row.cells] for row in seen])

    at = rows(equipment, seen)
    found = describe(at, squares)
    assert found is None or at.squares(found.term).sum() < squares.sum() / 5


@pytest.mark.parametrize("seed", range(30))
def test_the_search_in_c_finds_what_the_one_in_python_finds(seed, monkeypatch):
    if Kernel("grl.logic", "intersections", 0).compiled is None:
        pytest.skip("there is no C compiler")
    chance = random.Random(seed)
    bits, ways = chance.choice([9, 64, 65, 200]), chance.choice([None, "orthogonal"])

    def drawn(number):
        """Sets of so many squares for a number of directions."""
        rows = [
            chance.getrandbits(bits).to_bytes(8 * -(-bits // 64), "little") for _ in range(number)
        ]
        return np.frombuffer(b"".join(rows), dtype=np.uint64).reshape(number, -1)

    everything = packed(np.ones((1, 1, bits), dtype=np.bool_))
    start = everything if ways is None else np.concatenate([everything, drawn(1), everything])
    target = joined(start) & drawn(1)[0] & drawn(1)[0]
    target[0] |= np.uint64(1)  # something is sought
    literals = []
    for term in chance.sample(sorted(words(Equipment(Board(3, 3), (A, B), STONES), 1)), 40):
        holds, directed = chance.random() < 0.7, ways is not None and chance.random() < 0.5
        sets = drawn(3 if directed else 1)
        if chance.random() < 0.6:
            sets = sets | target if holds else sets & ~target
        literals.append(Literal(term, holds, np.ascontiguousarray(sets)))
    ground = Literals(ways, start, sorted(literals, key=lambda each: each.price))
    outside = ~target & everything[0] & drawn(1)[0]
    found = []
    for worth in (1_000, 0):
        monkeypatch.setattr(intersections, "_KERNEL", Kernel("grl.logic", "intersections", worth))
        for steps, below in ((3_000, None), (3_000, 7.0), (9, None), (3_000, 1.0)):
            found.append(Search(ground, target, outside).run(steps, below))
    assert found[:4] == found[4:]
