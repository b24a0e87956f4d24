"""Whether LOCM's machines exclude any turn that the automata allow: programs leave machines out.

Since automata say which of them begin a turn and after which words it goes on, machines have
little left to exclude. This is looked at in play, not proven.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from grl.model import Model
from grl.rules.play.effects import generator_of
from grl.turn import play

GAMES = 5
PLIES = 40
ENOUGH = 10_000
"""Turns after which no further position is looked at."""


class Excluded(NamedTuple):
    """How many of the turns of some positions only the machines exclude."""

    excluded: int
    turns: int
    positions: int


def excluded(model: Model) -> Excluded:
    """What the machines exclude in positions of random play by the automata alone."""
    if not model.machines:
        return Excluded(0, 0, 0)
    free, ordered = generator_of(model, locm=False), generator_of(model)
    dice = random.Random(0)
    missing = turns = positions = 0
    for _ in range(GAMES):
        position = model.initial
        for _ in range(PLIES):
            found = free(position)
            allowed = {candidate.turn for candidate in ordered(position)}
            missing += sum(candidate.turn not in allowed for candidate in found)
            turns += len(found)
            positions += 1
            if not found or turns > ENOUGH:
                break
            position = play(position, dice.choice(found).turn)
    return Excluded(missing, turns, positions)
