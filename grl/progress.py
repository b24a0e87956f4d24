"""The one hook through which long work reports how far it is; the command line makes it a bar."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int | None], None]
"""Called with the name of the stage, the steps done, and their number where it is known."""


def silent(stage: str, done: int, total: int | None) -> None:
    """The hook that reports to nobody."""
