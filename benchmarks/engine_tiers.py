"""Turns found as sets of origins against the walk, both in C, on as many positions as wanted.

Every model whose turns are found as sets is compiled a second time without them. Positions come
from random play of many games at once, from the start and from boards with pieces at random, of
learned models and of random ones (`tests/random_models.py`). Compared are the numbers of turns,
the state that each of them leaves, in order, goals, and sequences of two and three turns. What
differs is printed with what is needed to see it again, and makes the exit status 1.

    make bench PART="tiers --positions 1000000 --models 40"
"""

from __future__ import annotations

import argparse
import ctypes
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from engine_models import LESSONS, learned
from whole_games import select

from grl.engine.bulk import Bulk, States
from grl.engine.native import Native
from grl.engine.source import program
from grl.model import Model

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "tests"), str(ROOT / "tests" / "engine")]

GAMES = 500
"""Games that are played at once."""
AT_RANDOM = 0.3
"""The share of games that begin on a random board."""
LONGEST = 150
"""Plies after which a game begins anew."""
MOST_TURNS = 400_000
"""Successors that are compared at a time."""
SHOWN = 3


class Both:
    """A model with its turns found as sets, and walked."""

    def __init__(self, model: Model) -> None:
        sets, walk = program(model), program(model, setwise=False)
        self.model, self.reason = model, sets.setwise
        if not self.reason:
            self.natives = [Native.of(model, each) for each in (sets, walk)]
            self.sets, self.walk = map(Bulk, self.natives)

    def differences(self, states: States) -> Iterator[str]:
        """What differs on some states."""
        counts, walked = self.sets.counts(states), self.walk.counts(states)
        for number in np.flatnonzero(counts != walked)[:SHOWN]:
            yield self._seen(states[number], f"{counts[number]} turns, walked {walked[number]}")
        if (counts != walked).any():
            return
        goals = self.sets.goals(states) != self.walk.goals(states)
        for number in np.flatnonzero(goals.any(axis=1))[:SHOWN]:
            yield self._seen(states[number], "other goals")
        step = max(1, MOST_TURNS // max(1, int(counts.max(initial=1))))
        for begin in range(0, len(states), step):
            some, numbers = states[begin : begin + step], counts[begin : begin + step]
            turns = np.arange(numbers.sum()) - np.repeat(np.cumsum(numbers) - numbers, numbers)
            origins = np.repeat(some, numbers, axis=0)
            differ = self.sets.play(origins, turns) != self.walk.play(origins, turns)
            for number in np.flatnonzero(differ.any(axis=1))[:SHOWN]:
                yield self._seen(origins[number], f"turn {turns[number]} leaves something else")

    def sequences(self, state: Any) -> Iterator[str]:
        """Whether sequences of turns from a state are as many."""
        line = state.tobytes()
        for depth in (1, 2, 3):
            counts = [
                native._counted(_buffer(native, line), len(line) // native.state_size, depth)
                for native in self.natives
            ]
            if counts[0] != counts[1]:
                yield self._seen(state, f"perft {depth}: {counts[0]}, walked {counts[1]}")

    def _seen(self, state: Any, what: str) -> str:
        lines = [f"{what}; in the state {state.tobytes().hex()}"]
        for name, native in zip(("sets", "walk"), self.natives, strict=True):
            space, line = native.space, _buffer(native, state.tobytes())
            count = native._listed(space, line) - native.library.pass_found(space)
            turns = " | ".join(str(each.turn) for each in native._spelled(space, count))
            lines.append(f"    by the walk of the library with {name}: {turns}")
        return "\n".join(lines)


def _buffer(native: Native, line: bytes) -> Any:
    """States for the library, which may write to them."""
    assert len(line) % native.state_size == 0
    return ctypes.create_string_buffer(line, len(line))


def states_of(both: Both, seed: int) -> Iterator[States]:
    """States without end: those of games that are played at once, ply by ply."""
    draw, chance = np.random.default_rng(seed), Random(seed)
    random_position = import_module("random_models").random_position
    equipment, start = both.model.equipment, both.sets.pack([both.model.initial])

    def begun(number: int) -> States:
        at_random = int(draw.binomial(number, AT_RANDOM))
        boards = [random_position(chance, equipment) for _ in range(at_random)]
        parts = [np.repeat(start, number - at_random, axis=0)]
        return np.concatenate(parts + ([both.sets.pack(boards)] if boards else []))

    states, plies = begun(GAMES), draw.integers(0, LONGEST, GAMES)
    while True:
        yield states
        counts = both.sets.counts(states)
        over = (counts == 0) | (plies >= LONGEST)
        states[over] = begun(int(over.sum()))
        plies[over] = 0
        counts = both.sets.counts(states)
        going = counts > 0
        chosen = (draw.random(int(going.sum())) * counts[going]).astype(np.int32)
        states[going] = both.sets.play(states[going], chosen)
        plies += 1


def compared(name: str, model: Model, seed: int, positions: int) -> bool:
    """Whether nothing differs; says how it went."""
    both, began = Both(model), time.process_time()
    if both.reason:
        return True
    met, turns, wrong = 0, 0, 0
    for states in states_of(both, seed):
        for text in both.differences(states):
            wrong += 1
            print(f"! {name}, seed {seed}: {text}", flush=True)
        met, turns = met + len(states), turns + int(both.sets.counts(states).sum())
        if met >= positions or wrong:
            break
    for text in (found for state in states[:: GAMES // 5] for found in both.sequences(state)):
        wrong += 1
        print(f"! {name}, seed {seed}: {text}", flush=True)
    seconds = time.process_time() - began
    print(
        f"{name}: {met:,} positions, {turns:,} turns, {wrong} differ; {seconds:.0f} s", flush=True
    )
    return not wrong


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="engine_tiers.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", default=",".join(LESSONS), help="some, with commas between")
    parser.add_argument("--positions", type=int, default=1_000_000, help="of each learned model")
    parser.add_argument("--models", type=int, default=100, help="random ones")
    parser.add_argument("--each", type=int, default=20_000, help="positions of a random one")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first of them")
    chosen = parser.parse_args(arguments)
    same = True
    for spec in select(chosen.games) if chosen.games else ():
        same &= compared(spec, learned(spec)[0].model, 1, chosen.positions)
    random_model = import_module("random_models").random_model
    for seed in range(chosen.first, chosen.first + chosen.models):
        model = random_model(seed, setwise=True)
        same &= compared(f"random {seed}", model, seed, chosen.each)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
