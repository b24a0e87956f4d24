"""Squares that keep the move, and stones that touch anybody's: one rule each, as they are meant."""

from __future__ import annotations

from functools import cache

from huddling_game import KEEPING, Huddling
from lessons import games_of, taught

from grl.compare import compare_game
from grl.rulebook import Rulebook
from grl.rules.english.sentences import sentences


@cache
def lesson() -> Rulebook:
    return taught(Huddling(), games_of(Huddling(), 60))


def test_the_game_is_learned():
    compared = compare_game(lesson(), Huddling(), positions=200, seed=3, endings=10)
    assert compared.same, compared


def test_whose_stones_are_touched_makes_no_difference_to_one_rule():
    (rule,) = lesson().model.rules.restrictions
    (literal,) = rule.body
    assert "opposing" in str(literal.feature)
    assert "own" in str(literal.feature)


def test_squares_that_keep_the_move_are_named():
    rules = lesson().model.rules.control
    (said,) = sentences(Huddling().equipment, "control", rules)
    assert all(name in said for name in KEEPING), said
