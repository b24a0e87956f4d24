"""Rules that few examples speak for, made of what the other rules of a list ask for.

What a few examples have in common is much, and the cheapest of it is an accident. What a list names
already takes less to say again: that both players have what ends the game for one of them, that who
has more of something wins where as much of it is a draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from grl.logic.ops.shapes import places_in
from grl.logic.terms import Term, literals_of
from grl.model import Feature, Literal, Rule
from grl.rules.features.decision_list import FEW
from grl.rules.features.terms import terms_in
from grl.rules.search.conjunctions import Bools
from grl.rules.search.contests import measured
from grl.rules.search.greedy import Greedy, Listed

AGAIN = 0.75
"""What a feature costs that a well supported rule asks for, where others ask for it, too."""
AGAIN_THERE = 0.5
"""What another one costs that asks what lies on squares which such a rule names."""
LONGEST = 3
MOST_NAMED = 24
"""Literals that rules are made of, the cheapest."""


def reusing(found: Listed) -> Listed:
    """The list, where rules that few examples speak for ask for what the others do if that is
    cheaper and explains the same examples."""
    search, rules = found.search, list(found.rules)
    firm = [rule for rule in rules if rule.support >= FEW]
    named = {_named(literal.feature) for rule in firm for literal in rule.body}
    named |= {zone for rule in firm for literal in rule.body for zone in _zones(literal.feature)}
    before = np.zeros(len(search.kind), dtype=np.bool_)
    left_out = set()
    for at, rule in enumerate(rules):
        covers = search.covered(rule.body)
        if 0 < rule.support < FEW:
            right = search.kind == search.classes.index(rule.value)
            wanted = covers & right & ~before
            body = _cheapest(search, named, rule, wanted, right | before) if wanted.any() else None
            if body is not None:
                left_out |= {measured(literal.feature) for literal in rule.body} - named
                rules[at] = replace(rule, body=body)
        before |= covers
    kept = [rule for rule in rules if rule.support or left_out.isdisjoint(_asked(rule))]
    return replace(found, rules=tuple(kept))


def _cheapest(
    search: Greedy, named: set[object], rule: Rule, wanted: Bools, allowed: Bools
) -> tuple[Literal, ...] | None:
    """The cheapest body of what is named that is true of the examples `wanted` and of none but
    those `allowed`; None where the rule has none that costs more."""
    literals = sorted(_literals(search, named, wanted), key=lambda each: each[0])[:MOST_NAMED]
    least = sum(_price(search, named, literal) for literal in rule.body)
    best = None
    for number in range(1, LONGEST + 1):
        for some in combinations(literals, number):
            price = sum(each for each, _, _ in some)
            if price < least and not (np.all([true for *_, true in some], axis=0) & ~allowed).any():
                best, least = tuple(literal for _, literal, _ in some), price
    return best


def _literals(
    search: Greedy, named: set[object], wanted: Bools
) -> Iterator[tuple[float, Literal, Bools]]:
    """What is named and true of all examples wanted, with its price and where it is true."""
    for feature, _ in search.features:
        known = _named(feature) in named or not named.isdisjoint(_zones(feature))
        for holds in (True, False) if known else ():
            literal = Literal(feature, holds)
            true = search.covered([literal])
            if not (wanted & ~true).any():
                yield _price(search, named, literal), literal, true


def _price(search: Greedy, named: set[object], literal: Literal) -> float:
    price = search.price(literal)
    if _named(literal.feature) in named:
        again = AGAIN
    elif named.isdisjoint(_zones(literal.feature)):
        return price
    else:
        again = AGAIN_THERE
    return min(price, again + price - search.price(Literal(literal.feature, True)))


def _named(feature: Feature) -> object:
    """What a feature names; whichever way two amounts are compared, it is these two."""
    return measured(feature) or feature


def _zones(feature: Feature) -> Iterator[Term]:
    """The sets of squares that a feature names; what lies there may be asked again."""
    for term in terms_in(feature):
        yield from (part for part, _ in literals_of(term) if places_in(part) is not None)


def _asked(rule: Rule) -> Sequence[object]:
    return [_named(literal.feature) for literal in rule.body]
