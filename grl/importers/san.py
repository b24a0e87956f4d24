"""Games in Portable Game Notation as plays: moves in short notation become turns of a game.

The package chess says from where to where a move such as ``Nbd7`` goes; which turn that is, the
legal turns of a reference game say. Both have to agree that the move is legal.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from grl.board import Position, make_position
from grl.errors import GrlError, MissingExtra, Place
from grl.games import Game
from grl.importers.pgn import PgnGame, read_pgn
from grl.importers.records import FileByFile, RecordError
from grl.progress import Progress, silent
from grl.traceio import Lines
from grl.tracejson import position_dict
from grl.turn import Turn

if TYPE_CHECKING:
    import chess

_STANDARD = {"", "standard", "chess", "normal", "from position"}
_REMEMBERED = 65_536


class Way(NamedTuple):
    """Where the first segment of a turn begins and ends, and the type of the piece that appears."""

    start: str
    end: str
    appears: str


class PgnImports(FileByFile):
    """The plays of some files in Portable Game Notation; each iteration reads them anew.

    With `all_moves` every legal turn of `game` is listed with each turn played. Raises
    `MissingExtra` without the package that reads moves.
    """

    def __init__(
        self,
        paths: Sequence[str | os.PathLike[str]],
        game: Game,
        *,
        all_moves: bool = False,
        keep_beginnings: bool = False,
        strict: bool = False,
        progress: Progress = silent,
    ) -> None:
        super().__init__(paths, keep_beginnings=keep_beginnings, strict=strict, progress=progress)
        try:
            import chess
        except ImportError:
            raise MissingExtra(
                "the package chess is not installed", hint="pip install 'grl[pgn]'"
            ) from None
        self.game = game
        self.all_moves = all_moves
        self._chess = chess
        self._way = lru_cache(_REMEMBERED)(self._find_way)

    def _plays(self, path: str, lines: Lines) -> Iterator[dict[str, Any]]:
        for record in read_pgn(lines):
            name = self.name(path, record.line)
            start, end, turns, flaw = self._replay(record)
            if not self.admitted(path, record.line, len(turns), flaw):
                continue
            play: dict[str, Any] = {"id": name}
            if start.outcome != self.game.initial.outcome:
                play["initial"] = position_dict(start)
            play["turns"] = turns
            over = self.game.is_terminal(end)
            play["end"] = "terminal" if over else "stopped"
            yield play | ({"goals": dict(self.game.goals(end))} if over else {})

    def _replay(
        self, record: PgnGame
    ) -> tuple[Position, Position, list[dict[str, Any]], RecordError | None]:
        """Where a game starts and ends, its turns as far as they replay, and what stopped them."""
        turns: list[dict[str, Any]] = []
        start = position = self.game.initial
        try:
            board = self._board(record)
            start = position = self._start(board)
            for text, line in record.moves:
                legal = self.game.legal(position)
                place = Place(line=line, ply=len(turns) + 1, rows=tuple(position.rows))
                turn = self._turn(board, legal, text, place)
                listed = {"legal": sorted(legal)} if self.all_moves else {}
                turns.append({"turn": turn, **listed})
                position = self.game.play(position, turn)
        except RecordError as flaw:
            return start, position, turns, flaw
        if record.flaw is None and not record.moves:
            return start, position, turns, RecordError("no moves")
        return start, position, turns, record.flaw

    def _turn(self, board: chess.Board, legal: list[str], text: str, place: Place) -> str:
        """The turn that a move is; `board` goes on to the position after it."""
        chess = self._chess
        if not legal:
            raise RecordError("over", place=place, found=text)
        try:
            move = board.parse_san(text)
        except chess.InvalidMoveError:
            raise RecordError(
                "unreadable", place=place, found=repr(text), expected="a move such as Nf3"
            ) from None
        except ValueError as error:
            ambiguous = isinstance(error, chess.AmbiguousMoveError)
            expected = f"one of {' '.join(map(board.san, board.legal_moves))}"
            raise RecordError(
                "ambiguous" if ambiguous else "illegal", place=place, found=text, expected=expected
            ) from None
        names, kind = chess.SQUARE_NAMES, move.drop or move.promotion
        wanted = Way(
            names[move.to_square if move.drop else move.from_square],
            names[move.to_square],
            chess.PIECE_NAMES[kind] if kind else "",
        )
        found = [turn for turn in legal if self._way(turn) == wanted]
        if len(found) != 1:
            raise RecordError(
                "illegal",
                message=f"a move that is {len(found)} legal turns of {self.game.name}",
                place=place,
                found=text,
            )
        board.push(move)
        return found[0]

    def _find_way(self, text: str) -> Way:
        turn, equipment = Turn.parse(text), self.game.equipment
        if not turn.segments:
            return Way("", "", "")
        segment = turn.segments[0]
        path = segment.path(equipment.board)
        new = [equipment.pieces[letter.piece].type for letter in segment.letters if letter.appears]
        names = equipment.board.names
        return Way(names[path[0]], names[path[-1]], new[-1].split()[-1] if new else "")

    def _board(self, record: PgnGame) -> chess.Board:
        """The board on which a game begins; raises `RecordError` for one that can't be had."""
        from chess.variant import find_variant

        variant = record.tags.get("Variant", "")
        fen = record.tags.get("FEN")
        try:
            if variant.lower() in _STANDARD:
                return self._chess.Board() if fen is None else self._chess.Board(fen)
            return find_variant(variant)() if fen is None else find_variant(variant)(fen)
        except ValueError as error:
            raise RecordError("position", found=fen or variant, expected=str(error)) from None

    def _start(self, board: chess.Board) -> Position:
        """The position of a board at the beginning of a game, where nothing has moved.

        Raises `RecordError` for one with a past: a king and rooks at home that may not castle, a
        pawn that can be taken in passing, pieces in hand.
        """
        players = self.game.equipment.players
        rows = str(board).replace(" ", "").splitlines()
        fresh = board.copy(stack=False)
        fresh.castling_rights = self._chess.BB_CORNERS
        past = fresh.clean_castling_rights() != board.clean_castling_rights()
        hands = any(len(pocket) for pocket in getattr(board, "pockets", ()))
        try:
            if not board.is_valid() or past or hands or board.has_legal_en_passant():
                raise RecordError("position", message="a starting position with a past, or none")
            return make_position(self.game.equipment, rows, players[not board.turn])
        except GrlError as error:
            raise RecordError("position", message=error.message, found=board.fen()) from None
