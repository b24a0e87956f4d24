"""Martian chess for two: whoever's half a piece stands in owns it, and captures are points."""

from __future__ import annotations

from classical_rules import (
    ALL,
    BLACK,
    DIAGONAL,
    ORTHOGONAL,
    WHITE,
    Classical,
    distinct,
    rays,
    step,
)

from grl.board import EMPTY, Board, Player, Position

ROWS = (".dqq", ".pdq", ".ppd", "....", "....", "dpp.", "qdp.", "qqd.")
POINTS = {"p": 1, "d": 2, "q": 3}
NAMES = {"p": "pawn", "d": "drone", "q": "queen"}
REACH = {"p": 1, "d": 2, "q": 8}


class MartianChess(Classical):
    """The lower four ranks of 4 x 8 squares are white's, the upper four black's, and so is every
    piece that stands there. Pawns go one square diagonally, drones one or two along ranks and
    files, queens any number in all eight directions; none jumps. A piece may not go onto a piece in
    its own half, but takes one in the other half, where it is the opponent's from then on; what a
    player has taken lies in his hand. When a half is empty the game is over: three points for each
    queen in hand, two for a drone, one for a pawn; if they are level, the player wins who made the
    last turn. A player who has pieces, but no turn, ends the game too; then level points are a
    draw."""

    name = "martian-chess"
    provenance = (
        "Andrew Looney, Looney Labs, two players on half a board; without field promotion, the "
        "seven turns of the clock, and the ban on sending a piece back where it came from"
    )

    def __init__(self) -> None:
        board = Board(4, 8)
        pieces = {key: (None, kind) for key, kind in NAMES.items()}
        hands = {who: dict.fromkeys(NAMES, 0) for who in (WHITE, BLACK)}
        self.set_up(board, pieces, ROWS, reserve=hands)
        half = board.size // 2
        self._zones = {WHITE: range(half), BLACK: range(half, board.size)}
        self._rays = {
            "p": rays(board, DIAGONAL),
            "d": rays(board, ORTHOGONAL),
            "q": rays(board, ALL),
        }

    def turns(self, position: Position) -> list[str]:
        cells, names = position.cells, position.board.names
        zone = self._zones[position.to_move]
        found = []
        for square in zone:
            kind = cells[square]
            for way, line in self._rays[kind][square] if kind != EMPTY else ():
                text = names[square]
                for to in line[: REACH[kind]]:
                    if cells[to] == EMPTY:
                        text += step(way, "e")
                        found.append(text)
                        continue
                    if to not in zone:
                        found.append(f"{text}{step(way, 'n')} (0 0 r {cells[to]})")
                    break
        return distinct(position, found)  # a queen takes either of two queens, and it is the same

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells = position.cells
        if all(any(cells[s] != EMPTY for s in zone) for zone in self._zones.values()):
            return None
        return self._counted(position, self.other(position.to_move))

    def stuck(self, position: Position) -> dict[Player, int]:
        return self._counted(position, None)

    def _counted(self, position: Position, level: Player | None) -> dict[Player, int]:
        """The goals by the points in hand; who wins if they are level."""
        white, black = (
            sum(POINTS[key] * number for key, number in position.reserve[who].items())
            for who in (WHITE, BLACK)
        )
        return self.won(level if white == black else WHITE if white > black else BLACK)
