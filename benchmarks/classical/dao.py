"""Dao: four stones each slide until they make a pattern."""

from __future__ import annotations

from classical_rules import (
    ALL,
    BLACK,
    ORTHOGONAL,
    WHITE,
    Classical,
    lines,
    rays,
    step,
    ways,
)

from grl.board import EMPTY, Board, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}


class Dao(Classical):
    """On 4 x 4 squares the stones begin on the two diagonals and slide in any of eight directions
    as far as they can. A player wins with all four stones in a row or a file, in the four corners,
    or in a square of two by two; and also when an opponent's three stones shut in one of his in a
    corner."""

    name = "dao"
    provenance = "Jeff Pickering and Ben van Buskirk, 1999"

    def __init__(self) -> None:
        board = Board(4, 4)
        pieces = {key: (who, "stone") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["b..w", ".bw.", ".wb.", "w..b"])
        self._rays = rays(board, ALL)
        corners = tuple(board.square(name) for name in ("a1", "d1", "a4", "d4"))
        squares = [(s, s + 1, s + 4, s + 5) for s in board.squares if s % 4 < 3 and s < 11]
        self._patterns = [*lines(board, 4, ORTHOGONAL[:2]), corners, *squares]
        near = ways(board, ALL)
        self._shut = [(corner, [to for _, to in near[corner]]) for corner in corners]

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        found = []
        for square, content in enumerate(cells):
            for way, line in self._rays[square] if content == own else ():
                far = next((n for n, s in enumerate(line) if cells[s] != EMPTY), len(line))
                if far:
                    found.append(names[square] + step(way, "e") * far)
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells = position.cells
        for player, key in KEYS.items():
            if any(all(cells[s] == key for s in pattern) for pattern in self._patterns):
                return self.won(player)
        for player, key in KEYS.items():
            foe = KEYS[self.other(player)]
            for corner, beside in self._shut:
                if cells[corner] == key and all(cells[s] == foe for s in beside):
                    return self.won(player)
        return None
