"""What is said of a model's turns doesn't hang on the characters that its pieces happen to have."""

from __future__ import annotations

from dataclasses import replace

import pytest
from race import Race, race_model

from grl.export.shapes import Shapes
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.turn import Letter


def returning(key: str) -> Model:
    """Black goes past a piece obliquely, at once or after a step beyond it and back over it."""
    model = race_model(Race(keys=f"r{key}"))
    over, back = Letter(1, 0, "p"), Letter(-1, 0, "p")
    beyond, aside = Letter(1, 0, "e"), Letter(0, -1, "e")
    steps = [(0, over, 1), (1, aside, 2), (1, beyond, 3), (3, back, 4), (4, aside, 2)]
    black = Dfa(
        AutomatonKey(model.equipment.players[1], key, Role.FIRST),
        5,
        tuple((StateId(a), letter, StateId(b)) for a, letter, b in steps),
        frozenset({StateId(2)}),
    )
    return replace(model, automata=(black,))


@pytest.mark.parametrize("key", ["b", "p", "w", "n", "e", "d"])
def test_two_ways_to_one_square_are_found_whatever_a_piece_is_called(key: str) -> None:
    assert Shapes(returning(key)).twins()


@pytest.mark.parametrize("key", ["b", "p", "w"])
def test_turns_that_need_different_pieces_on_a_square_are_no_twins(key: str) -> None:
    assert not Shapes(race_model(Race(keys=f"r{key}"))).twins()
