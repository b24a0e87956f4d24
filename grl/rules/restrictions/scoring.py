"""What rules are worth, by what the records speak for: explained positions, or silence."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from grl.rules.restrictions.habits import Habits
from grl.rules.search.conjunctions import RULE_COST, Bools, Rows

MOST_SHARE = 0.99
"""Where a turn is left at all, no rule is believed to forbid more of a position than this."""
MOST_TIMES = 4.0
"""Positions of a sample stand for at most so many each, where it is not said otherwise."""
TRUST = 0.5
"""The part of the bits of a silence that counts, for players don't choose evenly."""
LITERAL_BITS = 7.0
"""What a unit of a rule's cost has to be paid with."""


def turns_left(group: Rows, alive: Bools, positions: int) -> Rows:
    """How many of the turns alive each position has."""
    return np.bincount(group[alive], minlength=positions)


def bits_to_pay(cost: float) -> float:
    """With how many bits of silence a rule has to be paid whose literals cost so much."""
    return LITERAL_BITS * (cost + RULE_COST)


class Scoring(Protocol):
    """What speaks for a rule: rows are turns, `group` the position of each, `left` how many turns
    each position leaves to choose from, rows or not."""

    def worth(self, group: Rows, left: Rows, covered: Rows, cost: float) -> float:
        """What a rule is worth that forbids the turns `covered`; not above 0: nothing."""

    def weights(self, group: Rows, left: Rows) -> NDArray[np.float64] | None:
        """How much each turn asks to be forbidden; None where no turn asks more than another."""


class Explained:
    """Where all legal turns are known: positions explained for the cost of a rule."""

    def worth(self, group: Rows, left: Rows, covered: Rows, cost: float) -> float:  # noqa: ARG002
        """Positions for the cost."""
        return len(np.unique(group[covered])) / (cost + RULE_COST)

    def weights(self, group: Rows, left: Rows) -> None:
        """No turn asks more than another."""


class Silence:
    """Where only the turns played are known: bits of silence, less what the rule costs.

    There are so many `times` the turns that are looked at. Where it is known which `habits` players
    have, more bits count than `TRUST` grants if habits don't explain them, either.
    """

    def __init__(
        self, times: float = 1.0, most: float = MOST_TIMES, habits: Habits | None = None
    ) -> None:
        self.times, self.habits = min(times, most), habits

    def worth(self, group: Rows, left: Rows, covered: Rows, cost: float) -> float:
        """Bits by which the rule makes the turns played likelier than before."""
        gone = np.bincount(group[covered], minlength=len(left))
        touched = gone > 0
        return self.paid(gone[touched] / left[touched], cost)

    def paid(self, shares: NDArray[np.float64], cost: float) -> float:
        """What is left of the bits of never having played these shares of positions."""
        bits = self.times * float(-np.log2(1 - np.minimum(shares, MOST_SHARE)).sum())
        trusted = TRUST * bits
        if self.habits is not None:
            trusted = max(trusted, min(bits, self.habits.bits(self.times * float(shares.sum()))))
        return trusted - bits_to_pay(cost)

    def weights(self, group: Rows, left: Rows) -> NDArray[np.float64]:
        """The chance of each turn to have been played."""
        found: NDArray[np.float64] = 1.0 / np.maximum(left[group], 1)
        return found
