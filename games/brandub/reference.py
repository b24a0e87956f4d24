"""Brandub, tafl on 7 x 7: eight attackers hunt a king with four defenders, who runs for a corner.

All pieces move like rooks. Only the king may stand on the four corners and the throne in the
centre; only he passes over the throne. Whoever moves captures opposing men between the piece moved
and another of his own, a corner or the empty throne. The king is taken like a man, but next to
the throne by three attackers and on it by four.
"""

from __future__ import annotations

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    ORTHOGONALS,
    REMOVE_TEXT,
    leads_to,
    make_equipment,
    not_over,
    position_of,
    ray,
    shared_goals,
    step_text,
)

ATTACKERS = Player("attackers")
DEFENDERS = Player("defenders")
START = (
    "...a...",
    "...a...",
    "...d...",
    "aadkdaa",
    "...d...",
    "...a...",
    "...a...",
)
KING = "k"

Rows = tuple[str, ...]

OWN = {ATTACKERS: "a", DEFENDERS: "dk"}
NEAR_ENDS = (
    ("k.a....", "......a", ".......", "...a...", "..d....", ".......", "......."),
    (".......", ".a.....", "a......", ".......", "....k..", ".......", "a...d.."),
    (".......", "..a....", ".ak....", ".......", "..a..a.", ".......", "...d..."),
    (".......", "...a...", "..ak...", ".....a.", ".......", ".d.....", "......."),
    (".......", ".......", "...a...", "..ak...", "...a..a", ".......", "......."),
    (".......", ".......", "...a...", "..akd.a", "...a...", ".......", "..d...."),
    (".......", ".......", "....a..", "...ak.a", "....a..", ".......", "d.....a"),
    (".......", ".......", "....a..", "..a.k.a", "....a..", ".......", "d......"),
    ("...a...", ".......", "...a...", "..ak...", "...a..a", ".......", "..d...."),
    (".k.....", "a......", ".......", ".......", ".......", ".......", "......a"),
    (".......", ".......", "...d...", "...k.d.", "...d...", "a......", ".a....."),
)
SHUT_IN = (
    (".......", ".......", "...a...", ".......", ".......", ".......", "..aka.."),
    (".......", ".......", ".......", "..a....", ".......", ".......", ".aka..."),
    (".......", "....a..", ".......", ".......", ".......", ".......", "...aka."),
    (".......", ".......", ".......", "......a", "..ada..", "..ada..", "..aka.."),
    (".......", ".......", ".......", "....d..", ".......", ".k.....", "..da..."),
    (".......", "...d...", ".....k.", ".......", ".da....", ".......", "......."),
    (".......", ".......", ".d.....", "...k...", ".......", ".......", ".ad...."),
    (".......", ".......", "..k....", ".......", ".......", "d.....a", "a....ad"),
)


class Brandub(Game):
    """Attackers `a` begin; the defenders have men `d` and the king `k`."""

    name = "brandub"
    provenance = (
        "Brandubh as on most tafl sites (weak king: two attackers, three beside the throne, four "
        "on it; hostile corners and empty throne); men don't pass over the throne"
    )

    def __init__(self) -> None:
        board = Board(7, 7)
        self.equipment = make_equipment(
            board,
            (ATTACKERS, DEFENDERS),
            {
                "a": (ATTACKERS, "man"),
                "d": (DEFENDERS, "man"),
                KING: (DEFENDERS, "king"),
            },
        )
        self.initial = position_of(self.equipment, "".join(reversed(START)), ATTACKERS)
        self._throne = board.square("d4")
        self._corners = frozenset(board.square(name) for name in ("a1", "g1", "a7", "g7"))
        self._rays = [[(d, ray(board, s, d)) for d in ORTHOGONALS] for s in board.squares]
        self._near = [
            [t for d in ORTHOGONALS if (t := board.step(s, *d)) is not None] for s in board.squares
        ]

    def legal(self, position: Position) -> list[str]:
        if self._result(position.cells) is not None:
            return []
        cells = position.cells
        turns = []
        for square, piece in enumerate(cells):
            if piece not in OWN[position.to_move]:
                continue
            for direction, squares in self._rays[square]:
                text = position.board.names[square]
                for target in squares:
                    if cells[target] != EMPTY or (target == self._throne and piece != KING):
                        break
                    text += step_text(direction, "e")
                    if piece == KING or target not in self._corners:
                        moved = list(cells)
                        moved[square], moved[target] = EMPTY, piece
                        captured = self._captured(moved, target)
                        names = [position.board.names[s] + REMOVE_TEXT for s in captured]
                        turns.append("; ".join([text, *names]))
        return turns

    def is_terminal(self, position: Position) -> bool:
        return self._result(position.cells) is not None or not self._can_move(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        players = self.equipment.players
        winner = self._result(position.cells) or self.equipment.next_player(position.to_move)
        return shared_goals(players, winner)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        result = self._result(position.cells)
        if result is None:
            return "no turn"
        return "king taken" if result == ATTACKERS else "king in a corner"

    def endgames(self) -> list[Position]:
        """The king about to be taken in each way or about to escape, and players shut in."""
        positions = []
        for rows in (*NEAR_ENDS, *SHUT_IN):
            for turned in _all_round(rows):
                cells = "".join(reversed(turned))
                for player in self.equipment.players:
                    position = position_of(self.equipment, cells, player)
                    if rows in NEAR_ENDS or leads_to(self, position, "no turn"):
                        positions.append(position)
        distinct = {position.outcome: position for position in positions}
        return [position for position in distinct.values() if not self.is_terminal(position)]

    def _result(self, cells: str) -> Player | None:
        """Who has won by what the king met with."""
        if KING not in cells:
            return ATTACKERS
        return DEFENDERS if cells.index(KING) in self._corners else None

    def _can_move(self, position: Position) -> bool:
        cells = position.cells
        for square, piece in enumerate(cells):
            if piece in OWN[position.to_move]:
                for near in self._near[square]:
                    barred = near == self._throne or near in self._corners
                    if cells[near] == EMPTY and (piece == KING or not barred):
                        return True
        return False

    def _captured(self, cells: list[str], target: Square) -> list[Square]:
        """What the piece that has come to `target` captures, in the order of squares."""
        own = "dk" if cells[target] in "dk" else "a"
        found = []
        for _, squares in self._rays[target]:
            if not squares or cells[squares[0]] == EMPTY or cells[squares[0]] in own:
                continue
            victim = squares[0]
            if cells[victim] == KING and (
                victim == self._throne or self._throne in self._near[victim]
            ):
                sides = set(self._near[victim]) - {self._throne}
                if all(cells[side] in own for side in sides):
                    found.append(victim)
            elif len(squares) > 1 and self._hostile(cells, squares[1], own):
                found.append(victim)
        return sorted(found)

    def _hostile(self, cells: list[str], square: Square, own: str) -> bool:
        """Whether a piece is captured against this square by the player of `own`."""
        if square in self._corners or square == self._throne:
            return cells[square] == EMPTY or cells[square] in own
        return cells[square] in own


def _all_round(rows: Rows) -> list[Rows]:
    """The board turned by no, one, two and three quarters."""
    found = [rows]
    for _ in range(3):
        found.append(tuple("".join(column) for column in zip(*found[-1][::-1], strict=True)))
    return found
