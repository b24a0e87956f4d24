"""How many plies ago the turns were of which rules speak, where players don't just alternate."""

from __future__ import annotations

from random import Random

import pytest
from lessons import games_of, taught
from strange_games import NoReturn, Pairs, Restless, Strange

from grl.board import Position
from grl.compare import compare_game
from grl.rules.features.cases import Setting
from grl.rules.features.past import turns_back


def met(game: Strange) -> list[Position]:
    """The positions of a few random games, with all that was played before."""
    chance = Random(1)
    found = []
    for _ in range(10):
        position = game.initial
        while legal := game.legal(position):
            found.append(position)
            position = game.play(position, chance.choice(legal))
    return found


@pytest.mark.parametrize(("kind", "back"), [(NoReturn, [1, 2]), (Pairs, [1, 2, 3])])
def test_turns_are_asked_for_that_often_are_the_last_of_a_player(
    kind: type[Strange], back: list[int]
) -> None:
    assert turns_back(met(kind())) == back


def test_the_turn_of_all_and_that_a_round_ago_are_always_asked_for() -> None:
    game = Pairs()
    for back in (turns_back([game.initial]), turns_back([])):
        setting = Setting(
            game.equipment, dict.fromkeys(game.equipment.players, "identity"), lambda _: [], back
        )
        assert (back, setting.back) == ([], [1, 2])


def test_where_everybody_makes_two_turns_ones_own_last_turn_is_found() -> None:
    game = Restless()
    learned = taught(game, games_of(game, 60, endgames=0.0, max_plies=40))

    found = compare_game(learned, game, 120, 3, endings=6)

    assert found.same, found.examples
    assert learned.model.rules is not None
    bodies = [str(rule.body) for rule in learned.model.rules.restrictions]
    assert len(bodies) == 2
    for back in (1, 3):
        assert any(f"('last', 'end1', {back})" in body for body in bodies)
