"""Xiangqi on 7 x 7, without elephants: general, advisors, horses, chariots, cannons and soldiers.

General and advisors keep to the palace, 3 x 3 points in the middle of their first ranks. The fourth
rank is the river; a soldier beyond it goes sideways too. The generals may not face each other on an
open file. A player without a legal turn loses, attacked or not. There is no rule of repetition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    BLACK,
    DIAGONALS,
    ORTHOGONALS,
    Direction,
    make_equipment,
    not_over,
    position_of,
    ray,
    shared_goals,
    step_text,
)

RED = Player("red")
SIDE = 7
RIVER = 3
START = (
    "rhakahr",
    ".c...c.",
    "p.ppp.p",
    ".......",
    "P.PPP.P",
    ".C...C.",
    "RHAKAHR",
)
TYPES = {
    "K": "general",
    "A": "advisor",
    "H": "horse",
    "R": "chariot",
    "C": "cannon",
    "P": "soldier",
}
LEAPS: tuple[tuple[Direction, Direction], ...] = tuple(
    (leg, slant)
    for leg in ORTHOGONALS
    for slant in DIAGONALS
    if leg[0] * slant[0] + leg[1] * slant[1] > 0
)
"""A horse's way: a step straight, which must be free, and one slanting outward."""

Move = tuple[Square, str]
"""Where to, and the letters."""


class SmallXiangqi(Game):
    """Red's pieces are `K A H R C P`, black's the small letters; red begins."""

    name = "small-xiangqi"
    provenance = (
        "the rules of the World Xiangqi Federation without elephants and rules of repetition, "
        "on 7 x 7 points, with a setup of our own"
    )

    def __init__(self) -> None:
        board = Board(SIDE, SIDE)
        pieces: dict[str, tuple[Player | None, str]] = {k: (RED, t) for k, t in TYPES.items()}
        pieces |= {k.lower(): (BLACK, t) for k, t in TYPES.items()}
        self.equipment = make_equipment(board, (RED, BLACK), pieces)
        self.initial = position_of(self.equipment, "".join(reversed(START)), RED)
        self._rays = [[(d, ray(board, s, d)) for d in ORTHOGONALS] for s in board.squares]
        self._horse = [_leaps(board, s) for s in board.squares]
        self._horses_round = [
            [(s, leg) for s in board.squares for leg, target, _ in self._horse[s] if target == at]
            for at in board.squares
        ]
        self._short = {
            key: [_short(board, key, s) for s in board.squares] for key in pieces if key in "KAPkap"
        }
        self._struck: list[list[tuple[Square, str]]] = [[] for _ in board.squares]
        for key in "Pp":
            for square in board.squares:
                for target, _ in self._short[key][square]:
                    self._struck[target].append((square, key))

    def legal(self, position: Position) -> list[str]:
        return list(self._turns(position))

    def is_terminal(self, position: Position) -> bool:
        return next(self._turns(position), None) is None

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        winner = self.equipment.next_player(position.to_move)
        return shared_goals(self.equipment.players, winner)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        return "mate" if self._attacked(list(position.cells), position.to_move) else "no turn"

    def endgames(self) -> list[Position]:
        """Two chariots about to mate a lone general, or to leave it without a turn."""
        found: dict[object, Position] = {}
        for cells in (*_mates(), *_stalemates()):
            for turned in (False, True):
                board = "".join(cells)[::-1].swapcase() if turned else "".join(cells)
                position = position_of(self.equipment, board, BLACK if turned else RED)
                other = BLACK if position.to_move == RED else RED
                if not self._attacked(list(board), other):
                    found[position.outcome] = position
        return [position for position in found.values() if not self.is_terminal(position)]

    def _turns(self, position: Position) -> Iterator[str]:
        cells, mover = list(position.cells), position.to_move
        for square in position.board.squares:
            key = cells[square]
            if not _owns(mover, key):
                continue
            for target, letters in self._reach(cells, square):
                taken = cells[target]
                if _owns(mover, taken) or taken in "Kk":
                    continue
                cells[square], cells[target] = EMPTY, key
                safe = not self._attacked(cells, mover)
                cells[square], cells[target] = key, taken
                if safe:
                    on = "e" if taken == EMPTY else "p"
                    yield f"{position.board.names[square]}{letters} {on})"

    def _reach(self, cells: list[str], square: Square) -> Iterator[Move]:
        """Where a piece can go or capture, own pieces and the safety of its general aside.

        The letters lack the content of the last point.
        """
        key = cells[square]
        if key in self._short:
            yield from self._short[key][square]
        elif key in "Hh":
            for leg, target, letters in self._horse[square]:
                if cells[leg] == EMPTY:
                    yield target, letters
        else:
            mover = RED if key.isupper() else BLACK
            for direction, squares in self._rays[square]:
                yield from _slides(cells, direction, squares, mover, cannon=key in "Cc")

    def _attacked(self, cells: list[str], player: Player) -> bool:
        """Whether the general of `player` is attacked; facing generals attack each other."""
        chariot, cannon, horse, general, soldier = "rchkp" if player == RED else "RCHKP"
        own = general.swapcase()
        if own not in cells:
            return False
        at = Square(cells.index(own))
        for direction, squares in self._rays[at]:
            met = [cells[s] for s in squares if cells[s] != EMPTY]
            if met and (met[0] == chariot or (met[0] == general and direction[0] == 0)):
                return True
            if len(met) > 1 and met[1] == cannon:
                return True
        if any(cells[square] == key == soldier for square, key in self._struck[at]):
            return True
        return any(
            cells[square] == horse and cells[leg] == EMPTY for square, leg in self._horses_round[at]
        )


def _owns(player: Player, key: str) -> bool:
    return key.isupper() if player == RED else key.islower()


def _cut(text: str) -> str:
    """The letter of a step without its content."""
    return text[: -len(" e)")]


def _slides(
    cells: list[str], direction: Direction, squares: Sequence[Square], mover: Player, cannon: bool
) -> Iterator[Move]:
    """The points that a chariot reaches on a line, or a cannon, which captures over one piece."""
    text = ""
    jumped = False
    for target in squares:
        content = cells[target]
        if content == EMPTY:
            if not jumped:
                yield target, text + _cut(step_text(direction, "e"))
            text += step_text(direction, "e")
            continue
        if jumped or not cannon:
            yield target, text + _cut(step_text(direction, "e"))
            return
        jumped = True
        text += step_text(direction, "w" if _owns(mover, content) else "p")


def _leaps(board: Board, square: Square) -> list[tuple[Square, Square, str]]:
    """A horse's leaps: the leg, the point reached, the letters."""
    found = []
    for leg, slant in LEAPS:
        foot = board.step(square, *leg)
        target = None if foot is None else board.step(foot, *slant)
        if foot is not None and target is not None:
            found.append((foot, target, step_text(leg, "e") + _cut(step_text(slant, "e"))))
    return found


def _short(board: Board, key: str, square: Square) -> list[Move]:
    """Where a general, advisor or soldier goes from a point."""
    red = key.isupper()
    rank = square // SIDE if red else SIDE - 1 - square // SIDE
    if key in "Pp":
        ahead = (0, 1 if red else -1)
        directions = [ahead, (1, 0), (-1, 0)] if rank > RIVER else [ahead]
    else:
        directions = list(ORTHOGONALS if key in "Kk" else DIAGONALS)
    found = []
    for direction in directions:
        target = board.step(square, *direction)
        if target is None or (key in "KkAa" and not _in_palace(target, red)):
            continue
        found.append((target, _cut(step_text(direction, "e"))))
    return found


def _in_palace(square: Square, red: bool) -> bool:
    rank = square // SIDE if red else SIDE - 1 - square // SIDE
    return rank < 3 and 2 <= square % SIDE <= 4


def _mates() -> Iterator[list[str]]:
    """A chariot holds the rank before the general, another comes to the last rank."""
    for king, first, second, home in product((2, 3, 4), (0, 6), (1, 5), (2,)):
        cells = [EMPTY] * SIDE**2
        cells[42 + king], cells[35 + first], cells[14 + second], cells[home] = "k", "R", "R", "K"
        yield cells


def _stalemates() -> Iterator[list[str]]:
    """A chariot holds the rank before the general, one file is red's general's, one is free yet."""
    for home, second, rank, left in product((0, 7), (0, 1, 6), (1,), (False, True)):
        cells = [EMPTY] * SIDE**2
        cells[45], cells[35], cells[rank * 7 + second], cells[home + 4] = "k", "R", "R", "K"
        if left:
            cells = [c for y in range(0, SIDE**2, SIDE) for c in reversed(cells[y : y + SIDE])]
        yield cells
