"""A small game with castling, to measure what ties between the squares of a turn exclude."""

from __future__ import annotations

from itertools import combinations

from grl.board import EMPTY, Board, Equipment, Piece, Player, Position, make_position
from grl.games import Game

PLAYER = Player("player")
BISHOPS_FILES = (1, 2, 3, 5, 6)


class Castling(Game):
    """A king between two rooks, and bishops that may stand in the way; for one player.

    Bishops step slantwise to an empty square. The king castles to a side where nothing stands
    between him and the rook, and that ends the game. There are no other turns.
    """

    name = "castling"
    provenance = "the castling of chess, without its conditions on attack and on the game so far"
    WAYS = (
        ("fg", "e1 (1 0 e) (1 0 e); h1 (-1 0 w) (-1 0 e)"),
        ("bcd", "e1 (-1 0 e) (-1 0 e); a1 (1 0 e) (1 0 w) (1 0 e)"),
    )
    SLANTWISE = ((1, 1), (1, -1), (-1, 1), (-1, -1))

    def __init__(self) -> None:
        types = {"K": "king", "R": "rook", "B": "bishop"}
        pieces = {key: Piece(key, PLAYER, name) for key, name in types.items()}
        self.equipment = Equipment(Board(8, 2), (PLAYER,), pieces)
        self.initial = self._position((1, 6))

    def _position(self, bishops: tuple[int, ...]) -> Position:
        row = "".join("B" if i in bishops else c for i, c in enumerate("R...K..R"))
        return make_position(self.equipment, [EMPTY * 8, row], PLAYER)

    def endgames(self) -> list[Position]:
        """All ways to put up to two bishops between the king and his rooks."""
        ways = (combinations(BISHOPS_FILES, number) for number in range(3))
        return [self._position(files) for some in ways for files in some]

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        board, cells = position.board, position.cells
        turns = [
            way
            for files, way in self.WAYS
            if all(cells[board.square(f"{file}1")] == EMPTY for file in files)
        ]
        for square in board.squares:
            for dx, dy in self.SLANTWISE if cells[square] == "B" else ():
                target = board.step(square, dx, dy)
                if target is not None and cells[target] == EMPTY:
                    turns.append(f"{board.names[square]} ({dx} {dy} e)")
        return turns

    def is_terminal(self, position: Position) -> bool:
        return position.cells[position.board.square("e1")] != "K"

    def goals(self, position: Position) -> dict[Player, int]:
        return {PLAYER: 100 if self.is_terminal(position) else 0}
