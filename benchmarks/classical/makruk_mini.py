"""A small makruk: Thai chess on 6 x 6, with one horse and one khon a side."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    ALL,
    BLACK,
    DIAGONAL,
    ORTHOGONAL,
    WHITE,
    Classical,
    Direction,
    appears,
    changed,
    rays,
    step,
    ways,
)

from grl.board import EMPTY, Board, Player, Position, Square

SIZE = 6
ROWS = ("bsmkhb", "pppppp", "......", "......", "PPPPPP", "BHKMSB")
NAMES = {
    **{"k": "king", "m": "met", "s": "khon"},
    **{"h": "horse", "b": "boat", "p": "pawn"},
}
HORSE = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if x * x != y * y)
PROMOTION = {WHITE: 3, BLACK: 2}
"""The rank, from 0, on which a pawn becomes a met: the fourth from its player's side."""
Move = tuple[str, Square, Square]


class MakrukMini(Classical):
    """The king steps in any of eight directions, the met diagonally, the khon diagonally or
    straight ahead; the horse is a knight, the boat a rook. A pawn steps straight ahead without
    taking, never two squares, and takes diagonally ahead; on the fourth rank from its side it
    becomes a met. A check must be answered. Checkmate wins, stalemate is a draw. Simplified: no
    counting of moves, not even with two bare kings, and no draws by repetition or agreement."""

    name = "makruk-mini"
    provenance = "makruk as played in Thailand; on 6 x 6, without the rules of counting"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {key.upper(): (WHITE, name) for key, name in NAMES.items()}
        self.set_up(board, pieces | {k: (BLACK, name) for k, name in NAMES.items()}, ROWS)
        forward: tuple[tuple[Player, int], ...] = ((WHITE, 1), (BLACK, -1))
        self._steps = {
            (who, kind): ways(board, directions)
            for who, dy in forward
            for kind, directions in _steps(dy).items()
        }
        self._pawns = {
            who: (ways(board, ((0, dy),)), ways(board, ((1, dy), (-1, dy)))) for who, dy in forward
        }
        self._rays = rays(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, mover = position.cells, position.to_move
        found = []
        for text, square, to in self._moves(cells, mover):
            if self._attacked(changed(cells, {square: EMPTY, to: cells[square]}), mover):
                continue
            promotes = cells[square] in "Pp" and to // SIZE == PROMOTION[mover]
            found.append(text + appears("M" if mover == WHITE else "m") if promotes else text)
        return found

    def stuck(self, position: Position) -> dict[Player, int]:
        mated = self._attacked(position.cells, position.to_move)
        return self.won(self.other(position.to_move) if mated else None)

    def _attacked(self, cells: str, mover: Player) -> bool:
        """Whether the opponent could take the king of `mover`."""
        king = cells.index("K" if mover == WHITE else "k")
        return any(to == king for _, _, to in self._moves(cells, self.other(mover)))

    def _moves(self, cells: str, mover: Player) -> Iterator[Move]:
        """The moves without regard to check."""
        view, names = self.equipment.views[mover], self.equipment.board.names
        for square in self.equipment.board.squares:
            if view[cells[square]] != "w":
                continue
            kind = cells[square].lower()
            if kind == "b":
                for way, line in self._rays[square]:
                    text = names[square]
                    for to in line:
                        text += step(way, on := view[cells[to]])
                        if on != "w":
                            yield text, square, to
                        if on != "e":
                            break
                continue
            if kind == "p":
                ahead, aside = self._pawns[mover]
                targets = [(w, t) for w, t in ahead[square] if cells[t] == EMPTY]
                targets += [(w, t) for w, t in aside[square] if view[cells[t]] == "p"]
            else:
                targets = self._steps[mover, kind][square]
            for way, to in targets:
                if view[cells[to]] != "w":
                    yield names[square] + step(way, view[cells[to]]), square, to


def _steps(forward: int) -> dict[str, tuple[Direction, ...]]:
    """Where the pieces go that neither slide nor are pawns."""
    return {"k": ALL, "m": DIAGONAL, "s": (*DIAGONAL, (0, forward)), "h": HORSE}
