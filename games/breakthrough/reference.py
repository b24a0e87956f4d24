"""Breakthrough: pawns step forward or diagonally forward and capture only diagonally.

Who brings a pawn to the far rank, or captures every opposing pawn, wins. A draw can't happen:
the foremost pawn of a side always has a diagonal step, since no own pawn is ahead of it.
"""

from __future__ import annotations

import random

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    BLACK,
    WHITE,
    check_option,
    make_equipment,
    not_over,
    position_of,
    shared_goals,
    step_text,
)

KEYS = {WHITE: "w", BLACK: "b"}
FORWARD = {WHITE: 1, BLACK: -1}
ENDGAMES = 160
MOST_EXTRA = 3

Steps = list[tuple[Square, str, str]]
"""Target, turn onto an empty square, turn that captures ("" where there is none)."""


class Breakthrough(Game):
    """White's pawns `w` start on the two lowest ranks, black's `b` on the two highest."""

    name = "breakthrough"
    provenance = "Dan Troyka, 2000; winner of the 2001 8x8 Game Design Competition"

    def __init__(self, width: int = 8, height: int = 8) -> None:
        check_option(self.name, "width", width, 2)
        check_option(self.name, "height", height, 4)
        board = Board(width, height)
        self.equipment = make_equipment(
            board, tuple(KEYS), {key: (player, "pawn") for player, key in KEYS.items()}
        )
        rows = "w" * 2 * width, EMPTY * (height - 4) * width, "b" * 2 * width
        self.initial = position_of(self.equipment, "".join(rows), WHITE)
        self._steps = {
            player: [_steps(board, Square(s), FORWARD[player]) for s in range(board.size)]
            for player in KEYS
        }

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        cells = position.cells
        steps = self._steps[position.to_move]
        own = KEYS[position.to_move]
        turns = []
        for square, cell in enumerate(cells):
            if cell == own:
                for target, quiet, capture in steps[square]:
                    there = cells[target]
                    if there == EMPTY:
                        turns.append(quiet)
                    elif capture and there != own:
                        turns.append(capture)
        return turns

    def is_terminal(self, position: Position) -> bool:
        return self._won(position, WHITE) or self._won(position, BLACK)

    def goals(self, position: Position) -> dict[Player, int]:
        won = [player for player in KEYS if self._won(position, player)]
        if not won:
            raise not_over(position)
        return shared_goals(tuple(KEYS), won[0] if len(won) == 1 else None)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        return "far rank" if all(key in position.cells for key in KEYS.values()) else "no pawn left"

    def endgames(self) -> list[Position]:
        """Few pawns that stand in contact, so that the last pawn of a side is often captured."""
        board = self.equipment.board
        inner = range(board.width, board.size - board.width)
        chance = random.Random(8)
        found: dict[object, Position] = {}
        for number in range(ENDGAMES):
            cells = [EMPTY] * board.size
            x, y = chance.randrange(board.width), chance.randrange(1, board.height - 2)
            side = 1 if x == 0 else -1 if x == board.width - 1 else chance.choice((-1, 1))
            cells[y * board.width + x] = "w"
            cells[(y + 1) * board.width + x + side] = "b"
            free = [s for s in inner if cells[s] == EMPTY]
            for square in chance.sample(free, min(number % (MOST_EXTRA + 1), len(free))):
                cells[square] = chance.choice("wb")
            position = position_of(self.equipment, cells, chance.choice((WHITE, BLACK)))
            found[position.outcome] = position
        return list(found.values())

    def _won(self, position: Position, player: Player) -> bool:
        cells = position.cells
        width = position.board.width
        if player == WHITE:
            return "w" in cells[-width:] or "b" not in cells
        return "b" in cells[:width] or "w" not in cells


def _steps(board: Board, square: Square, forward: int) -> Steps:
    steps = []
    for dx in (-1, 0, 1):
        target = board.step(square, dx, forward)
        if target is not None:
            name = board.names[square]
            capture = name + step_text((dx, forward), "p") if dx else ""
            steps.append((target, name + step_text((dx, forward), "e"), capture))
    return steps
