"""Latches from automata: those that clingo finds, published ones, and none that play breaks."""

from __future__ import annotations

from random import Random

import pytest
from learned import learned

from grl.export.program import asp_program
from grl.players.changes import movement_latches
from grl.players.latches import Latches, latches
from grl.players.propositions import places
from grl.rulebook import Rulebook


def test_those_of_tic_tac_toe_are_clingo_s_with_all_that_they_inhibit() -> None:
    model = learned("tic-tac-toe").model
    found, proven = movement_latches(model), latches(asp_program(model))
    assert (found.positive, found.negative) == (proven.positive, proven.negative)
    assert found.inhibits == proven.inhibits


@pytest.mark.parametrize(
    ("game", "positive", "negative"),
    [("connect-four", 84, 42), ("breakthrough:width=6,height=6", 12, 12)],
)
def test_stones_stay_and_pawns_leave_their_rank_for_good(
    game: str, positive: int, negative: int
) -> None:
    """As many as clingo finds: two of each square and one, two of each file."""
    found = movement_latches(learned(game).model)
    assert (len(found.positive), len(found.negative)) == (positive, negative)


def test_men_never_come_to_the_rank_where_they_began() -> None:
    found = movement_latches(learned("checkers").model)
    men = {name for name in found.negative if "man" in name}
    assert men == {f"cell({x},1,white_man)" for x in (1, 3, 5, 7)} | {
        f"cell({x},8,black_man)" for x in (2, 4, 6, 8)
    }
    light = {f"cell({x},{y},empty)" for x in range(1, 9) for y in range(1, 9) if (x + y) % 2}
    assert found.positive == light


def test_a_learned_buttons_and_lights_has_the_latches_of_the_book() -> None:
    """The first step never comes back, the last one stays, and no light is a latch."""
    found = movement_latches(learned("buttons-and-lights", 100).model)
    said = {"step(1)": "cell(1,2,white_step)", "step(7)": "cell(7,2,white_step)"}
    assert {name for name in found.negative if "empty" not in name} == {said["step(1)"]}
    assert {name for name in found.positive if "empty" not in name} == {said["step(7)"]}
    lights = {f"cell({x},1,white_{light})" for x in (1, 2, 3) for light in ("lit", "dark")}
    assert lights <= set(found.base)


def held(rules: Rulebook, found: Latches, games: int) -> int:
    """How many steps of random games keep to latches and to what these inhibit."""
    engine = rules.engine()
    names = {place: name for name, place in places(rules.model.equipment).items()}
    board = rules.model.equipment.board
    steps = 0

    def truths(cells: str) -> set[str]:
        return {names[cells[square], square] for square in board.squares}

    for seed in range(games):
        chance, state = Random(seed), engine.initial
        before = truths(state.cells)
        while not state.over:
            state = state.play(chance.randrange(state.count()))
            after = truths(state.cells)
            assert after <= set(found.base)
            assert not (before - after) & found.positive
            assert not (after - before) & found.negative
            assert not (after - before) & found.inhibited(before)
            before, steps = after, steps + 1
    return steps


@pytest.mark.parametrize("game", ["checkers", "amazons:width=6,height=6", "connect-four"])
def test_random_games_break_none(game: str) -> None:
    rules = learned(game)
    assert held(rules, movement_latches(rules.model), 2) > 20
