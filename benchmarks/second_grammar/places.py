"""Zones of a board, and where pieces stand when a game begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from grl.board import Square

from .fields import Field
from .table import Zone

Squares = list[Square]


def _both(said: str, squares: Iterable[int]) -> Zone:
    found = frozenset(Square(s) for s in squares)
    return Zone(said, (found, found, found))


def _facing(field: Field, said: str, white: Iterable[int]) -> Zone:
    """What white sees so; black sees it half a turn round."""
    board = field.board
    found = frozenset(Square(s) for s in white) - board.holes
    turned = frozenset(Square(board.size - 1 - s) for s in found) - board.holes
    return Zone(said, (found, turned, found))


def corners(field: Field) -> Zone:
    """The ends of the first and last rank, holes left out."""
    board = field.board
    ends = []
    for rank in (0, board.height - 1):
        there = [s for s in field.squares if s // board.width == rank]
        ends += [there[0], there[-1]]
    return _both("the corners", ends)


def centre(field: Field) -> Zone:
    """The middle of the board, one to four squares or those nearest to it."""
    board = field.board
    middle = (board.width - 1) / 2, (board.height - 1) / 2

    def off(square: Square) -> float:
        y, x = divmod(square, board.width)
        return abs(x - middle[0]) + abs(y - middle[1])

    nearest = min(map(off, field.squares))
    squares = [s for s in field.squares if off(s) == nearest]
    return _both("the middle " + " ".join(board.names[s] for s in squares), squares)


def edge(field: Field) -> Zone:
    board = field.board
    last = board.width - 1, board.height - 1
    return _both(
        "the edge of the board",
        (
            s
            for s in field.squares
            if s % board.width in (0, last[0]) or s // board.width in (0, last[1])
        ),
    )


def far_rank(field: Field) -> Zone:
    board = field.board
    return _facing(field, "the far rank", range(board.size - board.width, board.size))


def home_rank(field: Field) -> Zone:
    return _facing(field, "the own first rank", range(field.board.width))


def far_part(field: Field) -> Zone:
    """The ranks beyond the middle."""
    board = field.board
    return _facing(field, "the far half", range((board.height + 1) // 2 * board.width, board.size))


def home_part(field: Field) -> Zone:
    board = field.board
    return _facing(field, "the own half", range(board.height // 2 * board.width))


def dark(field: Field) -> Zone:
    return _both(
        "the dark squares (like a1)",
        (s for s in field.squares if sum(divmod(s, field.board.width)) % 2 == 0),
    )


def side_files(field: Field) -> Zone:
    width = field.board.width
    return _both("the outer files", (s for s in field.squares if s % width in (0, width - 1)))


def some(chance: Random, field: Field) -> Zone:
    """One or two squares and those half a turn away."""
    last = field.board.size - 1
    chosen = {t for s in chance.sample(field.squares, chance.randint(1, 2)) for t in (s, last - s)}
    found = sorted(Square(s) for s in chosen if s not in field.board.holes)
    return _both(" ".join(field.board.names[s] for s in found), found)


def camp(field: Field) -> Zone:
    """The far corner of three ranks of three, two and one squares; white's is at the top right."""
    board = field.board
    reach = 3 if min(board.width, board.height) > 4 else 2
    return _facing(
        field,
        f"the {reach}-deep corner camp opposite to the own one",
        (
            s
            for s in range(board.size)
            if (board.width - 1 - s % board.width) + (board.height - 1 - s // board.width) < reach
        ),
    )


ABSOLUTE: tuple[Callable[[Field], Zone], ...] = (corners, centre, edge, dark, side_files)
FACING: tuple[Callable[[Field], Zone], ...] = (far_rank, home_rank, far_part, home_part)


def draw_zone(chance: Random, field: Field, *, facing: bool) -> Zone:
    """Some zone; with `facing` perhaps one that lies differently for the two players."""
    makers = ABSOLUTE + (FACING if facing else ())
    number = chance.randrange(len(makers) + 2)
    return makers[number](field) if number < len(makers) else some(chance, field)


# Where white's pieces begin.


def on_ranks(chance: Random, field: Field) -> Squares:
    """One or two ranks, full or with gaps."""
    board = field.board
    ranks = 2 if board.height >= 6 or (board.height == 5 and chance.random() < 0.5) else 1
    ranks = 1 if chance.random() < 0.35 else ranks
    squares = [s for s in field.squares if s < ranks * board.width]
    if chance.random() < 0.35:
        squares = sorted(chance.sample(squares, max(2, round(0.65 * len(squares)))))
    return squares


def on_dark_squares(chance: Random, field: Field) -> Squares:
    """The dark squares of two ranks, or three of a long board."""
    board = field.board
    ranks = 3 if board.height == 7 and chance.random() < 0.5 else 2
    ranks = min(ranks, (board.height - 1) // 2)
    return [
        s for s in field.squares if s < ranks * board.width and sum(divmod(s, board.width)) % 2 == 0
    ]


def in_camp(_: Random, field: Field) -> Squares:
    """The corner opposite to the camp."""
    last = field.board.size - 1
    return sorted(Square(last - s) for s in camp(field).squares[0] if last - s in field.squares)


def scattered(chance: Random, field: Field) -> Squares:
    """Anywhere, so that no square and the one half a turn away are both taken."""
    last = field.board.size - 1
    pairs = [s for s in field.squares if s < last - s and last - s in field.squares]
    most = max(2, min(len(pairs), round(0.25 * len(field.squares))))
    chosen = chance.sample(pairs, chance.randint(min(2, most), most))
    return sorted(s if chance.random() < 0.5 else Square(last - s) for s in chosen)


def on_edges(_: Random, field: Field) -> Squares:
    """Half of the edge: white the lower and the left part of it."""
    board = field.board
    around = edge(field).squares[0]
    return sorted(s for s in around if s < board.size - 1 - s and (board.size - 1 - s) in around)


def alternating(_: Random, field: Field) -> Squares:
    """Every other square of the whole board, so that black's fill the rest but for the middle."""
    width = field.board.width
    middle = centre(field).squares[0]
    return [s for s in field.squares if (s // width + s % width) % 2 == 0 and s not in middle]


def half_the_board(_: Random, field: Field) -> Squares:
    """All of the lower half, with the middle left empty."""
    board = field.board
    middle = centre(field).squares[0]
    return [s for s in field.squares if s < board.size - 1 - s and s not in middle]
