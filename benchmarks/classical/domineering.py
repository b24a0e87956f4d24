"""Domineering: dominoes upright against dominoes that lie."""

from __future__ import annotations

from classical_rules import Classical, appears

from grl.board import EMPTY, Board, Player, Position

UPRIGHT, LYING = Player("upright"), Player("lying")
KEYS = {UPRIGHT: "v", LYING: "h"}


class Domineering(Classical):
    """One player's dominoes cover two empty squares one above the other, the other's two side by
    side. Who can't place one has lost."""

    name = "domineering"
    provenance = "Göran Andersson, in Berlekamp, Conway and Guy, Winning Ways; on 6 x 6"

    def __init__(self, size: int = 6) -> None:
        pieces = {key: (who, "half") for who, key in KEYS.items()}
        self.set_up(Board(size, size), pieces, ["." * size] * size, (UPRIGHT, LYING))

    def turns(self, position: Position) -> list[str]:
        cells, board, mover = position.cells, position.board, position.to_move
        way, half = (0, 1) if mover == UPRIGHT else (1, 0), appears(KEYS[mover])
        return [
            f"{board.names[square]}{half}; {board.names[to]}{half}"
            for square in board.squares
            if cells[square] == EMPTY
            and (to := board.step(square, *way)) is not None
            and cells[to] == EMPTY
        ]
