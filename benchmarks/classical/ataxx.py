"""Ataxx on a small board: stones multiply, leap and turn their neighbours over."""

from __future__ import annotations

from classical_rules import ALL, BLACK, WHITE, Classical, appears, free, step, ways

from grl.board import EMPTY, Board, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}
LEAPS = tuple((x, y) for x in range(-2, 3) for y in range(-2, 3) if max(abs(x), abs(y)) == 2)


class Ataxx(Classical):
    """A turn puts a new stone on an empty square beside one of the mover's, in any of eight
    directions, or moves a stone to an empty square two files or ranks away, or both, over whatever
    lies between. Then all opposing stones beside it in eight directions become the mover's. Who
    can't move passes. The game ends when the board is full or a player has no stone left; more
    stones win."""

    name = "ataxx"
    provenance = "Ataxx, Leland Corporation 1990; on 5 x 5 without blocked squares"

    def __init__(self, size: int = 5) -> None:
        board = Board(size, size)
        bar = "." * (size - 2)
        rows = [f"b{bar}w", *["." * size] * (size - 2), f"w{bar}b"]
        self.set_up(board, {key: (who, "stone") for who, key in KEYS.items()}, rows)
        self._beside = [sorted(s for _, s in found) for found in ways(board, ALL)]
        self._leaps = ways(board, LEAPS)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        foe = KEYS[self.other(position.to_move)]
        turned = {
            to: "".join(f"; {names[s]}{appears(own)}" for s in self._beside[to] if cells[s] == foe)
            for to in free(position)
        }
        found = [
            names[to] + appears(own) + text
            for to, text in turned.items()
            if any(cells[s] == own for s in self._beside[to])
        ]
        for square, content in enumerate(cells):
            for way, to in self._leaps[square] if content == own else ():
                if cells[to] == EMPTY:
                    found.append(names[square] + step(way, "e") + turned[to])
        return found or ["pass"]

    def decided(self, position: Position) -> dict[Player, int] | None:
        white, black = (position.cells.count(key) for key in KEYS.values())
        if white and black and EMPTY in position.cells:
            return None
        return self.won(None if white == black else WHITE if white > black else BLACK)
