"""``grl locm`` on plans out of all bounds: it ends in time, and writes what it has."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grl.cli import main
from grl.errors import PlanError
from grl.locm.learn import bare, learn
from grl.locm.planfile import read_plans
from grl.locm.table import Step


def locm(plans: Path, *args: str) -> Result:
    output = plans.with_suffix(".pddl")
    return CliRunner().invoke(main, ["locm", str(plans), "-o", str(output), *args])


def wide(folder: Path, arguments: int, shift: int) -> Path:
    """Plans of one action with very many arguments, each time in another order."""
    path = folder / "wide.plan"
    lines = [
        "(act " + " ".join(f"o{(n + shift * s) % arguments}" for n in range(arguments)) + ")"
        for s in range(3)
    ]
    path.write_text("\n".join([*lines, "", *lines, ""]))
    return path


@pytest.mark.parametrize("shift", [0, 7])
def test_an_action_of_thousands_of_arguments_ends_in_time(tmp_path: Path, shift: int) -> None:
    path = wide(tmp_path, 3000, shift)
    result = locm(path, "--time-limit", "1.5", "--rename", "nothing=something")

    assert result.exit_code == 0
    assert "the time limit ended the search" in result.stdout
    written = path.with_suffix(".pddl").read_text()
    assert written.startswith("(define (domain learned)")
    assert "(:action act" in written


def test_what_there_is_before_any_search_accepts_the_plans(tmp_path: Path) -> None:
    table = read_plans([wide(tmp_path, 20, 3)])
    assert bare(table).stopped
    for domain in (bare(table).domain, learn(table, time_limit=0.0).domain):
        for plan in table:
            assert domain.accepts([Step(*step) for step in plan])


def test_memory_that_is_too_little_writes_nothing(tmp_path: Path) -> None:
    path = wide(tmp_path, 50, 1)
    result = locm(path, "--memory-limit", "1")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "the memory limit ended the reading of the plans" in result.stderr
    assert not path.with_suffix(".pddl").exists()


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.plan"
    path.write_bytes(b"(a b)\n(a " + b"b" * (1 << 20) + b")\n")
    with pytest.raises(PlanError, match=r"long\.plan:2: the line is too long"):
        read_plans([path])
