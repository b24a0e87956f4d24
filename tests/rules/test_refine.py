"""Theories of some examples held to all of them; what the first rule that covers a case says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grl.logic.evenly import evenly
from grl.logic.grid import Bools
from grl.model import Feature, Literal, Rule
from grl.rules.features.decision_list import DecisionList, Example, Examples, first_of
from grl.rules.features.vocabulary import Priced
from grl.rules.search.greedy import Greedy
from grl.rules.search.refine import Attempt, Theory, by_level, refine

Bits = tuple[bool, ...]
WIDTH = 3
FEATURES: list[Feature] = [("bit", number) for number in range(WIDTH)]


def table(cases: Sequence[Bits], features: Sequence[Feature]) -> Bools:
    rows = [[case[number] for _, number in features] for case in cases]
    return np.array(rows, dtype=np.bool_).reshape(len(cases), len(features))


def covering(body: Sequence[Literal]) -> Callable[[Bits], bool]:
    return lambda case: all(case[feature[1]] == holds for feature, holds in body)


values = st.sampled_from([(0,), (1,)])
rules = st.lists(
    st.builds(
        Rule,
        st.lists(st.builds(Literal, st.sampled_from(FEATURES), st.booleans()), max_size=3).map(
            tuple
        ),
        values,
    ),
    max_size=5,
)
examples = st.lists(
    st.builds(Example, st.tuples(*[st.booleans()] * WIDTH), st.none() | values), max_size=12
)


@given(rules, rules, examples)
def test_what_rules_say_of_many_cases_is_what_they_say_of_each(
    some: list[Rule], others: list[Rule], items: list[Example[Bits]]
) -> None:
    data = Examples(items, table)
    for each in (some, others):
        one = DecisionList(each, covering)
        deciding = [one.first(item.case) for item in items]
        said = [None if rule is None else rule.value for rule in deciding]
        assert data.says(each) == said
        right = [item.says == what for item, what in zip(items, said, strict=True)]
        assert data.wrong(each) == [x for x, yes in zip(items, right, strict=True) if not yes]
        assert data.uncovered(each) == [
            x for x, what in zip(items, said, strict=True) if what is None
        ]
        counts = [
            [
                sum(r is rule and yes is w for r, yes in zip(deciding, right, strict=True))
                for w in (True, False)
            ]
            for rule in each
        ]
        assert [[rule.support, rule.against] for rule in data.counted(each)] == counts


@given(rules, examples)
def test_no_rule_is_believed_that_more_speaks_against_than_for(
    some: list[Rule], items: list[Example[Bits]]
) -> None:
    data = Examples(items, table)
    found = data.believed(some)
    assert all(rule.against <= rule.support for rule in found)
    assert data.counted(found) == found
    assert {rule.body for rule in found} <= {rule.body for rule in some}


@given(examples)
@example([])
def test_rules_found_greedily_say_nothing_wrong(items: list[Example[Bits]]) -> None:
    features = [Priced(feature, 1.0) for feature in FEATURES]
    found = Greedy(features, table([item.case for item in items], FEATURES), items).ordered()
    wrong = Examples(items, table).wrong(found.rules)
    assert len(wrong) == found.unexplained
    assert all(item.says is not None for item in wrong)


def test_wide_rules_are_looked_for_where_narrow_ones_were_found() -> None:
    """Six cases, each with a cheap sign of its own; two expensive signs together are on all."""
    rows = [[row == sign for sign in range(6)] + [True, True] for row in range(6)]
    rows += [[False] * 6 + both for both in ([True, False], [False, True], [False, False])]
    items = [Example(number, (1,) if number < 6 else None) for number in range(len(rows))]
    features = [Priced(("bit", number), 0.5 if number < 6 else 3.0) for number in range(8)]
    search = Greedy(features, np.array(rows), items)
    assert len(search.ordered().rules) == 6
    wide = (Literal(("bit", 6), True), Literal(("bit", 7), True))
    assert wide not in search.met()
    search.meet(search.kind == 0, 0)
    assert search.met()[wide] == 6.0


def test_the_first_examples_of_either_kind_begin() -> None:
    items = [Example(number, (0,) if number % 2 else None) for number in range(9)]
    assert [item.case for item in first_of(items, 2, 3)] == [1, 3, 0, 2, 4]


@given(st.lists(st.integers()), st.integers(1, 50))
def test_some_of_a_list_are_far_apart_and_in_order(items: list[int], most: int) -> None:
    found = evenly(range(len(items)), most)
    assert len(found) == min(most, len(items))
    assert len({b - a for a, b in pairwise(found)}) <= 1


def numbers_known(working: Sequence[int], revision: int) -> list[Attempt[frozenset[int]]]:
    """A theory that gets right what it has seen."""
    return [Attempt(frozenset(working), float(revision))]


def test_what_comes_out_wrong_joins_until_nothing_does() -> None:
    seen = []

    def attempts(working: Sequence[int], revision: int) -> list[Attempt[frozenset[int]]]:
        seen.append(list(working))
        return numbers_known(working, revision)

    def wrong(theory: frozenset[int]) -> list[int]:
        return [number for number in range(6) if number not in theory]

    found = refine([0], attempts, wrong, 9, joining=lambda fresh: fresh[:2])
    assert found == (frozenset(range(6)), 0)
    assert seen == [[0], [0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]


@pytest.mark.parametrize(("fruitless", "tried"), [(None, 7), (1, 3), (2, 4)])
def test_the_best_theory_stays_and_fruitless_revisions_end(
    fruitless: int | None, tried: int
) -> None:
    mistakes = [5, 3, 4, 3, 3, 4, 3]
    made = []

    def attempts(_working: Sequence[int], revision: int) -> list[Attempt[int]]:
        made.append(revision)
        return [Attempt(revision, 1.0)]

    def wrong(theory: int) -> range:
        return range(100 * theory + 100, 100 * theory + 100 + mistakes[theory])

    found = refine([0], attempts, wrong, 7, joining=lambda some: some[:1], fruitless=fruitless)
    assert found == (1, 3)
    assert len(made) == tried


def test_a_later_attempt_is_made_only_where_the_first_gets_something_wrong() -> None:
    made = []

    def attempts(_working: Sequence[int], revision: int) -> Iterator[Attempt[str]]:
        for name in ("plain", "expensive"):
            made.append((revision, name))
            yield Attempt(f"{name} {revision}", 0.0)

    mistakes = {"plain 0": [1, 2], "expensive 0": [1], "plain 1": []}
    assert refine([0], attempts, mistakes.__getitem__, 5) == ("plain 1", 0)
    assert made == [(0, "plain"), (0, "expensive"), (1, "plain")]


def test_nothing_is_learned_after_the_last_attempt() -> None:
    def attempts(_working: Sequence[int], revision: int) -> list[Attempt[int]]:
        return [Attempt(revision, 0.0, last=revision == 1)]

    assert refine([0], attempts, lambda theory: range(9 - theory), 5) == (1, 8)


def test_where_no_more_examples_join_the_best_theory_so_far_is_what_is_found() -> None:
    def attempts(working: Sequence[int], _revision: int) -> list[Attempt[int]]:
        return [Attempt(len(working), 0.0)]

    def joining(fresh: Sequence[int]) -> Sequence[int]:
        return fresh[:1] if len(fresh) > 6 else []

    found = refine([0], attempts, lambda number: range(number, 10), 9, joining=joining)
    assert found == (4, 6)


@dataclass(frozen=True)
class Tried(Theory):
    level: int


def tried(level: int, left: int) -> Tried:
    return Tried((), left, 0.0, level)


@pytest.mark.parametrize(
    ("left", "levels", "best", "least"),
    [
        ([0, 0, 0], range(3), 0, 0),
        ([2, 0, 0], range(3), 1, 1),
        ([2, 1, 0], range(3), 2, 2),
        ([2, 1, 1], range(3), 1, 2),
        ([9, 1, 1], range(1, 3), 1, 2),
    ],
)
def test_levels_that_leave_something_are_not_begun_with_again(
    left: list[int], levels: range, best: int, least: int
) -> None:
    found = by_level(lambda level: tried(level, left[level]), levels, lambda _found, _level: True)
    assert (found[0].level, found[1]) == (best, least)


def test_a_theory_that_is_not_enough_leads_to_the_next_level() -> None:
    made = []

    def theory(level: int) -> Tried:
        made.append(level)
        return tried(level, 0)

    found, _ = by_level(theory, range(3), lambda _found, level: level == 1)
    assert (found.level, made) == (0, [0, 1])


def test_a_draft_that_is_wrong_is_not_followed_by_an_attempt_and_one_that_is_right_is() -> None:
    """Theories are sets of numbers that are thought to be even."""
    numbers = [[n] for n in range(20)]
    made: list[tuple[int, bool]] = []

    def attempts(some: Sequence[list[int]], revision: int) -> Iterator[Attempt[frozenset[int]]]:
        if revision:
            made.append((revision, True))
            yield Attempt(frozenset(n for (n,) in some if n % 2 == 0), 2.0, draft=True)
        made.append((revision, False))
        yield Attempt(frozenset(n for (n,) in some if n % 2 == 0), 1.0)

    def wrong(theory: frozenset[int]) -> list[list[int]]:
        return [each for each in numbers if (each[0] in theory) != (each[0] % 2 == 0)]

    found = refine(numbers[:4], attempts, wrong, 9, joining=lambda some: some[:4])

    assert found == (frozenset(range(0, 20, 2)), 0)
    assert made == [(0, False), (1, True), (2, True), (2, False)]


def test_a_theory_without_mistakes_is_tried_on_what_speaks_against_it() -> None:
    """What is doubted joins once; the cheaper theory of those without mistakes stays."""
    asked: list[int] = []

    def attempts(some: Sequence[list[int]], revision: int) -> list[Attempt[int]]:
        asked.append(len(some))
        return [Attempt(revision, 3.0 - revision)]

    doubts = [[[7], [8]], []]
    found = refine([[1]], attempts, lambda _: [], 9, doubted=lambda _: doubts.pop(0))

    assert found == (1, 0)
    assert asked == [1, 3]
