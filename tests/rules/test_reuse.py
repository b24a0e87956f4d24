"""Rules of few examples, put in what the other rules of a list name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grl.model import Literal, Rule
from grl.rules.endings.scores import _numbers_given
from grl.rules.features.decision_list import FEW, Example
from grl.rules.features.vocabulary import Priced
from grl.rules.search.greedy import Greedy, Listed
from grl.rules.search.reuse import reusing

MINE, YOURS, ACCIDENT = (("size", "now", ("lies", who), "=", 1) for who in ("own", "opposing", "x"))
LOST, DRAWN, WON = (0, 100), (50, 50), (100, 0)


def listed(accident: float, *, drawn: int = 1) -> Listed:
    """A list by which what loses for one player wins for the other, behind draws, which so many
    ends show where it is so of both; an accident is true of these alone."""
    kinds = [(1, 0, LOST)] * 9 + [(0, 1, WON)] * 7 + [(1, 1, DRAWN)] * drawn + [(0, 0, None)] * 20
    table = np.array([(mine, yours, says == DRAWN) for mine, yours, says in kinds], dtype=np.bool_)
    items = [Example(None, says) for *_, says in kinds]
    features = [Priced(MINE, 2.0), Priced(YOURS, 2.0), Priced(ACCIDENT, accident)]
    rules = [
        Rule((Literal(asked, True),), value, support, provisional=support < FEW)
        for asked, value, support in ((ACCIDENT, DRAWN, drawn), (MINE, LOST, 9), (YOURS, WON, 7))
    ]
    return Listed(tuple(rules), 0, 12.0, Greedy(features, table, items, contests=True))


def test_what_the_list_names_takes_the_place_of_an_accident() -> None:
    before = listed(1.9)

    first, *others = reusing(before).rules

    assert set(first.body) == {Literal(MINE, True), Literal(YOURS, True)}
    assert (first.value, first.support, first.provisional) == (DRAWN, 1, True)
    assert others == list(before.rules[1:])


@pytest.mark.parametrize(("price", "drawn"), [(1.4, 1), (1.9, 3)])
def test_what_is_cheaper_or_well_supported_stays(price: float, drawn: int) -> None:
    before = listed(price, drawn=drawn)
    assert reusing(before).rules == before.rules


def test_what_lies_on_squares_that_the_list_names_is_asked_again() -> None:
    zone = ("either", ("cell", 1, 1), ("cell", 2, 2))
    filled, mine = (("some", "now", ("both", ("lies", what), zone)) for what in ("empty", "own"))
    kinds = [(0, 1, 0, WON)] * 9 + [(0, 0, 1, LOST)] + [(1, 0, 0, None)] * 9 + [(1, 1, 0, None)] * 9
    table = np.array([columns for *columns, _ in kinds], dtype=np.bool_)
    items = [Example(None, says) for *_, says in kinds]
    search = Greedy([Priced(filled, 2.0), Priced(mine, 2.0), Priced(ACCIDENT, 1.9)], table, items)
    rules = (
        Rule((Literal(ACCIDENT, True),), LOST, 1, provisional=True),
        Rule((Literal(filled, False),), WON, 9),
    )

    first, second = reusing(Listed(rules, 0, 12.0, search)).rules

    assert set(first.body) == {Literal(filled, False), Literal(mine, False)}
    assert second == rules[1]


def test_a_rule_behind_the_others_needs_less() -> None:
    before = listed(1.9)
    first, *others = before.rules
    found = reusing(replace(before, rules=(*others, first)))
    assert found.rules == (*others, first)

    apart = zip(others, (YOURS, MINE), strict=True)
    narrow = [replace(rule, body=(*rule.body, Literal(asked, False))) for rule, asked in apart]
    found = reusing(replace(before, rules=(*narrow, first)))
    assert set(found.rules[-1].body) in ({Literal(MINE, True)}, {Literal(YOURS, True)})


def test_a_score_counts_the_numbers_of_which_it_gives_most_ends() -> None:
    goals = np.array([(0, 100)] * 4 + [(20, 80)] * 4 + [(50, 50)] * 3)
    right = np.array([True] + [False] * 3 + [True] * 2 + [False] * 2 + [True] * 3)
    assert _numbers_given(goals, right) == len({20, 80, 50})
