"""Work in child processes: what ends it, what stays, and that no process is left behind."""

from __future__ import annotations

import faulthandler
import importlib
import os
import pickle
import pkgutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

import grl
from grl.children import Report
from grl.errors import GrlError, MissingExtra, Place
from grl.importers.records import REASONS, RecordError
from grl.resources import Bounds, cores, resident, usable_memory
from grl.shards import observe
from grl.supervise import supervised, together
from grl.traces import Traces

POSIX = pytest.mark.skipif(os.name != "posix", reason="sends signals")
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


def doubled(number: int, report: Report[str]) -> int:
    report.progress("doubling", 1, 1)
    return 2 * number


def endless(report: Report[str]) -> None:
    report.keep("best")
    while True:
        time.sleep(0.01)


def deaf(report: Report[str]) -> None:
    report.keep("best")
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    while True:
        time.sleep(0.01)


def answering(report: Report[str]) -> str:
    try:
        endless(report)
    except KeyboardInterrupt:
        return "what there is"
    return ""


def renamed(report: Report[str]) -> None:
    """Work in a library that puts an error of its own in the place of the interrupt."""
    try:
        endless(report)
    except KeyboardInterrupt:
        raise TypeError("no common type") from None


def greedy(report: Report[str]) -> None:
    report.keep("best")
    held = []
    while True:
        held.append(bytearray(4_000_000))


def vast(_report: Report[str]) -> bytearray:
    return bytearray(1 << 46)


def crashing(_report: Report[str]) -> None:
    faulthandler.disable()
    os.kill(os.getpid(), signal.SIGSEGV)


def killed(report: Report[str]) -> None:
    report.keep("best")
    os.kill(os.getpid(), signal.SIGKILL)


def refusing(_report: Report[str]) -> None:
    raise GrlError("no", place=Place(file="f", line=3), expected="yes", found="no", hint="try")


def wrong(_report: Report[str]) -> None:
    raise ZeroDivisionError("a bug")


@pytest.mark.parametrize("forks", [True, False] if os.name == "posix" else [False])
def test_a_result_and_its_progress_come_back(forks: bool) -> None:
    heard: list[tuple[str, int, int | None]] = []

    ended = supervised(
        partial(doubled, 21), Bounds(), progress=lambda *one: heard.append(one), forks=forks
    )

    assert (ended.result, ended.by) == (42, "itself")
    assert heard == [("doubling", 1, 1)]


@pytest.mark.parametrize(
    ("work", "result"), [(endless, None), (answering, "what there is"), (renamed, None)]
)
def test_the_time_ends_work_and_the_best_so_far_stays(work, result) -> None:
    ended = supervised(work, Bounds(seconds=0.2))

    assert (ended.result, ended.best, ended.by) == (result, "best", "time")


@POSIX
def test_work_that_does_not_listen_is_killed() -> None:
    ended = supervised(deaf, Bounds(seconds=0.1), grace=0.1)

    assert (ended.result, ended.best, ended.by) == (None, "best", "time")


@LINUX
def test_the_memory_ends_work_and_the_best_so_far_stays() -> None:
    ended = supervised(greedy, Bounds(memory=resident(os.getpid()) + 200_000_000))

    assert (ended.result, ended.best, ended.by) == (None, "best", "memory")


@LINUX
def test_one_vast_array_is_refused_at_once() -> None:
    assert supervised(vast, Bounds(memory=1 << 32)).by == "memory"


def test_errors_of_the_child_are_raised_as_they_were() -> None:
    with pytest.raises(GrlError) as caught:
        supervised(refusing, Bounds())
    assert str(caught.value) == "f:3: no; expected yes; found no (try)"
    with pytest.raises(ZeroDivisionError) as bug:
        supervised(wrong, Bounds())
    assert "in wrong" in bug.value.__notes__[0]


def test_every_error_of_the_library_passes_from_process_to_process() -> None:
    for module in pkgutil.walk_packages(grl.__path__, "grl."):
        if "commands" not in module.name and "__main__" not in module.name:
            with suppress(MissingExtra, ImportError):
                importlib.import_module(module.name)
    kinds = [GrlError]
    for kind in kinds:
        kinds += kind.__subclasses__()
        first = "no" if kind is not RecordError else next(iter(REASONS))
        error = kind(first, place=Place(game="g", rows=("a", "b")), found="x", hint="y")
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), copy.place) == (kind, str(error), error.place)
    assert len(kinds) > 10


@POSIX
def test_a_child_that_crashes_is_one_clear_error() -> None:
    with pytest.raises(GrlError, match="SIGSEGV"):
        supervised(crashing, Bounds())
    ended = supervised(killed, Bounds())
    assert (ended.best, ended.by) == ("best", "killed")


@POSIX
def test_several_works_are_done_by_few_processes() -> None:
    found: dict[int, object] = {}
    together([partial(doubled, n) for n in range(5)], 2, found.__setitem__)
    assert found == {n: 2 * n for n in range(5)}

    with pytest.raises(GrlError, match="SIGKILL"):
        together([endless, killed], 2, found.__setitem__)


def test_there_are_cores_and_memory() -> None:
    assert cores() >= 1
    assert usable_memory() is None or usable_memory() > 1 << 20


PARENT = """
import os, sys, time
from functools import partial
from grl.resources import Bounds
from grl.supervise import supervised
def work(report):
    report.keep(os.getpid())
    while True: time.sleep(0.01)
supervised(work, Bounds(), kept=lambda pid: print(pid, flush=True))
"""


@LINUX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_a_child_ends_with_its_parent(number: signal.Signals) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())

    parent.send_signal(number)
    parent.wait(timeout=20)

    assert gone(child)


def gone(pid: int) -> bool:
    """Whether a process ends, which takes the kernel a moment."""
    for _ in range(400):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.025)
    return False


@LINUX
def test_many_jobs_are_no_more_processes_than_there_are_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grl.games import load
    from grl.generate import generate
    from grl.traces import header_dict, write_traces

    game = load("tic-tac-toe")
    path = tmp_path / "two.jsonl"
    write_traces(path, header_dict(game), generate(game, 2, all_moves=True, seed=1))
    at_once: list[tuple[int, int]] = []

    def count(works, jobs, done) -> None:
        at_once.append((len(works), jobs))
        together(works, jobs, done)

    monkeypatch.setattr("grl.shards.together", count)
    monkeypatch.setattr("grl.shards.cores", lambda: 64)
    one = observe([Traces.open(path)], 1, lambda *_: None)
    assert observe([Traces.open(path)], 100_000, lambda *_: None).games == one.games == 2
    assert at_once == []

    monkeypatch.setattr("grl.shards.WORTH", 16)
    many = observe([Traces.open(path)], 100_000, lambda *_: None)
    assert at_once == [(2, 64)]
    assert (many.games, many.evidence.decisions) == (2, one.evidence.decisions)
