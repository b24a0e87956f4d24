"""A game of animals with water that only the lowest enter, and traps where any animal is taken."""

from __future__ import annotations

from ranked_game import Ranked, takes
from strange_games import BLACK, WHITE

WATER = ("b3", "c3", "d4", "e4")
TRAPS = {WHITE: ("a2", "d2"), BLACK: ("f5", "c5")}
SWIMMER = "rat"


class Watered(Ranked):
    """Animals step orthogonally and take those of their rank and below, and any in their own traps.

    Who reaches the far rank, or takes all others, has won.
    """

    name = "watered"
    rows = ("LRCDCR", "D.R.CD", "......", "......", "dc.r.d", "rcdcrl")

    def may_enter(self, kind, there):
        return kind == SWIMMER or there not in WATER

    def may_take(self, kind, other, there, position):
        return there in TRAPS[position.to_move] or takes(kind, other)
