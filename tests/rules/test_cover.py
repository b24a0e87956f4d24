"""The cheapest ordered list of rules, held to brute force and to greed on random tables."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations

import pytest

from grl.model import Literal
from grl.rules.search.cover import Option, cheapest_list, in_order, masks


def random_options(rng: random.Random, kinds: Sequence[int], number: int) -> list[Option]:
    """Options that cover about half of their class and few positions of others."""
    found = []
    for at in range(number):
        kind = rng.choice(kinds)
        covers = sum(
            1 << bit
            for bit, own in enumerate(kinds)
            if rng.random() < (0.5 if own == kind else 0.1)
        )
        found.append(Option((Literal(("made up", at), True),), kind, rng.randint(1, 9), covers))
    return found


def explained(options: Sequence[Option], kinds: Sequence[int]) -> int | None:
    """The positions that a list explains; None where it says something wrong."""
    done = 0
    for bit, kind in enumerate(kinds):
        first = next((one for one in options if one.covers >> bit & 1), None)
        if first is not None and first.kind != kind:
            return None
        done |= (first is not None) << bit
    return done


def best_by_force(options: Sequence[Option], kinds: Sequence[int], wanted: int) -> int | None:
    """The cost of the cheapest list among all of them."""
    best: int | None = None
    for size in range(len(options) + 1):
        for some in permutations(options, size):
            cost = sum(one.cost for one in some)
            if best is None or cost < best:
                done = explained(some, kinds)
                if done is not None and not wanted & ~done:
                    best = cost
    return best


def greedy(options: Sequence[Option], kinds: Sequence[int]) -> list[Option]:
    """By what each covers for its cost, as long as that says nothing wrong."""
    own = masks(kinds)
    done, found = 0, []
    while True:
        free = [one for one in options if not one.covers & ~own[one.kind] & ~done]
        worth = {one: (one.covers & ~done).bit_count() / one.cost for one in free}
        best = max(free, key=lambda one: worth[one], default=None)
        if best is None or not worth[best]:
            return found
        found.append(best)
        done |= best.covers & own[best.kind]


@pytest.mark.parametrize("seed", range(60))
def test_the_cheapest_list_costs_what_brute_force_finds(seed: int) -> None:
    rng = random.Random(seed)
    kinds = [rng.randrange(1 + seed % 3) for _ in range(6)]
    options = random_options(rng, kinds, 6)
    wanted = rng.randrange(1 << len(kinds))
    found = cheapest_list(options, kinds, wanted, 1000)
    best = best_by_force(options, kinds, wanted)
    assert (None if found is None else sum(one.cost for one in found)) == best
    if found is not None:
        done = explained(found, kinds)
        assert done is not None
        assert not wanted & ~done


@pytest.mark.parametrize("seed", range(30))
def test_it_is_never_more_expensive_than_greed(seed: int) -> None:
    rng = random.Random(seed)
    kinds = [rng.randrange(2) for _ in range(30)]
    options = random_options(rng, kinds, 30)
    taken = greedy(options, kinds)
    cost, done = sum(one.cost for one in taken), explained(taken, kinds)
    assert done is not None
    found = cheapest_list(options, kinds, done, cost + 1)
    assert found is not None
    assert sum(one.cost for one in found) <= cost
    hurried = cheapest_list(options, kinds, done, cost + 1, effort=1)
    assert hurried is None or sum(one.cost for one in hurried) <= cost


def test_there_is_none_below_the_cheapest() -> None:
    rng = random.Random(1)
    kinds = [rng.randrange(2) for _ in range(30)]
    options = random_options(rng, kinds, 30)
    everything = explained(greedy(options, kinds), kinds)
    assert everything
    found = cheapest_list(options, kinds, everything, 10_000)
    assert found is not None
    cost = sum(one.cost for one in found)
    assert cheapest_list(options, kinds, everything, cost) is None
    assert cheapest_list(options, kinds, everything, cost + 1) is not None


def test_an_option_makes_room_for_another() -> None:
    wide = Option((Literal(("wide",), True),), 0, 3, 0b111)
    narrow = Option((Literal(("narrow",), True),), 1, 2, 0b100)
    assert cheapest_list([wide, narrow], [0, 0, 1], 0b111, 100) == (narrow, wide)
    assert in_order([wide, narrow], masks([0, 0, 1])) == (narrow, wide)
    assert cheapest_list([wide], [0, 0, 1], 0b011, 100) is None
