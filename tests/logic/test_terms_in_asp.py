"""Random terms: what is computed on columns is what clingo derives from the rules of operators."""

from __future__ import annotations

import math
import random
from itertools import product

import clingo
import numpy as np
import pytest
from clingo import SymbolType
from random_terms import Answers, random_term

from grl.board import Board, Equipment, Piece, Player, Square
from grl.logic.asp import NAMES, Writer
from grl.logic.contents import OWNERS, contents_of, keys_of
from grl.logic.geometry import Geometry
from grl.logic.grid import DIRECTIONS, Grid
from grl.logic.ops import OPERATORS
from grl.logic.rows import Ground, Rows, Walked
from grl.logic.terms import BACK, LAST_ROLES, LEVELS, ROLES, SCALES, Sort, words_of

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
ROUND = Board(
    4,
    4,
    links=frozenset(
        (Square(4 * y + x), Square(4 * (y + dy) + (x + dx) % 4))
        for y in range(4)
        for x in range(4)
        for dx, dy in ((1, 0), (-1, 0), (1, 1), (-1, -1))
        if 0 <= y + dy < 4
    ),
)
"""A cylinder: the last file is beside the first one."""
PERSPECTIVES = {A: "identity", B: "turn"}
Function = SymbolType.Function
EVERY = 400
"""Terms of a program."""


class Facts:
    """Boards ``G`` and turns ``R`` on them as facts: what lies where, and the squares of turns."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.defined: dict[str, str] = {}

    def facts(self) -> str:
        """What is known of the rows."""
        found = []
        players = self.rows.equipment.players
        board = self.rows.equipment.board
        for number, ground in enumerate(self.rows.grounds):
            found += [f"ground({number}). stirred({number},none)."]
            found += [f"stirred({number},{square})." for square in ground.moved]
            for back in BACK:
                squares = ground.last(back).items()
                found += [f'before({number},"{role}",{back},{s}).' for role, s in squares]
            for content in words_of(Sort.CONTENT, self.rows.equipment):
                keys = keys_of(self.rows.equipment, ground.mover, content)
                found += [
                    f'lies({number},{square},"{content}").'
                    for square, key in enumerate(ground.cells)
                    if key in keys
                ]
            for seat, level in product(range(len(players)), LEVELS):
                changed, ended = ground.asked.touched(seat, level)
                for sort, squares in (("threatened", changed), ("reachable", ended)):
                    found += [
                        f"{sort}({number},{seat},{level},{square})."
                        for square in np.flatnonzero(squares).tolist()
                    ]
            for seat, scale in product(range(len(players)), (*SCALES, "ring")):
                player = players[(players.index(ground.mover) + seat) % len(players)]
                numbers = seen(board, PERSPECTIVES[player], scale)
                found += [f"{scale}({number},{seat},{s},{numbers[s]})." for s in board.squares]
        for number, (turn, parent) in enumerate(
            zip(self.rows.turns, self.rows.parent, strict=True)
        ):
            found += [f"row({parent},{number})."]
            found += [
                f'role({parent},{number},"{role}",{turn.square(role)}).'
                for role in ROLES
                if turn.square(role) is not None
            ]
            found += [f"passes({parent},{number},{square})." for square in turn.path()]
            twice = {square for square in turn.path() if turn.path().count(square) > 1}
            found += [f"passes_twice({parent},{number},{square})." for square in twice]
            found += [f"removes({parent},{number},{square})." for square in turn.taken()]
        found += [f"square({s},{s % board.width},{s // board.width})." for s in board.squares]
        defined = ("passes/3", "passes_twice/3", "removes/3", "role/4", "before/3")
        return "\n".join([*found, *(f"#defined {each}." for each in defined)])

    def row(self, of_turn: bool) -> str:
        return "G,R" if of_turn else "G"

    def given(self, row: str) -> str:
        return "row(G,R)" if row == "G,R" else "ground(G)"

    def holds(self, square: str, content: str) -> str:
        return f'lies(G,{square},"{content}")'

    def role(self, role: str, square: str) -> str:
        return f'role(G,R,"{role}",{square})'

    def last(self, role: str, back: int, square: str) -> str:
        return f'before(G,"{role}",{back},{square})'

    def moved(self, square: str) -> str:
        return f"stirred(G,{square}), {square} != none"

    def path(self, head, *, twice: bool = False) -> str:
        return f"{head('S')} :- {'passes_twice' if twice else 'passes'}(G,R,S)."

    def taken(self, head) -> str:
        return f"{head('S')} :- removes(G,R,S)."

    def touched(self, head, sort: str, seat: int, level: int) -> str:
        return f"{head('S')} :- {sort}(G,{seat},{level},S)."

    def numbered(self, seat: int, square: str, scale: str, number: str) -> str:
        return f"{scale}(G,{seat},{square},{number})"

    def cell(self, square: str, file: int | str | None, rank: int | str | None) -> str:
        places = (n - 1 if isinstance(n, int) else n for n in (file, rank))
        x, y = ("_" if place is None else place for place in places)
        return f"square({square},{x},{y})"

    def shifted(self, view: str, dx: int, dy: int, one: str = "S", other: str = "T") -> str:
        if view == "seen":
            there = f"file(G,0,{other},X+{dx}), rank(G,0,{other},Y+{dy})"
            return f"file(G,0,{one},X), rank(G,0,{one},Y), {there}"
        return f"square({one},X,Y), square({other},X+{dx},Y+{dy})"

    def bearing(self) -> str:
        lowest = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if math.gcd(x, y) == 1]
        rules = " ".join(f"lowest({x},{y})." for x, y in lowest)
        there = "square(T,A+X*N,B+Y*N)"
        rules += f" bearing(S,T,X,Y) :- lowest(X,Y), N = 1..3, square(S,A,B), {there}."
        return self.define("bearing", "", rules)

    def tally(self, name: str, key: str, domain: str, counted: str) -> str:
        return self.define(name, "", f"{name}({key},N) :- {domain}, N = #count{{S : {counted}}}.")

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
        ranks = [[s % 4 for s in board.squares if s // 4 == y] for y in (0, 3)]
        inside = {
            "corner": lambda x, y: y in ends[1] and x in (ranks[y > 0][0], ranks[y > 0][-1]),
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
            if board is ROUND and dx:
                beside = {3: 0}.get if dx > 0 else {0: 3}.get
                facts += [
                    f"way({name},{s},{t})."
                    for s in board.squares
                    if (x := beside(s % 4)) is not None
                    and (t := 4 * (s // 4 + dy) + x) in range(16)
                    and (s, t) in board.links
                ]
        return self.define("way", "", " ".join(facts))

    def define(self, name: str, _comment: str, rules: str) -> str:
        self.defined[name] = rules
        return name


def seen(board: Board, perspective: str, scale: str) -> list[int]:
    """Files, ranks, diagonals, rings, colours or wings of all squares, as a player sees them."""
    found = []
    for square in range(board.size):
        y, x = divmod(square, board.width)
        away = min(x, y, board.width - 1 - x, board.height - 1 - y)
        if perspective == "turn":
            x, y = board.width - 1 - x, board.height - 1 - y
        # Diagonals are counted by how far along an edge they begin.
        rising = board.height - 1 - y + x
        wing = int(abs(x - (board.width - 1) / 2))
        numbers = {"file": x, "rank": y, "rising": rising, "falling": y + x, "wing": wing}
        found.append({**numbers, "ring": away, "colour": (x + y) % 2}[scale] + 1)
    return found


def random_rows(chance: random.Random, board: Board, number: int) -> Rows:
    equipment = Equipment(board, (A, B), PIECES)
    grounds, turns, parent = [], [], []
    for _ in range(number):
        cells = chance.choices(".mMkx", (6, 3, 3, 2, 1), k=board.size)
        for hole in board.holes:
            cells[hole] = "#"
        moved = frozenset(chance.sample(board.squares, 5))
        lasts = [
            dict(zip(LAST_ROLES, chance.choices(board.squares, k=2), strict=True))
            if chance.random() < 0.7
            else {}
            for _ in BACK
        ]
        grounds.append(
            Ground(
                chance.choice((A, B)),
                "".join(cells),
                moved,
                lambda back, lasts=lasts: lasts[back],
                Answers(chance, board),
            )
        )
    for at in [*range(number), *chance.choices(range(number), k=number)]:
        start, end = chance.choices(board.squares, k=2)
        if chance.random() < 0.6:
            ahead = [t for d in DIRECTIONS if (t := board.step(start, *d)) is not None]
            end = chance.choice(ahead or [end])
        squares = {"start1": start, "end1": end}
        if chance.random() < 0.5:
            squares |= {"start2": end, "end2": chance.choice(board.squares)}
        if chance.random() < 0.5:
            squares["taken"] = chance.choice(board.squares)
        path = chance.sample(board.squares, chance.randint(0, 3))
        path += chance.sample(path, chance.randint(0, len(path)))
        taken = chance.sample(board.squares, min(len(board.squares), chance.randint(0, 2)))
        turns.append(Walked(squares.get, lambda p=path: p, lambda t=taken: t))
        parent.append(at)
    grid = Grid(Geometry(board), PERSPECTIVES)
    return Rows(equipment, grid, grounds, turns, np.array(parent))


def derived(rows: Rows, terms) -> dict[str, set[tuple[int, ...]]]:
    """What clingo derives of every term: rows, squares and, of directed ones, directions."""
    facts = Facts(rows)
    writer = Writer(facts, "set")
    names = [writer.define(term).name for term in terms]
    shown = [f"#show {name}/{n}." for name in names for n in (2, 3, 4)]
    program = "\n".join([facts.facts(), writer.text(), *facts.defined.values(), *shown])
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    found: dict[str, set[tuple[int, ...]]] = {name: set() for name in names}
    directions = {name: number for number, name in enumerate(NAMES)}

    def keep(model: clingo.Model) -> None:
        for atom in model.symbols(shown=True):
            *at, square = atom.arguments
            way = [directions[at.pop().name]] if at[-1].type is Function else []
            found[atom.name].add((at[-1].number, *way, square.number))

    assert control.solve(on_model=keep).satisfiable
    return {str(term): found[name] for term, name in zip(terms, names, strict=True)}


@pytest.mark.parametrize("seed", range(10))
def test_columns_and_clingo_agree_on_random_terms(seed):
    """Ten programs, 4,000 terms."""
    chance = random.Random(seed)
    rows = random_rows(chance, {0: LINKED, 2: ROUND}.get(seed % 4, PLAIN), 4)
    terms = {
        str(term): term for term in (random_term(chance, rows.equipment, 4) for _ in range(EVERY))
    }

    some = 0
    for name, told in derived(rows, list(terms.values())).items():
        term = terms[name]
        value = whole = rows.full(term)
        if not term.of_turn:
            value = value[[list(rows.parent).index(g) for g in range(len(rows.grounds))]]
        if term.directed:
            value = np.broadcast_to(value, (len(value), len(DIRECTIONS), rows.grid.size))
            found = set(map(tuple, np.argwhere(value).tolist()))
        else:
            found = set(map(tuple, np.argwhere(value[:, 0]).tolist()))
        assert found == told, name
        some += bool(found)
        if not term.directed:
            assert (rows.some(term) == whole.any(axis=(1, 2))).all(), name
            assert (rows.size(term) == whole.sum(axis=(1, 2))).all(), name
    assert some > EVERY // 4


def test_every_operator_is_among_the_random_terms():
    chance = random.Random(0)
    equipment = Equipment(PLAIN, (A, B), PIECES)
    met = {
        part.operator.name for _ in range(500) for part in random_term(chance, equipment, 4).terms()
    }
    assert met == {name for name, operator in OPERATORS.items() if not operator.counts}
    assert {content.partition(":")[0] for content in contents_of(equipment)} == {"empty", *OWNERS}
