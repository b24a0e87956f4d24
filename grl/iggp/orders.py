"""Successors and orders: found among the statics, or invented and written out.

``X+1`` is defined for every number in ASP, so a successor that no static gives becomes facts over
the numbers that follow one another at some argument position. The order that a successor implies
is its transitive closure.
"""

from __future__ import annotations

import numpy as np

from grl.iggp.bias import true_rows
from grl.iggp.terms import Key
from grl.iggp.world import Relation, World


def add_orders(world: World, target: Key) -> None:
    """Add a successor of numbers where no static gives one, and the orders of successors."""
    names = world.vocabulary.names
    tables = [r.rows[:, 1:] for r in world.relations.values() if r.dynamic]
    tables.append(true_rows(world, target))
    found: set[tuple[int, int]] = set()
    for table in tables:
        for column in table.T:
            codes = [int(c) for c in np.unique(column)]
            by_value = {int(names[c]): c for c in codes if names[c].lstrip("-").isdigit()}
            found.update((c, by_value[v + 1]) for v, c in by_value.items() if v + 1 in by_value)
    pairs = [[0, a, b] for a, b in sorted(found)]
    given = {
        (int(row[1]), int(row[2]))
        for r in world.relations.values()
        if r.arity == 2 and not r.dynamic and is_successor(r)
        for row in r.rows
    }
    missing = [pair for pair in pairs if (pair[1], pair[2]) not in given]
    if len(missing) >= 1 and len(pairs) >= 2:
        name = f"{world.prefix}_succ"
        facts = tuple(f"{name}({names[a]},{names[b]})." for _, a, b in pairs)
        world.add(
            Relation(
                name,
                2,
                False,
                np.array(pairs, dtype=np.int64),
                world.states,
                world.vocabulary,
                facts,
                cost=0.5,
            )
        )
    for relation in [r for r in world.relations.values() if r.arity == 2 and not r.dynamic]:
        if is_successor(relation) and len(relation.rows) >= 2:
            _add_order(world, relation)


def _add_order(world: World, relation: Relation) -> None:
    below: dict[int, set[int]] = {}
    following = {int(a): int(b) for _, a, b in relation.rows}
    for start in following:
        at, seen = start, below.setdefault(start, set())
        while at in following:
            at = following[at]
            seen.add(at)
    rows = [[0, a, b] for a, many in sorted(below.items()) for b in sorted(many)]
    name = f"{world.prefix}_below_{relation.name}"
    if len(rows) > 40_000 or (name, 2) in world.relations:
        return
    rules = (
        f"{name}(X,Y) :- {relation.name}(X,Y).",
        f"{name}(X,Z) :- {name}(X,Y), {relation.name}(Y,Z).",
    )
    world.add(
        Relation(
            name,
            2,
            False,
            np.array(rows, dtype=np.int64),
            world.states,
            world.vocabulary,
            (*relation.definition, *rules),
            cost=0.5 + relation.cost,
            order=True,
        )
    )


def is_successor(relation: Relation) -> bool:
    """Whether a static of two arguments leads from each constant to at most one other, acyclic."""
    if relation.dynamic or relation.arity != 2 or relation.order:
        return False
    following = {int(a): int(b) for _, a, b in relation.rows}
    if len(following) != len(relation.rows) or len(set(following.values())) != len(following):
        return False
    starts = set(following) - set(following.values())
    reached = 0
    for start in starts:
        at = start
        while at in following:
            at = following[at]
            reached += 1
    return reached == len(following)


def is_chain(relation: Relation) -> bool:
    """Whether a successor leads on from where it led to, as one that counts does."""
    return is_successor(relation) and bool(relation.masks(0) & relation.masks(1))
