"""Players of any game, learned or written by hand, behind one interface."""

from collections.abc import Callable, Mapping

from grl.errors import GrlError
from grl.players.chance import Chance
from grl.players.interface import Agent, Evaluation
from grl.players.minimax import Search
from grl.players.solver import Solver
from grl.players.swift import Swift
from grl.players.uct import Uct

AGENTS: Mapping[str, Callable[[Evaluation | None], Agent]] = {
    "random": lambda _: Chance(),
    "negamax": lambda evaluation: Search(evaluation, False, False, False, True, False),
    "alphabeta": lambda evaluation: Search(evaluation, True, False, False, True, False),
    "mtdf": lambda evaluation: Search(evaluation, zero_window=evaluation is None),
    "uct": lambda evaluation: Uct(evaluation=evaluation),
    "swift": lambda evaluation: Swift(evaluation=evaluation, zero_window=evaluation is None),
    "solver": lambda evaluation: Solver(evaluation=evaluation),
}
"""Players by name, each made with an evaluation or none; chance has no use for one.

With an evaluation the search of `mtdf` and `swift` has a whole window: of so many values
MTD(f) would find the right one in many passes."""


def agent(name: str, evaluation: Evaluation | None = None) -> Agent:
    """The player of a name; raises `GrlError` where there is none."""
    make = AGENTS.get(name)
    if make is None:
        raise GrlError(f"there is no player {name!r}", expected=f"one of {', '.join(AGENTS)}")
    return make(evaluation)
