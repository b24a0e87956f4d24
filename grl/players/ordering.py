"""The order in which turns are tried.

It rests on what turns do, never on the order in which an implementation of a game lists them, or on
which of several ways to one effect it spells: players play a learned model and its reference alike.
"""

from __future__ import annotations

from functools import lru_cache

from grl.board import Board, Square, file_name, parse_square_name
from grl.engine.engine import State
from grl.turn import Turn

Named = tuple[str, int]
"""A turn's name, and its place in `State.turns`."""
PUT = "+"
"""What the part of a name begins with that says where something is put down."""


@lru_cache(maxsize=65_536)
def name_of(turn: str) -> str:
    """What a turn does, as its letters say: the square where it begins, and in some fixed order
    what is put down, removed or appears where. Turns with one origin and one effect have one name,
    however they are spelled, such as a chain of captures that goes round either way."""
    parsed = Turn.parse(turn)
    changes = []
    for segment in parsed.segments:
        x, y = _place(segment.origin)
        targets = iter(segment.targets)
        for letter in segment.letters:
            x, y = _place(next(targets)) if letter.fly else (x + letter.dx, y + letter.dy)
            if not letter.moves:
                changes.append(f"{file_name(x)}{y}{letter.on}{letter.piece}")
        changes.append(f"{PUT}{file_name(x)}{y}")
    return " ".join((parsed.origin, *sorted(changes)))


def _place(name: str) -> tuple[int, int]:
    """File and rank of a square."""
    found = parse_square_name(name)
    assert found is not None
    return found


def named(state: State) -> list[Named]:
    """The turns of a state by name, each with another one."""
    turns = state.turns()
    names = [name_of(turn) for turn in turns]
    if len(set(names)) < len(names):
        names = [f"{name} {turn}" for name, turn in zip(names, turns, strict=True)]
    return sorted(zip(names, range(len(names)), strict=True))


def number_of(state: State, name: str) -> int:
    """The place among the turns of a state of the one with a name."""
    return next(number for each, number in named(state) if each == name)


class Middle:
    """How far from the middle of the board turns end: the nearer, the earlier they are tried."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._known: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        """Four times the square of the distance, of the nearest of several squares; that of a
        corner and more for a pass."""
        found = self._known.get(name)
        if found is None:
            board = self._board
            ends = [part[1:] for part in name.split(" ") if part.startswith(PUT)]
            found = min(
                (off_middle(board, board.square(end)) for end in ends),
                default=off_middle(board, Square(0)) + 1,
            )
            self._known[name] = found
        return found


def off_middle(board: Board, square: Square) -> int:
    """Four times the square of a square's distance from the middle of the board."""
    rank, file = divmod(square, board.width)
    return (2 * rank - board.height + 1) ** 2 + (2 * file - board.width + 1) ** 2


class Experience:
    """Which turns made others needless: the last two by ply, and how often, by player."""

    def __init__(self, board: Board) -> None:
        self._middle = Middle(board)
        self._killers: dict[int, list[str]] = {}
        self._history: dict[tuple[int, str], int] = {}

    def cut(self, mover: int, turn: str, ply: int, depth: int) -> None:
        """A turn of `mover` proved enough, `ply` plies from the root and `depth` to go."""
        killers = self._killers.setdefault(ply, [])
        if turn not in killers:
            killers.insert(0, turn)
            del killers[2:]
        key = mover, turn
        self._history[key] = self._history.get(key, 0) + depth * depth

    def sort(self, turns: list[Named], mover: int, ply: int, first: str | None) -> None:
        """Put `first` before all, then killers, then by history, then from the middle outwards."""
        killers = self._killers.get(ply, ())
        history = self._history

        def rank(each: Named) -> tuple[bool, bool, int, int]:
            turn = each[0]
            often = -history.get((mover, turn), 0)
            return turn != first, turn not in killers, often, self._middle(turn)

        turns.sort(key=rank)
