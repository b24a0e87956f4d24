"""Shapes of turns of which a part is never played: found, named, and no others where all is played.

Positions are of random games of breakthrough, where one step ahead, or one aside and ahead, is all
that there is.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from learned import learned, random_positions

from grl import games
from grl.model import Literal
from grl.records import Moment
from grl.rules.features.cases import Setting
from grl.rules.features.vocabulary import words_of
from grl.rules.play.effects import generator_of
from grl.rules.restrictions.labelled import Labelled, label
from grl.rules.restrictions.neglected import neglected
from grl.rules.restrictions.rarities import alone
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary

GAME = "breakthrough:width=6,height=6"


def shunned(turn: str, mover: str) -> bool:
    """Whether it is a capture from the second rank, as the mover sees the board."""
    square, word = turn.split(" ", 1)
    return square.endswith("2" if mover == "white" else "5") and " p)" in word


def items(setting: Setting, number: int, *, all_kinds: bool) -> list[Labelled]:
    """Positions of random games, of each a turn played alone; no shunned one but with
    `all_kinds`."""
    game, chance = games.load(GAME), random.Random(1)
    found = []
    for position in random_positions(GAME, number, seed=1):
        turns = [
            turn
            for turn in game.legal(position)
            if all_kinds or not shunned(turn, position.to_move)
        ]
        if turns:
            known = frozenset([chance.choice(turns)])
            found.append(label(setting, Moment(position, False, known, frozenset())))
    return found


@pytest.fixture(scope="module")
def vocabulary() -> TurnVocabulary:
    model = learned(GAME).model
    assert model.rules is not None
    setting = Setting(model.equipment, model.rules.frames, generator_of(model))
    return TurnVocabulary.of(setting, words_of(model), items(setting, 20, all_kinds=True))


def test_shapes_of_which_a_part_is_never_played_are_found(vocabulary: TurnVocabulary) -> None:
    some = items(vocabulary.setting, 1200, all_kinds=False)

    found = neglected(vocabulary, some)

    taking = Literal(("takes", "opposing"), True)
    assert found
    assert all(taking in kind.body and kind.cost >= 1.0 for kind in found)
    looked_at = [item for kind in found for item in alone(vocabulary, some, kind)]
    there = {(id(item.turn_list), case.number) for item in looked_at for case in item.cases}
    cases = [case for item in some for case in item.cases]
    wanted = [case for case in cases if shunned(str(case.turn), case.before.to_move)]
    assert len(wanted) > 20
    assert sum((id(case.turn_list), case.number) in there for case in wanted) > 0.5 * len(wanted)
    assert len(there) < 0.4 * len(cases)


def test_where_everything_is_played_there_is_none(vocabulary: TurnVocabulary) -> None:
    some = items(vocabulary.setting, 1200, all_kinds=True)
    assert np.mean([len(item.cases) for item in some]) > 5
    assert neglected(vocabulary, some) == []
