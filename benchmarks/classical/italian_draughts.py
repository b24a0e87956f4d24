"""Italian draughts (dama italiana): men don't take kings, and captures have an order of rank."""

from __future__ import annotations

from collections.abc import Iterator

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

SIZE = 8
OWN = {WHITE: "mk", BLACK: "MK"}
ROWS = ("M.M.M.M.", ".M.M.M.M", "M.M.M.M.")
Chain = tuple[str, str, Square]
"""What a chain of captures has taken in turn, its letters, and where it ends."""


class ItalianDraughts(Classical):
    """The board has a dark square in the corner at one's right. A man steps diagonally ahead onto
    an empty square, and takes by jumping diagonally ahead over an opposing man, but no king, onto
    the empty square right behind. A king steps and takes so in all four directions, men and kings.
    What is taken leaves the board; the piece jumps on as long as it can. A man that comes to the
    far rank becomes a king, and his turn ends. Who can take must, and in this order: as many pieces
    as possible; of such captures, by a king; then, those that take the most kings; then, those that
    meet a king first. Between what is left one chooses. Who has no piece or no turn has lost.
    Simplified: no draws by agreement, repetition or counts of moves."""

    name = "italian-draughts"
    provenance = "the rules of the Federazione Italiana Dama, without its draws"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {"m": (WHITE, "man"), "k": (WHITE, "king")}
        bar = EMPTY * SIZE
        rows = [*ROWS, bar, bar, *(row[::-1].lower() for row in reversed(ROWS))]
        self.set_up(board, pieces | {"M": (BLACK, "man"), "K": (BLACK, "king")}, rows)
        self._rays = rays(board, DIAGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        quiet, taking = [], []
        for square in position.board.squares:
            piece = cells[square]
            if piece not in OWN[mover]:
                continue
            for taken, text, last in self._chains(changed(cells, {square: EMPTY}), square, piece):
                turn = names[square] + text + _crowned(piece, last)
                if taken:
                    taking.append((_rank(piece, taken), turn))
            for way, line in self._rays[square]:
                if _may(piece, way[1]) and cells[line[0]] == EMPTY:
                    quiet.append(names[square] + step(way, "e") + _crowned(piece, line[0]))
        if not taking:
            return quiet
        best = max(rank for rank, _ in taking)
        return distinct(position, (turn for rank, turn in taking if rank == best))

    def _chains(self, cells: str, square: Square, piece: str) -> Iterator[Chain]:
        """The captures from a square, as far as they lead; the piece is not among the cells."""
        foes = "MK" if piece in "mk" else "mk"
        ended = True
        for way, line in self._rays[square]:
            if len(line) < 2 or not _may(piece, way[1]):
                continue
            victim = cells[line[0]]
            if victim not in foes or (piece in "mM" and victim in "kK") or cells[line[1]] != EMPTY:
                continue
            ended = False
            text = step(way, "p") + REMOVED + step(way, "e")
            for taken, rest, last in self._chains(changed(cells, {line[0]: EMPTY}), line[1], piece):
                yield victim + taken, text + rest, last
        if ended:
            yield "", "", square


def _rank(piece: str, taken: str) -> tuple[int, bool, int, int]:
    """What decides between captures: the greater one has to be made."""
    kings = [index for index, victim in enumerate(taken) if victim in "kK"]
    return len(taken), piece in "kK", len(kings), -min(kings, default=0)


def _may(piece: str, ahead: int) -> bool:
    """Whether a piece goes up the board, or down."""
    return piece in "kK" or ahead == (1 if piece == "m" else -1)


def _crowned(piece: str, square: Square) -> str:
    """The letter of a man that has come to the far rank, or nothing."""
    far = {"m": SIZE - 1, "M": 0}.get(piece)
    return appears("k" if piece == "m" else "K") if square // SIZE == far else ""
