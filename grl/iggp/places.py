"""Places of two coordinates as units: what a static says of whole places, not of coordinates.

A static such as ``beside(north,X,Y,V,W)`` names two places, or more, by pairs of arguments of the
same types. The place ahead of another is one thing: both coordinates follow from the whole place
where they came from, and what stands there is asked of both together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product

from grl.iggp.bias import FEW, Typed, alike, fits
from grl.iggp.terms import Apply, Const, Generator, Holds, Literal, Term, Var
from grl.iggp.world import Positions, Relation, World

_TERMS = 40
"""How many coordinates one static adds at most."""
_CHOICES = 12
_ASKED = 24
_CLOSE = 1.0
_PLAIN = 2.0
_FAR = 5.0
"""What a place may cost for a literal about it."""

Unit = tuple[tuple[Term, ...], float]
"""Terms that name something together, and what they cost."""


def places(relation: Relation) -> tuple[Positions, ...]:
    """Pairs of arguments side by side that name the places of a static; none if not two at least.

    As many as there can be; those that begin later where there are several ways, as labels are
    mostly named first.
    """

    def found() -> tuple[Positions, ...]:
        best: tuple[Positions, ...] = ()
        for start in range(relation.arity - 3 if not relation.dynamic else 0):
            masks = [relation.masks(start), relation.masks(start + 1)]
            pairs = [
                (at, at + 1)
                for at in range(start, relation.arity - 1, 2)
                if all(alike(mask, relation.masks(at + i)) == 0.0 for i, mask in enumerate(masks))
            ]
            if len(pairs) > 1 and len(pairs) >= len(best):
                best = tuple(pairs)
        return best

    return relation.once("places", found)  # type: ignore[no-any-return]


def place_terms(
    relation: Relation, before: Sequence[Typed], allowed: set[Term], depth: int
) -> list[Typed]:
    """The coordinates of places that other places, and labels, determine."""
    units = _units(relation)
    key = relation.name, relation.arity
    result: list[Typed] = []
    for pair in places(relation):
        others = [unit for unit in units if unit != pair]
        for positions in _determining(relation, others, pair):
            named = [unit for unit in others if unit[0] in positions]
            choices = [_named(relation, unit, before)[:_CHOICES] for unit in named]
            some: list[Typed] = []
            for chosen in product(*choices):
                arguments = tuple(term for terms, _ in chosen for term in terms)
                if len(set(arguments)) < len(arguments) or not allowed.intersection(arguments):
                    continue
                cost = 1.0 + relation.cost + sum(price for _, price in chosen)
                some += [
                    Typed(Apply(key, positions, i, arguments), relation.masks(i), cost, depth)
                    for i in pair
                ]
            some.sort(key=lambda typed: typed.cost)
            result += some[:_TERMS]
    return result


def place_literals(world: World, terms: Sequence[Typed]) -> Iterator[tuple[Literal, float]]:
    """What is said of places that terms of statics name, and by statics of whole places."""
    far = [t for t in terms if isinstance(t.term, Apply) and t.cost <= _FAR]
    far = [t for t in far if places(world.relations[t.term.relation])]  # type: ignore[union-attr]
    close = [t for t in terms if t.cost <= _CLOSE]
    for key, relation in world.relations.items():
        if relation.order or relation.groups:
            continue
        for at in range(relation.arity - 1) if far else ():
            for named, cost in side_by_side(relation, (at, at + 1), far, terms)[:_ASKED]:
                price = 1.0 + relation.cost + cost
                yield Holds(key, (at, at + 1), named), price
                if relation.arity == 3:
                    # Such as who stands there.
                    other = 2 - 2 * at
                    some = _named(relation, (other,), close)[:_CHOICES]
                    if len(relation.domains[other]) <= FEW:
                        some += [((Const(int(c)),), 1.0) for c in relation.domains[other]]
                    for (term,), extra in some:
                        arguments = (*named, term) if other else (term, *named)
                        if term not in named:
                            yield Holds(key, (0, 1, 2), arguments), price + extra
        if not places(relation):
            continue
        plain = [t for t in terms if t.cost <= _PLAIN]
        units = _units(relation)
        for number in range(1, len(units) + 1):
            for chosen in combinations(units, number):
                positions = tuple(sorted(i for unit in chosen for i in unit))
                choices = [_named(relation, unit, plain)[:_CHOICES] for unit in chosen]
                for names in list(product(*choices))[:_ASKED]:
                    arguments = tuple(term for named, _ in names for term in named)
                    if len(set(arguments)) == len(arguments):
                        cost = sum(price for _, price in names)
                        yield Holds(key, positions, arguments), 1.0 + relation.cost + cost


def place_generators(world: World, terms: Sequence[Typed]) -> Iterator[tuple[float, Generator]]:
    """Facts of statics that lead from one place to others, and the mean number of facts."""
    for key, relation in world.relations.items():
        pairs = places(relation)
        units = [unit for unit in _units(relation) if unit not in pairs[1:]] if pairs else []
        for number in range(1, len(units) + 1):
            for chosen in combinations(units, number):
                positions = tuple(sorted(i for unit in chosen for i in unit))
                fan = len(relation.rows) / max(relation.distinct(positions), 1)
                if fan <= 1.0 or pairs[0] not in chosen:
                    continue
                choices = [_named(relation, unit, terms)[:_CHOICES] for unit in chosen]
                for names in list(product(*choices))[:_CHOICES]:
                    arguments = tuple(term for named, _ in names for term in named)
                    if len(set(arguments)) == len(arguments):
                        yield fan, Generator(key, positions, arguments)


def of_places(world: World, literal: Literal) -> bool:
    """Whether a literal speaks of a place that is named by terms of statics."""
    return isinstance(literal, Holds) and any(
        isinstance(left, Apply)
        and beside(left, 1) == right
        and places(world.relations[left.relation])
        for left, right in pairwise(literal.arguments)
    )


def _units(relation: Relation) -> list[Positions]:
    """The places of a relation, and each of the other arguments by itself, in their order."""
    inside = {i for pair in places(relation) for i in pair}
    labels: list[Positions] = [(i,) for i in range(relation.arity) if i not in inside]
    return sorted([*labels, *places(relation)])


def _determining(
    relation: Relation, units: Sequence[Positions], pair: Positions
) -> Iterator[Positions]:
    """The least choices of units, with a place among them, that determine a place."""
    found: list[set[int]] = []
    for number in range(1, len(units) + 1):
        for chosen in combinations(units, number):
            positions = tuple(sorted(i for unit in chosen for i in unit))
            if all(len(unit) == 1 for unit in chosen) or any(f <= {*positions} for f in found):
                continue
            if all(relation.functional(positions, i) for i in pair):
                found.append({*positions})
                yield positions


def _named(relation: Relation, unit: Positions, terms: Sequence[Typed]) -> list[Unit]:
    """Terms for a place or for another argument, cheap ones first."""
    if len(unit) > 1:
        return side_by_side(relation, unit, terms, terms)
    found = [
        ((typed.term,), typed.cost + price)
        for typed in terms
        if (price := fits(typed.mask, relation, unit[0])) is not None
    ]
    return sorted(found, key=lambda pair: pair[1])


def side_by_side(
    relation: Relation, group: Positions, terms: Sequence[Typed], others: Sequence[Typed]
) -> list[Unit]:
    """Terms that name a place, the first of `terms`: arguments in a row, which costs once."""
    by_term = {typed.term: typed for typed in others}
    found: list[Unit] = []
    for first in terms:
        named = [first]
        for step in range(1, len(group)):
            term = beside(first.term, step)
            if term not in by_term:
                break
            named.append(by_term[term])
        if len(named) < len(group):
            continue
        prices = [fits(t.mask, relation, i) for t, i in zip(named, group, strict=True)]
        if all(price is not None for price in prices):
            cost = first.cost + sum(filter(None, prices))
            found.append((tuple(t.term for t in named), cost))
    return sorted(found, key=lambda pair: pair[1])


def beside(term: Term, step: int) -> Term | None:
    """The argument so many places further in the fact, or in the target, that a term is of."""
    if isinstance(term, Var):
        return Var(term.index + step)
    if isinstance(term, Apply):
        return replace(term, output=term.output + step)
    return None


__all__ = [
    "beside",
    "of_places",
    "place_generators",
    "place_literals",
    "place_terms",
    "places",
    "side_by_side",
]
