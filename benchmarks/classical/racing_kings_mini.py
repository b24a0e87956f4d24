"""A small racing kings: on 6 x 6 both kings run for the far rank, and nobody gives check."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    ALL,
    BLACK,
    DIAGONAL,
    ORTHOGONAL,
    WHITE,
    Classical,
    Ray,
    changed,
    rays,
    step,
    ways,
)

from grl.board import EMPTY, Board, Player, Position, Square

SIZE = 6
ROWS = (*["." * SIZE] * (SIZE - 2), "kbnNBK", "qrnNRQ")
NAMES = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight"}
LEAPS = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if x * x != y * y)
KINGS = {WHITE: "K", BLACK: "k"}
Move = tuple[str, Square, Square]


class RacingKingsMini(Classical):
    """Each player has a king, a queen, a rook, a bishop and two knights, which move and take as in
    chess; all begin on the two lowest ranks, black's on the left and white's on the right, and both
    kings run for the highest. No turn may leave either king in check. Whose king comes to the
    highest rank first has won; but when white's does, and black's can follow in his next turn,
    black still has that turn, any that is legal: if his king comes there too, the game is a draw,
    otherwise white has won. Who has no turn has drawn. Simplified: no draw by repetition, by fifty
    moves or by agreement."""

    name = "racing-kings-mini"
    provenance = "Vernon Rylands Parton's Racing Kings, 1961, as on lichess.org; on 6 x 6"

    def __init__(self) -> None:
        board = Board(SIZE, SIZE)
        pieces = {key.upper(): (WHITE, name) for key, name in NAMES.items()}
        self.set_up(board, pieces | {k: (BLACK, name) for k, name in NAMES.items()}, ROWS)
        self._reach: dict[str, list[list[Ray]]] = {
            kind: [[(way, (to,)) for way, to in found] for found in ways(board, directions)]
            for kind, directions in (("k", ALL), ("n", LEAPS))
        }
        for kind, directions in (("q", ALL), ("r", ORTHOGONAL), ("b", DIAGONAL)):
            self._reach[kind] = rays(board, directions)

    def turns(self, position: Position) -> list[str]:
        return [text for text, _, _ in self._safe(position.cells, position.to_move)]

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells, mover = position.cells, position.to_move
        home = [player for player, key in KINGS.items() if _highest(cells.index(key))]
        if home == [WHITE] and mover == BLACK:
            king = cells.index(KINGS[BLACK])
            follows = any(
                square == king and _highest(to) for _, square, to in self._safe(cells, mover)
            )
            return None if follows else self.won(WHITE)
        return self.won(home[0] if len(home) == 1 else None) if home else None

    def stuck(self, position: Position) -> dict[Player, int]:  # noqa: ARG002
        return self.won(None)

    def _safe(self, cells: str, mover: Player) -> Iterator[Move]:
        """The moves that leave neither king in check."""
        for text, square, to in self._moves(cells, mover):
            after = changed(cells, {square: EMPTY, to: cells[square]})
            if not any(self._attacked(after, player) for player in KINGS):
                yield text, square, to

    def _attacked(self, cells: str, player: Player) -> bool:
        """Whether the opponent could take the king of a player, or has: what could go from the
        king's square to a piece of its own kind is reached by that piece."""
        king = cells.find(KINGS[player])
        if king < 0:
            return True
        for kind, reach in self._reach.items():
            foe = kind.upper() if player == BLACK else kind
            for _, line in reach[king]:
                if next((cells[s] for s in line if cells[s] != EMPTY), EMPTY) == foe:
                    return True
        return False

    def _moves(self, cells: str, mover: Player) -> Iterator[Move]:
        """The moves without regard to check."""
        view, names = self.equipment.views[mover], self.equipment.board.names
        for square in self.equipment.board.squares:
            key = cells[square]
            for way, line in self._reach[key.lower()][square] if view[key] == "w" else ():
                text = names[square]
                for to in line:
                    text += step(way, on := view[cells[to]])
                    if on != "w":
                        yield text, square, to
                    if on != "e":
                        break


def _highest(square: int) -> bool:
    """Whether a square lies on the rank that the kings run for."""
    return square // SIZE == SIZE - 1
