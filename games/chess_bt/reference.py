"""Breakthrough Chess: chess pieces without check; a pawn or a knight on the far rank wins.

Everything moves as in chess, but there is no castling, no double step, no capture in passing and
no promotion, and the king is a piece like any other. The source doesn't say what becomes of a
player without a turn: here that player loses.
"""

from __future__ import annotations

import random

from grl.board import EMPTY, Board, Player, Position, Square
from grl.games import Game

from ..common import (
    BLACK,
    DIAGONALS,
    ORTHOGONALS,
    WHITE,
    Direction,
    leads_to,
    make_equipment,
    mirrored,
    not_over,
    position_of,
    ray,
    shared_goals,
    step_text,
)

START = (
    "rnbqkbnr",
    "pppppppp",
    "........",
    "........",
    "........",
    "........",
    "PPPPPPPP",
    "RNBQKBNR",
)
SIDE = len(START)
TYPES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
RUNNERS = {WHITE: "PN", BLACK: "pn"}
FORWARD = {WHITE: 1, BLACK: -1}

LEAPS: tuple[Direction, ...] = tuple(
    (dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)
)
SLIDES = {"B": DIAGONALS, "R": ORTHOGONALS, "Q": ORTHOGONALS + DIAGONALS}
SINGLE = {"N": LEAPS, "K": ORTHOGONALS + DIAGONALS}

# In each, black's next turn will most likely leave white's pawns without one.
BLOCKS = (
    (
        ".......k",
        "........",
        "........",
        "p.......",
        "P.......",
        "........",
        "........",
        "........",
    ),
    (
        "......r.",
        "........",
        "........",
        "...p....",
        "..pP....",
        "..P.....",
        "........",
        "........",
    ),
    (
        "...k....",
        "........",
        "...b....",
        "p.....p.",
        "P.....P.",
        "........",
        "........",
        "........",
    ),
    (
        ".q......",
        "........",
        "........",
        "....p...",
        "....P...",
        "........",
        "........",
        "........",
    ),
)
FEW_PIECES = 40
NEARLY_BLOCKED = 60
LAST_PIECES = 40
MOST_TRIED = 2000

Line = list[tuple[Square, str, str]]
"""Squares one behind the other, each with the turns that end there: on an empty square, and on an
opponent's piece; "" where there is none."""


class ChessBT(Game):
    """White's pieces are upper case, black's lower case; white begins."""

    name = "chess-bt"
    provenance = (
        "Chess-Breakthrough of Yngvi Björnsson, Learning Rules of Simplified Boardgames by "
        "Observing, ECAI 2012, as the Ludii portal gives it (Breakthrough Chess)"
    )

    def __init__(self) -> None:
        board = Board(SIDE, SIDE)
        pieces = {key: (WHITE, kind) for key, kind in TYPES.items()}
        pieces |= {key.lower(): (BLACK, kind) for key, kind in TYPES.items()}
        self.equipment = make_equipment(board, (WHITE, BLACK), pieces)
        self.initial = position_of(self.equipment, "".join(reversed(START)), WHITE)
        self._lines: dict[str, list[list[Line]]] = {
            key: [_lines(board, key, player, s) for s in board.squares]
            for key, (player, _) in pieces.items()
        }

    def legal(self, position: Position) -> list[str]:
        return [] if self._arrived(position) else self._turns(position)

    def is_terminal(self, position: Position) -> bool:
        return bool(self._arrived(position)) or not self._turns(position)

    def goals(self, position: Position) -> dict[Player, int]:
        if not self.is_terminal(position):
            raise not_over(position)
        winners = self._arrived(position) or [self.equipment.next_player(position.to_move)]
        return shared_goals((WHITE, BLACK), winners[0] if len(winners) == 1 else None)

    def ending(self, position: Position) -> str:
        if not self.is_terminal(position):
            raise not_over(position)
        if self._arrived(position):
            return "far rank"
        view = self.equipment.views[position.to_move]
        return "no turn" if any(view[c] == "w" for c in position.cells) else "no piece left"

    def endgames(self) -> list[Position]:
        """Pawns about to be blocked, last pieces about to be captured, and few pieces, runners
        among them."""
        found: dict[object, Position] = {}
        for rows in BLOCKS:
            for turned, mover in ((rows, BLACK), (mirrored(rows), WHITE)):
                position = position_of(self.equipment, "".join(reversed(turned)), mover)
                found[position.outcome] = position
        chance = random.Random(16)
        inner = range(SIDE, SIDE**2 - SIDE)
        for number in range(FEW_PIECES):
            cells = [EMPTY] * SIDE**2
            extra = chance.choices("NBRQKnbrqk", k=2 + number % 4)
            for square, piece in zip(chance.sample(inner, 8), ["P", "p", *extra], strict=False):
                cells[square] = piece
            position = position_of(self.equipment, cells, (WHITE, BLACK)[number % 2])
            found[position.outcome] = position
        for kind, number in (("no turn", NEARLY_BLOCKED), ("no piece left", LAST_PIECES)):
            enough = len(found) + number
            for tried in range(MOST_TRIED):
                board = self._against_few(chance, blocked=kind == "no turn")
                turned, mover = (mirrored(board), WHITE) if tried % 2 else (board, BLACK)
                position = position_of(self.equipment, "".join(reversed(turned)), mover)
                if leads_to(self, position, kind):
                    found[position.outcome] = position
                if len(found) == enough:
                    break
        return [position for position in found.values() if not self.is_terminal(position)]

    def _against_few(self, chance: random.Random, *, blocked: bool) -> tuple[str, ...]:
        """A few black pieces against one to three white pawns in whose way black pieces stand,
        all but one, or against any one white piece."""
        cells = [EMPTY] * SIDE**2
        ranks = range(SIDE, SIDE**2 - 2 * SIDE)
        if blocked:
            pawns = chance.sample(ranks, chance.randint(1, 3))
            for square in pawns:
                cells[square] = "P"
            for square in pawns[1:]:
                if cells[square + SIDE] == EMPTY:
                    cells[square + SIDE] = chance.choice("pbrqk")
        else:
            cells[chance.choice(ranks)] = chance.choice("PNBRQK")
        free = [s for s in ranks if cells[s] == EMPTY]
        for square in chance.sample(free, chance.randint(1, 3)):
            cells[square] = chance.choice("pnbrqk")
        return tuple(self.equipment.board.rows("".join(cells)))

    def _arrived(self, position: Position) -> list[Player]:
        """The players with a pawn or a knight on the far rank."""
        ends = {WHITE: position.cells[-SIDE:], BLACK: position.cells[:SIDE]}
        return [player for player, keys in RUNNERS.items() if set(keys) & set(ends[player])]

    def _turns(self, position: Position) -> list[str]:
        cells = position.cells
        view = self.equipment.views[position.to_move]
        turns = []
        for square, cell in enumerate(cells):
            if view[cell] != "w":
                continue
            for line in self._lines[cell][square]:
                for target, quiet, capture in line:
                    content = view[cells[target]]
                    turn = quiet if content == "e" else capture if content == "p" else ""
                    if turn:
                        turns.append(turn)
                    if content != "e":
                        break
        return turns


def _lines(board: Board, key: str, player: Player, square: Square) -> list[Line]:
    """Where the piece `key` of `player` can go from `square`, nearest squares first."""
    kind = key.upper()
    name = board.names[square]
    if kind in SLIDES:
        return [_slide(board, square, direction) for direction in SLIDES[kind]]
    lines: list[Line] = []
    if kind == "P":
        for dx in (-1, 0, 1):
            target = board.step(square, dx, FORWARD[player])
            if target is not None:
                turn = name + step_text((dx, FORWARD[player]), "p" if dx else "e")
                lines.append([(target, "", turn) if dx else (target, turn, "")])
        return lines
    for step in SINGLE[kind]:
        target = board.step(square, *step)
        if target is not None:
            lines.append([(target, name + step_text(step, "e"), name + step_text(step, "p"))])
    return lines


def _slide(board: Board, square: Square, direction: Direction) -> Line:
    line = []
    before = board.names[square]
    for target in ray(board, square, direction):
        quiet = before + step_text(direction, "e")
        line.append((target, quiet, before + step_text(direction, "p")))
        before = quiet
    return line
