"""Relations that compare amounts: of which of two kinds there are more, or which has most.

Kinds are the values of an argument with few of them, or what a static says of these, such as the
owner of a piece. The amount of a kind is the number of its facts or, where an argument is a number
that the others determine, the sum of those numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from grl.iggp.bias import alike
from grl.iggp.orders import is_chain
from grl.iggp.tables import Bools, Ints
from grl.iggp.world import Relation, World

_KINDS = 8
_MOST = 16
"""How many relations are made at most."""
_COST = 0.5


@dataclass(frozen=True)
class _Amounts:
    """The amount of each kind in each state, a row a kind, and the aggregate that says it.

    The aggregate has a slot for the kind.
    """

    name: str
    kinds: tuple[int, ...]
    amounts: Ints
    text: str


def tallies(world: World) -> list[Relation]:
    """The relations of amounts that differ from state to state, no two of them alike."""
    made: list[Relation] = []
    seen: set[bytes] = set()
    for relation in list(world.relations.values()):
        if not relation.dynamic or relation.definition:
            continue
        for amounts in _amounts(world, relation):
            for found in _compared(world, relation.states, amounts):
                mark = bytes([found.arity]) + found.rows.tobytes()
                if mark not in seen and len(made) < _MOST:
                    seen.add(mark)
                    made.append(found)
    return made


def _amounts(world: World, relation: Relation) -> Iterator[_Amounts]:
    """Counts by each argument, and sums of a number that other arguments determine."""
    arity = relation.arity
    numbers = [i for i in range(arity) if _numeric(world, relation, i)]
    for of in range(arity):
        if _counted_off(world, relation, of):
            continue
        others = [i for i in range(arity) if i != of]
        alone = all(relation.functional((of,), i) for i in others)
        counted: list[int | None] = [] if alone else [None]
        for i in sorted(set(numbers) - {of}):
            if relation.functional(tuple(j for j in range(arity) if j != i), i):
                counted.append(i)
        for number in counted:
            yield from _grouped(world, relation, of, number)


def _counted_off(world: World, relation: Relation, position: int) -> bool:
    """Whether a successor leads through the values of an argument, as through columns."""
    mask = relation.masks(position)
    return any(
        not mask & ~(chain.masks(0) | chain.masks(1))
        for chain in world.relations.values()
        if is_chain(chain)
    )


def _numeric(world: World, relation: Relation, position: int) -> bool:
    """Whether an argument is an amount: a number, and no other is of its type, as of a square."""
    own = relation.masks(position)
    others = (relation.masks(i) for i in range(relation.arity) if i != position)
    if any(alike(own, other) is not None for other in others):
        return False
    names = [world.vocabulary.names[code] for code in relation.domains[position]]
    return len(names) >= 3 and all(name.isdigit() for name in names)


def _grouped(world: World, relation: Relation, of: int, number: int | None) -> Iterator[_Amounts]:
    """Amounts by the values of an argument, and by what statics say of these."""
    values = [int(code) for code in relation.domains[of]]
    place = {code: i for i, code in enumerate(values)}
    weight = np.ones(len(relation.rows), dtype=np.int64)
    if number is not None:
        of_code = {c: int(n) for c, n in enumerate(world.vocabulary.names) if n.isdigit()}
        weight = np.array([of_code[int(code)] for code in relation.rows[:, number + 1]])
    table = np.zeros((len(values), relation.states), dtype=np.int64)
    at = np.array([place[int(code)] for code in relation.rows[:, of + 1]], dtype=np.int64)
    np.add.at(table, (at, relation.rows[:, 0]), weight)
    slots = [f"X{i}" for i in range(relation.arity)]
    word = "count" if number is None else "sum"
    name = f"{relation.name}_{of + 1}" + ("" if number is None else f"_{number + 1}")
    shown = [slots[i] for i in range(relation.arity) if i != of]
    if 2 <= len(values) <= _KINDS:
        inside = [*slots]
        inside[of] = "{kind}"
        tuple_ = shown if number is None else [slots[number], *shown]
        text = f"#{word}{{{{ {','.join(tuple_)} : {relation.name}({','.join(inside)}) }}}}"
        yield _Amounts(f"{word}_{name}", tuple(values), table, text)
    if len(values) < 2:
        return
    for static in world.relations.values():
        if static.dynamic or static.order or static.arity != 2 or is_chain(static):
            continue
        for source, kind in ((0, 1), (1, 0)):
            owner = {int(row[source + 1]): int(row[kind + 1]) for row in static.rows}
            kinds = sorted(set(owner.values()))
            if not static.functional((source,), kind) or not 2 <= len(kinds) <= _KINDS:
                continue
            known = [value for value in values if value in owner]
            different = len({owner[value] for value in known})
            if len(known) < max(2, 0.5 * len(values)) or different == len(known):
                continue
            sums = np.zeros((len(kinds), relation.states), dtype=np.int64)
            for value in known:
                sums[kinds.index(owner[value])] += table[place[value]]
            pair = [""] * 2
            pair[source], pair[kind] = slots[of], "{kind}"
            tuple_ = slots if number is None else [slots[number], *slots]
            text = (
                f"#{word}{{{{ {','.join(tuple_)} : {relation.name}({','.join(slots)}), "
                f"{static.name}({','.join(pair)}) }}}}"
            )
            yield _Amounts(f"{word}_{name}_{static.name}_{kind + 1}", tuple(kinds), sums, text)


def _compared(world: World, states: int, amounts: _Amounts) -> Iterator[Relation]:
    """Which kinds have more than which, which have more than half, and which have most."""
    names = world.vocabulary.names
    kinds = range(len(amounts.kinds))
    listed = f"{world.prefix}_kind_{amounts.name}"
    given = " ".join(f"{listed}({names[code]})." for code in amounts.kinds)
    table = amounts.amounts
    more: Mapping[tuple[int, ...], Bools] = {
        (i, j): table[i] > table[j] for i, j in permutations(kinds, 2)
    }
    name = f"{world.prefix}_more_{amounts.name}"
    rule = (
        f"{name}(C,D) :- {listed}(C), {listed}(D), "
        f"N = {amounts.text.format(kind='C')}, M = {amounts.text.format(kind='D')}, N > M."
    )
    yield from _relation(world, states, name, amounts, more, (given, rule))
    if len(amounts.kinds) > 2:
        most = f"{world.prefix}_most_{amounts.name}"
        best: Mapping[tuple[int, ...], Bools] = {(i,): table[i] == table.max(axis=0) for i in kinds}
        rules = (given, rule, f"{most}(C) :- {listed}(C), not {name}(_,C).")
        yield from _relation(world, states, most, amounts, best, rules)


def _relation(
    world: World,
    states: int,
    name: str,
    amounts: _Amounts,
    truths: Mapping[tuple[int, ...], Bools],
    rules: tuple[str, ...],
) -> Iterator[Relation]:
    if all(truth.all() or not truth.any() for truth in truths.values()):
        return
    rows: list[Ints] = []
    for kinds, truth in truths.items():
        where = np.flatnonzero(truth)
        codes = [np.full(len(where), amounts.kinds[kind]) for kind in kinds]
        rows.append(np.stack([where, *codes], axis=1))
    table = np.concatenate(rows)
    yield Relation(
        name, table.shape[1] - 1, True, table, states, world.vocabulary, rules, cost=_COST
    )


__all__ = ["tallies"]
