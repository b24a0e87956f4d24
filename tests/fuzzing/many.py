"""Many cases by several processes, each a fork of this one."""

from __future__ import annotations

import gc
import os
import pickle
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path

from fuzzing.cases import make
from fuzzing.corpus import seeds
from fuzzing.kills import Killed, kill, undisturbed, writer_of
from fuzzing.sandbox import adopt, warm
from fuzzing.verdict import Result, tried

Work = Callable[[int, Path], object]


def results(seed: int, numbers: Sequence[int], jobs: int, keep: Path | None) -> Iterator[Result]:
    """Run the cases with those numbers; results as they come."""

    def work(number: int, folder: Path) -> Result:
        return tried(number, make(seed, number), folder, keep)

    for found in shared(work, numbers, jobs):
        assert isinstance(found, Result)
        yield found


def killed(seed: int, numbers: Sequence[int], jobs: int, *, fresh: bool = True) -> Iterator[Killed]:
    """Kill the writers at those moments; `fresh` as in `kill`."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        names = list(dict.fromkeys(map(writer_of, numbers)))
        (known,) = shared(lambda _, __: undisturbed(Path(name) / "whole", names), [0], 1)
    assert isinstance(known, dict)

    def work(number: int, folder: Path) -> Killed:
        return kill(seed, number, folder, known, fresh=fresh)

    for found in shared(work, numbers, jobs):
        assert isinstance(found, Killed)
        yield found


def shared(work: Work, numbers: Sequence[int], jobs: int) -> Iterator[object]:
    """What `work` makes of each number, in a folder; raises where a worker ends early."""
    warm()
    seeds()
    # What is frozen isn't looked through by collections, which would copy its pages in every fork.
    gc.collect()
    gc.freeze()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        workers: dict[Connection, int] = {}
        for job in range(jobs):
            reader, writer = Pipe(duplex=False)
            pid = os.fork()
            if not pid:
                _worker(work, numbers[job::jobs], Path(name) / str(job), writer)
            writer.close()
            workers[reader] = pid
        left = len(numbers)
        while workers:
            for reader in wait(list(workers)):
                assert isinstance(reader, Connection)
                try:
                    yield pickle.loads(reader.recv_bytes())
                    left -= 1
                except EOFError:
                    os.waitpid(workers.pop(reader), 0)
        if left:
            raise RuntimeError(f"a worker ended early: {left} cases were not run")


def _worker(work: Work, numbers: Sequence[int], folder: Path, writer: Connection) -> None:
    status = 1
    try:
        adopt()
        folder.mkdir()
        for number in numbers:
            writer.send_bytes(pickle.dumps(work(number, folder / "case")))
        writer.close()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
