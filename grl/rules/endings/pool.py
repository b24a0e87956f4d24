"""What endings are learned from: features with their prices, and positions with their goals.

Of features whose columns are equal or opposite on all positions one is an atom, the cheapest;
features that are the same everywhere are none. Positions that agree in all atoms and in their
goals are one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from grl.logic.grid import Bools
from grl.model import Feature, Goals, Literal, Rule
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.vocabulary import NEGATION, Priced
from grl.rules.templates.positions import position_table


@dataclass(frozen=True)
class Pool:
    """Features and positions; `goals`, by seat from the player to move, are None where the game
    went on."""

    setting: Setting
    features: tuple[Priced, ...]
    cases: tuple[PositionCase, ...]
    goals: tuple[Goals | None, ...]

    @cached_property
    def prices(self) -> dict[Feature, float]:
        """What each feature costs; one that is offered twice has its lower price."""
        found: dict[Feature, float] = {}
        for feature, cost in self.features:
            found[feature] = min(cost, found.get(feature, cost))
        return found

    @cached_property
    def classes(self) -> tuple[Goals, ...]:
        """The goals that there are, in order."""
        return tuple(sorted({goals for goals in self.goals if goals is not None}))

    @cached_property
    def table(self) -> Bools:
        """Where each feature holds, positions x features."""
        return position_table(self.setting, self.cases, [each.feature for each in self.features])


def price(literal: Literal, prices: dict[Feature, float]) -> float:
    """What a literal costs. Raises `KeyError` for a feature that there is no price of."""
    return prices[literal.feature] + (0.0 if literal.holds else NEGATION)


def pool_of(
    setting: Setting,
    features: Sequence[Priced],
    rules: Sequence[Rule],
    known: dict[Feature, float],
    positions: Sequence[tuple[PositionCase, Goals | None]],
) -> Pool:
    """The pool of some features, and of those of `rules`, whose prices `known` has."""
    offered = {each.feature for each in features}
    named = {literal.feature: None for rule in rules for literal in rule.body}
    more = [Priced(each, known[each]) for each in named if each not in offered]
    return Pool(
        setting,
        (*features, *more),
        tuple(case for case, _ in positions),
        tuple(goals for _, goals in positions),
    )
