"""Games one a line, as in a collection from the archives of the American Checker Federation.

``11-15 20-16 … 5-1<tab>1/2-1/2``: moves, with all squares of a jump, between spaces, then a tab and
the result. Squares count from 0. A line may begin with a starting position: who moves, r or w,
then the squares in order, a digit for that many empty ones; red is upper case and holds the low
numbers, P and p are men, K and k kings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grl.errors import Place
from grl.importers.records import Format, Man, Move, Record, RecordError, Setup, decoded, read_move
from grl.traceio import Lines

_POSITION = re.compile(r"[rw][PpKk1-9]+")


def read_acf(lines: Lines) -> Iterator[Record]:
    """The games of the file; empty lines are passed over."""
    for raw in lines:
        words = decoded(raw).partition("\t")[0].split()
        if raw.strip():
            yield _record(words, lines.number)


def _record(words: list[str], line: int) -> Record:
    setup = None
    if words and _POSITION.fullmatch(words[0]):
        setup = _setup(words.pop(0))
    moves: list[Move] = []
    for word in words:
        move = read_move(word)
        if move is None:
            flaw = RecordError(
                "unreadable",
                place=Place(ply=len(moves) + 1),
                found=repr(word),
                expected="a move such as 11-15 or 27-18-9",
            )
            return Record(line, tuple(moves), setup, flaw)
        moves.append(move)
    return Record(line, tuple(moves), setup)


def _setup(text: str) -> Setup:
    men = []
    number = ACF.first
    for character in text[1:]:
        if character.isdigit():
            number += int(character)
        else:
            men.append(Man(number, character.isupper(), character in "Kk"))
            number += 1
    return Setup(text[0] == "r", tuple(men))


ACF = Format(read_acf, first=0, corner=0)
