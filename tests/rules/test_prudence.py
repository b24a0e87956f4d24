"""Of rules about silence the narrow one is taken, unless it is contrived."""

from __future__ import annotations

import numpy as np
import pytest
from shorthand import heading

from grl.model import Literal
from grl.rules.features.vocabulary import Priced
from grl.rules.search.conjunctions import Found, atoms_of, prudent, pure_rules, rank, ranked, rated

WIDE, NARROW, ODD = heading("ahead"), heading("behind"), heading("level")


@pytest.mark.parametrize(("odd", "expected"), [(2.2, {NARROW}), (1.7, {ODD})])
def test_a_narrower_rule_is_taken_that_costs_no_more_than_it_saves(
    odd: float, expected: set[tuple[str, str]]
) -> None:
    """Wide covers 40 rows, narrow 39 of them and odd 38 of these; all are worth nearly as much."""
    rows = np.array([[True, at < 39, at < 38] for at in range(40)] + [[False] * 3] * 4)
    bad = np.arange(40)
    features = [Priced(WIDE, 1.9), Priced(NARROW, 1.8), Priced(ODD, odd)]

    def worth(covered: np.ndarray, cost: float) -> float:
        return len(covered) - cost

    weights = np.ones(40), np.ones(4)
    found = prudent(rated(pure_rules(atoms_of(features, rows), bad, weights), worth))
    assert {literal.feature for literal in found.body} == expected


def test_features_are_ranked_alike_whatever_was_spelt_before() -> None:
    """A literal that holds equals its feature at the price 1, and is spelt otherwise."""
    features = [Priced(("numbered", number), 1.0) for number in range(4)]
    body = tuple(Literal(("numbered", number), True) for number in (1, 2))
    found = Found(body, np.zeros(0, dtype=np.intp), 2.0)
    assert rank(found) < rank(found._replace(body=body[1:]))
    assert ranked(features) == [0, 1, 2, 3]
