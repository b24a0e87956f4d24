"""Trace files, ``grl-trace/1``: read as a stream of checked plays, and written.

JSON Lines, plain or compressed: a header, then one played game a line; docs/trace-format.md
describes them. Every play that comes out of a `Traces` has been carried out from its first
position to its last, so whoever reads on need not check again.
"""

from __future__ import annotations

import json
import os
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any, Self

from grl.errors import GrlError, TraceError
from grl.games_table import GamesTable
from grl.interpreter import Interpreter
from grl.limits import MAX_LINE
from grl.parquetio import is_columnar, read_tables, write_columns
from grl.progress import Progress, silent
from grl.replay import Play, Ply, Replayer
from grl.slides import Slides
from grl.traceio import Lines, write_lines
from grl.tracejson import FORMAT, Header, describe, header_dict, parse_object, read_header

_SAMPLE = 200
Unchecked = tuple[dict[str, Any] | None, int, GrlError | None]
"""The object that a line holds with its number, or why it holds none."""


class Traces:
    """One trace file; each iteration reads it anew and yields its plays.

    `bad` lists what the last iteration left out or cut short under `skip_bad`; without
    `skip_bad` the first error ends the iteration. A pipe can be read once only. Raises
    `TraceError` and, for boards and turns that are wrong in themselves, `BoardError`,
    `TurnSyntaxError` and `IllegalTurn`; each says file, line, game, ply and field.
    """

    def __init__(
        self,
        path: str,
        header: Header,
        *,
        skip_bad: bool,
        slides: Slides | None = None,
        progress: Progress,
        lines: Lines,
        max_line: int = MAX_LINE,
    ) -> None:
        self.path = path
        self.header = header
        self.bad: list[GrlError] = []
        self.skip_bad = skip_bad
        self.slides = slides
        self.max_line = max_line
        self._progress = progress
        self._once = None if lines.regular else lines
        self._regular = lines.regular
        self._votes: dict[int, bool] | None = None
        self._part = (0, 1)
        self._replayer = Replayer(header)
        if lines.regular:
            lines.close()

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        skip_bad: bool = False,
        slides: Slides | None = None,
        progress: Progress | None = None,
        max_line: int = MAX_LINE,
    ) -> Self:
        """The file at `path`, of which the header is read and checked now.

        With `slides` leaps that it knows for slides come out as steps.

        A broken header is an error also under `skip_bad`; `progress` hears of bytes read; a line
        may have `max_line` bytes.
        """
        name = os.fspath(path)
        hook = silent if progress is None else progress
        lines = Lines(name, hook, longest=max_line)
        try:
            header = _header(lines)
        except BaseException:
            lines.close()
            raise
        return cls(
            name,
            header,
            skip_bad=skip_bad,
            slides=slides,
            progress=hook,
            lines=lines,
            max_line=max_line,
        )

    @property
    def opener(self) -> partial[Self]:
        """What opens the same file in the same way, also in another process."""
        return partial(
            self.open,
            self.path,
            skip_bad=self.skip_bad,
            slides=self.slides,
            max_line=self.max_line,
        )

    def part(self, index: int, parts: int) -> Self:
        """The same file, but only the plays on every `parts`-th line, so that parts make the whole.

        A pipe can't be read in parts.
        """
        other = self.opener(progress=self._progress)
        other._part = index, parts
        return other

    def __iter__(self) -> Iterator[Play]:
        for _, play in self.with_records():
            yield play

    def with_records(self) -> Iterator[tuple[dict[str, Any], Play]]:
        """The plays, each with the object of its line as it stands there."""
        for record, line, error in self.records():
            play = self.judged(record, line, error)
            if play is not None and record is not None:
                yield record, play

    def records(self) -> Iterator[tuple[dict[str, Any] | None, int, GrlError | None]]:
        """The objects of the lines with their numbers, unchecked, or why a line holds none."""
        self.bad = []
        lines = self._lines()
        self._replayer = Replayer(self.header)
        try:
            yield from _records(lines, self._part)
        finally:
            lines.close()

    def tables(self, plies: int) -> Iterator[GamesTable | Unchecked] | None:
        """The records of a columnar file, of single moves, in tables of about so many turns."""
        if not is_columnar(self.path):
            return None
        self.bad = []
        return read_tables(self.path, plies, self._part, self._progress)

    def judged(
        self, record: dict[str, Any] | None, line: int, error: GrlError | None
    ) -> Play | None:
        """The play that a record holds, as far as it is good.

        What is wrong with it is raised or, under `skip_bad`, noted.
        """
        play, flaw = (
            (None, error)
            if record is None
            else self._replayer.replay(record, line, partial(self._is_way, line))
        )
        if flaw is not None:
            flaw.at(file=self.path, line=line)
            if not self.skip_bad:
                raise flaw
            self.bad.append(flaw)
        return play if play is None or self.slides is None else self.slides.play(play)

    def _lines(self) -> Lines:
        """The lines after the header."""
        if self._regular:
            lines = Lines(self.path, self._progress, longest=self.max_line)
            next(iter(lines), None)
            return lines
        once, self._once = self._once, None
        if once is None:
            raise TraceError(
                "a pipe can be read only once", expected="a regular file for a second reading"
            ).at(file=self.path)
        return once

    def _is_way(self, line: int) -> bool:
        """Whether the game lets players lift others' pieces alone, so that the play at `line` may.

        It does when half or more of the other plays at the file's beginning do so, of those that
        can be replayed. A play is no witness in its own case, or a file of one broken game would
        be believed.
        """
        if not self._regular:
            return False
        if self._votes is None:
            self._votes = self._vote()
        others = [vote for at, vote in self._votes.items() if at != line]
        return 2 * sum(others) >= len(others) > 0

    def _vote(self) -> dict[int, bool]:
        """For the first plays, by line: whether a turn of theirs lifts only others' pieces."""
        votes: dict[int, bool] = {}
        replayer = Replayer(self.header)
        lines = Lines(self.path, longest=self.max_line)
        next(iter(lines), None)
        try:
            for record, line, _ in _records(lines):
                seen: list[bool] = []

                def note(seen: list[bool] = seen) -> bool:
                    seen.append(True)
                    return True

                if record is not None and replayer.replay(record, line, note)[1] is None:
                    votes[line] = bool(seen)
                if len(votes) == _SAMPLE:
                    break
        finally:
            lines.close()
        return votes


def _header(lines: Lines) -> Header:
    try:
        first = next(iter(lines), None)
        if first is None:
            raise TraceError("empty file", expected=f'a header line, "format": "{FORMAT}"')
        return read_header(parse_object(first.removeprefix(BOM_UTF8)))
    except GrlError as error:
        raise error.at(file=lines.path, line=1) from None


def _records(
    lines: Lines, part: tuple[int, int] = (0, 1)
) -> Iterator[tuple[dict[str, Any] | None, int, GrlError | None]]:
    """The objects of the lines of a part with their numbers, or why a line holds none.

    Empty lines are passed over. After bytes that can't be unpacked nothing more comes.
    """
    stream = iter(lines)
    while True:
        try:
            raw = next(stream, None)
        except TraceError as error:
            if (lines.number + 1) % part[1] == part[0]:
                yield None, lines.number + 1, error
            return
        if raw is None:
            return
        if not raw.strip() or lines.number % part[1] != part[0]:
            continue
        try:
            record = parse_object(raw)
            if "format" in record and "turns" not in record:
                raise TraceError("a second header line", expected="a played game with its turns")
        except GrlError as error:
            yield None, lines.number, error
        else:
            yield record, lines.number, None


def write_traces(
    path: str | os.PathLike[str], header: Mapping[str, Any], plays: Iterable[Mapping[str, Any]]
) -> None:
    """Write a file of `header` and `plays`, plain data as in the format.

    ``.gz`` and ``.zst`` names are compressed, ``.parquet`` ones columnar. The file appears whole or
    not at all, and equal content gives equal bytes. Nothing is checked; raises `TraceError` where
    the file can't be written.
    """
    if is_columnar(os.fspath(path)):
        write_columns(path, header, plays)
    else:
        write_lines(os.fspath(path), map(_line, chain([header], plays)))


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode() + b"\n"


__all__ = [
    "FORMAT",
    "Header",
    "Interpreter",
    "Play",
    "Ply",
    "Traces",
    "describe",
    "header_dict",
    "write_traces",
]


def __getattr__(name: str) -> Any:
    """`from_positions`, which lives among the importers, above, and is imported when asked for."""
    if name != "from_positions":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("grl.importers.positions").from_positions
