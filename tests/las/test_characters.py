"""Characters that clingo doesn't read are refused with their place, before it meets them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from grl.cli import main
from grl.las.characters import stray_character


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("p(a). q :- not p(b).", None),
        ('p("é % \\" é"). % é\n%* é\n é *% q.', None),
        ("#script (python)\nx = 'é'\n#end. p.", None),
        ("", None),
        ("p.\u2028q.", 2),
        ("\ufeffp.", 0),
        ('p("a"). é', 8),
        ("p. % fine\n p(é).", 13),
        ("% a zero ends all: \0", 19),
        ('p("\0").', 3),
        ('p("é', 3),
    ],
)
def test_the_first_character_that_is_not_read_is_found(text: str, at: int | None) -> None:
    assert stray_character(text) == at


@pytest.mark.parametrize("odd", ["\u2028", "\x85", "\xa0"])
def test_a_task_with_one_is_refused_in_one_line(odd: str, tmp_path: Path) -> None:
    task = tmp_path / "task.las"
    task.write_text(f"p(a).\nq(a).{odd}p(b). #pos({{t}},{{}}). #modeh(t).", encoding="utf-8")
    result = CliRunner().invoke(main, ["las", str(task)])
    assert result.exit_code == 2
    assert f"{task}:2: column 6: unexpected character" in result.stderr
    assert result.stderr.count("\n") == 1


def test_so_is_a_program_to_prove(tmp_path: Path) -> None:
    program = tmp_path / "game.lp"
    program.write_text("terminal.\nrole(é).", encoding="utf-8")
    result = CliRunner().invoke(
        main, ["compare", str(program), "--prove", str(program), "--invariants", str(program)]
    )
    assert result.exit_code == 2
    assert f"{program}:2: not a program: column 6: unexpected character" in result.stderr
    assert result.stderr.count("\n") == 1
