"""The knight's tour on 5 x 5 squares, for one: no square is visited twice."""

from __future__ import annotations

from random import Random

from classical_rules import NEAR, STARTS, Classical, Direction, appears, free, step, ways

from grl.board import EMPTY, Board, Player, Position, Square

SOLVER = Player("solver")
SIZE = 5
KNIGHT, VISITED = "n", "x"
LEAPS: tuple[Direction, ...] = tuple(
    (x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if x * x != y * y
)


class KnightsTour(Classical):
    """The first turn puts a knight on any square of an empty board. From then on each turn moves
    it, as in chess, to a square that it has not visited; the one that it leaves is marked as
    visited. The game ends when it has no such square. The puzzle is solved if the knight has been
    on all squares; each square that it has been on, the one where it stands too, counts 4 of 100
    points."""

    name = "knights-tour"
    provenance = "al-Adli and Euler, an open tour from any square; 5 x 5, a part counts in part"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces: dict[str, tuple[Player | None, str]] = {
            KNIGHT: (SOLVER, "knight"),
            VISITED: (None, "visited"),
        }
        self.set_up(board, pieces, [EMPTY * SIZE] * SIZE, (SOLVER,))
        self._leaps = ways(board, LEAPS)

    def turns(self, position: Position) -> list[str]:
        cells, names = position.cells, position.board.names
        square = cells.find(KNIGHT)
        if square < 0:
            return [names[s] + appears(KNIGHT) for s in free(position)]
        mark = f"; {names[square]}{appears(VISITED)}"
        return [
            names[square] + step(way, "e") + mark
            for way, to in self._leaps[square]
            if cells[to] == EMPTY
        ]

    def stuck(self, position: Position) -> dict[Player, int]:
        seen = len(position.cells) - position.cells.count(EMPTY)
        return {SOLVER: 100 * seen // len(position.cells)}

    def endgames(self) -> list[Position]:
        """Random play makes no whole tour: half of the positions lie in one, near its end."""
        chance, found = Random(self.name), dict[object, Position]()
        board = self.equipment.board
        while len(found) < STARTS:
            tour = self._tour([chance.choice(board.squares)], chance)
            seen = tour[: len(tour) - 1 - len(found) % NEAR]
            keys = dict.fromkeys(seen, VISITED) | {seen[-1]: KNIGHT}
            cells = "".join(keys.get(s, EMPTY) for s in board.squares)
            if len(tour) == board.size:
                position = self.position(board.rows(cells), SOLVER)
                found[position.outcome] = position
        return [*super().endgames(), *found.values()]

    def _tour(self, way: list[Square], chance: Random) -> list[Square]:
        """A tour that goes on with squares from which few are left; it may not be whole."""
        while near := [to for _, to in self._leaps[way[-1]] if to not in way]:
            left = {to: sum(t not in way for _, t in self._leaps[to]) for to in near}
            way = [*way, min(near, key=lambda to: (left[to], chance.random()))]
        return way
