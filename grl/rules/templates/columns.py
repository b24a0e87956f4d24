"""Features of turns as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from grl.logic.grid import Bools
from grl.model import Feature
from grl.rules.features.cases import Setting, TurnCase
from grl.rules.features.distinct_turns import DistinctTurns
from grl.rules.features.relations import Rivals
from grl.rules.templates import TURNS
from grl.rules.templates.evaluation import EACH_TURN, test_of
from grl.rules.templates.positions import MOMENTS, Columns, grouped


def turn_table(
    setting: Setting,
    cases: Sequence[TurnCase],
    features: Sequence[Feature],
    rivals: Rivals | None = None,
) -> Bools:
    """Features on turns of any positions: turns × features.

    Relations look at the survivors of each turn list. Those who ask again and again of the same
    cases pass what they know of these as `rivals`.
    """

    def by_letters(
        setting: Setting, cases: Sequence[TurnCase], features: Sequence[Feature]
    ) -> Bools:
        turns = DistinctTurns(cases) if rivals is None else rivals.turns
        columns = [turns.spread(test_of(setting, feature), np.bool_) for feature in features]
        return np.array(columns, dtype=np.bool_).T

    def columns_of(feature: Feature) -> Columns:
        template = TURNS.get(feature[0])
        if template is not None and template.of_letters:
            return by_letters
        if template is not None and template.columns is not None:
            return template.columns
        return _OF_TURNS.get(feature[0], EACH_TURN)

    if not cases:
        return np.zeros((0, len(features)), dtype=np.bool_)
    return grouped(setting, cases, features, columns_of)


def _and(setting: Setting, cases: Sequence[TurnCase], features: Sequence[Feature]) -> Bools:
    """Each feature is asked once, in however many pairs it is."""
    numbers: dict[Feature, int] = {}
    pairs = [[numbers.setdefault(part, len(numbers)) for part in f[1:]] for f in features]
    table = turn_table(setting, cases, list(numbers))
    ones, others = np.array(pairs, dtype=np.intp).T
    return table[:, ones] & table[:, others]


_OF_TURNS: Mapping[str, Columns] = {**MOMENTS, "and": _and}
