"""A wider vocabulary: relations made of those of the file, kept where they help.

They are many, and most say nothing of a target, so that a search has them only when plain rules
did not explain it; those that no rule came to use are taken out again.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

import numpy as np

from grl.iggp.connections import connections
from grl.iggp.contexts import contexts_in_order
from grl.iggp.deadline import until
from grl.iggp.definition import Definition
from grl.iggp.evidence import certain
from grl.iggp.goals import Found
from grl.iggp.lines import lines
from grl.iggp.parts import by_argument, by_persistence, learn_parts
from grl.iggp.plan import learn_lightly
from grl.iggp.tallies import tallies
from grl.iggp.text import used_relations


def widen(definition: Definition, end: float) -> None:
    """Learn a target with relations that are made for it; keep those that rules use."""
    world, goal = definition.target.world, definition.target.goal
    made = {(r.name, r.arity): r for r in [*connections(world), *lines(world), *tallies(world)]}
    if not made:
        return
    choice = 0.5 * float(np.log2(len(made) + 1))
    for relation in made.values():
        relation.choice = choice
        definition.add_relation(relation)
    # With free variables there are so many bodies that chance finds some.
    plain = takewhile(lambda context: context.level == 0, contexts_in_order(world, goal.base))
    definition.search_in([replace(context, results=True) for context in plain])
    span = until(end)
    learn_lightly(definition, span.moment(0.5))
    for parts in (by_persistence(definition.target, goal), by_argument(goal)):
        if not definition.complete and len(parts) > 1:
            learn_parts(definition, parts, end, whole=definition.first, efforts=1)
    clauses = definition.clauses
    if not definition.sure:
        clauses = [c for c in clauses if certain(goal, Found(c.rule, c.covers, c.cost))]
        definition.forget()
    used = {key for clause in clauses for key in used_relations(clause.rule)}
    definition.remove_relations(set(made) - used)


__all__ = ["widen"]
