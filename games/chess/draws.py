"""The rules by which a game of chess is drawn although turns are left."""

from __future__ import annotations

from grl.board import EMPTY, Position, Square, outcome_of
from grl.trail import Trail

from .armies import SIDE, Castling

LIGHT = [s for s in range(SIDE * SIDE) if (s // SIDE + s % SIDE) % 2]


def no_mate_left(position: Position) -> bool:
    """Whether no play can mate: besides the kings there is nothing, one knight, or bishops on
    squares of one colour."""
    if any(count for _, _, count in position.stock):
        return False
    men = [(s, c.upper()) for s, c in enumerate(position.cells) if c not in ".Kk"]
    if [kind for _, kind in men] == ["N"]:
        return True
    return all(kind == "B" for _, kind in men) and len({s in LIGHT for s, _ in men}) < 2


def plies_without_progress(position: Position, most: int) -> int:
    """The plies since the last capture, move of a pawn or drop, `most` where there are more."""
    after = position.cells
    count = 0
    for past in reversed(position.trail or Trail()):
        origin = position.board.square(past.turn.partition(" ")[0])
        if past.cells.count(EMPTY) != after.count(EMPTY) or past.cells[origin] in "Pp":
            break
        after = past.cells
        count += 1
        if count == most:
            break
    return count


def earlier(position: Position) -> list[int]:
    """The numbers in the trail of the positions with the same pieces and the same player to move.

    Whether the same turns were legal is not looked at.
    """
    now = position.outcome
    return [
        number
        for number, past in enumerate(position.trail or ())
        if past.cells == now[0] and outcome_of(past) == now
    ]


def may_castle_alike(position: Position, number: int, castlings: list[Castling]) -> bool:
    """Whether the position is like that of this number in its trail in who may still castle."""
    trail = position.trail
    assert trail is not None

    def unmoved(square: Square) -> bool:
        """Up to then; a piece that has moved was not on its square at some time."""
        key = position.cells[square]
        return all(trail[n].cells[square] == key for n in range(number))

    for castling in castlings:
        squares = castling.king, castling.rook
        if "".join(position.cells[square] for square in squares).upper() != "KR":
            continue
        moved_since = any(square in position.moved for square in squares)
        if moved_since and all(map(unmoved, squares)):
            return False
    return True
