"""Divide and conquer: a target learned part by part; what was learned helps with the rest."""

from __future__ import annotations

import numpy as np

from grl.iggp.clauses import clauses_of
from grl.iggp.deadline import Late, until
from grl.iggp.definition import Definition
from grl.iggp.evidence import believed, rule_cost
from grl.iggp.goals import Found, Goal, Solution, total_cost, trimmed, unsolved
from grl.iggp.guards import partition
from grl.iggp.invention import invent
from grl.iggp.level_search import search_levels
from grl.iggp.necessity import necessary
from grl.iggp.sampling import negated
from grl.iggp.specialisation import but_an_exception, specialise
from grl.iggp.states_first import learn_states_first
from grl.iggp.tables import Bools
from grl.iggp.target import Target
from grl.iggp.terms import Const, Equal, Holds, Rule, Var

_ATTEMPTS = 12
_SHARES = (0.3, 0.7, 0.6, 0.5, 0.8, 0.95)
"""What each effort gets of the time that is left."""
_ALIKE = 0.3
"""How much of what is true before or after must be true both times, to learn the two apart."""


def by_argument(goal: Goal) -> list[Goal]:
    """The rows by the values of one argument, rare ones first; all in one part if none is apt.

    The last argument if it has few values, as scores and contents do, or that with the fewest.
    """
    best: tuple[int, int] | None = None
    for i in reversed(range(len(goal.columns))):
        number = len(np.unique(goal.columns[i][goal.positive]))
        if i == len(goal.columns) - 1 and 2 <= number <= 6:
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
        goal.part(
            column == code, goal.positive, (*goal.given, Equal(Var(position), Const(int(code))))
        )
        for code in values[np.argsort(times, kind="stable")]
    ]


def by_persistence(target: Target, goal: Goal) -> list[Goal]:
    """What becomes true and what stays true, where the target is much like what was true before."""
    best: tuple[float, Holds, Bools] | None = None
    positions = tuple(range(target.arity))
    for key, relation in target.world.relations.items():
        if not relation.dynamic or relation.arity != target.arity or not target.arity:
            continue
        literal = Holds(key, positions, tuple(Var(i) for i in positions))
        before = goal.covered(target.world, Rule((), (literal,)))
        common = float((before & goal.positive).sum())
        alike = common / max(float((before | goal.positive).sum()), 1.0)
        if alike >= _ALIKE and (best is None or alike > best[0]):
            best = alike, literal, before
    if best is None or not (goal.positive & ~best[2]).any():
        return []
    _, literal, before = best
    return [
        goal.part(~before, goal.positive, (*goal.given, negated(literal))),
        goal.part(before, goal.positive, (*goal.given, literal)),
    ]


def by_guards(definition: Definition, goal: Goal, late: Late) -> list[Goal]:
    """Parts by literals that together cover what is missing; none if there are no such literals."""
    target = definition.target
    missing = definition.missing()[goal.rows]
    found = partition(target.world, goal, missing, target.seed, late)
    target.step()
    return [goal.part(rows, goal.positive, (*goal.given, literal)) for literal, rows in found]


def learn_parts(
    definition: Definition,
    parts: list[Goal],
    end: float,
    *,
    whole: Solution | None = None,
    lenient: bool = False,
    efforts: int = len(_SHARES),
) -> None:
    """Learn the parts one by one, and again those that resisted while there is progress.

    First lightly and, when that gets no further, by their states, in richer contexts, by
    exceptions, then thoroughly, and by exceptions from rules that cover too much, as far as
    `efforts` go. `whole` is a solution of the whole target that may serve some part; a `lenient`
    learner believes every rule
    that was found directly.
    """
    waiting = list(range(len(parts)))
    effort = 0
    direct: dict[int, Solution] = {}
    for attempt in range(_ATTEMPTS):
        left, waiting = waiting, []
        if effort:
            # What is frequent has more evidence, and what it leaves of the time the others get.
            left.sort(key=lambda number: -int(parts[number].positive.sum()))
        for at, number in enumerate(left):
            part, span = parts[number], until(end)
            if span.begin > end:
                return
            late = span.by(_SHARES[effort] / (len(left) - at))
            if effort == 0:
                known = whole if attempt == 0 else None
                solved = _learn_lightly(definition, part, known, late, lenient)
            elif effort == 1:
                solved = _learn_by_states(definition, part, late, lenient)
            elif effort == 2:
                solved = _learn_richly(definition, part, late, lenient)
            elif effort == 3:
                guard = necessary(definition.target, part, late)
                nothing = unsolved(part)
                solved = but_an_exception(definition, part, guard, nothing, late, levels=(1,))
            elif effort == 4:
                direct[number] = _learn_thoroughly(definition, part, late, lenient)
                solved = definition.settled(part)
            else:
                solved = specialise(definition, part, direct[number], late)
            if solved:
                invent(definition, part)
            else:
                waiting.append(number)
        if not waiting:
            return
        # Each relation that was invented may make easy what was not.
        effort = 0 if len(waiting) < len(left) else effort + 1
        if effort == efforts:
            return


def _learn_lightly(
    definition: Definition, part: Goal, whole: Solution | None, late: Late, lenient: bool
) -> bool:
    """Settle a part by rules of the whole, by what is necessary in it, or by plain rules.

    What is necessary may have an exception, and what covers more is kept as an offer.
    """
    target = definition.target
    if whole is not None and not whole.missing[part.rows].any():
        rules = [found for found in whole.rules if found.covers[part.rows].any()]
        if _settle(definition, part, target.goal, rules, lenient):
            return True
    span = until(late.moment)
    target.step()
    guard = necessary(target, part, span.by(0.3))
    definition.offer(part, guard)
    found = unsolved(part)
    if part.pure(guard.covers):
        cost = rule_cost(target.world, guard.rule)
        found.reserve.append(Found(guard.rule, guard.covers, cost))
    search_levels(definition, part, (0,), span.by(0.6), found, efforts=(False,))
    direct = trimmed(part, found)
    if direct.complete and _settle(definition, part, part, direct.rules, lenient):
        return True
    return but_an_exception(definition, part, guard, unsolved(part), late, levels=(0,))


def _learn_richly(definition: Definition, part: Goal, late: Late, lenient: bool) -> bool:
    """Settle a part by rules of richer contexts, sought quickly."""
    found = unsolved(part)
    search_levels(definition, part, (1,), late, found, efforts=(False,))
    direct = trimmed(part, found)
    return direct.complete and _settle(definition, part, part, direct.rules, lenient)


def _learn_by_states(definition: Definition, part: Goal, late: Late, lenient: bool) -> bool:
    """Settle a part by rules for its states that are extended to its rows."""
    found, span = unsolved(part), until(late.moment)
    learn_states_first(definition.target, part, found, span.by(0.7), late)
    direct = trimmed(part, found)
    return direct.complete and _settle(definition, part, part, direct.rules, lenient)


def _learn_thoroughly(definition: Definition, part: Goal, late: Late, lenient: bool) -> Solution:
    """Learn the rows of one part directly and thoroughly.

    What covers the part but is not believed is kept in case nothing better turns up.
    """
    target = definition.target
    target.step()
    found = unsolved(part)
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
