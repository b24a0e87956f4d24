"""Starting positions: what stands where when a game begins."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from grl.board import Square

from . import places
from .fields import Field
from .moving import pick
from .table import STONE, Table

Start = tuple[tuple[Square, str], ...]


def facing_start(
    chance: Random, table: Table, squares: list[Square], *, reflected: bool = False
) -> Start | None:
    """White's pieces on these squares and black's half a turn round, or behind a mirror.

    The types are mixed, a royal one comes once and stands near the middle of its side.
    """
    board = table.field.board
    plain = [t for t in table.types if not t.royal and t.letter != "q" and t.seats]
    royal = [t for t in table.types if t.royal]
    if len(squares) < len(plain) + len(royal) or not squares:
        return None

    def over(square: Square) -> Square:
        y, x = divmod(square, board.width)
        turned = board.size - 1 - square
        return Square((board.height - 1 - y) * board.width + x if reflected else turned)

    if any(over(s) in board.holes or over(s) in squares for s in squares):
        return None
    middle = sorted(squares, key=lambda s: (abs(2 * (s % board.width) + 1 - board.width), s))
    kinds = dict(zip(middle, royal, strict=False))
    rest = [s for s in squares if s not in kinds]
    chance.shuffle(rest)
    for i, square in enumerate(rest):
        common = plain[0] if chance.random() < 0.6 else chance.choice(plain)
        kinds[square] = plain[i] if i < len(plain) else common
    placed = {s: table.key(t, 0) for s, t in kinds.items()}
    placed |= {over(s): table.key(t, 1) for s, t in kinds.items()}
    return tuple(sorted(placed.items()))


def full_start(chance: Random, table: Table, kind: str) -> Start:
    """A board almost full: every other square, or one half each."""
    field = table.field
    middle = places.centre(field).squares[0]
    if kind == "alternating":
        own = places.alternating(chance, field)
    else:
        own = places.half_the_board(chance, field)
    first = table.types[0]
    return tuple(
        (s, table.key(first, 0 if s in own else 1)) for s in field.squares if s not in middle
    )


def army_start(chance: Random, table: Table) -> Start | None:
    weights = {"ranks": 45, "dark": 12, "camp": 8, "scattered": 16, "edges": 5}
    if not any(t.royal for t in table.types):
        weights |= {"alternating": 4, "half": 4}
    kind = pick(chance, weights)
    if kind in ("alternating", "half"):
        return full_start(chance, table, kind)
    make: Callable[[Random, Field], list[Square]] = {
        "ranks": places.on_ranks,
        "dark": places.on_dark_squares,
        "camp": places.in_camp,
        "scattered": places.scattered,
        "edges": places.on_edges,
    }[kind]
    squares = make(chance, table.field)
    return facing_start(chance, table, squares, reflected=chance.random() < 0.3)


def with_stones(chance: Random, field: Field, start: Start, odds: float) -> Start:
    """A pair of stones of nobody's on empty squares, now and then."""
    taken = dict(start)
    last = field.board.size - 1
    free = [
        s
        for s in field.squares
        if s not in taken and last - s in field.squares and last - s not in taken
    ]
    if chance.random() >= odds or len(free) < 6:
        return start
    for square in chance.sample(free, chance.choice((1, 1, 2))):
        taken |= {square: STONE, Square(last - square): STONE}
    return tuple(sorted(taken.items()))


def three_start(chance: Random, table: Table) -> Start | None:
    """Scattered pieces of three players, as many of each type for all."""
    kinds = [t for t in table.types if t.letter != "q"]
    kinds += [kinds[0]] * chance.randint(1, 2)
    squares = chance.sample(table.field.squares, min(3 * len(kinds), len(table.field.squares) - 1))
    if len(squares) < 3 * len(kinds):
        return None
    placed = {s: table.key(kinds[i // 3], i % 3) for i, s in enumerate(squares)}
    return tuple(sorted(placed.items()))


def crossed(field: Field, table: Table) -> Start:
    """Four pieces crosswise in the middle, as far as the squares are there."""
    width, first = field.board.width, table.types[0]
    corner = (field.board.height // 2 - 1) * width + width // 2 - 1
    squares = ((corner, 0), (corner + 1, 1), (corner + width, 1), (corner + width + 1, 0))
    return tuple((Square(s), table.key(first, seat)) for s, seat in squares if s in field.squares)


def siege(chance: Random, table: Table, *, guards: bool, many_seat: int) -> Start | None:
    """The leader in the middle or on his first rank, guards about him, hounds on the other side."""
    field = table.field
    board = field.board
    middle = sorted(places.centre(field).squares[0])
    home = [s for s in field.squares if s // board.width == (board.height - 1) * (many_seat == 0)]
    seat = chance.choice(middle if guards or chance.random() < 0.6 else home)
    placed: dict[Square, str] = {seat: table.key(table.types[0], 1 - many_seat)}
    if guards:
        placed |= {s: table.key(table.types[2], 1 - many_seat) for s in field.around(seat)}
        rim = [s for s in sorted(places.edge(field).squares[0]) if s not in placed]
        corners = places.corners(field).squares[0]
        rim = [s for s in rim if s not in corners]
    else:
        rim = [s for s in field.squares if s < board.size // 2 - board.width // 2]
        rim = [s if many_seat == 0 else Square(board.size - 1 - s) for s in rim]
        rim = [s for s in rim if s in field.squares and s not in placed]
        rim = sorted(rim, key=lambda s: s if many_seat == 0 else -s)
        rim = rim[: board.width * chance.choice((1, 1, 2))]
    number = min(len(rim), chance.randint(3, 9))
    if number < 2:
        return None
    for square in chance.sample(rim, number):
        placed[square] = table.key(table.types[1], many_seat)
    return tuple(sorted(placed.items()))
