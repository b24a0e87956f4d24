"""Buttons and Lights: three buttons switch and swap three lights; six steps to light them all."""

from __future__ import annotations

from grl.board import HOLE, Board, Player, Position, Square
from grl.games import Game

from ..common import REMOVE_TEXT, appear_text, make_equipment, not_over, position_of, step_text

PRESSER = Player("white")
LIT, DARK, STEP = "l", "d", "s"
LIGHTS = 3
STEPS = 7


class ButtonsAndLights(Game):
    """A game for one: 100 when all lights burn at the last step, else 0.

    The lights p, q and r are the squares a1, b1 and c1, and a marker on the second rank counts the
    steps, from `a2`. Button a switches p; b swaps p and q; c swaps q and r. A turn begins on p, q
    or r, puts down what becomes of the lights, and moves the marker on.
    """

    name = "buttons-and-lights"
    provenance = (
        "Michael Genesereth and Michael Thielscher, General Game Playing, 2014, ch. 2 and 15; "
        "it has buttons and lights by name, which here are squares"
    )

    def __init__(self) -> None:
        board = Board(STEPS, 2, frozenset(map(Square, range(LIGHTS, STEPS))))
        pieces = {
            LIT: (PRESSER, "lit"),
            DARK: (PRESSER, "dark"),
            STEP: (PRESSER, "step"),
        }
        self.equipment = make_equipment(board, (PRESSER,), pieces)
        cells = DARK * LIGHTS + HOLE * (STEPS - LIGHTS) + STEP + "." * (STEPS - 1)
        self.initial = position_of(self.equipment, cells, PRESSER)

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        names = self.equipment.board.names
        p, q, r = list(position.cells[:LIGHTS])
        step = f"; {names[position.cells.index(STEP)]}{step_text((1, 0), 'e')}"
        other = {LIT: DARK, DARK: LIT}
        pressed = (((0, other[p]),), ((1, p), (0, q)), ((2, q), (1, r)))
        return [
            "; ".join(
                f"{names[square]}{REMOVE_TEXT}{appear_text(light)}" for square, light in lights
            )
            + step
            for lights in pressed
        ]

    def is_terminal(self, position: Position) -> bool:
        return position.cells[-1] == STEP

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        return {PRESSER: 100 if position.cells[:LIGHTS] == LIT * LIGHTS else 0}

    def ending(self, position: Position) -> str:
        return "all burn" if self.goals(position)[PRESSER] else "some dark"
