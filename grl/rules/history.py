"""Where the last turn began and stopped, read from its text, and which way a way goes."""

from __future__ import annotations

from math import gcd

from grl.board import Board, Square
from grl.rules.cases import PositionCase
from grl.turn import Segment, Turn


def last_square(case: PositionCase, role: str) -> Square | None:
    """Where the last turn's first segment began (``start1``) or stopped (``end1``)."""
    if case.last is None or case.last == "pass":
        return None
    segment = Turn.parse(case.last).segments[0]
    board = case.setting.board
    return board.square(segment.origin) if role == "start1" else stop_of(segment, board)


def stop_of(segment: Segment, board: Board) -> Square:
    """The square on which a segment puts the hand down."""
    return segment.path(board)[-1]


def bearing(board: Board, start: Square, end: Square) -> tuple[int, int] | None:
    """The direction from one square to another in lowest terms; None from a square to itself."""
    (y, x), (to_y, to_x) = divmod(start, board.width), divmod(end, board.width)
    dx, dy = to_x - x, to_y - y
    size = gcd(dx, dy)
    return (dx // size, dy // size) if size else None
