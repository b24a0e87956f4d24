"""Graphics processors: the same numbers as on processor cores.

Where there is none, the text that it would run is compiled as C and run thread by thread.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from learned import learned
from processors import Emulated
from random_models import random_model

from grl.compiler import compilers
from grl.engine import gpu as gpus
from grl.engine.device import Device, machine_code
from grl.engine.engine import Engine
from grl.engine.gpu import Gpu, Processor, device_text
from grl.engine.source import program
from grl.errors import GrlError, IllegalTurn, NotCompiled
from grl.model import Model
from grl.rulebook import Rulebook

pytestmark = pytest.mark.skipif(not compilers(), reason="there is no C compiler")

SEEDS = (83, 44, 24)
"""Random models with hands: 81 squares and three players; 30 squares; 110 squares."""
NAMES = ("tic-tac-toe", *map(str, SEEDS))
Maker = Callable[[Engine], Gpu]
ARCHITECTURES = ("sm_80", "sm_90")


def model_of(name: str) -> Model:
    return random_model(int(name), setwise=True) if name.isdigit() else learned(name).model


def engine_of(name: str) -> Engine:
    return Rulebook(model_of(name)).engine()


@pytest.fixture(scope="module", params=["emulated", "device"])
def made(request: pytest.FixtureRequest) -> Maker:
    """What makes graphics processors, emulated ones or, where there is one, a true one."""
    kind: Callable[[str], Processor] = Emulated if request.param == "emulated" else Device
    if kind is Device:
        try:
            Device('extern "C" __global__ void nothing() {}')
        except NotCompiled as error:
            pytest.skip(f"no graphics processor: {error}")

    def make(engine: Engine) -> Gpu:
        assert engine.native is not None, engine.reason
        return Gpu(engine.native, kind)

    return make


def walked(engine: Engine, games: int) -> list[Any]:
    """States of random games."""
    chance, states = random.Random(1), []
    for _ in range(games):
        state = engine.initial
        for _ in range(12):
            states.append(state)
            if state.over:
                break
            state = state.play(chance.randrange(state.count()))
    return states


@pytest.mark.parametrize("name", NAMES)
def test_random_games_are_those_of_processor_cores(
    name: str, made: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engine_of(name)
    gpu = made(engine)
    monkeypatch.setattr(gpus, "GAMES", 7)
    start = walked(engine, 1)[1]
    for seed, begin in ((1, None), (-5, start)):
        played, expected = gpu.playouts(20, seed, begin), engine.playouts(20, seed, start=begin)
        assert played["plies"] == expected["plies"] > 0
        assert played["goals"].tolist() == expected["goals"].tolist()


@pytest.mark.parametrize("name", NAMES)
def test_sequences_of_turns_are_as_many_as_on_processor_cores(
    name: str, made: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engine_of(name)
    gpu = made(engine)
    monkeypatch.setattr(gpus, "POSITIONS", 10)
    for state in walked(engine, 1)[:2]:
        found = [gpu.perft(state, depth) for depth in range(4)]
        assert found == [engine.perft(state, depth) for depth in range(4)]
        assert found[3] > 1


@pytest.mark.parametrize("name", NAMES)
def test_positions_at_once_are_what_bulk_makes_of_them(name: str, made: Maker) -> None:
    engine, chance = engine_of(name), random.Random(name)
    gpu, bulk = made(engine), engine.bulk()
    states = bulk.pack([state.position() for state in walked(engine, 20)])
    counts = bulk.counts(states)
    assert gpu.counts(states).tolist() == counts.tolist()
    assert gpu.goals(states).tolist() == bulk.goals(states).tolist()
    going = states[counts > 0]
    numbers = [chance.randrange(count) for count in counts[counts > 0]]
    after = bulk.play(going, numbers)
    assert gpu.play(going, numbers).tolist() == after.tolist()

    held = gpu.play(gpu.put(going), gpu.put(np.array(numbers, dtype=np.int32)))
    assert held.numpy().tolist() == after.tolist()
    assert gpu.counts(held).numpy().tolist() == bulk.counts(after).tolist()


def test_what_is_no_turn_and_no_array_of_states_is_refused(made: Maker) -> None:
    gpu = made(engine_of(NAMES[0]))
    states = np.repeat(gpu.pack([model_of(NAMES[0]).initial]), 3, axis=0)
    for number in (-1, 9):
        with pytest.raises(IllegalTurn, match="state number 1"):
            gpu.play(states, [0, number, number])
    with pytest.raises(GrlError, match="wrong number of turns"):
        gpu.play(states, [0, 1])
    with pytest.raises(GrlError, match="not an array of this engine's states"):
        gpu.counts(gpu.put(states[:, 1:]))
    assert gpu.playouts(0)["goals"].shape == (0, 2)
    assert gpu.counts(states[:0]).tolist() == []
    for wrong in (lambda: gpu.perft(None, -1), lambda: gpu.playouts(-1)):
        with pytest.raises(GrlError, match="wrong"):
            wrong()


def test_without_sets_of_origins_or_a_device_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    walking = next(m for m in map(random_model, range(9)) if program(m).setwise)
    with pytest.raises(NotCompiled, match="turns as sets of origins"):
        Rulebook(walking).engine().gpu()
    for module in ("cuda", "cuda.bindings"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(NotCompiled, match="no package") as raised:
        engine_of(NAMES[0]).gpu()
    assert "grl[gpu]" in str(raised.value)
    monkeypatch.setenv("GRL_COMPILER", "none")
    with pytest.raises(NotCompiled, match="no compiled model"):
        engine_of(NAMES[0]).gpu()


@pytest.mark.parametrize("name", NAMES)
def test_the_text_compiles_for_devices(name: str) -> None:
    pytest.importorskip("cuda.bindings", reason="NVRTC is not installed: pip install 'grl[gpu]'")
    text = device_text(program(model_of(name)))
    for architecture in ARCHITECTURES:
        assert machine_code(text, architecture)[:4] == b"\x7fELF"
