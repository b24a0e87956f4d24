"""Restrictions that are known: the order in which they explain most, the fewest that explain it.

Which rivals a turn has depends on the rules before it; that a rule explains most does not mean that
it comes first, nor that it is needed once others are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from grl.model import Feature
from grl.rules.features.relations import Rivals
from grl.rules.restrictions.labelled import ILLEGAL, LEGAL
from grl.rules.restrictions.scoring import Scoring, turns_left
from grl.rules.restrictions.theory import Body, Draft
from grl.rules.search.conjunctions import RULE_COST, Bools, Found, Rows
from grl.rules.search.cover import EFFORT, Option, cheapest_list, packed_rows, whole
from grl.rules.search.refine import Theory
from grl.rules.templates import RELATIONS
from grl.rules.templates.evaluation import plain_features, related


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
    plain = {body: _holds(turns, body, turns.columns) for body in known if not _compares(body)}
    theories = [_arranged(turns, first, known, plain, costs, scoring) for first in known]
    nothing = Draft(turns.labels, turns.group).theory()
    return min(theories, key=lambda theory: theory.rank, default=nothing)


def cheapest_cover(turns: Turns, costs: Mapping[Body, float], theory: Theory) -> Theory:
    """The cheapest theory of rules with these bodies that explains what another one does, if any.

    Rules that compare no turns come first. Which turns the others are compared with hardly depends
    on which of the first are chosen; the order found is tried, and counts only as far as it holds.
    """
    illegal = np.flatnonzero(turns.labels == ILLEGAL)
    related = [rule.body for rule in theory.rules if _compares(rule.body)]
    left = _in_order(turns, [rule.body for rule in theory.rules], costs).alive
    covers: dict[Body, Bools] = {}
    some = np.zeros(len(turns.labels), dtype=np.bool_)
    for body in costs:
        if body and all(literal.feature in turns.columns for literal in body):
            holds = _holds(turns, body, turns.columns)
            if holds.any():
                covers[body] = holds[illegal]
                some |= holds & (turns.labels == ILLEGAL)
    for body in related:
        rows = _covered(turns, body, dict(turns.columns), ~some)
        covers[body] = np.isin(illegal, rows)
    options = [
        Option(body, 0, whole(costs[body] + RULE_COST), packed_rows(covered))
        for body, covered in covers.items()
        if covered.any()
    ]
    kinds = [0] * len(illegal)
    wanted = packed_rows(~left[illegal])
    found = cheapest_list(options, kinds, wanted, whole(theory.cost), effort=EFFORT)
    if found is None:
        return theory
    chosen = {option.body for option in found}
    first = [option.body for option in found if option.body not in related]
    return min(
        theory, _in_order(turns, [*first, *(b for b in related if b in chosen)], costs).theory(),
        key=lambda each: each.rank,
    )  # fmt: skip


def _compares(body: Body) -> bool:
    """Whether turns are compared with others."""
    return any(literal.feature[0] in RELATIONS for literal in body)


def _in_order(turns: Turns, bodies: Sequence[Body], costs: Mapping[Body, float]) -> Draft:
    """The theory of these bodies in this order."""
    draft = Draft(turns.labels, turns.group)
    for body in bodies:
        covered = _covered(turns, body, dict(turns.columns), draft.alive)
        if len(covered):
            draft.add(Found(body, covered, costs[body]))
    return draft


def _arranged(
    turns: Turns,
    first: Body,
    known: Sequence[Body],
    plain: Mapping[Body, Bools],
    costs: Mapping[Body, float],
    scoring: Scoring,
) -> Theory:
    """The theory of the `known` bodies, the best one next each time after the `first`.

    Of those that compare no turns it is known which hold, by `_holds`.
    """
    draft = Draft(turns.labels, turns.group)
    positions = int(turns.group.max(initial=-1)) + 1
    while True:
        columns = dict(turns.columns)
        left = turns_left(turns.group, draft.alive, positions)
        found = [
            Found(body, covered, costs[body], worth)
            for body in (known if draft.rules else [first])
            if len(
                covered := np.flatnonzero(plain[body] & draft.alive)
                if body in plain
                else _covered(turns, body, columns, draft.alive)
            )
            and (worth := scoring.worth(turns.group, left, covered, costs[body])) > 0
        ]
        if not found:
            return draft.theory()
        draft.add(max(found, key=lambda each: each.worth))


def _covered(turns: Turns, body: Body, columns: dict[Feature, Bools], alive: Bools) -> Rows:
    """The illegal turns alive that a body covers, none where it covers a legal one.

    Columns of relations are made for the turns alive when they are first asked for.
    """
    for feature, _ in body:
        if feature not in columns:
            columns[feature] = related(turns.rivals, feature, columns.__getitem__, alive)
    return np.flatnonzero(_holds(turns, body, columns) & alive)


def _holds(turns: Turns, body: Body, columns: Mapping[Feature, Bools]) -> Bools:
    """The turns of which a body holds; none where it holds of a legal one."""
    holds = np.ones(len(turns.labels), dtype=np.bool_)
    for feature, value in body:
        holds &= columns[feature] == value
    if (holds & (turns.labels == LEGAL)).any():
        holds[:] = False
    return holds
