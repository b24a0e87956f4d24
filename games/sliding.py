"""Sliding tiles: a tile next to the empty square slides there, until all are in order.

The tiles are in order when they are numbered row by row from the top left corner and the empty
square comes last. The game begins with that board turned half round, tile 1 nearly in the last
corner and the empty square in the first; where an odd permutation would make this unsolvable, as
it is on some boards that aren't square, tiles 1 and 2 have changed places.
"""

from __future__ import annotations

import random

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from .common import (
    ORTHOGONALS,
    check_option,
    make_equipment,
    not_over,
    position_of,
    step_text,
)

SOLVER = Player("solver")
KEYS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_SIDE = 6
ENDGAMES = 36
MOST_SLIDES = 6


class SlidingTiles(Game):
    """A game for one; 100 for the tiles in order. It ends no other way.

    Tiles are keyed `1` to `9`, then `A`, `B`, …, and each is of its own type.
    """

    def __init__(self, width: int, height: int) -> None:
        check_option(self.name, "width", width, 2, MAX_SIDE)
        check_option(self.name, "height", height, 2, MAX_SIDE)
        board = Board(width, height)
        tiles = KEYS[: board.size - 1]
        self.equipment = make_equipment(
            board,
            (SOLVER,),
            {key: (SOLVER, f"tile{number}") for number, key in enumerate(tiles, 1)},
        )
        solved = tiles + EMPTY
        self._solved = board.cells([solved[i : i + width] for i in range(0, board.size, width)])
        self.initial = position_of(self.equipment, _turned(self._solved, width, height), SOLVER)
        self._slides = [_slides(board, s) for s in board.squares]

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        cells = position.cells
        return [
            turn
            for empty, cell in enumerate(cells)
            if cell == EMPTY
            for tile, turn in self._slides[empty]
            if cells[tile] != EMPTY
        ]

    def is_terminal(self, position: Position) -> bool:
        return position.cells == self._solved

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        return {SOLVER: 100}

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        return "in order"

    def endgames(self) -> list[Position]:
        """Boards a few slides away from order."""
        chance = random.Random(15)
        found: dict[str, Position] = {}
        for number in range(ENDGAMES):
            cells = list(self._solved)
            before = -1
            for _ in range(1 + number % MOST_SLIDES):
                empty = cells.index(EMPTY)
                tile = chance.choice([tile for tile, _ in self._slides[empty] if tile != before])
                cells[empty], cells[tile] = cells[tile], EMPTY
                before = empty
            position = position_of(self.equipment, cells, SOLVER)
            if not self.is_terminal(position):
                found[position.cells] = position
        return list(found.values())


def _turned(solved: str, width: int, height: int) -> str:
    """The initial board.

    Turning exchanges half as many pairs as there are squares, and each slide exchanges one pair;
    the empty square's way from corner to corner settles whether their number is odd.
    """
    cells = solved[::-1]
    if (width * height // 2 - (width + height - 2)) % 2:
        cells = cells.translate(str.maketrans("12", "21"))
    return cells


def _slides(board: Board, empty: Square) -> list[tuple[Square, str]]:
    """For each neighbour of an empty square, the turn of the tile there."""
    slides = []
    for dx, dy in ORTHOGONALS:
        tile = board.step(empty, -dx, -dy)
        if tile is not None:
            slides.append((tile, board.names[tile] + step_text((dx, dy), "e")))
    return slides
