"""Some of what is too much to look at whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def evenly(items: Sequence[T], most: int) -> Sequence[T]:
    """At most so many of the items, far apart, in their order."""
    return items[:: max(1, len(items) // most)][:most]
