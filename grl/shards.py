"""Reading records into evidence: in one process, or in shards on several.

Evidence is a sum, so the shards of a file, read apart and merged, equal the file read at once.
Every process that reads a part of a file reads past the rest of it too, so there are never more
of them than cores, than games, or than the size of the files is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from grl.children import Report
from grl.columns.counting import Counter
from grl.columns.reading import tables
from grl.columns.replaying import ColumnReplayer
from grl.errors import GrlError
from grl.games_table import GamesTable
from grl.parquetio import is_columnar, row_counts
from grl.progress import Progress
from grl.records import Records
from grl.resources import cores
from grl.sgrl.evidence import Evidence, game_number
from grl.supervise import together
from grl.traceio import Lines
from grl.tracejson import Header
from grl.traces import Play, Traces

WORTH = 32 << 10
"""Bytes of a file that are worth a process of their own."""
REMEMBERED = 1 << 17
"""Different turns that are remembered while records are read."""


@dataclass
class Shard:
    """What some records hold: evidence of movement, a sample of positions and of ends, the number
    of games, and what was left out as broken."""

    evidence: Evidence = field(default_factory=Evidence)
    records: Records = field(default_factory=Records)
    games: int = 0
    turns: int = 0
    bad: list[GrlError] = field(default_factory=list)

    def observe(self, play: Play) -> None:
        """Add a played game."""
        self.games += 1
        self.turns += len(play.plies)
        self.records.observe(play)
        number = game_number(play)
        for ply in play.plies:
            self.evidence.observe(ply, number)

    def merge(self, other: Shard) -> None:
        """Add another shard."""
        self.evidence.merge(other.evidence)
        self.records.merge(other.records)
        self.games += other.games
        self.turns += other.turns
        self.bad += other.bad


def observe(files: Sequence[Traces], jobs: int, progress: Progress) -> Shard:
    """All records of `files`, read by at most `jobs` processes.

    A broken record raises its error, the first of its file whatever the number of processes.
    """
    jobs = min(jobs, cores())
    parts = [_parts(traces, jobs) for traces in files] if jobs > 1 else []
    if sum(parts) <= 1:
        whole = Shard()
        for traces in files:
            whole.merge(_read(traces))
        return whole
    return _observe_parallel(files, parts, jobs, progress)


def _parts(traces: Traces, most: int) -> int:
    """How many processes a file is worth; none where it can be read only here, once."""
    path = Path(traces.path)
    if is_columnar(traces.path):
        return min(most, len(row_counts(traces.path)))
    if not path.is_file():
        return 0
    worth = min(most, 1 + path.stat().st_size // WORTH)
    return worth if worth == 1 else max(1, min(worth, _games(traces.path, worth, traces.max_line)))


def _games(path: str, most: int, longest: int) -> int:
    """The number of games in a file, counted up to `most`."""
    lines = Lines(path, longest=longest)
    try:
        return sum(1 for _ in islice(lines, 1, most + 1))
    except GrlError:
        return 1
    finally:
        lines.close()


def _read(traces: Traces) -> Shard:
    reading = Reading()
    reading.add(traces)
    return reading.shard


class Reading:
    """Reads files or parts of files into one shard; what it learns of turns serves all of them."""

    def __init__(self) -> None:
        self.shard = Shard()
        self._header: Header | None = None
        self._reader: _Reader | None = None

    def add(self, traces: Traces) -> None:
        """Read a file."""
        shard, header = self.shard, traces.header
        if header != self._header:
            self._header = header
            self._reader = None if header.initial.stock else _Reader(header)
        for found in tables(traces):
            if not isinstance(found, GamesTable):
                play = traces.judged(*found)
                if play is not None:
                    shard.observe(play)
                continue
            reader = self._reader
            left = range(len(found)) if reader is None else reader.read(found, shard)
            for game in left:
                play = traces.judged(found.record(game), found.lines[game], None)
                if play is not None:
                    shard.observe(play)
            if 2 * len(left) > len(found):
                self._reader = None
            elif reader is not None and len(reader.replayer.table.texts) > REMEMBERED:
                self._reader = _Reader(header)
        shard.bad += traces.bad


class _Reader:
    """Replays and counts tables of games."""

    def __init__(self, header: Header) -> None:
        self.replayer = ColumnReplayer(header)
        self._counter = Counter(self.replayer)

    def read(self, games: GamesTable, shard: Shard) -> Sequence[int]:
        """Counts the games that are good beyond doubt, and gives back the others."""
        plies = self.replayer.replay(games)
        self._counter.count(games, plies, shard.evidence, shard.records)
        shard.games += int(plies.good.sum())
        shard.turns += int(np.diff(games.starts)[plies.good].sum())
        left: list[int] = np.flatnonzero(~plies.good).tolist()
        return left


def _observe_parallel(
    files: Sequence[Traces], parts: Sequence[int], jobs: int, progress: Progress
) -> Shard:
    whole = Shard()
    errors: list[tuple[int, int, GrlError]] = []
    todo = [(number, index) for number, n in enumerate(parts) for index in range(n)]
    works = [
        partial(_read_part, files[number].opener, index, parts[number]) for number, index in todo
    ]
    finished = 0

    def done(at: int, found: Shard | GrlError) -> None:
        nonlocal finished
        finished += 1
        number, _ = todo[at]
        if isinstance(found, GrlError):
            errors.append((number, found.place.line or 0, found))
        else:
            whole.merge(found)
            files[number].bad += found.bad
        progress("reading shards", finished, len(todo))

    together(works, jobs, done)
    for number, traces in enumerate(files):
        if not parts[number]:
            try:
                whole.merge(_read(traces))
            except GrlError as error:
                errors.append((number, error.place.line or 0, error))
    if errors:
        raise min(errors, key=lambda item: item[:2])[2]
    for traces in files:
        traces.bad.sort(key=lambda error: error.place.line or 0)
    return whole


def _read_part(opener: Callable[[], Traces], index: int, parts: int, _: Report[None]) -> Shard:
    return _read(opener().part(index, parts))
