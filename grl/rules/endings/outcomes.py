"""Positions of the records with their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from grl.model import Rule
from grl.records import End, Moment
from grl.rules.endings.pool import Pool
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.decision_list import Example, Examples
from grl.rules.play.referee import Referee
from grl.rules.templates.columns import position_table
from grl.turn import Turn


class Outcome(Example[PositionCase]):
    """A position with its goals by seat, which are its class; None where the game goes on."""

    @property
    def goals(self) -> tuple[int, ...] | None:
        """What rules should say of it."""
        return self.says


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


def examples(setting: Setting, data: Sequence[Outcome]) -> Examples[Outcome]:
    """Positions to which endings are held."""
    return Examples(data, partial(position_table, setting))


def asks_turns(rule: Rule) -> bool:
    """Whether an ending asks if a player has a turn, which is expensive to find."""
    return any(literal.feature[0] == "stuck" for literal in rule.body)
