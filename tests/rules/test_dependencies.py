"""What is kept, given what is taken: the table that is found, held to the one of the reference."""

from __future__ import annotations

import pytest
from grl_games.gorogoro.reference import DEMOTED, DROPPED, TYPES
from learned import learned_movements, random_positions

from grl import games
from grl.records import Moment
from grl.rules.features.cases import Setting
from grl.rules.play.effects import generator_of
from grl.rules.restrictions.dependencies import dependencies
from grl.rules.restrictions.labelled import Labelled, label

GAME = "gorogoro"


@pytest.fixture(scope="module")
def sample() -> tuple[Setting, list[Labelled]]:
    """Positions with their pseudo-legal turns, of which the reference says which are legal."""
    model = learned_movements(GAME, 4).model
    setting = Setting(model.equipment, {"white": "identity", "black": "turn"}, generator_of(model))
    game = games.load(GAME)
    positions = random_positions(GAME, 200, seed=3)
    return setting, [
        label(setting, Moment(position, True, frozenset(game.legal(position)), frozenset()))
        for position in positions
    ]


def test_the_table_found_is_that_of_the_rules(sample: tuple[Setting, list[Labelled]]) -> None:
    expected = {(TYPES[DEMOTED.get(key, key)], TYPES[key]) for key in (*DROPPED, *DEMOTED)}
    (_, given, named, table), *others = [each.feature for each in dependencies(*sample)]
    assert others == []
    assert (given, named) == ("takes", "keeps")
    found = {(other.partition(":")[2], one.partition(":")[2]) for one, other in table}
    assert len(found) > 3
    assert found <= expected


def test_nothing_is_said_of_parts_that_determine_nothing(
    sample: tuple[Setting, list[Labelled]],
) -> None:
    setting, items = sample
    for item in items:
        item.labels = [1] * len(item.labels)
    assert list(dependencies(setting, items)) == []
