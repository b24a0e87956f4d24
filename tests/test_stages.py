"""The bar of long work: what a stage shows, and when its clock stands still."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from grl.commands.stages import Stages


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def shown() -> tuple[Stages, Clock, Console]:
    clock = Clock()
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    console.get_time = clock
    return Stages(console), clock, console


def test_a_stage_that_is_complete_takes_no_more_time(
    shown: tuple[Stages, Clock, Console],
) -> None:
    stages, clock, _ = shown
    stages.report("reading", 0, 10)
    clock.now = 3.0
    stages.report("reading", 10, 10)
    clock.now = 60.0
    assert stages.elapsed("reading") == 3.0


def test_a_stage_without_an_end_stops_where_the_next_one_begins(
    shown: tuple[Stages, Clock, Console],
) -> None:
    stages, clock, _ = shown
    stages.report("searching", 1, None)
    clock.now = 5.0
    stages.report("checking", 0, 4)
    clock.now = 8.0
    assert stages.elapsed("searching") == 5.0
    assert stages.elapsed("checking") == 3.0
    assert stages.elapsed("never") is None


def test_steps_and_their_rate_are_shown(shown: tuple[Stages, Clock, Console]) -> None:
    stages, clock, console = shown
    for second in range(4):
        clock.now = float(second)
        stages.report("positions", 1000 * second, 9000)
    console.print(stages.table())
    drawn = console.file.getvalue()  # type: ignore[attr-defined]
    assert "positions" in drawn
    assert "3,000/9,000" in drawn
    assert "1,000/s" in drawn
    assert " MB" in drawn or not Path("/proc/self/statm").exists()
    assert "1,000/s" in drawn
    assert "0:00:06" in drawn
