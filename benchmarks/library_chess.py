"""Chess of which the package chess says what is legal: it answers questions and referees records.

    grl ask chess.grl.json games.jsonl --game benchmarks/library_chess.py:LibraryChess

How turns are written is the reference's; nothing else of it is asked. Needs the extra pgn.
"""

from __future__ import annotations

import chess
from chess_oracle import board_of, ending_of

from grl.board import Player, Position
from grl.errors import GameError
from grl.games import Game, load

CASTLINGS = {
    True: "{king} (1 0 e) (1 0 e); h{rank} (-1 0 w) (-1 0 e)",
    False: "{king} (-1 0 e) (-1 0 e); a{rank} (1 0 e) (1 0 w) (1 0 e)",
}
"""By whether the king goes to his own side."""


class LibraryChess(Game):
    """Positions as the reference's, turns and endings as the library's."""

    name = "chess"
    provenance = "the package chess, but for draws by repetition, without progress and of material"

    def __init__(self) -> None:
        reference = load("chess")
        self.equipment, self.initial = reference.equipment, reference.initial

    def legal(self, position: Position) -> list[str]:
        board = board_of(position)
        return [_written(board, move) for move in board.legal_moves]

    def is_terminal(self, position: Position) -> bool:
        return ending_of(board_of(position)) is not None

    def goals(self, position: Position) -> dict[Player, int]:
        self.ending(position)
        if not board_of(position).is_checkmate():
            return dict.fromkeys(self.equipment.players, 50)
        return {p: 0 if p == position.to_move else 100 for p in self.equipment.players}

    def ending(self, position: Position) -> str:
        found = ending_of(board_of(position))
        if found is None:
            raise GameError("goals were asked for, but the game is not over")
        return found


def _written(board: chess.Board, move: chess.Move) -> str:
    """The turn that a move of the library is."""
    start, forward = chess.square_name(move.from_square), 1 if board.turn else -1
    if board.is_castling(move):
        ours = board.is_kingside_castling(move)
        return CASTLINGS[ours].format(king=start, rank=start[1])
    across = chess.square_file(move.to_square) - chess.square_file(move.from_square)
    up = chess.square_rank(move.to_square) - chess.square_rank(move.from_square)
    if board.is_en_passant(move):
        return f"{start} ({across} 0 p) (0 0 d) (0 {forward} e)"
    far = max(abs(across), abs(up))
    steps = far if min(abs(across), abs(up)) in (0, far) else 1
    letter = f" ({across // steps} {up // steps} "
    text = start + (letter + "e)") * (steps - 1)
    text += letter + ("p)" if board.is_capture(move) else "e)")
    if move.promotion is None:
        return text
    return f"{text} (0 0 a {chess.Piece(move.promotion, board.turn).symbol()})"
