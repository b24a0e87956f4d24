"""Fuzzy goals in C against those in Python, and the search that asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from learned import learned

from grl.engine.engine import Engine
from grl.errors import GrlError
from grl.export.program import asp_program
from grl.players.distances import turns_away
from grl.players.formulas import Logic
from grl.players.fuzzy import Fuzzy
from grl.players.fuzzycode import Compiled
from grl.players.goals import goals_of
from grl.players.interface import Budget
from grl.players.latches import latches
from grl.players.minimax import Search
from grl.players.swift import Swift

LATCHED = ("tic-tac-toe",)


def engine_of(game: str) -> Engine:
    engine = learned(game).engine()
    if engine.native is None:
        pytest.skip("no compiler")
    return engine


def fuzzy_of(game: str, logic: Logic) -> Fuzzy:
    rules, engine = learned(game), learned(game).engine()
    found = latches(asp_program(rules.model), time_limit=60) if game in LATCHED else None
    goals, distances = goals_of(rules.model), turns_away(rules.model)
    return Fuzzy(goals, logic, found, distances, lambda position: engine.state(position).count())


def states(engine: Engine, games: int) -> Iterator[Any]:
    for seed in range(games):
        chance, state = Random(seed), engine.initial
        while not state.over:
            yield state
            state = state.play(chance.randrange(state.count()))


@pytest.mark.parametrize(
    ("game", "logic"),
    [
        ("tic-tac-toe", Logic(theta=0.6)),
        ("connect-four", Logic()),
        ("breakthrough:width=6,height=6", Logic(tau=0.8)),
        ("checkers", Logic()),
    ],
)
def test_c_says_what_python_says(game: str, logic: Logic) -> None:
    engine = engine_of(game)
    plain = fuzzy_of(game, logic)
    compiled = Compiled(plain, engine)
    differing = set()
    for state in states(engine, 2):
        for seat in range(len(engine.equipment.players)):
            value = compiled(state, seat)
            assert value == pytest.approx(plain(state, seat), abs=1e-12)
            differing.add(value)
    assert len(differing) > 5


def test_both_searches_see_the_same_at_the_same_depth() -> None:
    engine = engine_of("connect-four")
    plain = fuzzy_of("connect-four", Logic())
    swift = Swift(evaluation=Compiled(plain, engine))
    for number, state in enumerate(states(engine, 1)):
        if number % 5 == 0:
            value = swift.choose(engine, state, Budget(depth=2)).value
            assert value == Search(plain).choose(engine, state, Budget(depth=2)).value


def test_yager_s_norms_are_not_compiled() -> None:
    engine = engine_of("tic-tac-toe")
    with pytest.raises(GrlError, match="Yager"):
        Compiled(fuzzy_of("tic-tac-toe", Logic(q=2)), engine)
