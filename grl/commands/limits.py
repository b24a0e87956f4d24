"""The options that limit time and memory, and the words for a limit that ended the work."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grl.resources import Bounds, usable_memory

if TYPE_CHECKING:
    from grl.supervise import End

Command = TypeVar("Command", bound=Callable[..., Any])

ENDLESS = 1e9
"""Seconds beyond which a limit is none; clocks of the system can't wait for so long."""
MEGABYTE = 10**6


class Seconds(click.ParamType):  # type: ignore[type-arg]
    """Seconds, not negative; ``inf`` is no limit and becomes None."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | None:
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not seconds >= 0:
            self.fail(f"{value!r} is not a number of seconds: 0 or more, or inf", param, ctx)
        return None if seconds > ENDLESS else seconds


def time_limit(text: str, default: float | None = None) -> Callable[[Command], Command]:
    """The option ``--time-limit``, given to the command as `seconds`; `text` is its help."""
    return click.option(
        "--time-limit",
        "seconds",
        metavar="S",
        type=Seconds(),
        default=default,
        show_default=default is not None,
        help=text,
    )


MEMORY = click.option(
    "--memory-limit",
    "megabytes",
    metavar="MB",
    type=click.IntRange(min=1),
    help="Stop when so many megabytes are in use.  [default: three quarters of the machine's]",
)


def bounds(seconds: float | None, megabytes: int | None) -> Bounds:
    """What the two options say."""
    return Bounds(seconds, usable_memory() if megabytes is None else megabytes * MEGABYTE)


def ended_by(end: End) -> str:
    """What ended a work too early; one that ended by itself looked at the clock."""
    return {
        "itself": "the time limit",
        "time": "the time limit",
        "memory": "the memory limit",
        "interrupt": "an interrupt",
        "killed": "a signal, perhaps for want of memory,",
    }[end]
