"""The best rule over a table of features: pure, cheap, and worth as much as can be found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from grl.las.cover import members
from grl.logic.evenly import evenly
from grl.model import Feature, Literal
from grl.rules.features.vocabulary import NEGATION, Priced
from grl.rules.search.hitting_sets import Family, hitting_sets
from grl.rules.search.packed import column_words, row_words
from grl.rules.search.weighted_conjunctions import Body, Weights, weighted_conjunctions

T = TypeVar("T")
Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]

RULE_COST = 2.0
"""What a rule costs beside its literals."""
SEEDS = 6
NEAREST = 200
"""How many good rows, those most like the seed, a search begins with; others that it lets
through join them."""
REFINEMENTS = 5
VIOLATORS = 4
MOST_ALIKE = 100
"""Bad rows at most that are held to a seed for what they have in common."""
LONGEST, LONGEST_SHARED = 5, 3
"""So many literals at most cover a row, or what it has in common with others: with more of them an
accident covers what are several rules."""
PRUDENCE = 28.0
DEARER = 0.8
"""By how much less a narrower rule may be worth, and by how much more it may cost."""

Worth = Callable[[Rows, float], float]
"""What a rule is worth that covers these rows and costs so much."""


class Found(NamedTuple):
    """A rule's body, the bad rows that it covers, its cost, and its worth once it is known."""

    body: tuple[Literal, ...]
    covered: Rows
    cost: float
    worth: float = 0.0


class Atoms(NamedTuple):
    """Columns that differ, each up to negation: values by row and the cheapest literals."""

    table: Bools
    literals: list[tuple[Literal, Literal]]
    costs: list[tuple[float, float]]


def pure_rules(
    atoms: Atoms,
    bad: Rows,
    weights: tuple[Weights, Weights] | None = None,
    lightest: float = 0.0,
    *,
    shared: bool = False,
) -> list[Found]:
    """Conjunctions that cover some bad rows of a table and no good one.

    `atoms` are those of all these rows, first the `bad` ones, of which the numbers are given. With
    `weights`, one a bad and one a good row, short bodies are tried by the weight that they cover,
    without literals of less weight than `lightest`; without weights cheap bodies that cover single
    rows, or what these have in common with others where that is to be `shared`. There are none when
    no conjunction separates any bad row from all good ones.
    """
    bad_table, good_table = atoms.table[: len(bad)], atoms.table[len(bad) :]
    if weights is None:
        bodies = _from_seeds(bad_table, good_table, atoms.costs, shared=shared)
    else:
        bodies = weighted_conjunctions(bad_table, good_table, weights, atoms.costs, lightest)
    found = []
    for body in bodies:
        columns = [column for column, _ in body]
        covered = bad[np.all(bad_table[:, columns] == [value for _, value in body], axis=1)]
        cost = sum(atoms.costs[column][value] for column, value in body)
        literals = tuple(atoms.literals[column][value] for column, value in body)
        found.append(Found(literals, covered, cost))
    return found


def rated(rules: Iterable[Found], worth: Worth) -> list[Found]:
    """The rules with what they are worth."""
    return [rule._replace(worth=worth(rule.covered, rule.cost)) for rule in rules]


def prudent(rules: Sequence[Found]) -> Found:
    """The narrowest rule in the best one's stead: as short, as cheap, and worth nearly as much.

    What the wider rule forbids beyond it may be what players avoid; it would have to pay for a rule
    of its own. None is taken that costs more than one of them that is worth more.
    """
    best = max(rules, key=rank)
    wide = set(best.covered.tolist())
    narrow = [
        rule
        for rule in rules
        if len(rule.body) <= len(best.body)
        and rule.cost <= best.cost + DEARER
        and rule.worth >= best.worth - PRUDENCE
        and rule.worth > 0
        and set(rule.covered.tolist()) < wide
    ]
    fair = [
        rule
        for rule in narrow
        if not any(each.cost < rule.cost and each.worth > rule.worth for each in narrow)
    ]
    return min(fair, key=lambda rule: (len(rule.covered), rule.cost, repr(rule.body)), default=best)


def _from_seeds(
    bad: Bools, good: Bools, costs: Sequence[tuple[float, float]], *, shared: bool
) -> list[Body]:
    """Cheap bodies that cover one of several bad rows and no good row.

    Of each such row they are made of all its literals, or of those that it has in common with as
    many bad rows as some body covers with it: the least general generalisation of these that no
    good row falls under, made row by row (Muggleton and Feng 1990, Golem).
    """
    different = _distinct(good)
    known = set(_keys(different))
    rows = _distinct(bad) if shared else bad
    bodies: dict[Body, None] = {}
    done: set[tuple[bytes, bytes]] = set()
    for seed in _seeds(bad, known):
        if shared:
            among = np.flatnonzero(_common(rows, different, seed))
            key = among.tobytes(), seed[among].tobytes()
            if key in done:
                continue
            done.add(key)
            found = _covering(seed, different, costs, among, LONGEST_SHARED)
        else:
            found = _covering(seed, different, costs, np.arange(len(seed)), LONGEST)
        bodies |= dict.fromkeys(found)
    return list(bodies)


def _distinct(table: Bools) -> Bools:
    """The rows of a table, equal ones once, in the order of their values."""
    known = {key: row for row, key in enumerate(_keys(table))}
    return table[np.array([known[key] for key in sorted(known)], dtype=np.intp)]


def _covering(
    seed: Bools, good: Bools, costs: Sequence[tuple[float, float]], among: Rows, longest: int
) -> Iterator[Body]:
    """Cheap bodies of so many at most of some of a row's literals that cover no good row."""
    prices = [costs[at][int(seed[at])] for at in among.tolist()]
    table = good if len(among) == len(seed) else _distinct(good[:, among])
    for chosen in _pure(Family(table, seed[among]), prices, longest):
        columns = [int(among[at]) for at in members(chosen)]
        yield tuple((column, bool(seed[column])) for column in columns)


def _common(bad: Bools, good: Bools, seed: Bools) -> Bools:
    """The columns in which a row agrees with other bad rows, near ones first, as many of these as
    agree in some column in which each good row doesn't."""
    first = row_words(seed[None])
    apart, alike = row_words(good) ^ first, ~(row_words(bad) ^ first)
    order = np.argsort(-np.bitwise_count(alike).sum(axis=1, dtype=np.int64), kind="stable")
    common = row_words(np.ones((1, len(seed)), dtype=np.bool_))[0]
    for row in alike[order[:MOST_ALIKE]]:
        fewer = common & row
        if (apart & fewer).any(axis=1).all():
            common = fewer
    bits = np.unpackbits(common.view(np.uint8), bitorder="little", count=len(seed))
    return np.asarray(bits, dtype=np.bool_)


class Spelled:
    """A body in the order of spellings, which are written only where nothing before decides."""

    __slots__ = ("value",)

    def __init__(self, value: tuple[Literal, ...]) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spelled) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: Spelled) -> bool:
        return self._written() < other._written()

    def _written(self) -> str:
        """As `repr` writes it; each literal, most of which are met often, is spelt once."""
        return f"({', '.join(map(_spelling, self.value))}{',' * (len(self.value) == 1)})"


def rank(found: Found) -> tuple[float, float, Spelled]:
    """Of rules the one worth most comes last, of equal ones the cheapest."""
    return (found.worth, -found.cost, Spelled(found.body))


def _pure(differences: Family, costs: Sequence[float], longest: int) -> list[int]:
    """Cheap sets of atoms on which no good row agrees with the seed in all."""
    pool = differences.everything & ((1 << NEAREST) - 1)
    pure: dict[int, None] = {}
    for _ in range(REFINEMENTS):
        violators = 0
        for chosen in hitting_sets(differences, costs, pool, longest=longest):
            missed = differences.missed_by(chosen)
            if not missed:
                pure[chosen] = None
            for _ in range(VIOLATORS):
                violators |= missed & -missed
                missed &= missed - 1
        if not violators or (pure and violators.bit_count() < VIOLATORS):
            break
        pool |= violators
    return list(pure)


def _seeds(bad: Bools, good: Collection[bytes]) -> list[Bools]:
    """Bad rows to begin with: the most frequent, and others spread over the rest."""
    keys = _keys(bad)
    rows = {key: row for row, key in enumerate(keys)}
    counts = Counter(keys)
    ranked = sorted((-count, key) for key, count in counts.items() if key not in good)
    frequent, rest = ranked[: SEEDS // 2], ranked[SEEDS // 2 :]
    return [bad[rows[key]] for _, key in (*frequent, *evenly(rest, SEEDS - SEEDS // 2))]


def _keys(table: Bools) -> list[bytes]:
    """A key for each row of a table, equal for equal ones, and in the order of their values."""
    return [row.tobytes() for row in np.packbits(table, axis=1)]


@lru_cache(maxsize=1 << 16)
def _spelling(spelt: Feature | Literal) -> str:
    return repr(spelt)


def ranked(features: Sequence[Priced]) -> list[int]:
    """The numbers of the features, cheap ones first."""
    spelled = [(cost, _spelling(feature)) for feature, cost in features]
    return sorted(range(len(features)), key=spelled.__getitem__)


def atoms_of(features: Sequence[Priced], table: Bools, order: Sequence[int] | None = None) -> Atoms:
    """The columns of `table` that are not constant, one for each of equal or opposite ones.

    The cheapest stays of equal ones; `order` is what `ranked` gives.
    """
    packed = column_words(table)
    opposite = packed ^ row_words(np.ones((1, len(table)), dtype=np.bool_))
    varied = set(np.flatnonzero(packed.any(axis=1) & opposite.any(axis=1)).tolist())
    width = packed.itemsize * packed.shape[1]
    plain, negated = packed.tobytes(), opposite.tobytes()
    columns: dict[bytes, int] = {}
    kept: list[int] = []
    literals: list[tuple[Literal, Literal]] = []
    costs: list[tuple[float, float]] = []
    for column in ranked(features) if order is None else order:
        if column not in varied:
            continue
        place = slice(column * width, (column + 1) * width)
        values = plain[place]
        if values in columns:
            continue
        feature, cost = features[column]
        at = columns.get(negated[place])
        if at is None:
            columns[values] = len(kept)
            kept.append(column)
            literals.append((Literal(feature, False), Literal(feature, True)))
            costs.append((cost + NEGATION, cost))
            continue
        for holds, price in ((False, cost + NEGATION), (True, cost)):
            if price < costs[at][int(not holds)]:
                literals[at] = _with(literals[at], not holds, Literal(feature, holds))
                costs[at] = _with(costs[at], not holds, price)
    return Atoms(table[:, kept], literals, costs)


def _with(pair: tuple[T, T], second: bool, value: T) -> tuple[T, T]:
    return (pair[0], value) if second else (value, pair[1])
