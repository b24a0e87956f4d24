"""The package chess as a second opinion: what moves of its boards do, beside what turns do.

Effects are the square where a turn begins with the board and the hands that it leaves.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import chess
import chess.variant

from grl.board import Position
from grl.games import Game
from grl.turn import Turn

Effects = set[tuple[str, str]]

PLAIN = str.maketrans("HLTDhltd", "NBRQnbrq")
DOUBLE = {"(0 1 e) (0 1 e)": 8, "(0 -1 e) (0 -1 e)": -8}


def placement(rows: Iterable[str], promoted: bool = False) -> str:
    """Rows as the first field of a FEN, promoted pieces marked with ~ on request."""
    fields = []
    for row in rows:
        field = ""
        for empty, cells in groupby(row, ".".__eq__):
            run = list(cells)
            plain = [c.translate(PLAIN) for c in run]
            marks = ["~" if promoted and a != b else "" for a, b in zip(run, plain, strict=True)]
            field += (
                str(len(run)) if empty else "".join(map("".join, zip(plain, marks, strict=True)))
            )
        fields.append(field)
    return "/".join(fields)


def board_of(position: Position) -> chess.Board:
    """The same position there; what may castle or be taken in passing comes from its history."""
    board = chess.variant.CrazyhouseBoard() if position.stock else chess.Board()
    pockets = getattr(board, "pockets", ())
    board.set_board_fen(placement(position.rows, promoted=True))
    board.turn = position.to_move == "white"
    board.castling_rights = chess.BB_EMPTY
    for king in {chess.E1, chess.E8} - position.moved:
        for rook in {king - 4, king + 3} - position.moved:
            board.castling_rights |= chess.BB_SQUARES[rook]
    # A promoted rook, which its own key shows, has come there by moving.
    board.castling_rights = board.clean_castling_rights() & ~board.promoted
    origin, _, letters = (position.last or "").partition(" ")
    start = chess.parse_square(origin) if letters in DOUBLE else None
    board.ep_square = None
    if start is not None and board.piece_type_at(start + 2 * DOUBLE[letters]) == chess.PAWN:
        board.ep_square = start + DOUBLE[letters]
    for player, key, count in position.stock:
        for _ in range(count):
            pockets[player == "white"].add(chess.PIECE_SYMBOLS.index(key.lower()))
    return board


def their_effects(board: chess.Board) -> Effects:
    found: Effects = set()
    for move in board.legal_moves:
        origin = chess.square_name(move.to_square if move.drop else move.from_square)
        board.push(move)
        black, white = map(str, getattr(board, "pockets", ("", "")))
        hands = "".join(sorted(white.upper() + black))
        found.add((origin, f"{board.board_fen(promoted=False)} {hands}"))
        board.pop()
    return found


def our_effects(game: Game, position: Position, turns: Iterable[str]) -> Effects:
    found: Effects = set()
    for turn in turns:
        after = game.play(position, turn)
        hands = "".join(sorted(key * count for _, key, count in after.stock))
        found.add((Turn.parse(turn).origin, f"{placement(after.rows)} {''.join(sorted(hands))}"))
    return found


def ending_of(board: chess.Board) -> str | None:
    """Mate or stalemate, in the words of the reference."""
    return "mate" if board.is_checkmate() else "stalemate" if board.is_stalemate() else None
