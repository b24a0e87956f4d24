"""Where a pass is illegal, learned from games in which it is legal in places only."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from lessons import games_of, taught
from passing_games import (
    GreedyStrollers,
    ModestStrollers,
    RestlessStrollers,
    Strollers,
    TiredStrollers,
)

import grl
from grl.compare import compare_game
from grl.model import Literal, Rule
from grl.modelfile import to_data
from grl.rulebook import Rulebook
from grl.turn import PASS

PLACES = [TiredStrollers, GreedyStrollers, RestlessStrollers, ModestStrollers]
"""The games in which a pass is illegal in places."""
POSITIONS = 150


@cache
def lesson(kind: type[Strollers]) -> Rulebook:
    return taught(kind(), games_of(kind(), 40, endgames=0.0, max_plies=80))


def passing(rulebook: Rulebook) -> tuple[Rule, ...]:
    assert rulebook.model.rules is not None
    return rulebook.model.rules.passing


@pytest.mark.parametrize("kind", PLACES)
def test_where_a_pass_is_legal_is_learned_exactly(kind: type[Strollers]) -> None:
    found = compare_game(lesson(kind), kind(), POSITIONS, 3, endings=10)

    assert found.same, found.examples
    report = lesson(kind).model.report["passes"]
    assert report["wrong"] == 0 < report["positions"]


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

    assert rule.body == (Literal(("before", ("passed",)), True),)


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

    rulebook = taught(game, games_of(game, 8, all_moves=False, endgames=0.0, max_plies=40))

    assert passing(rulebook) == ()
    assert rulebook.model.report["passes"] == {"positions": 0, "wrong": 0}


def test_what_no_feature_tells_is_counted_as_wrong() -> None:
    """Passes are legal by a hash of the position, which no rule can say."""

    class Whimsical(Strollers):
        def may_pass(self, position, *, can_take):  # noqa: ARG002
            return sum(i * ord(c) for i, c in enumerate(position.cells)) % 2 == 0

    game = Whimsical()

    model = taught(game, games_of(game, 10, endgames=0.0, max_plies=60)).model

    report = model.report["passes"]
    assert 0 < report["wrong"] <= report["positions"]


def test_a_model_file_keeps_the_rules(tmp_path) -> None:
    rulebook = lesson(TiredStrollers)
    path = tmp_path / "model.grl.json"

    rulebook.save(path)

    back = grl.load(path)
    assert back.model == rulebook.model
    assert PASS not in back.legal(back.initial)
