"""Games in coordinates: ``e2e4``, ``c3xe5``, ``e7e8=Q``, ``Q@e4``; read, not yet carried out.

A move is one part or several with commas between them: from and to, perhaps over squares between
and with a piece that appears at the end; a drop; a removal, ``xd4``; or a segment in the syntax
of turns, ``h1 (-1 0 w) (-1 0 e)``. Move numbers, tags, comments in braces and lines that begin
with ``#`` are passed over. Results, blank lines, tags and the move number 1 part the games of a
file; where the first lines have none of them, each line is a game, or all are one where no line
has several moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from grl.errors import Place
from grl.importers.records import RecordError, decoded
from grl.traceio import Lines

_SQUARE = r"[a-z]+[1-9][0-9]*"
_KEY = r"[^\s.#@(),;=+!?]"
_RESULT = r"(?:1-0|0-1|1/2-1/2|½-½|\*)"
_PART = (
    rf"{_SQUARE}(?:\s*\([^()]*\))+"
    rf"|{_SQUARE}(?:[-x:]?{_SQUARE})+(?:={_KEY}|{_KEY}(?=[\s,+!?]|$))?"
    rf"|{_KEY}@{_SQUARE}|x{_SQUARE}(?![\w(])|{_SQUARE}|pass"
)
_TOKEN = re.compile(
    r"\s*(?:"
    rf"(?P<result>{_RESULT})(?=\s|$)"
    r"|(?P<number>[0-9]+)(?:\s*\.+|(?=\s))"
    r"|(?P<comment>\{[^{}]*\})"
    rf"|(?P<move>(?:{_PART})(?:\s*[,;]\s*(?:{_PART}))*)[+!?]*(?=\s|$)"
    r")"
)
_ENDS = re.compile(rf"(?:^|\s){_RESULT}$")
_SEPARATOR = re.compile(r"\s*[,;]\s*(?![^(]*\))")
_TAG = re.compile(r"\s*\[\s*\w+\s*\"")


_PARTING = frozenset({"result", "break", "number"})
_SAMPLE = 1_000


class Move(NamedTuple):
    """A move: its parts, and the line where it stands."""

    parts: tuple[str, ...]
    line: int

    def __str__(self) -> str:
        return ", ".join(self.parts)


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a file, which begins at `line`; `result` is empty where the file has none, and
    `flaw` says why reading stopped."""

    line: int
    moves: tuple[Move, ...]
    result: str = ""
    flaw: RecordError | None = None


class _Item(NamedTuple):
    """What stands in a line: ``move``, ``result``, ``number``, or ``break`` between games."""

    kind: str
    text: str
    line: int


def read_coordinates(lines: Lines, *, one_a_line: bool = False) -> Iterator[Game]:
    """The games of the file; with `one_a_line` each line holds a whole one."""
    flaws: dict[int, RecordError] = {}
    found = _by_line(lines, flaws)
    if one_a_line:
        return _games(_broken(found), flaws)
    first: list[list[_Item]] = []
    parted = False
    for items in found:
        first.append(items)
        parted = any(item.kind in _PARTING for item in items)
        if parted or len(first) == _SAMPLE:
            break
    several = any(len(items) > 1 for items in first)
    whole = chain(first, found)
    return _games(chain.from_iterable(whole) if parted or not several else _broken(whole), flaws)


def _by_line(lines: Lines, flaws: dict[int, RecordError]) -> Iterator[list[_Item]]:
    """What stands in each line that holds something; empty lines between others are breaks."""
    empty = began = False
    for raw in lines:
        text = decoded(raw)
        items = list(_items(text, lines.number, flaws))
        if items and empty and began:
            items.insert(0, _Item("break", "", lines.number))
        if items:
            yield items
            began, empty = True, False
        empty = empty or not text.strip()


def _broken(lines: Iterable[list[_Item]]) -> Iterator[_Item]:
    """The items with a break after each line."""
    for items in lines:
        yield from items
        yield _Item("break", "", items[-1].line)


def _items(text: str, line: int, flaws: dict[int, RecordError]) -> Iterator[_Item]:
    """What stands in a line; an unreadable rest is noted in `flaws` and breaks the game there."""
    if text.lstrip().startswith("#"):
        return
    if _TAG.match(text):
        yield _Item("break", "", line)
        return
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            rest = text[at:].strip()
            flaws[line] = RecordError(
                "unreadable",
                place=Place(line=line),
                found=repr(rest[:40]),
                expected="a move such as e2e4, c3xe5, e7e8=Q, Q@e4 or e5d6, xd5",
            )
            yield _Item("flaw", rest, line)
            if _ENDS.search(rest):
                yield _Item("break", "", line)
            return
        kind = str(match.lastgroup)
        if kind != "comment":
            yield _Item(kind, match[kind], line)
        at = match.end()


def _games(items: Iterable[_Item], flaws: dict[int, RecordError]) -> Iterator[Game]:
    moves: list[Move] = []
    begin = 0
    flaw: RecordError | None = None
    for item in items:
        if not begin:
            begin = item.line
        if item.kind == "move" and flaw is None:
            moves.append(Move(tuple(_SEPARATOR.split(item.text)), item.line))
        elif item.kind == "flaw" and flaw is None:
            flaw = flaws[item.line]
            flaw.at(ply=len(moves) + 1)
        if item.kind in ("result", "break") or (item.kind == "number" and item.text == "1"):
            if moves or flaw is not None:
                yield Game(begin, tuple(moves), item.text if item.kind == "result" else "", flaw)
            moves, flaw = [], None
            begin = item.line if item.kind == "number" else 0
        elif item.kind == "flaw":
            del flaws[item.line]
    if moves or flaw is not None:
        yield Game(begin, tuple(moves), "", flaw)
