"""Whether LOCM's machines exclude any turn that the automata allow: programs leave others out.

Since automata say which of them begin a turn and after which words it goes on, machines have
little left to exclude. This is looked at in play, not proven.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import NamedTuple

from grl.board import EMPTY, Player
from grl.model import Model
from grl.rules.play.effects import generator_of
from grl.turn import play

GAMES = 5
PLIES = 40
ENOUGH = 10_000
"""Turns after which no further position is looked at."""
SELDOM = 100
"""Fewer turns that begin with a piece say nothing of what its machines exclude."""


class Excluded(NamedTuple):
    """How many of the turns of some positions only the machines exclude."""

    excluded: int
    turns: int
    positions: int
    pieces: frozenset[tuple[Player, str]] = frozenset()
    """Mover and piece where such turns begin; with them all pieces of these types.

    Where there is any, also those with which turns seldom began.
    """


def excluded(model: Model) -> Excluded:
    """What the machines exclude in positions of random play by the automata alone."""
    if not model.machines:
        return Excluded(0, 0, 0)
    free, ordered = generator_of(model, locm=False), generator_of(model)
    dice = random.Random(0)
    missing = turns = positions = 0
    met: Counter[tuple[Player, str]] = Counter()
    begun: set[str] = set()
    for _ in range(GAMES):
        position = model.initial
        for _ in range(PLIES):
            found = free(position)
            allowed = {candidate.turn for candidate in ordered(position)}
            for candidate in found:
                piece = position.cells[candidate.starts[0]]
                met[position.to_move, piece] += 1
                if candidate.turn not in allowed:
                    begun.add(_type(model, piece))
                    missing += 1
            turns += len(found)
            positions += 1
            if not found or turns > ENOUGH:
                break
            position = play(position, dice.choice(found).turn)
    keys = {(machine.mover, machine.piece) for machine in model.machines if begun}
    pieces = frozenset(key for key in keys if _type(model, key[1]) in begun or met[key] < SELDOM)
    return Excluded(missing, turns, positions, pieces)


def _type(model: Model, content: str) -> str:
    """The type of what lies on a square; empty for nothing."""
    return "" if content == EMPTY else model.equipment.pieces[content].type
