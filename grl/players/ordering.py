"""The order in which turns are tried.

It rests on what turns are called, never on the order in which an implementation of a game lists
them: players play a learned model and its reference alike.
"""

from __future__ import annotations

from grl.board import Board, Square
from grl.engine.engine import State
from grl.turn import Turn

Named = tuple[str, int]
"""A turn as text, and its place in `State.turns`."""


def named(state: State) -> list[Named]:
    """The turns of a state by name."""
    return sorted((turn, number) for number, turn in enumerate(state.turns()))


class Middle:
    """How far from the middle of the board turns end: the nearer, the earlier they are tried."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._known: dict[str, int] = {}

    def __call__(self, turn: str) -> int:
        """Four times the square of the distance; that of a corner and more for a pass."""
        found = self._known.get(turn)
        if found is None:
            segments = Turn.parse(turn).segments
            last = segments[-1].path(self._board)[-1] if segments else Square(0)
            found = self._known[turn] = off_middle(self._board, last) + (not segments)
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
