"""The line by which `grl learn` ends: exact as far as the records tell, or what is not settled."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from race import Race, race_model

from grl.cli import main
from grl.generate import generate
from grl.logic.perspectives import frames_of
from grl.model import Literal, Model, Rule, Rules
from grl.summary.standing import automaton_lacks
from grl.summary.wanted import wanted
from grl.traces import header_dict, write_traces
from grl.verdict import verdict_of

SURE = {"key": "white r first", "sure": True, "open": [], "support": 9, "weakest": "", "doubt": 0.0}


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)


def model_of(*endings: Rule, automaton: dict | None = None, **report) -> Model:
    model = race_model()
    figures = {
        "decisions": 10,
        "complete": 10,
        "automata": [SURE | (automaton or {})],
        "restrictions": {"positions": 10, "surplus": 0, "missing": 0, "unexplained": 0},
        "endings": {"terminal": 4, "going on": 10, "unexplained": 0, "early": 0},
        "control": {"turns": 10, "wrong": 0},
    }
    rules = Rules(frames_of(model.initial), endings=endings)
    return replace(model, rules=rules, report=figures | report)


def test_nothing_open_and_nothing_unexplained_is_exact() -> None:
    found = verdict_of(model_of())
    assert found.exact
    assert found.line() == "exact as far as the records tell"


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (
            model_of(restrictions={"unexplained": 2, "missing": 1}),
            "2 positions and 1 turn unexplained",
        ),
        (model_of(control={"wrong": 3}), "0 positions and 3 turns unexplained"),
        (model_of(complete=0), "open: restrictions; it takes games that list every legal turn"),
        (
            model_of(endings={"terminal": 0}),
            "open: endings; it takes games played to their end",
        ),
        (
            model_of(automaton={"sure": False, "support": 2, "weakest": "(0 1 e)"}),
            "open: white r first; it takes 2 more turns with '(0 1 e)' of white r first",
        ),
        (
            model_of(automaton={"sure": False, "open": ["(1 1 p)"]}),
            "it takes positions that decide on '(1 1 p)' of white r first",
        ),
        (
            model_of(Rule((Literal(("stuck", 0), True),), (0, 100), 1, 0, True)),
            "open: endings; it takes 3 more positions that ending 1 decides",
        ),
        (
            model_of(Rule((Literal(("stuck", 0), True),), (0, 100), 9, 2, True)),
            "not exact: open: endings; grl ask",
        ),
        (replace(model_of(), rules=None), "open: all rules; it takes learning with rules"),
    ],
)
def test_the_line_says_what_is_not_settled_and_which_records_would_settle_it(
    model: Model, said: str
) -> None:
    found = verdict_of(model)
    assert not found.exact
    assert said in found.line()
    assert "grl ask MODEL TRACES" in found.line()
    assert found.to_dict()["line"] == found.line()


def records(path: Path, *, all_moves: bool) -> Path:
    game = Race(width=4)
    write_traces(path, header_dict(game), generate(game, 60, all_moves=all_moves, seed=1))
    return path


def test_learning_ends_with_the_verdict_and_strict_asks_for_an_exact_one(tmp_path: Path) -> None:
    target = tmp_path / "model.grl.json"
    every = records(tmp_path / "every.jsonl", all_moves=True)
    result = run("learn", every, "-o", target, "--strict")
    assert result.stdout.splitlines()[-1] == "exact as far as the records tell"
    assert result.exit_code == 0
    played = records(tmp_path / "played.jsonl", all_moves=False)
    target.unlink()
    result = run("learn", played, "-o", target, "--strict")
    assert result.stdout.splitlines()[-1].startswith("not exact: ")
    assert result.exit_code == 1
    verdict = json.loads(run("rules", target, "--json").stdout)["verdict"]
    assert verdict["line"] == result.stdout.splitlines()[-1]
    assert not verdict["exact"]
    assert "restrictions" in verdict["open"]
    assert verdict["line"] in " ".join(run("rules", target).stdout.split())
    assert run("learn", played, "-o", target).exit_code == 0


def test_what_was_too_seldom_offered_comes_with_a_position_that_would_settle_it() -> None:
    model = race_model()
    assert wanted(model, "white r first", "(1 1 p) the end") == (
        "r on b2 and an opponent's piece on c3"
    )
    assert wanted(model, "white r first", "(9 0 e) the end") == ""
    assert wanted(model, "white . first", "(0 0 a r)") == "b2 empty"
    assert wanted(model, "white r later", "(@ e)") == "r on b2 and some other square empty"
    report = SURE | {"sure": False, "open": ["(1 1 p) the end"]}
    said = "; ".join(automaton_lacks(report, model))
    assert "too seldom offered to decide: '(1 1 p) the end'" in said
    assert "record all legal turns with r on b2 and an opponent's piece on c3" in said
    assert "grl ask MODEL TRACES" in said
