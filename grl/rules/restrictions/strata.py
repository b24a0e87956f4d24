"""What restrictions say where no turn is legal, which positions with legal turns leave open.

A rule that compares a turn with its rivals depends on which rivals earlier rules have left; and
whether a turn may only be played if no other turn does better, or not at all, is the same wherever
some turn is legal. Where none is the game has ended, and records show no turns. So of the orders
and readings of rules that agree elsewhere the one is taken by which the player to move has no turn
in most of the positions in which games ended; of those that agree there, too, the one in which
turns are compared with such as no other rule forbids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from grl.board import Position
from grl.logic.contents import contents_of
from grl.logic.evenly import evenly
from grl.logic.ops.places import lies
from grl.model import Feature, Literal, Rule
from grl.rules.features.cases import PositionCase, Setting, TurnCase, TurnList
from grl.rules.features.terms import size, some, terms_in
from grl.rules.play.referee import Restrictor
from grl.rules.restrictions.survey import Survey
from grl.rules.templates import RELATIONS

MOST_ENDS = 150
LEAST_GAIN = 4
"""An order that leaves the player without a turn in fewer further endings is no better."""

Placed = tuple[TurnList, list[TurnCase]]


def reordered(
    setting: Setting, rules: tuple[Rule, ...], going: Survey, ends: Sequence[Position]
) -> tuple[Rule, ...]:
    """The rules, so ordered and read that most of the positions `ends` have no turn left.

    In none of the recorded positions `going`, which have legal turns, are others left than before.
    Rules that look at a turn alone come first where that changes nothing.
    """
    if not any(relative(rule) for rule in rules):
        return rules
    turn_lists = [
        TurnList(PositionCase.of(setting, position), setting.generator(position))
        for position in evenly(ends, MOST_ENDS)
    ]
    over = [(turn_list, turn_list.survivors) for turn_list in turn_lists]
    most = _stuck(setting, rules, over)
    alone_first = tuple(sorted(rules, key=relative))
    if alone_first != rules:
        count = _stuck(setting, alone_first, over)
        if count >= most and going.agree(rules, alone_first):
            rules, most = alone_first, count
    while True:
        ranked = sorted(
            (
                (_stuck(setting, order, over), -i, order)
                for i, order in enumerate(chain(_orders(rules), _absolute(setting, rules)))
            ),
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


def relative(rule: Rule) -> bool:
    """Whether a rule compares a turn with its rivals."""
    return any(literal.feature[0] in RELATIONS for literal in rule.body)


def _orders(rules: tuple[Rule, ...]) -> Iterator[tuple[Rule, ...]]:
    """The orders in which one rule is on the other side of one that compares turns."""
    for at, rule in enumerate(rules):
        others = rules[:at] + rules[at + 1 :]
        for place in range(len(rules)):
            crossed = others[min(at, place) : max(at, place)]
            if crossed and (relative(rule) or any(map(relative, crossed))):
                yield (*others[:place], rule, *others[place:])


def _absolute(setting: Setting, rules: tuple[Rule, ...]) -> Iterator[tuple[Rule, ...]]:
    """The rules with one that asks what rivals have turned into one that asks the turn alone.

    Where the feature speaks of an earlier turn, there has to be one; or it is asked as well what is
    on the board or in hand.
    """
    held = list(_held(setting))
    for at, rule in enumerate(rules):
        for number, literal in enumerate(rule.body):
            name, *arguments = literal.feature
            if name not in ("rival_has", "rival_lacks") or not literal.holds:
                continue
            feature = arguments[1]
            alone = Literal(feature, name == "rival_lacks")
            others = rule.body[:number] + rule.body[number + 1 :]
            for guard in ((), *_guards(feature), *held):
                body = (*others, alone, *guard)
                yield (*rules[:at], replace(rule, body=body), *rules[at + 1 :])


def _guards(feature: Feature) -> Iterator[tuple[Literal]]:
    """That there are the squares of earlier turns of which a feature speaks."""
    for term in terms_in(feature):
        for inner in term.terms():
            if inner.point and inner.operator.of_past:
                yield (Literal(some("before", inner), True),)


def _held(setting: Setting) -> Iterator[tuple[Literal]]:
    """That there are pieces of a content before the turn, or none; or that the mover holds some."""
    for content in contents_of(setting.equipment)[1:]:
        there = some("before", lies(content))
        yield from ((Literal(there, holds),) for holds in (True, False))
    if setting.equipment.stocked:
        nothing = ("before", size("now", ("hand", "own"), "=", 0))
        yield from ((Literal(nothing, holds),) for holds in (True, False))


def _stuck(setting: Setting, rules: Sequence[Rule], over: Sequence[Placed]) -> int:
    restrictor = Restrictor(setting, rules)
    return sum(not restrictor.survivors(turn_list, cases) for turn_list, cases in over)
