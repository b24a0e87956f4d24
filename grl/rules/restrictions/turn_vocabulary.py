"""The features of turns of one game, round by round, as columns over turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from grl.rules.features.cases import Setting, TurnCase
from grl.rules.features.counted import turns_counted
from grl.rules.features.past import beginnings, recent, repetitions
from grl.rules.features.quantities import number_features
from grl.rules.features.relations import BEGINNINGS
from grl.rules.features.vocabulary import ROUNDS, Priced, Words, shape_features, turn_features
from grl.rules.restrictions.dependencies import dependencies, oppositions
from grl.rules.restrictions.labelled import Labelled
from grl.rules.search.conjunctions import Bools
from grl.rules.templates.columns import turn_table

REMEMBERED = 60_000
"""Turns of which the features of a round are remembered."""


@dataclass
class TurnVocabulary:
    """The features of turns round by round, with their evaluators."""

    setting: Setting
    words: Words
    levels: list[list[Priced]]
    shapes: int
    _rows: list[dict[TurnCase, Bools]] = field(default_factory=lambda: [{} for _ in range(ROUNDS)])

    @classmethod
    def of(
        cls,
        setting: Setting,
        words: Words,
        sample: Sequence[Labelled],
        everything: Sequence[Labelled] = (),
    ) -> TurnVocabulary:
        """The vocabulary of a game, with the numbers that occur in `sample`.

        What pieces may not do to one another is looked up in `everything`.
        """
        levels = [list(turn_features(setting, words, level)) for level in range(ROUNDS)]
        levels[0] += dependencies(setting, sample)
        levels[0] += oppositions(setting, words, everything)
        if setting.equipment.sowing is not None:
            levels[0] += turns_counted(setting)
        hands = bool(setting.equipment.stocked)
        befores = [item.turn_list.before for item in sample]
        afters = [item.cases[0].after for item in sample if item.cases]
        for name, cases in (("before", befores), ("after", afters)):
            numbers = number_features(setting, cases, hands=hands)
            levels[1] += [Priced((name, feature), cost + 0.3) for feature, cost in numbers]
        levels[1] += [Priced(("before", feature), cost) for feature, cost in recent(befores)]
        known = [item for item in sample if item.complete and item.cases]
        begun = beginnings(
            [item.turn_list.before for item in known],
            [item.surplus / len(item.cases) for item in known],
        )
        levels[1] += [Priced(("before", feature), cost) for feature, cost in begun]
        afters = [case.after for item in sample for case in item.cases]
        levels[1] += [Priced(("after", feature), cost) for feature, cost in repetitions(afters)]
        shapes = len(list(shape_features(setting, words)))
        return cls(setting, words, levels, shapes)

    def evaluate(self, cases: Sequence[TurnCase], level: int) -> Bools:
        """The features of a round on turns of any positions: turns x features.

        The rows of many turns are remembered, for the same turns are asked for again and again.
        """
        if not cases:
            return self.table(cases, self.levels[level])
        known = self._rows[level]
        fresh = [case for case in cases if case not in known]
        if len(known) + len(fresh) > REMEMBERED:
            known.clear()
            fresh = list(cases)
        known.update(zip(fresh, self.table(fresh, self.levels[level]), strict=True))
        return np.array([known[case] for case in cases])

    def table(self, cases: Sequence[TurnCase], features: Sequence[Priced]) -> Bools:
        """Features on turns of any positions: turns x features."""
        return turn_table(self.setting, cases, [each.feature for each in features])

    def relations(self) -> Iterator[Priced]:
        """Relations between turns that columns of shapes don't give."""
        yield Priced(("prefix",), 1.2)
        for begins in BEGINNINGS:
            yield Priced(("further", begins), 1.6)
        for owner in self.setting.owners[1:]:
            for scope in ("any", "start"):
                yield Priced(("more", scope, owner), 2.0)
