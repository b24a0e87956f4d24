"""A game of animals with water that only the lowest enter, and traps where any animal is taken."""

from __future__ import annotations

from ranked_game import KEYS, Ranked, takes
from strange_games import BLACK, STEPS, WHITE

WATER = ("b3", "c3", "d4", "e4")
TRAPS = {WHITE: ("a2", "d2"), BLACK: ("f5", "c5")}
SWIMMER = "rat"


class Watered(Ranked):
    """Animals step orthogonally and take those of their rank and below, and any in their own traps.

    Who reaches the far rank, or takes all others, has won.
    """

    name = "watered"
    rows = ("LRCDCR", "D.R.CD", "......", "......", "dc.r.d", "rcdcrl")

    def legal(self, position):
        if self.winner(position) is not None:
            return []
        board, cells = position.board, position.cells
        mine = KEYS[position.to_move]
        found = []
        for s in board.squares:
            kind = self.equipment.pieces[cells[s]].type if cells[s] in mine else None
            for dx, dy in STEPS if kind else ():
                t = board.step(s, dx, dy)
                if t is None or cells[t] in mine:
                    continue
                there = board.names[t]
                if there in WATER and kind != SWIMMER:
                    continue
                if cells[t] == ".":
                    found.append(f"{board.names[s]} ({dx} {dy} e)")
                elif there in TRAPS[position.to_move] or takes(
                    kind, self.equipment.pieces[cells[t]].type
                ):
                    found.append(f"{board.names[s]} ({dx} {dy} p)")
        return found
