"""Theories of restrictions, rule after rule, and what speaks for the rules."""

from __future__ import annotations

import numpy as np

from grl.logic.grid import Bools
from grl.model import Literal, Rule
from grl.rules.restrictions.labelled import ILLEGAL
from grl.rules.search.conjunctions import RULE_COST, Found, Rows
from grl.rules.search.refine import Theory

Body = tuple[Literal, ...]

FEW = 4
"""A rule that fewer positions speak for is provisional."""

NONE: Rows = np.zeros(0, dtype=np.intp)


class Draft:
    """A theory in the making, over turns that are legal or not, with the position of each."""

    def __init__(self, labels: Rows, group: Rows) -> None:
        self._illegal, self._group = labels == ILLEGAL, group
        self.alive: Bools = np.ones(len(labels), dtype=np.bool_)
        """The turns that the rules so far leave."""
        self.rules: list[Rule] = []
        self.cost = 0.0

    @property
    def bad(self) -> Rows:
        """The turns left that should be forbidden."""
        return np.flatnonzero(self.alive & self._illegal)

    def add(self, found: Found, others: Rows = NONE) -> None:
        """Let a further rule forbid the turns that it covers.

        The `others` that it covers are spellings of legal turns: nothing speaks for it there.
        """
        covered = found.covered[self._illegal[found.covered]]
        support = len(np.unique(self._group[covered]))
        self.rules.append(Rule(found.body, support=support, provisional=support < FEW))
        self.cost += found.cost + RULE_COST
        self.alive[found.covered] = False
        self.alive[others] = False

    def theory(self) -> Theory:
        """The rules so far; unexplained are positions in which they leave a surplus turn."""
        unexplained = len(np.unique(self._group[self.bad]))
        return Theory(tuple(self.rules), unexplained, self.cost)
