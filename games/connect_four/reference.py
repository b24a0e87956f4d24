"""Connect Four: discs fall to the lowest empty square of a column; a line of four wins.

Width, height and length of the line are options, as in the generalised game.
"""

from __future__ import annotations

import random

from grl.board import EMPTY, Board, Player, Position
from grl.games import Game

from ..common import (
    BLACK,
    WHITE,
    appear_text,
    check_option,
    make_equipment,
    not_over,
    position_of,
    shared_goals,
)
from ..lines import Lines

KEYS = {WHITE: "x", BLACK: "o"}
ENDGAMES = 100
MOST_SQUARES = 40_000
LAST_EMPTY = 8


class ConnectFour(Game):
    """White's stones are `x`, black's `o`; white begins."""

    name = "connect-four"
    provenance = (
        "Howard Wexler and Ned Strongin, published by Milton Bradley in 1974; "
        "rules as in James D. Allen, The Complete Book of Connect 4"
    )

    def __init__(self, width: int = 7, height: int = 6, line: int = 4) -> None:
        check_option(self.name, "width", width, 1)
        check_option(self.name, "height", height, 1)
        check_option(self.name, "line", line, 2, max(width, height, 2))
        board = Board(width, height)
        self.equipment = make_equipment(
            board, tuple(KEYS), {key: (player, "stone") for player, key in KEYS.items()}
        )
        self.initial = position_of(self.equipment, EMPTY * board.size, WHITE)
        self._lines = Lines(board, line, KEYS.values())
        self._texts = {
            player: [
                [board.names[y * width + x] + appear_text(key) for y in range(height)]
                for x in range(width)
            ]
            for player, key in KEYS.items()
        }

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        cells = position.cells
        width = self.equipment.board.width
        turns = []
        for x, texts in enumerate(self._texts[position.to_move]):
            y = cells[x::width].find(EMPTY)
            if y >= 0:
                turns.append(texts[y])
        return turns

    def is_terminal(self, position: Position) -> bool:
        cells = position.cells
        return EMPTY not in cells or self._lines.made(cells, "x") or self._lines.made(cells, "o")

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        made = [player for player, key in KEYS.items() if self._lines.made(position.cells, key)]
        return shared_goals(tuple(KEYS), made[0] if len(made) == 1 else None)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        made = any(self._lines.made(position.cells, key) for key in KEYS.values())
        return "line" if made else "board full"

    def endgames(self) -> list[Position]:
        """Nearly full boards without a line, from which many games end in a draw.

        They come out of playouts in which nobody completes a line while anything else is left;
        where such playouts never fill the board there are none.
        """
        chance = random.Random(4)
        found: dict[str, Position] = {}
        for _ in range(MOST_SQUARES // self.equipment.board.size):
            if len(found) == ENDGAMES:
                break
            position = self._filled(chance, chance.randint(1, LAST_EMPTY))
            if position is not None:
                found[position.cells] = position
        return list(found.values())

    def _filled(self, chance: random.Random, empty: int) -> Position | None:
        """A position with at most `empty` empty squares and no line, or None."""
        width = self.equipment.board.width
        cells = self.initial.cells
        mover = WHITE
        while cells.count(EMPTY) > empty:
            options = []
            for x in range(width):
                y = cells[x::width].find(EMPTY)
                if y >= 0:
                    at = y * width + x
                    after = cells[:at] + KEYS[mover] + cells[at + 1 :]
                    if not self._lines.made(after, KEYS[mover]):
                        options.append(after)
            if not options:
                return None
            cells = chance.choice(options)
            mover = self.equipment.next_player(mover)
        return position_of(self.equipment, cells, mover)
