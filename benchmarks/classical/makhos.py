"""Makhos, Thai draughts: eight men each, and kings that land right behind what they take."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    DIAGONAL,
    REMOVED,
    WHITE,
    Classical,
    appears,
    changed,
    distinct,
    rays,
    step,
)

from grl.board import EMPTY, Board, Position, Square

OWN = {WHITE: "mk", BLACK: "MK"}
SIZE = 8
BLACK_ROWS, WHITE_ROWS = (".M.M.M.M", "M.M.M.M."), (".m.m.m.m", "m.m.m.m.")
Chain = tuple[str, Square]


class Makhos(Classical):
    """Men step diagonally ahead onto an empty square, and take so, never backwards, by jumping over
    an opposing piece onto the empty square behind it. A man whose turn ends on the far rank becomes
    a king. Kings move like bishops, and take a piece at any distance over empty squares, landing on
    the empty square right behind it. Who can take must, whatever and with whichever piece he likes,
    and goes on as long as that piece can take, even back the way it came; what is taken leaves the
    board at once. Who has no pieces left, or no turn, has lost. Simplified: no rule of draws."""

    name = "makhos"
    provenance = "Mak-hot as on MindSports and Wikipedia; turns by 180 degrees, no draws"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        rows = [*BLACK_ROWS, *["." * SIZE] * (SIZE - 4), *WHITE_ROWS]
        pieces = {"m": (WHITE, "man"), "k": (WHITE, "king")}
        self.set_up(board, pieces | {"M": (BLACK, "man"), "K": (BLACK, "king")}, rows)
        self._rays = rays(board, DIAGONAL)
        self._ahead = {
            piece: [[(way, line) for way, line in found if way[1] == dy] for found in self._rays]
            for piece, dy in (("m", 1), ("M", -1))
        }

    def turns(self, position: Position) -> list[str]:
        cells, names = position.cells, position.board.names
        pieces = [s for s in position.board.squares if cells[s] in OWN[position.to_move]]
        chains = [
            names[s] + text + _crowned(cells[s], to)
            for s in pieces
            for text, to in self._chains(cells, s)
        ]
        if chains:
            return distinct(position, chains)
        found = []
        for square in pieces:
            piece = cells[square]
            for way, line in self._ahead.get(piece, self._rays)[square]:
                text = names[square]
                for to in line if piece in "kK" else line[:1]:
                    if cells[to] != EMPTY:
                        break
                    text += step(way, "e")
                    found.append(text + _crowned(piece, to))
        return found

    def _chains(self, cells: str, square: Square) -> list[Chain]:
        """The letters and ends of the chains of captures from a square."""
        piece = cells[square]
        foes = OWN[BLACK if piece in OWN[WHITE] else WHITE]
        found: list[Chain] = []
        for way, line in self._ahead.get(piece, self._rays)[square]:
            far = next((n for n, s in enumerate(line) if cells[s] != EMPTY), len(line))
            if far >= len(line) - 1 or (far and piece in "mM"):
                continue
            over, to = line[far : far + 2]
            if cells[over] not in foes or cells[to] != EMPTY:
                continue
            text = step(way, "e") * far + step(way, "p") + REMOVED + step(way, "e")
            after = changed(cells, {square: EMPTY, over: EMPTY, to: piece})
            more = self._chains(after, to) or [("", to)]
            found += [(text + rest, end) for rest, end in more]
        return found


def _crowned(piece: str, to: Square) -> str:
    """The letter of a man's crowning, where its turn ends on the far rank."""
    if piece not in "mM" or to // SIZE != (SIZE - 1 if piece == "m" else 0):
        return ""
    return appears("k" if piece == "m" else "K")
