"""Determinate terms: what `does` says, the content of a cell, a successor, a score, a count.

They are the base of the bias: a rule over them needs no variables of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

from grl.iggp.bias import FEW, SOME, Context, Typed, alike, choices_of, fits
from grl.iggp.orders import is_successor
from grl.iggp.places import place_terms, places
from grl.iggp.tables import unique_rows
from grl.iggp.terms import Apply, Between, Const, Count, Key, Term, Var
from grl.iggp.world import Positions, Relation, World, mask_of

_MANY = 16
_APPLIES = 60
_ARGUMENTS = 4100
_MOST_TERMS = 160
_MOST_COUNTS = ((Count, 600), (Between, 1500))


def make_terms(world: World, base: Sequence[Typed], context: Context) -> list[Typed]:
    """The determinate terms of a context, cheap ones first; `base` are the variables."""
    terms: dict[Term, Typed] = {typed.term: typed for typed in base}
    for typed in state_terms(world, context.ground):
        terms.setdefault(typed.term, typed)
    if context.chains:
        near = list(_neighbourhood(world, base))
        for typed in (*near, *_attributes(world, [*terms.values(), *near])):
            terms.setdefault(typed.term, typed)
    newest = list(terms.values())
    for depth in range(1, context.depth + 1):
        before = sorted(terms.values(), key=lambda t: t.cost)
        fresh: list[Typed] = []
        allowed = {typed.term for typed in newest}
        for relation in sorted(world.relations.values(), key=lambda r: not r.dynamic):
            if relation.order or relation.groups:
                continue
            fresh += place_terms(relation, before, allowed, depth)
            fresh += _applications(relation, before, allowed, depth)
        newest = []
        for typed in sorted(fresh, key=lambda t: t.cost):
            if typed.term not in terms and len(terms) < _MOST_TERMS:
                terms[typed.term] = typed
                newest.append(typed)
    if context.counts:
        counts: dict[type, list[Typed]] = {Count: [], Between: []}
        for typed in _counts(world, sorted(terms.values(), key=lambda t: t.cost)):
            counts[type(typed.term)].append(typed)
        for kind, most in _MOST_COUNTS:
            for typed in sorted(counts[kind], key=lambda t: t.cost)[:most]:
                terms.setdefault(typed.term, typed)
    return sorted(terms.values(), key=lambda t: t.cost)


def state_terms(world: World, ground: bool) -> Iterator[Typed]:
    """What a state says by itself, such as who is in control, or where the only piece is."""
    for key, relation in world.relations.items():
        if not relation.dynamic or relation.groups:
            continue
        for output in range(relation.arity):
            if len(relation.domains[output]) < 2:
                continue
            mask = relation.masks(output)
            if relation.functional((), output):
                yield Typed(Apply(key, (), output, ()), mask, 1.0 + relation.cost)
                continue
            for fixed in range(relation.arity):
                most = SOME if ground else FEW
                if fixed == output or len(relation.domains[fixed]) > most:
                    continue
                general = relation.functional((fixed,), output)
                if general and len(relation.domains[fixed]) > FEW and not ground:
                    continue
                for code in relation.domains[fixed]:
                    if general or relation.functional_at((), output, fixed, int(code)):
                        term = Apply(key, (fixed,), output, (Const(int(code)),))
                        yield Typed(term, mask, 2.0 + relation.cost)
            if ground:
                yield from _ground_terms(key, relation, output, mask)


def _ground_terms(key: Key, relation: Relation, output: int, mask: int) -> Iterator[Typed]:
    others = tuple(i for i in range(relation.arity) if i != output)
    if len(others) < 2:
        return
    for positions in (c for n in range(2, len(others) + 1) for c in combinations(others, n)):
        if not relation.functional(positions, output):
            continue
        used = unique_rows(relation.rows[:, [i + 1 for i in positions]])
        if len(used) <= _MANY:
            for row in used:
                arguments = tuple(Const(int(code)) for code in row)
                yield Typed(Apply(key, positions, output, arguments), mask, 3.0 + relation.cost)
        return


def inputs_of(relation: Relation, output: int) -> list[Positions]:
    """The least sets of positions, not empty, that determine the one at `output`."""
    others = [i for i in range(relation.arity) if i != output]
    found: list[Positions] = []
    for size in range(0, len(others) + 1):
        for positions in combinations(others, size):
            if any(set(smaller) <= set(positions) for smaller in found):
                continue
            if relation.functional(positions, output):
                found.append(positions)
    return [positions for positions in found if positions]


def _applications(
    relation: Relation, before: Sequence[Typed], allowed: set[Term], depth: int
) -> list[Typed]:
    key = relation.name, relation.arity
    found: list[Typed] = []
    whole = {i for pair in places(relation) for i in pair}
    for output in range(relation.arity):
        if len(relation.domains[output]) < 2 or output in whole:
            continue
        for positions in inputs_of(relation, output):
            most = min(_MANY, int(_ARGUMENTS ** (1 / len(positions))))
            choices = [
                [
                    (typed, price)
                    for typed in before
                    if (price := fits(typed.mask, relation, position)) is not None
                ][:most]
                for position in positions
            ]
            some = []
            for chosen in product(*choices):
                arguments = tuple(typed.term for typed, _ in chosen)
                if len(set(arguments)) < len(arguments) or not allowed.intersection(arguments):
                    continue
                if any(_undoes(key, positions, output, argument) for argument in arguments):
                    continue
                cost = 1.0 + relation.cost + sum(typed.cost + price for typed, price in chosen)
                if in_step(arguments) and not _of_one_type(relation, positions, output):
                    cost = min(cost - 1.0, 1.0 + relation.cost + max(t.cost + p for t, p in chosen))
                term = Apply(key, positions, output, arguments)
                some.append(Typed(term, relation.masks(output), cost, depth))
            some.sort(key=lambda t: t.cost)
            found += some[:_APPLIES]
    return found


def _of_one_type(relation: Relation, positions: Positions, output: int) -> bool:
    """Whether a static leads from values to another of their type, as a sum does."""
    masks = [relation.masks(i) for i in (*positions, output)]
    return not relation.dynamic and all(alike(mask, masks[-1]) is not None for mask in masks)


def in_step(arguments: tuple[Term, ...]) -> bool:
    """Whether the arguments stand side by side elsewhere, as the coordinates of a square do."""
    if len(arguments) < 2:
        return False
    for left, right in pairwise(arguments):
        if isinstance(left, Var) and isinstance(right, Var):
            if right.index != left.index + 1:
                return False
        elif isinstance(left, Apply) and isinstance(right, Apply):
            same = (left.relation, left.positions, left.arguments)
            if (right.relation, right.positions, right.arguments) != same:
                return False
            if right.output != left.output + 1:
                return False
        else:
            return False
    return True


def _undoes(key: Key, positions: Positions, output: int, argument: Term) -> bool:
    """Whether applying the relation leads back to where an inner application came from."""
    return (
        isinstance(argument, Apply)
        and argument.relation == key
        and output in argument.positions
        and argument.output in positions
    )


def _shift(relation: Key, term: Term, steps: int) -> Term:
    there = ((0,), 1) if steps > 0 else ((1,), 0)
    for _ in range(abs(steps)):
        term = Apply(relation, there[0], there[1], (term,))
    return term


_LINES = [
    (k * dx, k * dy) for k in (1, 2, 3, -1, -2, -3) for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
]
_JUMPS = [(dx, dy) for dx in (1, -1, 2, -2) for dy in (1, -1, 2, -2) if abs(dx) != abs(dy)]


def _neighbourhood(world: World, base: Sequence[Typed]) -> Iterator[Typed]:
    """The contents of cells at small offsets from variables, where successors give offsets."""
    chains = [r for r in world.relations.values() if is_successor(r) and len(r.rows) >= 2]

    def shifted(typed: Typed, relation: Relation, position: int) -> list[tuple[int, Term, float]]:
        for chain in chains:
            ends = chain.masks(0) | chain.masks(1)
            if (ends & relation.masks(position)).bit_count() >= 0.8 * len(
                relation.domains[position]
            ):
                key = chain.name, 2
                return [
                    (k, _shift(key, typed.term, k), 0.5 * abs(k) + chain.cost) for k in range(-3, 4)
                ]
        return [(0, typed.term, 0.0)]

    for key, relation in world.relations.items():
        if not relation.dynamic or relation.arity < 2:
            continue
        for output in range(relation.arity):
            for positions in inputs_of(relation, output):
                if len(positions) > 2:
                    continue
                for chosen in _closest(base, relation, positions):
                    moves = [
                        shifted(t, relation, p) for t, p in zip(chosen, positions, strict=True)
                    ]
                    for combo in product(*moves):
                        offset = tuple(step for step, _, _ in combo)
                        if not _near(offset):
                            continue
                        cost = 1.0 + max(c for _, _, c in combo)
                        arguments = tuple(t for _, t, _ in combo)
                        term = Apply(key, positions, output, arguments)
                        yield Typed(term, relation.masks(output), cost)


def _attributes(world: World, terms: Sequence[Typed]) -> Iterator[Typed]:
    """What statics say of a content, such as the owner of a piece."""
    for key, relation in world.relations.items():
        if relation.dynamic or relation.arity != 2 or is_successor(relation):
            continue
        for source, output in ((0, 1), (1, 0)):
            if len(relation.domains[output]) < 2 or not relation.functional((source,), output):
                continue
            for typed in terms:
                if fits(typed.mask, relation, source) == 0.0:
                    term = Apply(key, (source,), output, (typed.term,))
                    yield Typed(term, relation.masks(output), typed.cost + 0.5, 1)


def _closest(
    base: Sequence[Typed], relation: Relation, positions: Positions
) -> list[tuple[Typed, ...]]:
    """Different variables for the positions, as alike in type as can be; two ways at most."""
    choices = [[t for t in base if fits(t.mask, relation, p) is not None] for p in positions]
    found = []
    for number, chosen in enumerate(product(*choices)):
        if len({t.term for t in chosen}) < len(chosen):
            continue
        far = sum(
            (t.mask ^ relation.masks(p)).bit_count() for t, p in zip(chosen, positions, strict=True)
        )
        crossed = sum(a.term.index > b.term.index for a, b in pairwise(chosen))  # type: ignore[union-attr]
        found.append((crossed, far, number, chosen))
    found.sort(key=lambda item: item[:3])
    ways: list[tuple[Typed, ...]] = []
    for _, _, _, chosen in found:
        if not any({t.term for t in chosen} & {t.term for t in way} for way in ways):
            ways.append(chosen)
    return ways[:2]


def _near(offset: tuple[int, ...]) -> bool:
    if len(offset) == 1:
        return True
    return offset == (0, 0) or offset in _LINES or offset in _JUMPS


def _counts(world: World, before: Sequence[Typed]) -> Iterator[Typed]:
    numbers = mask_of(world.vocabulary.numbers)
    cheap = [typed for typed in before if typed.cost <= 1.0][:8]
    orders = [r for r in world.relations.values() if r.order]
    for key, relation in world.relations.items():
        if not relation.dynamic or relation.arity == 0:
            continue
        for size in range(0, min(2, relation.arity - 1) + 1):
            for positions in combinations(range(relation.arity), size):
                for chosen, cost in choices_of(relation, positions, cheap, constants=True):
                    yield Typed(Count(key, positions, chosen), numbers, 2.0 + cost, 1)
        for order in orders:
            for output in range(relation.arity):
                if (relation.masks(output) & order.masks(0)).bit_count() < 2:
                    continue
                ends = [t for t in cheap if fits(t.mask, relation, output) is not None]
                others = [i for i in range(relation.arity) if i != output]
                for low, high in combinations(ends, 2):
                    for size in range(0, min(2, len(others)) + 1):
                        for positions in combinations(others, size):
                            for chosen, cost in choices_of(
                                relation, positions, cheap, constants=True
                            ):
                                term = Between(
                                    key,
                                    positions,
                                    chosen,
                                    output,
                                    (order.name, 2),
                                    low.term,
                                    high.term,
                                )
                                price = 3.0 + cost + low.cost + high.cost
                                yield Typed(term, numbers, price, 1)
