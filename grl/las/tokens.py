"""Tokens of a task file, each with its line and column, and how large and deep they may be.

clingo has integers of 32 bits, takes larger ones for others without a word, and crashes on terms
of many thousand levels; so numbers and nesting are bounded here, before it sees them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grl.errors import Place
from grl.las.characters import stray_character
from grl.las.task import TaskError

_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|%\*.*?\*%|%[^\n]*)
  | (?P<string>"(?:[^"\\\n]|\\.)*")
  | (?P<number>0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|\d+)
  | (?P<directive>\#[A-Za-z_]+)
  | (?P<name>_*[a-z][A-Za-z0-9_']*)
  | (?P<variable>_*[A-Z][A-Za-z0-9_']*)
  | (?P<sign>\.\.|:-|:~|<=|>=|!=|<>|==|\*\*|[-+*/\\&|^?~@!<>=:;,.(){}\[\]_$])
    """,
    re.VERBOSE | re.DOTALL,
)

LARGEST = 2**31 - 1
"""The largest integer of clingo."""
DEEPEST = 150
"""How many brackets and operators may lie within one another."""
FILES = ("#include", "#script")
"""Directives that reach outside a program."""
_LONGEST = len(f"{LARGEST:b}") + 2
_OPERATORS = frozenset({"+", "-", "*", "/", "\\", "&", "?", "^", "~", "|", "**", ".."})
_BETWEEN = frozenset({",", ";", ":", ".", ":-", ":~"})
_OPENING = frozenset({"(", "{", "["})
_CLOSING = frozenset({")", "}", "]"})


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
    """All tokens but blanks and comments, and an empty one at the end.

    Raises `TaskError` at an unknown character, a number too large, or a nesting too deep.
    """
    heights = _Heights()
    for token in _split(text, file):
        if token.kind == "number" and not heights.foreign and whole(token.text) is None:
            raise problem(
                "the number is too large",
                file,
                token.line,
                token.column,
                expected=f"at most {LARGEST}",
                found=token.text[:40] + "…" * (len(token.text) > 40),
            )
        if heights.after(token) > DEEPEST:
            raise problem(
                "the nesting is too deep",
                file,
                token.line,
                token.column,
                expected=f"at most {DEEPEST} brackets and operators within one another",
            )
        yield token


def whole(text: str) -> int | None:
    """The value of a number as clingo writes numbers; None where it is too large."""
    if len(text) > _LONGEST and len(text := text.lstrip("0")) > _LONGEST:
        return None
    number = int(text or "0", 0 if text[1:2] in ("x", "o", "b") else 10)
    return number if number <= LARGEST else None


class _Heights:
    """A bound of how deep the term lies that is being read, token by token.

    For each open bracket the height of what was read in it since the last comma, and the largest
    before that. What follows one another is added up, which is never too little.
    """

    def __init__(self) -> None:
        self._open: list[tuple[int, int]] = []
        self._here = self._most = 0
        self.foreign = False

    def after(self, token: Token) -> int:
        """The bound with one token more."""
        text = token.text
        if token.kind == "directive" and text in ("#script", "#end"):
            self.foreign = text == "#script"
        if token.kind != "sign" or self.foreign:
            return 0
        if text in _OPERATORS:
            self._here += 1
        elif text in _BETWEEN:
            self._most, self._here = max(self._most, self._here), 0
        elif text in _OPENING:
            self._open.append((self._here, self._most))
            self._here = self._most = 0
        elif text in _CLOSING and self._open:
            inside = max(self._most, self._here) + 1
            self._here, self._most = self._open.pop()
            self._here += inside
        if not self._open and text == ".":
            self._here = self._most = 0
        return max(self._here, self._most) + len(self._open)


def check_text(text: str, file: str | None, *, allow_files: bool = False) -> None:
    """Raises `TaskError` where a program can't be left to clingo: see `tokens`.

    Without `allow_files` it may not reach outside either.
    """
    stray = stray_character(text)
    if stray is not None:
        row = text.count("\n", 0, stray) + 1
        column = stray - text.rfind("\n", 0, stray)
        raise problem(f"unexpected character {text[stray]!a}", file, row, column)
    for token in tokens(text, file):
        if token.text in FILES and not allow_files:
            raise problem(f"{token.text} reaches outside", file, token.line, token.column)


def _split(text: str, file: str | None) -> Iterator[Token]:
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
