"""The plan for one target, and the shares of the time: from cheap searches to desperate ones.

The target is first sought as a whole in cheap contexts. Where that fails or is not believed, it is
learned part by part and by exceptions, what is left of it in rich contexts, and in the end by rules
that are wrong somewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grl.iggp.clauses import Clause, clauses_of
from grl.iggp.deadline import Late, Span, until
from grl.iggp.definition import Definition
from grl.iggp.evidence import believed
from grl.iggp.goals import Goal, Solution, covering, trimmed, unsolved
from grl.iggp.guards import salvage
from grl.iggp.level_search import search_levels
from grl.iggp.parts import by_argument, by_guards, learn_parts
from grl.iggp.specialisation import but_an_exception, everything, specialise
from grl.iggp.target import Target


def learn_target(definition: Definition, end: float) -> None:
    """Let the definition of a target grow until it is complete or the time is over."""
    target = definition.target
    goal = target.goal
    if not goal.positive.any():
        return
    span = until(end)
    parts = by_argument(target)
    found = unsolved(goal)
    search_levels(definition, goal, (0,), span.by(0.15), found)
    poor = 2 * int(found.missing.sum()) > int(goal.positive.sum())
    if poor and target.arity:
        learn_parts(definition, by_guards(definition, span.by(0.4)), span.moment(0.4))
        if definition.complete:
            return
    # Where little is found and there are few parts, these get the time of the next level.
    few = 2 <= len(parts) <= 4
    rich: tuple[int, ...] = (2, 3)
    if few and poor:
        rich = (1, 2, 3)
    else:
        search_levels(definition, goal, (1,), until(end).by(0.12 if few else 0.4), found)
    whole = trimmed(goal, found)
    if whole.complete and believed(goal, whole.rules):
        _accept_whole(definition, parts, whole, end)
        return
    _learn_divided(definition, parts, whole, span)
    if not definition.complete:
        _learn_rest(definition, whole, rich, span.by(0.92))
    if not definition.complete:
        _salvage(definition, Late(end))


def _accept_whole(definition: Definition, parts: list[Goal], whole: Solution, end: float) -> None:
    """Take the rules of the whole, or those of its parts if these are cheaper together."""
    if 2 <= len(parts) <= 6 and len(whole.rules) >= len(parts) and _is_function(definition.target):
        learn_parts(definition, parts, until(end).moment(0.25), lenient=True)
    if not definition.complete or definition.cost > whole.cost:
        definition.clauses = []
        definition.accept(whole.rules)


def _learn_divided(definition: Definition, parts: list[Goal], whole: Solution, span: Span) -> None:
    """Learn by the values of an argument or by exceptions, then by guards."""
    target = definition.target
    goal = target.goal
    if len(parts) > 1:
        learn_parts(definition, parts, span.moment(0.75), whole=whole)
    else:
        if whole.complete:
            clauses = clauses_of(target, goal, whole.rules)
            definition.settle(goal, clauses, whole.cost, believed=False)
        specialise(definition, goal, whole, span.by(0.6))
    if definition.complete:
        return
    late = span.by(0.8)
    if target.arity:
        learn_parts(definition, by_guards(definition, late), late.moment)
    else:
        but_an_exception(definition, goal, everything(goal), unsolved(goal), late, levels=(3, 2))


def _learn_rest(definition: Definition, whole: Solution, levels: Sequence[int], late: Late) -> None:
    """Learn what is missing in contexts of these levels; rules of the whole may serve, too."""
    goal = definition.target.goal
    missing = definition.missing()
    found = Solution([], missing.copy())
    search_levels(definition, goal, levels, late, found)
    found.reserve += covering(whole.rules, missing)
    deep = trimmed(goal, found, missing)
    if deep.complete and believed(goal, deep.rules, int(missing.sum())):
        definition.accept(deep.rules)
    else:
        definition.fall_back(deep)


def _salvage(definition: Definition, late: Late) -> None:
    """Rules that are wrong somewhere, as far as they raise the balanced accuracy."""
    target = definition.target
    target.step()
    for found in salvage(target.world, target.goal, definition.covers(), target.seed, late):
        definition.clauses.append(Clause(found.rule, found.covers, 0.0))


def _is_function(target: Target) -> bool:
    """Whether each choice of the other arguments has one true value of the last, always."""
    candidates = target.world.targets[target.key]
    _, groups = np.unique(candidates[:, :-1], axis=0, return_inverse=True)
    truth = target.world.labels[target.key].astype(np.int64)
    groups = groups.ravel()
    return all((truth[:, groups == g].sum(axis=1) == 1).all() for g in range(groups.max() + 1))
