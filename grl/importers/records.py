"""What the readers of notations hand on: games as moves in square numbers, not yet looked at.

A move is written as the squares where a piece starts, may land between jumps, and ends:
``11-15``, ``22x15``, ``24x15x6``. Whether ``-`` or ``x`` stands between them says nothing here,
for real records mix the two up.
"""

from __future__ import annotations

import os
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from grl.errors import GrlError, Place
from grl.progress import Progress
from grl.traceio import Lines

Reason = Literal[
    "unreadable",
    "position",
    "no moves",
    "illegal",
    "over",
    "ambiguous",
    "another game",
    "unexplained",
]
REASONS: Final[dict[Reason, str]] = {
    "unreadable": "text that is not of the notation",
    "position": "a starting position that the game doesn't have",
    "no moves": "a record without moves",
    "illegal": "a move that is not legal there",
    "over": "moves after the end of the game",
    "ambiguous": "shorthand that fits several courses of the game",
    "another game": "a record of another game than the first one in the file",
    "unexplained": "a board that no likely turn leads to",
}

_STAGE = "importing"
_MOVE = re.compile(r"[0-9]{1,4}(?:[-x:][0-9]{1,4})+")
_NUMBER = re.compile(r"[0-9]+")


class RecordError(GrlError):
    """A game that can't be imported; `reason` is one of `REASONS`."""

    def __init__(
        self,
        reason: Reason,
        *,
        message: str | None = None,
        place: Place | None = None,
        found: str | None = None,
        expected: str | None = None,
        hint: str | None = None,
    ) -> None:
        message = message or REASONS[reason]
        super().__init__(message, place=place, found=found, expected=expected, hint=hint)
        self.reason: Reason = reason


class Counts:
    """What an import counts: games `read` and `kept`, `plies` given out, and the `quarantine`, the
    flaws of the games that were left out or cut short. `alike` counts turns for which another one
    would have done as well, as far as the records say."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin to count anew."""
        self.quarantine: list[RecordError] = []
        self.read = 0
        self.kept = 0
        self.plies = 0
        self.alike = 0

    @property
    def reasons(self) -> Counter[Reason]:
        """How many games are quarantined, by reason."""
        return Counter(flaw.reason for flaw in self.quarantine)


class FileImports(Counts):
    """The plays of some files; each iteration reads them anew.

    A game is called by its file and the line where it begins.
    """

    def __init__(
        self,
        paths: Sequence[str | os.PathLike[str]],
        *,
        keep_beginnings: bool,
        strict: bool,
        progress: Progress,
    ) -> None:
        super().__init__()
        self.paths = [os.fspath(path) for path in paths]
        self.keep_beginnings = keep_beginnings
        self.strict = strict
        self._progress = progress

    @abstractmethod
    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Plays as plain data.

        With `keep_beginnings` a game that doesn't replay is given out up to its first bad ply, as
        ``stopped``; with `strict` its `RecordError` is raised. Raises `TraceError` for a file that
        can't be read, and `GrlError` where nothing in it can be understood.
        """

    def name(self, path: str, line: int) -> str:
        """What a game is called."""
        return f"{os.path.basename(path)}:{line}"

    def admitted(self, path: str, line: int, plies: int, flaw: RecordError | None) -> bool:
        """Counts a game, of which so many plies replay, and says whether it is given out."""
        self.read += 1
        if flaw is not None:
            self.quarantine.append(flaw.at(file=path, line=line, game=self.name(path, line)))
            if self.strict:
                raise flaw
            if not (self.keep_beginnings and plies):
                return False
        self.kept += 1
        self.plies += plies
        return True


class FileByFile(FileImports):
    """The plays of files that are read one after the other. A kind of record says `_plays`."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self.reset()
        for path in self.paths:
            lines = Lines(path, lambda _, done, total: self._progress(_STAGE, done, total))
            try:
                yield from self._plays(path, lines)
            finally:
                lines.close()

    @abstractmethod
    def _plays(self, path: str, lines: Lines) -> Iterator[dict[str, Any]]:
        """The plays of one file."""


class Move(NamedTuple):
    """A move as it stands in the record, and the square numbers that it names."""

    text: str
    numbers: tuple[int, ...]


class Man(NamedTuple):
    """A piece of a starting position: on which number, whose, and whether it is crowned.

    `low` says that it belongs to the player who holds the low numbers when a game begins.
    """

    number: int
    low: bool
    crowned: bool


@dataclass(frozen=True, slots=True)
class Setup:
    """A starting position: its pieces, and whether the player of the low numbers moves first."""

    low_begins: bool
    men: tuple[Man, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One game of a file, which begins at `line`.

    `flaw` says why reading stopped; `moves` are those before it. Without a `setup` the game begins
    at the ordinary start.
    """

    line: int
    moves: tuple[Move, ...]
    setup: Setup | None = None
    flaw: RecordError | None = None


class Format(NamedTuple):
    """A notation: how a file of it is read, the number of its first square, and the corner from
    which it usually counts, as in `grl.importers.numbering`."""

    read: Callable[[Lines], Iterator[Record]]
    first: int
    corner: int


def read_move(text: str) -> Move | None:
    """The move that `text` spells, or None."""
    if _MOVE.fullmatch(text) is None:
        return None
    return Move(text, tuple(map(int, _NUMBER.findall(text))))


def decoded(raw: bytes) -> str:
    """A line as text. Names may be in any encoding, moves are plain digits in all of them."""
    return raw.decode("utf-8-sig", "replace").rstrip("\r\n")
