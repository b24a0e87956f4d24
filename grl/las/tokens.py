"""Tokens of a task file, each with its line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grl.errors import Place
from grl.las.task import TaskError

_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|%\*.*?\*%|%[^\n]*)
  | (?P<string>"(?:[^"\\\n]|\\.)*")
  | (?P<number>\d+)
  | (?P<directive>\#[A-Za-z_]+)
  | (?P<name>_*[a-z][A-Za-z0-9_']*)
  | (?P<variable>_*[A-Z][A-Za-z0-9_']*)
  | (?P<sign>\.\.|:-|:~|<=|>=|!=|<>|==|\*\*|[-+*/\\&|^?~@!<>=:;,.(){}\[\]_$])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text; `start` and `end` are offsets, `line` and `column` count from 1."""

    kind: str
    text: str
    start: int
    end: int
    line: int
    column: int


def tokens(text: str, file: str | None) -> Iterator[Token]:
    """All tokens but blanks and comments, and an empty one at the end."""
    at, line, begin = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise problem("unknown character", file, line, at - begin + 1, found=repr(text[at]))
        kind, piece = match.lastgroup, match.group()
        assert kind is not None
        if kind != "blank":
            yield Token(kind, piece, at, match.end(), line, at - begin + 1)
        if "\n" in piece:
            line += piece.count("\n")
            begin = at + piece.rindex("\n") + 1
        at = match.end()
    yield Token("end", "", at, at, line, at - begin + 1)


def problem(
    message: str,
    file: str | None,
    line: int,
    column: int,
    *,
    found: str | None = None,
    expected: str | None = None,
    hint: str | None = None,
) -> TaskError:
    """An error at a line and column of a task."""
    return TaskError(
        f"column {column}: {message}",
        place=Place(file=file, line=line),
        found=found,
        expected=expected,
        hint=hint,
    )
