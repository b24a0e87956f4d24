"""Positions of the records with their outcomes, and what ordered rules say of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from grl.model import Rule
from grl.records import End, Moment
from grl.rules.endings.pool import Pool
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.columns import Asked, position_table
from grl.rules.play.referee import Referee, covers, position_body
from grl.rules.search.conjunctions import Rows
from grl.turn import Turn

FEW = 3
"""A rule that fewer positions speak for is provisional."""


@dataclass(frozen=True)
class Outcome:
    """A position with the class of its goals by seat; None where the game goes on."""

    case: PositionCase
    goals: tuple[int, ...] | None


@dataclass(frozen=True)
class Endings:
    """Rules, and how many terminal positions and positions going on they get wrong.

    `pool` holds the features and positions of the last round.
    """

    rules: tuple[Rule, ...]
    unexplained: int
    early: int
    pool: Pool | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """Rules that get fewer positions wrong come first, then fewer rules."""
        return self.unexplained + self.early, len(self.rules)


def outcomes(referee: Referee, moments: Sequence[Moment], ends: Sequence[End]) -> list[Outcome]:
    """The positions of the records; in a moment the player to move is not stuck.

    Who would move in a terminal position follows from the last turn and the rules of control.
    """
    setting = referee.setting
    found = [Outcome(_going(setting, moment), None) for moment in moments]
    players = setting.equipment.players
    for last, goals in ends:
        position = last.position
        if last.before is not None and last.turn is not None:
            follower = referee.follower(last.before, Turn.parse(last.turn), position)
            position = replace(position, to_move=follower)
        given = dict(goals)
        by_seat = tuple(given[setting.seat(position.to_move, seat)] for seat in range(len(players)))
        found.append(Outcome(PositionCase.of(setting, position), by_seat))
    return found


def _going(setting: Setting, moment: Moment) -> PositionCase:
    """A position with a turn; whether other players have one has to be asked."""
    case = PositionCase.of(setting, moment.position)
    if moment.turns == {"pass"}:
        return case

    def stuck(seat: int) -> bool:
        return seat > 0 and setting.stuck is not None and setting.stuck(case, seat)

    case.stuck = stuck
    return case


Judge = Callable[[PositionCase], "tuple[int, ...] | None"]


def judge(setting: Setting, rules: Sequence[Rule]) -> Judge:
    """What the rules say of a position: goals by seat, or None where no rule covers it."""
    bodies = [(position_body(setting, rule.body), rule.value) for rule in rules]

    def test(case: PositionCase) -> tuple[int, ...] | None:
        for body, value in bodies:
            if covers(body, case):
                return value
        return None

    return test


class Judged:
    """Positions with their outcomes, and what rules say of them.

    The values of features are kept, each for the positions of which they were asked.
    """

    def __init__(self, setting: Setting, data: Sequence[Outcome]) -> None:
        self.setting, self.data = setting, data
        self._asked = Asked([item.case for item in data], partial(position_table, setting))

    def wrong(self, rules: Sequence[Rule]) -> list[Outcome]:
        """The positions of which the rules say something else than records do."""
        values = [*(rule.value for rule in rules), None]
        firsts = self._first(rules).tolist()
        return [
            item for item, at in zip(self.data, firsts, strict=True) if values[at] != item.goals
        ]

    def unmentioned(self, rules: Sequence[Rule]) -> list[PositionCase]:
        """The positions that no rule covers."""
        firsts = self._first(rules).tolist()
        return [item.case for item, at in zip(self.data, firsts, strict=True) if at == len(rules)]

    def counted(self, rules: Sequence[Rule]) -> Endings:
        """The rules with the positions that speak for and against each."""
        support = [0] * len(rules)
        against = [0] * len(rules)
        unexplained = early = 0
        for item, first in zip(self.data, self._first(rules).tolist(), strict=True):
            if first == len(rules):
                unexplained += item.goals is not None
            elif rules[first].value == item.goals:
                support[first] += 1
            else:
                against[first] += 1
                early += item.goals is None
                unexplained += item.goals is not None
        counted = tuple(
            replace(rule, support=s, against=a, provisional=s < FEW or a > 0)
            for rule, s, a in zip(rules, support, against, strict=True)
        )
        return Endings(counted, unexplained, early)

    def _first(self, rules: Sequence[Rule]) -> Rows:
        """The number of the first rule that covers each position; how many there are for none."""
        return self._asked.first([rule.body for rule in rules])
