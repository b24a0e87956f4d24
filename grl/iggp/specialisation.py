"""Closed-world specialisation: a rule that covers too much, but for an exception.

The exception, what the rule covers wrongly, is learned as a target of its own, and the rule denies
the relation invented for it (Bain and Muggleton, Non-monotonic learning, Machine Intelligence 12,
1991).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grl.iggp.clauses import Clause, clause_lines, clauses_of
from grl.iggp.deadline import Late, until
from grl.iggp.definition import Definition
from grl.iggp.evidence import believed, certain
from grl.iggp.goals import Goal, Solution, trimmed, unsolved
from grl.iggp.guards import Guard, guards
from grl.iggp.level_search import search_levels
from grl.iggp.necessity import necessary
from grl.iggp.terms import Rule

_DENIAL = 4.0
"""What it costs to deny an exception."""


def specialise(definition: Definition, part: Goal, direct: Solution, late: Late) -> bool:
    """Settle a part as all that a guard covers, but an exception.

    `direct` are rules for the part that may leave only some of it to the guard.
    """
    target = definition.target
    known = certain_part(part, direct)
    if known.rules and but_an_exception(
        definition, part, everything(part), known, until(late.moment).by(0.3), levels=(0, 1, 2)
    ):
        return True
    guard = necessary(target, part, late)
    definition.offer(part, guard)
    if but_an_exception(definition, part, guard, unsolved(part), late, efforts=(False, True)):
        return True
    if direct.complete:
        direct = unsolved(part)
    for guard in guards(target.world, part, direct.missing, target.seed, late):
        if late():
            break
        if but_an_exception(definition, part, guard, direct, late):
            return True
    return False


def everything(part: Goal) -> Guard:
    """A rule that covers all rows."""
    return Guard(Rule((), part.given), np.ones(len(part.rows), dtype=bool))


def certain_part(part: Goal, solution: Solution) -> Solution:
    """The rules of a solution that nothing better need be sought for; none if they are enough."""
    rules = [found for found in solution.rules if certain(part, found)]
    known = Solution(rules, part.positive.copy())
    for found in rules:
        known.missing &= ~found.covers
    return unsolved(part) if known.complete else known


def but_an_exception(
    definition: Definition,
    part: Goal,
    guard: Guard,
    direct: Solution,
    late: Late,
    levels: Sequence[int] = (0, 1),
    efforts: Sequence[bool] = (False,),
) -> bool:
    """Settle a part by `direct` rules for some of it and a guard, but an exception, for the rest.

    The exception is sought in the contexts of these levels, with these efforts; of what the direct
    rules cover it may cover some.
    """
    target = definition.target
    # What is explained already may be among the exceptions or not.
    inner = part.part(guard.covers & (direct.missing | ~part.positive), ~part.positive, part.given)
    if not inner.positive.any() or inner.positive.all():
        return False
    if (direct.missing & ~guard.covers).any():
        return False
    target.step()
    found = unsolved(inner)
    patient = bool(direct.rules)
    search_levels(definition, inner, levels, late, found, efforts=efforts, patient=patient)
    solution = trimmed(inner, found)
    if not solution.complete:
        return False
    name = definition.fresh_name("except")
    lines = clause_lines(target, clauses_of(target, inner, solution.rules), name)
    if not target.arity:
        lines = [f"#defined {name}/0.", *lines]
    covers = guard.covers.copy()
    for exception in solution.rules:
        covers &= ~part.covered(target.world, exception.rule)
    cost = solution.cost + _DENIAL
    clauses = [
        *clauses_of(target, part, direct.rules),
        Clause(guard.rule, target.rows_of(part, covers), cost, (name,), tuple(lines)),
    ]
    return definition.settle(
        part, clauses, cost + direct.cost, believed=believed(inner, solution.rules)
    )
