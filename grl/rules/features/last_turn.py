"""Where the last turn began and stopped, read from its text, and which way a way goes."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from grl.board import Board, Square
from grl.turn import Segment, Turn


def last_squares(board: Board, last: str | None) -> Mapping[str, Square]:
    """Where a turn's first segment started and ended; nothing for a pass, or where none was."""
    if last is None or last == "pass":
        return {}
    path = Turn.parse(last).segments[0].path(board)
    return {"start1": path[0], "end1": path[-1]}


def stop_of(segment: Segment, board: Board) -> Square:
    """The square on which a segment puts the hand down."""
    return segment.path(board)[-1]


def bearing(board: Board, start: Square, end: Square) -> tuple[int, int] | None:
    """The direction from one square to another in lowest terms; None from a square to itself."""
    (y, x), (to_y, to_x) = divmod(start, board.width), divmod(end, board.width)
    dx, dy = to_x - x, to_y - y
    size = gcd(dx, dy)
    return (dx // size, dy // size) if size else None
