"""The search for one rule, against all sets and all bodies of small tables."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from grl.compiler import Kernel
from grl.las.cover import members
from grl.model import Literal
from grl.rules.features.vocabulary import NEGATION, Priced
from grl.rules.search import hitting_sets as module
from grl.rules.search import weighted_conjunctions as weighing
from grl.rules.search.conjunctions import atoms_of, pure_rules, rank, rated
from grl.rules.search.hitting_sets import SUBSETS, Family, hitting_sets, minimal_sets
from grl.rules.search.weighted_conjunctions import BLOCK, PURE, weighted_conjunctions

ATOMS = 7
PRICES = (1.0, 1.2, 1.5, 1.8, 2.0, 2.4)
EPS = 1e-9


def family_of(sets: list[int], atoms: int) -> Family:
    """The family of sets of so many atoms."""
    rows = [[number >> atom & 1 for atom in range(atoms)] for number in sorted(set(sets))]
    return Family(np.array(rows, dtype=np.bool_).reshape(len(rows), atoms))


families = st.lists(st.integers(0, 2**ATOMS - 1), max_size=12)
prices = st.lists(st.sampled_from(PRICES), min_size=ATOMS, max_size=ATOMS)


def cost_of(chosen: int, costs: list[float]) -> float:
    return sum(costs[i] for i in members(chosen))


def all_hitting(family: list[int], longest: int) -> list[int]:
    """Every set of at most `longest` atoms that meets every set of the family."""
    found = (c for c in range(2**ATOMS) if c.bit_count() <= longest)
    return [c for c in found if all(c & each for each in family)]


@given(families, prices, st.integers(1, 5), st.sampled_from([0.0, 0.5, 1.0]))
def test_hitting_sets_are_those_of_brute_force(
    family: list[int], costs: list[float], longest: int, slack: float
) -> None:
    found = hitting_sets(
        family_of(family, ATOMS), costs, longest=longest, slack=slack, most=10_000, nodes=10**6
    )
    every = all_hitting(family, longest)

    assert set(found) <= set(every)
    assert len(found) == len(set(found))
    assert bool(found) == bool(every)
    if not every:
        return
    paid = [cost_of(chosen, costs) for chosen in found]
    cheapest = min(cost_of(chosen, costs) for chosen in every)
    assert paid == sorted(paid)
    assert paid[0] == pytest.approx(cheapest)
    least = [c for c in every if all(not all_meet(c ^ 1 << i, family) for i in members(c))]
    wanted = {c for c in least if cost_of(c, costs) <= cheapest + slack - EPS}
    assert wanted <= set(found)


def all_meet(chosen: int, family: list[int]) -> bool:
    return all(chosen & each for each in family)


@given(families, prices, st.integers(1, 8))
def test_no_more_sets_are_given_than_asked_for(
    family: list[int], costs: list[float], most: int
) -> None:
    found = hitting_sets(family_of(family, ATOMS), costs, longest=ATOMS, most=most)
    every = all_hitting(family, ATOMS)
    assert set(found) <= set(every)
    assert len(found) <= most
    assert bool(found) == bool(every)


def test_a_bounded_search_gives_what_it_has() -> None:
    family = [0b11 << 2 * i for i in range(5)]
    pairs = family_of(family, 10)
    assert hitting_sets(pairs, [1.0] * 10, nodes=3) == []
    found = hitting_sets(pairs, [1.0] * 10, nodes=500)
    assert found
    assert all(all_meet(chosen, family) for chosen in found)


def test_what_differs_in_nothing_cannot_be_told_apart() -> None:
    assert hitting_sets(family_of([0b1, 0], 1), [1.0]) == []
    assert hitting_sets(family_of([], 1), [1.0]) == [0]


@given(families)
def test_minimal_sets_contain_no_other(family: list[int]) -> None:
    found = minimal_sets(family)
    assert set(found) == {s for s in family if not any(o & s == o != s for o in family)}
    assert [s.bit_count() for s in found] == sorted(s.bit_count() for s in found)
    assert len(found) == len(set(found))


def test_minimal_sets_keep_some_that_others_make_needless_in_a_large_family() -> None:
    """Only the smallest are compared with; that costs time, not truth."""
    small = [1 << i for i in range(SUBSETS)]
    beyond = [0b11 << SUBSETS, 0b111 << SUBSETS]
    assert set(minimal_sets([*small, 0b11, *beyond])) == {*small, *beyond}


# Conjunctions over tables.

Table = list[tuple[bool, ...]]


@st.composite
def tables(draw: st.DrawFn, widest: int = 4) -> tuple[Table, Table]:
    """Bad rows, at least one, and good rows over the same columns."""
    width = draw(st.integers(1, widest))
    row: SearchStrategy[tuple[bool, ...]] = st.tuples(*[st.booleans()] * width)
    return draw(st.lists(row, min_size=1, max_size=8)), draw(st.lists(row, max_size=8))


Body = tuple[tuple[int, bool], ...]


def bodies(width: int, longest: int) -> list[Body]:
    return [
        tuple(zip(columns, values, strict=True))
        for size in range(1, longest + 1)
        for columns in combinations(range(width), size)
        for values in product((False, True), repeat=size)
    ]


def covers(body: Body, row: tuple[bool, ...]) -> bool:
    return all(row[column] == value for column, value in body)


def weight(body: Body, bad: Table, weights: list[int]) -> int:
    return sum(w for row, w in zip(bad, weights, strict=True) if covers(body, row))


@given(tables(), st.lists(st.integers(1, 9), min_size=8, max_size=8))
def test_heavy_conjunctions_are_pure_and_the_heaviest(
    sides: tuple[Table, Table], some: list[int]
) -> None:
    bad, good = sides
    weights = some[: len(bad)]
    width = len(bad[0])
    good_table = np.array(good, dtype=bool).reshape(-1, width)
    found = weighted_conjunctions(
        np.array(bad), good_table, (np.array(weights, float), np.ones(len(good)))
    )

    def pure(body: Body) -> bool:
        return weight(body, bad, weights) > 0 and not any(covers(body, row) for row in good)

    assert all(pure(body) for body in found)
    assert len(found) == len(set(found))
    short = [body for body in found if len(body) <= 2]
    every = {body for body in bodies(width, 2) if pure(body)}
    assert len(bodies(4, 2)) <= PURE
    assert set(short) == every
    masses = [weight(body, bad, weights) for body in short]
    assert masses == sorted(masses, reverse=True)
    if width <= 3:
        separable = any(row not in good for row in bad)
        assert bool(found) == separable, "three literals separate any two rows"


def ones(hidden: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.ones(int(hidden.sum())), np.ones(int((~hidden).sum()))


def test_a_pair_is_found_among_many_columns_by_its_weight() -> None:
    chance = np.random.default_rng(5)
    table = chance.random((400, 60)) < 0.5
    hidden = table[:, 7] & ~table[:, 31]
    best = weighted_conjunctions(table[hidden], table[~hidden], ones(hidden))[0]
    assert best == ((7, True), (31, False))


def test_three_literals_are_found_where_no_two_are_pure() -> None:
    chance = np.random.default_rng(6)
    table = chance.random((400, 20)) < 0.5
    hidden = table[:, 2] & ~table[:, 9] & table[:, 15]
    found = weighted_conjunctions(table[hidden], table[~hidden], ones(hidden))
    assert ((2, True), (9, False), (15, True)) in found


@pytest.mark.parametrize("seed", range(4))
def test_of_more_literals_than_a_block_the_heaviest_pairs_are_those_of_all_pairs(seed: int) -> None:
    chance = np.random.default_rng(seed)
    width = 110
    assert 2 * width > BLOCK
    bad, good = chance.random((30, width)) < 0.4, chance.random((12, width)) < 0.4
    weights = chance.integers(1, 9, 30).astype(float)
    found = weighted_conjunctions(bad, good, (weights, np.ones(12)))

    literals = [(column, value) for column in range(width) for value in (False, True)]
    masses = {}
    for pair in combinations(literals, 2):
        columns, values = [column for column, _ in pair], [value for _, value in pair]
        if not (good[:, columns] == values).all(axis=1).any() and columns[0] != columns[1]:
            masses[pair] = float(weights[(bad[:, columns] == values).all(axis=1)].sum())
    heaviest = sorted(masses.values(), reverse=True)[:PURE]
    assert [masses[one, other] for one, other in found[:PURE]] == heaviest


@pytest.mark.parametrize("seed", range(30))
def test_conjunctions_looked_up_in_c_are_those_of_products_of_matrices(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if Kernel("grl.rules.search", "literal_pairs", 0).compiled is None:
        pytest.skip("there is no C compiler")
    chance = np.random.default_rng(seed)
    width, bad, good = (int(chance.choice(each)) for each in ((3, 70, 150), (1, 40), (0, 9, 200)))
    tables = [chance.random((rows, width)) < chance.random(width) for rows in (bad, good)]
    weights = [1.0 / chance.integers(1, (2, 6, 500)[seed % 3], rows) for rows in (bad, good)]
    costs = [(float(cost) + NEGATION, float(cost)) for cost in chance.choice(PRICES, width)]
    found = []
    for worth in (1_000, 0):
        kernel = Kernel("grl.rules.search", "literal_pairs", worth)
        monkeypatch.setattr(weighing, "_LOOKING", kernel)
        least = float(seed % 2)
        found.append(weighted_conjunctions(*tables, (weights[0], weights[1]), costs, least))
    assert found[0] == found[1]


def test_nothing_is_heavy_without_columns_or_bad_rows() -> None:
    none = np.zeros((3, 0), dtype=bool)
    assert weighted_conjunctions(none, none, (np.ones(3), np.ones(3))) == []
    empty = np.zeros((0, 2), bool)
    assert weighted_conjunctions(empty, np.zeros((3, 2), bool), (np.ones(0), np.ones(3))) == []


# The best rule.


def features(costs: list[float]) -> list[Priced]:
    return [Priced((f"column {i}",), cost) for i, cost in enumerate(costs)]


def evaluate(body: tuple[Literal, ...], row: tuple[bool, ...]) -> bool:
    return all(row[int(f[0].split()[1])] == holds for f, holds in body)


def price(body: Body, costs: list[float]) -> float:
    return sum(costs[column] + (0 if value else NEGATION) for column, value in body)


def best(bad: Table, good: Table, costs: list[float], weights: list[int] | None = None):
    """The cheapest rule, the rows of both tables in one."""
    table = np.array([*bad, *good], dtype=bool)
    rows = np.arange(len(table))
    rules = pure_rules(
        atoms_of(features(costs[: table.shape[1]]), table),
        rows[: len(bad)],
        None
        if weights is None
        else (np.array(weights[: len(bad)], float), np.ones(len(good), float)),
    )
    return max(rated(rules, lambda _, cost: -cost), key=rank, default=None)


column_prices = st.lists(st.sampled_from(PRICES), min_size=5, max_size=5)


@given(tables(5), column_prices)
def test_the_best_rule_is_pure_and_there_is_none_only_where_no_row_can_be_told(
    sides: tuple[Table, Table], costs: list[float]
) -> None:
    bad, good = sides
    found = best(bad, good, costs)
    assert (found is None) == all(row in good for row in bad)
    if found is None:
        return
    assert list(found.covered) == [i for i, row in enumerate(bad) if evaluate(found.body, row)]
    assert len(found.covered)
    assert not any(evaluate(found.body, row) for row in good)
    paid = tuple((int(f[0].split()[1]), holds) for f, holds in found.body)
    assert found.cost == pytest.approx(price(paid, costs))


@given(tables(5), column_prices)
def test_of_few_kinds_of_rows_the_cheapest_rule_is_found(
    sides: tuple[Table, Table], costs: list[float]
) -> None:
    """Every kind of bad row is a seed then."""
    bad, good = sides
    bad = [row for row in bad if row in sorted(set(bad))[:6]]
    found = best(bad, good, costs)
    pure = [
        price(body, costs)
        for body in bodies(len(bad[0]), 5)
        if any(covers(body, row) for row in bad) and not any(covers(body, row) for row in good)
    ]
    assert bool(pure) == (found is not None) or not good
    if found is not None and good:
        assert found.cost == pytest.approx(min(pure))


@given(tables(3), column_prices, st.lists(st.integers(1, 9), min_size=8, max_size=8))
def test_with_weights_a_rule_is_pure_and_found_where_three_literals_suffice(
    sides: tuple[Table, Table], costs: list[float], weights: list[int]
) -> None:
    bad, good = sides
    found = best(bad, good, costs, weights)
    varied = len({*bad, *good}) > 1
    assert (found is not None) == (varied and any(row not in good for row in bad))
    if found is not None:
        assert list(found.covered) == [i for i, row in enumerate(bad) if evaluate(found.body, row)]
        assert not any(evaluate(found.body, row) for row in good)


@pytest.mark.parametrize(
    ("costs", "literal"),
    [
        ([2.0, 1.0, 2.0, 2.0], Literal(("column 1",), True)),
        ([1.0, 2.0, 2.0, 2.0], Literal(("column 0",), True)),
        ([2.0, 2.0, 1.0, 2.0], Literal(("column 2",), False)),
        ([2.0, 2.0, 1.9, 2.0], Literal(("column 0",), True)),
    ],
)
def test_of_equal_and_opposite_columns_the_cheapest_literal_speaks(
    costs: list[float], literal: Literal
) -> None:
    """Column 1 is column 0 again, column 2 its opposite, and column 3 tells nothing."""
    bad = [(True, True, False, False), (True, True, False, True)]
    good = [(False, False, True, False), (False, False, True, True)]
    found = best(bad, good, costs)
    assert found is not None
    assert found.body == (literal,)
    assert list(found.covered) == [0, 1]
    assert found.cost == pytest.approx(costs[int(literal.feature[0][-1])] + 0.2 * (not literal[1]))


def test_many_good_rows_are_spared_though_the_search_begins_with_those_nearest() -> None:
    chance = np.random.default_rng(8)
    table = chance.random((3000, 30)) < 0.5
    hidden = table[:, 3] & ~table[:, 11] & table[:, 20]
    rows = np.arange(3000)
    bad, good = rows[hidden], rows[~hidden]
    rules = pure_rules(atoms_of(features([1.0] * 30), table[np.concatenate([bad, good])]), bad)
    found = max(rated(rules, lambda covered, cost: len(covered) / (cost + 2)), key=rank)
    assert set(found.body) == {
        Literal(("column 3",), True),
        Literal(("column 11",), False),
        Literal(("column 20",), True),
    }
    assert set(found.covered) == set(rows[hidden])


@pytest.mark.parametrize("seed", range(40))
def test_the_search_in_c_finds_what_the_one_in_python_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if Kernel("grl.rules.search", "hitting_sets", 0).compiled is None:
        pytest.skip("there is no C compiler")
    chance = np.random.default_rng(seed)
    atoms, sets = int(chance.choice([5, 60, 64, 130])), int(chance.choice([1, 30, 64, 200]))
    family = Family(np.unique(chance.random((sets, atoms)) < 0.3, axis=0))
    costs = [float(cost) for cost in chance.choice(PRICES, atoms)]
    among = None if seed % 2 else int(chance.integers(1, 2**20)) & family.everything
    bounds = {"longest": 1 + seed % 5, "most": (1, 60)[seed % 2], "nodes": (9, 6_000)[seed % 3 > 0]}
    found = []
    for worth in (1_000, 0):
        kernel = Kernel("grl.rules.search", "hitting_sets", worth)
        monkeypatch.setattr(module, "_KERNEL", kernel)
        found.append(hitting_sets(family, costs, among, **bounds))
    assert found[0] == found[1]
