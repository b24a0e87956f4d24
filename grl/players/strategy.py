"""A player by a strategy: an answer set program that says of a turn what is bad about it.

The program is given the facets of one turn as facts (`grl.players.facets`); what the turn costs is
the least cost of its answer sets by its weak constraints, the highest level first. Played is a turn
of least cost, by chance among equal ones; turns for which there is no answer set come last. Learned
strategies are such programs (`grl.players.preferences`), and so is anything else that clingo reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from grl.engine.engine import State
from grl.errors import GrlError, Place
from grl.inputs import read_bounded
from grl.las.clock import Clock, grounded, search
from grl.las.programs import defined, used
from grl.las.task import TaskError
from grl.las.tokens import check_text
from grl.players.facets import FACETS, Outlook, fact_text
from grl.players.interface import Answer, Budget, Game, Meter, Spent, check_going_on
from grl.players.ordering import named

MOST_BYTES = 2**20
REMEMBERED = 65_536
"""Costs that are remembered, by what is said of turns: the same is said of many."""

Costs = tuple[tuple[int, int], ...]
"""Levels, the highest first, each with a cost."""


@dataclass(frozen=True)
class Strategy:
    """A player by a program; `wanted` are the facets that it asks for."""

    program: str
    wanted: tuple[str, ...]

    def choose(self, game: Game, state: State, budget: Budget, seed: int = 0) -> Answer:
        """See `grl.players.interface.Agent`; a node is a turn that is looked at."""
        best, meter = self.best(game, state, budget)
        _, number = Random(f"{seed} {state.cells}").choice(best)
        turn = state.turns()[number]
        return Answer(number, turn, 0, False, (turn,), meter.nodes, meter.seconds, 0)

    def best(self, game: Game, state: State, budget: Budget) -> tuple[list[tuple[str, int]], Meter]:
        """The turns of least cost by name and number; of those that the budget allows to look at,
        the first at least."""
        check_going_on(state)
        meter = Meter(budget, free=1)
        outlook = Outlook(game, state)
        judged: list[tuple[Costs | None, tuple[str, int]]] = []
        try:
            for name, number in named(state):
                if judged:
                    meter.check()
                meter.count()
                judged.append((self.costs(outlook, number), (name, number)))
        except Spent:
            pass
        levels = sorted({level for costs, _ in judged for level, _ in costs or ()}, reverse=True)
        ranked = [(_rank(costs, levels), each) for costs, each in judged]
        least = min(rank for rank, _ in ranked)
        return [each for rank, each in ranked if rank == least], meter

    def costs(self, outlook: Outlook, number: int) -> Costs | None:
        """What a turn costs; None where there is no answer set."""
        facts = outlook.facts(number, self.wanted)
        return _costs(self.program, " ".join(fact_text(*each) for each in facts.items()))


def _rank(costs: Costs | None, levels: Sequence[int]) -> tuple[bool, tuple[int, ...]]:
    """The smaller, the better."""
    known = dict(costs or ())
    return costs is None, tuple(known.get(level, 0) for level in levels)


@lru_cache(maxsize=REMEMBERED)
def _costs(program: str, facts: str) -> Costs | None:
    ctl = grounded(f"{program}\n{facts}", "--models=0", "--opt-mode=opt")
    found: list[Costs] = []
    search(
        ctl,
        Clock(),
        lambda model: found.append(tuple(zip(model.priority, model.cost, strict=True))),
    )
    return found[-1] if found else None


def read_strategy(path: Path) -> Strategy:
    """The player whose program is in a file. Raises `GrlError`, with the line if there is one."""
    try:
        return strategy_of(read_bounded(path, MOST_BYTES).decode("utf-8-sig"))
    except OSError as error:
        raise GrlError(error.strerror or str(error), place=Place(file=str(path))) from None
    except UnicodeDecodeError:
        raise GrlError("not text in UTF-8", place=Place(file=str(path))) from None
    except GrlError as error:
        raise error.at(file=str(path)) from None


def strategy_of(program: str) -> Strategy:
    """The player of a program.

    Raises `GrlError` for what is no program, for one that reaches outside itself, and for one that
    asks of turns what no facet is.
    """
    check_text(program, None)
    grounded(program)
    wanted = []
    known = defined(program)
    facets = {f"{name}/{0 if facet.flag else 1}": name for name, facet in FACETS.items()}
    for signature in sorted(used(program) - known):
        if signature not in facets:
            raise TaskError(
                f"a strategy asks for {signature}, which nothing says of a turn",
                expected=f"one of {', '.join(facets)}, or a rule for it",
            )
        wanted.append(facets[signature])
    return Strategy(program, tuple(wanted))
