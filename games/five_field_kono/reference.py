"""Five Field Kono: men step diagonally, back as well as forward, to where the opponent began.

Whose seven men stand on the seven squares on which the opponent's began has won. Nothing is ever
captured. A player who can't move ends the game in a draw, which is how GamesCrafters play it;
other sources are silent.
"""

from __future__ import annotations

import random
from itertools import combinations

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    BLACK,
    DIAGONALS,
    WHITE,
    leads_to,
    make_equipment,
    mirrored,
    not_over,
    position_of,
    shared_goals,
    step_text,
)

START = ("MMMMM", "M...M", ".....", "m...m", "mmmmm")
KEYS = {WHITE: "m", BLACK: "M"}
MEN_BY_COLOUR = (3, 4)
NEARLY_HOME = 80
NEARLY_SHUT = 60


class FiveFieldKono(Game):
    """White's men `m` start on the lowest rank and the ends of the second, black's `M` opposite."""

    name = "five-field-kono"
    provenance = (
        "o-pat-ko-no: Stewart Culin, Korean Games, 1895, p. 102; "
        "R. C. Bell, Board and Table Games from Many Civilizations, p. 98"
    )

    def __init__(self) -> None:
        board = Board(5, 5)
        self.equipment = make_equipment(
            board, tuple(KEYS), {key: (player, "man") for player, key in KEYS.items()}
        )
        self.initial = position_of(self.equipment, "".join(reversed(START)), WHITE)
        cells = self.initial.cells
        other = {WHITE: "M", BLACK: "m"}
        self._goal = {p: [s for s in board.squares if cells[s] == other[p]] for p in KEYS}
        self._steps = [_steps(board, s) for s in board.squares]
        self._blocks = [self._blocks_on(colour) for colour in range(len(MEN_BY_COLOUR))]

    def legal(self, position: Position) -> list[str]:
        return [] if self._home(position) else self._turns(position)

    def is_terminal(self, position: Position) -> bool:
        return bool(self._home(position)) or not self._turns(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        winners = self._home(position)
        return shared_goals(tuple(KEYS), winners[0] if len(winners) == 1 else None)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        return "all at the goal" if self._home(position) else "no turn"

    def endgames(self) -> list[Position]:
        """A player's last man a step or two from its goal, or a player about to be shut in."""
        chance = random.Random(55)
        found: dict[object, Position] = {}
        for number in range(NEARLY_HOME + NEARLY_SHUT):
            if number < NEARLY_HOME:
                rows, mover = self._nearly_home(chance), WHITE
            else:
                rows, mover = self._nearly_shut(chance), BLACK
            if number % 2:
                rows, mover = mirrored(rows), self.equipment.next_player(mover)
            position = position_of(self.equipment, "".join(reversed(rows)), mover)
            if not self.is_terminal(position):
                found[position.outcome] = position
        return list(found.values())

    def _nearly_home(self, chance: random.Random) -> tuple[str, ...]:
        """White's men at their goal but for one or two steps, black's men close by."""
        cells = [EMPTY] * self.equipment.board.size
        for square in self._goal[WHITE]:
            cells[square] = "m"
        for _ in range(chance.choice((1, 1, 2))):
            self._step_back(cells, "m", chance)
        for colour, number in ((0, 3), (1, 4)):
            free = [i for i, cell in enumerate(cells) if cell == EMPTY and i % 2 == colour]
            free = [i for i in free if i not in self._goal[WHITE]]
            chance.shuffle(free)
            free.sort(key=lambda i: all(cells[target] != "m" for target, _ in self._steps[i]))
            for index in free[:number]:
                cells[index] = "M"
        return tuple(self.equipment.board.rows("".join(cells)))

    def _nearly_shut(self, chance: random.Random) -> tuple[str, ...]:
        """White shut in but for one black man that has stepped away."""
        while True:
            cells = [EMPTY] * self.equipment.board.size
            for colour, number in enumerate(MEN_BY_COLOUR):
                men, ring = chance.choice(self._blocks[colour])
                free = [s for s in range(colour, len(cells), 2) if s not in (*men, *ring)]
                for square in men:
                    cells[square] = "m"
                for square in (*ring, *chance.sample(free, number - len(ring))):
                    cells[square] = "M"
            self._step_back(cells, "M", chance)
            if leads_to(self, position_of(self.equipment, cells, BLACK), "no turn"):
                return tuple(self.equipment.board.rows("".join(cells)))

    def _blocks_on(self, colour: int) -> list[tuple[tuple[int, ...], frozenset[int]]]:
        """The ways to shut in all of white's men on one colour of squares, with black's men there.

        Steps are diagonal, so that a man never leaves the colour it began on.
        """
        number = MEN_BY_COLOUR[colour]
        blocks: list[tuple[tuple[int, ...], frozenset[int]]] = []
        for men in combinations(range(colour, self.equipment.board.size, 2), number):
            ring = frozenset(t for s in men for t, _ in self._steps[s]) - set(men)
            if len(ring) <= number:
                blocks.append((men, ring))
        return blocks

    def _step_back(self, cells: list[str], key: str, chance: random.Random) -> None:
        steps = [
            (square, target)
            for square, cell in enumerate(cells)
            if cell == key
            for target, _ in self._steps[square]
            if cells[target] == EMPTY
        ]
        square, target = chance.choice(steps)
        cells[square], cells[target] = EMPTY, key

    def _home(self, position: Position) -> list[Player]:
        """The players whose men have all arrived."""
        cells = position.cells
        return [
            player
            for player, key in KEYS.items()
            if all(cells[square] == key for square in self._goal[player])
        ]

    def _turns(self, position: Position) -> list[str]:
        cells = position.cells
        own = KEYS[position.to_move]
        return [
            turn
            for square, cell in enumerate(cells)
            if cell == own
            for target, turn in self._steps[square]
            if cells[target] == EMPTY
        ]


def _steps(board: Board, square: Square) -> list[tuple[Square, str]]:
    steps = []
    for direction in DIAGONALS:
        target = board.step(square, *direction)
        if target is not None:
            steps.append((target, board.names[square] + step_text(direction, "e")))
    return steps
