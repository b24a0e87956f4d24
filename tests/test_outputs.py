"""Files are written whole or not at all, and no command writes over what it reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from race import Race, race_model

from grl.cli import main
from grl.generate import generate
from grl.modelfile import write_model
from grl.outputs import whole_file, write_whole
from grl.traces import header_dict, write_traces

PICTURE = "white-runner-first.gv"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A file of every kind that a command reads and could write over."""
    for name in ("race.lp", "race.html", PICTURE):
        write_model(race_model(), tmp_path / name)
    plays = generate(Race(), 3, all_moves=True, seed=1)
    write_traces(tmp_path / "race.jsonl", header_dict(Race()), plays)
    (tmp_path / "plans.txt").write_text("(go a b)\n")
    (tmp_path / "task.dat").write_text(
        "atoms:\np(1)\n\n---\nbackground:\nq(1)\n\npositives:\np(1)\n"
    )
    (tmp_path / "games.pdn").write_text('[Event "x"]\n1. 11-15 *\n')
    return tmp_path


COMMANDS: dict[str, tuple[str, list[str]]] = {
    "learn": ("race.jsonl", ["learn", "race.jsonl", "-o", "OUT"]),
    "locm": ("plans.txt", ["locm", "plans.txt", "-o", "OUT"]),
    "iggp": ("task.dat", ["iggp", "task.dat", "-o", "OUT"]),
    "import": ("games.pdn", ["import", "pdn", "games.pdn", "--game", "checkers", "-o", "OUT"]),
    "from-traces": (
        "race.jsonl",
        ["las", "from-traces", "race.jsonl", "--target", "terminal", "-o", "OUT"],
    ),
    "ask, the model": ("race.jsonl", ["ask", "race.lp", "race.jsonl", "-o", "OUT"]),
    "ask, the answers": ("race.jsonl", ["ask", "race.lp", "race.jsonl", "--answers", "OUT"]),
    "export": ("race.lp", ["export", "race.lp", "--to", "asp", "-o", "."]),
    "a page": ("race.html", ["render", "race.html", "--all", "-o", "."]),
    "a picture": (
        "white-runner-first.gv",
        ["export", "white-runner-first.gv", "--to", "dot", "-o", "."],
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("how", ["itself", "a link", "a hard link"])
def test_no_command_writes_over_what_it_reads(
    name: str, how: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    read, command = COMMANDS[name]
    out = folder / read
    if how != "itself" and "OUT" in command:
        out = folder / "other"
        (os.symlink if how == "a link" else os.link)(folder / read, out)
    before = (folder / read).read_bytes()
    done = CliRunner().invoke(main, [str(out) if word == "OUT" else word for word in command])
    assert done.exit_code == 2
    assert "the output is a file that is read" in done.stderr
    assert done.stderr.count("\n") == 1
    assert (folder / read).read_bytes() == before


def test_a_model_learned_on_may_replace_the_one_that_asked(folder: Path) -> None:
    arguments = [folder / "race.lp", folder / "race.jsonl", "--answers", folder / "answers.jsonl"]
    done = CliRunner().invoke(
        main, ["ask", *map(str, arguments), "-o", str(folder / "race.lp")], input="quit\n"
    )
    assert done.exit_code == 0, done.stderr


def half_written(path: Path) -> None:
    with whole_file(path) as stream:
        stream.write(b"half")
        raise RuntimeError


def test_a_file_that_is_not_finished_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(RuntimeError):
        half_written(path)
    assert list(tmp_path.iterdir()) == []
    write_whole(path, "whole")
    with pytest.raises(RuntimeError):
        half_written(path)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("file", "whole")]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


@pytest.mark.parametrize("name", COMMANDS)
def test_an_output_without_a_name_is_not_the_current_folder(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    _, command = COMMANDS[name]
    before = sorted(folder.iterdir())
    done = CliRunner().invoke(main, ["" if word in ("OUT", ".") else word for word in command])
    assert done.exit_code == 2
    assert "the name of a file or a folder is empty" in done.stderr
    assert sorted(folder.iterdir()) == before
