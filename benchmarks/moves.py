"""How fast the two searches, readable and compiled, give the pseudo-legal turns of learned models.

Processor seconds of one core; what else the machine does moves the figures by some tenths.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from generator import learned

from grl.board import Position
from grl.fresh import fresh_positions
from grl.games import load
from grl.model import Model
from grl.moves.compiled import CompiledSearcher
from grl.moves.search import Searcher

GAMES: tuple[tuple[str, int, int | None], ...] = (
    ("checkers", 50, None),
    ("connect-four", 20, None),
    ("amazons:width=6,height=6", 3, None),
    ("chess-bt", 20, 200),
    ("nine-mens-morris", 20, 200),
    ("breakthrough", 20, None),
)
"""The game, how many plays are learned from, and after how many plies they break off."""

BEFORE, MEASURED = 600, 200
"""Positions that trees grow from, and those that are measured."""
REPEATS = 3


def rows() -> Iterator[tuple[str, str, str]]:
    """A line for each game, positions a second: reference, trees that grow, grown trees."""
    heads = ("readable", "trees grow", "grown", "again")
    yield (
        f"{MEASURED} positions, positions/s",
        "".join(f"{head:>12}" for head in heads),
        "turns a position, turns/s: readable, grown",
    )
    for spec, plays, plies in GAMES:
        game = load(spec)
        model = learned(f"moves-{spec}", game, plays, plies)
        met = (position for position, turns in fresh_positions(game, BEFORE + MEASURED, 0) if turns)
        positions = [
            replace(position, equipment=model.equipment)
            for position in islice(met, BEFORE + MEASURED)
        ]
        yield spec, *_measured(model, positions[:BEFORE], positions[BEFORE:])


def _measured(model: Model, before: list[Position], measured: list[Position]) -> tuple[str, str]:
    turns = sum(len(Searcher(model).candidates(position)) for position in measured)
    readable = min(_seconds(Searcher(model), measured) for _ in range(REPEATS))
    growing = min(_seconds(CompiledSearcher(model), measured) for _ in range(REPEATS))
    grown = []
    for _ in range(REPEATS):
        searcher = CompiledSearcher(model)
        _seconds(searcher, before)
        grown.append(_seconds(searcher, measured))
    again = min(_seconds(searcher, measured) for _ in range(REPEATS))
    figures = (readable, growing, min(grown), again)
    n = len(measured)
    return (
        "".join(f"{n / seconds:>12,.0f}" for seconds in figures),
        f"{turns / n:.0f}, {turns / readable:,.0f}, {turns / min(grown):,.0f}",
    )


def _seconds(searcher: Searcher | CompiledSearcher, positions: list[Position]) -> float:
    began = time.process_time()
    for position in positions:
        searcher.candidates(position)
    return time.process_time() - began
