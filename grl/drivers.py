"""Records read in parts that can stop and go on: by processes here, or by a cluster's workers.

A part is a row group of a columnar file, or a whole file of lines. Who reads it, and in which
order, decides nothing: a shard is a sum.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from grl.board import Equipment
from grl.children import Report
from grl.errors import GrlError, MissingExtra
from grl.outputs import write_whole
from grl.parquetio import is_columnar, row_counts
from grl.progress import Progress
from grl.resources import cores
from grl.shardfile import from_bytes, to_bytes
from grl.shards import Reading, Shard
from grl.storage import size_and_age, size_of
from grl.supervise import together
from grl.traces import Traces

SAVE = 30.0
"""Seconds of reading that a break may cost, about."""
TASKS = 4
"""Tasks for each worker of a cluster, so that none waits long for the last."""
JOINED = 8
"""Results that one task of a cluster makes into one."""
STAGE = "reading traces"
_SUFFIX = ".shard"


class Part(NamedTuple):
    """A part of a file: which of how many, its size, in games or bytes, and its name."""

    opener: Callable[..., Traces]
    number: int
    parts: int
    size: int
    name: str


def parts_of(files: Sequence[Traces]) -> list[Part]:
    """All parts of some files. Their names change when a file does."""
    found = []
    for traces in files:
        sizes = row_counts(traces.path) if is_columnar(traces.path) else [size_of(traces.path)]
        stamp = f"{traces.path}|{size_and_age(traces.path)}|{traces.skip_bad}|{traces.slides}"
        for index, size in enumerate(sizes):
            name = hashlib.blake2b(f"{stamp}|{index}".encode(), digest_size=12).hexdigest()
            found.append(Part(traces.opener, index, len(sizes), size, name))
    return found


def read_resumably(files: Sequence[Traces], jobs: int, folder: Path, progress: Progress) -> Shard:
    """All records of `files`; what is read is saved in `folder`, so that a second call goes on."""
    parts = parts_of(files)
    whole, left, number = _saved(files, parts, folder)
    jobs = max(1, min(jobs, cores(), len(left)))
    works = [
        partial(_work, left[job::jobs], str(folder / f"{number + job}{_SUFFIX}"))
        for job in range(jobs if left else 0)
    ]
    watch = _Watch(progress, sum(p.size for p in parts), sum(p.size for p in left), len(works))
    _gather(whole, works, jobs, watch)
    return _finished(whole, files)


def _work(parts: Sequence[Part], path: str, report: Report[None]) -> Shard:
    """Reads parts, and saves what it has from time to time and at the end."""
    reading = Reading()
    done: list[str] = []
    read_before, saved = 0, time.monotonic()
    for part in parts:

        def hook(_stage: str, read: int, _total: int | None, before: int = read_before) -> None:
            report.progress(STAGE, before + read, None)

        reading.add(part.opener(progress=hook).part(part.number, part.parts))
        done.append(part.name)
        read_before += part.size
        if time.monotonic() - saved > SAVE or part is parts[-1]:
            write_whole(path, to_bytes(reading.shard, done))
            saved = time.monotonic()
    return reading.shard


class _Watch:
    """Adds up how far several workers are."""

    def __init__(self, progress: Progress, total: int, left: int, workers: int) -> None:
        self._progress, self._total, self._before = progress, total, total - left
        self._done = [0] * workers

    def heard(self, worker: int, value: tuple[str, int, int | None]) -> None:
        """A worker has said how far it is."""
        self._done[worker] = max(self._done[worker], value[1])
        self._progress(STAGE, min(self._before + sum(self._done), self._total), self._total)


def _gather(
    whole: Shard, works: Sequence[Callable[[Report[Any]], Shard]], jobs: int, watch: _Watch
) -> None:
    failed: list[GrlError] = []

    def done(_: int, found: Shard | GrlError) -> None:
        if isinstance(found, GrlError):
            failed.append(found)
        else:
            whole.merge(found)

    together(works, jobs, done, watch.heard)
    _raise_first(failed)


def _raise_first(failed: Iterable[GrlError]) -> None:
    first = min(failed, key=_place, default=None)
    if first is not None:
        raise first


def _place(error: GrlError) -> tuple[str, int]:
    return str(error.place.file), error.place.line or 0


def _saved(
    files: Sequence[Traces], parts: Sequence[Part], folder: Path
) -> tuple[Shard, list[Part], int]:
    """What was read before, the parts that are left, and the first number free for a file."""
    folder.mkdir(parents=True, exist_ok=True)
    whole, done, number = Shard(), set[str](), 0
    names = {part.name for part in parts}
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        shard, held = from_bytes(path.read_bytes(), files[0].header.equipment, str(path))
        if not set(held) <= names or set(held) & done:
            raise GrlError(
                "these intermediate results are of other records, or of records that have changed",
                found=str(path),
                hint="name another folder, or remove this one",
            )
        whole.merge(shard)
        done |= set(held)
        number = max(number, int(path.stem) + 1 if path.stem.isdigit() else 0)
    return whole, [part for part in parts if part.name not in done], number


def _finished(whole: Shard, files: Sequence[Traces]) -> Shard:
    for traces in files:
        traces.bad = [error for error in whole.bad if error.place.file == traces.path]
        traces.bad.sort(key=lambda error: error.place.line or 0)
    return whole


def read_on_cluster(
    files: Sequence[Traces], scheduler: str, folder: Path | None, progress: Progress
) -> Shard:
    """All records of `files`, read by the workers of a Dask cluster.

    They must see the files under the same names, and have this package. What a lost worker had
    read is read anew by another. They also merge what they read, by and by; with a `folder` it
    comes here instead, to be kept there.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise MissingExtra(
            "the package distributed is not installed", hint='pip install "grl[dask]"'
        ) from None
    parts = parts_of(files)
    whole, left, number = _saved(files, parts, folder) if folder else (Shard(), parts, 0)
    equipment = files[0].header.equipment
    total = sum(part.size for part in parts)
    size = total - sum(part.size for part in left)
    try:
        client: Any = Client(scheduler, timeout=20)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise GrlError(
            "no scheduler answers there",
            found=f"{scheduler}: {error}"[:120],
            expected="its address",
        ) from None
    with client:
        workers = len(client.scheduler_info(n_workers=-1)["workers"]) or 1
        count = max(1, min(len(left), TASKS * workers))
        some = {
            client.submit(_task, left[i::count], pure=False, retries=2): left[i::count]
            for i in range(count if left else 0)
        }
        found: list[bytes | GrlError] = []
        for future in as_completed(list(some)):  # type: ignore[no-untyped-call]
            size += sum(part.size for part in some[future])
            progress(STAGE, size, total)
            if folder:
                result = future.result()
                future.release()
                found.append(result)
                if isinstance(result, bytes):
                    write_whole(folder / f"{number}{_SUFFIX}", result)
                    number += 1
        if not folder:
            level = list(some)
            while len(level) > 1:
                level = [
                    client.submit(_joined, equipment, level[i : i + JOINED], pure=False, retries=2)
                    for i in range(0, len(level), JOINED)
                ]
            found = [future.result() for future in level]
    _raise_first(each for each in found if isinstance(each, GrlError))
    for each in found:
        if isinstance(each, bytes):
            whole.merge(from_bytes(each, equipment)[0])
    return _finished(whole, files)


def _task(parts: Sequence[Part]) -> bytes | GrlError:
    """What a worker does: reads some parts."""
    reading = Reading()
    try:
        for part in parts:
            reading.add(part.opener().part(part.number, part.parts))
    except GrlError as error:
        return error
    return to_bytes(reading.shard, [part.name for part in parts])


def _joined(equipment: Equipment, results: Sequence[bytes | GrlError]) -> bytes | GrlError:
    """What a worker makes of several results: one."""
    failed = [each for each in results if isinstance(each, GrlError)]
    if failed:
        return min(failed, key=_place)
    whole, done = Shard(), list[str]()
    for raw in results:
        assert isinstance(raw, bytes)
        shard, held = from_bytes(raw, equipment)
        whole.merge(shard)
        done += held
    return to_bytes(whole, done)
