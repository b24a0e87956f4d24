"""Straight lines of equal pieces, found with whole-board bit operations.

A board becomes one integer with a bit a square, the first square highest, so that a shift to the
left by ``dy * width + dx`` brings the neighbour in direction (dx, dy) onto each square. The start
masks hold the squares from which a line stays on the board.
"""

from __future__ import annotations

from collections.abc import Iterable

from grl.board import EMPTY, Board, Square

from .common import Direction

LINE_DIRECTIONS: tuple[Direction, ...] = ((1, 0), (0, 1), (1, 1), (-1, 1))


class Lines:
    """Answers whether a piece key fills `length` squares in a row, in any of four directions."""

    def __init__(self, board: Board, length: int, keys: Iterable[str]) -> None:
        self._directions: list[tuple[int, tuple[int, ...]]] = []
        for dx, dy in LINE_DIRECTIONS:
            starts = 0
            for square in board.squares:
                if _fits(board, square, dx, dy, length):
                    starts |= 1 << (board.size - 1 - square)
            if starts:
                shift = dy * board.width + dx
                self._directions.append((starts, tuple(shift * n for n in range(1, length))))
        known = [*keys, EMPTY]
        self._bits = {
            key: str.maketrans({other: "1" if other == key else "0" for other in known})
            for key in known
        }

    def made(self, cells: str, key: str) -> bool:
        """Whether `cells` hold a line of `key`."""
        squares = int(cells.translate(self._bits[key]), 2)
        for starts, shifts in self._directions:
            found = squares & starts
            for shift in shifts:
                if not found:
                    break
                found &= squares << shift
            if found:
                return True
        return False


def _fits(board: Board, square: Square, dx: int, dy: int, length: int) -> bool:
    y, x = divmod(square, board.width)
    last_x, last_y = x + dx * (length - 1), y + dy * (length - 1)
    return 0 <= last_x < board.width and last_y < board.height
