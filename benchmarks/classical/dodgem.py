"""Dodgem: cars that want to leave the board on the far side."""

from __future__ import annotations

from classical_rules import BLACK, REMOVED, WHITE, Classical, Direction, step

from grl.board import EMPTY, Board, Player, Position

KEYS = {WHITE: "w", BLACK: "b"}
STEPS: dict[Player, tuple[Direction, ...]] = {
    WHITE: ((1, 0), (0, 1), (0, -1)),
    BLACK: ((0, 1), (1, 0), (-1, 0)),
}


class Dodgem(Classical):
    """White's cars begin on the left edge and step to the right, up or down; black's on the lower
    edge and step up, to the right or to the left; the corner between them is empty. A step leads
    to an empty square; white's cars leave the board from the last file, black's from the last rank.
    Whose cars have all left has won, and so has who can't move a car: it is forbidden to shut the
    other in."""

    name = "dodgem"
    provenance = "Colin Vout, in Berlekamp, Conway and Guy, Winning Ways; on 4 x 4"

    def __init__(self, size: int = 4) -> None:
        rows = ["w" + "." * (size - 1)] * (size - 1) + ["." + "b" * (size - 1)]
        self.set_up(Board(size, size), {key: (who, "car") for who, key in KEYS.items()}, rows)

    def turns(self, position: Position) -> list[str]:
        board, mover, found = position.board, position.to_move, []
        for square in board.squares:
            if position.cells[square] != KEYS[mover]:
                continue
            for number, way in enumerate(STEPS[mover]):
                to = board.step(square, *way)
                if to is None and number == 0:
                    found.append(board.names[square] + REMOVED)
                elif to is not None and position.cells[to] == EMPTY:
                    found.append(board.names[square] + step(way, "e"))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if key not in position.cells:
                return self.won(player)
        return None

    def stuck(self, position: Position) -> dict[Player, int]:
        return self.won(position.to_move)
