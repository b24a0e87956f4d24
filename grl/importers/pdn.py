"""Portable Draughts Notation: tags in brackets, then numbered moves and a result.

The grammar follows PDN 3.0 as far as games in square numbers need it; Lark parses it. Comments,
side variations, move numbers, marks such as ``!`` and results are read and left out. A game begins
with its tags, or after the result of the one before, so that what can't be read spoils one game
and not the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from grl.errors import MissingExtra, Place
from grl.importers.records import Format, Man, Move, Record, RecordError, Setup, decoded, read_move
from grl.traceio import Lines

if TYPE_CHECKING:
    from lark import Token, Tree

GRAMMAR = r"""
chunk: tag* item*
tag: "[" NAME STRING "]"
?item: MOVE | RESULT | MOVE_NUMBER | MARK | variation
variation: "(" item* ")"

NAME: /[A-Za-z][A-Za-z0-9_]*/
STRING: /"(?:[^"\\]|\\.)*"/
RESULT.3: /(?:1\/2-1\/2|1-0|0-1|2-0|1-1|0-2|0-0|\*)(?![0-9x:-])/
MOVE.2: /[0-9]{1,4}(?:[ \t]*[-x:][ \t]*[0-9]{1,4})+/
MOVE_NUMBER: /[0-9]+[ \t]*\.+/ | /\.\.\./
MARK: /[!?]+/ | /\$[0-9]+/

COMMENT: /\{[^}]*\}/ | /;[^\n]*/
ESCAPE: /^%[^\n]*/m
%ignore COMMENT
%ignore ESCAPE
%ignore /\s+/
"""

_GAME_TYPE = re.compile(r'\s*\[\s*GameType\s*"\s*([0-9]+)', re.IGNORECASE)
_SEARCHED = 200
DEEPEST = 100
"""Variations within one another."""
_BRACKETS = re.compile(r"[()]|\{[^}]*\}|;[^\n]*|\"(?:[^\"\\]|\\.)*\"")
_TAG_LINE = re.compile(r"\s*\[\s*[A-Za-z]\w*\s*\"")
_SIDE = re.compile(r"([WB])(.*)", re.IGNORECASE)
_MEN = re.compile(r"(K?)([0-9]+)(?:-([0-9]+))?", re.IGNORECASE)


def read_pdn(lines: Lines) -> Iterator[Record]:
    """The games of the file; raises `MissingExtra` without the package that parses them."""
    parse = _parser()
    for text, line in _chunks(lines):
        yield from _records(parse, text, line)


def game_type(path: str) -> str | None:
    """The number that the first tag GameType of a file gives, near its beginning."""
    lines = Lines(path)
    try:
        for raw in islice(lines, _SEARCHED) if lines.regular else ():
            found = _GAME_TYPE.match(decoded(raw))
            if found is not None:
                return found[1]
    finally:
        lines.close()
    return None


def _chunks(lines: Lines) -> Iterator[tuple[str, int]]:
    """The text from a first tag to the next first tag, with the number of its first line."""
    chunk: list[str] = []
    begin = 1
    played = False
    for raw in lines:
        text = decoded(raw)
        is_tag = _TAG_LINE.match(text) is not None
        if is_tag and played:
            yield "\n".join(chunk), begin
            chunk, played = [], False
        if chunk or text.strip():
            begin = begin if chunk else lines.number
            chunk.append(text)
            played = played or (not is_tag and bool(text.strip()))
    if chunk:
        yield "\n".join(chunk), begin


@cache
def _parser() -> Callable[[str], Tree[Token]]:
    try:
        from lark import Lark
    except ImportError:
        raise MissingExtra(
            "the package lark is not installed", hint="pip install 'grl[import]'"
        ) from None
    return Lark(GRAMMAR, start="chunk", parser="lalr").parse


def _records(parse: Callable[[str], Tree[Token]], text: str, line: int) -> Iterator[Record]:
    """The games of a chunk that begins at `line`; the last one has a flaw where reading stopped."""
    from lark import UnexpectedInput

    at = _too_deep(text)
    if at is None:
        try:
            yield from _games(parse(text), line)
            return
        except UnexpectedInput as error:
            at = max(error.pos_in_stream or 0, 0) if error.line > 0 else len(text)
    rest = text[at:].split("\n", 1)[0][:20]
    flaw = RecordError(
        "unreadable",
        place=Place(line=line + text.count("\n", 0, at)),
        found=repr(rest) if rest else "the end of the game",
        expected="moves such as 11-15 or 24x15x6, and a result",
        hint="the text from there to the next tags is left out",
    )
    try:
        *whole, last = _games(parse(text[:at]), line) or [Record(line, ())]
    except UnexpectedInput:
        whole, last = [], Record(line, ())
    yield from whole
    yield Record(last.line, last.moves, last.setup, last.flaw or flaw)


def _too_deep(text: str) -> int | None:
    """Where variations nest deeper than anybody writes them, which would take long to parse."""
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth > DEEPEST:
            return match.start()
    return None


def _games(tree: Tree[Token], line: int) -> list[Record]:
    from lark import Token

    tags: dict[str, str] = {}
    records: list[Record] = []
    moves: list[Move] = []
    begin: int | None = line
    for part in tree.children:
        if not isinstance(part, Token):
            if part.data == "tag":
                name, value = map(str, part.children)
                tags[name] = value[1:-1]
            continue
        here = line + (part.line or 1) - 1
        begin = here if begin is None else begin
        move = read_move("".join(part.split())) if part.type == "MOVE" else None
        if move is not None:
            moves.append(move)
        if part.type == "RESULT":
            records.append(_record(begin, moves, tags))
            tags, moves, begin = {}, [], None
    if moves or tags:
        records.append(_record(line if begin is None else begin, moves, tags))
    return records


def _record(line: int, moves: list[Move], tags: Mapping[str, str]) -> Record:
    try:
        return Record(line, tuple(moves), _setup(tags))
    except RecordError as flaw:
        return Record(line, (), flaw=flaw)


def _setup(tags: Mapping[str, str]) -> Setup | None:
    """The position of the tag FEN, as in ``B:W18,24,K10:B12,16``; Black holds the low numbers."""
    text = tags.get("FEN")
    if text is None:
        return None
    mover, *sides = text.strip().rstrip(".").split(":")
    men: list[Man] = []
    readable = mover.upper() in {"W", "B"} and len(sides) == 2
    for side in sides:
        match = _SIDE.fullmatch(side.strip())
        if match is None:
            readable = False
            break
        for word in filter(None, match[2].split(",")):
            man = _MEN.fullmatch(word.strip())
            if man is None:
                readable = False
                break
            numbers = range(int(man[2]), int(man[3] or man[2]) + 1)
            men += [Man(n, match[1].upper() == "B", bool(man[1])) for n in numbers[:10_000]]
    if not readable:
        raise RecordError(
            "position", found=repr(text), expected="a position such as B:W18,24,K10:B12,16"
        )
    return Setup(mover.upper() == "B", tuple(men))


PDN = Format(read_pdn, first=1, corner=1)
