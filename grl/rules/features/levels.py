"""Restrictions that ask which turns others leave, and the levels that this divides rules into.

Whether a player has a turn left after a turn, and what turns would take or reach, is asked of the
restrictions that come before the first one that asks so: that is the first level, and the
restrictions from there on are the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grl.logic.ops import OPERATORS
from grl.logic.ops.sets import BOTH, EITHER
from grl.logic.terms import Term
from grl.model import Feature, Rule
from grl.rules.features.terms import TERM_TEMPLATES, terms_in

MOMENTS: Final = frozenset({"before", "after", "midway"})
"""Features of turns that ask something of a position."""


def asks(feature: Feature) -> bool:
    """Whether a feature of turns asks for the turns that a position has."""
    if feature[0] in ("after", "midway") and feature[1][0] == "stuck":
        return True
    if feature[0] in TERM_TEMPLATES:
        return any(term.leveled for term in terms_in(feature))
    return any(isinstance(inner, tuple) and inner and asks(inner) for inner in feature[1:])


def at_level(feature: Feature, level: int) -> Feature:
    """A feature that asks for players' turns, asked of those of another level."""
    if feature[0] in OPERATORS and OPERATORS[feature[0]].asks:
        return (*feature[:-1], level)
    return tuple(at_level(x, level) if isinstance(x, tuple) and x else x for x in feature)


def wider(feature: Feature) -> Feature | None:
    """What holds of all pseudo-legal turns wherever a feature does that asks for turns of level 1.

    None where that isn't sure: where such turns stand for what is not to be.
    """
    if feature[0] in MOMENTS:
        inner = wider(feature[1])
        return None if inner is None else (feature[0], inner)
    if feature[0] != "some" or not all(map(_grows, terms_in(feature))):
        return None
    return at_level(feature, 0)


def _grows(term: Term) -> bool:
    """Whether a term denotes more where more turns are asked for."""
    inner = [each for each in term.arguments if isinstance(each, Term)]
    if term.operator in (BOTH, EITHER):
        return all(map(_grows, inner))
    return term.operator.asks or not term.leveled


def asking(rule: Rule) -> bool:
    """Whether a restriction belongs to the second level by what it says itself."""
    return any(asks(literal.feature) for literal in rule.body)


def first_level(rules: Sequence[Rule]) -> Sequence[Rule]:
    """The restrictions that all who ask for turns are answered by."""
    end = next((number for number, rule in enumerate(rules) if asking(rule)), len(rules))
    return rules[:end]
