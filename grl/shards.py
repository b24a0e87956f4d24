"""Reading records into evidence: in one process, or in shards on several.

Evidence is a sum, so the shards of a file, read apart and merged, equal the file read at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field

from grl.errors import GrlError
from grl.progress import Progress
from grl.records import Records
from grl.sgrl.evidence import Evidence, game_number
from grl.traces import Traces


@dataclass
class Shard:
    """What some records hold: evidence of movement, a sample of positions and of ends, the number
    of games, and what was left out as broken."""

    evidence: Evidence = field(default_factory=Evidence)
    records: Records = field(default_factory=Records)
    games: int = 0
    bad: list[GrlError] = field(default_factory=list)

    def merge(self, other: Shard) -> None:
        """Add another shard."""
        self.evidence.merge(other.evidence)
        self.records.merge(other.records)
        self.games += other.games
        self.bad += other.bad


def observe(files: Sequence[Traces], jobs: int, progress: Progress) -> Shard:
    """All records of `files`, read by `jobs` processes.

    A broken record raises its error, the first of its file whatever the number of processes.
    """
    if jobs <= 1:
        whole = Shard()
        for traces in files:
            whole.merge(_read(traces))
        return whole
    return _observe_parallel(files, jobs, progress)


def _read(traces: Traces) -> Shard:
    shard = Shard()
    for play in traces:
        shard.games += 1
        shard.records.observe(play)
        number = game_number(play)
        for ply in play.plies:
            shard.evidence.observe(ply, number)
    shard.bad = list(traces.bad)
    return shard


def _observe_parallel(files: Sequence[Traces], jobs: int, progress: Progress) -> Shard:
    whole = Shard()
    errors: list[tuple[int, int, GrlError]] = []
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        todo = {
            pool.submit(_read_part, traces.path, traces.skip_bad, index, jobs): number
            for number, traces in enumerate(files)
            for index in range(jobs)
        }
        for done, future in enumerate(as_completed(todo), 1):
            try:
                shard = future.result()
            except GrlError as error:
                errors.append((todo[future], error.place.line or 0, error))
            else:
                whole.merge(shard)
                files[todo[future]].bad += shard.bad
            progress("reading shards", done, len(todo))
    if errors:
        raise min(errors, key=lambda item: item[:2])[2]
    for traces in files:
        traces.bad.sort(key=lambda error: error.place.line or 0)
    return whole


def _read_part(path: str, skip_bad: bool, index: int, parts: int) -> Shard:
    return _read(Traces.open(path, skip_bad=skip_bad).part(index, parts))
