"""Isola, also isolation: two pawns on a board that falls to pieces."""

from __future__ import annotations

from classical_rules import ALL, BLACK, WHITE, Classical, appears, changed, step, ways

from grl.board import EMPTY, Board, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
GONE = "x"
STARTS = ("c1", "d6")


class Isola(Classical):
    """Each player has one pawn. A turn moves it a step in any of eight directions onto an empty
    square that is still there, and then takes away one empty square anywhere, the one that the pawn
    has just left included, but not the two squares on which the pawns began; a square that is gone
    is marked `x`. Who can't move has lost."""

    name = "isola"
    provenance = "Bernd Kienitz, Ravensburger 1972, as isolation Lakeside 1978; on 6 x 6"

    def __init__(self) -> None:
        board = Board(6, 6)
        pieces = {key: (who, "pawn") for who, key in KEYS.items()}
        rows = ["...b..", *["......"] * 4, "..w..."]
        self.set_up(board, pieces | {GONE: (None, "gap")}, rows)
        self._near = ways(board, ALL)
        self._fixed = {board.square(name) for name in STARTS}

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        square = Square(cells.index(own))
        found = []
        for way, to in self._near[square]:
            if cells[to] == EMPTY:
                text = names[square] + step(way, "e")
                after = changed(cells, {square: EMPTY, to: own})
                tiles = [
                    s for s in position.board.squares if after[s] == EMPTY and s not in self._fixed
                ]
                found += [f"{text}; {names[s]}{appears(GONE)}" for s in tiles] or [text]
        return found
