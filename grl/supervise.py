"""Work in child processes, under limits of time and of memory.

Some work can't be stopped from inside: clingo grounds a program in one native call, and memory is
gone before anybody asks for it. So it is done by a child, which sends its parent how far it is,
the best it has so far, and at last its result. The parent watches the clock, the child's memory
and the keyboard. When one of them ends the work it asks the child first, as Ctrl-C would, waits a
little for what the child makes of that, and kills it then; the best that was sent stays.
"""

from __future__ import annotations

import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any, Generic, Literal, TypeVar

from grl.children import FORKS, Child, Report, lost, start, wait
from grl.errors import GrlError
from grl.progress import Progress, silent
from grl.resources import Bounds, resident

R = TypeVar("R")
"""What the work results in."""
B = TypeVar("B")
"""What the work has at best so far."""

End = Literal["itself", "time", "memory", "interrupt", "killed"]
"""What ended the work; `killed` is a signal that nobody here sent, such as the kernel's when the
machine has no memory left."""

LOOK = 0.05
"""Seconds between two looks at the clock and at the child's memory."""
PATIENCE = 0.3
"""Seconds that the child's own clock has to end the work, behind the limit."""
GRACE = 0.7
"""Seconds that a child has to answer when it is asked to end."""


@dataclass(frozen=True, slots=True)
class Ended(Generic[R, B]):
    """How work ended: its result, or None where it was cut off; the best it had sent; and why."""

    result: R | None
    best: B | None
    by: End


def supervised(
    work: Callable[[Report[B]], R],
    bounds: Bounds,
    *,
    progress: Progress = silent,
    kept: Callable[[B], None] | None = None,
    also: Sequence[signal.Signals] = (),
    stop: Callable[[], bool] | None = None,
    patience: float = PATIENCE,
    grace: float = GRACE,
    forks: bool = FORKS,
) -> Ended[R, B]:
    """Do `work` in a child process; it, its result and what it keeps can be pickled.

    `kept` is called with the best so far whenever the child sends one. Ctrl-C, and the signals of
    `also`, end the work and are no `KeyboardInterrupt` here; a second one ends it at once. So does
    `stop` when it says yes, which hears of no signal: for work that a thread waits for. What
    `work` raises is raised here. Raises `GrlError` where the child ends without a word.
    """
    deadline = None if bounds.seconds is None else time.monotonic() + bounds.seconds
    with _asked_to_end(also) as asked:
        child = start(work, deadline, bounds.memory, forks=forks)
        try:
            return _watch(child, bounds, deadline, progress, kept, asked, stop, patience, grace)
        finally:
            child.end()


def _watch(
    child: Child,
    bounds: Bounds,
    deadline: float | None,
    progress: Progress,
    kept: Callable[[B], None] | None,
    asked: list[int],
    stop: Callable[[], bool] | None,
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
            if asked or (stop is not None and stop()):
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


def _cut_off(child: Child, best: B | None, by: End) -> Ended[Any, B]:
    """The child is gone without a result: it was killed here, or by somebody else."""
    status = child.end()
    if by != "itself":
        return Ended(None, best, by)
    if status == -getattr(signal, "SIGKILL", 9) and best is not None:
        return Ended(None, best, "killed")
    raise lost(status)


def together(
    works: Sequence[Callable[[Report[Any]], R]],
    at_once: int,
    done: Callable[[int, R | GrlError], None],
    heard: Callable[[int, tuple[str, int, int | None]], None] = lambda _number, _value: None,
) -> None:
    """Do all `works`, at most `at_once` of them at a time, each in a process of its own.

    `done` is called with the number of a work and its result, or the `GrlError` that it raised, as
    they come, `heard` with its number and how far it says it is. Anything else ends the other
    processes too, and so does Ctrl-C. Raises `GrlError`
    where a process ends without a word.
    """
    waiting = list(enumerate(works))[::-1]
    running: dict[int, Child] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                number, work = waiting.pop()
                running[number] = start(work)
            wait(list(running.values()), LOOK)
            for number, child in tuple(running.items()):
                found = _outcome(child, partial(heard, number))
                if found is not None:
                    del running[number]
                    child.end()
                    done(number, found[0])
    finally:
        for child in running.values():
            child.kill()
        for child in running.values():
            child.end()


def _outcome(child: Child, heard: Callable[[Any], None]) -> tuple[Any] | None:
    """The result or the `GrlError` that a child has sent, if it has."""
    while True:
        message = child.receive(0)
        if message is None:
            raise lost(child.end())
        if not message:
            return None
        kind, value = pickle.loads(message)
        if kind == "progress":
            heard(value)
        if kind == "result" or isinstance(value, GrlError):
            return (value,)
        if kind == "error":
            raise value
        if kind == "memory":
            raise MemoryError


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
