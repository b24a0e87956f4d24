"""Habits of players: how often kinds of turns were played, and how often by an even choice.

A kind of turns that is never played may be illegal, or nobody likes it. How odd the second would be
is measured by the kinds that were played: an even choice would have played a kind so many times,
and it was played that often. Each of these rates is as likely as any other for a kind that players
have a habit about, so that after E plays to be expected

    bits = -log2(mean over kinds of exp(-E * rate))

are the surprise of a silence that only habit would explain. Random players have rates near 1, and
it is as great as if they chose evenly; where players search some kinds are played a hundred times
less often than others, and it takes a hundred times as many positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grl.model import Literal
from grl.rules.features.vocabulary import ROUNDS
from grl.rules.restrictions.labelled import LEGAL, Labelled
from grl.rules.restrictions.samples import first_of
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary

MOST_TURNS = 40_000
"""So many turns show how often kinds are played."""
TOGETHER = 200
"""So many positions are looked at together."""
LEAST_EXPECTED = 50.0
"""A rate is that of a kind of which so many were to be expected: of fewer much is chance."""
STRONG = 0.5
"""What is played less often than this part of what was to be expected is a strong habit."""
MOST_NAMED = 3
"""So many habits are named."""
OPEN_BITS = 20.0
"""A silence is sure that habit explains for one kind in a million."""


@dataclass(frozen=True)
class Habit:
    """A kind of turns: how often it was played, and how often by an even choice."""

    kind: Literal
    played: int
    expected: float

    @property
    def rate(self) -> float:
        """How often it was played, of how often it was to be expected."""
        return self.played / self.expected


class Habits:
    """What the kinds of turns that were played say of those that were not."""

    def __init__(self, habits: Sequence[Habit]) -> None:
        self.habits = sorted(habits, key=lambda habit: habit.rate)
        self._rates = np.array([habit.rate for habit in self.habits])

    def bits(self, expected: float) -> float:
        """The surprise that a legal kind is never played of which so many were to be expected."""
        if not len(self._rates):
            return 0.0
        lowest = self._rates[0]
        others = np.exp(-expected * (self._rates - lowest)).mean()
        return float(expected * lowest / np.log(2) - np.log2(others))

    @property
    def strongest(self) -> list[Habit]:
        """The strongest habits, up to a few."""
        return [habit for habit in self.habits if habit.rate < STRONG][:MOST_NAMED]

    def explain(self, expected: float) -> bool:
        """Whether a habit may well be why a kind is never played."""
        return self.bits(expected) < OPEN_BITS


def measured(vocabulary: TurnVocabulary, items: Sequence[Labelled]) -> Habits:
    """The habits of those who played the turns of some positions, among the turns left there."""
    features = [priced for level in vocabulary.levels for priced in level]
    known = [item for item in items if item.labels.count(LEGAL) == 1 and len(item.cases) > 1]
    some = first_of(known, len(known), MOST_TURNS)
    played, expected = np.zeros(len(features)), np.zeros(len(features))
    for begin in range(0, len(some), TOGETHER):
        part = some[begin : begin + TOGETHER]
        cases = [case for item in part for case in item.cases]
        levels = [vocabulary.evaluate(cases, level) for level in range(ROUNDS)]
        table = np.concatenate(levels, axis=1)
        labels = np.array([label == LEGAL for item in part for label in item.labels])
        sizes = np.array([len(item.cases) for item in part])
        played += table[labels].sum(axis=0)
        expected += np.repeat(1.0 / sizes, sizes) @ table
    found: dict[tuple[float, float], Habit] = {}
    for number, (feature, _) in enumerate(features):
        for holds in (True, False):
            k = played[number] if holds else len(some) - played[number]
            chance = expected[number] if holds else len(some) - expected[number]
            if k >= 1 and chance >= LEAST_EXPECTED:
                habit = Habit(Literal(feature, holds), round(k), float(chance))
                found.setdefault((round(k), round(float(chance), 6)), habit)
    return Habits(list(found.values()))
