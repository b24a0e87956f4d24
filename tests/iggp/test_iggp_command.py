"""grl iggp: the file that it writes, its exit status, and one line for an error."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_games import LEGAL, board, counter
from test_iggp_learning import noise

from grl.cli import main
from grl.iggp import read_task, score

GRL = str(Path(sys.executable).with_name("grl"))


def run(*args):
    return CliRunner().invoke(main, ["iggp", *map(str, args)])


def test_rules_are_written_and_right(tmp_path):
    train, rules = tmp_path / "train.dat", tmp_path / "rules.lp"
    train.write_text(counter(100, 1), encoding="utf-8")

    result = run(train, "-o", rules, "--time-limit", 20)

    assert result.exit_code == 0
    assert "0 of 800 pairs wrong" in result.stdout
    assert result.stderr == ""
    assert score(rules.read_text(encoding="utf-8"), read_task(train)).perfect


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_hash_seeds_leave_the_bytes_alone(tmp_path, hash_seed):
    train, rules = tmp_path / "train.dat", tmp_path / "rules.lp"
    train.write_text(counter(60, 1), encoding="utf-8")
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}

    subprocess.run([GRL, "iggp", train, "-o", rules], check=True, env=environment, timeout=60)
    run(train, "-o", tmp_path / "again.lp")

    assert rules.read_bytes() == (tmp_path / "again.lp").read_bytes()


def test_a_broken_file_is_one_line_and_leaves_no_output(tmp_path):
    train = tmp_path / "train.dat"
    train.write_text("atoms:\n\tp(\n", encoding="utf-8")

    result = run(train, "-o", tmp_path / "rules.lp")

    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert f"{train}:2: not an atom" in result.stderr
    assert not (tmp_path / "rules.lp").exists()


def test_an_output_folder_that_is_not_there_is_reported_before_the_work(tmp_path):
    train = tmp_path / "train.dat"
    train.write_text(counter(10, 1), encoding="utf-8")

    result = run(train, "-o", tmp_path / "no" / "rules.lp")

    assert result.exit_code == 2
    assert "no such folder" in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_a_terminated_run_writes_the_best_so_far(tmp_path):
    train, rules = tmp_path / "train.dat", tmp_path / "rules.lp"
    train.write_text(noise(60), encoding="utf-8")
    process = subprocess.Popen(
        [GRL, "iggp", train, "-o", rules], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(3.0)

    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=30)

    assert process.returncode == 130
    assert b"best so far" in error
    score(rules.read_text(encoding="utf-8"), read_task(train))


def test_no_state_shows_a_target_that_depends_on_nothing(tmp_path):
    train, rules = tmp_path / "train.dat", tmp_path / "rules.lp"
    train.write_text(board(20, 1, LEGAL, lambda *_: LEGAL), encoding="utf-8")

    assert run(train, "-o", rules).exit_code == 0
    assert score(rules.read_text(encoding="utf-8"), read_task(train)).perfect


def test_memory_that_is_too_little_ends_the_search_and_keeps_only_whole_rules(tmp_path):
    train, rules = tmp_path / "train.dat", tmp_path / "rules.lp"
    train.write_text(noise(60), encoding="utf-8")

    result = run(train, "-o", rules, "--memory-limit", 1)

    assert "the memory limit ended the search" in result.stderr
    assert rules.exists() == (result.exit_code == 0)
    if rules.exists():
        score(rules.read_text(encoding="utf-8"), read_task(train))
