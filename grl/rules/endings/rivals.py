"""Endings of which a rival explains the records as well, as cheaply, and says otherwise further on.

A rule that a few ends of a kind speak for may have one of its literals by chance: ends that were
begun near an end are alike. It is open where another literal, of about the same price, can take its
place in all positions of the records, but not in one that a legal turn leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from grl.board import Position
from grl.logic.evenly import evenly
from grl.logic.grid import Bools
from grl.model import Literal, Rule
from grl.rules.endings.outcomes import Outcome, examples
from grl.rules.endings.pool import Pool, price
from grl.rules.endings.precedence import position_left, positions_after, where
from grl.rules.features.cases import TurnCase
from grl.rules.features.decision_list import Examples
from grl.rules.play.referee import Referee

MOST_AHEAD = 2_000
"""Turns after which it is looked whether rivals say otherwise."""
MOST_TRIED = 4
"""Literals that are tried in the place of one, the cheap ones first."""
SLACK = 2.0
"""By how many bits such a literal may cost more."""


class Rival(NamedTuple):
    """An ending by number, from 0 on, another rule in its place, and where they differ."""

    number: int
    rule: Rule
    position: Position

    def to_dict(self) -> dict[str, Any]:
        """Plain data, endings numbered from 1 on."""
        return {"rule": self.number + 1, **where(self.position)}


def rivals(
    referee: Referee,
    rules: Sequence[Rule],
    pool: Pool,
    recorded: Examples[Outcome],
    turns: Sequence[TurnCase],
) -> list[Rival]:
    """A rival for each ending that has one; `turns` are legal ones, some of which are looked at.

    The literals are those of the pool.
    """
    tried = [(number, rule) for number in range(len(rules)) for rule in _alike(rules, number, pool)]
    if not tried:
        return []
    wrong = len(recorded.wrong(rules))
    met = examples(referee.setting, positions_after(referee, evenly(turns, MOST_AHEAD)))
    said = met.says(rules)
    found: dict[int, Rival] = {}
    for number, rule in tried:
        if number not in found:
            others = (*rules[:number], rule, *rules[number + 1 :])
            pairs = enumerate(zip(said, met.says(others), strict=True))
            different = [row for row, (one, other) in pairs if one != other]
            if different and len(recorded.wrong(others)) <= wrong:
                found[number] = Rival(number, rule, position_left(met.items[different[0]].case))
    return [*found.values()]


def _alike(rules: Sequence[Rule], number: int, pool: Pool) -> Iterator[Rule]:
    """A rule with another literal in the place of one, as good in the positions of the pool."""
    column = {each.feature: at for at, each in enumerate(pool.features)}
    if any(feature not in column for rule in rules for feature, _ in rule.body):
        return

    def covered(body: Sequence[Literal]) -> Bools:
        found = np.ones(len(pool.cases), dtype=np.bool_)
        for feature, holds in body:
            found &= pool.table[:, column[feature]] == holds
        return found

    rule, left = rules[number], np.ones(len(pool.cases), dtype=np.bool_)
    for earlier in rules[:number]:
        left &= ~covered(earlier.body)
    said = left & np.array([goals == rule.value for goals in pool.goals], dtype=np.bool_)
    wanted = said & covered(rule.body)
    if not wanted.any():
        return
    for place, literal in enumerate(rule.body):
        before, behind = rule.body[:place], rule.body[place + 1 :]
        others = left & ~said & covered((*before, *behind))
        tried = []
        for holds in (True, False):
            same = pool.table == holds
            fits = same[wanted].all(axis=0) & ~same[others].any(axis=0)
            tried += [Literal(pool.features[at].feature, holds) for at in np.flatnonzero(fits)]
        most = price(literal, pool.prices) + SLACK
        priced = [(price(each, pool.prices), repr(each), each) for each in tried]
        cheap = sorted(p for p in priced if p[0] <= most and p[2].feature != literal.feature)
        for _, _, other in cheap[:MOST_TRIED]:
            yield replace(rule, body=(*before, other, *behind))
