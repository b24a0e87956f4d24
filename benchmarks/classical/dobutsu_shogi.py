"""Dobutsu shogi: catch the lion, on 3 x 4 squares, with pieces that come back."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    ALL,
    BLACK,
    DIAGONAL,
    ORTHOGONAL,
    WHITE,
    Classical,
    Direction,
    appears,
    free,
    step,
)

from grl.board import Board, Player, Position, Square

ROWS = ("gle", ".c.", ".C.", "ELG")
NAMES = {"c": "chick", "e": "elephant", "g": "giraffe", "h": "hen", "l": "lion"}
WIDTH, HEIGHT = 3, 4
HEN: tuple[Direction, ...] = (*ORTHOGONAL, (1, 1), (-1, 1))
STEPS = {"c": ((0, 1),), "e": DIAGONAL, "g": ORTHOGONAL, "h": HEN, "l": ALL}
"""How the pieces step, as white sees it."""
LIONS = {WHITE: "L", BLACK: "l"}


class DobutsuShogi(Classical):
    """All pieces step one square, onto an empty one or an opposing piece, which is taken: the lion
    in eight directions, the giraffe in the four straight ones, the elephant in the four diagonal
    ones, the chick straight ahead. A chick that steps onto the far rank becomes a hen, which steps
    in any direction but diagonally back. What is taken goes into the taker's hand, a hen as a
    chick, and may be put on any empty square instead of a step; a chick put on the far rank stays
    one and can't move. Who takes the lion wins; a lion may be left in danger. Who brings his own
    lion to the far rank wins too, unless it can be taken there at once: then the opponent must do
    so, or loses. Who has no turn has lost. Simplified: no draw by repetition."""

    name = "dobutsu-shogi"
    provenance = "Madoka Kitao, 2008, as on doubutsushogi.jp; without repetition"

    def __init__(self) -> None:
        pieces = {key.upper(): (WHITE, kind) for key, kind in NAMES.items()}
        hands = {WHITE: dict.fromkeys("CEG", 0), BLACK: dict.fromkeys("ceg", 0)}
        self.set_up(
            Board(WIDTH, HEIGHT),
            pieces | {key: (BLACK, kind) for key, kind in NAMES.items()},
            ROWS,
            reserve=hands,
        )

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        found = []
        for square, way, to in self._steps(cells, mover):
            taken, piece = cells[to].lower(), cells[square]
            text = names[square] + step(way, position.equipment.views[mover][cells[to]])
            if taken in "cegh":
                text += f" (0 0 r {_own('c' if taken == 'h' else taken, mover)})"
            if piece in "Cc" and _far(to, mover):
                text += appears(_own("h", mover))
            found.append(text)
        held = [key for key, number in position.reserve[mover].items() if number]
        return found + [names[s] + appears(key) for key in held for s in free(position)]

    def decided(self, position: Position) -> dict[Player, int] | None:
        cells, mover = position.cells, position.to_move
        for player, lion in LIONS.items():
            if lion not in cells:
                return self.won(self.other(player))
        own, theirs = (Square(cells.index(LIONS[p])) for p in (mover, self.other(mover)))
        if _far(own, mover):
            return self.won(mover)
        safe = all(to != theirs for _, _, to in self._steps(cells, mover))
        return self.won(self.other(mover)) if _far(theirs, self.other(mover)) and safe else None

    def _steps(self, cells: str, mover: Player) -> Iterator[tuple[Square, Direction, Square]]:
        """From where, in which direction and where to the pieces of a player may step."""
        board, view = self.equipment.board, self.equipment.views[mover]
        ahead = 1 if mover == WHITE else -1
        for square in board.squares:
            for dx, dy in STEPS[cells[square].lower()] if view[cells[square]] == "w" else ():
                to = board.step(square, dx, ahead * dy)
                if to is not None and view[cells[to]] != "w":
                    yield square, (dx, ahead * dy), to


def _own(kind: str, player: Player) -> str:
    """The key of a player's piece."""
    return kind.upper() if player == WHITE else kind


def _far(square: Square, player: Player) -> bool:
    """Whether a square lies on the far rank of a player."""
    return square // WIDTH == (HEIGHT - 1 if player == WHITE else 0)
