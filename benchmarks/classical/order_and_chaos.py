"""Order and chaos: both place both signs; one wants five in a row, the other doesn't."""

from __future__ import annotations

from classical_rules import Classical, appears, free, lines

from grl.board import EMPTY, Board, Player, Position

ORDER, CHAOS = Player("order"), Player("chaos")
SIGNS = "xo"


class OrderAndChaos(Classical):
    """On 6 x 6 squares each turn writes a cross or a nought, as the player likes, on an empty
    square. Order, who begins, wins with five equal signs or more in a row in any direction; chaos
    wins when the board is full without that."""

    name = "order-and-chaos"
    provenance = "Stephen Sniderman, Games Magazine 1981; six in a row count as well"

    def __init__(self, size: int = 6) -> None:
        board = Board(size, size)
        pieces: dict[str, tuple[Player | None, str]] = {"x": (None, "cross"), "o": (None, "nought")}
        self.set_up(board, pieces, ["." * size] * size, (ORDER, CHAOS))
        self._lines = lines(board, 5)

    def turns(self, position: Position) -> list[str]:
        names = position.board.names
        return [names[s] + appears(sign) for s in free(position) for sign in SIGNS]

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells = position.cells
        for line in self._lines:
            held = {cells[s] for s in line}
            if len(held) == 1 and EMPTY not in held:
                return self.won(ORDER)
        return None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(CHAOS)
