"""Child processes that report: how far they are, what they have at best so far, their result.

A child ends with its parent, whatever ended that one: on Linux the kernel sees to it, elsewhere a
thread of the child waits for the end of a pipe that its parent holds. Asked to end, it sees a
`KeyboardInterrupt`, as Ctrl-C would make one; Ctrl-C itself reaches the parent alone.
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
from types import FrameType
from typing import Any, Generic, NoReturn, Protocol, TypeVar

from grl.errors import GrlError
from grl.resources import bound_allocations

B = TypeVar("B")
"""What the work has at best so far."""

FORKS = sys.platform.startswith("linux")
"""Elsewhere a process with system libraries in use must not be copied, and a new one is begun."""
SELDOM = 0.05
"""Seconds between two reports of the same stage that are sent on."""
MOMENT = 0.05
"""Seconds that a child has to be gone when it has sent its result."""

_DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)
_LENGTH = struct.Struct("<Q")
_ASKED = signal.SIGUSR1 if hasattr(signal, "SIGUSR1") else signal.SIGTERM
_CHUNK = 1 << 20


class Report(Generic[B]):
    """How the work reports to its parent; made in the child."""

    def __init__(self, send: Callable[[bytes], None], deadline: float | None) -> None:
        self._send = send
        self._deadline = deadline
        self._reported: dict[str, float] = {}

    def progress(self, stage: str, done: int, total: int | None) -> None:
        """A progress hook; what comes too fast is left out, but for the end of a stage."""
        now = time.monotonic()
        if done != total and now - self._reported.get(stage, 0.0) < SELDOM:
            return
        self._reported[stage] = now
        self.send("progress", (stage, done, total))

    def keep(self, best: B) -> None:
        """The best so far, which stays even if the work is cut off."""
        self.send("best", best)

    def left(self) -> float | None:
        """Seconds until the limit of time; None where there is none."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def send(self, kind: str, value: object) -> None:
        """A message, sent whole even if the child is asked to end meanwhile."""
        with _unasked():
            self._send(pickle.dumps((kind, value), pickle.HIGHEST_PROTOCOL))


class Child(Protocol):
    """A process at work, as its parent sees it."""

    pid: int

    @property
    def source(self) -> Any:
        """What `wait` waits for."""

    def receive(self, seconds: float) -> bytes | None:
        """The next message; empty where none comes in time, None where none will come."""

    def ask(self) -> None:
        """Asks the child to end."""

    def kill(self) -> None:
        """Ends the child."""

    def end(self) -> int:
        """Sees to it that the child is gone; its exit status, negative for a signal."""


class Forked:
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

    @property
    def source(self) -> int:
        return self._from

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
        until = time.monotonic() + MOMENT
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


class Spawned:
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

    @property
    def source(self) -> Any:
        return self._from

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
        self._process.join(MOMENT)
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
        # A library in C may put an error of its own in the place of the interrupt.
        kind, value = ("interrupt", None) if _Asked.heard else ("error", _sendable(error))
    _Asked.deaf = True
    try:
        report.send(kind, value)
    except BrokenPipeError:
        raise
    except MemoryError:
        report.send("memory", None)
    except Exception as error:
        report.send("error", _sendable(error))


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
    """Whether the child was asked to end: while it must not listen, and when it was heard."""

    deaf = False
    waiting = False
    heard = False


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    if _Asked.deaf:
        _Asked.waiting = True
        return
    _Asked.heard = True
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
        _Asked.heard = True
        raise KeyboardInterrupt


def start(
    work: Callable[[Report[Any]], Any],
    deadline: float | None = None,
    memory: int | None = None,
    *,
    forks: bool = FORKS,
) -> Child:
    """A child process that does `work`, until `deadline` on the monotonic clock."""
    return (Forked if forks else Spawned)(work, deadline, memory)


def wait(children: Sequence[Child], seconds: float) -> None:
    """Waits until one of the children has sent something."""
    sources = [child.source for child in children]
    if all(isinstance(source, int) for source in sources):
        select.select(sources, [], [], seconds)
    else:
        from multiprocessing.connection import wait as wait_for

        wait_for(sources, seconds)


def lost(status: int) -> GrlError:
    """The error for a child that ended with this exit status and without a word."""
    return GrlError(
        "a process that did part of the work ended before it was done",
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
