"""Restrictions held to many positions at once, against each position by itself."""

from __future__ import annotations

import random

import pytest
from learned import learned, random_positions
from shorthand import heading

from grl import games
from grl.model import Literal, Rule
from grl.records import Moment
from grl.rules.features.cases import Setting
from grl.rules.play.effects import generator_of
from grl.rules.play.referee import Restrictor
from grl.rules.restrictions import survey
from grl.rules.restrictions.labelled import ILLEGAL, LEGAL, Labelled, label
from grl.rules.restrictions.survey import Survey

OTHERS = (
    Rule((Literal(("moves", "own:man"), True), Literal(heading("ahead"), True))),
    Rule(
        (
            Literal(("rival_has", "start", ("takes", "opposing")), True),
            Literal(("before", ("size", "now", ("lies", "opposing"), "<", 12)), True),
        )
    ),
    Rule((Literal(("beyond", "any", "end", "more"), True),)),
)
"""Rules that forbid much; they leave each other's rivals in the order given."""


@pytest.fixture(scope="module", params=["checkers", "breakthrough:width=6,height=6"])
def surveyed(request: pytest.FixtureRequest) -> tuple[Setting, tuple[Rule, ...], list[Labelled]]:
    spec: str = request.param
    model = learned(spec).model
    assert model.rules is not None
    setting = Setting(model.equipment, model.rules.frames, generator_of(model))
    game = games.load(spec)
    chance = random.Random(spec)
    items = []
    for position in random_positions(spec, 40, seed=4):
        turns = game.legal(position)
        complete = chance.random() < 0.7
        known = turns if complete else turns[:1]
        items.append(label(setting, Moment(position, complete, frozenset(known), frozenset())))
    return setting, (*model.rules.restrictions, *OTHERS), items


def orders(rules: tuple[Rule, ...]) -> list[tuple[Rule, ...]]:
    chance = random.Random(7)
    return [(), rules, *(tuple(chance.sample(rules, len(rules))) for _ in range(4))]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several chunks, and columns that are dropped and made again."""
    monkeypatch.setattr(survey, "CHUNK", 60)
    monkeypatch.setattr(survey, "KEPT", 3)


def test_what_is_left_is_what_each_position_keeps(surveyed) -> None:
    setting, rules, items = surveyed
    whole = Survey(setting, items)
    for order in orders(rules):
        restrictor = Restrictor(setting, order)
        for before, after in zip(items, whole.left(order), strict=True):
            assert after.cases == restrictor.survivors(before.turn_list, before.cases)
            assert len(after.labels) == len(after.effects) == len(after.cases)


def test_positions_are_wrong_where_other_turns_are_left_than_the_legal_ones(surveyed) -> None:
    setting, rules, items = surveyed
    whole = Survey(setting, items)
    seen = set()
    for order in orders(rules):
        restrictor = Restrictor(setting, order)
        wrong = [item for item in items if is_wrong(restrictor, item)]
        assert whole.wrong(order) == wrong
        assert whole.wrong(order, 3) == wrong[:3]
        seen.add(len(wrong))
    assert len(seen) > 1


def is_wrong(restrictor: Restrictor, item: Labelled) -> bool:
    left = set(map(id, restrictor.survivors(item.turn_list, item.cases)))
    kept = {e for case, e in zip(item.cases, item.effects, strict=True) if id(case) in left}
    legal = {e for e, each in zip(item.effects, item.labels, strict=True) if each == LEGAL}
    return kept != legal if item.complete else not legal <= kept


def test_what_speaks_for_a_rule_are_the_positions_where_it_forbids(surveyed) -> None:
    setting, rules, items = surveyed
    whole = Survey(setting, items)
    for order in orders(rules):
        counts = [[0, 0] for _ in order]
        restrictor = Restrictor(setting, order)
        for item in items:
            labels = dict(zip(map(id, item.cases), item.labels, strict=True))
            for number, dropped in enumerate(restrictor.dropped(item.turn_list, item.cases)):
                found = {labels[id(case)] for case in dropped}
                counts[number][0] += ILLEGAL in found
                counts[number][1] += LEGAL in found
        assert whole.counted(order) == [tuple(pair) for pair in counts]


def test_orders_agree_only_where_they_leave_the_same(surveyed) -> None:
    setting, rules, items = surveyed
    whole = Survey(setting, items)
    assert whole.agree(rules, rules)
    for order in orders(rules):
        same = all(
            one.cases == other.cases
            for one, other in zip(whole.left(rules), whole.left(order), strict=True)
        )
        assert whole.agree(rules, order) == same
    assert not whole.agree(rules, ())
