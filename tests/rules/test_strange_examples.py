"""Lists of rules where examples are few, or a few are unlike all others."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from grl.model import Feature, Literal
from grl.progress import Progress, silent
from grl.rules.features.decision_list import FEW, Example, Examples
from grl.rules.features.vocabulary import Priced
from grl.rules.search.lists import TRIALS, ListLearner, Use

BITS = 24
OVER = (100,)


def columns(cases: Sequence[int], features: Sequence[Feature]) -> NDArray[np.bool_]:
    rows = [[bool(case >> int(str(bit)) & 1) for _, bit in features] for case in cases]
    return np.array(rows, dtype=np.bool_).reshape(len(cases), len(features))


def learned(
    strange: int, number: int = 3_000
) -> tuple[list[Example[int]], list[int], ListLearner[Example[int]]]:
    """Cases that are over where the first bit is set, and some `strange` ones without it."""
    chance = random.Random(5)
    cases = [chance.getrandbits(BITS) for _ in range(number)]
    items = [Example(case, OVER if case & 1 else None) for case in cases]
    for at in [at for at, item in enumerate(items) if item.says is None][:strange]:
        items[at] = Example(items[at].case, OVER)
    features = [Priced(("bit", bit), 1.0 if bit else 2.0) for bit in range(BITS)]
    use: Use[Example[int]] = Use("cases", (60, 60), 1, lambda *_: features)
    return items, [], ListLearner(use, Examples(items, columns))


def counting(rounds: list[int]) -> Progress:
    def hook(stage: str, done: int, _total: int | None) -> None:
        if stage == "cases: rounds":
            rounds.append(done)

    return hook


def test_few_strange_examples_cost_few_rounds_and_no_example_of_the_others() -> None:
    items, rounds, learner = learned(FEW - 1)

    rules = learner.learned(counting(rounds))

    assert rules[0].body == (Literal(("bit", 0), True),)
    assert len(rounds) <= TRIALS + 1
    assert len(Examples(items, columns).wrong(rules)) <= FEW - 1


def test_where_nothing_is_strange_one_rule_does() -> None:
    items, rounds, learner = learned(0)

    rules = learner.learned(counting(rounds))

    assert [rule.body for rule in rules] == [(Literal(("bit", 0), True),)]
    assert len(rounds) == 1
    assert not Examples(items, columns).wrong(rules)


@pytest.mark.parametrize(("number", "body"), [(8, [0]), (9, [1, 2, 3])])
def test_three_literals_that_fit_few_examples_give_way_to_one_of_a_later_round(
    number: int, body: list[int]
) -> None:
    over = [Example(0b1111 | rest << 4, OVER) for rest in range(number)]
    going = [Example(bits << 1 | rest << 4, None) for bits in range(7) for rest in range(30)]
    rounds = [[Priced(("bit", bit), 1.0) for bit in some] for some in ([1, 2, 3], [0])]
    use: Use[Example[int]] = Use("cases", (60, 300), 2, lambda _, level: rounds[level])

    rules = ListLearner(use, Examples([*over, *going], columns)).learned(silent)

    assert [rule.body for rule in rules] == [tuple(Literal(("bit", bit), True) for bit in body)]
