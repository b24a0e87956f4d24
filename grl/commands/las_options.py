"""Options of ILASP and FastLAS that scripts give and that change nothing here.

They choose among algorithms, or say how clingo is called. `grl las` takes them, so that it can
stand in the place of either program, and says that they mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

FLAGS = (
    *("--2", "--2i", "--3", "--4", "--clingo5", "--simple", "--multi-wc", "-ni", "-ng", "-np"),
    *("-d", "--debug", "--strict-types", "--disable-implication", "--disable-propagation"),
    *("--opl", "--nopl"),
)
VALUES = ("--version", "--clingo", "--cache-path", "--clingo-path", "--threads")
_GIVEN = "grl.las.changes_nothing"


def changing_nothing(command: F) -> F:
    """Lets a command take the options, hidden in its help."""

    def note(ctx: click.Context, option: click.Parameter, value: object) -> None:
        if value:
            ctx.meta.setdefault(_GIVEN, []).append(option.opts[0])

    for number, name in enumerate((*FLAGS, *VALUES)):
        command = click.option(
            name,
            f"nothing_{number}",
            is_flag=name in FLAGS,
            expose_value=False,
            hidden=True,
            callback=note,
        )(command)
    return command


def given() -> list[str]:
    """Those that the command line of the current command gave."""
    found: list[str] = click.get_current_context().meta.get(_GIVEN, [])
    return found
