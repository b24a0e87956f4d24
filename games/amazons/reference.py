"""The Game of the Amazons: a queen moves, then shoots an arrow that blocks a square for good.

Who has no turn left loses. The board may have any size; the queens stand a third of the way
along the edges: with ``d = (side - 1) // 3``, white's on the lowest rank `d` files from both
corners and on both outer files `d` ranks up, black's opposite. For 10 x 10 that is the published
position, for 6 x 6 and 8 x 8 the one that OpenSpiel uses.
"""

from __future__ import annotations

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    BLACK,
    DIAGONALS,
    ORTHOGONALS,
    WHITE,
    appear_text,
    check_option,
    make_equipment,
    not_over,
    position_of,
    ray,
    shared_goals,
    step_text,
)

KEYS = {WHITE: "q", BLACK: "Q"}
ARROW = "x"

Rays = list[list[tuple[Square, str]]]
"""By direction, the squares outwards with the letters that lead there."""


class Amazons(Game):
    """White's queens are `q`, black's `Q`, the arrows `x` are nobody's; white begins."""

    name = "amazons"
    provenance = "Walter Zamkauskas, 1988; rules as in the Computer Olympiads since 2000"

    def __init__(self, width: int = 10, height: int = 10) -> None:
        check_option(self.name, "width", width, 4)
        check_option(self.name, "height", height, 4)
        board = Board(width, height)
        self.equipment = make_equipment(
            board,
            tuple(KEYS),
            {"q": (WHITE, "queen"), "Q": (BLACK, "queen"), ARROW: (None, "arrow")},
        )
        self.initial = position_of(self.equipment, _start(width, height), WHITE)
        self._moves = [_rays(board, Square(s), "") for s in range(board.size)]
        self._shots = [_rays(board, Square(s), appear_text(ARROW)) for s in range(board.size)]
        self._near = [[line[0][0] for line in rays] for rays in self._moves]

    def legal(self, position: Position) -> list[str]:
        cells = position.cells
        own = KEYS[position.to_move]
        names = position.board.names
        free = [cell == EMPTY for cell in cells]
        shots = self._shots
        turns: list[str] = []
        for square, cell in enumerate(cells):
            if cell != own:
                continue
            free[square] = True
            for line in self._moves[square]:
                for target, steps in line:
                    if not free[target]:
                        break
                    moved = names[square] + steps
                    for flight in shots[target]:
                        for end, shot in flight:
                            if not free[end]:
                                break
                            turns.append(moved + shot)
            free[square] = False
        return turns

    def is_terminal(self, position: Position) -> bool:
        """Whether no queen of the player to move can step; after a step a shot back always fits."""
        cells = position.cells
        own = KEYS[position.to_move]
        return not any(
            cells[target] == EMPTY
            for square, cell in enumerate(cells)
            if cell == own
            for target in self._near[square]
        )

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        return shared_goals(tuple(KEYS), self.equipment.next_player(position.to_move))

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        return "no turn"


def _start(width: int, height: int) -> list[str]:
    dx, dy = (width - 1) // 3, (height - 1) // 3
    cells = [EMPTY] * (width * height)
    for x, y in ((dx, 0), (width - 1 - dx, 0), (0, dy), (width - 1, dy)):
        cells[y * width + x] = KEYS[WHITE]
        cells[(height - 1 - y) * width + x] = KEYS[BLACK]
    return cells


def _rays(board: Board, square: Square, before: str) -> Rays:
    rays = []
    for direction in ORTHOGONALS + DIAGONALS:
        letter = step_text(direction, "e")
        line = ray(board, square, direction)
        if line:
            rays.append([(target, before + letter * n) for n, target in enumerate(line, 1)])
    return rays
