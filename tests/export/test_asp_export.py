"""The exported program against the model, position by position."""

import pytest
from learned import random_positions
from running import AMAZONS, BREAKTHROUGH, CHECKERS, CONNECT_FOUR, differences, model_with

from grl.export.program import asp_program

CASES = {
    "tic-tac-toe": (None, 20),
    "connect-four": (CONNECT_FOUR, 15),
    "breakthrough:width=6,height=6": (BREAKTHROUGH, 12),
    "checkers": (CHECKERS, 15),
    "amazons:width=6,height=6": (AMAZONS, 2),
    "peg-solitaire": (None, 12),
}


@pytest.mark.parametrize("spec", CASES)
def test_turns_successors_terminal_and_goals_are_the_models(spec):
    rules, number = CASES[spec]
    model = model_with(rules, spec)

    looked = differences(model, asp_program(model), random_positions(spec, number, seed=11), 2)

    assert looked >= number
