"""Short notation, as people write moves: ``c3-d4``, ``c3xe5xg7``, ``e4``, ``e7-e8=Q``, ``Q@e4``.

A short text names a legal turn by the squares on which it starts, passes and ends, and where need
be by the piece that stands there afterwards. It is good for one turn or it is refused: nothing is
guessed. The trace syntax is always understood as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from grl.board import EMPTY, Board, Position
from grl.errors import IllegalTurn, Place, TurnSyntaxError
from grl.turn import PASS, Turn, play

SHOWN = 4
"""How many turns an ambiguous text lists."""
_SQUARE = r"[a-z]+[1-9][0-9]*"
_MOVE = re.compile(rf"({_SQUARE}(?:\s*[-x:]?\s*{_SQUARE})*)\s*(?:=?\s*([^\s.#@();=a-z0-9-]|=.))?")
_DROP = re.compile(rf"([^\s.#@();])?@({_SQUARE})")


class _Course(NamedTuple):
    """What a turn does, as short notation speaks of it: squares by name."""

    visited: tuple[str, ...]
    end: str
    last_end: str
    takes: bool
    stands: str
    drops: bool


class _Short(NamedTuple):
    """A short text, read."""

    squares: tuple[str, ...]
    takes: bool
    piece: str
    drop: bool


def find_turn(position: Position, text: str, legal: Callable[[], Sequence[Turn]]) -> Turn:
    """The turn that `text` names, in trace syntax or short.

    `legal` gives the legal turns and is called for short notation only: a turn in trace syntax may
    be illegal. Raises `TurnSyntaxError` for text that is neither, and `IllegalTurn` where no legal
    turn is meant, or several are.
    """
    text = text.strip()
    try:
        return Turn.parse(text)
    except TurnSyntaxError:
        short = _read(text, position.board)
        if short is None:
            raise
    courses = {turn: _course(position, turn) for turn in legal()}
    fitting = _meant(short, courses, position)
    if len(fitting) == 1:
        return fitting[0]
    where = Place(rows=tuple(position.rows))
    if not fitting:
        raise IllegalTurn(
            f"no legal turn of {position.to_move} is {text!r}",
            expected=f"one of the {len(courses)} legal turns",
            place=where,
        )
    listed = ", ".join(f"'{turn}'" for turn in fitting[:SHOWN])
    raise IllegalTurn(
        f"{text!r} fits {len(fitting)} legal turns",
        found=listed + (", …" if len(fitting) > SHOWN else ""),
        expected="more squares of its way, or the turn in full",
    )


def _meant(short: _Short, courses: Mapping[Turn, _Course | None], position: Position) -> list[Turn]:
    """The turns that a short text may mean, of those whose courses are given."""
    fitting = [turn for turn, course in courses.items() if _fits(short, course, position)]
    return _plainest(short, fitting, position) if len(fitting) > 1 else fitting


def _read(text: str, board: Board) -> _Short | None:
    """The parts of a short text; None where it is none."""
    drop = _DROP.fullmatch(text)
    if drop is not None:
        return _Short((drop[2],), False, drop[1] or "", True)
    move = _MOVE.fullmatch(text)
    if move is None:
        return None
    squares: list[str] = []
    takes = ":" in move[1]
    for name in re.findall(_SQUARE, move[1]):
        # The sign of a capture reads like the letter of a file, which few boards have.
        sign = bool(squares) and name[0] == "x" and name not in board.names
        squares.append(name[1:] if sign else name)
        takes = takes or sign or bool(re.search(rf"x\s+{name}", move[1]))
    return _Short(tuple(squares), takes, (move[2] or "").lstrip("="), False)


def _course(position: Position, turn: Turn) -> _Course | None:
    """What a turn does; None for a pass."""
    if turn == PASS:
        return None
    board = position.board
    first = turn.segments[0]
    path = [board.names[square] for square in first.path(board)]
    after = play(position, turn)
    end = board.square(path[-1])
    mover = position.to_move
    views = position.equipment.views[mover]
    before, left = (
        sum(views.get(cell) in ("p", "n") for cell in cells)
        for cells in (position.cells, after.cells)
    )
    last = board.names[turn.segments[-1].path(board)[-1]]
    drops = position.cells[board.square(first.origin)] == EMPTY
    return _Course(tuple(path), path[-1], last, left < before, after.cells[end], drops)


def _fits(short: _Short, course: _Course | None, position: Position) -> bool:
    if course is None or (short.drop and not course.drops):
        return False
    if short.takes and not course.takes:
        return False
    if short.piece and not _is_piece(short.piece, course.stands, position):
        return False
    if len(short.squares) == 1:
        return short.squares[0] == course.end
    start, *middle, end = short.squares
    if start != course.visited[0] or end not in (course.end, course.last_end):
        return False
    left = iter(course.visited[1:])
    return all(square in left for square in middle)


def _is_piece(letter: str, key: str, position: Position) -> bool:
    """Whether a letter means a piece: by its key, or by the first letter of its type."""
    piece = position.equipment.pieces.get(key)
    if piece is None:
        return False
    return letter == key or letter.casefold() in (key.casefold(), piece.type[:1].casefold())


def _plainest(short: _Short, fitting: list[Turn], position: Position) -> list[Turn]:
    """Of several turns those that the text names in every part.

    A square alone means a piece that appears there rather than one that comes; and squares that
    are the whole of one turn's way don't mean another turn that passes over more.
    """
    if len(short.squares) == 1:
        dropped = [turn for turn in fitting if (c := _course(position, turn)) and c.drops]
        return dropped or fitting
    landed = [turn for turn in fitting if _landings(turn, position) == short.squares]
    return landed or fitting


def _landings(turn: Turn, position: Position) -> tuple[str, ...]:
    """Where the first segment starts, where it lands on empty squares between jumps, and ends."""
    board = position.board
    first = turn.segments[0]
    path = first.path(board)
    found = [board.names[path[0]]]
    for number, letter in enumerate(first.letters, 1):
        last = number == len(first.letters)
        before = first.letters[number - 2] if number > 1 else None
        jumps = before is not None and (before.onto_piece or before.removes)
        if last or (letter.on == "e" and jumps):
            found.append(board.names[path[number]])
    return tuple(found)


def short_names(
    position: Position, turns: Sequence[Turn], wanted: Sequence[Turn] | None = None
) -> dict[Turn, str]:
    """For each of the `wanted` of the legal turns a short text that `find_turn` takes for it.

    A turn that has no short text is named by its full one.
    """
    courses = {turn: _course(position, turn) for turn in turns}
    names: dict[Turn, str] = {}
    for turn in turns if wanted is None else wanted:
        names[turn] = next(
            (
                text
                for text in _texts(turn, courses[turn], position)
                if (short := _read(text, position.board)) is not None
                and _meant(short, courses, position) == [turn]
            ),
            str(turn),
        )
    return names


def _texts(turn: Turn, course: _Course | None, position: Position) -> Iterator[str]:
    """Texts that may name a turn, the shortest first."""
    if course is None:
        return
    start = course.visited[0]
    if course.drops:
        yield course.end
        yield f"{course.stands}@{course.end}"
    if course.end != start:
        yield f"{start}-{course.end}"
        yield f"{start}-{course.end}={course.stands}"
    landed = _landings(turn, position)
    if course.last_end not in (course.end, start):
        yield f"{start}-{course.last_end}"
        yield f"{start}-{course.end}-{course.last_end}"
    yield "-".join(landed)
    yield "-".join(course.visited)
