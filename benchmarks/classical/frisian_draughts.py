"""Frisian draughts on 8 x 8 squares: captures go along ranks and files too."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    BLACK,
    DIAGONAL,
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

SIZE = 8
OWN = {WHITE: "mk", BLACK: "MK"}
CROWNED = {"m": "k", "M": "K"}
STRAIGHT: tuple[Direction, ...] = ((2, 0), (0, 2), (-2, 0), (0, -2))
ROWS = (
    ".M.M.M.M",
    "M.M.M.M.",
    ".M.M.M.M",
    "........",
    "........",
    "m.m.m.m.",
    ".m.m.m.m",
    "m.m.m.m.",
)
Chain = tuple[tuple[Square, ...], str, Square]


class FrisianDraughts(Classical):
    """All goes on on the dark squares. A man steps diagonally ahead onto an empty square. It takes
    in eight directions, ahead and back: diagonally by jumping over an opposing piece beside it onto
    the empty square behind, and along ranks and files just so, from dark square to dark square, the
    light ones between left out. A king goes any distance diagonally over empty squares, and takes
    in the eight directions at any distance, landing on any empty dark square behind the piece. Who
    can take must, and goes on as long as that piece can take; of all ways to take he must choose
    one with the most pieces. Taken pieces leave the board when the turn is over; none is jumped
    twice. A man that ends its turn on the far rank becomes a king; one that only passes there stays
    a man. Who has no piece or no turn has lost.

    Simplified: kings count no more than men in what must be taken, and need not take themselves
    where a man can take as many; a king may go on moving as often as its player likes; no draws, by
    few kings or by repetition."""

    name = "frisian-draughts"
    provenance = "the Frisian federation's rules without those on kings; 8 x 8, twelve men each"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {"m": (WHITE, "man"), "k": (WHITE, "king")}
        self.set_up(board, pieces | {"M": (BLACK, "man"), "K": (BLACK, "king")}, ROWS)
        self._slanted = rays(board, DIAGONAL)
        self._rays = rays(board, DIAGONAL + STRAIGHT)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        chains = [
            (square, chain)
            for square in position.board.squares
            if cells[square] in OWN[mover]
            for chain in self._chains(changed(cells, {square: EMPTY}), square, cells[square], ())
        ]
        if not chains:
            return list(self._quiet(cells, mover))
        most = max(len(taken) for _, (taken, _, _) in chains)
        found = [
            "; ".join(
                [names[s] + text + _crowned(cells[s], to)]
                + [names[victim] + REMOVED for victim in sorted(taken)]
            )
            for s, (taken, text, to) in chains
            if len(taken) == most
        ]
        return distinct(position, found)

    def _quiet(self, cells: str, mover: Player) -> Iterator[str]:
        """The turns that take nothing."""
        ahead = 1 if mover == WHITE else -1
        for square in self.equipment.board.squares:
            piece = cells[square]
            for way, line in self._slanted[square] if piece in OWN[mover] else ():
                if piece in CROWNED and way[1] != ahead:
                    continue
                text = self.equipment.board.names[square]
                for to in line[:1] if piece in CROWNED else line:
                    if cells[to] != EMPTY:
                        break
                    text += step(way, "e")
                    yield text + _crowned(piece, to)

    def _chains(
        self, cells: str, square: Square, piece: str, before: tuple[Square, ...]
    ) -> Iterator[Chain]:
        """The captures from a square, each with its beginnings: what they take, with `before`,
        their letters, and where they end. The piece itself is not among the `cells`."""
        man, foes = piece in CROWNED, OWN[BLACK if piece in OWN[WHITE] else WHITE]
        for way, line in self._rays[square]:
            far = next((n for n, s in enumerate(line) if cells[s] != EMPTY), len(line))
            if far >= len(line) - 1 or (man and far):
                continue
            over = line[far]
            if cells[over] not in foes or over in before:
                continue
            taken, text = (*before, over), step(way, "e") * far + step(way, "p")
            for to in line[far + 1 : far + 2] if man else line[far + 1 :]:
                if cells[to] != EMPTY:
                    break
                text += step(way, "e")
                yield taken, text, to
                for all_taken, rest, end in self._chains(cells, to, piece, taken):
                    yield all_taken, text + rest, end


def _crowned(piece: str, to: Square) -> str:
    """The letter of a man's crowning, where its turn ends on the far rank."""
    if piece not in CROWNED or to // SIZE != (SIZE - 1 if piece == "m" else 0):
        return ""
    return appears(CROWNED[piece])
