"""The graph game: a token goes left or right along arrows, into a hole or to victory.

Its four states lie side by side: the hole (a1), a (b1), b (c1) and victory (d1). Arrows lead from
a and from b to the left and to the right; none leads out of the hole or of victory, where the game
ends. The token starts on a.
"""

from __future__ import annotations

from grl.board import Board, Player, Position, Square
from grl.games import Game

from ..common import make_equipment, not_over, position_of, step_text

PLAYER = Player("player")
TOKEN = "i"
HOLE_NAME, A, B, VICTORY = "a1", "b1", "c1", "d1"
ARROWS = ((A, HOLE_NAME), (A, B), (B, A), (B, VICTORY))


class GraphGame(Game):
    """A game for one with the token `i`: 100 for victory, 0 for the hole."""

    name = "graph-game"
    provenance = (
        "Luca Grillotti, project report supervised by Krysia Broda, 2015, section 1.2.1; its "
        "figure is missing, and the way from b back to a is this project's reading"
    )

    def __init__(self) -> None:
        plain = Board(4, 1)
        arcs = frozenset((plain.square(start), plain.square(end)) for start, end in ARROWS)
        board = Board(4, 1, links=arcs)
        self.equipment = make_equipment(board, (PLAYER,), {TOKEN: (PLAYER, "token")})
        self.initial = position_of(self.equipment, ".i..", PLAYER)
        self._goals = {board.square(HOLE_NAME): 0, board.square(VICTORY): 100}
        self._turns = [
            (start, board.names[start] + step_text((end - start, 0), "e"))
            for start, end in sorted(arcs)
        ]

    def legal(self, position: Position) -> list[str]:
        token = position.cells.find(TOKEN)
        return [turn for start, turn in self._turns if start == token]

    def is_terminal(self, position: Position) -> bool:
        return position.cells.find(TOKEN) in self._goals

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        return {PLAYER: self._goals[Square(position.cells.find(TOKEN))]}

    def ending(self, position: Position) -> str:
        return "victory" if self.goals(position)[PLAYER] else "hole"

    def endgames(self) -> list[Position]:
        """The token on b, one step from victory."""
        return [position_of(self.equipment, "..i.", PLAYER)]
