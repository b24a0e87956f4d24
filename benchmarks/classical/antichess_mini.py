"""Losing chess on 5 x 5: taking is compulsory, and who has nothing left wins."""

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
    rays,
    step,
    ways,
)

from grl.board import Board, Player, Position, Square

SIZE = 5
ROWS = ("rnbqk", "ppppp", ".....", "PPPPP", "RNBQK")
NAMES = {
    **{"p": "pawn", "r": "rook", "n": "knight"},
    **{"b": "bishop", "q": "queen", "k": "king"},
}
LEAPS: tuple[Direction, ...] = tuple(
    (x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if x * x != y * y
)
PROMOTED = "qrbnk"


class AntichessMini(Classical):
    """All pieces go as in chess, without a pawn's double step, en passant and castling. Who can
    take something must, in whichever way. The king is a piece like the others: there is no check,
    and he may be taken. A pawn that comes to the far rank becomes a queen, rook, bishop, knight or
    king. Who has no piece left, or no turn, has won. Simplified: no draws, be it by repetition, by
    counts of moves or because neither side can lose any more."""

    name = "antichess-mini"
    provenance = "losing chess as on lichess, with the setup of Gardner's minichess; without draws"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {key.upper(): (WHITE, name) for key, name in NAMES.items()}
        self.set_up(board, pieces | {key: (BLACK, name) for key, name in NAMES.items()}, ROWS)
        self._steps = {"n": ways(board, LEAPS), "k": ways(board, ALL)}
        self._pawns = {
            who: (ways(board, ((0, dy),)), ways(board, ((1, dy), (-1, dy))))
            for who, dy in ((WHITE, 1), (BLACK, -1))
        }
        self._rays = {
            "r": rays(board, ORTHOGONAL),
            "b": rays(board, DIAGONAL),
            "q": rays(board, ALL),
        }

    def turns(self, position: Position) -> list[str]:
        cells, mover = position.cells, position.to_move
        moves = list(self._moves(cells, mover))
        taking = [move for move in moves if move[0].endswith("p)")]
        found = []
        for text, square, to in taking or moves:
            if cells[square] in "Pp" and to // SIZE in (0, SIZE - 1):
                keys = PROMOTED.upper() if mover == WHITE else PROMOTED
                found += [text + appears(key) for key in keys]
            else:
                found.append(text)
        return found

    def stuck(self, position: Position) -> dict[Player, int]:
        return self.won(position.to_move)

    def _moves(self, cells: str, mover: Player) -> Iterator[tuple[str, Square, Square]]:
        """The moves, those that take something and others, without promotions."""
        view, names = self.equipment.views[mover], self.equipment.board.names
        for square in self.equipment.board.squares:
            if view[cells[square]] != "w":
                continue
            kind = cells[square].lower()
            if kind in self._rays:
                for way, line in self._rays[kind][square]:
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
                targets = [(w, t) for w, t in ahead[square] if view[cells[t]] == "e"]
                targets += [(w, t) for w, t in aside[square] if view[cells[t]] == "p"]
            else:
                targets = [(w, t) for w, t in self._steps[kind][square] if view[cells[t]] != "w"]
            for way, to in targets:
                yield names[square] + step(way, view[cells[to]]), square, to
