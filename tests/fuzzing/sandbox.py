"""One run of the command line under limits: a fork of a warm process, or a new interpreter.

A fork has all rooms imported and starts within milliseconds; a new interpreter shows what start
and end of a process add. Limits hold for a run with all its children together. Linux only.
"""

from __future__ import annotations

import ctypes
import importlib
import io
import os
import pkgutil
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS = 10.0
"""Of processor time."""
MEMORY = 1 << 30
HUNG = 240.0
"""Seconds on the clock after which a run that doesn't work counts as hung."""
GRACE = 3.0
"""Seconds that children have to end after their parent."""
_ADDRESSES = 6 << 30
_FILE_SIZE = 1 << 28
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_SUBREAPER = 36


@dataclass(frozen=True)
class Run:
    """What came of a run. `status` is negative for a signal, as in subprocess."""

    status: int
    out: bytes
    err: bytes
    seconds: float
    memory: int
    stopped: str = ""
    left: int = 0


@dataclass(frozen=True)
class Start:
    """How a run starts: `stdout` is a file, or one of closed, full, pipe; likewise `stdin`."""

    argv: tuple[str, ...]
    stdin: bytes | None = b""
    stdout: str = "file"
    environment: tuple[tuple[str, str], ...] = ()
    fresh: bool = False


def warm() -> None:
    """Import every room and every game."""
    import grl
    from grl.games import available, factory

    for module in pkgutil.walk_packages(grl.__path__, "grl."):
        importlib.import_module(module.name)
    for name in ("clingo", "numpy", "networkx", "zstandard", "lark", "pygraphviz"):
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    for name in available():
        factory(name)


def adopt() -> None:
    """From now on orphans of runs become children of this process."""
    ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)


def start(how: Start, folder: Path, streams: Path) -> int:
    """Start a run in `folder`, the leader of a session; its process id. Streams go to `streams`."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 71
    try:
        _enter(how, folder, streams)
        if how.fresh:
            environment = {**os.environ, "PYTHONPATH": _root(), **dict(how.environment)}
            words = [sys.executable, "-c", "from grl.cli import main; main()", *how.argv]
            os.execve(sys.executable, [os.fsencode(word) for word in words], environment)
        status = _called(how.argv)
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)


def _root() -> str:
    import grl

    return str(Path(grl.__file__).parents[1])


def _enter(how: Start, folder: Path, streams: Path) -> None:
    os.setsid()
    os.chdir(folder)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS) + 1, int(SECONDS) + 3))
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_SIZE, _FILE_SIZE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if how.stdin is None:
        os.close(0)
    else:
        (streams / "in").write_bytes(how.stdin)
        os.dup2(os.open(streams / "in", os.O_RDONLY), 0)
    os.dup2(os.open(streams / "err", os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    if how.stdout == "closed":
        os.close(1)
    elif how.stdout == "pipe":
        reader, writer = os.pipe()
        os.dup2(writer, 1)
        os.close(reader)
    else:
        path = "/dev/full" if how.stdout == "full" else streams / "out"
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)
    os.closerange(3, 200)


def _called(argv: Sequence[str]) -> int:
    """The command line called as a new interpreter would call it; its exit status."""
    from grl.cli import main

    sys.argv = ["grl", *argv]
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), "utf-8")
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w", closefd=False)),
        "utf-8",
        "backslashreplace",
        line_buffering=True,
    )
    try:
        main(list(argv))
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        traceback.print_exc()
        status = 120
    sys.stderr.flush()
    return status


def finished(
    pid: int, streams: Path, *, seconds: float = SECONDS, stop: Callable[[], bool] | None = None
) -> Run:
    """Wait for a run under the limits; where `stop` says so, its first process is killed."""
    began, pause, stopped = time.monotonic(), 0.001, ""
    ended = os.pidfd_open(pid)
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            break
        if stop is not None and stop():
            os.kill(pid, signal.SIGKILL)
            stop = None
        elapsed = time.monotonic() - began
        if elapsed > 0.3 and stop is None and not stopped:
            spent, memory = _spent(pid)
            if spent > seconds:
                stopped = f"over {seconds:g} s"
            elif memory > MEMORY:
                stopped = "over 1 GB"
            elif elapsed > HUNG:
                stopped = "hung"
            if stopped:
                _kill_session(pid)
        # Wakes at once where the process ends.
        select.select([ended], [], [], pause)
        pause = min(pause * 1.5, 0.0005 if stop is not None else 0.03)
    os.close(ended)
    left = _left(pid)
    used = usage.ru_utime + usage.ru_stime
    memory = usage.ru_maxrss * 1024
    if not stopped and used > seconds:
        stopped = f"over {seconds:g} s"
    if not stopped and memory > MEMORY:
        stopped = "over 1 GB"
    out, err = (
        (streams / name).read_bytes() if (streams / name).exists() else b""
        for name in ("out", "err")
    )
    return Run(os.waitstatus_to_exitcode(status), out, err, used, memory, stopped, left)


def _members(session: int) -> Mapping[int, list[str]]:
    """The processes of a session that aren't dead, with the fields of their status."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                text = Path(f"/proc/{name}/stat").read_text()
            except OSError:
                continue
            fields = text.rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] not in "ZX":
                found[int(name)] = fields
    return found


def _spent(session: int) -> tuple[float, int]:
    """Processor seconds and bytes of memory of a session."""
    members = _members(session).values()
    ticks = sum(sum(map(int, fields[11:15])) for fields in members)
    return ticks / _TICKS, sum(int(fields[21]) for fields in members) * _PAGE


def _kill_session(session: int) -> None:
    for pid in _members(session):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _left(session: int) -> int:
    """How many processes outlived the first by more than the grace; they are ended."""
    began, left = time.monotonic(), 0
    while time.monotonic() - began < GRACE:
        if not _orphans():
            return 0
        time.sleep(0.02)
    left = len(_members(session))
    _kill_session(session)
    time.sleep(0.05)
    _orphans()
    return left


def _orphans() -> bool:
    """Reap orphans that have ended; whether there are living ones."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if not pid:
            return True
