"""``grl las``: what is printed, the exit status, limits and interruption."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grl.cli import main

SIMPLE = """p(a). p(b). q(b).
#pos({t(a)},{t(b)}). #modeh(t(var(v))). #modeb(1,p(var(v))). #modeb(1,q(var(v))). #maxv(1)."""


def las(tmp_path: Path, text: str, *args: str) -> Result:
    path = tmp_path / "task.las"
    path.write_text(text)
    return CliRunner().invoke(main, ["las", str(path), *args])


def slow_task() -> str:
    """Noise without a pattern, which is quickly covered somehow and never quickly well."""
    lines = [f"#modeb(1,f{j})." for j in range(14)] + ["#modeh(t).", "#maxv(0)."]
    for i in range(140):
        facts = " ".join(f"f{j}." for j in range(14) if hash_(i, j))
        sides = "{t},{}" if hash_(i, 99) else "{},{t}"
        lines.append(f"#pos(e{i}@4,{sides},{{{facts}}}).")
    return "\n".join(lines)


def hash_(i: int, j: int) -> bool:
    return hashlib.sha256(f"{i} {j}".encode()).digest()[0] < 128


def test_a_hypothesis_is_printed_as_rules_and_comments(tmp_path: Path) -> None:
    result = las(tmp_path, SIMPLE)
    assert result.exit_code == 0
    rules = [line for line in result.stdout.splitlines() if not line.startswith("%")]
    assert rules == ["t(V1) :- p(V1); not q(V1)."]
    assert "% cost 3" in result.stdout


def test_unsatisfiable_is_a_word_and_an_exit_status(tmp_path: Path) -> None:
    result = las(tmp_path, SIMPLE + "#pos({},{t(a)}).")
    assert result.exit_code == 1
    first, *rest = result.stdout.splitlines()
    assert first == "UNSATISFIABLE"
    assert rest
    assert all(line.startswith("%") for line in rest)


def test_json_holds_the_same(tmp_path: Path) -> None:
    found = json.loads(las(tmp_path, SIMPLE, "--json").stdout)
    assert found["status"] == "optimal"
    assert found["rules"] == ["t(V1) :- p(V1); not q(V1)."]
    assert (found["cost"], found["bound"], found["uncovered"]) == (3, 3, [])
    none = las(tmp_path, SIMPLE + "#pos(other,{},{t(a)}).", "--json")
    assert none.exit_code == 1
    answer = json.loads(none.stdout)
    assert answer["status"] == "unsatisfiable"
    assert "other" in answer["conflict"]


def test_the_space_is_printed_with_costs(tmp_path: Path) -> None:
    result = las(tmp_path, SIMPLE, "-s", "-ml", "1")
    assert result.exit_code == 0
    assert "2 ~ t(V1) :- p(V1)." in result.stdout.splitlines()
    assert all(" ~ " in line for line in result.stdout.splitlines())


def test_it_stands_in_the_place_of_ilasp(tmp_path: Path) -> None:
    text = SIMPLE + "#modeb(1,r(const(none)))."
    line = ("--version=4", "--clingo5", "-nc", "-na", "-ml=2", "--max-rule-length=3")
    result = las(tmp_path, text, *line)
    assert result.exit_code == 0
    assert "t(V1) :- p(V1); not q(V1)." in result.stdout
    said = result.stderr.splitlines()
    assert any("--version, --clingo5" in one for one in said)
    assert any("type none has no constants" in one for one in said)
    quiet = las(tmp_path, text, *line, "-q")
    assert quiet.stdout == "t(V1) :- p(V1); not q(V1).\n"
    assert quiet.stderr == ""
    space = las(tmp_path, text, *line, "--search-space").stdout
    assert not any(rule.split(" ~ ")[1].startswith(":-") for rule in space.splitlines())


def test_weak_constraints_have_a_length_of_their_own(tmp_path: Path) -> None:
    text = "#modeo(1,p). #modeo(1,q). #modeo(1,r). #weight(1). #modeh(t). #modeb(1,p)."
    longest = max(
        line.count(";")
        for line in las(tmp_path, text, "-s", "-ml=1", "--max-wc-length=3").stdout.splitlines()
        if ":~" in line
    )
    assert longest == 2


def test_limits_of_the_command_line_count(tmp_path: Path) -> None:
    assert las(tmp_path, SIMPLE, "-ml", "1").exit_code == 1
    assert las(tmp_path, SIMPLE, "--max-rule-length", "2").exit_code == 1
    assert las(tmp_path, SIMPLE, "--max-rule-length=3", "-ml=2").exit_code == 0


def test_why_answers_with_its_status(tmp_path: Path) -> None:
    inside = las(tmp_path, SIMPLE, "--why", "t(X) :- p(X).")
    assert (inside.exit_code, inside.stdout) == (0, "% it is in the space and costs 2\n")
    outside = las(tmp_path, SIMPLE, "--why", "t(X) :- r(X).")
    assert outside.exit_code == 1
    assert "there is no modeb of r/1" in outside.stdout


def test_explain_names_the_layer(tmp_path: Path) -> None:
    assert "% layer: coverage" in las(tmp_path, SIMPLE, "--explain").stdout


@pytest.mark.parametrize(
    "text",
    ["p :- ", "p(X) :- not q(X).\n#pos({p(a)},{}).", "#pos({p(a)},{},{p(X).}).", "#pos({},{},{p)."],
)
def test_bad_input_is_one_line_and_status_2(tmp_path: Path, text: str) -> None:
    result = las(tmp_path, text)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "task.las:1: " in result.stderr


def test_ilasp_that_is_not_installed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = las(tmp_path, SIMPLE, "--engine", "ilasp")
    assert result.exit_code == 2
    assert "ILASP is not installed" in result.stderr


def test_an_installed_ilasp_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ILASP"
    program.write_text(f"#!{sys.executable}\nimport sys\nprint('%', *sys.argv[1:-1])\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    result = las(tmp_path, SIMPLE, "--engine", "ilasp", "-ml", "4")
    assert result.exit_code == 0
    assert result.stdout == "% --version=4 -ml=4 --max-rule-length=5\n"


def test_a_time_limit_leaves_the_best_hypothesis_so_far(tmp_path: Path) -> None:
    began = time.monotonic()
    result = las(tmp_path, slow_task(), "-ml", "5", "--max-rule-length", "6", "--time-limit", "2")
    assert time.monotonic() - began < 10
    assert result.exit_code == 0
    assert "% not proven optimal" in result.stdout.splitlines()


def test_an_interrupted_search_prints_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "task.las"
    path.write_text(slow_task())
    command = [sys.executable, "-c", "from grl.cli import main; main()", "las", str(path)]
    process = subprocess.Popen(
        [*command, "-ml", "5", "--max-rule-length", "6"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "% not proven optimal" in out.splitlines()
