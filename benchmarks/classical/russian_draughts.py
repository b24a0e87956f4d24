"""Russian draughts (shashki): men take backwards too, kings fly, captures may be chosen."""

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

from grl.board import EMPTY, Board, Player, Position, Square

SIZE = 8
OWN = {WHITE: "mk", BLACK: "MK"}
ROWS = (".M.M.M.M", "M.M.M.M.", ".M.M.M.M")
Chain = tuple[tuple[Square, ...], str, str]


class RussianDraughts(Classical):
    """A man steps diagonally ahead onto an empty square, and takes by jumping diagonally, ahead or
    back, over an opposing piece onto the empty square behind it. A king goes any distance along a
    diagonal, and takes at any distance, landing on any empty square behind the piece; but where it
    could go on taking from some of these squares, it lands on one of them. Who can take must, in
    any way, not with the most pieces, but goes on until that piece can take no more. A man that
    comes to the far rank is a king from there on, in the midst of a capture too. Taken pieces leave
    the board when the turn is over; none is jumped twice. Who has no piece or no turn has lost.
    Simplified: no draws by repetition, by agreement or by counts of moves."""

    name = "russian-draughts"
    provenance = "the official rules of draughts-64 (shashki), without their draws"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {"m": (WHITE, "man"), "k": (WHITE, "king")}
        bar = EMPTY * SIZE
        rows = [*ROWS, bar, bar, *(row[::-1].lower() for row in reversed(ROWS))]
        self.set_up(board, pieces | {"M": (BLACK, "man"), "K": (BLACK, "king")}, rows)
        self._rays = rays(board, DIAGONAL)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        pieces = [s for s in position.board.squares if cells[s] in OWN[mover]]
        chains = [
            "; ".join(
                [names[s] + text + _crowned(cells[s], last), *(names[t] + REMOVED for t in taken)]
            )
            for s in pieces
            for taken, text, last in self._chains(changed(cells, {s: EMPTY}), s, cells[s], ())
        ]
        if chains:
            return distinct(position, chains)
        return [turn for s in pieces for turn in self._quiet(cells, s, mover)]

    def _quiet(self, cells: str, square: Square, mover: Player) -> list[str]:
        """The turns of a piece that take nothing."""
        found, piece = [], cells[square]
        for way, line in self._rays[square]:
            if piece in "mM" and way[1] != (1 if mover == WHITE else -1):
                continue
            text = self.equipment.board.names[square]
            for to in line if piece in "kK" else line[:1]:
                if cells[to] != EMPTY:
                    break
                text += step(way, "e")
                found.append(text + _crowned(piece, _arrived(piece, to)))
        return found

    def _chains(
        self, cells: str, square: Square, piece: str, before: tuple[Square, ...]
    ) -> list[Chain]:
        """What chains of captures from a square have taken, with `before`; their letters, and what
        the piece is in the end. The piece itself is not among the `cells`."""
        found: list[Chain] = []
        foes = OWN[BLACK if piece in OWN[WHITE] else WHITE]
        for way, line in self._rays[square]:
            far = next((n for n, s in enumerate(line) if cells[s] != EMPTY), len(line))
            if far >= len(line) - 1 or (far and piece in "mM"):
                continue
            over = line[far]
            if cells[over] not in foes or over in before:
                continue
            taken, text = (*before, over), step(way, "e") * far + step(way, "p")
            ends: list[Chain] = []
            further: list[Chain] = []
            for to in line[far + 1 :] if piece in "kK" else line[far + 1 : far + 2]:
                if cells[to] != EMPTY:
                    break
                text += step(way, "e")
                arrived = _arrived(piece, to)
                ends.append((taken, text, arrived))
                further += [
                    (all_taken, text + rest, last)
                    for all_taken, rest, last in self._chains(cells, to, arrived, taken)
                ]
            found += further or ends
        return found


def _arrived(piece: str, to: Square) -> str:
    """What a piece is on the square to which it has come."""
    far = {"m": SIZE - 1, "M": 0}
    return {"m": "k", "M": "K"}[piece] if far.get(piece) == to // SIZE else piece


def _crowned(piece: str, last: str) -> str:
    """The letter of a crowning: at the end of the way, for a king would leave the man behind."""
    return "" if piece == last else appears(last)
