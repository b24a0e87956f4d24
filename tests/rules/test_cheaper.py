"""The search for cheaper rules over a table, held to all bodies that there are."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from grl.las.clock import Clock
from grl.model import Literal
from grl.rules.features.vocabulary import NEGATION, Priced
from grl.rules.search.cheaper import Problem, cheaper
from grl.rules.search.cover import Option, cheapest_list, covers_of, whole

RULE = whole(2.0)


def random_problem(seed: int, rows: int, columns: int, classes: int) -> Problem:
    rng = random.Random(seed)
    features = [Priced(("made up", at), 1 + rng.randrange(10) / 10) for at in range(columns)]
    table = np.array([[rng.random() < 0.5 for _ in range(columns)] for _ in range(rows)])
    kinds = [rng.randrange(-1, classes) for _ in range(rows)]
    return Problem(features, table, kinds, RULE)


def all_options(problem: Problem) -> list[Option]:
    """Every body over the features that covers no position in which the game went on."""
    ends = [row for row, kind in enumerate(problem.kinds) if kind >= 0]
    going = [row for row, kind in enumerate(problem.kinds) if kind < 0]
    names = [feature for feature, _ in problem.features]
    found = []
    for signs in product((None, False, True), repeat=len(names)):
        body = tuple(
            Literal(f, sign) for f, sign in zip(names, signs, strict=True) if sign is not None
        )
        if len(body) > 5:
            continue
        prices = dict(problem.features)
        cost = whole(sum(prices[f] + (0 if holds else NEGATION) for f, holds in body))
        here = {f: problem.table[ends, at] for at, f in enumerate(names)}
        there = {f: problem.table[going, at] for at, f in enumerate(names)}
        covers = covers_of(body, here, len(ends))
        if covers_of(body, there, len(going)):
            continue
        found += [Option(body, kind, RULE + cost, covers) for kind in sorted(set(problem.kinds))]
    return [one for one in found if one.kind >= 0]


@pytest.mark.parametrize("seed", range(16))
def test_the_search_finds_what_all_bodies_together_allow(seed: int) -> None:
    problem = random_problem(seed, rows=8, columns=4, classes=1 + seed % 2)
    kinds = [kind for kind in problem.kinds if kind >= 0]
    everything = (1 << len(kinds)) - 1
    best = cheapest_list(all_options(problem), kinds, everything, 10**6)
    answer = cheaper(problem, 10**6)
    assert answer.proven
    assert (best is None) == (answer.cheaper is None)
    if best is not None and answer.cheaper is not None:
        cost = sum(one.cost for one in best)
        assert sum(one.cost for one in answer.cheaper) == cost == answer.bound
        assert cheaper(problem, cost).cheaper is None
        assert cheaper(problem, cost).proven


def test_without_time_it_says_so_with_a_bound() -> None:
    problem = random_problem(3, rows=200, columns=40, classes=2)
    answer = cheaper(problem, 10**6, clock=Clock(0.0))
    assert not answer.proven
    assert answer.bound >= 2 * RULE
