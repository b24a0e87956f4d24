"""A target predicate: all its rows as one goal, and what every search for its rules is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from grl.iggp.bias import head_terms
from grl.iggp.goals import Goal
from grl.iggp.orders import add_orders
from grl.iggp.tables import Bools
from grl.iggp.terms import Key
from grl.iggp.world import World


@dataclass(frozen=True, eq=False)
class Target:
    """`goal` has a row for each state and candidate; `world` is the target's own.

    Relations that are invented for the target are added to its world alone. `step` is called at
    each step of a search.
    """

    world: World
    key: Key
    goal: Goal
    seed: int
    step: Callable[[], None]

    @property
    def arity(self) -> int:
        return self.key[1]

    @property
    def domain(self) -> str:
        """What the relation of candidates is called in the program."""
        return f"{self.world.prefix}_atom_{self.key[0]}"

    def candidate_facts(self) -> str:
        """All candidates, in one line."""
        names = self.world.vocabulary.names
        rows = ([names[int(code)] for code in row] for row in self.world.candidates[self.key])
        return " ".join(
            f"{self.domain}({','.join(row)})." if row else f"{self.domain}." for row in rows
        )

    def rows_of(self, part: Goal, covers: Bools) -> Bools:
        """Rows of a part as rows of the whole target."""
        rows = np.zeros(len(self.goal.rows), dtype=bool)
        rows[part.rows[covers]] = True
        return rows


def make_target(world: World, key: Key, seed: int, step: Callable[[], None]) -> Target:
    """A target of a task, in a world with the orders that it needs."""
    own = replace(world, relations=dict(world.relations), _made={})
    add_orders(own, key)
    candidates = own.targets[key]
    states = np.repeat(np.arange(own.states), len(candidates))
    columns = [np.tile(candidates[:, i], own.states) for i in range(key[1])]
    positive = own.labels[key].ravel()
    goal = Goal(states, columns, positive, head_terms(own, key), np.arange(len(states)))
    return Target(own, key, goal, seed, step)
