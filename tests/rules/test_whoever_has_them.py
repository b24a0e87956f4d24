"""Pieces of a type counted whoever has them, and what is no reason for a game to end."""

from __future__ import annotations

import numpy as np

from grl import games
from grl.games import Game
from grl.logic.ops.places import lies
from grl.logic.perspectives import frames_of
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.quantities import types_shared
from grl.rules.features.terms import some
from grl.rules.features.vocabulary import Priced
from grl.rules.search.gains import Columns


def _setting(spec: str) -> tuple[Game, Setting]:
    game = games.load(spec)
    return game, Setting(game.equipment, frames_of(game.initial), lambda _: [])


def test_types_that_all_players_have_are_counted_together() -> None:
    game, setting = _setting("chess")
    case = PositionCase.of(setting, game.initial)
    counts = {those[0]: case.size(term) for term, those in types_shared(setting)}
    assert counts == {
        "own:pawn": 16,
        "own:knight": 4,
        "own:bishop": 4,
        "own:rook": 4,
        "own:queen": 2,
        "own:king": 2,
    }


def test_types_of_one_player_are_not() -> None:
    assert list(types_shared(_setting("asalto")[1])) == []


def test_a_column_that_is_barred_joins_neither_as_it_is_nor_negated() -> None:
    bad = np.array([True, True, False, False])
    table = np.array([[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 1]], dtype=bool)
    several = [Priced(some("now", lies(kind)), 1.0) for kind in ("empty", "own", "opposing")]
    columns = Columns(np.zeros((4, 0), dtype=bool), bad[:, None])
    columns.add(several, table)
    assert columns.features == several[2:]
    without = Columns(np.zeros((4, 0), dtype=bool))
    without.add(several, table)
    assert several[0] in without.features
