"""The 15-puzzle: fifteen tiles in a frame of 4 x 4; other frames are options."""

from __future__ import annotations

from ..sliding import SlidingTiles


class FifteenPuzzle(SlidingTiles):
    """`grl_games.sliding` has the rules."""

    name = "fifteen-puzzle"
    provenance = (
        "Noyes Chapman's puzzle, the craze of 1880: "
        "Jerry Slocum and Dic Sonneveld, The 15 Puzzle Book, 2006"
    )

    def __init__(self, width: int = 4, height: int = 4) -> None:
        super().__init__(width, height)
