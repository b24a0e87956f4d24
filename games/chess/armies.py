"""What the pieces of a player of chess do from each square of an empty board, as tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from grl.board import Board, Content, Square

from ..common import DIAGONALS, ORTHOGONALS, Direction, appear_text, ray, step_text

SIDE = 8
SIZE = SIDE * SIDE
ARCHBISHOP = "A"
LEAPS: tuple[Direction, ...] = tuple(
    (dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)
)
AROUND = ORTHOGONALS + DIAGONALS
SLIDES = {"B": DIAGONALS, "R": ORTHOGONALS, "Q": AROUND, ARCHBISHOP: DIAGONALS}
STEPS = {"N": LEAPS, "K": AROUND, ARCHBISHOP: LEAPS}
CASTLINGS = (
    ("e", "h", "f", "g", "fg", "e{0} (1 0 e) (1 0 e); h{0} (-1 0 w) (-1 0 e)"),
    ("e", "a", "d", "c", "bcd", "e{0} (-1 0 e) (-1 0 e); a{0} (1 0 e) (1 0 w) (1 0 e)"),
)

Line = list[tuple[Square, str, str]]
"""Squares one behind the other, each with the turns that end there: quiet, and a capture."""


class Castling(NamedTuple):
    """The squares of one castling, those that have to be empty, and its turn."""

    king: Square
    rook: Square
    passed: Square
    target: Square
    free: tuple[Square, ...]
    turn: str


class PawnMoves(NamedTuple):
    """What a pawn can do from a square: where it goes, and where it takes."""

    steps: list[list[tuple[Square, str]]]
    takes: list[tuple[Square, str]]


class Army(NamedTuple):
    """The pieces of a player; `view` says what a cell is to them, `strikes` from where a pawn
    attacks each square, `far` where pawns are promoted and `promotions` into what."""

    view: dict[str, Content | str]
    king: str
    rook: str
    pawn: str
    straight: str
    diagonal: str
    leapers: str
    lines: dict[str, list[list[Line]]]
    pawns: list[PawnMoves]
    strikes: list[list[Square]]
    far: range
    promotions: list[str]
    castlings: list[Castling]


def make_army(
    board: Board,
    view: dict[str, Content | str],
    pieces: dict[str, str],
    promotions: Iterable[str],
    *,
    white: bool,
    castling: bool,
    sidestep: bool,
) -> Army:
    """The tables of one player, from the kind that each key moves like, as an upper-case letter."""
    own = {kind: key for key, kind in pieces.items() if key.upper() == kind}
    ahead = 1 if white else -1
    movers = {key: kind for key, kind in pieces.items() if kind != "P"}
    return Army(
        view=view,
        king=own["K"],
        rook=own.get("R", ""),
        pawn=own["P"],
        straight=_keys(pieces, [k for k, directions in SLIDES.items() if (1, 0) in directions]),
        diagonal=_keys(pieces, [k for k, directions in SLIDES.items() if (1, 1) in directions]),
        leapers=_keys(pieces, ["N", ARCHBISHOP]),
        lines={
            key: [_lines(board, kind, s) for s in board.squares] for key, kind in movers.items()
        },
        pawns=[_pawn_moves(board, s, ahead, sidestep) for s in board.squares],
        strikes=[
            [t for dx in (-1, 1) if (t := board.step(s, dx, -ahead)) is not None]
            for s in board.squares
        ],
        far=range(SIZE - SIDE, SIZE) if white else range(SIDE),
        promotions=[appear_text(key) for key in promotions],
        castlings=[_castling(board, way, white) for way in CASTLINGS] if castling else [],
    )


def _keys(pieces: dict[str, str], kinds: Iterable[str]) -> str:
    return "".join(key for key, kind in pieces.items() if kind in kinds)


def _lines(board: Board, kind: str, square: Square) -> list[Line]:
    """Where a piece other than a pawn can go from `square`, nearest squares first."""
    name = board.names[square]
    lines: list[Line] = []
    for direction in SLIDES.get(kind, ()):
        line, before = [], name
        for target in ray(board, square, direction):
            quiet = before + step_text(direction, "e")
            line.append((target, quiet, before + step_text(direction, "p")))
            before = quiet
        lines.append(line)
    for step in STEPS.get(kind, ()):
        landed = board.step(square, *step)
        if landed is not None:
            lines.append([(landed, name + step_text(step, "e"), name + step_text(step, "p"))])
    return [line for line in lines if line]


def _pawn_moves(board: Board, square: Square, ahead: int, sidestep: bool) -> PawnMoves:
    name, rank = board.names[square], square // SIDE
    once = name + step_text((0, ahead), "e")
    squares = ray(board, square, (0, ahead))[: 2 if rank == (1 if ahead > 0 else SIDE - 2) else 1]
    steps = [list(zip(squares, (once, once + step_text((0, ahead), "e")), strict=False))]
    takes = []
    for dx in (-1, 1):
        taken = board.step(square, dx, ahead)
        if taken is not None:
            takes.append((taken, name + step_text((dx, ahead), "p")))
        beside = board.step(square, dx, 0)
        if sidestep and beside is not None:
            steps.append([(beside, name + step_text((dx, 0), "e"))])
    return PawnMoves([line for line in steps if line], takes)


def _castling(board: Board, way: tuple[str, ...], white: bool) -> Castling:
    rank = 1 if white else SIDE
    king, rook, passed, target = (board.square(f"{file}{rank}") for file in way[:4])
    free = tuple(board.square(f"{file}{rank}") for file in way[4])
    return Castling(king, rook, passed, target, free, way[5].format(rank))
