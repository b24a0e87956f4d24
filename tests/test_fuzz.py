"""Nothing bad comes of bad input: a part of what ``tests/fuzz.py`` runs, and its own workings.

A case that fails here is run alone, with its files kept, by
``.venv/bin/python tests/fuzz.py --seed 1 --only NUMBER --keep DIR``.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from fuzzing.calls import COMMANDS
from fuzzing.cases import Case, command_of
from fuzzing.mutations import BYTES, TOKENS, TREES, VALUES
from fuzzing.sandbox import Run, Start, finished, start
from fuzzing.verdict import tried, wrong

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are those of Linux")

SCRIPT = Path(__file__).parent / "fuzz.py"
SEED = 1
CASES = 84
KILLS = 7


def fuzz(*words: object) -> str:
    """What the script prints, after the assertion that nothing was wrong."""
    command = [sys.executable, str(SCRIPT), "--seed", str(SEED), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_mutated_input_gets_the_better_of_a_command() -> None:
    last = fuzz("-n", CASES).splitlines()[-1].split()
    assert (last[0], int(last[1])) == ("all", CASES)


def test_what_is_killed_leaves_whole_files_and_no_process() -> None:
    name, runs, killed, _, wrong_ones = fuzz("--kill", KILLS).splitlines()[-1].split()
    assert (name, int(runs), int(wrong_ones)) == ("all", KILLS, 0)
    assert int(killed) > 0


def test_the_cases_try_every_command() -> None:
    assert {command_of(SEED, number) for number in range(CASES)} == set(COMMANDS)


@pytest.mark.parametrize(
    "mutation",
    sorted({*BYTES, *TOKENS, *VALUES, *TREES}, key=lambda one: one.__name__),
    ids=lambda one: one.__name__,
)
def test_mutations_are_drawn_and_stand_any_content(
    mutation: Callable[[bytes, Random], bytes],
) -> None:
    contents = [b"", b"\n", b"\xff\xfe", b"a1 (1 0 e)\n", b'{"a": [1, {"b": "a1"}]}\n{}\n', b"[]"]
    for content in contents:
        for draw in range(4):
            assert mutation(content, Random(draw)) == mutation(content, Random(draw))


def run(folder: Path, code: str, **limits: float) -> Run:
    """Some Python code run in place of the command line."""
    (folder / "sitecustomize.py").write_text(code)
    how = Start((), environment=(("PYTHONPATH", str(folder)),), fresh=True)
    return finished(start(how, folder, folder), folder, **limits)


def test_limits_hold_for_children_too(tmp_path: Path) -> None:
    busy = "import os\nif os.fork():\n    os.wait()\nwhile True:\n    pass\n"
    assert run(tmp_path, busy, seconds=0.5).stopped == "over 0.5 s"
    large = "import os, time\nif os.fork():\n    os.wait()\nx = b'1' * 1200_000_000\ntime.sleep(9)"
    assert run(tmp_path, large).stopped == "over 1 GB"


@pytest.mark.parametrize(
    ("run_", "found"),
    [
        (Run(0, b"", b"", 0.1, 0), []),
        (Run(2, b"", b"grl: a file: no\n", 0.1, 0), []),
        (Run(2, b"", b"one\ngrl: two\n", 0.1, 0), ["status 2 with 2 lines of error"]),
        (Run(2, b"", b"", 0.1, 0), ["status 2 with 0 lines of error"]),
        (Run(1, b"", b"Traceback (most", 0.1, 0), ["traceback"]),
        (Run(-11, b"", b"", 0.1, 0), ["exit status -11"]),
        (Run(-9, b"", b"", 11, 0, "over 10 s"), ["over 10 s"]),
        (Run(2, b"", b"grl: " + b"a" * 300, 0.1, 0), ["a long line of error"]),
        (Run(2, b"", b"grl: \x1b[31m\n", 0.1, 0), ["control characters in an error"]),
        (Run(0, b"", b"", 0.1, 0, left=2), ["2 processes left"]),
    ],
)
def test_what_is_wrong_with_a_run_is_said(run_: Run, found: list[str]) -> None:
    assert list(wrong(Case("rules", ("rules",), ()), run_, {}, {})) == found


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ({"a.jsonl": b"x"}, []),
        ({"a.jsonl": b"x", "out.jsonl": b"whole\n"}, []),
        ({"a.jsonl": b"y"}, ["the input 'a.jsonl' was changed"]),
        ({}, ["'a.jsonl' is gone"]),
        ({"a.jsonl": b"x", "out.jsonl": b"ha"}, ["the output 'out.jsonl' is not whole"]),
        ({"a.jsonl": b"x", ".out.k": b"h"}, ["a temporary file left"]),
        ({"a.jsonl": b"x", "b": b"h"}, ["a stray file 'b'"]),
    ],
)
def test_what_is_wrong_with_files_is_said(after: dict[str, bytes | None], found: list[str]) -> None:
    case = Case("learn", ("learn",), (("a.jsonl", b"x"),), written=("out.jsonl",))
    assert list(wrong(case, Run(0, b"", b"", 0.1, 0), {"a.jsonl": b"x"}, after)) == found


def test_an_output_written_in_spite_of_an_error_is_found() -> None:
    case = Case("learn", ("learn",), (), written=("out.jsonl",))
    refused = Run(2, b"", b"grl: no\n", 0.1, 0)
    (said,) = wrong(case, refused, {}, {"out.jsonl": b"whole\n"})
    assert "in spite of an error" in said


def test_failing_cases_are_kept_with_their_files(tmp_path: Path) -> None:
    case = Case("rules", ("rules", "m"), (("m", b"{}"),), environment=(("PYTHONHOME", "/nowhere"),))
    broken = Case(**{**vars(case), "fresh": True})
    result = tried(7, broken, tmp_path / "place", tmp_path / "kept")
    assert result.wrong
    assert (tmp_path / "kept" / "7" / "files" / "m").read_bytes() == b"{}"
    assert "argv ['rules', 'm']" in (tmp_path / "kept" / "7" / "case.txt").read_text()
    assert not (tmp_path / "place").exists()
