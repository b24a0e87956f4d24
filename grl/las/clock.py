"""A deadline that every search asks, and solving that can be stopped by it or by the keyboard."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import clingo


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


def quiet(_code: clingo.MessageCode, _message: str) -> None:
    """A logger for clingo that says nothing."""


def control(*options: str) -> clingo.Control:
    """A silent clingo."""
    return clingo.Control(["--warn=none", *options], logger=quiet)


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
