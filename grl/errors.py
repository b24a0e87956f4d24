"""The one tree of errors: each says where, what was found, what was expected and what to do.

The library raises these and nothing else on bad input; the command line prints ``str(error)``,
which is always a single line, and exits with status 2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

LONGEST = 290
"""Characters of an error; the command line puts its name before it."""
_BREAK = re.compile(r"[^\S\r\n]*[\r\n]\s*")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an error is; every part may be unknown. `line` and `ply` count from 1."""

    file: str | None = None
    line: int | None = None
    game: str | None = None
    ply: int | None = None
    field: str | None = None
    rows: tuple[str, ...] | None = None

    def __str__(self) -> str:
        parts = []
        if self.file is not None:
            parts.append(self.file if self.line is None else f"{self.file}:{self.line}")
        elif self.line is not None:
            parts.append(f"line {self.line}")
        if self.game is not None:
            parts.append(f"game {self.game}")
        if self.ply is not None:
            parts.append(f"ply {self.ply}")
        if self.field is not None:
            parts.append(f"field {self.field}")
        return ", ".join(parts)


class GrlError(Exception):
    """Base of all errors of grl.

    `message` says what is wrong, `place` where, `found` and `expected` hold the two sides of a
    disagreement and `hint` what the user can do. All of it is joined into one line.
    """

    def __init__(
        self,
        message: str,
        *,
        place: Place | None = None,
        found: str | None = None,
        expected: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.place = place if place is not None else Place()
        self.found = found
        self.expected = expected
        self.hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors go from one process to another as they are, whatever their kind is made from."""
        return _remade, (type(self), self.args, self.__dict__)

    def at(
        self,
        *,
        file: str | None = None,
        line: int | None = None,
        game: str | None = None,
        ply: int | None = None,
        field: str | None = None,
        rows: Sequence[str] | None = None,
    ) -> Self:
        """This error with the parts of its place filled in that are still unknown."""
        here = self.place
        self.place = replace(
            here,
            file=here.file if here.file is not None else file,
            line=here.line if here.line is not None else line,
            game=here.game if here.game is not None else game,
            ply=here.ply if here.ply is not None else ply,
            field=here.field if here.field is not None else field,
            rows=here.rows if here.rows is not None else (tuple(rows) if rows else None),
        )
        return self

    def __str__(self) -> str:
        text = self._text(position=True)
        if len(text) > LONGEST:
            text = self._text(position=False)
        return one_line(text)

    def _text(self, *, position: bool) -> str:
        where = str(self.place)
        text = f"{where}: {self.message}" if where else self.message
        if self.expected is not None:
            text += f"; expected {self.expected}"
        if self.found is not None:
            text += f"; found {self.found}"
        if position and self.place.rows is not None:
            text += f"; position {'/'.join(self.place.rows)}"
        if self.hint is not None:
            text += f" ({self.hint})"
        return text


def one_line(text: str) -> str:
    """`text` as one printable line of at most `LONGEST` characters, its spaces kept.

    What files hold reaches terminals in errors: control characters and what can't be encoded are
    escaped.
    """
    text = _BREAK.sub(" ", text.strip())
    if not text.isprintable():
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


class BoardError(GrlError):
    """A board, a piece table or a position that contradicts itself."""


class TurnSyntaxError(GrlError):
    """A text that is not a turn in the trace syntax."""


class IllegalTurn(GrlError):
    """A turn that can't be carried out on a position, or that a model or game doesn't allow."""


class TraceError(GrlError):
    """A trace file that breaks the format or the semantics of turns."""


class ModelError(GrlError):
    """A model file that can't be read: broken, of another version, or out of bounds."""


class NotCompiled(GrlError):
    """Rules or terms that can't be written in C, and are carried out in Python instead."""


class PlanError(GrlError):
    """A plan file that can't be read, or plans that contradict one another."""


class LearnError(GrlError):
    """Traces from which nothing can be learned, or that don't belong together."""


class SearchError(GrlError):
    """A search for turns that got out of hand: the model allows far too many."""


class GameError(GrlError):
    """A reference game that is unknown or called with options that it doesn't have."""


class IggpError(GrlError):
    """A file of the IGGP data set that breaks the format."""


class MissingExtra(GrlError):
    """An optional package that an operation needs is not installed."""


def _remade(kind: type[GrlError], args: tuple[Any, ...], state: dict[str, Any]) -> GrlError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error
