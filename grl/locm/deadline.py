"""A moment at which the search for machines and relations ends, whatever it is at."""

from __future__ import annotations

import time

Deadline = float | None
"""A moment of the monotonic clock; None never comes."""


class Late(Exception):
    """The moment has passed."""


def passed(deadline: Deadline) -> bool:
    """Whether the moment has passed."""
    return deadline is not None and time.monotonic() > deadline


def check(deadline: Deadline) -> None:
    """Raises `Late` behind the moment."""
    if passed(deadline):
        raise Late
