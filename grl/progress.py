"""The one hook through which long work reports how far it is, and by which it learns when to end.

The command line makes it a bar. Under a `TimeLimit` each stage of learning has its share of the
time; a stage whose share is over ends with the best that it has, and the next ones go on from that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

Progress = Callable[[str, int, int | None], None]
"""Called with the name of the stage, the steps done, and their number where it is known.

Raises `Stopped` where the stage is to end."""


class Stopped(Exception):
    """The stage that reported is to end, with the best that it has."""


def silent(stage: str, done: int, total: int | None) -> None:
    """The hook that reports to nobody."""


def late(progress: Progress, stage: str, done: int, total: int | None) -> bool:
    """Report, and say whether the stage is to end."""
    try:
        progress(stage, done, total)
    except Stopped:
        return True
    return False


def always(progress: Progress, stage: str, done: int, total: int | None) -> Progress:
    """A hook that reports the same whatever it is called with, for work within one step."""

    def hook(*_: object) -> None:
        progress(stage, done, total)

    return hook


SHARES: Final[Mapping[str, float]] = {
    "later segments": 0.2,
    "movement": 0.35,
    "machines": 0.4,
    "symmetries": 0.45,
    "turns of positions": 0.5,
    "restrictions": 0.75,
    "who moves next": 0.8,
    "endings": 0.95,
    "passes": 1.0,
}
"""By which part of the time each stage of learning ends; what one leaves goes to the next."""
AFTER_STOP: Final = 10.0
"""Seconds for the stages that follow one that was stopped by hand."""


class TimeLimit:
    """A hook that passes reports on to another, and holds the stages of learning to their time.

    The time, in seconds, begins now; None is no limit. `ended` names the stages that were ended
    before they were done.
    """

    def __init__(self, seconds: float | None = None, progress: Progress = silent) -> None:
        self.ended: dict[str, None] = {}
        self._progress = progress
        self._begun, self._seconds, self._past = time.monotonic(), seconds, 0.0
        self._stage: str | None = None

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """Report; never raises `Stopped`, for nobody may be there to end."""
        self._progress(stage, done, total)

    @property
    def begun(self) -> bool:
        """Whether a stage has begun that would keep what it finds."""
        return self._stage is not None

    def stop(self) -> None:
        """End the stage at work as soon as it reports, and give those behind it little time."""
        self._past = SHARES[self._stage] if self._stage is not None else 0.0
        self._begun, self._seconds = time.monotonic(), AFTER_STOP

    def within(self, name: str) -> Progress:
        """The hook for a stage, which is to end when its share of the time is over, or where the
        hook that reports are passed on to says so."""
        outer = within(self._progress, name)

        def hook(stage: str, done: int, total: int | None) -> None:
            self._stage = name
            if late(outer, stage, done, total) or time.monotonic() > self._end(name):
                self.ended[name] = None
                raise Stopped(name)

        return hook

    def _end(self, name: str) -> float:
        if self._seconds is None:
            return float("inf")
        left = max(SHARES[name] - self._past, 0.0) / (1.0 - self._past or 1.0)
        return self._begun + self._seconds * left


def within(progress: Progress, stage: str) -> Progress:
    """The hook for a stage of learning: the same one, unless there is a limit of time."""
    return progress.within(stage) if isinstance(progress, TimeLimit) else progress
