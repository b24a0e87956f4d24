"""Turkish draughts (dama) on a small board: men go straight ahead and sideways."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    ORTHOGONAL,
    REMOVED,
    WHITE,
    Classical,
    Direction,
    appears,
    changed,
    distinct,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position, Square

Chain = tuple[int, str, Square]


class TurkishDraughts(Classical):
    """Men step straight ahead or sideways onto an empty square, and jump so over an opposing
    piece onto the empty square behind it, which takes it. A man whose turn ends on the far rank
    becomes a king. Kings move like rooks, and take a piece at any distance over empty squares,
    landing on any empty square behind it. A piece that can go on taking does, but never turns back
    by half a turn; what is taken leaves the board at once. Who can take must take as many as
    possible. Who has no pieces left, or no turn, has lost."""

    name = "turkish-draughts"
    provenance = "Türk daması as on the World of draughts pages; on 6 x 8, twelve men each"

    def __init__(self, width: int = 6, height: int = 8) -> None:
        board = Board(width, height)
        bar = "." * width
        rows = [bar, "M" * width, "M" * width, *[bar] * (height - 6), "m" * width, "m" * width, bar]
        pieces = {"m": (WHITE, "man"), "k": (WHITE, "king")}
        self.set_up(board, pieces | {"M": (BLACK, "man"), "K": (BLACK, "king")}, rows)
        self._rays = rays(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        men = [
            s for s in position.board.squares if position.equipment.views[mover][cells[s]] == "w"
        ]
        chains = [
            (number, names[s] + text + self._crowned(cells[s], to))
            for s in men
            for number, text, to in self._chains(cells, s, mover, (0, 0))
        ]
        most = max((number for number, _ in chains), default=0)
        if most:
            return distinct(position, (text for number, text in chains if number == most))
        found = []
        for square in men:
            for way, line in self._ahead(cells, square, mover):
                text = names[square]
                for to in line if cells[square] in "kK" else line[:1]:
                    if cells[to] != EMPTY:
                        break
                    text += step(way, "e")
                    found.append(text + self._crowned(cells[square], to))
        return found

    def _ahead(
        self, cells: str, square: Square, mover: Player
    ) -> list[tuple[Direction, tuple[Square, ...]]]:
        """The lines along which a piece may go."""
        back = -1 if mover == WHITE else 1
        free = cells[square] in "kK"
        return [(way, line) for way, line in self._rays[square] if free or way[1] != back]

    def _crowned(self, piece: str, to: Square) -> str:
        width, height = self.equipment.board.width, self.equipment.board.height
        if piece not in "mM" or to // width != (height - 1 if piece == "m" else 0):
            return ""
        return appears("k" if piece == "m" else "K")

    def _chains(self, cells: str, square: Square, mover: Player, last: Direction) -> list[Chain]:
        """How many pieces the chains of captures from a square take, their letters and ends."""
        view, piece = self.equipment.views[mover], cells[square]
        found: list[Chain] = []
        for way, line in self._ahead(cells, square, mover):
            if way == (-last[0], -last[1]):
                continue
            far = next((n for n, s in enumerate(line) if cells[s] != EMPTY), len(line) - 1)
            if view[cells[line[far]]] != "p" or (far and piece in "mM"):
                continue
            text = step(way, "e") * far + step(way, "p") + REMOVED
            for to in line[far + 1 :] if piece in "kK" else line[far + 1 : far + 2]:
                if cells[to] != EMPTY:
                    break
                text += step(way, "e")
                after = changed(cells, {square: EMPTY, line[far]: EMPTY, to: piece})
                more = self._chains(after, to, mover, way) or [(0, "", to)]
                found += [(number + 1, text + rest, end) for number, rest, end in more]
        return found
