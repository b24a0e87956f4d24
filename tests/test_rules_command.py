"""``grl rules`` and the report of ``grl learn``: what a model knows, and what it lacks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from effect_terms import effect as effect_of
from learned import record
from race import race_model

import grl
from grl.board import Player
from grl.cli import main
from grl.model import Literal, Model, Rule, Rules
from grl.modelfile import write_model
from grl.rules.english.effects import effect_sentence
from grl.rules.english.sentences import sentences
from grl.summary.standing import standings
from grl.verdict import verdict_of

FRAMES = {Player("white"): "identity", Player("black"): "turn"}
FORBIDS = Rule((Literal(("takes", "opposing"), False), Literal(("steps", "=", 1), True)), (), 1234)
ENDS = Rule((Literal(("stuck", 0), True),), (0, 100), 7)
AGAIN = Rule((Literal(("takes", "opposing"), True),), (0,), 2, 1, True)


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)


@pytest.fixture
def printed(tmp_path: Path):
    """What ``grl rules`` prints of a model, as text and as data."""

    def of(model: Model) -> tuple[str, dict]:
        path = tmp_path / "model.grl.json"
        write_model(model, path)
        text, data = run("rules", path), run("rules", path, "--json")
        assert text.exit_code == data.exit_code == 0
        return text.stdout, json.loads(data.stdout)

    return of


def ruled(**parts) -> Model:
    return replace(race_model(), rules=Rules(FRAMES, **parts))


def report(**figures) -> dict:
    """A report of the rule layer in which nothing is amiss, but for some figures."""
    return {
        "complete": figures.pop("complete", 10),
        "restrictions": {"positions": 10, "surplus": 0, "missing": 0, "unexplained": 0} | figures,
        "endings": {"terminal": 4, "going on": 10, "unexplained": 0, "early": 0} | figures,
        "control": {"turns": 10, "wrong": 0} | figures,
    }


def lacks(model: Model) -> dict[str, str]:
    return {part.part: " ".join(part.lacks) for part in standings(model)}


def test_every_rule_is_a_sentence_with_its_support(printed):
    model = ruled(restrictions=(FORBIDS,), endings=(ENDS,), control=(AGAIN,))
    text, data = printed(model)
    flat = " ".join(text.split())

    for part, kind in (("restrictions", "restriction"), ("endings", "ending")):
        (sentence,) = sentences(model.equipment, kind, getattr(model.rules, part))
        assert f"1. {sentence} (" in flat
        assert data[part][0]["sentence"] == sentence
    assert "(1,234 positions)" in flat
    assert "(2 positions, 1 against; refuted)" in flat
    assert max(map(len, text.splitlines())) <= 100
    assert data["endings"][0]["value"] == [0, 100]
    assert data["control"][0]["provisional"] is True
    assert "black sees the board turned by half." in text


def test_words_are_listed_where_they_are_few_and_counted(printed):
    text, data = printed(ruled())

    assert "white, runner (r), starts the turn: 2 states; (-1 1 p), (0 1 e), (1 1 p)." in text
    assert {piece["words"] for piece in data["pieces"]} == {3}


def test_endless_words_are_not_counted(printed):
    model = race_model()
    first, *others = model.automata
    _, letter, target = first.transitions[0]
    circle = replace(first, transitions=(*first.transitions, (target, letter, target)))
    text, data = printed(replace(model, automata=(circle, *others)))

    assert "words without bound" in text
    assert {piece["words"] for piece in data["pieces"]} == {None, 3}


def test_a_model_without_rules_says_so(printed):
    text, data = printed(race_model())

    assert "were not learned" in text
    assert "restrictions" not in data


def test_who_may_pass_is_printed(printed):
    passes = {Player("white"): "forced", Player("black"): "free"}
    text, _ = printed(replace(race_model(), passes=passes))

    assert "white may pass when there is no other turn." in text
    assert "black may pass." in text


def test_effects_are_printed(printed):
    effect = effect_of(("passed",), "removed")
    text, data = printed(replace(ruled(), effects=(effect,)))

    assert data["effects"] == [effect_sentence(effect, ruled().equipment)]
    assert data["effects"][0] in " ".join(text.split())


def test_nothing_is_lacking_where_all_is_explained():
    assert not any(lacks(replace(ruled(endings=(ENDS,)), report=report())).values())


@pytest.mark.parametrize(
    ("figures", "part", "words"),
    [
        ({"complete": 0}, "restrictions", "no record lists all legal turns"),
        ({"missing": 3}, "restrictions", "3 legal turns that no automaton allows"),
        ({"unexplained": 2}, "restrictions", "2 positions"),
        ({"terminal": 0}, "endings", "its goals are unknown"),
        ({"unexplained": 2}, "endings", "2 terminal positions that the rules get wrong"),
        ({"early": 1}, "endings", "1 position that a rule calls terminal"),
        ({"wrong": 1}, "who moves next", "1 turn after which another player moved"),
    ],
)
def test_what_is_amiss_is_said_of_its_part(figures, part, words):
    assert words in lacks(replace(ruled(endings=(ENDS,)), report=report(**figures)))[part]


def test_doubtful_rules_are_named_by_their_numbers():
    few = replace(FORBIDS, support=2, provisional=True)
    found = lacks(
        replace(
            ruled(restrictions=(FORBIDS, few), endings=(ENDS,), control=(AGAIN,)), report=report()
        )
    )

    assert found["restrictions"] == "rule 2 is provisional: it rests on 2 positions"
    assert found["who moves next"] == "rule 1 is provisional: 1 position speaks against it"


def test_what_a_habit_may_explain_is_open_with_its_numbers():
    silent = replace(FORBIDS, support=90, provisional=True)
    figures = {
        "silence": [
            {"rule": 1, "expected": 812.4, "bits": 99.0, "open": False, "preferred": False},
            {"rule": 2, "expected": 31.2, "bits": 5.0, "open": True, "preferred": False},
            {"rule": 3, "expected": 42.0, "bits": 48.0, "open": True, "preferred": True},
        ],
        "habits": [{"kind": "it takes a piece", "played": 3, "expected": 60.0}],
    }
    model = replace(
        ruled(restrictions=(FORBIDS, silent, silent), endings=(ENDS,)), report=report(**figures)
    )

    found = lacks(model)["restrictions"]

    assert "rule 1" not in found
    assert "rule 2 is open" in found
    assert "31 times" in found
    assert "one of 32 legal kinds" in found
    assert "42 times; but players may always prefer the other turns there" in found
    assert "'it takes a piece' is true of 3 turns played, of 60 by an even choice" in found
    assert "restrictions" in verdict_of(model).open
    assert verdict_of(model).needs == ("games that list every legal turn",)


def test_a_report_of_another_shape_is_read_as_empty():
    model = replace(ruled(), report={"restrictions": [], "endings": {"terminal": "many"}})

    assert "none seen" in {part.part: part.learned for part in standings(model)}["endings"]


@pytest.mark.parametrize("automata", [3, [4], [{"sure": False}], [{"key": "x"}]])
def test_a_report_that_nobody_wrote_is_refused(automata, tmp_path: Path):
    path = tmp_path / "model.grl.json"
    write_model(replace(ruled(), report={"automata": automata}), path)
    result = run("rules", path)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "report.automata" in result.stderr


def test_learning_reports_part_by_part_what_it_found(tmp_path: Path):
    traces = record("connect-four:width=5,height=4", tmp_path / "games.jsonl", 10)
    target = tmp_path / "model.grl.json"
    result = run("learn", traces, "-o", target)
    model = grl.load(target).model

    assert f"restrictions: {len(model.rules.restrictions)} rule" in result.stdout
    assert f"for {model.report['endings']['terminal']} positions in which the game was over" in (
        result.stdout
    )
    assert "who moves next: always the next player in turn order" in result.stdout
    assert "1. A turn is illegal if the square below its end is empty. (" in (
        run("rules", target).stdout
    )


def test_records_without_an_end_leave_the_goals_open(tmp_path: Path):
    traces = record("connect-four:width=5,height=4", tmp_path / "games.jsonl", 5)
    lines = [json.loads(line) for line in traces.read_text("utf-8").splitlines()]
    for play in lines[1:]:
        play.pop("goals")
        play["end"] = "stopped"
    traces.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    result = run("learn", traces, "-o", tmp_path / "model.grl.json")

    assert "endings: none seen\n  no game of the records was played to its end" in result.stdout


def test_rules_are_left_out_on_request(tmp_path: Path):
    traces = record("tic-tac-toe", tmp_path / "games.jsonl", 5)
    target = tmp_path / "model.grl.json"
    result = run("learn", traces, "-o", target, "--no-rules")

    assert grl.load(target).model.rules is None
    assert "endings" not in result.stdout
