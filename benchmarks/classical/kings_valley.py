"""King's valley: everything slides as far as it can, and the king wants to stop in the centre."""

from __future__ import annotations

from classical_rules import ALL, BLACK, WHITE, Classical, rays, step

from grl.board import EMPTY, Board, Player, Position, Square

SOLDIERS = {WHITE: "s", BLACK: "S"}
KINGS = {WHITE: "k", BLACK: "K"}


class KingsValley(Classical):
    """On 5 x 5 squares all pieces slide in any of eight directions as far as they can, up to the
    edge or another piece; nothing is captured. Soldiers pass over the centre, but only a king may
    stop there; then it has won. A player whose king can't move when it is his turn has lost. The
    very first turn moves a soldier."""

    name = "kings-valley"
    provenance = "Mitsuo Yamamoto, Logy Games 2006"

    def __init__(self) -> None:
        board = Board(5, 5)
        pieces = {key: (who, "soldier") for who, key in SOLDIERS.items()}
        pieces |= {key: (who, "king") for who, key in KINGS.items()}
        self.set_up(board, pieces, ["SSKSS", ".....", ".....", ".....", "sskss"])
        self._rays = rays(board, ALL)
        self._centre = board.square("c3")

    def turns(self, position: Position) -> list[str]:
        mover = position.to_move
        first = mover == WHITE and position.cells == self.initial.cells
        keys = SOLDIERS[mover] if first else SOLDIERS[mover] + KINGS[mover]
        return [
            turn
            for s in position.board.squares
            if position.cells[s] in keys
            for turn in self._slides(position.cells, s)
        ]

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells, mover = position.cells, position.to_move
        for player, king in KINGS.items():
            if cells[self._centre] == king:
                return self.won(player)
        if not self._slides(cells, Square(cells.index(KINGS[mover]))):
            return self.won(self.other(mover))
        return None

    def _slides(self, cells: str, square: Square) -> list[str]:
        """The turns of one piece."""
        found = []
        for way, line in self._rays[square]:
            far = next((n for n, s in enumerate(line) if cells[s] != EMPTY), len(line))
            if far and (line[far - 1] != self._centre or cells[square] in KINGS.values()):
                found.append(self.equipment.board.names[square] + step(way, "e") * far)
        return found
