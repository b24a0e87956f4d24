"""Features as columns, an entry a position or a turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grl.logic.grid import Bools
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting, TurnCase
from grl.rules.features.distinct_turns import DistinctTurns
from grl.rules.features.relations import Rivals
from grl.rules.templates import POSITIONS, TURNS
from grl.rules.templates.evaluation import compile_position, test_of

Columns = Callable[[Setting, Sequence[Any], Sequence[Feature]], Bools]


def position_table(
    setting: Setting, cases: Sequence[PositionCase], features: Sequence[Feature]
) -> Bools:
    """Features on positions: positions × features."""
    return _table(
        setting, cases, features, lambda f: POSITIONS[f[0]].columns or _positions_one_by_one
    )


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
        found = template and template.columns
        return found or _MOMENTS.get(feature[0], _turns_one_by_one)

    if not cases:
        return np.zeros((0, len(features)), dtype=np.bool_)
    return _table(setting, cases, features, columns_of)


def _table(
    setting: Setting,
    cases: Sequence[Any],
    features: Sequence[Feature],
    columns_of: Callable[[Feature], Columns],
) -> Bools:
    """The table of features, those of one function made together."""
    groups: dict[Columns, list[int]] = {}
    for column, feature in enumerate(features):
        groups.setdefault(columns_of(feature), []).append(column)
    table = np.zeros((len(cases), len(features)), dtype=np.bool_)
    for columns, numbers in groups.items():
        table[:, numbers] = columns(setting, cases, [features[i] for i in numbers])
    return table


def _positions_one_by_one(
    setting: Setting, cases: Sequence[PositionCase], features: Sequence[Feature]
) -> Bools:
    return _one_by_one(cases, [compile_position(setting, feature) for feature in features])


def _turns_one_by_one(
    setting: Setting, cases: Sequence[TurnCase], features: Sequence[Feature]
) -> Bools:
    return _one_by_one(cases, [test_of(setting, feature) for feature in features])


def _one_by_one(cases: Sequence[Any], tests: Sequence[Callable[[Any], bool]]) -> Bools:
    table = np.zeros((len(cases), len(tests)), dtype=np.bool_)
    for column, test in enumerate(tests):
        table[:, column] = [test(case) for case in cases]
    return table


def _before(setting: Setting, cases: Sequence[TurnCase], features: Sequence[Feature]) -> Bools:
    """Each position is asked once."""
    numbers: dict[PositionCase, int] = {}
    parent = [numbers.setdefault(case.before, len(numbers)) for case in cases]
    return position_table(setting, list(numbers), [feature[1] for feature in features])[parent]


def _after(setting: Setting, cases: Sequence[TurnCase], features: Sequence[Feature]) -> Bools:
    afters = [case.after for case in cases]
    return position_table(setting, afters, [feature[1] for feature in features])


def _and(setting: Setting, cases: Sequence[TurnCase], features: Sequence[Feature]) -> Bools:
    """Each feature is asked once, in however many pairs it is."""
    numbers: dict[Feature, int] = {}
    pairs = [[numbers.setdefault(part, len(numbers)) for part in f[1:]] for f in features]
    table = turn_table(setting, cases, list(numbers))
    ones, others = np.array(pairs, dtype=np.intp).T
    return table[:, ones] & table[:, others]


_MOMENTS = {"before": _before, "after": _after, "and": _and}
