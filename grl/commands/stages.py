"""The stages of long work as bars on a terminal: how far, how fast, how long so far and still.

Imported only when a stage is to be drawn, for it needs a package that takes a while.
"""

from __future__ import annotations

import os
from typing import Self

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from grl.resources import resident_together


class _Steps(ProgressColumn):
    """Steps done, of how many where that is known."""

    def render(self, task: Task) -> Text:
        """The numbers, with thousands apart."""
        total = "" if task.total is None else f"/{int(task.total):,}"
        return Text(f"{int(task.completed):,}{total}", style="progress.download")


class _Rate(ProgressColumn):
    """Steps a second, where there are several."""

    def render(self, task: Task) -> Text:
        """The rate of the whole stage once it is over, of the last seconds before."""
        speed = task.finished_speed or task.speed
        if not speed or speed < 1:
            return Text("")
        return Text(f"{speed:,.0f}/s", style="progress.data.speed")


class _Memory(ProgressColumn):
    """What this process and those below it have in memory."""

    max_refresh = 1.0

    def render(self, task: Task) -> Text:  # noqa: ARG002
        """In MB; nothing where the system doesn't say."""
        size = resident_together(os.getpid())
        return Text(f"{size >> 20:,} MB" if size else "", style="progress.download")


class Stages:
    """The bars of one command; a context, in which `report` is a progress hook."""

    def __init__(self, console: Console | None = None) -> None:
        self._shown = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            _Steps(),
            _Rate(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            _Memory(),
            console=console or Console(stderr=True),
            transient=True,
        )
        self._tasks: dict[str, Task] = {}
        self._current = ""

    def __enter__(self) -> Self:
        self._shown.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._shown.stop()

    def report(self, stage: str, done: int, total: int | None) -> None:
        """Stage `stage` has done so many steps, of `total` where that is known."""
        if stage not in self._tasks:
            number = self._shown.add_task(stage, total=total)
            self._tasks[stage] = next(t for t in self._shown.tasks if t.id == number)
        if self._current and self._current != stage:
            self._shown.stop_task(self._tasks[self._current].id)
        task = self._tasks[stage]
        if task.stop_time is not None and done != total:
            # It goes on: the time between belongs to other stages.
            task.stop_time = None
        self._current = stage
        self._shown.update(task.id, completed=done, total=total)
        if total is not None and done >= total:
            self._shown.stop_task(task.id)

    def table(self) -> RenderableType:
        """What is drawn."""
        return self._shown.get_renderable()

    def elapsed(self, stage: str) -> float | None:
        """Seconds that a stage has taken so far; None for one that never reported."""
        return self._tasks[stage].elapsed if stage in self._tasks else None
