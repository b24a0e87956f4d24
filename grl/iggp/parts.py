"""Divide and conquer: a target learned part by part; what was learned helps with the rest."""

from __future__ import annotations

import numpy as np

from grl.iggp.clauses import clauses_of
from grl.iggp.deadline import Late, until
from grl.iggp.definition import Definition
from grl.iggp.evidence import believed
from grl.iggp.goals import Found, Goal, Solution, total_cost, trimmed, unsolved
from grl.iggp.guards import partition
from grl.iggp.invention import invent
from grl.iggp.level_search import search_levels
from grl.iggp.specialisation import specialise
from grl.iggp.states_first import learn_states_first
from grl.iggp.target import Target
from grl.iggp.terms import Const, Equal, Var

_ATTEMPTS = 6


def by_argument(target: Target) -> list[Goal]:
    """The rows by the values of one argument, rare ones first; all in one part if none is apt.

    The last argument if it has few values, as scores and contents do, or that with the fewest.
    """
    goal = target.goal
    best: tuple[int, int] | None = None
    for i in reversed(range(target.arity)):
        number = len(np.unique(goal.columns[i][goal.positive]))
        if i == target.arity - 1 and 2 <= number <= 6:
            best = number, i
            break
        if 2 <= number <= 12 and (best is None or number < best[0]):
            best = number, i
    if best is None:
        return [goal]
    position = best[1]
    column = goal.columns[position]
    values, times = np.unique(column[goal.positive], return_counts=True)
    return [
        goal.part(column == code, goal.positive, (Equal(Var(position), Const(int(code))),))
        for code in values[np.argsort(times, kind="stable")]
    ]


def by_guards(definition: Definition, late: Late) -> list[Goal]:
    """Parts by literals that together cover what is missing; none if there are no such literals."""
    target = definition.target
    world, goal = target.world, target.goal
    found = partition(world, goal, definition.missing(), target.seed, late)
    target.step()
    return [goal.part(rows, goal.positive, (literal,)) for literal, rows in found]


def learn_parts(
    definition: Definition,
    parts: list[Goal],
    end: float,
    *,
    whole: Solution | None = None,
    lenient: bool = False,
) -> None:
    """Learn the parts one by one, and again those that resisted while there is progress.

    First directly and, when that gets no further, as everything but an exception. `whole` is a
    solution of the whole target that may serve some part; a `lenient` learner believes every rule
    that was found directly.
    """
    waiting = list(range(len(parts)))
    direct: dict[int, Solution] = {}
    fresh = True
    for attempt in range(_ATTEMPTS):
        left, waiting = waiting, []
        for at, number in enumerate(left):
            part, span = parts[number], until(end)
            if span.begin > end:
                return
            late = span.by((0.9 if fresh else 0.8) / (len(left) - at))
            if fresh:
                known = whole if attempt == 0 else None
                direct[number] = _learn_directly(definition, part, known, late, lenient)
                solved = definition.settled(part)
            else:
                solved = specialise(definition, part, direct[number], late)
            if solved:
                invent(definition, part)
            else:
                waiting.append(number)
        progress = len(waiting) < len(left)
        if not waiting or not (progress or fresh):
            return
        fresh = progress


def _learn_directly(
    definition: Definition, part: Goal, whole: Solution | None, late: Late, lenient: bool
) -> Solution:
    """Learn the rows of one part directly, by rules of the whole where these cover it.

    What covers the part but is not believed is kept in case nothing better turns up.
    """
    target = definition.target
    span = until(late.moment)
    target.step()
    if whole is not None and not whole.missing[part.rows].any():
        rules = [found for found in whole.rules if found.covers[part.rows].any()]
        if _settle(definition, part, target.goal, rules, lenient):
            return Solution(rules, np.zeros_like(part.positive))
    found = unsolved(part)
    learn_states_first(target, part, found, span.by(0.5), span.by(0.75))
    search_levels(definition, part, (0, 1), late, found)
    direct = trimmed(part, found)
    if direct.complete:
        _settle(definition, part, part, direct.rules, lenient)
    return direct


def _settle(
    definition: Definition, part: Goal, within: Goal, rules: list[Found], lenient: bool
) -> bool:
    """Settle a part by rules that were found within another, if they are believed."""
    clauses = clauses_of(definition.target, within, rules)
    sure = lenient or believed(part, rules)
    return definition.settle(part, clauses, total_cost(rules), believed=sure)
