"""Files of boards alone: a game is the boards that it went through, and no move is written down.

Four kinds are told apart by how they begin. JSON lines: an object a game, with its ``boards``, or
an object a board. CSV, with a line of names first: a board a line, in one column or in a column for
every square. FEN: a board a line. Diagrams: the rows of a board below one another, an empty line
between boards. Ranks go from the highest down everywhere.
"""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isqrt
from typing import Any

from grl.board import EMPTY, HOLE, file_name, parse_square_name
from grl.errors import GrlError, Place
from grl.importers.records import RecordError, decoded
from grl.traceio import Lines
from grl.tracejson import Header, parse_object, read_header, shown

BOARD = ("board", "rows", "fen", "position", "cells", "state")
GAME = ("game", "game_id", "gameid", "id", "match")
PLY = ("ply", "move", "move_number", "number", "n", "t")
MOVER = ("to_move", "side", "mover", "player", "turn")
RESULT = ("result", "score", "outcome")
"""Names of columns and keys, whatever their case."""
_RESULTS = re.compile(r"1-0|0-1|1/2-1/2|½-½|\*")
_NEW_GAME = re.compile(r"={3,}|game\b.*|\[.*\]", re.IGNORECASE)
_SIDE = re.compile(r"(?:(\S+) to move|(?:to move|side)\s*:\s*(\S+))\.?", re.IGNORECASE)
_RANK = re.compile(r"(?P<before>[0-9]+)?\s*\|?(?P<row>.*?)\|?\s*(?P<behind>[0-9]+)?")
_EMPTIES = str.maketrans(dict.fromkeys(" _-·", EMPTY))
_FEW = 4
"""So many columns that are called like squares are squares."""


@dataclass(slots=True)
class Board:
    """A board as it stands in `line`; `mover` is who is to move there, where that is written."""

    rows: tuple[str, ...]
    line: int
    mover: str = ""


@dataclass(slots=True)
class BoardGame:
    """The boards of one game, which begins at `line`.

    `result` is as written, empty where nothing is; `goals` is given where the rules ended the game.
    `flaw` says why reading stopped.
    """

    line: int
    boards: list[Board] = field(default_factory=list)
    name: str = ""
    result: str = ""
    goals: Mapping[str, Any] | None = None
    flaw: RecordError | None = None

    def add(self, value: object, mover: object, line: int) -> None:
        """One board more, as `rows_of` reads it, unless the game is spoilt."""
        if self.flaw is None:
            try:
                rows = rows_of(list(value) if isinstance(value, tuple) else value)
                self.boards.append(Board(rows, line, "" if mover is None else str(mover)))
            except GrlError as error:
                self.spoil(error, line)

    def spoil(self, error: GrlError, line: int) -> None:
        """Note why no more boards follow; the first reason stands."""
        if self.flaw is None:
            self.flaw = (
                error
                if isinstance(error, RecordError)
                else RecordError("unreadable", message=error.message, found=error.found)
            )
            self.flaw.at(line=line, ply=max(len(self.boards), 1))


def read_boards(lines: Lines) -> Iterator[BoardGame]:
    """The games of a file, whichever kind it is."""
    stream = iter(lines)
    first: list[bytes] = []
    for raw in stream:
        first.append(raw)
        if raw.strip():
            break
    start = first[-1].removeprefix(BOM_UTF8).strip() if first else b""
    whole = _Numbered(lines, chain(first, stream), len(first))
    if start.startswith(b"{"):
        return _json(whole)
    text = decoded(start)
    if _columns(text) is not None:
        return _csv(whole)
    if "/" in text.split(" ", maxsplit=1)[0] and not _RESULTS.fullmatch(text):
        return _fen(whole)
    return _diagrams(whole)


def first_header(path: str) -> Header | None:
    """The header of a trace file with which a file of JSON lines begins; None where none does."""
    lines = Lines(path)
    try:
        first = next(iter(lines), b"").removeprefix(BOM_UTF8)
        data = parse_object(first) if first.startswith(b"{") else {}
        return read_header(data) if "format" in data else None
    except GrlError as error:
        raise error.at(file=path, line=1) from None
    finally:
        lines.close()


class _Numbered:
    """Lines with their numbers, of which the first ones have been looked at already."""

    def __init__(self, lines: Lines, stream: Iterable[bytes], ahead: int) -> None:
        self._lines, self._stream, self._ahead = lines, stream, ahead

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        for number, raw in enumerate(self._stream, 1):
            yield (number if number <= self._ahead else self._lines.number), raw


def rows_of(value: object) -> tuple[str, ...]:
    """The rows of a board: a list of them, a text with a line or a ``/`` between them, as in FEN,
    or a text without, of a square board. Raises `RecordError`."""
    if isinstance(value, str):
        text = value.strip("\n")
        if "/" in text:
            return _placement(text.strip())
        rows: Sequence[object] = text.split("\n")
        if len(rows) == 1 and isqrt(len(text)) ** 2 == len(text) > 1:
            side = isqrt(len(text))
            rows = [text[i : i + side] for i in range(0, len(text), side)]
    elif isinstance(value, list):
        rows = value
    else:
        rows = ()
    found = tuple(row if isinstance(row, str) else _joined(row) for row in rows)
    if not found or not all(found) or len(set(map(len, found))) != 1:
        raise RecordError(
            "unreadable",
            message="not a board",
            found=shown(value),
            expected="rows of equal length, the highest rank first",
        )
    return tuple(row.translate(_EMPTIES) for row in found)


def _joined(row: object) -> str:
    """A row given as a list of cells, each a character, or nothing where it is empty."""
    if not isinstance(row, list | tuple):
        return ""
    cells = [EMPTY if cell in ("", None) else cell for cell in row]
    return "".join(cells) if all(isinstance(c, str) and len(c) == 1 for c in cells) else ""


def _placement(text: str) -> tuple[str, ...]:
    """The rows of the first word of a FEN."""
    placement, _, hands = text.split(" ", maxsplit=1)[0].partition("[")
    if hands.rstrip("]").strip("-"):
        raise RecordError(
            "position",
            message="pieces in hand",
            found=text,
            expected="boards alone: what is in hand doesn't show on them",
        )
    rows = []
    for row in placement.split("/"):
        cells = re.sub("[0-9]+", lambda gap: EMPTY * min(int(gap[0]), 1_000), row)
        rows.append(cells.translate(_EMPTIES))
    if len(set(map(len, rows))) != 1 or not rows[0]:
        raise RecordError(
            "unreadable",
            message="not a board",
            found=shown(text),
            expected="ranks of equal length with / between them",
        )
    return tuple(rows)


def _fen(lines: _Numbered) -> Iterator[BoardGame]:
    """A FEN a line; an empty line, a result, or a move number that falls begins another game."""
    game: BoardGame | None = None
    last = 0
    for number, raw in lines:
        text = decoded(raw).strip()
        if not text or _RESULTS.fullmatch(text):
            if game is not None:
                game.result = text
                yield game
            game = None
            continue
        words = text.split()
        count = int(words[5]) if len(words) > 5 and words[5].isdecimal() else last
        if game is not None and count < last:
            yield game
            game = None
        if game is None:
            game = BoardGame(number)
        last = count
        game.add(text, words[1] if len(words) > 1 else "", number)
    if game is not None:
        yield game


def _json(lines: _Numbered) -> Iterator[BoardGame]:
    """Objects with the boards of a game, or with a board each; a header of a trace file first."""
    single: list[tuple[int, Mapping[str, Any]]] = []
    for number, raw in lines:
        if not raw.strip():
            continue
        game = BoardGame(number)
        try:
            data = parse_object(raw.removeprefix(BOM_UTF8))
        except GrlError as error:
            game.spoil(error, number)
            yield game
            continue
        if "format" in data:
            continue
        boards = data.get("boards", data.get("positions"))
        if boards is None and any(key in data for key in BOARD):
            single.append((number, data))
            continue
        yield _whole(game, data, boards)
    yield from _grouped(single)


def _whole(game: BoardGame, data: Mapping[str, Any], boards: object) -> BoardGame:
    """The game that one object holds."""
    game.name = str(data.get("id", ""))
    game.result = str(data.get("result", ""))
    goals, movers = data.get("goals"), data.get("to_move", "")
    game.goals = goals if isinstance(goals, dict) else None
    if not isinstance(boards, list):
        game.spoil(
            RecordError(
                "unreadable", found=shown(list(data)), expected='"boards": a list of boards'
            ),
            game.line,
        )
        return game
    for at, board in enumerate(boards):
        mover = movers[at] if isinstance(movers, list) and at < len(movers) else ""
        if isinstance(movers, str) and at == 0:
            mover = movers
        if isinstance(board, dict):
            game.add(_of(board, BOARD), _of(board, MOVER) or mover, game.line)
        else:
            game.add(board, mover or _side(board), game.line)
    return game


def _side(board: object) -> str:
    """Who is to move by a FEN, where a board is one."""
    words = board.split() if isinstance(board, str) and "/" in board else []
    return words[1] if len(words) > 1 else ""


def _of(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    """What a record has under the first of some names."""
    return next((record[name] for name in names if record.get(name) not in (None, "")), None)


def _grouped(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[BoardGame]:
    """Games out of records of one board each: by the name of the game, else where plies fall."""
    games: dict[str, list[tuple[float, int, Mapping[str, Any]]]] = {}
    last, number = 0.0, 0
    for line, record in records:
        try:
            ply = float(_of(record, PLY) or 0)
        except (TypeError, ValueError):
            ply = last
        name = _of(record, GAME)
        if name is None:
            number += ply <= last and _of(record, PLY) is not None
            name = f"\n{number}"
        last = ply
        games.setdefault(str(name), []).append((ply, line, record))
    for name, boards in games.items():
        game = BoardGame(boards[0][1], name=name.split("\n")[0])
        for _, line, record in sorted(boards, key=lambda each: each[0]):
            value = _of(record, BOARD)
            game.add(value, _of(record, MOVER) or _side(value), line)
            game.result = str(_of(record, RESULT) or game.result)
        yield game


def _columns(text: str) -> tuple[str, list[str]] | None:
    """What parts the columns that a line names, and their names; None where it names no board."""
    for mark in ",;\t":
        names = [name.strip().lower() for name in next(csv.reader([text], delimiter=mark), [])]
        if any(name in BOARD for name in names) or len(_squares(names)) >= _FEW:
            return mark, names
    return None


def _squares(names: Sequence[str]) -> list[str]:
    return [name for name in names if parse_square_name(name) is not None]


def _csv(lines: _Numbered) -> Iterator[BoardGame]:
    numbers: list[int] = []

    def texts() -> Iterator[str]:
        for number, raw in lines:
            numbers.append(number)
            yield decoded(raw) + "\n"

    stream = texts()
    head = next(text for text in stream if text.strip())
    known = _columns(head)
    assert known is not None
    mark, names = known
    squares = _squares(names) if not any(name in BOARD for name in names) else []

    def records() -> Iterator[tuple[int, Mapping[str, Any]]]:
        reader = csv.reader(stream, delimiter=mark)
        line = numbers[-1] + 1
        while True:
            try:
                cells = next(reader, None)
            except csv.Error as error:
                raise RecordError(
                    "unreadable", message=f"not CSV: {error}", place=Place(line=numbers[-1])
                ) from None
            if cells is None:
                return
            if any(cells):
                record: dict[str, Any] = dict(zip(names, cells, strict=False))
                if squares:
                    record[BOARD[0]] = _by_squares(record, squares)
                yield line, record
            line = numbers[-1] + 1

    yield from _grouped(records())


def _by_squares(record: Mapping[str, str], squares: Sequence[str]) -> list[str]:
    """The rows of a board with a column for every square; `HOLE` where there is none."""
    places = {parse_square_name(name): record.get(name, "") for name in squares}
    known = [place for place in places if place is not None]
    wide, high = max(x for x, _ in known), max(y for _, y in known)
    return [
        "".join((places.get((x, y), HOLE).strip() or EMPTY)[:1] for x in range(1, wide + 1))
        for y in range(high, 0, -1)
    ]


def _diagrams(lines: _Numbered) -> Iterator[BoardGame]:
    """Boards drawn in lines; two empty lines, a result or ``game …`` part the games of a file."""
    game, rows = BoardGame(0), list[str]()
    first = empty = 0

    def finish() -> None:
        if rows:
            game.add(list(rows), "", first)
            rows.clear()

    for number, raw in lines:
        text = decoded(raw).strip()
        result = _RESULTS.fullmatch(text)
        empty = 0 if text else empty + 1
        side = _SIDE.fullmatch(text)
        if not text or result or side or _NEW_GAME.fullmatch(text):
            finish()
        if side and game.boards:
            game.boards[-1].mover = side[1] or side[2]
        elif result or empty > 1 or _NEW_GAME.fullmatch(text):
            game.result = text if result else ""
            if game.boards or game.flaw:
                yield game
            game = BoardGame(0)
        elif text and not side and not _names_files(text, rows):
            if not game.line:
                game.line = number
            first = first if rows else number
            rows.append(_row(text))
    finish()
    if game.boards or game.flaw:
        yield game


def _names_files(text: str, rows: Sequence[str]) -> bool:
    """Whether a line below, or above, a board names its files."""
    words = text.split() if " " in text else list(text)
    same = not rows or len(words) == len(rows[0])
    return same and len(words) > 1 and words == [file_name(x + 1) for x in range(len(words))]


def _row(text: str) -> str:
    """The cells of a line, without numbers of ranks or borders."""
    match = _RANK.fullmatch(text)
    row = match["row"].strip() if match is not None else text
    cells = row.split()
    return "".join(cells) if len(cells) > 1 and all(len(c) == 1 for c in cells) else row
