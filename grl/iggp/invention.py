"""Predicate invention: what was learned of a target becomes a relation that bodies may use."""

from __future__ import annotations

import numpy as np

from grl.iggp.clauses import clause_lines, covered_by
from grl.iggp.definition import Definition
from grl.iggp.goals import Goal
from grl.iggp.world import Relation


def invent(definition: Definition, part: Goal) -> None:
    """Make what was named before, together with this part, a relation for further bodies."""
    target = definition.target
    goal, world = target.goal, target.world
    definition.named |= target.rows_of(part, part.positive)
    named = definition.named
    name = definition.fresh_name("part")
    # A clause that covers further rows, too, can't define what is named now; perhaps later.
    inside = [c for c in definition.clauses if not (c.covers & ~named).any()]
    inside = [c for c in inside if (c.covers & named).any()]
    if (named & ~covered_by(target, inside)).any():
        return
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
