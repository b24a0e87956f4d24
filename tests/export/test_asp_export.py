"""The exported program against the model, position by position."""

from collections import Counter

import castling_game
import clingo
import pytest
from learned import random_positions
from running import AMAZONS, BREAKTHROUGH, CHECKERS, CONNECT_FOUR, differences, model_with

from grl.export.program import asp_program, fluents

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


def test_boards_are_written_out_only_where_a_hand_goes_on():
    """Of a board that lacks a piece a program says so, and that its square is empty."""
    model = castling_game.model()
    position = next(castling_game.positions(model.equipment, 1, 1))
    squares: Counter[str] = Counter()
    control = clingo.Control(["--warn=none"])
    state = [f"true({fluent})." for fluent in fluents(model, position)]
    control.add("base", [], "\n".join([asp_program(model), *state]))
    control.ground([("base", [])])
    for name in ("now", "reply_now"):
        for atom in control.symbolic_atoms.by_signature(name, 4):
            squares[str(atom.symbol.arguments[1].name)] += 1

    lifted = sum(
        str(atom.symbol.arguments[1].name) == "from"
        for name in ("sets", "reply_sets")
        for atom in control.symbolic_atoms.by_signature(name, 5)
    )
    assert squares["from"] == lifted > 10
    assert squares["put"] >= len(position.cells)
