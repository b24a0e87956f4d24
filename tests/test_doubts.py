"""Turns on which rules decide that are provisional or refuted: left out on request, and marked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from race import race_model

import grl
from grl.cli import main
from grl.errors import GrlError
from grl.explain import Verdict, explain, outlook
from grl.explain.doubts import doubts
from grl.logic.perspectives import frames_of
from grl.model import Literal, Model, Rule, Rules, Status
from grl.modelfile import write_model
from grl.turn import Turn

CAPTURES = Literal(("takes", "opposing"), True)
QUIET = Literal(("takes", "opposing"), False)
RIVAL = Literal(("rival_has", "any", ("takes", "opposing")), True)
ROWS = (".R.", "R..", ".r.", "..r")
STEP, TAKE, OTHER = (Turn.parse(t) for t in ("b2 (0 1 e)", "b2 (-1 1 p)", "c1 (0 1 e)"))


def ruled(*restrictions: Rule, endings: tuple[Rule, ...] = ()) -> Model:
    model = race_model()
    return replace(model, rules=Rules(frames_of(model.initial), restrictions, endings))


def position_of(book: grl.Rulebook):
    return book.position(("R..", "R..", ".r.", "..r"), "white")


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)


FEW = Rule((QUIET, RIVAL), (), 2, 0, True)
AGAINST = Rule((CAPTURES,), (), 9, 3, True)


def test_a_rule_says_how_far_it_is_to_be_trusted() -> None:
    assert Rule((), (), 9).status is Status.CERTAIN
    assert FEW.status is Status.PROVISIONAL
    assert AGAINST.status is Status.REFUTED
    assert replace(AGAINST, provisional=False).status is Status.REFUTED


def test_rules_that_are_not_certain_can_be_left_out_of_account() -> None:
    book = grl.Rulebook(ruled(FEW))
    here = position_of(book)
    assert book.legal(here) == [TAKE]
    assert set(book.legal(here, without=["provisional"])) == {STEP, TAKE, OTHER}
    assert book.legal(here, without=["refuted"]) == [TAKE]
    assert book.legal(here) == [TAKE]
    certain = grl.Rulebook(ruled(replace(FEW, support=9, provisional=False)))
    assert certain.legal(here, without=["provisional", "refuted"]) == [TAKE]


def test_other_kinds_of_rules_are_refused() -> None:
    book = grl.Rulebook(ruled(FEW))
    with pytest.raises(GrlError, match="no such kind of rules"):
        book.legal(book.initial, without=["old"])


def test_turns_are_judged_by_the_worst_of_the_rules_that_decide() -> None:
    book = grl.Rulebook(ruled(AGAINST, FEW))
    found = doubts(book, position_of(book))
    assert set(book.legal(position_of(book))) == {STEP, OTHER}
    assert found.forbidden == {TAKE: Status.REFUTED}
    assert found.allowed == {STEP: Status.REFUTED, OTHER: Status.REFUTED}
    few = grl.Rulebook(ruled(FEW))
    assert doubts(few, position_of(few)).forbidden == dict.fromkeys(
        [STEP, OTHER], Status.PROVISIONAL
    )
    sure = grl.Rulebook(ruled(replace(FEW, provisional=False)))
    assert doubts(sure, position_of(sure)).to_dict() == {
        "allowed": {},
        "forbidden": {},
        "over": None,
    }


def test_an_end_by_a_doubtful_rule_alone_is_marked() -> None:
    over = Rule((Literal(("mover", "white"), True),), (0, 100), 1, 0, True)
    book = grl.Rulebook(ruled(endings=(over,)))
    assert doubts(book, position_of(book)).over is Status.PROVISIONAL
    assert explain(book, position_of(book), STEP).status == "provisional"


def test_explanations_say_that_only_such_rules_decide() -> None:
    book = grl.Rulebook(ruled(FEW))
    here = position_of(book)
    found = explain(book, here, STEP)
    assert found.verdict is Verdict.FORBIDDEN
    assert found.status == found.to_dict()["status"] == "provisional"
    assert "Only provisional rules make it illegal." in list(found.lines())
    assert explain(book, here, TAKE).status == "certain"
    assert outlook(book, here).doubtful == {str(STEP): "provisional", str(OTHER): "provisional"}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.grl.json"
    write_model(ruled(AGAINST, FEW), path)
    return path


@pytest.fixture
def here(tmp_path: Path) -> Path:
    path = tmp_path / "here.json"
    book = grl.Rulebook(ruled())
    path.write_text(json.dumps(position_of(book).to_dict()), encoding="utf-8")
    return path


def test_listed_turns_are_marked(model: Path, here: Path) -> None:
    data = json.loads(run("moves", model, "--position", here, "--json").stdout)
    assert {turn["turn"]: turn["status"] for turn in data["turns"]} == {
        str(STEP): "refuted",
        str(OTHER): "refuted",
    }
    assert data["forbidden"] == [{"turn": str(TAKE), "status": "refuted"}]
    assert "ended" not in data
    text = run("moves", model, "--position", here).stdout
    assert f"{STEP}  (by a refuted rule)" in text
    assert f"not legal: {TAKE}  (by a refuted rule)" in text


def test_rules_are_listed_with_their_status(model: Path) -> None:
    data = json.loads(run("rules", model, "--json").stdout)
    assert [rule["status"] for rule in data["restrictions"]] == ["refuted", "provisional"]
    assert "refuted" in run("rules", model).stdout


def test_turns_are_marked_where_a_person_plays(model: Path) -> None:
    result = CliRunner().invoke(main, ["play", str(model)], input="quit\n")
    assert result.exit_code == 0
    assert "a1 (0 1 e)" in result.stdout
