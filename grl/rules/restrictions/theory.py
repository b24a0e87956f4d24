"""Theories of restrictions, and what speaks for their rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from grl.model import Literal, Rule
from grl.rules.search.conjunctions import Bools, Rows

Body = tuple[Literal, ...]

RULE_COST = 2.0
FEW = 4
"""A rule that fewer positions speak for is provisional."""


class Scoring(Protocol):
    """What speaks for a rule: rows are turns, `group` the position of each, `alive` those left."""

    def worth(self, group: Rows, alive: Bools, covered: Rows, cost: float) -> float:
        """What a rule is worth that forbids the turns `covered`; not above 0: nothing."""

    def weights(self, group: Rows, alive: Bools) -> NDArray[np.float64] | None:
        """How much each turn asks to be forbidden; None where no turn asks more than another."""


@dataclass(frozen=True)
class Theory:
    """Rules, in how many positions of the working set they leave a surplus turn, and their cost."""

    rules: tuple[Rule, ...]
    unexplained: int
    cost: float

    @property
    def rank(self) -> tuple[int, float]:
        """Theories that explain more come first, then cheaper ones."""
        return self.unexplained, self.cost
