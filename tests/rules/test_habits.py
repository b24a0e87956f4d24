"""Habits: how often kinds of turns are played of how often an even choice would, and silences.

Positions are of checkers; the players choose evenly, or seldom take.
"""

from __future__ import annotations

import random
from math import exp, log, log2

import numpy as np
import pytest
from learned import learned, random_positions

from grl import games
from grl.board import Position
from grl.model import Literal, Rule
from grl.records import Moment
from grl.rules.features.cases import Setting
from grl.rules.features.vocabulary import exposed, words_of
from grl.rules.play.effects import generator_of
from grl.rules.restrictions.habits import Habit, Habits, measured
from grl.rules.restrictions.labelled import Labelled, label
from grl.rules.restrictions.scoring import Silence
from grl.rules.restrictions.silence import Unplayed, avoidable
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary

LIKED = Literal(("heading", "ahead"), True)
SELDOM = 0.1
BACK = Literal(("heading", "behind"), True)


def even(number: int) -> list[Habit]:
    return [Habit(LIKED, 100, 100.0)] * number


def test_of_players_who_choose_evenly_silence_is_as_odd_as_chance() -> None:
    assert Habits(even(1_000)).bits(20) == pytest.approx(20 / log(2))


def test_one_strong_habit_of_many_explains_what_is_as_silent() -> None:
    habits = Habits([*even(999), Habit(BACK, 1, 100.0)])
    for expected in (50.0, 1_000.0):
        chance = (exp(-expected * 0.01) + 999 * exp(-expected)) / 1_000
        assert habits.bits(expected) == pytest.approx(-log2(chance))
    assert habits.explain(500)
    assert not habits.explain(1_000)
    assert [habit.kind for habit in habits.strongest] == [BACK]


def test_where_no_habits_are_known_they_may_explain_all() -> None:
    assert Habits(()).explain(1e6)


def test_more_bits_count_where_habits_do_not_explain_them() -> None:
    shares, cost = np.full(400, 1 / 20), 1.0
    doubtful = Silence().paid(shares, cost)
    assert Silence(habits=Habits(even(10))).paid(shares, cost) > doubtful
    lazy = Habits([*even(9), Habit(BACK, 1, 100.0)])
    assert Silence(habits=lazy).paid(shares, cost) == doubtful


def takes(item: Labelled) -> list[bool]:
    return [
        case.candidate.cells.count(".") > item.turn_list.before.cells.count(".")
        for case in item.cases
    ]


@pytest.fixture(scope="module")
def setting() -> Setting:
    model = learned("checkers").model
    assert model.rules is not None
    return Setting(model.equipment, model.rules.frames, generator_of(model))


@pytest.fixture(scope="module")
def pseudo_legal(setting: Setting) -> list[tuple[Position, Labelled]]:
    """Positions in which somebody has a turn, with all pseudo-legal ones."""
    game = games.load("checkers")
    return [
        (position, label(setting, Moment(position, False, frozenset(), frozenset())))
        for position in random_positions("checkers", 1_200, seed=5)
        if game.legal(position)
    ]


def played(
    setting: Setting, pseudo_legal: list[tuple[Position, Labelled]], *, shy: bool
) -> list[Labelled]:
    """All turns are open to players, who may be shy of taking."""
    chance = random.Random(5)
    found = []
    for position, everything in pseudo_legal:
        weights = [SELDOM if shy and taking else 1.0 for taking in takes(everything)]
        (case,) = chance.choices(everything.cases, weights)
        turns = frozenset([str(case.candidate.turn)])
        found.append(label(setting, Moment(position, False, turns, frozenset())))
    return found


@pytest.mark.parametrize("shy", [False, True])
def test_a_habit_is_measured_where_there_is_one(
    setting: Setting, pseudo_legal: list[tuple[Position, Labelled]], shy: bool
) -> None:
    items = played(setting, pseudo_legal if shy else pseudo_legal[::4], shy=shy)
    words = words_of(learned("checkers").model)
    habits = measured(TurnVocabulary.of(setting, words, items[:50], items), items)
    if shy:
        assert habits.strongest[0].rate < 3 * SELDOM
        assert habits.explain(30)
    else:
        assert not habits.strongest
        assert not habits.explain(30)


def test_what_players_may_always_avoid_is_open_however_often_they_did() -> None:
    """No number of turns says whether squares that can be attacked are forbidden."""
    literals = Literal(exposed("end1"), True), LIKED
    rules = tuple(Rule((literal,), support=500) for literal in literals)
    expected = {rule.body: 10_000.0 for rule in rules}
    unplayed = Unplayed(rules, expected, Habits([Habit(LIKED, 100, 100.0)]))
    assert [unplayed.open(rule) for rule in rules] == [True, False]


@pytest.mark.parametrize(("expected", "avoided"), [(79.0, True), (5_000.0, False)])
def test_what_players_may_avoid_in_some_circumstances_is_no_rule_for_few_turns(
    expected: float, avoided: bool
) -> None:
    """Habits as strong as that of leaving no man to be taken leave it a tenth of its bits."""
    preferred = Literal(exposed("end1"), True)
    wide, narrow = Rule((preferred,)), Rule((preferred, LIKED))
    plain = Rule((LIKED, LIKED))
    rules = wide, narrow, plain
    habits = Habits([Habit(BACK, 10, 100.0), *even(50)])
    sizes, costs = ({rule.body: number for rule in rules} for number in (expected, 5.0))

    assert avoidable(rules, sizes, costs, habits) == ((narrow,) if avoided else ())
    assert not avoidable(rules, sizes, dict.fromkeys(costs, -2.0), habits)
    assert not avoidable(rules, sizes, costs, Habits([]))
