"""Rules that single features must tell: of the last turn, of rivals, of pieces, of squares."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from lessons import games_of, taught
from strange_games import (
    BLACK,
    Barred,
    Battery,
    Corners,
    Crowd,
    Follow,
    Hobbled,
    Meeting,
    Merciful,
    NoEcho,
    NoReturn,
    Outflanked,
    Pairs,
    Precedence,
    Rearguard,
    Shade,
    Strange,
)

from grl.compare import compare_game
from grl.model import Literal, Rule
from grl.rulebook import Rulebook

GAMES = {
    NoEcho: "toward",
    Rearguard: "beyond",
    Meeting: "near",
    Crowd: "region",
    Corners: "region",
    Barred: "file",
    NoReturn: "'last', 'start1', 0",
    Shade: "colour",
    Follow: "through",
    Outflanked: "sizes",
    Precedence: "'rival_has', 'any', ('and', ",
    Battery: "('behind', ('both', ('lies', 'empty'), ",
    Hobbled: "('near', 'orthogonal', ('square', 'start1'))",
    Pairs: "'last', 'end1', 1), ('lies', 'opposing')",
}
"""The games with the template that tells the strange rule."""
SIZES = {
    Battery: (10, 60),
    Crowd: (100, 60),
    Outflanked: (40, 60),
    Pairs: (20, 20),
    Precedence: (4, 60),
    Shade: (45, 20),
    Hobbled: (20, 40),
}
"""How many games some are learned from, and of how many plies at most."""


@cache
def lesson(kind: type[Strange]) -> Rulebook:
    games, plies = SIZES.get(kind, (15, 40))
    return taught(kind(), games_of(kind(), games, endgames=0.0, max_plies=plies))


@pytest.mark.parametrize("kind", GAMES)
def test_games_with_one_strange_rule_are_learned_exactly_by_one_rule(kind: type[Strange]) -> None:
    found = compare_game(lesson(kind), kind(), 120, 3, endings=6)
    assert found.same, found.examples

    rules = lesson(kind).model.rules
    assert rules is not None
    told = str([r.body for r in (*rules.restrictions, *rules.endings, *rules.control)])
    assert GAMES[kind] in (str(rules.control) if kind is Pairs else told)
    assert len(rules.restrictions) <= 1
    assert len(rules.endings) <= {Outflanked: 3, Pairs: 4}.get(kind, 2)


@pytest.mark.parametrize("kind", [Corners, Barred])
def test_rules_show_the_frame_where_the_first_position_leaves_it_open(kind: type[Strange]) -> None:
    rules = lesson(kind).model.rules
    assert rules is not None
    assert rules.frames[BLACK] == "turn"


def test_what_asks_for_turns_comes_last() -> None:
    for kind in GAMES:
        rules = lesson(kind).model.rules
        assert rules is not None
        asks = [any(lit.feature[0] == "stuck" for lit in rule.body) for rule in rules.endings]
        assert asks == sorted(asks)


def test_a_restriction_of_the_second_level_asks_what_turns_are_left() -> None:
    """The rule is put into a model by hand, and the model is held to the game."""
    model = lesson(Merciful).model
    assert model.rules is not None
    rule = Rule((Literal(("after", ("stuck", 0)), True),))
    rules = replace(model.rules, restrictions=(rule,))

    found = compare_game(Rulebook(replace(model, rules=rules)), Merciful(), 100, 3, endings=16)

    assert found.same, found.examples
    plain = Rulebook(replace(model, rules=replace(rules, restrictions=())))
    assert not compare_game(plain, Merciful(), 100, 3, endings=16).same
