"""Literals over determinate terms, and generators: facts whose free variables rules may use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from grl.iggp.bias import FEW, SOME, Context, Typed, alike, choices_of
from grl.iggp.orders import is_successor
from grl.iggp.tables import unique_rows
from grl.iggp.terms import Const, Equal, Generator, Holds, Literal, Term, Var
from grl.iggp.world import Positions, Relation, World

_CONSTANTS = 60
_COMBINATIONS = 1500
_PER_RELATION = 240


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
                # Of many arguments two matter, or all but one, such as who acts, or all.
                if 2 < size < relation.arity - 1:
                    continue
                room = 1.0 + relation.cost
                some = [
                    (Holds(key, positions, arguments), room + cost)
                    for arguments, cost in _bounded(
                        relation, positions, short, context.ground, bool(context.generators)
                    )
                ]
                some.sort(key=lambda pair: pair[1])
                found += some[:_PER_RELATION]
        found.sort(key=lambda pair: pair[1])
        yield from found[: 2 * _PER_RELATION]
        if context.ground and relation.dynamic:
            used = unique_rows(relation.rows[:, 1:])
            if len(used) <= 400:
                positions = tuple(range(relation.arity))
                for row in used:
                    arguments = tuple(Const(int(code)) for code in row)
                    yield Holds(key, positions, arguments), 2.5 + 0.5 * relation.arity


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
        if not rest and len(relation.domains[position]) > (SOME if ground else FEW):
            continue
        for code in relation.domains[position]:
            for arguments, cost in choices_of(relation, rest, some, constants=False):
                yield (*arguments[:at], Const(int(code)), *arguments[at:]), cost + price
                count += 1
                if count >= 2 * _COMBINATIONS:
                    return


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
                open_ = [i for i in range(relation.arity) if i not in positions]
                if all(relation.functional(positions, i) for i in open_):
                    continue
                asked = max(states, relation.distinct(positions))
                fan = len(relation.rows) / max(asked, 1)
                if fan > 70:
                    continue
                if fan <= 1.0:
                    continue
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
