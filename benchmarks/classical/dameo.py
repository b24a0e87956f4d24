"""Dameo: draughts in which whole lines of men march, and captures go along ranks and files."""

from __future__ import annotations

from classical_rules import (
    ALL,
    BLACK,
    ORTHOGONAL,
    REMOVED,
    WHITE,
    Classical,
    appears,
    changed,
    distinct,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position, Square

OWN = {WHITE: "mk", BLACK: "MK"}
ROWS = ("MMMMMMMM", ".MMMMMM.", "..MMMM..", "........")
Chain = tuple[tuple[Square, ...], str, Square]


class Dameo(Classical):
    """A man steps straight or diagonally ahead onto an empty square, or jumps in such a direction
    over an unbroken line of men of its own onto the empty square at the line's end: so the line
    marches. A man takes by jumping along a rank or a file, ahead, sideways or back, over an
    opposing piece onto the empty square behind it. A king goes any distance like a queen in chess,
    and takes along ranks and files at any distance, landing on any empty square behind. Who can
    take must, and as many as possible. Taken pieces leave the board when the turn is over; none is
    jumped twice. A man whose turn ends on the far rank becomes a king. Who has no turn has lost;
    there is no rule of draws."""

    name = "dameo"
    provenance = "Christian Freeling, 2000; without draws by repetition or agreement"

    def __init__(self) -> None:
        board = Board(8, 8)
        pieces = {"m": (WHITE, "man"), "k": (WHITE, "king")}
        rows = [*ROWS, *(row.lower() for row in reversed(ROWS))]
        self.set_up(board, pieces | {"M": (BLACK, "man"), "K": (BLACK, "king")}, rows)
        self._rays, self._straight = rays(board, ALL), rays(board, ORTHOGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        pieces = [s for s in position.board.squares if cells[s] in OWN[mover]]
        chains = [
            (len(taken), self._ended(names[s] + text, cells[s], to, taken))
            for s in pieces
            for taken, text, to in self._chains(changed(cells, {s: EMPTY}), s, cells[s], ())
        ]
        most = max((number for number, _ in chains), default=0)
        if most:
            return distinct(position, (text for number, text in chains if number == most))
        return [turn for s in pieces for turn in self._quiet(cells, s, mover)]

    def _quiet(self, cells: str, square: Square, mover: Player) -> list[str]:
        """The turns of a piece that take nothing."""
        found, piece = [], cells[square]
        for way, line in self._rays[square]:
            text = self.equipment.board.names[square]
            if piece in "kK":
                for to in line:
                    if cells[to] != EMPTY:
                        break
                    text += step(way, "e")
                    found.append(text)
            elif way[1] == (1 if mover == WHITE else -1):
                men = next((n for n, s in enumerate(line) if cells[s] != piece), len(line))
                if men < len(line) and cells[line[men]] == EMPTY:
                    text += step(way, "w") * men + step(way, "e")
                    found.append(self._ended(text, piece, line[men], ()))
        return found

    def _ended(self, text: str, piece: str, to: Square, taken: tuple[Square, ...]) -> str:
        """A turn with its crowning, and with the removal of what it has taken."""
        if piece in "mM" and to // 8 == (7 if piece == "m" else 0):
            text += appears("k" if piece == "m" else "K")
        return "; ".join([text, *(self.equipment.board.names[s] + REMOVED for s in taken)])

    def _chains(
        self, cells: str, square: Square, piece: str, before: tuple[Square, ...]
    ) -> list[Chain]:
        """What chains of captures from a square have taken, with `before`; letters and ends."""
        found: list[Chain] = []
        foes = OWN[BLACK if piece in OWN[WHITE] else WHITE]
        for way, line in self._straight[square]:
            far = next((n for n, s in enumerate(line) if cells[s] != EMPTY), len(line))
            if far >= len(line) - 1 or (far and piece in "mM"):
                continue
            over = line[far]
            if cells[over] not in foes or over in before:
                continue
            text = step(way, "e") * far + step(way, "p")
            for to in line[far + 1 :] if piece in "kK" else line[far + 1 : far + 2]:
                if cells[to] != EMPTY:
                    break
                text += step(way, "e")
                taken = (*before, over)
                more = self._chains(cells, to, piece, taken) or [(taken, "", to)]
                found += [(all_taken, text + rest, end) for all_taken, rest, end in more]
        return found
