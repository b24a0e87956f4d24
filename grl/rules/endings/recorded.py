"""The positions of the records with their outcomes: what endings are learned from and held to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grl.records import End, Moment
from grl.rules.endings.outcomes import Outcome
from grl.rules.endings.scores import with_scores
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.play.referee import Referee
from grl.turn import Turn


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
    return with_scores(setting, found)


def _going(setting: Setting, moment: Moment) -> PositionCase:
    """A position with a turn; whether other players have one has to be asked."""
    case = PositionCase.of(setting, moment.position)
    if moment.turns == {"pass"}:
        return case

    def stuck(seat: int) -> bool:
        return seat > 0 and setting.stuck is not None and setting.stuck(case, seat)

    case.stuck = stuck
    return case
