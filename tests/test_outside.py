"""Games of other engines: small ones recorded, learned, and held to the libraries they are of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from outside import GAMES, Outside
from refereed_game import RefereedGame


def game_of(name: str) -> Outside:
    found = next(game for game in GAMES if game.name == name)
    pytest.importorskip("pyspiel" if found.engine == "open_spiel" else "pyffish")
    return found


def test_a_game_of_another_engine_is_learned_and_held_to_it() -> None:
    trial = game_of("clobber(rows=5,columns=5)").trial(20, limit=60.0, memory=4096)
    found = replace(trial, positions=100).run()
    assert found.trouble == ""
    assert found.positions > 100
    assert found.result == "exact"


@pytest.mark.parametrize("name", ["dobutsu", "hex(board_size=5,num_cols=5,num_rows=5)"])
def test_positions_are_the_libraries_with_their_past(name: str) -> None:
    made = game_of(name).make()
    chance = Random(1)
    position = made.initial
    plies = 0
    while not made.is_terminal(position):
        legal = made.legal(position)
        assert legal == sorted(set(legal))
        position = made.play(position, chance.choice(legal))
        plies += 1
    assert len(position.trail or ()) == plies
    assert sorted(made.goals(position).values()) == [0, 100]
    assert made.legal(position) == []


def test_games_begin_near_ends_and_ends_are_met() -> None:
    made = game_of("dobutsu").make()
    assert isinstance(made, RefereedGame)
    starts = made.endgames()
    assert len(starts) > 10
    assert not any(map(made.is_terminal, starts))
    ends: Sequence[object] = [position for position, _ in islice(made.ended(10, 1), 10)]
    assert len(ends) > 5
    assert all(made.is_terminal(position) for position in ends)  # type: ignore[arg-type]
