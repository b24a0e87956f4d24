"""Konane: Hawaiian jumping on a full board."""

from __future__ import annotations

from classical_rules import BLACK, ORTHOGONAL, REMOVED, WHITE, Classical, rays, step, ways

from grl.board import EMPTY, Board, Position

KEYS = {BLACK: "x", WHITE: "o"}


class Konane(Classical):
    """Stones of two colours fill the board like its fields. Black takes away one of his stones in
    the centre or in a corner, white one of hers beside that gap. Then whoever moves jumps over an
    opposing stone onto the empty square behind it, orthogonally, and takes it; the stone may go on
    jumping in the same direction. Who can't jump has lost."""

    name = "konane"
    provenance = "R. C. Bell, Board and Table Games from Many Civilizations; on 6 x 6"

    def __init__(self, size: int = 6) -> None:
        board = Board(size, size)
        rows = ["".join("xo"[(x + y) % 2] for x in range(size)) for y in reversed(range(size))]
        pieces = {key: (player, "stone") for player, key in KEYS.items()}
        self.set_up(board, pieces, rows, (BLACK, WHITE))
        low, high = (size - 1) // 2, size // 2
        sides = [(0, size - 1), (low, high)]
        self._first = {y * size + x for pair in sides for x in pair for y in pair}
        self._rays = rays(board, ORTHOGONAL)
        self._near = ways(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, own, names = position.cells, KEYS[position.to_move], position.board.names
        gaps = cells.count(EMPTY)
        if gaps < 2:
            near = {s for _, s in self._near[cells.index(EMPTY)]} if gaps else self._first
            return [names[s] + REMOVED for s in sorted(near) if cells[s] == own]
        found = []
        for square, content in enumerate(cells):
            for way, line in self._rays[square] if content == own else ():
                text = names[square]
                for over, to in zip(line[::2], line[1::2], strict=False):
                    if cells[over] in (own, EMPTY) or cells[to] != EMPTY:
                        break
                    text += step(way, "p") + REMOVED + step(way, "e")
                    found.append(text)
        return found
