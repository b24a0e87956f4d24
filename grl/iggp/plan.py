"""The plan for one target, and the shares of the time: from cheap searches to desperate ones.

What holds wherever the target is true comes first; it is often the whole rule, and leaves near
misses to tell apart where it is not. Then the target is sought as a whole in cheap contexts. Where
that fails or is not believed, what stays and what changes are learned apart, then the parts of the
target and exceptions, what is left of it in rich contexts, and in the end by rules that are wrong
somewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grl.iggp.clauses import clauses_of
from grl.iggp.deadline import Late, Span, until
from grl.iggp.definition import Definition
from grl.iggp.evidence import believed, rule_cost
from grl.iggp.goals import Found, Goal, Solution, covering, trimmed, unsolved
from grl.iggp.guards import Guard, salvage
from grl.iggp.level_search import search_levels
from grl.iggp.necessity import necessary
from grl.iggp.parts import by_argument, by_guards, by_persistence, learn_parts
from grl.iggp.specialisation import but_an_exception, certain_part, everything, specialise
from grl.iggp.target import Target

_TELLING = 0.5
"""The share of the negative rows that a guard must exclude for the search to keep within it."""


def learn_lightly(definition: Definition, end: float) -> None:
    """Complete the definition if what is necessary, or plain rules, explain the target."""
    goal = definition.target.goal
    span = until(end)
    guard = definition.guard or find_guard(definition, span.by(0.4))
    found = unsolved(goal)
    if goal.pure(guard.covers):
        cost = rule_cost(definition.target.world, guard.rule)
        found.reserve.append(Found(guard.rule, guard.covers, cost))
    search_levels(definition, goal, (0,), Late(end), found, efforts=(False,))
    definition.first = whole = trimmed(goal, found)
    if whole.complete and believed(goal, whole.rules, firmly=True):
        _accept_whole(definition, by_argument(goal), whole, end)


def learn_target(definition: Definition, end: float) -> None:
    """Let the definition of a target grow until it is complete or the time is over."""
    target = definition.target
    goal = target.goal
    span = until(end)
    if definition.first is None:
        learn_lightly(definition, span.moment(0.2))
    if definition.complete:
        return
    guard = definition.guard or find_guard(definition, span.by(0.1))
    whole = definition.first or unsolved(goal)
    if whole.complete and believed(goal, whole.rules):
        found = Solution([], goal.positive.copy(), whole.rules)
        search_levels(definition, goal, (1,), span.by(0.3), found, efforts=(False,))
        _accept_whole(definition, by_argument(goal), trimmed(goal, found), end)
        return
    lasting = by_persistence(target, goal)
    if lasting:
        learn_parts(definition, lasting, span.moment(0.6), whole=whole)
        if definition.complete:
            return
    parts = by_argument(goal)
    if 2 <= len(parts) <= 6 and _is_function(target):
        learn_parts(definition, parts, span.moment(0.6), whole=whole)
        if definition.complete:
            return
    goal, whole = _kept_within(goal, guard, whole)
    _learn_within(definition, goal, whole, until(end))


def find_guard(definition: Definition, late: Late) -> Guard:
    """What covers all of the target: at once the first definition that there is."""
    goal = definition.target.goal
    guard = necessary(definition.target, goal, late)
    definition.guard = guard
    definition.offer(goal, guard)
    return guard


def _kept_within(goal: Goal, guard: Guard, whole: Solution) -> tuple[Goal, Solution]:
    """The rows that a guard leaves, if these are few, and a solution there."""
    if guard.covers[~goal.positive].mean() > 1.0 - _TELLING or goal.pure(guard.covers):
        return goal, whole
    keep = guard.covers
    rules = [replace(found, covers=found.covers[keep]) for found in whole.rules]
    return goal.within(keep, guard.rule.literals), Solution(rules, whole.missing[keep])


def _learn_within(definition: Definition, goal: Goal, whole: Solution, span: Span) -> None:
    """Learn a goal in ever richer contexts, by its parts and by exceptions."""
    target = definition.target
    found = Solution(list(whole.rules), whole.missing.copy())
    whole = _directly_or_not(definition, goal, found, span)
    if definition.complete:
        return
    poor = 2 * int(whole.missing.sum()) > int(goal.positive.sum())
    if poor and target.arity:
        learn_parts(definition, by_guards(definition, goal, span.by(0.55)), span.moment(0.6))
        if definition.complete:
            return
    # Where little is found and there are few parts, these get the time of the next level.
    parts = by_argument(goal)
    few = 2 <= len(parts) <= 4
    rich: tuple[int, ...] = (2, 3)
    if few and poor:
        rich = (1, 2, 3)
    else:
        search_levels(definition, goal, (0, 1), until(span.end).by(0.12 if few else 0.4), found)
    whole = trimmed(goal, found)
    if _accepted(definition, goal, whole):
        return
    _learn_divided(definition, goal, parts, whole, until(span.end))
    if not definition.complete:
        _learn_rest(definition, goal, whole, rich, span.by(0.95))


def _directly_or_not(definition: Definition, goal: Goal, found: Solution, span: Span) -> Solution:
    """Learn a goal quickly by rules for what is positive, and by those for what is not.

    The fewer rows come first. What is true of all of a state is hard to say but as an exception.
    """
    fewer = 2 * int(goal.positive.sum()) <= len(goal.rows)
    for turn, direct in enumerate((fewer, not fewer)):
        late = span.by((0.25, 0.45)[turn])
        if direct:
            search_levels(definition, goal, (1,), late, found, efforts=(False,))
            whole = trimmed(goal, found)
            if _accepted(definition, goal, whole, firmly=True):
                break
        elif goal.given or not definition.target.arity:
            known, half = certain_part(goal, trimmed(goal, found)), until(late.moment).by(0.5)
            if known.rules and but_an_exception(
                definition, goal, everything(goal), known, half, levels=(0, 1, 2)
            ):
                break
            if but_an_exception(definition, goal, everything(goal), unsolved(goal), late):
                break
    whole = trimmed(goal, found)
    if not definition.complete:
        _accepted(definition, goal, whole)
    return whole


def _accepted(definition: Definition, goal: Goal, whole: Solution, *, firmly: bool = False) -> bool:
    """Take a solution as the definition if it is believed."""
    if not whole.complete or not believed(goal, whole.rules, firmly=firmly):
        return False
    definition.clauses = []
    definition.accept(goal, whole.rules)
    return True


def _accept_whole(definition: Definition, parts: list[Goal], whole: Solution, end: float) -> None:
    """Take the rules of the whole, or those of its parts if these are cheaper together."""
    if 2 <= len(parts) <= 6 and len(whole.rules) >= len(parts) and _is_function(definition.target):
        learn_parts(definition, parts, until(end).moment(0.25), lenient=True)
    if not definition.complete or definition.cost > whole.cost:
        definition.clauses = []
        definition.accept(definition.target.goal, whole.rules)


def _learn_divided(
    definition: Definition, goal: Goal, parts: list[Goal], whole: Solution, span: Span
) -> None:
    """Learn by the values of an argument or by exceptions, then by guards."""
    target = definition.target
    if len(parts) > 1:
        known = Solution(
            [replace(found, covers=target.rows_of(goal, found.covers)) for found in whole.rules],
            target.rows_of(goal, whole.missing),
        )
        learn_parts(definition, parts, span.moment(0.75), whole=known)
    else:
        if whole.complete:
            clauses = clauses_of(target, goal, whole.rules)
            definition.settle(goal, clauses, whole.cost, believed=False)
        specialise(definition, goal, whole, span.by(0.6))
    if definition.complete:
        return
    late = span.by(0.8)
    guard = necessary(target, goal, late)
    if target.arity:
        learn_parts(definition, by_guards(definition, goal, late), late.moment)
    if not definition.complete:
        but_an_exception(definition, goal, guard, unsolved(goal), late, levels=(3, 2))


def _learn_rest(
    definition: Definition, goal: Goal, whole: Solution, levels: Sequence[int], late: Late
) -> None:
    """Learn what is missing in contexts of these levels; rules of the whole may serve, too."""
    missing = definition.missing()[goal.rows]
    found = Solution([], missing.copy())
    search_levels(definition, goal, levels, late, found)
    found.reserve += covering(whole.rules, missing)
    deep = trimmed(goal, found, missing)
    if deep.complete and believed(goal, deep.rules, int(missing.sum())):
        definition.accept(goal, deep.rules)
    else:
        definition.fall_back(goal, deep)


def salvage_rest(definition: Definition, late: Late) -> None:
    """Rules that are wrong somewhere, as far as they raise the balanced accuracy."""
    target = definition.target
    target.step()
    for found in salvage(target.world, target.goal, definition.covers(), target.seed, late):
        definition.offer(target.goal, found)
    definition.take_offers()


def _is_function(target: Target) -> bool:
    """Whether each choice of the other arguments has one true value of the last, always."""
    candidates = target.world.targets[target.key]
    _, groups = np.unique(candidates[:, :-1], axis=0, return_inverse=True)
    truth = target.world.labels[target.key].astype(np.int64)
    groups = groups.ravel()
    return all((truth[:, groups == g].sum(axis=1) == 1).all() for g in range(groups.max() + 1))
