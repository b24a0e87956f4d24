"""Peg solitaire on the English board: a jump removes the peg jumped over; one peg must remain."""

from __future__ import annotations

import random

from grl.board import EMPTY, HOLE, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    ORTHOGONALS,
    REMOVE_TEXT,
    make_equipment,
    not_over,
    position_of,
    step_text,
)

SOLVER = Player("solver")
PEG = "i"
CROSS = ("##iii##", "##iii##", "iiiiiii", "iii.iii", "iiiiiii", "##iii##", "##iii##")
ENDGAMES = 120
MOST_REVERSE_JUMPS = 9

Jump = tuple[Square, Square, Square]
"""Origin, the square jumped over, and the square landed on."""


class PegSolitaire(Game):
    """A game for one: 33 holes, the centre empty; 100 for a single peg left, else 0."""

    name = "peg-solitaire"
    provenance = (
        "the English board, centre game to any square: "
        "John D. Beasley, The Ins and Outs of Peg Solitaire, 1985"
    )

    def __init__(self) -> None:
        cells = "".join(reversed(CROSS))
        holes = frozenset(Square(i) for i, c in enumerate(cells) if c == HOLE)
        board = Board(len(CROSS[0]), len(CROSS), holes)
        self.equipment = make_equipment(board, (SOLVER,), {PEG: (SOLVER, "peg")})
        self.initial = position_of(self.equipment, cells, SOLVER)
        self._jumps: list[tuple[Jump, str]] = []
        for square in board.squares:
            for direction in ORTHOGONALS:
                over = board.step(square, *direction)
                land = None if over is None else board.step(over, *direction)
                if over is not None and land is not None:
                    text = step_text(direction, "w") + REMOVE_TEXT + step_text(direction, "e")
                    self._jumps.append(((square, over, land), board.names[square] + text))

    def legal(self, position: Position) -> list[str]:
        cells = position.cells
        return [
            text
            for (square, over, land), text in self._jumps
            if cells[square] == PEG and cells[over] == PEG and cells[land] == EMPTY
        ]

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        return {SOLVER: 100 if position.cells.count(PEG) == 1 else 0}

    def ending(self, position: Position) -> str:
        return "one peg left" if self.goals(position)[SOLVER] else "no jump"

    def endgames(self) -> list[Position]:
        """Positions that a few jumps can bring to one peg, and a careless jump to more.

        Each comes from a single peg by jumps carried out backwards.
        """
        board = self.equipment.board
        chance = random.Random(33)
        found: dict[str, Position] = {}
        while len(found) < ENDGAMES:
            cells = [HOLE if s in board.holes else EMPTY for s in range(board.size)]
            cells[chance.choice(board.squares)] = PEG
            for _ in range(1 + len(found) % MOST_REVERSE_JUMPS):
                backward = [
                    jump
                    for jump, _ in self._jumps
                    if cells[jump[2]] == PEG and cells[jump[0]] == cells[jump[1]] == EMPTY
                ]
                if not backward:
                    break
                square, over, land = chance.choice(backward)
                cells[square] = cells[over] = PEG
                cells[land] = EMPTY
            position = position_of(self.equipment, cells, SOLVER)
            found[position.cells] = position
        return list(found.values())
