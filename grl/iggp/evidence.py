"""What rules cost, and how much evidence bears them: a rule is believed if it pays for itself.

Both are counted in bits, as in the minimum description length principle: a positive row that a
rule covers, while it covers no negative one, is worth its surprise.
"""

from __future__ import annotations

from collections.abc import Iterable

from grl.iggp.goals import Found, Goal
from grl.iggp.terms import (
    Apply,
    Between,
    Const,
    Count,
    Equal,
    Holds,
    Rule,
    Term,
    Var,
    subterms,
    terms_of,
)
from grl.iggp.world import World

_TERMS: dict[type, float] = {Var: 0.0, Apply: 1.0, Count: 2.0, Between: 3.0}

_BITS = 1.5
"""How much evidence rules need for each unit of their cost, in bits, to be believed."""

_FIRM = 3.0
"""How much so that nothing cheaper need be sought."""

_CERTAIN = 4.0
"""How much one rule needs so that what it covers is left out of the search for others."""


def rule_cost(world: World, rule: Rule) -> float:
    """Literals, the terms that they need, constants, and generators."""
    left: list[Term] = []
    cost = 2.0 * len(rule.generators)
    for literal in rule.literals:
        cost += 1.0 if literal.positive else 1.5
        if isinstance(literal, Equal) and literal.positive:
            cost -= 0.5
        left.extend(terms_of(literal))
        if isinstance(literal, Holds):
            cost += 0.25 * len(literal.positions) + world.relations[literal.relation].choice
    for generator in rule.generators:
        left.extend(generator.arguments)
        cost += world.relations[generator.relation].choice
    for term in subterms(left):
        if isinstance(term, Const):
            cost += world.constant_cost(term.code)
        else:
            cost += _TERMS[type(term)]
    return cost


def certain(goal: Goal, found: Found) -> bool:
    """Whether a rule by itself covers so much for its cost that nothing better need be sought."""
    return int(found.covers.sum()) * goal.bits >= _CERTAIN * found.cost


def believed(
    goal: Goal, rules: Iterable[Found], number: int | None = None, *, firmly: bool = False
) -> bool:
    """Whether rules cost so little for the `number` positive rows that chance won't have made them.

    Without a number they cover all positive rows of the goal. Where there are no others, there is
    nothing to tell apart. What is believed `firmly` is not
    likely to be had for less.
    """
    if goal.positive.all():
        return True
    number = int(goal.positive.sum()) if number is None else number
    return (_FIRM if firmly else _BITS) * sum(found.cost for found in rules) <= number * goal.bits
