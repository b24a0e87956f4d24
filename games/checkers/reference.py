"""English checkers: captures are compulsory, a jump goes on while it can, no flying kings.

Captured pieces leave the board at once and the jumper's origin counts as empty. A man that
reaches the far rank becomes a king and its turn ends; with `continuing` = 1 a man crowned in a jump
must go on capturing as a king where it can. A player without a turn loses; there is no rule of
draws, as in published perft tables.
"""

from __future__ import annotations

from typing import NamedTuple

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    BLACK,
    DIAGONALS,
    REMOVE_TEXT,
    WHITE,
    Direction,
    appear_text,
    check_option,
    leads_to,
    make_equipment,
    mirrored,
    not_over,
    position_of,
    shared_goals,
    step_text,
)
from .endgames import ROWS, few_pieces, nearly_blocked

START = (
    ".M.M.M.M",
    "M.M.M.M.",
    ".M.M.M.M",
    "........",
    "........",
    "m.m.m.m.",
    ".m.m.m.m",
    "m.m.m.m.",
)
OWN = {WHITE: frozenset("mk"), BLACK: frozenset("MK")}
KINGS = {"m": "k", "M": "K"}
NEARLY_BLOCKED = 60
DIRECTIONS: dict[str, tuple[Direction, ...]] = {
    "m": ((-1, 1), (1, 1)),
    "M": ((-1, -1), (1, -1)),
    "k": DIAGONALS,
    "K": DIAGONALS,
}


class Step(NamedTuple):
    """A quiet step of a piece: where to, and the whole turn."""

    target: Square
    turn: str


class Jump(NamedTuple):
    """A jump of a piece: over what, where to, its letters, and what the piece is then."""

    over: Square
    land: Square
    letters: str
    becomes: str


class Checkers(Game):
    """White's men `m` and kings `k` play up the board and begin; black's are `M` and `K`."""

    name = "checkers"
    notations = ("acf", "pdn", "pdn-21")
    provenance = (
        "Rules of Draughts (Checkers), World Checkers Draughts Federation; "
        "without the draw rules, as in Aart Bik's perft tables"
    )

    def __init__(self, continuing: int = 0) -> None:
        self._continuing = bool(check_option(self.name, "continuing", continuing, 0, 1))
        board = Board(8, 8)
        self.equipment = make_equipment(
            board,
            (WHITE, BLACK),
            {
                "m": (WHITE, "man"),
                "k": (WHITE, "king"),
                "M": (BLACK, "man"),
                "K": (BLACK, "king"),
            },
        )
        self.initial = position_of(self.equipment, "".join(reversed(START)), WHITE)
        self._steps = {key: [_steps(board, key, s) for s in board.squares] for key in DIRECTIONS}
        self._jumps = {key: [_jumps(board, key, s) for s in board.squares] for key in DIRECTIONS}

    def legal(self, position: Position) -> list[str]:
        cells = position.cells
        own = OWN[position.to_move]
        others = OWN[self.equipment.next_player(position.to_move)]
        quiet: list[str] = []
        captures: list[str] = []
        for square, piece in enumerate(cells):
            if piece not in own:
                continue
            if self._can_jump(cells, square, piece, others):
                captures += self._captures(cells, square, piece, others)
            elif not captures:
                for target, turn in self._steps[piece][square]:
                    if cells[target] == EMPTY:
                        quiet.append(turn)
        return captures or quiet

    def is_terminal(self, position: Position) -> bool:
        cells = position.cells
        own = OWN[position.to_move]
        others = OWN[self.equipment.next_player(position.to_move)]
        for square, piece in enumerate(cells):
            if piece in own:
                for target, _ in self._steps[piece][square]:
                    if cells[target] == EMPTY:
                        return False
                if self._can_jump(cells, square, piece, others):
                    return False
        return True

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        winner = self.equipment.next_player(position.to_move)
        return shared_goals(self.equipment.players, winner)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        return "no turn" if OWN[position.to_move] & set(position.cells) else "no piece left"

    def endgames(self) -> list[Position]:
        """Endings with few pieces, and crowded ones in which a player is about to be blocked."""
        positions = []
        for rows in ROWS:
            for flipped in (rows, mirrored(rows)):
                cells = "".join(reversed(flipped))
                positions += [position_of(self.equipment, cells, p) for p in (WHITE, BLACK)]
        for cells, number in few_pieces():
            positions.append(position_of(self.equipment, cells, (WHITE, BLACK)[number % 2]))
        blocks = 0
        for cells in nearly_blocked():
            rows = tuple(self.equipment.board.rows(cells))
            turned, mover = (mirrored(rows), WHITE) if blocks % 2 else (rows, BLACK)
            position = position_of(self.equipment, "".join(reversed(turned)), mover)
            if blocks == NEARLY_BLOCKED:
                break
            if leads_to(self, position, "no turn"):
                positions.append(position)
                blocks += 1
        distinct = {position.outcome: position for position in positions}
        return [position for position in distinct.values() if not self.is_terminal(position)]

    def _can_jump(self, cells: str, square: int, piece: str, others: frozenset[str]) -> bool:
        for over, land, *_ in self._jumps[piece][square]:
            if cells[land] == EMPTY and cells[over] in others:
                return True
        return False

    def _captures(self, cells: str, square: int, piece: str, others: frozenset[str]) -> list[str]:
        """The capturing turns of one piece; ways round to the same end count once.

        That promotion ends a turn needs no case of its own: on the far rank a man's jumps have
        run out. A crowned man that goes on leaves no man behind: the letter d removes what the
        letter a has put down.
        """
        found: dict[tuple[Square, int], str] = {}
        board = list(cells)
        board[square] = EMPTY

        def go_on(piece: str, at: int, taken: int, text: str) -> bool:
            jumped = False
            for over, land, letters, becomes in self._jumps[piece][at]:
                victim = board[over]
                if board[land] != EMPTY or victim not in others:
                    continue
                jumped = True
                now_taken = taken | 1 << over
                longer = text + letters
                board[over] = EMPTY
                if becomes != piece and self._continuing:
                    went_on = go_on(becomes, land, now_taken, longer + REMOVE_TEXT)
                else:
                    went_on = go_on(piece, land, now_taken, longer)
                if not went_on:
                    found.setdefault((land, now_taken), longer)
                board[over] = victim
            return jumped

        go_on(piece, square, 0, self.equipment.board.names[square])
        return list(found.values())


def _promotion(board: Board, piece: str, target: Square) -> str:
    """The letter of the promotion that a man's arrival on `target` brings, or nothing."""
    if piece not in KINGS:
        return ""
    _, dy = DIRECTIONS[piece][0]
    return appear_text(KINGS[piece]) if board.step(target, 0, dy) is None else ""


def _steps(board: Board, piece: str, square: Square) -> list[Step]:
    steps = []
    for direction in DIRECTIONS[piece]:
        target = board.step(square, *direction)
        if target is not None:
            text = step_text(direction, "e") + _promotion(board, piece, target)
            steps.append(Step(target, board.names[square] + text))
    return steps


def _jumps(board: Board, piece: str, square: Square) -> list[Jump]:
    jumps = []
    for direction in DIRECTIONS[piece]:
        over = board.step(square, *direction)
        land = None if over is None else board.step(over, *direction)
        if over is not None and land is not None:
            text = step_text(direction, "p") + REMOVE_TEXT + step_text(direction, "e")
            promotion = _promotion(board, piece, land)
            becomes = KINGS[piece] if promotion else piece
            jumps.append(Jump(over, land, text + promotion, becomes))
    return jumps
