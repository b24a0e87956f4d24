"""A small shatranj: the chess of the caliphs on 6 x 6, with one horse and one elephant a side."""

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
ROWS = ("chgkec", "pppppp", "......", "......", "PPPPPP", "CHGKEC")
NAMES = {
    **{"k": "king", "g": "general", "e": "elephant"},
    **{"h": "horse", "c": "chariot", "p": "pawn"},
}
LEAPS: dict[str, tuple[Direction, ...]] = {
    "k": ALL,
    "g": DIAGONAL,
    "e": ((2, 2), (-2, 2), (-2, -2), (2, -2)),
    "h": tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if x * x != y * y),
}
Move = tuple[str, Square, Square]


class ShatranjMini(Classical):
    """The king steps in any of eight directions, the general diagonally; the elephant leaps exactly
    two squares diagonally, over whatever lies between; the horse is a knight, the chariot a rook. A
    pawn steps straight ahead without taking, never two squares, and takes diagonally ahead; on the
    last rank it becomes a general. A check must be answered. Checkmate wins, and so does stalemate;
    a king without any other man has lost. Simplified: a bare king has lost at once, even where it
    could bare the other king in reply; no draws by repetition or agreement."""

    name = "shatranj-mini"
    provenance = "H. J. R. Murray, A History of Chess; on 6 x 6, six pieces and six pawns each"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {key.upper(): (WHITE, name) for key, name in NAMES.items()}
        self.set_up(board, pieces | {k: (BLACK, name) for k, name in NAMES.items()}, ROWS)
        self._leaps = {kind: ways(board, found) for kind, found in LEAPS.items()}
        self._pawns = {
            who: (ways(board, ((0, dy),)), ways(board, ((1, dy), (-1, dy))))
            for who, dy in ((WHITE, 1), (BLACK, -1))
        }
        self._rays = rays(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, mover = position.cells, position.to_move
        found = []
        for text, square, to in self._moves(cells, mover):
            if self._attacked(changed(cells, {square: EMPTY, to: cells[square]}), mover):
                continue
            promotes = cells[square] in "Pp" and to // SIZE in (0, SIZE - 1)
            found.append(text + appears("G" if mover == WHITE else "g") if promotes else text)
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        white = sum(content.isupper() for content in position.cells)
        black = sum(content.islower() for content in position.cells)
        if white > 1 and black > 1:
            return None
        return self.won(None if white == black else WHITE if white > black else BLACK)

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
            if kind == "c":
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
                targets = self._leaps[kind][square]
            for way, to in targets:
                if view[cells[to]] != "w":
                    yield names[square] + step(way, view[cells[to]]), square, to
