"""PopOut: four in a row, with discs that may also be taken out at the bottom."""

from __future__ import annotations

from classical_rules import BLACK, REMOVED, WHITE, Classical, appears, lines, step

from grl.board import EMPTY, Board, Player, Position, Square

KEYS = {WHITE: "x", BLACK: "o"}
FOUR = 4


class Popout(Classical):
    """Seven files of six squares. A turn drops a disc into a file that is not full, onto the lowest
    empty square, or takes one of the mover's own discs out of the bottom row, so that all discs
    above it fall by one square. Four or more equal discs side by side in a row, a file or a
    diagonal win, whoever has made them; if both players get four at once, who moved has won. There
    is always a turn: where the board is full and no disc can be taken out, the bottom row is all
    the opponent's, who has won. Simplified: no draw by repetition, nor by agreement when the board
    is full."""

    name = "popout"
    provenance = "Connect Four, PopOut variant, Hasbro; who moved wins where both have four"

    def __init__(self, width: int = 7, height: int = 6) -> None:
        board = Board(width, height)
        pieces = {key: (who, "disc") for who, key in KEYS.items()}
        self.set_up(board, pieces, ["." * width] * height)
        self._lines = lines(board, FOUR)
        self._files = [[Square(s) for s in range(x, board.size, width)] for x in range(width)]

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        found = []
        for file in self._files:
            held = [s for s in file if cells[s] != EMPTY]
            if len(held) < len(file):
                found.append(names[file[len(held)]] + appears(own))
            if held and cells[held[0]] == own:
                fallen = [names[s] + step((0, -1), "e") for s in held[1:]]
                found.append("; ".join([names[held[0]] + REMOVED, *fallen]))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        held = [{position.cells[s] for s in line} for line in self._lines]
        mover = position.to_move
        for player in (self.other(mover), mover):
            if {KEYS[player]} in held:
                return self.won(player)
        return None
