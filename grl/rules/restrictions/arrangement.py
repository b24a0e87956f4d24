"""Restrictions that are known, in the order in which they explain most for the least cost.

Which rivals a turn has depends on the rules before it; that a rule explains most does not mean that
it comes first, nor that it is needed once others are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from grl.model import Feature, Rule
from grl.rules.features.relations import Rivals, plain_features
from grl.rules.restrictions.labelled import ILLEGAL, LEGAL
from grl.rules.restrictions.theory import FEW, RULE_COST, Body, Scoring, Theory
from grl.rules.search.conjunctions import Bools, Found, Rows


class Turns(NamedTuple):
    """Turns of several positions: whether each is legal, its position, its rivals, its features.

    The features are columns; relations are not among them.
    """

    labels: Rows
    group: Rows
    rivals: Rivals
    columns: Mapping[Feature, Bools]


def best_arrangement(turns: Turns, costs: Mapping[Body, float], scoring: Scoring) -> Theory:
    """The best theory of rules with these bodies that a greedy search finds, each tried first.

    Bodies with features of which there are no columns are left out.
    """
    known = [
        body
        for body in costs
        if all(plain in turns.columns for each in body for plain in plain_features(each.feature))
    ]
    theories = [_arranged(turns, first, known, costs, scoring) for first in known]
    nothing = Theory((), _positions(turns, turns.labels == ILLEGAL), 0.0)
    return min(theories, key=lambda theory: theory.rank, default=nothing)


def _arranged(
    turns: Turns, first: Body, known: Sequence[Body], costs: Mapping[Body, float], scoring: Scoring
) -> Theory:
    """The theory of the `known` bodies, the best one next each time after the `first`."""
    alive = np.ones(len(turns.labels), dtype=np.bool_)
    rules: list[Rule] = []
    cost = 0.0
    while True:
        columns = dict(turns.columns)
        found = [
            Found(body, covered, costs[body], worth)
            for body in (known if rules else [first])
            if len(covered := _covered(turns, body, columns, alive))
            and (worth := scoring.worth(turns.group, alive, covered, costs[body])) > 0
        ]
        if not found:
            break
        best = max(found, key=lambda each: each.worth)
        support = len(np.unique(turns.group[best.covered]))
        rules.append(Rule(best.body, support=support, provisional=support < FEW))
        cost += best.cost + RULE_COST
        alive[best.covered] = False
    return Theory(tuple(rules), _positions(turns, alive & (turns.labels == ILLEGAL)), cost)


def _covered(turns: Turns, body: Body, columns: dict[Feature, Bools], alive: Bools) -> Rows:
    """The illegal turns alive that a body covers, none where it covers a legal one.

    Columns of relations are made for the turns alive when they are first asked for.
    """
    holds = np.ones(len(turns.labels), dtype=np.bool_)
    for feature, value in body:
        if feature not in columns:
            columns[feature] = turns.rivals.relation(feature, columns.__getitem__, alive)
        holds &= columns[feature] == value
    if (holds & (turns.labels == LEGAL)).any():
        return np.zeros(0, dtype=np.intp)
    return np.flatnonzero(holds & alive)


def _positions(turns: Turns, some: Bools) -> int:
    """In how many positions these turns are."""
    return len(np.unique(turns.group[some]))
