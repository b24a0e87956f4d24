"""Atomic chess on 5 x 6 squares: whoever takes explodes, and so does all around but pawns."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    ALL,
    BLACK,
    DIAGONAL,
    ORTHOGONAL,
    REMOVED,
    WHITE,
    Classical,
    Direction,
    appears,
    distinct,
    rays,
    step,
    ways,
)

from grl.board import EMPTY, Board, Player, Position, Square

WIDTH, HEIGHT = 5, 6
ROWS = ("rnbqk", "ppppp", ".....", ".....", "PPPPP", "RNBQK")
NAMES = {
    **{"p": "pawn", "r": "rook", "n": "knight", "b": "bishop"},
    **{"q": "queen", "k": "king"},
}
LEAPS: tuple[Direction, ...] = tuple(
    (x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if x * x != y * y
)
KINGS = {WHITE: "K", BLACK: "k"}


class AtomicMinichess(Classical):
    """The pieces go as in chess, on 5 x 6 squares, without castling, a pawn's double step and en
    passant. A capture is an explosion: what is taken and the piece that takes leave the board, and
    so do all pieces but pawns, of either side, on the eight squares around. Kings never take, and
    no capture may blow up one's own king. Who blows up the opponent's king has won. There is no
    rule about check. A pawn that comes to the last rank without taking becomes a queen, a rook, a
    bishop or a knight. Who has no turn is in a stalemate, which is a draw; so are two kings alone.
    Simplified: no draws by repetition or by counts of moves."""

    name = "atomic-minichess"
    provenance = "atomic chess as on Lichess, without check, with the men of Gardner's minichess"

    def __init__(self) -> None:
        board = Board(WIDTH, HEIGHT)
        pieces = {key.upper(): (WHITE, name) for key, name in NAMES.items()}
        self.set_up(board, pieces | {k: (BLACK, name) for k, name in NAMES.items()}, ROWS)
        self._near = ways(board, ALL)
        self._leaps = ways(board, LEAPS)
        self._rays = {
            **{"r": rays(board, ORTHOGONAL), "b": rays(board, DIAGONAL)},
            "q": rays(board, ALL),
        }

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        found = []
        for text, square, to in self._moves(cells, mover):
            if cells[to] == EMPTY:
                crowned = cells[square] in "Pp" and to // WIDTH in (0, HEIGHT - 1)
                kinds = ("QRBN" if mover == WHITE else "qrbn") if crowned else ""
                found += [text + appears(key) for key in kinds] or [text]
            elif cells[square] not in "Kk":
                blown = [s for _, s in self._near[to] if cells[s] not in ".Pp" and s != square]
                if all(cells[s] != KINGS[mover] for s in blown):
                    found.append(
                        "; ".join([text, *(names[s] + REMOVED for s in (to, *sorted(blown)))])
                    )
        return distinct(position, found)

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, king in KINGS.items():
            if king not in position.cells:
                return self.won(self.other(player))
        alone = len(position.cells) - position.cells.count(EMPTY) == 2
        return self.won(None) if alone else None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(None)

    def _moves(self, cells: str, mover: Player) -> Iterator[tuple[str, Square, Square]]:
        """The moves as in chess, without regard to kings and explosions."""
        view, board = self.equipment.views[mover], self.equipment.board
        ahead = 1 if mover == WHITE else -1
        for square in board.squares:
            if view[cells[square]] != "w":
                continue
            kind, name = cells[square].lower(), board.names[square]
            if kind in self._rays:
                for way, line in self._rays[kind][square]:
                    text = name
                    for to in line:
                        on = view[cells[to]]
                        if on == "w":
                            break
                        text += step(way, on)
                        yield text, square, to
                        if on == "p":
                            break
                continue
            if kind == "p":
                targets = [
                    (way, to)
                    for way, to in self._near[square]
                    if way[1] == ahead and view[cells[to]] == ("p" if way[0] else "e")
                ]
            else:
                targets = (self._leaps if kind == "n" else self._near)[square]
            for way, to in targets:
                if view[cells[to]] != "w":
                    yield name + step(way, view[cells[to]]), square, to
