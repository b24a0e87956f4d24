"""Literals over determinate terms, and generators: facts whose free variables rules may use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np

from grl.iggp.bias import FEW, SOME, Context, Typed, alike, choices_of, fits
from grl.iggp.orders import is_successor
from grl.iggp.places import place_literals, places, side_by_side
from grl.iggp.tables import unique_rows
from grl.iggp.terms import Const, Equal, Generator, Holds, Literal, Term, Var, subterms
from grl.iggp.world import Positions, Relation, World

_CONSTANTS = 60
_COMBINATIONS = 1500
_PER_RELATION = 240
_PLAIN = 2.0
_PLACES = 12
_SUMMANDS = 16
_RESULTS = 240
_OPERANDS = (((0, 1), 2), ((0, 2), 1), ((1, 2), 0))


def make_literals(
    world: World, terms: Sequence[Typed], context: Context
) -> Iterator[tuple[Literal, float]]:
    """Positive literals over the terms, with their costs."""
    # Along lines it matters more what is equal than what it is.
    plain = 1.5 if context.chains and context.generators else 0.5
    for typed in terms:
        bits = typed.mask
        codes: list[int] = []
        while bits and len(codes) < 80:
            low = bits & -bits
            codes.append(low.bit_length() - 1)
            bits ^= low
        choice = 0.5 * float(np.log2(len(codes) + 1))
        for code in codes:
            yield Equal(typed.term, Const(code)), plain + choice + typed.cost
    for first, second in combinations(terms[: 120 if context.chains else 90], 2):
        if context.chains and context.generators and first.cost > 1.0:
            break
        price = alike(first.mask, second.mask)
        if price is not None:
            yield Equal(first.term, second.term), 1.0 + first.cost + second.cost + price
    for key, relation in world.relations.items():
        if relation.arity == 0:
            yield Holds(key, (), ()), 1.0 + relation.cost
            continue
        if relation.dynamic:
            yield Holds(key, (), ()), 1.0 + relation.cost
        found: list[tuple[Literal, float]] = []
        most = 0.0 if context.chains else 3.0 if relation.arity <= 2 else 1.5
        short = [t for t in terms if t.cost <= most]
        short = short[: {1: 40, 2: 40, 3: 14}.get(relation.arity, 8)]
        for size in range(1, relation.arity + 1):
            for positions in combinations(range(relation.arity), size):
                if _divided(relation, positions):
                    continue
                # Of many arguments two matter, or all but one, such as who acts, or all.
                if 2 < size < relation.arity - 1 and not relation.groups:
                    continue
                room = 1.0 + relation.cost
                if relation.groups:
                    chosen = _in_places(relation, positions, terms)
                else:
                    chosen = _bounded(
                        relation, positions, short, context.ground, bool(context.generators)
                    )
                some = [
                    (Holds(key, positions, arguments), room + cost) for arguments, cost in chosen
                ]
                some.sort(key=lambda pair: pair[1])
                found += some[:_PER_RELATION]
        found.sort(key=lambda pair: pair[1])
        if context.results:
            results = sorted(_results(relation, terms), key=lambda pair: pair[1])
            yield from results[:_RESULTS]
        yield from found[: 2 * _PER_RELATION]
        if context.ground and relation.dynamic:
            used = unique_rows(relation.rows[:, 1:])
            if len(used) <= 400:
                positions = tuple(range(relation.arity))
                for row in used:
                    arguments = tuple(Const(int(code)) for code in row)
                    yield Holds(key, positions, arguments), 2.5 + 0.5 * relation.arity
    if not context.chains:
        yield from place_literals(world, terms)


def _bounded(
    relation: Relation,
    positions: Positions,
    terms: Sequence[Typed],
    ground: bool,
    generated: bool,
) -> Iterator[tuple[tuple[Term, ...], float]]:
    """Arguments from terms, and one constant at most where a dynamic relation has few of them."""
    count = 0
    for arguments, cost in choices_of(relation, positions, terms, constants=False):
        yield arguments, cost
        count += 1
        if count >= _COMBINATIONS:
            break
    # With a term beside it a constant may come of more than without.
    some, most, price = terms[:12], SOME if ground else 2 * FEW, 1.0
    if not relation.dynamic:
        # Such as what a number is divisible by, or whether it is below a bound.
        if generated or relation.arity != 2 or is_successor(relation):
            return
        some, most, price = [t for t in terms if t.cost <= 1.5][:6], _CONSTANTS, 2.5
    for at, position in enumerate(positions):
        if len(relation.domains[position]) > most:
            continue
        rest = positions[:at] + positions[at + 1 :]
        # What somebody does is mostly named as it is.
        few = SOME if ground or relation.name.startswith("does") else FEW
        if not rest and len(relation.domains[position]) > few:
            continue
        for code in relation.domains[position]:
            for arguments, cost in choices_of(relation, rest, some, constants=False):
                yield (*arguments[:at], Const(int(code)), *arguments[at:]), cost + price
                count += 1
                if count >= 2 * _COMBINATIONS:
                    return


def _results(relation: Relation, terms: Sequence[Typed]) -> Iterator[tuple[Literal, float]]:
    """That a variable is the result, or an operand, of a function of two other terms: a sum.

    Such a literal says so much that it is worth having for less than its terms cost.
    """
    if not is_operation(relation):
        return
    few = [typed for typed in terms if typed.cost <= _PLAIN]
    for result, at in product((t for t in few if isinstance(t.term, Var)), range(3)):
        price = fits(result.mask, relation, at)
        others = [t for t in few if result.term not in subterms([t.term])]
        choices = [
            [
                (typed, extra)
                for typed in others
                if (extra := fits(typed.mask, relation, position)) is not None
            ][:_SUMMANDS]
            for position in range(3)
            if position != at
        ]
        if price is None:
            continue
        for (first, one), (second, other) in product(*choices):
            arguments = [first.term, second.term]
            arguments.insert(at, result.term)
            cost = price + one + other + first.cost + second.cost
            yield Holds((relation.name, 3), (0, 1, 2), tuple(arguments)), 1.0 + 0.5 * cost


def is_operation(relation: Relation) -> bool:
    """Whether a static says what is the result of two values, such as a sum."""
    return (
        not relation.dynamic
        and relation.arity == 3
        and any(relation.functional(both, output) for both, output in _OPERANDS)
    )


def _divided(relation: Relation, positions: Positions) -> bool:
    """Whether these are some but not all of the positions that name a place.

    Of a static one coordinate alone says something, such as that it is not the last.
    """
    groups = relation.groups or (places(relation) if len(positions) > 1 else ())
    return any(0 < len({*group} & {*positions}) < len(group) for group in groups)


def _in_places(
    relation: Relation, positions: Positions, terms: Sequence[Typed]
) -> Iterator[tuple[tuple[Term, ...], float]]:
    """Arguments of which those that name a place together stand side by side elsewhere, too."""
    parts = [group for group in relation.groups if group[0] in positions]
    parts += [(i,) for i in positions if not any(i in group for group in relation.groups)]
    choices: list[list[tuple[tuple[Term, ...], float]]] = []
    few = [t for t in terms if t.cost <= _PLAIN]
    for part in parts:
        options: list[tuple[tuple[Term, ...], float]]
        if len(part) == 1:
            options = [
                ((t.term,), t.cost + price)
                for t in few[:_PLACES]
                if (price := fits(t.mask, relation, part[0])) is not None
            ]
            if len(relation.domains[part[0]]) <= 2 * FEW:
                options += [((Const(int(code)),), 1.0) for code in relation.domains[part[0]]]
        else:
            options = side_by_side(relation, part, few, terms)
        choices.append(options)
    for number, chosen in enumerate(product(*choices)):
        if number == _COMBINATIONS:
            return
        given = {
            i: term
            for part, (named, _) in zip(parts, chosen, strict=True)
            for i, term in zip(part, named, strict=True)
        }
        plain = [term for term in given.values() if not isinstance(term, Const)]
        if len(set(plain)) == len(plain):
            yield tuple(given[i] for i in positions), sum(cost for _, cost in chosen)


def generators(world: World, base: Sequence[Typed]) -> list[tuple[float, Generator]]:
    """Single generators with the mean number of rows that each gives, few rows first."""
    found: list[tuple[float, Generator]] = []
    sets: set[bytes] = set()
    for key, relation in world.relations.items():
        if relation.arity == 0 or relation.order:
            continue
        wide = [domain for domain in relation.domains if len(domain) > 1]
        if not relation.dynamic and len(wide) == 1:
            # One such static is enough where several list the same constants.
            if wide[0].tobytes() in sets:
                continue
            sets.add(wide[0].tobytes())
        states = relation.states if relation.dynamic else 1
        for size in range(0, min(relation.arity - 1, 2) + 1):
            for positions in combinations(range(relation.arity), size):
                if _divided(relation, positions):
                    continue
                open_ = [i for i in range(relation.arity) if i not in positions]
                if all(relation.functional(positions, i) for i in open_):
                    continue
                asked = max(states, relation.distinct(positions))
                fan = len(relation.rows) / max(asked, 1)
                if fan > 70:
                    continue
                if fan <= 1.0:
                    continue
                if relation.groups:
                    choices = _in_places(relation, positions, base)
                else:
                    choices = choices_of(
                        relation, positions, base, constants=relation.dynamic, most=FEW
                    )
                for arguments in sorted(
                    (arguments for arguments, _ in choices),
                    key=lambda arguments: _out_of_line(
                        positions, arguments, len(base) - relation.arity
                    ),
                ):
                    fixed = sum(isinstance(argument, Const) for argument in arguments)
                    if fixed < size or fixed <= 1:
                        loose = not relation.dynamic and size == 0 and len(wide) > 1
                        price = fan + 3.0 * fixed + (12.0 if loose else 0.0)
                        found.append((price, Generator(key, positions, arguments)))
    found.sort(key=lambda pair: pair[0])
    return found


def _out_of_line(positions: Positions, arguments: Sequence[Term], shift: int) -> int:
    """How many variables are neither at their own place nor as far from the end as there.

    What is alike in two relations is mostly named in the same order.
    """
    return sum(
        isinstance(argument, Var) and argument.index - position not in (0, shift)
        for position, argument in zip(positions, arguments, strict=True)
    )
