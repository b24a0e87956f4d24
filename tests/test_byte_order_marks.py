"""A byte order mark, as some editors write it, may begin every kind of file."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from pathlib import Path

import pytest
from click.testing import CliRunner
from race import Race, race_model

from grl.cli import main
from grl.games import load
from grl.generate import generate
from grl.iggp import read_task
from grl.importers import FORMATS, Imports
from grl.modelfile import write_model
from grl.traces import header_dict, write_traces


def marked(path: Path) -> Path:
    path.write_bytes(BOM_UTF8 + path.read_bytes())
    return path


def run(*args: object) -> str:
    done = CliRunner().invoke(main, [str(arg) for arg in args])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a model, records and a position, each with a mark."""
    write_model(race_model(), tmp_path / "model.json")
    plays = generate(Race(), 3, all_moves=True, seed=1)
    write_traces(tmp_path / "games.jsonl", header_dict(Race()), plays)
    position = {"rows": ["R..", "...", "...", "r.."], "to_move": "white"}
    (tmp_path / "position.json").write_text(json.dumps(position))
    for path in tmp_path.iterdir():
        marked(path)
    return tmp_path


def test_in_models_positions_and_records(files: Path) -> None:
    position = ("--position", files / "position.json")

    assert "white to move, 1 turn:" in run("moves", files / "model.json", *position)
    assert "no difference" in run(
        "compare", files / "model.json", "--traces", files / "games.jsonl"
    )
    assert run("traces", "check", files / "games.jsonl").splitlines()[1].split()[1] == "3"


def test_in_tasks_plans_and_iggp_files(tmp_path: Path) -> None:
    task, plans, iggp = tmp_path / "a.las", tmp_path / "a.plans", tmp_path / "a.dat"
    task.write_text("q.\n#modeh(p).\n#modeb(q).\n#pos({p}, {}).\n")
    plans.write_text("(move a b)\n(move b c)\n")
    iggp.write_text("atoms:\n\tp()\n\n---\n\nstatics:\n\n---\n\nbackground:\n\n---\n\npositives:\n")

    assert run("las", marked(task)).startswith("p")
    run("locm", marked(plans), "-o", tmp_path / "domain.pddl")
    assert "(:action move" in (tmp_path / "domain.pddl").read_text()
    assert len(read_task(marked(iggp)).atoms) == 1


def test_in_records_of_draughts(tmp_path: Path) -> None:
    pdn, acf = tmp_path / "a.pdn", tmp_path / "a.acf"
    pdn.write_text('[FEN "W:W32:B1"]\n1. 32-28 1-5 *\n')
    acf.write_text("10-13 21-17\t1-0\n")

    for path in (marked(pdn), marked(acf)):
        imports = Imports([path], FORMATS[path.suffix[1:]], load("checkers"))
        plays = list(imports)
        assert [str(flaw) for flaw in imports.quarantine] == []
        assert ("initial" in plays[0]) == (path == pdn)
