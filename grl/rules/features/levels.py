"""Restrictions that ask which turns others leave, and the levels that this divides rules into.

Whether a player has a turn left after a turn, and what turns would take or reach, is asked of the
restrictions that come before the first one that asks so: that is the first level, and the
restrictions from there on are the second.
"""

from __future__ import annotations

from collections.abc import Sequence

from grl.model import Feature, Rule
from grl.rules.features.terms import TERM_TEMPLATES, terms_in


def asks(feature: Feature) -> bool:
    """Whether a feature of turns asks for the turns that a position has."""
    if feature[0] in ("after", "midway") and feature[1][0] == "stuck":
        return True
    if feature[0] in TERM_TEMPLATES:
        return any(term.leveled for term in terms_in(feature))
    return any(isinstance(inner, tuple) and inner and asks(inner) for inner in feature[1:])


def asking(rule: Rule) -> bool:
    """Whether a restriction belongs to the second level by what it says itself."""
    return any(asks(literal.feature) for literal in rule.body)


def first_level(rules: Sequence[Rule]) -> Sequence[Rule]:
    """The restrictions that all who ask for turns are answered by."""
    end = next((number for number, rule in enumerate(rules) if asking(rule)), len(rules))
    return rules[:end]
