"""Exported goals that are counted."""

from dataclasses import replace
from functools import cache

import pytest
from gdl import answer_set_program, faults, read
from lessons import games_of, taught
from running import differences
from scored_games import Crowned, Hugging

from grl.errors import GrlError
from grl.export.kif import gdl_program
from grl.export.lud import lud_program
from grl.export.program import asp_program
from grl.export.rbg import rbg_program

KINDS = [Crowned, Hugging]


@cache
def lesson(kind):
    """A model, and positions of random play, the last ones of each game among them."""
    rulebook = taught(kind(), games_of(kind(), 80, endgames=0.0))
    positions = []
    for number in range(6):
        position = rulebook.initial
        for ply in range(14):
            legal = rulebook.legal(position)
            if not legal:
                break
            position = rulebook.play(position, legal[(7 * number + 5 * ply) % len(legal)])
        positions.append(position)
    assert any(rulebook.is_terminal(position) for position in positions)
    return rulebook.model, positions


@pytest.mark.parametrize("kind", KINDS)
def test_asp_says_what_the_model_says(kind):
    model, positions = lesson(kind)

    assert differences(model, asp_program(model), positions, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_gdl_says_what_the_model_says(kind):
    model, positions = lesson(kind)
    rules = read(gdl_program(model))

    assert faults(rules) == []
    assert differences(model, answer_set_program(rules), positions, minus=True)


@pytest.mark.parametrize(("written", "why"), [(lud_program, "ending 1"), (rbg_program, "counted")])
def test_other_formats_refuse(written, why):
    with pytest.raises(GrlError, match=why):
        written(replace(lesson(Hugging)[0], passes={}))
