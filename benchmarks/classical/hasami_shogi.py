"""Hasami shogi on a small board: rook moves, captures between two and in corners."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    REMOVED,
    WHITE,
    Classical,
    changed,
    custodial,
    rays,
    step,
    ways,
)

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}


class HasamiShogi(Classical):
    """Men move like rooks. Whoever moves takes the opposing men in a row or file, one or more
    without a gap, between the man moved and another of his own, and a man in a corner once both
    squares beside it are his, one of them by this move. To step between two men is safe. Who has
    one man left has lost, and so has who can't move."""

    name = "hasami-shogi"
    provenance = "Hasami shogi with nine men, as in J. Fairbairn's articles; on 5 x 5, five men"

    def __init__(self, size: int = 5) -> None:
        board = Board(size, size)
        rows = ["b" * size, *["." * size] * (size - 2), "w" * size]
        self.set_up(board, {key: (who, "man") for who, key in KEYS.items()}, rows)
        self._rays = rays(board, ORTHOGONAL)
        near = [{to for _, to in found} for found in ways(board, ORTHOGONAL)]
        corners = {s: beside for s, beside in enumerate(near) if len(beside) == 2}
        self._corners = [
            [(Square(corner), beside - {s}) for corner, beside in corners.items() if s in beside]
            for s in board.squares
        ]

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        foe = KEYS[self.other(position.to_move)]
        found = []
        for square in position.board.squares:
            for way, line in self._rays[square] if cells[square] == own else ():
                text = names[square]
                after = changed(cells, {square: EMPTY})
                for to in line:
                    if cells[to] != EMPTY:
                        break
                    text += step(way, "e")
                    taken = self._taken(after, to, own, foe)
                    found.append("; ".join([text, *(names[s] + REMOVED for s in taken)]))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if position.cells.count(key) < 2:
                return self.won(self.other(player))
        return None

    def _taken(self, cells: str, to: Square, own: str, foe: str) -> list[Square]:
        """What a man of `own` takes that has come to a square."""
        found = {s for _, line in self._rays[to] for s in custodial(cells, line, own, foe, None)}
        for corner, (beside,) in self._corners[to]:
            if cells[corner] == foe and cells[beside] == own:
                found.add(corner)
        return sorted(found)
