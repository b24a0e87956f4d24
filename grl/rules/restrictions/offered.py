"""What the next rule of a theory may ask: features of turns, and relations between those alive.

Which relations there are depends on the features alone; their columns depend on the turns that
earlier rules have left, and are made when they are asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np

from grl.logic.grid import Bools
from grl.logic.ops.lines import LINED
from grl.logic.ops.places import LAST
from grl.logic.ops.sets import NEAR
from grl.logic.ops.shapes import PATTERN
from grl.logic.terms import Operator
from grl.model import Feature
from grl.rules.features.relations import Rivals, contrasts, has
from grl.rules.features.terms import speaks_of
from grl.rules.features.vocabulary import Priced
from grl.rules.search.conjunctions import Atoms, Rows, atoms_of, ranked
from grl.rules.templates.evaluation import related

SCOPE_COST = {"any": 0.8, "start": 0.79, "first": 0.78}
"""What a relation costs beyond its feature; of equal ones that with the narrower scope is taken."""
HABITS = (LINED, PATTERN, LAST, NEAR)
"""Relations speak of lines, of patterns, of where earlier turns began and ended, and of what lies
beside squares."""
KNOWN_HABITS = (LINED, PATTERN)
"""Where only the turns played are known, for players have habits about the last turn."""
NAMES = ("rival_has", "rival_lacks")


class Named:
    """The features that are offered: those of turns, what rivals have of these, other relations."""

    def __init__(
        self,
        features: Sequence[Priced],
        asked: Sequence[int],
        scopes: Iterable[str],
        relations: Sequence[Priced],
        without: Collection[Feature],
    ) -> None:
        """Rivals are asked for the features by number, in some scopes; some are left out."""
        self.asked, self.relations = asked, relations
        self.scopes = tuple(scopes)
        related = [
            Priced((name, scope, feature), cost + SCOPE_COST[scope])
            for feature, cost in (features[number] for number in asked)
            for scope in self.scopes
            for name in NAMES
        ]
        self.plain = len(features)
        self.priced = [*features, *related, *relations]
        self._without = without

    @cached_property
    def numbers(self) -> Mapping[Feature, int]:
        """The number of each feature that is offered."""
        return {self.priced[number].feature: number for number in sorted(self.order)}

    @cached_property
    def order(self) -> Sequence[int]:
        """The numbers, cheap features first."""
        everything, out = ranked(self.priced), self._without
        return [each for each in everything if self.priced[each].feature not in out]


class Offered:
    """The features that are offered, as columns over all turns, of which some are alive."""

    def __init__(
        self, named: Named, table: Bools, scopes: Mapping[str, Rows], rivals: Rivals, alive: Bools
    ) -> None:
        self.named, self._table, self._scopes = named, table, scopes
        self._rivals, self._alive = rivals, alive.copy()

    @cached_property
    def columns(self) -> Bools:
        """All columns: turns × features."""
        named = self.named
        others = [self._related(each.feature) for each in named.relations]
        scopes = [self._scopes[scope] for scope in named.scopes]
        asked = contrasts(self._table[:, named.asked], scopes, self._alive)
        parts = [self._table, asked, *(each[:, None] for each in others)]
        return np.concatenate(parts, axis=1)

    def atoms(self, rows: Rows) -> Atoms:
        """The columns that differ on some turns."""
        return atoms_of(self.named.priced, self.columns[rows], self.named.order)

    def column(self, number: int) -> Bools:
        """One column."""
        if number < self.named.plain:
            found: Bools = self._table[:, number]
            return found
        feature = self.named.priced[number].feature
        if feature[0] not in NAMES:
            return self._related(feature)
        name, scope, _ = feature
        asked = self.named.asked[
            (number - self.named.plain) // (len(NAMES) * len(self.named.scopes))
        ]
        groups = self._scopes[scope]
        return has(self._table[:, asked], groups, self._alive, lacks=name == "rival_lacks")

    def _related(self, feature: Feature) -> Bools:
        return related(self._rivals, feature, _none, self._alive)


def asked_of_rivals(
    features: Sequence[Priced], shapes: int, silent: bool, compared: Collection[Feature]
) -> list[int]:
    """The numbers of the features that rivals are asked for.

    Those are the first ones, the `shapes` of turns, those `compared`, and what `_compares`; where
    most is known by silence fewer of the last.
    """
    operators = KNOWN_HABITS if silent else HABITS
    return [
        number
        for number, (feature, _) in enumerate(features)
        if number < shapes or _compares(feature, operators) or feature in compared
    ]


def _none(feature: Feature) -> Bools:
    raise AssertionError(feature)


@lru_cache(maxsize=1 << 16)
def _compares(feature: Feature, operators: tuple[Operator, ...]) -> bool:
    """Whether relations speak of a feature that is no shape of turns.

    They do of patterns and lines; of where earlier turns began and ended, and of what lies beside
    squares, only where it is known what is illegal, for players have habits about these.
    """
    return feature[0] == "some" and speaks_of(feature, operators)
