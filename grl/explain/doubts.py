"""Which turns of a position are legal, or illegal, only by rules that are not certain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grl.board import Position
from grl.model import Status
from grl.rulebook import Rulebook
from grl.turn import Turn

DOUBTFUL = (Status.REFUTED, Status.PROVISIONAL)


@dataclass(frozen=True)
class Doubts:
    """The turns of a position about which rules decide that are provisional or refuted.

    `allowed` are legal turns that would be illegal without such rules, as when one drops a rival
    that a later rule asks for; `forbidden` illegal ones that would be legal. With each goes the
    worst status of the rules that make the difference: ``refuted`` where leaving those out does.
    `over` is that status for a position that only such a rule calls terminal.
    """

    allowed: Mapping[Turn, Status]
    forbidden: Mapping[Turn, Status]
    over: Status | None = None

    def status(self, turn: Turn) -> Status:
        """How far a legal turn is to be trusted."""
        return self.allowed.get(turn, Status.CERTAIN)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "allowed": {str(turn): status.value for turn, status in self.allowed.items()},
            "forbidden": {str(turn): status.value for turn, status in self.forbidden.items()},
            "over": None if self.over is None else self.over.value,
        }


NO_DOUBTS = Doubts({}, {})


def doubts(rulebook: Rulebook, position: Position) -> Doubts:
    """The turns of a position about which rules decide that are not certain."""
    rules = rulebook.model.rules
    if rules is None or rules.statuses <= {Status.CERTAIN}:
        return NO_DOUBTS
    legal = rulebook.legal(position)
    allowed: dict[Turn, Status] = {}
    forbidden: dict[Turn, Status] = {}
    over: Status | None = None
    for without in (DOUBTFUL[:1], DOUBTFUL):
        if not rules.statuses & {*without}:
            continue
        others = rulebook.legal(position, without=without)
        status = without[-1]
        if others and not legal:
            over = over or status
        for turn in others if legal else ():
            if turn not in legal:
                forbidden.setdefault(turn, status)
        for turn in legal:
            if turn not in others:
                allowed.setdefault(turn, status)
    order = {turn: number for number, turn in enumerate(legal)}
    return Doubts(dict(sorted(allowed.items(), key=lambda each: order[each[0]])), forbidden, over)
