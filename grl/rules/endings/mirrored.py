"""Endings said of one player, said of the next as well.

Goals go by seat from the player to move. Where a turn may keep the move, the same line of stones
can end the game at either side's turn, and records may show one of the two only.
"""

from __future__ import annotations

from collections.abc import Sequence

from grl.model import Rule
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.templates.evaluation import covering, mirrored


def mirrored_rules(
    setting: Setting, rules: Sequence[Rule], silent: Sequence[PositionCase]
) -> tuple[Rule, ...]:
    """The rules said of the players next in turn order, without those that are among them.

    None covers one of the positions `silent`, of which the rules say nothing. Files and ranks in
    features are those that the owner of a piece sees, so they stay as they are.
    """
    seats = len(setting.equipment.players)
    known = {(rule.body, rule.value) for rule in rules}
    found: dict[Rule, None] = {}
    for rule in rules:
        for by in range(1, seats):
            literals = [mirrored(literal, by, seats) for literal in rule.body]
            body = tuple(literal for literal in literals if literal is not None)
            if len(body) < len(literals):
                continue
            value = tuple(rule.value[(seat - by) % seats] for seat in range(seats))
            if (body, value) not in known and not any(map(covering(setting, body), silent)):
                found[Rule(body, value, support=0, provisional=True)] = None
    return tuple(found)
