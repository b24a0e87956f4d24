"""Random terms: what is computed on columns is what clingo derives from the rules of operators."""

from __future__ import annotations

import random

import clingo
import numpy as np
import pytest

from grl.board import Board, Equipment, Piece, Player, Square
from grl.logic.asp import NAMES, Writer
from grl.logic.ops import OPERATORS
from grl.logic.rows import DIRECTIONS, Grid, Row, Rows, keys_of
from grl.logic.terms import OWNERS, Sort, contents_of, make, words_of

A, B = Player("a"), Player("b")
PIECES = {
    "m": Piece("m", A, "man"),
    "M": Piece("M", B, "man"),
    "k": Piece("k", A, "king"),
    "x": Piece("x", None, "stone"),
}
PLAIN = Board(4, 4, frozenset({Square(6)}))
LINKED = Board(
    4,
    4,
    links=frozenset(
        (Square(s), t)
        for s in range(16)
        for d in ((1, 0), (0, 1), (-1, 0), (1, 1))
        if (t := Board(4, 4).step(Square(s), *d)) is not None and (s * 7 + t) % 5
    ),
)
EVERY = 400
"""Terms of a program."""


class Facts:
    """Rows as facts ``lies(R,S,C)``, ``starts(R,S)``, ``stops(R,S)``, ``passes(R,S)``."""

    row = "R"

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.defined: dict[str, str] = {}

    def facts(self) -> str:
        """What is known of the rows."""
        found = []
        for number, row in enumerate(self.rows.rows):
            found += [f"starts({number},{row.start}).", f"stops({number},{row.end})."]
            found += [f"passes({number},{square})." for square in row.path()]
            for content in contents_of(self.rows.equipment):
                keys = keys_of(self.rows.equipment, row.mover, content)
                found += [
                    f'lies({number},{square},"{content}").'
                    for square, key in enumerate(row.cells)
                    if key in keys
                ]
        board = self.rows.equipment.board
        found += [f"row({number})." for number in range(len(self.rows))]
        found += [f"square({s},{s % board.width},{s // board.width})." for s in board.squares]
        return "\n".join([*found, "#defined passes/2."])

    def given(self) -> str:
        return "row(R)"

    def holds(self, square: str, content: str) -> str:
        return f'lies(R,{square},"{content}")'

    def start(self, square: str) -> str:
        return f"starts(R,{square})"

    def end(self, square: str) -> str:
        return f"stops(R,{square})"

    def path(self, head) -> str:
        return f"{head('S')} :- passes(R,S)."

    def near(self, nearness: str) -> str:
        board = self.rows.equipment.board
        offsets = {
            "orthogonal": "(0,1;0,-1;1,0;-1,0)",
            "around": "(0,1;0,-1;1,0;-1,0;1,1;1,-1;-1,1;-1,-1)",
            "rising": "(0,1;0,-1;1,0;-1,0;1,1;-1,-1)",
            "falling": "(0,1;0,-1;1,0;-1,0;1,-1;-1,1)",
        }
        name = f"near_{nearness}"
        if nearness == "links":
            rules = " ".join(f"{name}({a},{b})." for a, b in sorted(board.links or ()))
        else:
            rules = f"{name}(S,T) :- square(S,X,Y), square(T,X+A,Y+B), {nearness}(A,B).\n"
            rules += f"{nearness}{offsets[nearness]}."
        return self.define(name, "", rules)

    def zone(self, zone: str) -> str:
        board, ends = self.rows.equipment.board, {1: (0, 3), 0: (1, 2)}
        inside = {
            "corner": lambda x, y: x in ends[1] and y in ends[1],
            "edge": lambda x, y: x in ends[1] or y in ends[1],
            "centre": lambda x, y: x in ends[0] and y in ends[0],
        }[zone]
        squares = [s for s in board.squares if inside(s % 4, s // 4)]
        return self.define(f"zone_{zone}", "", " ".join(f"zone_{zone}({s})." for s in squares))

    def line(self) -> str:
        board, facts = self.rows.equipment.board, []
        for name, (dx, dy) in zip(NAMES, DIRECTIONS, strict=True):
            facts += [
                f"way({name},{s},{t})."
                for s in board.squares
                if (t := board.step(s, dx, dy)) is not None
            ]
        return self.define("way", "", " ".join(facts))

    def define(self, name: str, _comment: str, rules: str) -> str:
        self.defined[name] = rules
        return name


def random_term(chance: random.Random, equipment: Equipment, depth: int):
    """A term with every operator as likely as another where it may stand."""
    fitting = [
        operator
        for operator in OPERATORS.values()
        if depth > 0 or Sort.SQUARES not in operator.takes
    ]
    operator = chance.choice(fitting)
    arguments = [
        random_term(chance, equipment, depth - 1)
        if sort is Sort.SQUARES
        else chance.choice(words_of(sort, equipment))
        for sort in operator.takes
    ]
    return make(operator, *arguments)


def random_rows(chance: random.Random, board: Board, number: int) -> Rows:
    equipment = Equipment(board, (A, B), PIECES)
    rows = []
    for _ in range(number):
        cells = chance.choices(".mMkx", (6, 3, 3, 2, 1), k=board.size)
        for hole in board.holes:
            cells[hole] = "#"
        start, end = chance.choices(board.squares, k=2)
        if chance.random() < 0.6:
            ahead = [t for d in DIRECTIONS if (t := board.step(start, *d)) is not None]
            end = chance.choice(ahead or [end])
        path = chance.sample(board.squares, chance.randint(0, 3))
        rows.append(Row(chance.choice((A, B)), "".join(cells), start, end, lambda p=path: p))
    return Rows(equipment, Grid(board), rows)


def derived(rows: Rows, terms) -> dict[str, set[tuple[int, ...]]]:
    """What clingo derives of every term: rows, squares and, of directed ones, directions."""
    facts = Facts(rows)
    writer = Writer(facts, "set")
    names = [writer.define(term).name for term in terms]
    program = "\n".join([facts.facts(), writer.text(), *facts.defined.values()])
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    found: dict[str, set[tuple[int, ...]]] = {name: set() for name in names}
    directions = {name: number for number, name in enumerate(NAMES)}

    def keep(model: clingo.Model) -> None:
        for atom in model.symbols(atoms=True):
            if atom.name in found:
                row, *way, square = atom.arguments
                at = [directions[each.name] for each in way]
                found[atom.name].add((row.number, *at, square.number))

    assert control.solve(on_model=keep).satisfiable
    return {str(term): found[name] for term, name in zip(terms, names, strict=True)}


@pytest.mark.parametrize("seed", range(25))
def test_columns_and_clingo_agree_on_random_terms(seed):
    """Twenty-five programs, 10,000 terms."""
    chance = random.Random(seed)
    rows = random_rows(chance, LINKED if seed % 4 == 0 else PLAIN, 4)
    terms = list({random_term(chance, rows.equipment, 4): None for _ in range(EVERY)})

    some = 0
    for name, told in derived(rows, terms).items():
        term = next(t for t in terms if str(t) == name)
        value = rows.value(term)
        if term.directed:
            value = np.broadcast_to(value, (4, len(DIRECTIONS), rows.grid.size))
            found = set(map(tuple, np.argwhere(value).tolist()))
        else:
            found = set(map(tuple, np.argwhere(value[:, 0]).tolist()))
        assert found == told, name
        some += bool(found)
    assert some > EVERY // 4


def test_every_operator_is_among_the_random_terms():
    chance = random.Random(0)
    equipment = Equipment(PLAIN, (A, B), PIECES)
    met = {
        part.operator.name for _ in range(500) for part in random_term(chance, equipment, 4).terms()
    }
    assert met == set(OPERATORS)
    assert {content.partition(":")[0] for content in contents_of(equipment)} == {"empty", *OWNERS}
