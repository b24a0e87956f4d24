"""Adugo of the Bororo: a jaguar against fourteen dogs."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from classical_rules import (
    ALL,
    REMOVED,
    STARTS,
    Classical,
    Direction,
    alquerque,
    changed,
    distinct,
    step,
)

from grl.board import EMPTY, HOLE, Board, Player, Position, Square

JAGUAR, DOGS = Player("jaguar"), Player("dogs")
KEYS = {JAGUAR: "j", DOGS: "d"}
ROWS = ("ddddd", "ddddd", "ddjdd", ".....", ".....", "#...#", ".#.#.")
LINES = "c3 b2 a1,c3 c2 c1,c3 d2 e1,b2 c2 d2,a1 c1 e1"
"""The lines of the triangle; a line of the alquerque board goes on along three of them."""
NUMBER, ENOUGH = 14, 5


class Adugo(Classical):
    """The alquerque board with a triangle of six points below its lowest middle point. All pieces
    step along a line to an empty point beside them, in any direction. The jaguar, who begins, jumps
    straight along a line over a dog onto the empty point behind it and takes it; he must, if he
    can, and must go on as long as he can, one way or another. Five dogs taken win for him; a jaguar
    who can't move has lost, and so have dogs."""

    name = "adugo"
    provenance = "the rules of adugogame.com, without their limit of 27 moves"

    def __init__(self) -> None:
        plain = Board(5, 7)
        holes = frozenset(s for s in plain.squares if "".join(reversed(ROWS))[s] == HOLE)
        pairs = {
            (s, to)
            for s in plain.squares
            for way in alquerque(s % 5, s // 5)
            if s // 5 > 1 and (to := plain.step(s, *way)) is not None and to // 5 > 1
        }
        for line in LINES.split(","):
            a, b, c = map(plain.square, line.split())
            pairs |= {(a, b), (b, a), (b, c), (c, b)}
        board = Board(5, 7, holes, frozenset(pairs))
        pieces = {"j": (JAGUAR, "jaguar"), "d": (DOGS, "dog")}
        self.set_up(board, pieces, ROWS, (JAGUAR, DOGS))
        ways: tuple[Direction, ...] = (*ALL, (2, 0), (-2, 0))
        self._near = [
            [
                (way, to, board.step(to, *way))
                for way in ways
                if (to := board.step(s, *way)) is not None
            ]
            for s in map(Square, range(board.size))
        ]

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        men = [s for s in position.board.squares if cells[s] == own]
        if own == "j":
            jumps = [names[s] + text for s in men for text in self._jumps(cells, s) if text]
            if jumps:
                return distinct(position, jumps)
        steps = ((s, way) for s in men for way, to, _ in self._near[s] if cells[to] == EMPTY)
        return [names[s] + step(way, "e") for s, way in steps]

    def decided(self, position: Position) -> dict[Player, int] | None:
        return self.won(JAGUAR) if position.cells.count("d") <= NUMBER - ENOUGH else None

    def endgames(self) -> list[Position]:
        """Random play seldom shuts the jaguar in: half of the positions let the dogs do that."""
        chance = Random(self.name)
        board = self.equipment.board
        bare = "".join(HOLE if s in board.holes else EMPTY for s in range(board.size))
        found: dict[object, Position] = {}
        while len(found) < STARTS:
            jaguar = chance.choice(board.squares)
            near = sorted(board.squares, key=lambda s: _distance(s, jaguar) + 2 * chance.random())
            dogs = [s for s in near if s != jaguar][: chance.randint(NUMBER - ENOUGH + 1, NUMBER)]
            cells = changed(bare, dict.fromkeys(dogs, "d") | {jaguar: "j"})
            position = self.position(board.rows(cells), DOGS)
            if any(self.is_terminal(self.play(position, turn)) for turn in self.legal(position)):
                found[position.outcome] = position
        return [*super().endgames(), *found.values()]

    def _jumps(self, cells: str, square: Square) -> Iterator[str]:
        """The letters of the jumps from a square, as far as they lead; none where there is none."""
        ended = True
        for way, over, to in self._near[square]:
            if to is not None and cells[over] == "d" and cells[to] == EMPTY:
                ended = False
                after = changed(cells, {square: EMPTY, over: EMPTY, to: "j"})
                for more in self._jumps(after, to):
                    yield step(way, "p") + REMOVED + step(way, "e") + more
        if ended:
            yield ""


def _distance(one: int, other: int) -> int:
    return max(abs(one % 5 - other % 5), abs(one // 5 - other // 5))
