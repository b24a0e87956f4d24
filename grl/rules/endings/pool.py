"""What endings are learned from: features with their prices, and positions with their goals.

Of features whose columns are equal or opposite on all positions one is an atom, the cheapest;
features that are the same everywhere are none. Positions that agree in all atoms and in their
goals are one row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grl.logic.grid import Bools
from grl.model import Feature, Goals, Literal, Rule
from grl.rules.endings.outcomes import Outcome
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.decision_list import Examples
from grl.rules.features.vocabulary import NEGATION, Priced


@dataclass(frozen=True)
class Pool:
    """Features and positions, with their goals, by seat from the player to move; None where the
    game went on."""

    setting: Setting
    features: tuple[Priced, ...]
    known: Examples[Outcome]

    @cached_property
    def cases(self) -> tuple[PositionCase, ...]:
        """The positions."""
        return tuple(item.case for item in self.known.items)

    @cached_property
    def goals(self) -> tuple[Goals | None, ...]:
        """The goals of each."""
        return tuple(item.goals for item in self.known.items)

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
        return self.known.table([each.feature for each in self.features])


def price(literal: Literal, prices: dict[Feature, float]) -> float:
    """What a literal costs. Raises `KeyError` for a feature that there is no price of."""
    return prices[literal.feature] + (0.0 if literal.holds else NEGATION)


def pool_of(
    setting: Setting,
    features: Sequence[Priced],
    rules: Sequence[Rule],
    prices: Mapping[Feature, float],
    known: Examples[Outcome],
) -> Pool:
    """The pool of some features, and of those of `rules`, whose `prices` are known, too."""
    offered = {each.feature for each in features}
    named = {literal.feature: None for rule in rules for literal in rule.body}
    more = [Priced(each, prices[each]) for each in named if each not in offered]
    return Pool(setting, (*features, *more), known)
