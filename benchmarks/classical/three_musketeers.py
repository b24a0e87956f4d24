"""Three musketeers: they must take, and must not be drawn up in a line."""

from __future__ import annotations

from classical_rules import ORTHOGONAL, Classical, step, ways

from grl.board import EMPTY, Board, Player, Position

MUSKETEERS, ENEMY = Player("musketeers"), Player("enemy")


class ThreeMusketeers(Classical):
    """Musketeers stand in two opposite corners and in the centre of 5 x 5 squares, the cardinal's
    men on all others. A musketeer, who begins, steps orthogonally onto a man, which takes him; a
    man steps orthogonally onto an empty square. The enemy wins as soon as all musketeers are in one
    row or file, whoever has brought that about; the musketeers win when they, or the enemy, have no
    turn."""

    name = "three-musketeers"
    provenance = "Haar Hoolim, in Sid Sackson, A Gamut of Games; an enemy without a turn has lost"

    def __init__(self) -> None:
        board = Board(5, 5)
        pieces = {"m": (MUSKETEERS, "musketeer"), "c": (ENEMY, "man")}
        rows = ["ccccm", "ccccc", "ccmcc", "ccccc", "mcccc"]
        self.set_up(board, pieces, rows, (MUSKETEERS, ENEMY))
        self._near = ways(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names = position.cells, position.board.names
        takes = position.to_move == MUSKETEERS
        own, onto, letter = ("m", "c", "p") if takes else ("c", EMPTY, "e")
        return [
            names[square] + step(way, letter)
            for square, content in enumerate(cells)
            if content == own
            for way, to in self._near[square]
            if cells[to] == onto
        ]

    def decided(self, position: Position) -> dict[Player, int] | None:
        musketeers = [s for s in position.board.squares if position.cells[s] == "m"]
        width = position.board.width
        ranks, files = {s // width for s in musketeers}, {s % width for s in musketeers}
        return self.won(ENEMY) if 1 in (len(ranks), len(files)) else None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(MUSKETEERS)
