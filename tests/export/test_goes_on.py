"""A turn that has to go on while it can, where what it takes leaves the board when it stops."""

from __future__ import annotations

from functools import cache

import pytest
from capturing_games import Jumping
from lessons import games_of, taught
from running import differences

from grl.compare import compare_game
from grl.engine.engine import compiled
from grl.export.program import asp_program
from grl.fresh import fresh_positions
from grl.model import Literal
from grl.moves.crossing import forbids
from grl.rules.play.effects import generator_of
from grl.turn import Turn

ROUND = ["......", ".b.b..", "......", ".b.b..", "..w...", "w....."]
"""A leaper can jump all the way round, by either way."""


class Relentless(Jumping):
    """Jumping, but a piece jumps on while it can."""

    name = "relentless"

    def turns(self, position):
        turns = list(super().turns(position))
        chosen = [text.partition(";")[0] for text in turns]
        return [
            text
            for text, first in zip(turns, chosen, strict=True)
            if not any(other.startswith(first + " (") for other in chosen)
        ]


@cache
def learned():
    return taught(Relentless(), games_of(Relentless(), 25, endgames=0.5, max_plies=60))


def test_a_turn_that_goes_on_begins_with_what_is_chosen_in_the_other():
    once, rule = learned().model.rules.restrictions

    assert forbids(once)
    assert rule.body == (Literal(("prefix",), True),)
    found = compare_game(learned(), Relentless(), positions=100, endings=5)
    assert found.same, found


def test_effects_are_no_part_of_what_is_chosen():
    book = learned()
    turns = [
        candidate
        for position, _ in fresh_positions(Relentless(), 30, 3, 0)
        for candidate in generator_of(book.model)(book.position(**position.to_dict()))
    ]
    taking = [each for each in turns if "d" in str(each.turn)]

    assert taking
    for each in turns:
        assert each.chosen == Turn(each.turn.segments[:1])
        assert each.added == len(each.turn.segments) - 1


def test_both_ways_round_are_gone_on():
    """Either half of the way is a beginning, though the whole has the same effect both ways."""
    book = learned()
    position = book.position(ROUND, "white")
    by_engine = {str(turn) for turn in compiled(book.model).legal(position)}

    def jumps(turns):
        return {text.partition(";")[0].count("p") for text in turns if " p)" in text}

    assert jumps(map(str, book.legal(position))) == {4}
    assert jumps(by_engine) == {4}


@pytest.mark.parametrize("mover", ["white", "black"])
def test_programs_have_it_as_well(mover):
    book = learned()
    positions = [book.position(ROUND, mover)]
    positions += [book.position(**p.to_dict()) for p, _ in fresh_positions(Relentless(), 4, 5, 0)]

    assert differences(book.model, asp_program(book.model), positions, 2) >= len(positions)
