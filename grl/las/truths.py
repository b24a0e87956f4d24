"""Truth of literals in worlds, as arrays with an axis for each open place.

As in clingo's grounder, a literal that has no value holds neither plain nor negated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import clingo
import numpy as np
import numpy.typing as npt

from grl.las.evaluate import RELATIONS, candidates, invertible, match, value
from grl.las.observed import World
from grl.las.terms import (
    Aggregate,
    Atom,
    Comparison,
    Constant,
    Function,
    Operation,
    Slot,
    Term,
    map_leaves,
)

Truth = npt.NDArray[np.bool_]
Domains = Mapping[str, Sequence[clingo.Symbol]]


def truth(
    literal: Atom | Comparison | Aggregate,
    types: Sequence[str],
    here: World,
    domains: Domains,
    places: Mapping[str, Mapping[clingo.Symbol, int]],
    matched: Sequence[tuple[clingo.Symbol, ...]],
) -> Truth:
    """Where a literal with slots of `types` holds: an array with an axis for each slot.

    `matched` are the values with which its atom fits the atoms of the world.
    """
    if isinstance(literal, Atom) and not literal.term.args:
        return np.array(bool(matched) != literal.negated)
    shape = tuple(len(domains[kind]) for kind in types)
    if isinstance(literal, Comparison):
        return _compared(literal, types, domains, shape)
    assert isinstance(literal, Atom)
    holds = np.zeros(shape, dtype=np.bool_)
    if invertible(literal.term):
        for found in matched:
            put = [places[kind].get(one, -1) for kind, one in zip(types, found, strict=True)]
            if -1 not in put:
                holds[tuple(put)] = True
    else:
        for at, values in _all(types, domains):
            holds[at] = _anywhere(literal.term, values, here)
    return (~holds & _defined(literal.term, types, domains, shape)) if literal.negated else holds


def _all(
    types: Sequence[str], domains: Domains
) -> Iterator[tuple[tuple[int, ...], tuple[clingo.Symbol, ...]]]:
    spans = [range(len(domains[kind])) for kind in types]
    for at in product(*spans):
        yield at, tuple(domains[kind][n] for kind, n in zip(types, at, strict=True))


def _anywhere(term: Function, values: Sequence[clingo.Symbol], here: World) -> bool:
    """Whether an atom fits a pattern whose slots are filled, ``_`` fitting anything."""
    rest = iter(values)

    def fill(leaf: Term) -> Term:
        return Constant(str(next(rest))) if isinstance(leaf, Slot) else leaf

    filled = map_leaves(term, fill)
    return any(match(filled, symbol) is not None for symbol in candidates(term, here))


def _defined(term: Term, types: Sequence[str], domains: Domains, shape: tuple[int, ...]) -> Truth:
    """Where no slot inside arithmetic has a value that is no integer."""
    defined = np.ones(shape, dtype=np.bool_)
    axis = 0

    def walk(part: Term, inside: bool) -> None:
        nonlocal axis
        if isinstance(part, Slot):
            if inside:
                whole = [one.type == clingo.SymbolType.Number for one in domains[types[axis]]]
                view = [1] * len(types)
                view[axis] = len(whole)
                np.logical_and(defined, np.array(whole, dtype=np.bool_).reshape(view), out=defined)
            axis += 1
        elif isinstance(part, Function | Operation):
            for one in part.args:
                walk(one, inside or isinstance(part, Operation))

    walk(term, False)
    return defined


def _compared(
    literal: Comparison, types: Sequence[str], domains: Domains, shape: tuple[int, ...]
) -> Truth:
    holds = np.zeros(shape, dtype=np.bool_)
    relation = RELATIONS[literal.op]
    for at, values in _all(types, domains):
        rest = iter(values)
        left = value(literal.left, rest)
        right = value(literal.right, rest)
        holds[at] = left is not None and right is not None and relation(left, right)
    return holds
