"""Moments of the monotonic clock, and shares of the time between two."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Late:
    """Whether a moment of the monotonic clock has passed; work begun may have some `grace`."""

    moment: float

    def __call__(self, grace: float = 0.0) -> bool:
        return time.monotonic() > self.moment + grace


@dataclass(frozen=True, slots=True)
class Span:
    """The time from `begin` to `end`, both on the monotonic clock."""

    begin: float
    end: float

    def moment(self, share: float) -> float:
        """The moment when this share of the time is over."""
        return self.begin + share * (self.end - self.begin)

    def by(self, share: float) -> Late:
        return Late(self.moment(share))


def until(end: float) -> Span:
    """The time from now on."""
    return Span(time.monotonic(), end)
