"""``grl export --to asp`` and ``--to gdl``."""

import clingo
import pytest
from click.testing import CliRunner
from gdl import faults, read
from running import CONNECT_FOUR, model_with

from grl.cli import main
from grl.modelfile import write_model


@pytest.fixture
def model_file(tmp_path):
    path = tmp_path / "model.grl.json"
    write_model(model_with(CONNECT_FOUR, "connect-four"), path)
    return path


def exported(model_file, kind, folder):
    done = CliRunner().invoke(main, ["export", str(model_file), "--to", kind, "-o", str(folder)])
    assert done.exit_code == 0, done.output
    (path,) = folder.iterdir()
    return path


def test_asp_runs_by_itself_and_says_its_rules_in_english(model_file, tmp_path):
    path = exported(model_file, "asp", tmp_path / "asp")

    text = path.read_text(encoding="utf-8")
    assert path.name == "connect_four.lp"
    assert "% A turn is illegal if there is a square below its end" in text
    assert "Positions for it: 50, against: 0." in text
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text + "true(F) :- init(F). #show legal/2.")
    control.ground([("base", [])])
    turns = []
    control.solve(on_model=lambda m: turns.extend(m.symbols(shown=True)))
    # Seven columns, and black has nothing to do.
    assert len(turns) == 7 + 1


def test_gdl_is_well_formed(model_file, tmp_path):
    path = exported(model_file, "gdl", tmp_path / "gdl")

    assert path.name == "connect_four.kif"
    assert faults(read(path.read_text(encoding="utf-8"))) == []
