"""Quixo: a cube is taken from the rim and pushed in at another end."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    REMOVED,
    WHITE,
    Classical,
    appears,
    distinct,
    lines,
    rays,
    step,
)

from grl.board import Board, Player, Position

KEYS = {WHITE: "x", BLACK: "o"}
BLANK = "b"


class Quixo(Classical):
    """A full board of 5 x 5 cubes, all blank at first. A turn takes a blank cube or one of the
    mover's own from the rim, and pushes it in, with the mover's sign up, at an end of its row or
    file, but not where it was; the cubes between move on by one. Five equal signs in a row, a file
    or a long diagonal win; but who makes five of the opponent's has lost, even if his own five come
    with them."""

    name = "quixo"
    provenance = "Thierry Chapeau, Gigamic 1995; for two players"

    def __init__(self, size: int = 5) -> None:
        board = Board(size, size)
        signs: dict[str, tuple[Player | None, str]] = {k: (who, "cube") for who, k in KEYS.items()}
        self.set_up(board, signs | {BLANK: (None, "blank cube")}, [BLANK * size] * size)
        self._rim = [s for s, found in enumerate(rays(board, ORTHOGONAL)) if len(found) < 4]
        self._rays, self._lines = rays(board, ORTHOGONAL), lines(board, size)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        found = []
        for square in self._rim:
            for (dx, dy), line in self._rays[square] if cells[square] in (own, BLANK) else ():
                pushed = [names[s] + step((-dx, -dy), "e") for s in line]
                pushed.append(names[line[-1]] + appears(own))
                found.append("; ".join([names[square] + REMOVED, *pushed]))
        return distinct(position, found)

    def decided(self, position: Position) -> dict[Player, int] | None:
        held = [{position.cells[s] for s in line} for line in self._lines]
        mover = position.to_move
        for player in (mover, self.other(mover)):
            if {KEYS[player]} in held:
                return self.won(player)
        return None
