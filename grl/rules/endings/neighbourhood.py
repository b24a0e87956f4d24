"""One notion of neighbours for all endings, where the records allow it.

Endings that few positions show are explained as well by neighbours along the diagonals of one
direction as by those along both. Other endings of the game say which it is: a game rarely has two
notions of what touches what.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from grl.logic.ops import OPERATORS
from grl.logic.terms import Sort
from grl.model import Literal, Rule
from grl.rules.endings.outcomes import Outcome
from grl.rules.features.decision_list import Examples

OF_NEIGHBOURS = frozenset(
    name for name, operator in OPERATORS.items() if operator.takes[:1] == (Sort.NEARNESS,)
)
"""Operators that say first who is a neighbour."""


def with_one_notion(data: Examples[Outcome], rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules, with the notion of neighbours that most positions speak for in place of others.

    A rule keeps its own where the rules would say more of `data` wrong.
    """
    speak = Counter[str]()
    for rule in data.counted(rules):
        for notion in set(_notions([literal.feature for literal in rule.body])):
            speak[notion] += rule.support
    if len(speak) < 2:
        return tuple(rules)
    usual = min(speak, key=lambda notion: (-speak[notion], notion))
    found, wrong = tuple(rules), len(data.wrong(rules))
    for number, rule in enumerate(rules):
        body = tuple(Literal(_said(feature, usual), holds) for feature, holds in rule.body)
        tried = (*found[:number], replace(rule, body=body), *found[number + 1 :])
        if body != rule.body and len(data.wrong(tried)) <= wrong:
            found = tried
    return found


def _notions(part: Any) -> Iterator[str]:
    """The notions of neighbours in a feature, or in some."""
    if isinstance(part, list | tuple) and part:
        if part[0] in OF_NEIGHBOURS:
            yield part[1]
        for inner in part:
            yield from _notions(inner)


def _said(part: Any, notion: str) -> Any:
    """A feature, said of other neighbours."""
    if not isinstance(part, tuple) or not part:
        return part
    first, *others = (_said(inner, notion) for inner in part)
    return (first, notion, *others[1:]) if first in OF_NEIGHBOURS else (first, *others)
