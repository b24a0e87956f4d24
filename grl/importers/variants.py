"""Chess variants that the package chess plays, each from its own start, moves in short notation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grl.errors import GrlError, Place
from grl.importers.differences import Shown, Way
from grl.importers.pgn import read_pgn
from grl.importers.placements import Alphabet, shown
from grl.importers.records import RecordError
from grl.importers.referee import Referee, library, misfit
from grl.importers.refereed import Written
from grl.traceio import Lines

if TYPE_CHECKING:
    import chess

STANDARD = {"", "standard", "chess", "normal", "from position"}
SHUFFLED = {"chess960", "chess 960", "fischerandom", "fischer random", "fischerrandom"}
_PLAYERS = ("white", "black")


class LibraryVariant(Referee["chess.Board"]):
    """A variant by one of the names that the package knows; a position is its board.

    Draws that count positions, moves or material end no game. Raises `GrlError` for a name that it
    doesn't know, and `MissingExtra` without the package.
    """

    players = _PLAYERS

    def __init__(self, variant: str) -> None:
        self._chess = library("chess", "pgn")
        self._make = maker(variant)
        first = self._make(None)
        names: Sequence[str] = self._chess.PIECE_NAMES
        self.name = "chess960" if first.chess960 else first.uci_variant
        self._types = {name[0].upper() if name != "knight" else "N": name for name in names[1:]}
        self._alphabet = Alphabet.of(self._types)
        self.types = self._alphabet.types(self._types)
        if hasattr(first, "pockets"):
            self.stock = {"white": "BNPQR", "black": "bnpqr"}

    def start(self, setup: str | None) -> chess.Board:
        try:
            board: chess.Board = self._make(setup)
        except ValueError as error:
            raise RecordError("position", found=setup, expected=str(error)) from None
        if setup is not None and has_past(board):
            raise RecordError(
                "position", message="a starting position with a past, or none", found=board.fen()
            )
        return board

    def shown(self, state: chess.Board) -> Shown:
        return shown(self._alphabet, state.fen(en_passant="fen"), _PLAYERS)

    def moves(self, state: chess.Board) -> Sequence[str]:
        return () if state.is_variant_end() else [move.uci() for move in state.legal_moves]

    def find(self, state: chess.Board, text: str) -> str:
        try:
            move = state.parse_san(text)
        except self._chess.InvalidMoveError:
            raise RecordError(
                "unreadable", found=repr(text), expected="a move such as Nf3"
            ) from None
        except ValueError as error:
            if isinstance(error, self._chess.AmbiguousMoveError):
                raise RecordError("ambiguous", found=text) from None
            raise misfit([state.san(m) for m in state.legal_moves], text) from None
        if state.is_variant_end():
            raise RecordError("over", found=text)
        return move.uci()

    def after(self, state: chess.Board, move: str) -> chess.Board:
        board = state.copy(stack=False)
        board.push(self._chess.Move.from_uci(move))
        return board

    def goals(self, state: chess.Board) -> Mapping[str, int] | None:
        if not state.is_variant_end() and any(state.legal_moves):
            return None
        outcome = state.outcome()
        winner = None if outcome is None else outcome.winner
        if winner is None:
            return dict.fromkeys(_PLAYERS, 50)
        return {"white": 100 * winner, "black": 100 * (not winner)}

    def way(self, move: str) -> Way | None:
        found = self._chess.Move.from_uci(move)
        return Way(None if found.drop else found.from_square, found.to_square)


def maker(variant: str) -> Any:
    """What makes a board of a variant from a FEN, or from None; raises `GrlError`."""
    chess, variants = library("chess", "pgn"), library("chess.variant", "pgn", "chess")
    name = variant.lower()
    if name in SHUFFLED:
        return lambda fen: chess.Board(fen or chess.STARTING_FEN, chess960=True)
    if name in STANDARD:
        return lambda fen: chess.Board(fen or chess.STARTING_FEN)
    try:
        found = variants.find_variant(variant)
    except ValueError as error:
        raise GrlError(f"the package chess knows no variant {variant!r}") from error
    return lambda fen: found() if fen is None else found(fen)


def has_past(board: chess.Board) -> bool:
    """Whether a board at the beginning of a game can't be said without the moves before: a king
    and rooks at home that may not castle, a pawn that can be taken in passing, pieces in hand."""
    chess = library("chess", "pgn")
    fresh = board.copy(stack=False)
    fresh.castling_rights = chess.BB_BACKRANKS & board.rooks if board.chess960 else chess.BB_CORNERS
    if not board.chess960 and not type(board)().castling_rights:
        fresh.castling_rights = chess.BB_EMPTY
    past = fresh.clean_castling_rights() != board.clean_castling_rights()
    hands = any(len(pocket) for pocket in getattr(board, "pockets", ()))
    return not board.is_valid() or past or hands or board.has_legal_en_passant()


def reader(variant: str) -> Any:
    """What reads the games of a file in which `variant` is played; others are quarantined."""
    wanted = type_of(variant)

    def read(lines: Lines) -> Iterator[Written]:
        for game in read_pgn(lines):
            found = game.tags.get("Variant", "")
            flaw = game.flaw
            try:
                same = not found or type_of(found) == wanted
            except GrlError:
                same = False
            if not same:
                place = Place(line=game.line)
                flaw = RecordError("another game", place=place, found=found, expected=variant)
            moves = game.moves if same else []
            yield Written(game.line, moves, game.tags.get("FEN"), flaw)

    return read


def first_variant(path: str) -> str | None:
    """The variant that the first game of a file names; None for chess itself, and for a pipe."""
    lines = Lines(path)
    try:
        game = next(read_pgn(lines), None) if lines.regular else None
    finally:
        lines.close()
    name = "" if game is None else game.tags.get("Variant", "")
    return None if name.lower() in STANDARD else name


def type_of(variant: str) -> object:
    """What tells variants apart, whichever of their names they have."""
    return "shuffled" if variant.lower() in SHUFFLED else type(maker(variant)(None))
