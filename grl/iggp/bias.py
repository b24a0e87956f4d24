"""Types, derived from the data alone: which terms fit where, and what that costs.

Types are sets of constants seen at argument positions. A term fits a position when the two sets
overlap enough; less overlap is allowed at a price, and positions of statics allow subsets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from grl.iggp.tables import Ints
from grl.iggp.terms import Const, Generator, Key, Literal, Term, Var
from grl.iggp.world import Positions, Relation, World, mask_of

FEW = 4
SOME = 12
"""How many constants are few, and how many are some."""


@dataclass(frozen=True)
class Typed:
    """A term with the set of constants that it may be, and what it costs to name it."""

    term: Term
    mask: int
    cost: float
    depth: int = 0


@dataclass(frozen=True)
class Context:
    """Where bodies are searched for: which generators, and how rich the terms and literals are.

    `fixed` are literals that every rule of the context has; `results` offers sums and other
    functions of two terms as single literals.
    """

    generators: tuple[Generator, ...] = ()
    fixed: tuple[Literal, ...] = ()
    depth: int = 1
    level: int = 0
    ground: bool = False
    chains: bool = False
    counts: bool = False
    results: bool = False


def true_rows(world: World, target: Key) -> Ints:
    truth = world.labels[target].any(axis=0)
    return world.targets[target][truth]


def head_terms(world: World, target: Key) -> list[Typed]:
    """The target's arguments, typed by the values that they have where the target is true."""
    rows = true_rows(world, target)
    return [Typed(Var(i), mask_of(np.unique(rows[:, i])), 0.0) for i in range(target[1])]


def fits(mask: int, relation: Relation, position: int) -> float | None:
    """What it costs to put a term of this type at this position; None where it does not fit."""
    other = relation.masks(position)
    common = (mask & other).bit_count()
    if not common:
        return None
    small, union = min(mask.bit_count(), other.bit_count()), (mask | other).bit_count()
    if common >= 0.4 * union:
        return 0.0
    if not relation.dynamic and common >= 0.5 * small and (common >= 2 or small == 1):
        return 0.0
    if common >= 0.8 * small and (common >= 2 or small == 1):
        return 1.0
    return None


def alike(a: int, b: int) -> float | None:
    common = (a & b).bit_count()
    small, union = min(a.bit_count(), b.bit_count()), (a | b).bit_count()
    if common and common >= 0.4 * union:
        return 0.0
    if common and common >= 0.8 * small:
        return 0.5
    return None


def choices_of(
    relation: Relation,
    positions: Positions,
    terms: Sequence[Typed],
    *,
    constants: bool,
    most: int = SOME,
) -> Iterator[tuple[tuple[Term, ...], float]]:
    choices: list[list[tuple[Term, float]]] = []
    for position in positions:
        some: list[tuple[Term, float]] = []
        for typed in terms:
            price = fits(typed.mask, relation, position)
            if price is not None:
                some.append((typed.term, typed.cost + price))
        if constants and len(relation.domains[position]) <= most:
            some += [(Const(int(code)), 1.0) for code in relation.domains[position]]
        choices.append(some)
    yield from _different(choices, 0, (), 0.0)


def _different(
    choices: Sequence[Sequence[tuple[Term, float]]], at: int, chosen: tuple[Term, ...], cost: float
) -> Iterator[tuple[tuple[Term, ...], float]]:
    """The ways to choose on from `at` so that no term but a constant is chosen twice."""
    if at == len(choices):
        yield chosen, cost
        return
    for term, price in choices[at]:
        if isinstance(term, Const) or term not in chosen:
            yield from _different(choices, at + 1, (*chosen, term), cost + price)


def opened(world: World, base: Sequence[Typed], generator: Generator) -> list[Typed]:
    """The variables after a generator: those before it and those that it opens."""
    relation = world.relations[generator.relation]
    result = list(base)
    for i in range(relation.arity):
        if i not in generator.positions:
            result.append(Typed(Var(len(result)), relation.masks(i), 0.0))
    return result
