"""Positions of the records with their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from grl.model import Goals, Rule
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.decision_list import FEW, Example, Examples
from grl.rules.templates.evaluation import mirror
from grl.rules.templates.positions import position_table

FEWEST_RESULTS = 4
"""Where fewer positions speak for a result that isn't a draw, a rule is provisional."""


class Outcome(Example[PositionCase]):
    """A position with its goals by seat, which are its class; None where the game goes on."""

    @property
    def goals(self) -> Goals | None:
        """What rules should say of it."""
        return self.says


def examples(setting: Setting, data: Sequence[Outcome]) -> Examples[Outcome]:
    """Positions to which endings are held."""
    return Examples(data, partial(position_table, setting))


def asks_turns(rule: Rule) -> bool:
    """Whether an ending asks if a player has a turn, which is expensive to find."""
    return any(literal.feature[0] == "stuck" for literal in rule.body)


def with_doubts(setting: Setting, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules, provisional where few positions speak for them, and for what they say of others.

    Then it may be by chance that the same player does best in all of them, or that several
    literals fit.
    """
    seats = range(len(setting.equipment.players))
    support = {(frozenset(rule.body), rule.value): rule.support for rule in rules}

    def known(rule: Rule) -> int:
        images = [mirror(rule, by, len(seats)) for by in seats]
        said = {(frozenset(each.body), each.value) for each in images if each is not None}
        return max(rule.support, sum(support.get(each, 0) for each in said))

    def needed(rule: Rule) -> int:
        sided = not rule.counted and len(set(rule.value)) > 1
        return max(FEWEST_RESULTS if sided else 0, FEW * len(rule.body))

    return tuple(
        replace(rule, provisional=True) if known(rule) < needed(rule) else rule for rule in rules
    )
