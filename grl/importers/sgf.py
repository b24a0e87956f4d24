"""Smart Game Format: trees of nodes, of which the first line of play is read.

The package sgfmill reads the trees, places stones and takes those that are surrounded. It plays
one game, of which it doesn't know when it ends; other games in this format, and what is legal,
need a reference game. A file is taken apart here, so that what can't be read spoils one game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from grl.board import EMPTY
from grl.errors import GrlError, Place
from grl.importers.differences import Shown, Way
from grl.importers.records import RecordError
from grl.importers.referee import GameReferee, Referee, library
from grl.importers.refereed import Written
from grl.traceio import Lines

_PLAYERS = ("black", "white")
_STONES = {"b": "x", "w": "o"}
_FIRST = 19
_PASS_LETTERS = "tt"
_OWN = "1"
"""The number of the game that the package plays, as the tag GM gives it."""
_ROOT = re.compile(rb"\(\s*;\s*(?:FF|GM|CA|AP|SZ|EV|PB|PW)\s*\[")
_PARTS = re.compile(rb"\\.|[\[\]()]", re.DOTALL)
_SQUARE = re.compile(r"[a-z][1-9][0-9]?")
_POINT = re.compile(r"[a-zA-Z]{2}")


class Chunk(NamedTuple):
    """The text of a game that begins at `line`; `whole` unless the next one began within it."""

    line: int
    text: bytes
    whole: bool


class Stones(NamedTuple):
    """A position: the package's board, who moves, and where that player may not retake."""

    board: Any
    mover: str
    forbidden: tuple[int, int] | None


class StoneReferee(Referee[Stones]):
    """The package's own game on a board of some size: what it says is taken, and no more.

    A move is a colour and a square, or ``pass``. Raises `MissingExtra` without the package.
    """

    players = _PLAYERS
    types: Mapping[str, str] = {"X": "stone", "O": "stone"}
    name = "go"

    def __init__(self, size: int) -> None:
        self.size = size
        self._boards = library("sgfmill.boards", "sgf", "sgfmill")

    def start(self, setup: str | None) -> Stones:
        board = self._boards.Board(self.size)
        if setup is None:
            return Stones(board, "b", None)
        rows, _, mover = setup.partition(" ")
        if len(rows.split("/")) != self.size:
            raise RecordError("another game", found=f"a board of {len(rows.split('/'))} ranks")
        for rank, row in enumerate(reversed(rows.split("/"))):
            for file, key in enumerate(row):
                if key != EMPTY:
                    board.board[rank][file] = "b" if key == _STONES["b"] else "w"
        return Stones(board, mover[0], None)

    def shown(self, state: Stones) -> Shown:
        rows = [
            "".join(EMPTY if stone is None else _STONES[stone] for stone in row)
            for row in reversed(state.board.board)
        ]
        return Shown(tuple(rows), _name(state.mover), {})

    def moves(self, state: Stones) -> Sequence[str]:  # noqa: ARG002
        raise GrlError(
            "sgfmill can't list the legal moves", hint="--all-moves needs a reference game: --game"
        )

    def find(self, state: Stones, text: str) -> str:
        colour, _, square = text.partition(" ")
        if square == "pass":
            return text
        if _SQUARE.fullmatch(square) is None:
            raise RecordError("unreadable", found=repr(square), expected="a point such as dd")
        row, column = int(square[1:]) - 1, ord(square[0]) - ord("a")
        if not (0 <= row < self.size and 0 <= column < self.size):
            raise RecordError("illegal", found=square, expected="a square of the board")
        if state.board.get(row, column) is not None:
            raise RecordError("illegal", found=square, expected="an empty square")
        if state.forbidden == (row, column) and colour == state.mover:
            raise RecordError("illegal", found=square, message="a stone is retaken at once")
        board = state.board.copy()
        board.play(row, column, colour)
        if board.get(row, column) is None:
            raise RecordError("illegal", found=square, message="a stone that can't breathe")
        return text

    def after(self, state: Stones, move: str) -> Stones:
        colour, square = move.split(" ")
        other = "b" if colour == "w" else "w"
        if square == "pass":
            return Stones(state.board, other, None)
        board = state.board.copy()
        forbidden = board.play(int(square[1:]) - 1, ord(square[0]) - ord("a"), colour)
        return Stones(board, other, forbidden)

    def mover(self, state: Stones, move: str) -> str:  # noqa: ARG002
        return _name(move[0])

    def way(self, move: str) -> Way | None:
        square = move.split(" ")[1]
        if square == "pass":
            return None
        return Way(None, (int(square[1:]) - 1) * self.size + ord(square[0]) - ord("a"))

    def goals(self, state: Stones) -> Mapping[str, int] | None:  # noqa: ARG002
        return None

    def owner(self, key: str) -> str | None:
        return _name("b" if key == _STONES["b"] else "w")


def _name(colour: str) -> str:
    return _PLAYERS[colour == "w"]


def first_size(path: str) -> int:
    """The size of the board of the first game of a file; raises `RecordError` for another game."""
    lines = Lines(path)
    try:
        for chunk in chunks(lines) if lines.regular else ():
            try:
                nodes = _nodes(chunk.text)
            except ValueError:
                continue
            if _text(nodes[0], "GM", _OWN) != _OWN:
                raise GrlError(
                    f"a record of game number {_text(nodes[0], 'GM', _OWN)}",
                    place=Place(file=path, line=chunk.line),
                    hint="name a game that it is of: --game",
                )
            size = _size(nodes[0])
            if size is not None:
                return size
    finally:
        lines.close()
    return _FIRST


def read_sgf(lines: Lines, referee: StoneReferee) -> Iterator[Written]:
    """The games of the file that `referee` plays; moves have a colour before them."""
    for chunk in chunks(lines):
        yield _written(chunk, referee.size, _STONES, coloured=True)


def read_for_game(lines: Lines, referee: GameReferee) -> Iterator[Written]:
    """The games of the file as of a reference game; moves are squares, or as they stand there."""
    height = len(referee.shown(referee.start(None)).rows)
    try:
        stones = dict(zip("bw", map(referee.piece, _of_colours(referee)), strict=True))
    except RecordError:
        stones = {}
    for chunk in chunks(lines):
        yield _written(chunk, height, stones, coloured=False, players=_of_colours(referee))


def _of_colours(referee: GameReferee) -> tuple[str, str]:
    """Who plays B and who W: the players of these names, or the first and the second."""
    players = referee.players
    known = set(_PLAYERS) <= set(players)
    return _PLAYERS if known or len(players) != 2 else (players[0], players[1])


def _written(
    chunk: Chunk,
    size: int,
    stones: Mapping[str, str],
    *,
    coloured: bool,
    players: tuple[str, str] = _PLAYERS,
) -> Written:
    """The game of a chunk on a board of `size` ranks."""
    moves: list[tuple[str, int]] = []
    flaw: RecordError | None = None
    setup: str | None = None
    try:
        nodes = _nodes(chunk.text)
        setup = _setup(nodes[0], size, stones, players, coloured=coloured)
        for node in nodes:
            if moves and not {"AB", "AW", "AE"}.isdisjoint(node):
                place = Place(ply=len(moves) + 1)
                raise RecordError("position", place=place, message="stones set up in the game")
            for tag, colour in (("B", "b"), ("W", "w")):
                for value in node.get(tag, ()):
                    text = _move(value, size)
                    moves.append((f"{colour} {text}" if coloured else text, chunk.line))
    except ValueError as error:
        flaw = RecordError("unreadable", found=str(error), expected="a tree of nodes as in SGF")
    except RecordError as error:
        flaw = error.at(ply=len(moves) + 1) if moves else error
    if not chunk.whole and flaw is None:
        flaw = RecordError("unreadable", found="the next game", expected="the end of this one")
    return Written(chunk.line, moves, setup, flaw)


def _move(value: bytes, size: int) -> str:
    """A square as grl names it, ``pass``, or what else stands there."""
    text = value.decode("utf-8", "replace").strip()
    if not text or (text == _PASS_LETTERS and size <= _FIRST):
        return "pass"
    if _POINT.fullmatch(text) is None:
        if text[:1].isalpha() and text.isascii():
            return text.lower()
        raise RecordError("unreadable", found=repr(text[:20]), expected="a point such as dd")
    column, row = (ord(c) - ord("a") if c.islower() else ord(c) - ord("A") + 26 for c in text)
    if row >= size or column >= 26:
        raise RecordError("illegal", found=text, expected="a point of the board")
    return f"{chr(ord('a') + column)}{size - row}"


def _setup(
    root: Mapping[str, Sequence[bytes]],
    size: int,
    stones: Mapping[str, str],
    players: tuple[str, str],
    *,
    coloured: bool,
) -> str | None:
    """Where a game begins, as rows and who moves; None for the usual start.

    Raises `RecordError` where the board has another size or the stones can't be placed.
    """
    found = _size(root)
    if coloured and _text(root, "GM", _OWN) != _OWN:
        raise RecordError("another game", found=f"GM[{_text(root, 'GM', _OWN)}]")
    if found is not None and found != size and (coloured or "SZ" in root):
        raise RecordError("another game", found=f"size {found}", expected=f"size {size}")
    cells = [[EMPTY] * size for _ in range(size)]
    placed = False
    for tag, key in (("AB", "b"), ("AW", "w")):
        for value in root.get(tag, ()):
            for column, row in _points(value.decode("ascii", "replace"), size):
                if key not in stones or cells[row][column] != EMPTY:
                    raise RecordError("position", found=f"{tag}[{value.decode('latin-1')}]")
                cells[row][column] = stones[key]
                placed = True
    first = _text(root, "PL", "w" if placed and "HA" in root else "b").lower()[:1]
    if not placed and first == "b":
        return None
    mover = first if coloured else players[first == "w"]
    return f"{'/'.join(map(''.join, cells))} {mover}"


def _points(text: str, size: int) -> Iterator[tuple[int, int]]:
    """The points of a value such as ``dd`` or the rectangle ``aa:cc``, as column and row."""
    ends = [(ord(p[0]) - ord("a"), ord(p[1]) - ord("a")) for p in text.split(":") if len(p) == 2]
    inside = all(0 <= x < size and 0 <= y < size for x, y in ends)
    if not ends or len(ends) != text.count(":") + 1 or not inside:
        raise RecordError("position", found=repr(text[:20]), expected="points such as dd")
    (x, y), (to_x, to_y) = ends[0], ends[-1]
    for row in range(y, to_y + 1):
        for column in range(x, to_x + 1):
            yield column, row


def _size(root: Mapping[str, Sequence[bytes]]) -> int | None:
    text = _text(root, "SZ", str(_FIRST))
    return int(text) if text.isdigit() else None


def _text(node: Mapping[str, Sequence[bytes]], tag: str, default: str) -> str:
    values = node.get(tag)
    return values[0].decode("utf-8", "replace").strip() if values else default


def _nodes(text: bytes) -> list[Mapping[str, Sequence[bytes]]]:
    """The nodes of the first line of play; raises `ValueError`."""
    grammar = library("sgfmill.sgf_grammar", "sgf", "sgfmill")
    tree = grammar.parse_sgf_game(text)
    return list(grammar.main_sequence_iter(tree))


def chunks(lines: Lines) -> Iterator[Chunk]:
    """The texts of the games of a file; a line that begins as games do begins one."""
    text, begin, depth, inside = b"", 0, 0, False
    for raw in lines:
        if begin and _ROOT.match(raw.lstrip()) and text.strip():
            yield Chunk(begin, text, whole=False)
            text, begin, depth, inside = b"", 0, 0, False
        at = 0
        for match in _PARTS.finditer(raw):
            sign = match[0]
            if inside or sign == b"]":
                inside = inside and sign != b"]"
            elif sign == b"[":
                inside = bool(begin)
            elif sign == b"(":
                begin = begin or lines.number
                depth += 1
            elif sign == b")":
                depth -= 1
                if depth == 0:
                    yield Chunk(begin, text + raw[at : match.end()], whole=True)
                    text, begin, at = b"", 0, match.end()
        if begin:
            text += raw[at:]
    if begin and text.strip():
        yield Chunk(begin, text, whole=False)
