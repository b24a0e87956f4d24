"""First rules for the states in which anything of a part is true, then for what is true there."""

from __future__ import annotations

from itertools import takewhile

import numpy as np

from grl.iggp.bias import Context
from grl.iggp.context_search import search_context
from grl.iggp.contexts import contexts_in_order
from grl.iggp.deadline import Late
from grl.iggp.goals import Goal, Solution, trimmed, unsolved
from grl.iggp.level_search import search_contexts
from grl.iggp.target import Target
from grl.iggp.terms import shifted


def learn_states_first(
    target: Target, part: Goal, solution: Solution, late: Late, then: Late
) -> None:
    """Let the solution of a part grow by rules that extend rules about its states.

    Rules for states are searched for until it is `late`, for what is true there until `then`.
    Nothing is done where something of the part is true in every state.
    """
    world, seed = target.world, target.seed
    some = np.zeros(world.states, dtype=bool)
    some[part.states[part.positive]] = True
    if some.all():
        return
    states = np.arange(world.states)
    outer = Goal(states, [], some, [], states)
    found = unsolved(outer)
    contexts = list(takewhile(lambda context: context.level <= 1, contexts_in_order(world, [])))
    for thorough in (False, True):
        if search_contexts(target, outer, contexts, late, found, thorough=thorough):
            break
    found = trimmed(outer, found)
    target.step()
    for rule in (shifted(f.rule, target.arity) for f in found.rules):
        context = Context(rule.generators, rule.literals)
        search_context(world, part, context, then, seed, solution)
