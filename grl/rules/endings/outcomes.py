"""Positions of the records with their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from grl.model import Goals, Rule
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.decision_list import Example, Examples
from grl.rules.templates.positions import position_table


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
