"""A deadline that every search asks, and solving that can be stopped by it or by the keyboard."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import clingo
from clingo.backend import Observer

from grl.errors import Place
from grl.las.task import TaskError

MESSAGES = 2**31 - 1
"""clingo gives up after this many messages, and it has much to say about undefined terms."""


class OutOfTime(Exception):
    """The deadline has passed."""


@dataclass(slots=True)
class Clock:
    """`limit` seconds from now, or no limit."""

    limit: float | None = None
    began: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Seconds until the deadline."""
        if self.limit is None:
            return float("inf")
        return self.began + self.limit - time.monotonic()

    def check(self) -> None:
        """Raises `OutOfTime` behind the deadline."""
        if self.left() <= 0:
            raise OutOfTime

    def part(self, seconds: float) -> Clock:
        """A clock that stops with this one, or after `seconds`."""
        return Clock(max(0.0, min(seconds, self.left())))


class _Silent:
    """A logger for clingo that keeps errors to itself."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def __call__(self, code: clingo.MessageCode, message: str) -> None:
        if code == clingo.MessageCode.RuntimeError:
            self.errors.append(message)


def control(*options: str) -> clingo.Control:
    """A silent clingo."""
    return clingo.Control(["--warn=none", *options], logger=_Silent(), message_limit=MESSAGES)


def grounded(program: str, *options: str, observer: Observer | None = None) -> clingo.Control:
    """A silent clingo that has grounded a program.

    Raises `TaskError` where it can't be, and `MemoryError` where there is no memory for it.
    """
    logger = _Silent()
    ctl = clingo.Control(["--warn=none", *options], logger=logger, message_limit=MESSAGES)
    if observer is not None:
        ctl.register_observer(observer)
    try:
        ctl.add("base", [], program)
        ctl.ground([("base", [])])
    except RuntimeError as error:
        if "bad_alloc" in str(error):
            raise MemoryError from None
        said = " ".join((logger.errors or [str(error)])[0].split())
        match = re.match(r"[^:]*:(\d+):(\d+)[-\d:]*: error: (.*)", said)
        if match is None:
            raise TaskError(f"clingo can't ground the task: {said}") from None
        place = Place(line=int(match.group(1)))
        what = match.group(3).split(" <block>")[0].replace("[#inc_base];", "")
        raise TaskError(f"column {match.group(2)}: {what}", place=place) from None
    return ctl


def search(
    ctl: clingo.Control,
    clock: Clock,
    on_model: Callable[[clingo.Model], None],
    assumptions: Sequence[int | tuple[clingo.Symbol, bool]] = (),
) -> bool:
    """Solves until the end: whether there was a model. Raises `OutOfTime`."""
    clock.check()
    found = False
    handle = ctl.solve(assumptions=list(assumptions), yield_=True, async_=True)
    with handle:
        while True:
            handle.resume()
            while not handle.wait(min(0.2, max(0.0, clock.left()))):
                if clock.left() <= 0:
                    handle.cancel()
                    raise OutOfTime
            model = handle.model()
            if model is None:
                return found
            found = True
            on_model(model)
