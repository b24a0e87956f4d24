"""Work in a child process, under limits of time and of memory.

Some work can't be stopped from inside: clingo grounds a program in one native call, and memory is
gone before anybody asks for it. So it is done by a child, which sends its parent how far it is,
the best it has so far, and at last its result. The parent watches the clock, the child's memory
and the keyboard. When one of them ends the work it asks the child first, as Ctrl-C would, waits a
little for what the child makes of that, and kills it then; the best that was sent stays.

A child ends with its parent, whatever ended that one: on Linux the kernel sees to it, elsewhere a
thread of the child waits for the end of a pipe that its parent holds.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import select
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, Generic, Literal, NoReturn, Protocol, TypeVar

from grl.errors import GrlError
from grl.limits import Bounds, bound_allocations, resident
from grl.progress import Progress, silent

R = TypeVar("R")
"""What the work results in."""
B = TypeVar("B")
"""What the work has at best so far."""

End = Literal["itself", "time", "memory", "interrupt", "killed"]
"""What ended the work; `killed` is a signal that nobody here sent, such as the kernel's when the
machine has no memory left."""

FORKS = sys.platform.startswith("linux")
"""Elsewhere a process with system libraries in use must not be copied, and a new one is begun."""
LOOK = 0.05
"""Seconds between two looks at the clock and at the child's memory."""
PATIENCE = 0.3
"""Seconds that the child's own clock has to end the work, behind the limit."""
GRACE = 0.7
"""Seconds that a child has to answer when it is asked to end."""
SELDOM = 0.05
"""Seconds between two reports of the same stage that are sent on."""

_DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)
_LENGTH = struct.Struct("<Q")
_ASKED = signal.SIGUSR1 if hasattr(signal, "SIGUSR1") else signal.SIGTERM
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Ended(Generic[R, B]):
    """How work ended: its result, or None where it was cut off; the best it had sent; and why."""

    result: R | None
    best: B | None
    by: End


class Report(Generic[B]):
    """What the work tells its parent; made in the child."""

    def __init__(self, send: Callable[[bytes], None], deadline: float | None) -> None:
        self._send = send
        self._deadline = deadline
        self._told: dict[str, float] = {}

    def progress(self, stage: str, done: int, total: int | None) -> None:
        """A progress hook; what comes too fast is left out, but for the end of a stage."""
        now = time.monotonic()
        if done != total and now - self._told.get(stage, 0.0) < SELDOM:
            return
        self._told[stage] = now
        self.tell("progress", (stage, done, total))

    def keep(self, best: B) -> None:
        """The best so far, which stays even if the work is cut off."""
        self.tell("best", best)

    def left(self) -> float | None:
        """Seconds until the limit of time; None where there is none."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def tell(self, kind: str, value: object) -> None:
        """A message, sent whole even if the child is asked to end meanwhile."""
        with _unasked():
            self._send(pickle.dumps((kind, value), pickle.HIGHEST_PROTOCOL))


Work = Callable[[Report[B]], R]


def supervised(
    work: Callable[[Report[B]], R],
    bounds: Bounds,
    *,
    progress: Progress = silent,
    kept: Callable[[B], None] | None = None,
    also: Sequence[signal.Signals] = (),
    patience: float = PATIENCE,
    grace: float = GRACE,
    forks: bool = FORKS,
) -> Ended[R, B]:
    """Do `work` in a child process; it, its result and what it keeps can be pickled.

    `kept` is called with the best so far whenever the child sends one. Ctrl-C, and the signals of
    `also`, end the work and are no `KeyboardInterrupt` here; a second one ends it at once. What
    `work` raises is raised here. Raises `GrlError` where the child ends without a word.
    """
    deadline = None if bounds.seconds is None else time.monotonic() + bounds.seconds
    with _asked_to_end(also) as asked:
        child = (_Forked if forks else _Spawned)(work, deadline, bounds.memory)
        try:
            return _watch(child, bounds, deadline, progress, kept, asked, patience, grace)
        finally:
            child.end()


def _watch(
    child: _Child,
    bounds: Bounds,
    deadline: float | None,
    progress: Progress,
    kept: Callable[[B], None] | None,
    asked: list[int],
    patience: float,
    grace: float,
) -> Ended[Any, B]:
    by: End = "itself"
    best: B | None = None
    killing = float("inf")
    known = 0
    while True:
        now = time.monotonic()
        if by == "itself":
            if asked:
                by, known = "interrupt", len(asked)
            elif deadline is not None and now > deadline + patience:
                by = "time"
            elif bounds.memory is not None and resident(child.pid) > bounds.memory:
                by = "memory"
            if by != "itself":
                child.ask()
                killing = now + grace
        elif now > killing or len(asked) > known:
            child.kill()
            killing = float("inf")
        message = child.receive(LOOK)
        if message == b"":
            continue
        if message is None:
            return _cut_off(child, best, by)
        kind, value = pickle.loads(message)
        if kind == "progress":
            progress(*value)
        elif kind == "best":
            best = value
            if kept is not None:
                kept(value)
        elif kind == "result":
            return Ended(value, best, by)
        elif kind == "memory":
            return Ended(None, best, "memory" if by == "itself" else by)
        elif kind == "interrupt":
            return Ended(None, best, by if by != "itself" else "interrupt")
        else:
            raise value


def _cut_off(child: _Child, best: B | None, by: End) -> Ended[Any, B]:
    """The child is gone without a result: it was killed here, or by somebody else."""
    status = child.end()
    if by != "itself":
        return Ended(None, best, by)
    if status == -getattr(signal, "SIGKILL", 9) and best is not None:
        return Ended(None, best, "killed")
    raise GrlError(
        "the process that did the work ended before it was done",
        found=_signal_name(status),
        hint=_hint(status),
    )


def _signal_name(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def _hint(status: int) -> str:
    if status == -getattr(signal, "SIGSEGV", 11):
        return "the input may hold terms that are too deep or too long"
    return "something killed it, perhaps for want of memory"


class _Child(Protocol):
    """A process at work, as its parent sees it."""

    pid: int

    def receive(self, seconds: float) -> bytes | None:
        """The next message; empty where none comes in time, None where none will come."""

    def ask(self) -> None:
        """Asks the child to end."""

    def kill(self) -> None:
        """Ends the child."""

    def end(self) -> int:
        """Sees to it that the child is gone; its exit status, negative for a signal."""


class _Forked:
    """A child that is a copy of this process."""

    def __init__(
        self, work: Callable[[Report[Any]], Any], deadline: float | None, memory: int | None
    ) -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        self._status: int | None = None
        self._received = bytearray()
        self._from, to = os.pipe()
        parent = os.getpid()
        # Until the child has its own handlers no signal may find it with those of its parent.
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, _ASKED})
        try:
            self.pid = os.fork()
            if not self.pid:
                os.close(self._from)
                _be_child(lambda data: _write(to, data), work, deadline, memory, parent, masked)
        except OSError:
            os.close(self._from)
            raise
        finally:
            os.close(to)
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)

    def receive(self, seconds: float) -> bytes | None:
        whole = self._message()
        if whole:
            return whole
        ready, _, _ = select.select([self._from], [], [], seconds)
        if not ready:
            return b""
        data = os.read(self._from, _CHUNK)
        self._received += data
        return self._message() if data else None

    def _message(self) -> bytes:
        """The first message received, or nothing where it isn't whole yet."""
        if len(self._received) < _LENGTH.size:
            return b""
        (size,) = _LENGTH.unpack_from(self._received)
        end = _LENGTH.size + size
        if len(self._received) < end:
            return b""
        found = bytes(self._received[_LENGTH.size : end])
        del self._received[:end]
        return found

    def ask(self) -> None:
        if self._status is None:
            os.kill(self.pid, _ASKED)

    def kill(self) -> None:
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> int:
        if self._status is None:
            if self._from >= 0:
                os.close(self._from)
                self._from = -1
            found, status = os.waitpid(self.pid, os.WNOHANG)
            if not found:
                status = self._wait()
            self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def _wait(self) -> int:
        """Its status; a child that is not gone by itself in a moment is killed."""
        until = time.monotonic() + LOOK
        while time.monotonic() < until:
            time.sleep(0.001)
            found, status = os.waitpid(self.pid, os.WNOHANG)
            if found:
                return status
        self.kill()
        return os.waitpid(self.pid, 0)[1]


def _write(to: int, data: bytes) -> None:
    view = memoryview(_LENGTH.pack(len(data)) + data)
    while view:
        view = view[os.write(to, view) :]


class _Spawned:
    """A child that is a Python of its own, to which the work is sent."""

    def __init__(
        self, work: Callable[[Report[Any]], Any], deadline: float | None, memory: int | None
    ) -> None:
        from multiprocessing import get_context

        context = get_context("spawn")
        self._from, to = context.Pipe(duplex=False)
        # The child waits for the end of this pipe, which comes with the end of its parent.
        line, self._lifeline = context.Pipe(duplex=False)
        left = None if deadline is None else deadline - time.monotonic()
        self._process = context.Process(
            target=_be_spawned, args=(to, line, work, left, memory), daemon=True
        )
        self._process.start()
        self.pid = self._process.pid or 0
        to.close()
        line.close()

    def receive(self, seconds: float) -> bytes | None:
        try:
            return self._from.recv_bytes() if self._from.poll(seconds) else b""
        except (EOFError, OSError):
            return None

    def ask(self) -> None:
        if self._process.is_alive() and hasattr(signal, "SIGUSR1"):
            os.kill(self.pid, _ASKED)

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> int:
        self._process.join(LOOK)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        self._from.close()
        self._lifeline.close()
        return self._process.exitcode or 0


def _be_spawned(
    to: Any,
    line: Any,
    work: Callable[[Report[Any]], Any],
    left: float | None,
    memory: int | None,
) -> None:
    def wait() -> None:
        with contextlib.suppress(EOFError, OSError):
            line.recv_bytes()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
    deadline = None if left is None else time.monotonic() + left
    _be_child(to.send_bytes, work, deadline, memory, None, ())


def _be_child(
    send: Callable[[bytes], None],
    work: Callable[[Report[Any]], Any],
    deadline: float | None,
    memory: int | None,
    parent: int | None,
    mask: Sequence[int] | set[Any],
) -> NoReturn:
    """The whole life of a child."""
    status = 1
    try:
        if parent is not None:
            dies_with(parent)
        # What the parent notes, whoever sends it to the whole group, it passes on.
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_IGN)
        signal.signal(_ASKED, _interrupt)
        report: Report[Any] = Report(send, deadline)
        _work(work, report, memory, mask)
        status = 0
    except BrokenPipeError:
        pass
    finally:
        # Nothing that this copy of the parent holds is to be written, freed or waited for.
        os._exit(status)


def _work(
    work: Callable[[Report[Any]], Any],
    report: Report[Any],
    memory: int | None,
    mask: Sequence[int] | set[Any],
) -> None:
    kind, value = "error", None
    try:
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if memory is not None:
            bound_allocations(memory)
        kind, value = "result", work(report)
    except MemoryError:
        kind = "memory"
    except KeyboardInterrupt:
        kind = "interrupt"
    except BaseException as error:
        value = _sendable(error)
    _Asked.deaf = True
    try:
        report.tell(kind, value)
    except BrokenPipeError:
        raise
    except MemoryError:
        report.tell("memory", None)
    except Exception as error:
        report.tell("error", _sendable(error))


def _sendable(error: BaseException) -> BaseException:
    """An error as its parent can raise it; one that is no error of the input says where it was."""
    if not isinstance(error, GrlError | OSError):
        error.add_note(traceback.format_exc())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("".join(traceback.format_exception(error)))
    return error


def dies_with(parent: int) -> None:
    """Lets the kernel end this process with its parent, of which it was just born (Linux)."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_DIES_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


class _Asked:
    """Whether the child was asked to end while it must not listen."""

    deaf = False
    waiting = False


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    if _Asked.deaf:
        _Asked.waiting = True
        return
    raise KeyboardInterrupt


@contextmanager
def _unasked() -> Iterator[None]:
    """Puts a request to end off until the block is left."""
    if _Asked.deaf:
        yield
        return
    _Asked.deaf = True
    try:
        yield
    finally:
        _Asked.deaf = False
    if _Asked.waiting:
        _Asked.waiting = False
        raise KeyboardInterrupt


@contextmanager
def _asked_to_end(also: Sequence[signal.Signals]) -> Iterator[list[int]]:
    """Ctrl-C and the signals of `also` are noted instead of raised; those ignored stay so."""
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def note(number: int, _frame: FrameType | None) -> None:
        asked.append(number)

    before = {}
    for number in (signal.SIGINT, *also):
        if signal.getsignal(number) != signal.SIG_IGN:
            before[number] = signal.signal(number, note)
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
