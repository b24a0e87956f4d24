"""One context after another, until rules that cover everything are believed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from grl.iggp.bias import Context
from grl.iggp.context_search import search_context
from grl.iggp.deadline import Late
from grl.iggp.definition import Definition
from grl.iggp.evidence import believed
from grl.iggp.goals import Goal, Solution, trimmed
from grl.iggp.target import Target

_FEW = 2


def search_levels(
    definition: Definition,
    goal: Goal,
    levels: Sequence[int],
    late: Late,
    solution: Solution,
    *,
    efforts: Sequence[bool] = (False, True),
    patient: bool = False,
) -> None:
    """Let a solution grow in the contexts of these levels: quickly in all, then thoroughly.

    Ends with the context after which the solution is believed firmly or, if the search is not
    `patient`, with the level after which nothing is missing.
    """
    definition.begin(goal, solution)
    if goal.positive.all() and _settled(goal, solution):
        return
    target = definition.target
    contexts = definition.contexts()
    for thorough, level in product(efforts, levels):
        here = [context for context in contexts if context.level == level]
        if search_contexts(target, goal, here, late, solution, thorough=thorough):
            return
        if not patient and not solution.all_missing().any():
            return


def search_contexts(
    target: Target,
    goal: Goal,
    contexts: Iterable[Context],
    late: Late,
    solution: Solution,
    *,
    thorough: bool,
) -> bool:
    """Let a solution grow in these contexts; whether it came to be believed firmly."""
    for context in contexts:
        if late():
            return False
        search_context(target.world, goal, context, late, target.seed, solution, thorough=thorough)
        target.step()
        # Several rules of the plainest context may be one of the next.
        if _settled(goal, solution, few=context.depth == 1 and context.level == 0):
            return True
    return False


def _settled(goal: Goal, solution: Solution, *, few: bool = False) -> bool:
    """Whether all is covered, the reserve counted in, by (few) rules that are believed firmly."""
    if solution.all_missing().any():
        return False
    rules = trimmed(goal, solution).rules
    return believed(goal, rules, firmly=True) and (not few or len(rules) <= _FEW)
