"""A player who solves: on bit boards where a learned model has such a form, by search elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from grl.engine.engine import Engine, State
from grl.players.dropline import BitBoard, form_of_engine
from grl.players.interface import WIN, Answer, Budget, Evaluation, Game, check_going_on
from grl.players.ordering import named
from grl.players.swift import Swift

GLANCE = 20_000
"""Nodes that a search may take before a bit board is asked, and without time for more."""


@dataclass(frozen=True)
class Solver:
    """Asks a search for what is near, and a bit board for the rest.

    `entries` are what the bit board's table holds; the search has the `evaluation`.
    """

    entries: int = 1 << 22
    evaluation: Evaluation | None = None

    def choose(self, game: Game, state: State, budget: Budget, seed: int = 0) -> Answer:
        """See `grl.players.interface.Agent`."""
        check_going_on(state)
        began = time.perf_counter()
        swift = Swift(evaluation=self.evaluation, zero_window=self.evaluation is None)
        form = form_of_engine(game) if isinstance(game, Engine) else None
        if form is None:
            return swift.choose(game, state, budget, seed)
        nodes = GLANCE if budget.nodes is None else min(GLANCE, budget.nodes // 4)
        seconds = None if budget.seconds is None else budget.seconds / 4
        first = swift.choose(game, state, replace(budget, nodes=nodes, seconds=seconds), seed)
        cells = form.seen(state)
        if first.proven or budget.depth is not None:
            return first
        bits = BitBoard(form, self.entries)
        if bits.lined(cells):
            return first

        def rest() -> Budget:
            return _rest(budget, first.nodes + bits.nodes, time.perf_counter() - began)

        number = None
        wanted = bits.score(cells, rest())
        if wanted is not None:
            number = _reaching(wanted, bits, state, rest, seed)
        spent = first.nodes + bits.nodes
        seconds = time.perf_counter() - began
        if number is None or wanted is None:
            return replace(first, nodes=spent, seconds=seconds)
        turn = state.turns()[number]
        plies = bits.plies(cells, wanted)
        if plies is None:
            empty = cells.count(0)
            return Answer(number, turn, 0, True, (turn,), spent, seconds, empty)
        value = WIN - plies if wanted > 0 else plies - WIN
        return Answer(number, turn, value, True, (turn,), spent, seconds, plies)


def _reaching(
    wanted: int, bits: BitBoard, state: State, rest: Callable[[], Budget], seed: int
) -> int | None:
    """The number of a turn that leads to a score; None where the budget was spent before."""
    turns = named(state)
    Random(seed).shuffle(turns)
    for _, number in turns:
        after = state.play(number)
        if after.over:
            continue
        found = bits.score(bits.form.seen(after), rest(), -wanted, 1 - wanted)
        if found is not None and found <= -wanted:
            return number
    return None


def _rest(budget: Budget, nodes: int, seconds: float) -> Budget:
    """What is left of a budget after so much was spent."""
    return replace(
        budget,
        nodes=None if budget.nodes is None else budget.nodes - nodes,
        seconds=None if budget.seconds is None else budget.seconds - seconds,
    )
