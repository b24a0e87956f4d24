"""Features of positions, of one or of many, those before, after and midway of turns among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

from grl.logic.grid import Bools
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting, TurnCase
from grl.rules.templates import POSITIONS
from grl.rules.templates.template import PositionTest

Columns = Callable[[Setting, Sequence[Any], Sequence[Feature]], Bools]
"""Features on cases: cases × features."""


def compile_position(setting: Setting, feature: Feature) -> PositionTest:
    """The evaluator of a feature of positions."""
    found: PositionTest = POSITIONS[feature[0]].evaluate(setting, *feature[1:])
    return found


def position_table(
    setting: Setting, cases: Sequence[PositionCase], features: Sequence[Feature]
) -> Bools:
    """Features on positions: positions × features."""
    return grouped(setting, cases, features, lambda f: POSITIONS[f[0]].columns or _EACH)


def grouped(
    setting: Setting,
    cases: Sequence[Any],
    features: Sequence[Feature],
    columns_of: Callable[[Feature], Columns],
) -> Bools:
    """Cases × features; the columns of features that one function makes are made together."""
    groups: dict[Columns, list[int]] = {}
    for column, feature in enumerate(features):
        groups.setdefault(columns_of(feature), []).append(column)
    table = np.zeros((len(cases), len(features)), dtype=np.bool_)
    for columns, numbers in groups.items():
        table[:, numbers] = columns(setting, cases, [features[i] for i in numbers])
    return table


def one_by_one(compiled: Callable[[Setting, Feature], Callable[[Any], bool]]) -> Columns:
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


def _midway(setting: Setting, cases: Sequence[TurnCase], features: Sequence[Feature]) -> Bools:
    """Each position on the way of some turns is asked once."""
    numbers: dict[PositionCase, int] = {}
    ways = [[numbers.setdefault(left, len(numbers)) for left in case.midway] for case in cases]
    table = position_table(setting, list(numbers), [feature[1] for feature in features])
    turns = np.repeat(np.arange(len(cases)), [len(way) for way in ways])
    passed = np.fromiter(chain.from_iterable(ways), dtype=np.intp)
    found = np.zeros((len(cases), len(features)), dtype=np.bool_)
    holds, columns = np.nonzero(table[passed])
    found[turns[holds], columns] = True
    return found


_EACH = one_by_one(compile_position)
MOMENTS: Final[Mapping[str, Columns]] = {"before": _before, "after": _after, "midway": _midway}
"""How features of the positions around turns are asked of many turns."""
