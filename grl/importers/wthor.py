"""WTHOR, the format of the collection of Othello games that the French federation keeps.

A header of 16 bytes: century, year, month and day of the file, the number of records (4 bytes) and
two more numbers, the size of the board (0 and 8: 8 x 8), what kind of file, a depth, a byte left
free. Then 68 bytes for each game: tournament, two players (2 bytes each), discs of black, at the
end and by perfect play, and 60 moves, 10 x row + column, rows from the top; 0 after the last.
Numbers are little-endian. Passes aren't written.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from grl.board import Position
from grl.errors import Place
from grl.importers.records import RecordError
from grl.importers.referee import GameReferee, misfit
from grl.importers.refereed import Written
from grl.importers.spiel import SpielReferee
from grl.traceio import Lines

HEADER = struct.Struct("<4BIHH4B")
RECORD = struct.Struct("<3H2B60B")
_SIZE = 8
_SIZES = (0, _SIZE)
_PASS = "pass"


def read_wthor(lines: Lines) -> Iterator[Written]:
    """The games of the file, whose lines are their numbers; moves are squares such as ``f5``."""
    data = b"".join(lines)
    if len(data) < HEADER.size:
        found = f"{len(data)} bytes"
        yield Written(1, [], flaw=RecordError("unreadable", found=found, expected="a header"))
        return
    *_, number, _, _, size, _, _, _ = HEADER.unpack_from(data)
    if size not in _SIZES:
        flaw = RecordError("another game", found=f"size {size}", expected=f"size {_SIZE}")
        yield Written(1, [], flaw=flaw)
        return
    body = data[HEADER.size :]
    there = -(-len(body) // RECORD.size)
    for index in range(there):
        record = body[index * RECORD.size : (index + 1) * RECORD.size]
        yield _written(index + 1, record, number)
    if there < number:
        found, expected = f"{there} records", f"{number}, as the header says"
        flaw = RecordError("unreadable", found=found, expected=expected)
        yield Written(there + 1, [], flaw=flaw)


def _written(index: int, record: bytes, number: int) -> Written:
    if len(record) < RECORD.size or index > number:
        found = f"{len(record)} bytes in record {index} of {number}"
        expected = f"{number} records of {RECORD.size} bytes"
        return Written(index, [], flaw=RecordError("unreadable", found=found, expected=expected))
    numbers = RECORD.unpack(record)[5:]
    moves: list[tuple[str, int]] = []
    flaw = None
    for ply, value in enumerate(numbers, 1):
        row, column = divmod(value, 10)
        if value == 0:
            if any(numbers[ply:]):
                place = Place(ply=ply)
                flaw = RecordError("unreadable", place=place, found="a move after the last one")
            break
        if not (1 <= row <= _SIZE and 1 <= column <= _SIZE):
            place = Place(ply=ply)
            expected = "10 x row + column, each from 1 to 8"
            flaw = RecordError("unreadable", place=place, found=str(value), expected=expected)
            break
        moves.append((f"{chr(ord('a') + column - 1)}{row}", index))
    return Written(index, moves, flaw=flaw)


class DiscReferee(SpielReferee):
    """The format's game as OpenSpiel plays it; its ranks count from the top, as those of files."""

    def __init__(self) -> None:
        super().__init__("othello")

    def find(self, state: Any, text: str) -> str:
        if state.is_terminal():
            raise RecordError("over", found=text)
        names = {state.action_to_string(a): str(a) for a in state.legal_actions()}
        if text not in names:
            raise misfit(list(names), text)
        return names[text]

    def skip(self, state: Any) -> str | None:
        actions = state.legal_actions()
        alone = len(actions) == 1 and state.action_to_string(actions[0]) == _PASS
        return str(actions[0]) if alone else None


class GameDiscs(GameReferee):
    """A reference game, whose ranks count from the bottom."""

    def find(self, state: Position, text: str) -> str:
        square = f"{text[0]}{state.board.height + 1 - int(text[1:])}"
        for turn in self.game.legal(state):
            if turn.partition(" ")[0] == square:
                return turn
        return super().find(state, square)

    def skip(self, state: Position) -> str | None:
        return _PASS if self.game.legal(state) == [_PASS] else None
