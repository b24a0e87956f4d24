"""Predicate invention: what was learned of a target becomes a relation that bodies may use."""

from __future__ import annotations

import numpy as np

from grl.iggp.clauses import clause_lines
from grl.iggp.definition import Definition
from grl.iggp.goals import Goal
from grl.iggp.world import Relation


def invent(definition: Definition, part: Goal) -> None:
    """Make what was named before, together with this part, a relation for further bodies."""
    target = definition.target
    goal, world = target.goal, target.world
    named = definition.named | target.rows_of(part, part.positive)
    name = definition.fresh_name("part")
    if (named & ~definition.covers()).any():
        return
    definition.named = named
    inside = [c for c in definition.clauses if not (c.covers & ~named).any()]
    inside = [c for c in inside if (c.covers & named).any()]
    rows = np.flatnonzero(named)
    definition.add_relation(
        Relation(
            name,
            target.arity,
            True,
            np.stack([goal.states[rows], *(column[rows] for column in goal.columns)], axis=1),
            world.states,
            world.vocabulary,
            tuple(clause_lines(target, inside, name)),
            cost=1.0,
        )
    )
