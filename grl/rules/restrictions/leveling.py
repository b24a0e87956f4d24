"""Features that ask which turns the rules found so far leave: what a further level may ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from grl.model import Feature, Rule
from grl.rules.features.cases import Left, Setting, TurnCase
from grl.rules.features.levels import asks, at_level
from grl.rules.features.terms import asked_of
from grl.rules.features.vocabulary import Priced
from grl.rules.play.referee import left_by
from grl.rules.restrictions.labelled import ILLEGAL, LEGAL
from grl.rules.restrictions.survey import Mobility
from grl.rules.restrictions.theory import FEW, Body
from grl.rules.search.conjunctions import Bools, Rows
from grl.rules.templates.evaluation import test_of

STUCK_COST = 1.5
LEVEL_COST = 0.1
"""What asking for turns that rules leave costs more than asking for pseudo-legal ones."""
ASKED_FIRST = 100
"""Of so many turns it is asked first whether the answer helps."""
LEAST, MORE = 0.25, 2.0
"""What is asked of a level holds of so many of the turns to be forbidden, and of so many times as
many of these as of legal ones, if all pseudo-legal turns are meant."""
EXCEPTIONS = 0.1
"""By the rules so far it holds of no larger part of the legal turns of which it holds otherwise."""
Column = tuple[Priced, Bools]


class AliveTurns(NamedTuple):
    """Turns as rows, of which some are alive: legal or not, and the number of the position."""

    setting: Setting
    cases: Sequence[TurnCase]
    labels: Rows
    group: Rows
    alive: Bools

    @property
    def bad(self) -> Rows:
        """The turns that are still to be forbidden."""
        return np.flatnonzero(self.alive & (self.labels == ILLEGAL))

    def positions(self, rows: Sequence[int] | Rows) -> int:
        """In how many positions these turns are."""
        return len(np.unique(self.group[rows]))

    def column(self, where: Bools, test: Callable[[TurnCase], bool]) -> Bools:
        """What is asked of the turns alive where something else holds."""
        found = np.zeros(len(self.cases), dtype=np.bool_)
        for row in np.flatnonzero(where & self.alive).tolist():
            found[row] = test(self.cases[row])
        return found


def stuck_after(turns: AliveTurns, rules: Sequence[Rule]) -> list[Column]:
    """Whether the next player has a turn left, by the rules so far.

    Nothing where some turns that should be forbidden don't leave that player without in a few
    positions.
    """
    stuck, bad = Mobility(turns.setting, rules).stuck_after, turns.bad
    few = bad[:: max(1, len(bad) // ASKED_FIRST)]

    met = [row for row in few.tolist() if stuck(turns.cases[row])]
    if turns.positions(met) < min(FEW, turns.positions(few)):
        return []
    return [(Priced(("after", ("stuck", 0)), STUCK_COST), turns.column(turns.alive, stuck))]


class Levels:
    """What turns that rules leave would take or reach; what cases know of them is kept.

    It is asked where features of pseudo-legal turns hold of many turns to be forbidden, and of
    legal ones as well, but hardly of these by the rules.
    """

    def __init__(self) -> None:
        self._left: dict[tuple[Body, ...], Left] = {}
        self._helps: dict[tuple[Left, Feature, int], bool] = {}

    def further(
        self,
        turns: AliveTurns,
        rules: Sequence[Rule],
        features: Sequence[Priced],
        table: Bools,
    ) -> list[Column]:
        """The features that help where the rules so far are the first level."""
        setting = turns.setting
        level = tuple(rule.body for rule in rules)
        left = self._left.setdefault(level, left_by(setting, rules))
        earlier, setting.left = setting.left, left
        try:
            return list(self._helpful(turns, left, features, table))
        finally:
            setting.left = earlier

    def _helpful(
        self, turns: AliveTurns, left: Left, features: Sequence[Priced], table: Bools
    ) -> Iterator[Column]:
        bad, legal = turns.bad, np.flatnonzero(turns.labels == LEGAL)
        for (feature, cost), column in zip(features, table.T, strict=False):
            if not asked_of(feature) or asks(feature):
                continue
            good, share = legal[column[legal]], column[bad].mean()
            if not len(good) or share < max(LEAST, MORE * len(good) / len(legal)):
                continue
            wanted = at_level(feature, 1)
            key = left, wanted, len(turns.cases)
            if key not in self._helps:
                self._helps[key] = _spares(turns, good, wanted)
            if self._helps[key]:
                lawful = turns.column(column, test_of(turns.setting, wanted))
                yield Priced(wanted, cost + LEVEL_COST), lawful


def _spares(turns: AliveTurns, good: Rows, feature: Feature) -> bool:
    """Whether a feature holds of hardly any of the turns, of which some are looked at."""
    test = test_of(turns.setting, feature)
    few = good[:: max(1, len(good) // ASKED_FIRST)].tolist()
    most = int(EXCEPTIONS * len(few))
    met = (row for row in few if test(turns.cases[row]))
    return len(list(islice(met, most + 1))) <= most
