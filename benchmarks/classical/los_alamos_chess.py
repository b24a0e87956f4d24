"""Los Alamos chess: 6 x 6 squares, no bishops, as the MANIAC played it."""

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

ROWS = ("rnqknr", "pppppp", "......", "......", "PPPPPP", "RNQKNR")
NAMES = {"p": "pawn", "r": "rook", "n": "knight", "q": "queen", "k": "king"}
LEAPS: tuple[Direction, ...] = tuple(
    (x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if x * x != y * y
)
Move = tuple[str, Square, Square]


class LosAlamosChess(Classical):
    """The rules of chess without bishops, a pawn's double step, en passant and castling; pawns
    become queens, rooks or knights. Checkmate wins, stalemate is a draw."""

    name = "los-alamos-chess"
    provenance = "Wells, Stein, Ulam and others, Los Alamos 1956"

    def __init__(self) -> None:
        board = Board(6, 6)
        pieces = {key.upper(): (WHITE, name) for key, name in NAMES.items()}
        self.set_up(board, pieces | {k: (BLACK, name) for k, name in NAMES.items()}, ROWS)
        self._leaps, self._steps = ways(board, LEAPS), ways(board, ALL)
        self._pawns = {
            who: (ways(board, ((0, dy),)), ways(board, ((1, dy), (-1, dy))))
            for who, dy in ((WHITE, 1), (BLACK, -1))
        }
        self._rays = {"r": rays(board, ORTHOGONAL), "q": rays(board, ORTHOGONAL + DIAGONAL)}

    def turns(self, position: Position) -> list[str]:
        cells, mover = position.cells, position.to_move
        found = []
        for text, square, to in self._moves(cells, mover):
            after = changed(cells, {square: EMPTY, to: cells[square]})
            if self._attacked(after, mover):
                continue
            if cells[square] in "Pp" and to // 6 in (0, 5):
                promoted = "QRN" if mover == WHITE else "qrn"
                found += [text + appears(key) for key in promoted]
            else:
                found.append(text)
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
            content = cells[square]
            if view[content] != "w":
                continue
            kind = content.lower()
            if kind == "p":
                ahead, aside = self._pawns[mover]
                targets = [(w, t) for w, t in ahead[square] if cells[t] == EMPTY]
                targets += [(w, t) for w, t in aside[square] if view[cells[t]] == "p"]
            elif kind in "nk":
                targets = self._leaps[square] if kind == "n" else self._steps[square]
            else:
                for way, line in self._rays[kind][square]:
                    text = names[square]
                    for to in line:
                        text += step(way, on := view[cells[to]])
                        if on != "w":
                            yield text, square, to
                        if on != "e":
                            break
                continue
            for way, to in targets:
                if view[cells[to]] != "w":
                    yield names[square] + step(way, view[cells[to]]), square, to
