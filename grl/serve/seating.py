"""Which players a page may name: those of grl, strategies that were uploaded, and people.

Elsewhere a player may be a program in any file; over the page nobody names files of the server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from grl.errors import GrlError
from grl.players import AGENTS
from grl.players.interface import Budget
from grl.players.seats import PERSON, STRATEGY, Seat, seat

MOST_SECONDS = 60.0
"""That a player may think about a turn."""
MOST_NODES = 50_000_000


@dataclass(frozen=True)
class Players:
    """The players of a server; `strategies` gives the file of a strategy by its id, if any."""

    strategies: Callable[[str], Path | None] = lambda _: None

    def named(self, spec: str, *, person: bool = False) -> str:
        """A player as `grl.players.seats` names it; raises `GrlError` for any other text."""
        name, _, rest = spec.strip().partition(":")
        path = self.strategies(rest) if name == STRATEGY else None
        if path is not None:
            return f"{STRATEGY}:{path}"
        known = [*([PERSON] if person else []), *AGENTS]
        if name not in known:
            found = f"there is no player {spec.strip()[:40]!r}"
            raise GrlError(found, expected=f"one of {', '.join(known)}")
        return seat(spec, person=person).spec


def bounded(named: str, stop: Callable[[], bool] | None = None) -> Seat:
    """The player of a name that `Players.named` gave, with a budget that ends."""
    sitting = seat(named)
    budget = sitting.budget
    seconds = MOST_SECONDS if budget.seconds is None else min(budget.seconds, MOST_SECONDS)
    nodes = None if budget.nodes is None else min(budget.nodes, MOST_NODES)
    return replace(sitting, budget=Budget(nodes, seconds, budget.depth, stop))


def seconds_of(named: str) -> float:
    """That the player of a name may think."""
    if named.startswith(f"{STRATEGY}:"):
        return MOST_SECONDS
    return bounded(named).budget.seconds or MOST_SECONDS
