"""Breakthrough Checkers: men that step and jump as in checkers, racing for the far rank.

A man steps diagonally ahead, or jumps over adjacent opposing men, as often as it can and wants.
No jump is compulsory, and the men jumped over stay where they are; with `capturing` = 1 they are
removed. Who brings a man to the far rank wins. The source doesn't say what becomes of a player
without a turn: here that player loses.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    BLACK,
    REMOVE_TEXT,
    WHITE,
    check_option,
    make_equipment,
    mirrored,
    not_over,
    position_of,
    shared_goals,
    step_text,
)

START = (
    ".M.M.M.M",
    "M.M.M.M.",
    ".M.M.M.M",
    "........",
    "........",
    "m.m.m.m.",
    ".m.m.m.m",
    "m.m.m.m.",
)
SIDE = len(START)
KEYS = {WHITE: "m", BLACK: "M"}
FORWARD = {WHITE: 1, BLACK: -1}

NEARLY_SHUT = 60
FEW_MEN = 80
MOST_EXTRA = 3


class Jump(NamedTuple):
    """A jump: over what, where to, and its letters."""

    over: Square
    land: Square
    letters: str


class CheckerBT(Game):
    """White's men `m` start on the dark squares of the three lowest ranks, black's `M` opposite."""

    name = "checker-bt"
    provenance = (
        "Checkers-Breakthrough of Yngvi Björnsson, Learning Rules of Simplified Boardgames by "
        "Observing, ECAI 2012, as the Ludii portal gives it (Breakthrough Checkers)"
    )

    def __init__(self, capturing: int = 0) -> None:
        self._capturing = bool(check_option(self.name, "capturing", capturing, 0, 1))
        board = Board(SIDE, SIDE)
        self.equipment = make_equipment(
            board, tuple(KEYS), {key: (player, "man") for player, key in KEYS.items()}
        )
        self.initial = position_of(self.equipment, "".join(reversed(START)), WHITE)
        between = REMOVE_TEXT if self._capturing else ""
        self._steps = {p: [_steps(board, s, FORWARD[p]) for s in board.squares] for p in KEYS}
        self._jumps = {
            p: [_jumps(board, s, FORWARD[p], between) for s in board.squares] for p in KEYS
        }

    def legal(self, position: Position) -> list[str]:
        return [] if self._arrived(position) else self._turns(position)

    def is_terminal(self, position: Position) -> bool:
        return bool(self._arrived(position)) or not self._turns(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        winners = self._arrived(position) or [self.equipment.next_player(position.to_move)]
        return shared_goals(tuple(KEYS), winners[0] if len(winners) == 1 else None)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        if self._arrived(position):
            return "far rank"
        return "no turn" if KEYS[position.to_move] in position.cells else "no man left"

    def endgames(self) -> list[Position]:
        """Men about to be shut in, and few men in contact."""
        chance = random.Random(12)
        found: dict[object, Position] = {}
        for number in range(NEARLY_SHUT + FEW_MEN):
            if number < NEARLY_SHUT:
                rows, mover = self._nearly_shut(chance), BLACK
            else:
                rows, mover = self._few_men(chance), chance.choice((WHITE, BLACK))
            if number % 2:
                rows, mover = mirrored(rows), self.equipment.next_player(mover)
            position = position_of(self.equipment, "".join(reversed(rows)), mover)
            if not self.is_terminal(position):
                found[position.outcome] = position
        return list(found.values())

    def _nearly_shut(self, chance: random.Random) -> tuple[str, ...]:
        """One to three men of white without a turn, but for one black man still a step away."""
        board = self.equipment.board
        while True:
            cells = [EMPTY] * board.size
            low = [s for s in range(board.size - 2 * SIDE) if _dark(s)]
            white = chance.sample(low, chance.randint(1, 3))
            for square in white:
                cells[square] = "m"
            for square in white:
                for over, land, _ in self._jumps[WHITE][square]:
                    if cells[over] == EMPTY:
                        cells[over] = "M"
                    if cells[land] == EMPTY:
                        cells[land] = "M"
                for over, _ in self._steps[WHITE][square]:
                    if cells[over] == EMPTY:
                        cells[over] = "M"
            steps = [
                (target, square)
                for square, cell in enumerate(cells)
                if cell == "M"
                for target, _ in self._steps[WHITE][square]
                if cells[target] == EMPTY
            ]
            if steps and "M" not in cells[:SIDE]:
                start, square = chance.choice(steps)
                cells[start], cells[square] = "M", EMPTY
                return tuple(board.rows("".join(cells)))

    def _few_men(self, chance: random.Random) -> tuple[str, ...]:
        """A man of each side in contact, and up to three more."""
        cells = [EMPTY] * SIDE**2
        inner = [s for s in range(2 * SIDE, SIDE**2 - 2 * SIDE) if _dark(s) and 0 < s % SIDE < 7]
        square = chance.choice(inner)
        cells[square] = "m"
        cells[square + SIDE + chance.choice((-1, 1))] = "M"
        free = [s for s in range(SIDE, SIDE**2 - SIDE) if cells[s] == EMPTY and _dark(s)]
        for square in chance.sample(free, chance.randint(0, MOST_EXTRA)):
            cells[square] = chance.choice("mM")
        return tuple(self.equipment.board.rows("".join(cells)))

    def _arrived(self, position: Position) -> list[Player]:
        """The players with a man on the far rank."""
        ends = {WHITE: position.cells[-SIDE:], BLACK: position.cells[:SIDE]}
        return [player for player, key in KEYS.items() if key in ends[player]]

    def _turns(self, position: Position) -> list[str]:
        cells = position.cells
        own = KEYS[position.to_move]
        steps = self._steps[position.to_move]
        turns = []
        for square, cell in enumerate(cells):
            if cell == own:
                turns += [turn for target, turn in steps[square] if cells[target] == EMPTY]
                turns += self._jumping(position, Square(square))
        return turns

    def _jumping(self, position: Position, square: Square) -> list[str]:
        """The jumping turns of one man; ways round to the same end count once."""
        cells = position.cells
        other = KEYS[self.equipment.next_player(position.to_move)]
        jumps = self._jumps[position.to_move]
        found: dict[tuple[Square, int], str] = {}

        def go_on(at: Square, taken: int, text: str) -> None:
            for over, land, letters in jumps[at]:
                if cells[land] == EMPTY and cells[over] == other:
                    now_taken = taken | 1 << over if self._capturing else 0
                    found.setdefault((land, now_taken), text + letters)
                    go_on(land, now_taken, text + letters)

        go_on(square, 0, position.board.names[square])
        return list(found.values())


def _dark(square: int) -> bool:
    return sum(divmod(square, SIDE)) % 2 == 0


def _steps(board: Board, square: Square, forward: int) -> list[tuple[Square, str]]:
    steps = []
    for direction in ((-1, forward), (1, forward)):
        target = board.step(square, *direction)
        if target is not None:
            steps.append((target, board.names[square] + step_text(direction, "e")))
    return steps


def _jumps(board: Board, square: Square, forward: int, between: str) -> list[Jump]:
    jumps = []
    for direction in ((-1, forward), (1, forward)):
        over = board.step(square, *direction)
        land = None if over is None else board.step(over, *direction)
        if over is not None and land is not None:
            letters = step_text(direction, "p") + between + step_text(direction, "e")
            jumps.append(Jump(over, land, letters))
    return jumps
