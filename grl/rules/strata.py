"""The order of restrictions where positions with legal turns leave it open.

A rule that compares a turn with its rivals depends on which rivals earlier rules have left. Two
orders may agree wherever some turn is legal and differ where none is; there the game has ended, and
records show no turns. So of the orders that are as good the one is taken by which the player to
move has no turn in most of the positions in which games ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grl.board import Position
from grl.model import Rule
from grl.rules.cases import PositionCase, Scene, Setting, TurnCase
from grl.rules.referee import Restrictor
from grl.rules.relations import RELATIONS
from grl.rules.survey import Survey

MOST_ENDS = 150
LEAST_GAIN = 4
"""An order that leaves the player without a turn in fewer further endings is no better."""

Placed = tuple[Scene, list[TurnCase]]


def reordered(
    setting: Setting, rules: tuple[Rule, ...], going: Survey, ends: Sequence[Position]
) -> tuple[Rule, ...]:
    """The rules in the order that explains most of the positions `ends` by a lack of turns.

    In none of the recorded positions `going`, which have legal turns, are others left than before.
    """
    if len(rules) < 2 or not any(_relative(rule) for rule in rules):
        return rules
    scenes = [
        Scene(PositionCase.of(setting, position), setting.generator(position))
        for position in ends[:: max(1, len(ends) // MOST_ENDS)][:MOST_ENDS]
    ]
    over = [(scene, scene.survivors) for scene in scenes]
    most = _stuck(setting, rules, over)
    while True:
        ranked = sorted(
            ((_stuck(setting, order, over), -i, order) for i, order in enumerate(_orders(rules))),
            key=lambda each: each[:2],
            reverse=True,
        )
        for count, _, order in ranked:
            if count < most + LEAST_GAIN:
                return rules
            if going.agree(rules, order):
                rules, most = order, count
                break
        else:
            return rules


def _relative(rule: Rule) -> bool:
    return any(literal.feature[0] in RELATIONS for literal in rule.body)


def _orders(rules: tuple[Rule, ...]) -> Iterator[tuple[Rule, ...]]:
    """The orders in which one rule is on the other side of one that compares turns."""
    for at, rule in enumerate(rules):
        others = rules[:at] + rules[at + 1 :]
        for place in range(len(rules)):
            crossed = others[min(at, place) : max(at, place)]
            if crossed and (_relative(rule) or any(map(_relative, crossed))):
                yield (*others[:place], rule, *others[place:])


def _stuck(setting: Setting, rules: Sequence[Rule], over: Sequence[Placed]) -> int:
    restrictor = Restrictor(setting, rules)
    return sum(not restrictor.survivors(scene, cases) for scene, cases in over)
