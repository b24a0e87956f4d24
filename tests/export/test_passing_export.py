"""Exported rules that forbid a pass: the programs pass where the model does."""

from dataclasses import replace
from functools import cache

import pytest
from gdl import answer_set_program, faults, read
from learned import random_positions
from passing_games import (
    GreedyStrollers,
    ModestStrollers,
    RestlessStrollers,
    TiredStrollers,
    lesson,
)
from running import differences, model_with, no, yes
from shorthand import heading, landed

from grl.board import Player, make_position
from grl.export.kif import gdl_program
from grl.export.program import asp_program
from grl.model import Rule, Rules
from grl.rulebook import Rulebook
from grl.rules.features.vocabulary import attacked
from grl.turn import PASS

KINDS = [GreedyStrollers, ModestStrollers, RestlessStrollers, TiredStrollers]
POSITIONS = 12
WHITE, BLACK = Player("white"), Player("black")
ODD = Rules(
    {WHITE: "identity", BLACK: "flip"},
    restrictions=(Rule((yes("rival_has", "any", ("letter", "p")),)),),
    endings=(Rule((yes("stuck", 1), yes("mover", "black")), (100, 0)),),
    passing=(
        Rule((yes("rival_has", "any", ("takes", "opposing")), no("before", ("mover", "black")))),
        Rule((no("rival_has", "any", heading("outward")), no("before", landed("opposing")))),
        Rule((yes("more", "any", "opposing"), yes("before", landed("opposing")))),
        Rule((yes("before", ("passes", 1)), yes("after", attacked("own", 1)))),
        Rule((yes("before", ("stuck", 0)),)),
    ),
)
"""A pass is illegal for want of turns, by what restrictions leave, and by what could be taken."""
NO_WHITE = ["......", ".b....", "..b...", ".b....", "......", "......"]


@cache
def played(kind):
    """A model, and positions of random play with the turns that led there."""
    rulebook = lesson(kind)
    assert rulebook.model.rules.passing
    positions = []
    position = rulebook.initial
    for number in range(120):
        legal = rulebook.legal(position)
        if not legal:
            break
        passes = PASS in legal and number % 3 == 0
        position = rulebook.play(position, PASS if passes else legal[7 * number % len(legal)])
        positions.append(position)
    return rulebook, positions[:: max(1, len(positions) // POSITIONS)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_pass_is_legal_in_some_positions_only(kind):
    rulebook, positions = played(kind)

    assert len({PASS in rulebook.legal(position) for position in positions}) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_asp_says_what_the_model_says(kind):
    rulebook, positions = played(kind)

    program = asp_program(rulebook.model)

    assert "% A pass is illegal if" in program
    assert differences(rulebook.model, program, positions, 2) >= len(positions)


@pytest.mark.parametrize("kind", KINDS)
def test_gdl_says_what_the_model_says(kind):
    rulebook, positions = played(kind)

    rules = read(gdl_program(rulebook.model))

    assert faults(rules) == []
    program = answer_set_program(rules)
    assert differences(rulebook.model, program, positions[::2], minus=True)


@cache
def odd():
    """A model with all kinds of rules against passes, and positions in which they decide."""
    spec = "breakthrough:width=6,height=6"
    model = replace(model_with(ODD, spec), passes={WHITE: "free", BLACK: "forced"})
    rulebook = Rulebook(model)
    positions = [make_position(model.equipment, NO_WHITE, WHITE)]
    for position in random_positions(spec, 14, seed=4):
        positions.append(position)
        if PASS in rulebook.legal(position):
            positions.append(rulebook.play(position, PASS))
    return model, positions


def test_who_has_no_turn_and_may_not_pass_is_at_an_end():
    model, (empty, *others) = odd()
    rulebook = Rulebook(model)

    assert rulebook.is_terminal(empty)
    free = [position for position in others if position.to_move == WHITE]
    assert {PASS in rulebook.legal(position) for position in free} == {True, False}


def test_asp_says_what_odd_rules_say():
    model, positions = odd()

    assert differences(model, asp_program(model), positions, 2) >= len(positions)


def test_gdl_says_what_odd_rules_say():
    model, positions = odd()
    rules = read(gdl_program(model))

    assert faults(rules) == []
    program = answer_set_program(rules)
    assert differences(model, program, positions[::4], minus=True) == len(positions[::4])
