"""Games of other engines: small ones recorded, learned, and held to the libraries they are of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from outside import GAMES, Outside
from refereed_game import RefereedGame

import grl
from grl.model import Literal
from grl.rules.features.vocabulary import attacked


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


def test_what_may_be_taken_decides_an_ending(tmp_path: Path) -> None:
    """A lion on the far rank wins only if it can't be taken: dozens of lists of squares say it too,
    at a higher cost."""
    path = tmp_path / "games.jsonl"
    game_of("dobutsu").trial(28, limit=60.0, memory=4096).record(path)
    rules = grl.learn(path).model.rules
    assert rules is not None
    bodies = [set(rule.body) for rule in rules.endings]
    safe = Literal(attacked("own:l", 1), False)
    assert any(safe in body and len(body) == 2 for body in bodies)
