"""Many positions at once: the same as one after the other."""

from __future__ import annotations

import random

import numpy as np
import pytest
from random_models import random_model

from grl.compiler import compilers
from grl.errors import GrlError, IllegalTurn
from grl.rulebook import Rulebook

pytestmark = pytest.mark.skipif(not compilers(), reason="there is no C compiler")

SEEDS = (27, 36)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_bulk_is_what_states_say_one_by_one(seed: int, threads: int) -> None:
    engine = Rulebook(random_model(seed)).engine()
    assert engine.native is not None, engine.reason
    assert not engine.native.facts.trail
    bulk, chance = engine.bulk(), random.Random(seed)
    states = []
    for _ in range(20):
        state = engine.initial
        for _ in range(15):
            states.append(state)
            if state.over:
                break
            state = state.play(chance.randrange(state.count()))
    packed = bulk.pack([state.position() for state in states])

    counts = bulk.counts(packed, threads)
    assert counts.tolist() == [state.count() for state in states]
    going = np.flatnonzero(counts)
    numbers = [chance.randrange(counts[at]) for at in going]
    after = bulk.play(packed[going], numbers, threads)
    played = [states[at].play(number) for at, number in zip(going, numbers, strict=True)]
    assert bulk.counts(after, threads).tolist() == [state.count() for state in played]
    players = engine.initial.position().equipment.players
    for state, goals in zip(states, bulk.goals(packed, threads).tolist(), strict=True):
        if state.over:
            assert goals == [state.goals().get(player, -1) for player in players]
    for state, mask in zip(states[:20], bulk.masks(packed[:20], threads), strict=True):
        turns = [turn for turn in state.turns() if turn != "pass"]
        names = state.position().board.names
        assert {names[at] for at in np.flatnonzero(mask.any(axis=1))} == {
            turn.partition(" ")[0] for turn in turns
        }


def test_numbers_and_arrays_that_are_none_are_refused() -> None:
    engine = Rulebook(random_model(SEEDS[0])).engine()
    bulk = engine.bulk()
    packed = bulk.pack([engine.initial.position()])
    with pytest.raises(IllegalTurn, match="state number 0"):
        bulk.play(packed, [10_000])
    with pytest.raises(GrlError, match="states"):
        bulk.counts(np.zeros((2, 3), dtype=np.uint8))
    with pytest.raises(GrlError, match="number of turns"):
        bulk.play(packed, [0, 0])
