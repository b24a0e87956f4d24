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
    return _table(setting, cases, features, lambda f: POSITIONS[f[0]].columns or _POSITIONS_EACH)


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
        return _MOMENTS.get(feature[0], _TURNS_EACH)

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


def _one_by_one(compiled: Callable[[Setting, Feature], Callable[[Any], bool]]) -> Columns:
    """Cases asked one after the other."""

    def columns(setting: Setting, cases: Sequence[Any], features: Sequence[Feature]) -> Bools:
        table = np.zeros((len(cases), len(features)), dtype=np.bool_)
        for column, feature in enumerate(features):
            test = compiled(setting, feature)
            table[:, column] = [test(case) for case in cases]
        return table

    return columns


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


_POSITIONS_EACH, _TURNS_EACH = _one_by_one(compile_position), _one_by_one(test_of)
_MOMENTS = {"before": _before, "after": _after, "and": _and}
