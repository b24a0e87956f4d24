"""Where a pass is illegal, learned from games in which it is legal in places only."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lessons import games_of, taught
from passing_games import (
    GreedyStrollers,
    ModestStrollers,
    RestlessStrollers,
    RunningStrollers,
    Strollers,
    TiredStrollers,
    lesson,
)
from shorthand import heading

import grl
from grl.ask.committee import Committee
from grl.board import Board, Equipment, Piece, Player
from grl.commands.learning import learned
from grl.compare import compare_game
from grl.explain import Verdict, explain, outlook
from grl.model import Literal, Rule
from grl.modelfile import to_data
from grl.rulebook import Rulebook
from grl.rules.english.sentences import sentences
from grl.rules.play.effects import generator_of
from grl.summary.text import rules_data, rules_text
from grl.turn import PASS

PLACES = [TiredStrollers, GreedyStrollers, RestlessStrollers, ModestStrollers]
"""The games in which a pass is illegal in places."""
POSITIONS = 150


def passing(rulebook: Rulebook) -> tuple[Rule, ...]:
    assert rulebook.model.rules is not None
    return rulebook.model.rules.passing


@pytest.mark.parametrize("kind", PLACES)
def test_where_a_pass_is_legal_is_learned_exactly(kind: type[Strollers]) -> None:
    found = compare_game(lesson(kind), kind(), POSITIONS, 3, endings=10)

    assert found.same, found.examples
    report = lesson(kind).model.report["passes"]
    assert report["wrong"] == 0 < report["positions"]


def test_who_moves_after_a_pass_is_learned_like_who_moves_after_a_turn() -> None:
    rulebook = lesson(RunningStrollers)
    found = compare_game(rulebook, RunningStrollers(), POSITIONS, 3, endings=10)

    assert found.same, found.examples
    assert rulebook.model.rules is not None
    assert rulebook.model.rules.control


@pytest.mark.parametrize("kind", PLACES)
def test_without_its_rules_the_same_model_passes_too_often(kind: type[Strollers]) -> None:
    model = lesson(kind).model
    assert model.rules is not None
    lax = Rulebook(replace(model, rules=replace(model.rules, passing=())))

    found = compare_game(lax, kind(), POSITIONS, 3, endings=0)

    assert found.surplus > 0 == found.missing


def test_the_rules_are_few_and_well_supported() -> None:
    for kind in PLACES:
        rules = passing(lesson(kind))
        assert 1 <= len(rules) <= 2
        assert all(rule.against == 0 and not rule.provisional for rule in rules)
        bad = sum(rule.support for rule in rules)
        assert bad < lesson(kind).model.report["passes"]["positions"]


def test_a_rule_speaks_of_the_last_turn() -> None:
    (rule,) = passing(lesson(RestlessStrollers))

    assert rule.body == (Literal(("before", ("passes", 1)), True),)


def test_a_rule_speaks_of_the_turns_that_are_legal() -> None:
    (rule,) = passing(lesson(GreedyStrollers))

    assert [(f[:2], holds) for f, holds in rule.body] == [(("rival_has", "any"), True)]


def test_a_game_of_plain_free_passes_gets_no_such_rules() -> None:
    rulebook = lesson(Strollers)

    assert passing(rulebook) == ()
    assert rulebook.model.passes == {"white": "free", "black": "free"}
    assert rulebook.model.report["passes"]["wrong"] == 0
    assert compare_game(rulebook, Strollers(), POSITIONS, 3, endings=10).same
    assert "passing" not in to_data(rulebook.model)["rules"]


def test_single_moves_tell_nothing_of_where_a_pass_is_illegal() -> None:
    game = RestlessStrollers()

    rulebook = taught(game, games_of(game, 5, all_moves=False, endgames=0.0, max_plies=40))

    assert passing(rulebook) == ()
    assert rulebook.model.report["passes"] == {"positions": 0, "wrong": 0}
    assert any("where a pass is illegal can't be told" in each for each in learned(rulebook.model))


def test_a_pass_that_was_played_is_legal_though_the_other_turns_are_unknown() -> None:
    """Lists without a pass of one game, passes played in others: only the others spare passes."""
    game = TiredStrollers()
    plays = games_of(game, 8, endgames=0.0, max_plies=80)
    for play in plays:
        for turn in play["turns"]:
            if "pass" in turn["legal"]:
                del turn["legal"]

    rulebook = taught(game, plays)

    (rule,) = passing(rulebook)
    assert rule.body == (Literal(("before", ("size", "now", ("lies", "own"), "<", 5)), False),)
    listed = sum("legal" in turn for play in plays for turn in play["turns"])
    assert 0 < rulebook.model.report["passes"]["positions"] <= listed


def test_what_no_feature_tells_is_counted_as_wrong() -> None:
    """Passes are legal by a hash of the position, which no rule can say."""

    class Whimsical(Strollers):
        def may_pass(self, position, *, can_take):  # noqa: ARG002
            return sum(i * ord(c) for i, c in enumerate(position.cells)) % 2 == 0

    game = Whimsical()

    model = taught(game, games_of(game, 3, endgames=0.0, max_plies=60)).model

    report = model.report["passes"]
    assert 0 < report["wrong"] <= report["positions"]
    told = f"{report['wrong']:,} positions in which the rules get a pass wrong"
    assert any(told in line for line in learned(model))
    assert told in " ".join(rules_text(model).split())


def test_a_model_file_keeps_the_rules(tmp_path) -> None:
    rulebook = lesson(TiredStrollers)
    path = tmp_path / "model.grl.json"

    rulebook.save(path)

    back = grl.load(path)
    assert back.model == rulebook.model
    assert PASS not in back.legal(back.initial)


# Told to people.


PAIR = Equipment(
    Board(2, 2),
    (Player("white"), Player("black")),
    {"w": Piece("w", Player("white"), "man"), "b": Piece("b", Player("black"), "man")},
)


@pytest.mark.parametrize(
    ("literals", "text"),
    [
        ([], "A pass is illegal."),
        ([(("before", ("passes", 1)), True)], "A pass is illegal if the last turn was a pass."),
        (
            [
                (("before", ("size", "now", ("lies", "own"), "<", 3)), False),
                (("rival_has", "any", ("takes", "opposing")), False),
            ],
            "A pass is illegal if there are three or more men of the mover "
            "and no legal turn takes an opposing man.",
        ),
        (
            [(("rival_has", "any", heading("ahead")), True)],
            "A pass is illegal if of some legal turn it is true that its start is on a lower rank "
            "than its end.",
        ),
    ],
)
def test_a_rule_is_a_sentence(literals, text) -> None:
    rule = Rule(tuple(Literal(*literal) for literal in literals))

    assert sentences(PAIR, "pass", [rule]) == [text]


def test_the_rulebook_has_a_part_for_passes() -> None:
    model = lesson(TiredStrollers).model
    support = passing(lesson(TiredStrollers))[0].support

    lines = rules_text(model).splitlines()

    assert "  white may pass where no rule forbids it." in lines
    sentence = "A pass is illegal if there are five or more men of the mover."
    assert lines[lines.index("Passes") + 1] == f"  1. {sentence} ({support:,} positions)"
    assert [rule["sentence"] for rule in rules_data(model)["passing"]] == [sentence]
    positions = model.report["passes"]["positions"]
    assert f"passes: 1 rule from {positions:,} positions whose player passes freely" in list(
        learned(model)
    )


def test_a_game_of_plain_free_passes_has_no_such_part() -> None:
    text = rules_text(lesson(Strollers).model)

    assert "white may pass." in text
    assert "Passes" not in text


def test_a_pass_is_explained_by_the_rule_that_forbids_it() -> None:
    rulebook, game = lesson(GreedyStrollers), GreedyStrollers()
    before = game.initial
    after = game.play(before, "b1 (0 1 e)")

    assert explain(rulebook, before, "pass").legal
    found = explain(rulebook, after, "pass")

    assert (found.verdict, found.spelling) == (Verdict.PASS, None)
    assert found.reason == "black passes freely, but rule 1 for passes forbids it here."
    assert found.rule is not None
    clause = "some legal turn takes an opposing man"
    assert found.rule.sentence == f"A pass is illegal if {clause}."
    (finding,) = found.rule.findings
    takes = [turn for turn in game.legal(after) if turn.endswith("p)")]
    assert (finding.clause, list(finding.rivals)) == (clause, takes)
    assert [group.example for group in outlook(rulebook, after).forbidden] == ["pass"]
    assert outlook(rulebook, before).forbidden == ()


def test_theories_that_are_asked_pass_where_the_model_does() -> None:
    rulebook, game = lesson(GreedyStrollers), GreedyStrollers()
    model = rulebook.model
    assert model.rules is not None
    lax = replace(model.rules, passing=())
    committee = Committee(model, generator_of(model), [model.rules, lax])

    for position in (game.initial, game.play(game.initial, "b1 (0 1 e)")):
        (_, strict), (_, free) = committee.says(position).sayings
        passing = PASS.effect(position)
        assert (passing in strict) == (PASS in rulebook.legal(position))
        assert free == strict | {passing}
