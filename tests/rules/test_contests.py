"""Contests: rules for who has more, found as one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from random import Random
from typing import Any, cast

import numpy as np
import pytest

from grl.model import Literal, Rule
from grl.rules.endings.learn import shortened
from grl.rules.features.decision_list import Example
from grl.rules.features.vocabulary import Priced
from grl.rules.search.greedy import Greedy, sweeping, thrifty

OWNERS = ("own", "next1", "next2")

OVER, LESS, EQUAL = (
    ("passes", 2),
    ("sizes", "now", ("lies", "own"), "<", ("lies", "opposing")),
    ("sizes", "now", ("lies", "own"), "=", ("lies", "opposing")),
)
LOST, DRAWN, WON = (0, 100), (50, 50), (100, 0)


def search(ends: dict[int, int], odd: int = 0, *, contests: bool = True) -> Greedy:
    """Cases over when a game is, of so many by what the mover has more; noise, and others that go
    on. So many of the draws are lost instead, and then there is no noise."""
    chance = Random(1)
    rows, items = [], []
    for over, (more, number) in product((True, False), ends.items()):
        for at in range(number if over else 12):
            noise = [not odd and chance.random() < 0.5 for _ in range(8)]
            rows.append([over, more < 0, more == 0, *noise])
            said = {-1: LOST, 0: LOST if at < odd else DRAWN, 1: WON}[more]
            items.append(Example(None, said if over else None))
    named = [OVER, LESS, EQUAL, *(("size", "now", ("lies", "own"), "=", n) for n in range(8))]
    return Greedy([Priced(each, 1.5) for each in named], np.array(rows), items, contests=contests)


@pytest.mark.parametrize("ends", [{-1: 5, 0: 1, 1: 4}, {-1: 5, 0: 0, 1: 4}])
def test_the_rules_of_a_contest_are_found_together(ends: dict[int, int]) -> None:
    over, less, equal = (Literal(each, True) for each in (OVER, LESS, EQUAL))
    found = search(ends).ordered()
    assert [(set(rule.body), rule.value, rule.support) for rule in found.rules] == [
        ({over, less}, LOST, ends[-1]),
        ({over, equal}, DRAWN, ends[0]),
        ({over}, WON, ends[1]),
    ]
    assert found.unexplained == 0
    assert found.cost < search(ends, contests=False).ordered().cost


def test_what_other_outcomes_contradict_is_no_contest() -> None:
    found = search({-1: 6, 0: 6, 1: 6}, odd=6).ordered()
    assert {rule.value for rule in found.rules} == {LOST, WON}
    assert found.unexplained == 0


def test_without_contests_each_outcome_is_explained_by_itself() -> None:
    plain = search({-1: 5, 0: 1, 1: 0}, contests=False).ordered()
    assert WON not in {rule.value for rule in plain.rules}


def test_a_contest_is_found_where_a_number_says_the_same_for_less() -> None:
    """With six pieces in all each player has as many where one has three."""
    number = ("size", "now", ("lies", "opposing"), "=", 3)
    rows, items = [], []
    for over, more in product((True, False), [-2] * 5 + [0] * 3 + [2] * 4):
        rows.append([over, more < 0, more == 0, more == 0])
        said = LOST if more < 0 else WON if more else DRAWN
        items.append(Example(None, said if over else None))
    prices = {OVER: 2.0, LESS: 1.6, EQUAL: 1.6, number: 1.4}
    features = [Priced(*each) for each in prices.items()]
    found = Greedy(features, np.array(rows), items, contests=True).ordered()
    assert {rule.value: set(rule.body) for rule in found.rules} == {
        LOST: {Literal(OVER, True), Literal(LESS, True)},
        DRAWN: {Literal(OVER, True), Literal(EQUAL, True)},
        WON: {Literal(OVER, True)},
    }


def test_what_holds_for_both_players_is_preferred() -> None:
    """A cheaper feature says the same of one player's ends, and nothing of the other's."""
    mine, theirs = (("some", "now", ("lies", f"{who}:king")) for who in ("own", "opposing"))
    rows = [[True, False, True]] * 6 + [[False, True, False]] * 6 + [[False, False, False]] * 6
    items = [Example(None, said) for said in [WON] * 6 + [LOST] * 6 + [None] * 6]
    features = [Priced(mine, 1.5), Priced(theirs, 1.5), Priced(OVER, 1.4)]
    found = Greedy(features, np.array(rows), items, contests=True).ordered()
    assert {(rule.body, rule.value, rule.support) for rule in found.rules} == {
        ((Literal(mine, True),), WON, 6),
        ((Literal(theirs, True),), LOST, 6),
    }


@pytest.mark.parametrize("best", [max, min])
def test_of_three_players_each_may_lead_alone_or_with_others(best) -> None:
    """Who has most, or least. One result of seven was never seen, and follows from the others."""
    chance = Random(2)
    named = [
        ("sizes", "now", ("all", one), relation, ("all", other))
        for first, second in combinations(OWNERS, 2)
        for one, relation, other in (
            (first, "=", second),
            (first, "<", second),
            (second, "<", first),
        )
    ]
    rows, items = [], []
    for over in [True] * 60 + [False] * 40:
        counts = [chance.randrange(4) for _ in range(3)]
        led = [count == best(counts) for count in counts]
        if over and led == [True, False, True]:
            continue
        holds = [
            counts[OWNERS.index(one)] == counts[OWNERS.index(other)]
            if relation == "="
            else counts[OWNERS.index(one)] < counts[OWNERS.index(other)]
            for _, _, (_, one), relation, (_, other) in named
        ]
        goals = tuple((100 if sum(led) == 1 else 50) if one else 0 for one in led)
        rows.append([over, *holds])
        items.append(Example(None, goals if over else None))
    features = [Priced(each, 1.5) for each in (OVER, *named)]
    found = Greedy(features, np.array(rows), items, contests=True).ordered()
    assert len(found.rules) == 7
    assert found.unexplained == 0
    shared = {rule.value: rule.support for rule in found.rules}
    assert shared[50, 0, 50] == 0
    assert found.rules[-1].body == (Literal(OVER, True),)
    assert found.rules[-1].value == (50, 50, 50)


def drawn_rows(chance: Random, rows: int, columns: int) -> np.ndarray:
    """Rows of truths by chance."""
    return np.array([[chance.random() < 0.5 for _ in range(columns)] for _ in range(rows)])


def test_a_rule_is_made_of_what_several_cases_have_in_common() -> None:
    """Cheap literals cover some cases of a class each, three expensive ones all: from single cases
    only the cheap ones are found."""
    chance = Random(3)
    over, others = drawn_rows(chance, 30, 60), drawn_rows(chance, 24, 60)
    over[:, :3] = True
    others[others[:, :3].all(axis=1), 0] = False
    named = [("size", "now", ("lies", "own"), "=", n) for n in range(60)]
    items = [Example(None, said) for said in [LOST] * 30 + [None] * 24]
    features = [Priced(each, 0.6 if at > 2 else 3.0) for at, each in enumerate(named)]
    table = np.concatenate([over, others])

    def found(*, shared: bool) -> list[int]:
        search = Greedy(features, table, items, contests=True)
        return [rule.support for rule in search.ordered(shared=shared).rules]

    assert found(shared=True) == [30]
    assert len(found(shared=False)) > 1


def test_a_contest_may_go_first() -> None:
    """On a full board who has more wins, and before that who is stuck loses."""
    stuck, full = ("stuck", 0), ("size", "now", ("lies", "empty"), "=", 0)
    file = ("some", "now", ("both", ("lies", "opposing"), ("line", "file", 1, "=", 3)))
    rows, items = [], []
    for more, number in {-1: 100, 0: 7, 1: 30}.items():
        for _ in range(number):
            rows.append([more < 0, more == 0, True, True, True])
            items.append(Example(None, {-1: LOST, 0: DRAWN, 1: WON}[more]))
    for more, number, odd in ((-1, 10, True), (-1, 12, False), (1, 20, False), (0, 5, False)):
        for _ in range(number):
            rows.append([more < 0, more == 0, True, False, odd])
            items.append(Example(None, LOST))
    for more, odd in product((-1, 0, 1), (True, False)):
        rows += [[more < 0, more == 0, False, False, odd]] * 10
        items += [Example(None, None)] * 10
    prices = {LESS: 1.8, EQUAL: 1.8, stuck: 1.0, full: 1.35, file: 1.6}
    listed = Greedy(
        [Priced(*each) for each in prices.items()], np.array(rows), items, contests=True
    )

    found = listed.ordered(contest=True)

    is_full, less, equal = (Literal(each, True) for each in (full, LESS, EQUAL))
    assert [(set(rule.body), rule.value) for rule in found.rules] == [
        ({is_full, less}, LOST),
        ({is_full, equal}, DRAWN),
        ({is_full}, WON),
        ({Literal(stuck, True)}, LOST),
    ]
    assert found.unexplained == 0
    assert found.cost < min(listed.ordered(worth).cost for worth in (thrifty, sweeping))


def test_what_is_said_of_either_player_may_go_first() -> None:
    """Who has the king on the far side wins whatever the count; greed would count first."""
    mine, theirs = (("some", "now", ("lies", f"{who}:king")) for who in ("own", "opposing"))
    rows, items = [], []
    for over, more, king in product((True, False), [-1] * 8 + [1] * 8, (0, 1, 2)):
        ended = over or king
        rows.append([over, more < 0, more == 0, king == 1, king == 2])
        said = {0: LOST if more < 0 else WON, 1: (70, 0), 2: (0, 70)}[king]
        items.append(Example(None, said if ended else None))
    named = [OVER, LESS, EQUAL, mine, theirs]
    search = Greedy([Priced(each, 1.5) for each in named], np.array(rows), items, contests=True)
    values = [[search.classes[at] for at in sorted(each)] for each in search.alike()]

    assert values == [[(0, 70), (70, 0)], [LOST, WON]]
    found = search.ordered(first=search.alike()[0])
    assert {rule.value for rule in found.rules[:2]} == {(0, 70), (70, 0)}
    assert {rule.body for rule in found.rules[:2]} == {
        (Literal(mine, True),),
        (Literal(theirs, True),),
    }
    assert found.unexplained == 0
    assert found.rules[-1].body == (Literal(OVER, True),)


class Passed:
    """Outcomes that mind no more than that a game isn't over before all have passed."""

    def wrong(self, rules: Sequence[Rule]) -> list[Rule]:
        """What is wrong: rules that don't ask for that."""
        return [rule for rule in rules if Literal(OVER, True) not in rule.body]


def test_no_rule_is_put_behind_one_that_preempts_it() -> None:
    """That the next player leads alone was in no record: nothing there minds where its rule is."""
    leads = [
        Literal(("sizes", "now", ("lies", one), "<", ("lies", "next1")), True)
        for one in ("own", "next2")
    ]
    over = Literal(OVER, True)
    rules = (Rule((over, *leads), (0, 100, 0), 0), Rule((over,), (33, 33, 33), 4))
    found = shortened(cast("Any", Passed()), rules)

    assert found[-1] == rules[-1]
    assert over in found[0].body
