"""The 8-puzzle: the 15-puzzle in a frame of 3 x 3."""

from __future__ import annotations

from ..sliding import SlidingTiles


class EightPuzzle(SlidingTiles):
    """`grl_games.sliding` has the rules."""

    name = "eight-puzzle"
    provenance = (
        "the 15-puzzle in a smaller frame; as in Nils Nilsson, Problem-Solving Methods, 1971"
    )

    def __init__(self, width: int = 3, height: int = 3) -> None:
        super().__init__(width, height)
