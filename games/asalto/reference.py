"""Asalto: two officers hold a fortress of nine points against twenty-four soldiers.

The board is a cross of 33 points. Lines join points next to each other in a rank or file, and
diagonally those points whose file and rank add up to an even number, as in alquerque. A soldier
goes one point along a line ahead, straight or diagonally, or sideways towards the middle file. An
officer goes one point any way along a line, or jumps over a soldier next to it onto the empty
point behind, all on one line; the soldier is removed, and the officer may jump on. Nothing is
compulsory and officers are never removed (no huffing).

The soldiers win when they fill the fortress; the officers win when fewer than nine soldiers are
left; a player without a turn has lost.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from grl.board import EMPTY, HOLE, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    DIAGONALS,
    ORTHOGONALS,
    REMOVE_TEXT,
    Direction,
    leads_to,
    make_equipment,
    not_over,
    position_of,
    shared_goals,
    step_text,
)

SOLDIERS = Player("soldiers")
OFFICERS = Player("officers")
SOLDIER = "s"
OFFICER = "O"
START = (
    "##...##",
    "##O.O##",
    "ss...ss",
    "sssssss",
    "sssssss",
    "##sss##",
    "##sss##",
)
FORTRESS = ("c5", "d5", "e5", "c6", "d6", "e6", "c7", "d7", "e7")

# The soldiers are jammed below and beside the officer on d6, if the other officer stays outside.
JAM = ("c7", "d7", "e7", "c6", "e6", "c5", "d5", "e5", "c4", "d4", "e4")
JAMMED = 16
NEARLY_FILLED = 40
NEARLY_TRAPPED = 110
FEW_SOLDIERS = 24
MOST_IN_RING = 10


class Jump(NamedTuple):
    """A jump: over what, where to, and its letters."""

    over: Square
    land: Square
    letters: str


class Asalto(Game):
    """The soldiers `s` begin, outside the fortress at the top; the officers `O` start on c6, e6."""

    name = "asalto"
    provenance = (
        "D. Walker, Traditional Board Game Series, leaflet 53, and F. Grunfeld, Games of the "
        "World, 1975; without huffing, and sideways only towards the middle"
    )

    def __init__(self) -> None:
        cells = "".join(reversed(START))
        board = _cross(cells)
        self.equipment = make_equipment(
            board,
            (SOLDIERS, OFFICERS),
            {SOLDIER: (SOLDIERS, "soldier"), OFFICER: (OFFICERS, "officer")},
        )
        self.initial = position_of(self.equipment, cells, SOLDIERS)
        self._fortress = [board.square(name) for name in FORTRESS]
        self._near = {
            s: [(d, t) for d in ORTHOGONALS + DIAGONALS if (t := board.step(s, *d)) is not None]
            for s in board.squares
        }
        self._advances = {
            s: [t for d, t in near if _advances(board, s, d)] for s, near in self._near.items()
        }
        self._steps = {
            SOLDIER: {s: _steps(board, s, self._advances[s]) for s in board.squares},
            OFFICER: {s: _steps(board, s, [t for _, t in self._near[s]]) for s in board.squares},
        }
        self._jumps = {s: _jumps(board, s) for s in board.squares}

    def legal(self, position: Position) -> list[str]:
        return [] if self._won(position) else self._turns(position)

    def is_terminal(self, position: Position) -> bool:
        return self._won(position) is not None or not self._turns(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        winner = self._won(position) or self.equipment.next_player(position.to_move)
        return shared_goals(self.equipment.players, winner)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        won = self._won(position)
        return {SOLDIERS: "fortress full", OFFICERS: "few soldiers"}[won] if won else "no turn"

    def endgames(self) -> list[Position]:
        """A fortress about to be filled, officers about to be trapped, and soldiers about to be
        jammed or to become too few."""
        chance = random.Random(33)
        makers = [self._jammed] * JAMMED + [self._nearly_filled] * NEARLY_FILLED
        makers += [self._nearly_trapped] * NEARLY_TRAPPED + [self._few_soldiers] * FEW_SOLDIERS
        found: dict[object, Position] = {}
        for make in makers:
            position = make(chance)
            if not self.is_terminal(position):
                found[position.outcome] = position
        return list(found.values())

    def _place(self, soldiers: list[Square], officers: list[Square], mover: Player) -> Position:
        cells = [HOLE if c == HOLE else EMPTY for c in self.initial.cells]
        for square in soldiers:
            cells[square] = SOLDIER
        for square in officers:
            cells[square] = OFFICER
        return position_of(self.equipment, cells, mover)

    def _jammed(self, chance: random.Random) -> Position:
        board = self.equipment.board
        soldiers = [board.square(name) for name in JAM]
        inside = board.square("d6")
        free = [s for s in board.squares if s not in {*soldiers, inside}]
        return self._place(soldiers, [inside, chance.choice(free)], OFFICERS)

    def _nearly_filled(self, chance: random.Random) -> Position:
        squares = self.equipment.board.squares
        gaps = [(s, t) for s in squares if s not in self._fortress for t in self._advances[s]]
        start, gap = chance.choice([(s, t) for s, t in gaps if t in self._fortress])
        soldiers = [s for s in self._fortress if s != gap] + [start]
        outside = [s for s in squares if s not in self._fortress and s != start]
        extra = chance.sample(outside, 2 + chance.randrange(6))
        return self._place(soldiers + extra[2:], extra[:2], SOLDIERS)

    def _nearly_trapped(self, chance: random.Random) -> Position:
        """Both officers shut in but for one soldier that has yet to step up."""
        squares = self.equipment.board.squares
        while True:
            officers = chance.sample(squares, 2)
            ring = {t for s in officers for _, t in self._near[s]}
            ring |= {jump.land for s in officers for jump in self._jumps[s]}
            ring -= set(officers)
            steps = [(s, t) for s in squares for t in self._advances[s] if t in ring]
            steps = [(s, t) for s, t in steps if s not in ring and s not in officers]
            if not steps or ring >= set(self._fortress) or len(ring) > MOST_IN_RING:
                continue
            start, gap = chance.choice(steps)
            soldiers = {*ring - {gap}, start}
            free = [s for s in squares if s not in soldiers and s not in officers and s != gap]
            more = max(0, len(self._fortress) - len(soldiers))
            soldiers |= set(chance.sample(free, min(more, len(free))))
            position = self._place(sorted(soldiers), officers, SOLDIERS)
            if leads_to(self, position, "no turn"):
                return position

    def _few_soldiers(self, chance: random.Random) -> Position:
        placed = chance.sample(self.equipment.board.squares, 11 + chance.randrange(2))
        mover = chance.choice(self.equipment.players)
        return self._place(placed[2:], placed[:2], mover)

    def _won(self, position: Position) -> Player | None:
        """Who has won by what stands on the board, if anybody."""
        cells = position.cells
        if all(cells[square] == SOLDIER for square in self._fortress):
            return SOLDIERS
        return OFFICERS if cells.count(SOLDIER) < len(self._fortress) else None

    def _turns(self, position: Position) -> list[str]:
        cells = position.cells
        own = SOLDIER if position.to_move == SOLDIERS else OFFICER
        steps = self._steps[own]
        turns = []
        for square in position.board.squares:
            if cells[square] == own:
                turns += [turn for target, turn in steps[square] if cells[target] == EMPTY]
                if own == OFFICER:
                    turns += self._captures(cells, square)
        return turns

    def _captures(self, cells: str, square: Square) -> list[str]:
        """The jumping turns of one officer; ways round to the same end count once."""
        board = list(cells)
        board[square] = EMPTY
        found: dict[tuple[Square, int], str] = {}

        def go_on(at: Square, taken: int, text: str) -> None:
            for over, land, letters in self._jumps[at]:
                if board[land] == EMPTY and board[over] == SOLDIER:
                    now_taken = taken | 1 << over
                    found.setdefault((land, now_taken), text + letters)
                    board[over] = EMPTY
                    go_on(land, now_taken, text + letters)
                    board[over] = SOLDIER

        go_on(square, 0, self.equipment.board.names[square])
        return list(found.values())


def _cross(cells: str) -> Board:
    plain = Board(
        len(START[0]), len(START), frozenset(Square(i) for i, c in enumerate(cells) if c == HOLE)
    )
    links = set()
    for square in plain.squares:
        even = sum(divmod(square, plain.width)) % 2 == 0
        for direction in ORTHOGONALS + (DIAGONALS if even else ()):
            target = plain.step(square, *direction)
            if target is not None:
                links.add((square, target))
    return Board(plain.width, plain.height, plain.holes, frozenset(links))


def _advances(board: Board, square: Square, direction: Direction) -> bool:
    """Whether a soldier may step in `direction`: ahead, or sideways towards the middle file."""
    dx, dy = direction
    middle = board.width // 2
    x = square % board.width
    return dy > 0 or (dy == 0 and abs(x + dx - middle) < abs(x - middle))


def _steps(board: Board, square: Square, targets: list[Square]) -> list[tuple[Square, str]]:
    steps = []
    for target in targets:
        (y, x), (to_y, to_x) = divmod(square, board.width), divmod(target, board.width)
        steps.append((target, board.names[square] + step_text((to_x - x, to_y - y), "e")))
    return steps


def _jumps(board: Board, square: Square) -> list[Jump]:
    jumps = []
    for direction in ORTHOGONALS + DIAGONALS:
        over = board.step(square, *direction)
        land = None if over is None else board.step(over, *direction)
        if over is not None and land is not None:
            letters = step_text(direction, "p") + REMOVE_TEXT + step_text(direction, "e")
            jumps.append(Jump(over, land, letters))
    return jumps
