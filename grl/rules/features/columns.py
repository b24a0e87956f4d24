"""Features as columns, an entry a position or a turn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grl.logic.grid import Bools
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting, TurnCase
from grl.rules.features.distinct_turns import DistinctTurns
from grl.rules.features.positions import AMOUNT_TEMPLATES, amount_columns, compile_position
from grl.rules.features.relations import Rivals
from grl.rules.features.terms import TERM_TEMPLATES, position_columns, turn_columns
from grl.rules.features.turns import BOARDLESS, test_of


def position_table(
    setting: Setting, cases: Sequence[PositionCase], features: Sequence[Feature]
) -> Bools:
    """Features on positions: positions × features."""
    table = np.zeros((len(cases), len(features)), dtype=np.bool_)
    given = [i for i, feature in enumerate(features) if feature[0] in TERM_TEMPLATES]
    if given:
        table[:, given] = position_columns(setting, cases, [features[i] for i in given])
    numbers = [i for i, feature in enumerate(features) if feature[0] in AMOUNT_TEMPLATES]
    for column, values in zip(
        numbers, amount_columns(cases, [features[i] for i in numbers]), strict=True
    ):
        table[:, column] = values
    for column, feature in enumerate(features):
        if feature[0] not in TERM_TEMPLATES and feature[0] not in AMOUNT_TEMPLATES:
            test = compile_position(setting, feature)
            table[:, column] = [test(case) for case in cases]
    return table


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
    names = ("term", "before", "after", "and", "boardless", "other")
    kinds: dict[str, list[int]] = {name: [] for name in names}
    for column, feature in enumerate(features):
        kind = "term" if feature[0] in TERM_TEMPLATES else feature[0]
        if kind in BOARDLESS:
            kind = "boardless"
        kinds[kind if kind in kinds else "other"].append(column)
    table = np.zeros((len(cases), len(features)), dtype=np.bool_)
    if not cases:
        return table
    table[:, kinds["term"]] = turn_columns(setting, cases, [features[i] for i in kinds["term"]])
    if kinds["before"]:
        numbers: dict[PositionCase, int] = {}
        parent = [numbers.setdefault(case.before, len(numbers)) for case in cases]
        befores = position_table(setting, list(numbers), [features[i][1] for i in kinds["before"]])
        table[:, kinds["before"]] = befores[parent]
    if kinds["after"]:
        asked = [features[i][1] for i in kinds["after"]]
        afters = [case.after for case in cases]
        table[:, kinds["after"]] = position_table(setting, afters, asked)
    if kinds["and"]:
        joined = [features[i][1:] for i in kinds["and"]]
        parts = list(dict.fromkeys(part for pair in joined for part in pair))
        numbered = {part: number for number, part in enumerate(parts)}
        inner = turn_table(setting, cases, parts)
        for column, (one, two) in zip(kinds["and"], joined, strict=True):
            table[:, column] = inner[:, numbered[one]] & inner[:, numbered[two]]
    if kinds["boardless"]:
        turns = DistinctTurns(cases) if rivals is None else rivals.turns
        for column in kinds["boardless"]:
            table[:, column] = turns.spread(test_of(setting, features[column]), np.bool_)
    for column in kinds["other"]:
        test = test_of(setting, features[column])
        table[:, column] = [test(case) for case in cases]
    return table
