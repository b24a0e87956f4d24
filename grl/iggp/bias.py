"""The language bias, derived from the data alone: orders, typed terms, and literals over them.

Types are sets of constants seen at argument positions. A term fits a position when the two sets
overlap enough; less overlap is allowed at a price, and positions of statics allow subsets.
Determinate terms are the base: what `does` says, the content of a cell, a successor, a score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product

import numpy as np

from grl.iggp.terms import (
    Apply,
    Between,
    Const,
    Count,
    Equal,
    Frame,
    Generator,
    Holds,
    Key,
    Literal,
    Term,
    Var,
)
from grl.iggp.world import Positions, Relation, World, mask_of


@dataclass(frozen=True)
class Typed:
    """A term with the set of constants that it may be, and what it costs to name it."""

    term: Term
    mask: int
    cost: float
    depth: int = 0


@dataclass(frozen=True)
class Context:
    """One rung of the ladder: which generators, and how rich the terms and literals are.

    `fixed` are literals that every rule of the context has.
    """

    name: str
    generators: tuple[Generator, ...] = ()
    fixed: tuple[Literal, ...] = ()
    depth: int = 1
    level: int = 0
    ground: bool = False
    chains: bool = False
    counts: bool = False


def add_orders(world: World, target: Key) -> None:
    """Add a successor of numbers where no static gives one, and the orders of successors."""
    names = world.vocabulary.names
    tables = [r.rows[:, 1:] for r in world.relations.values() if r.dynamic]
    tables.append(_true_rows(world, target))
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


def _true_rows(world: World, target: Key) -> np.ndarray:
    truth = world.labels[target].any(axis=0)
    return world.targets[target][truth]


def head_terms(world: World, target: Key) -> list[Typed]:
    """The target's arguments, typed by the values that they have where the target is true."""
    rows = _true_rows(world, target)
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


def _alike(a: int, b: int) -> float | None:
    common = (a & b).bit_count()
    small, union = min(a.bit_count(), b.bit_count()), (a | b).bit_count()
    if common and common >= 0.4 * union:
        return 0.0
    if common and common >= 0.8 * small:
        return 0.5
    return None


_FEW = 4
_SOME = 12
_MANY = 16
_CONSTANTS = 60
_COMBINATIONS = 1500
_APPLIES = 60
_MOST_TERMS = 160


def make_terms(world: World, base: Sequence[Typed], context: Context) -> list[Typed]:
    """The determinate terms of a context, cheap ones first; `base` are the variables."""
    terms: dict[Term, Typed] = {typed.term: typed for typed in base}
    for typed in _state_terms(world, context.ground):
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
            if relation.order:
                continue
            fresh += _applications(world, relation, before, allowed, depth)
        newest = []
        for typed in sorted(fresh, key=lambda t: t.cost):
            if typed.term not in terms and len(terms) < _MOST_TERMS:
                terms[typed.term] = typed
                newest.append(typed)
    if context.counts:
        for typed in _counts(world, sorted(terms.values(), key=lambda t: t.cost)):
            terms.setdefault(typed.term, typed)
    return sorted(terms.values(), key=lambda t: t.cost)


def _state_terms(world: World, ground: bool) -> Iterator[Typed]:
    for key, relation in world.relations.items():
        if not relation.dynamic:
            continue
        for output in range(relation.arity):
            if len(relation.domains[output]) < 2:
                continue
            mask = relation.masks(output)
            if relation.functional((), output):
                yield Typed(Apply(key, (), output, ()), mask, 1.0 + relation.cost)
                continue
            for fixed in range(relation.arity):
                most = _SOME if ground else _FEW
                if fixed == output or len(relation.domains[fixed]) > most:
                    continue
                general = relation.functional((fixed,), output)
                if general and len(relation.domains[fixed]) > _FEW and not ground:
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
        used = np.unique(relation.rows[:, [i + 1 for i in positions]], axis=0)
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
    world: World, relation: Relation, before: Sequence[Typed], allowed: set[Term], depth: int
) -> list[Typed]:
    key = relation.name, relation.arity
    found: list[Typed] = []
    for output in range(relation.arity):
        if len(relation.domains[output]) < 2:
            continue
        for positions in inputs_of(relation, output):
            choices = [
                [
                    (typed, price)
                    for typed in before
                    if (price := fits(typed.mask, relation, position)) is not None
                ][:_MANY]
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
                if _in_step(arguments):
                    cost -= 1.0
                term = Apply(key, positions, output, arguments)
                some.append(Typed(term, relation.masks(output), cost, depth))
            some.sort(key=lambda t: t.cost)
            found += some[:_APPLIES]
    return found


def _in_step(arguments: tuple[Term, ...]) -> bool:
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


_LINES = [(k * dx, k * dy) for k in (1, 2, 3, -1, -2, -3) for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))]
_JUMPS = [(dx, dy) for dx in (1, -1, 2, -2) for dy in (1, -1, 2, -2) if abs(dx) != abs(dy)]


def _neighbourhood(world: World, base: Sequence[Typed]) -> Iterator[Typed]:
    """The contents of cells at small offsets from variables, where successors give offsets."""
    chains = [r for r in world.relations.values() if is_successor(r) and len(r.rows) >= 2]
    done: set[Positions] = set()
    steps: dict[Term, list[tuple[int, Term, float]]] = {}

    def shifted(typed: Typed, relation: Relation, position: int) -> list[tuple[int, Term, float]]:
        for chain in chains:
            ends = chain.masks(0) | chain.masks(1)
            if (ends & relation.masks(position)).bit_count() >= 0.8 * len(relation.domains[position]):
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
                done.add(positions)
                for chosen in _closest(base, relation, positions):
                    moves = [shifted(t, relation, p) for t, p in zip(chosen, positions, strict=True)]
                    for combo in product(*moves):
                        offset = tuple(step for step, _, _ in combo)
                        if not _near(offset):
                            continue
                        cost = 1.0 + max(c for _, _, c in combo)
                        arguments = tuple(t for _, t, _ in combo)
                        term = Apply(key, positions, output, arguments)
                        yield Typed(term, relation.masks(output), cost)
    del steps


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
                for chosen, cost in _arguments(relation, positions, cheap, constants=True):
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
                            for chosen, cost in _arguments(relation, positions, cheap, constants=True):
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


def _arguments(
    relation: Relation, positions: Positions, terms: Sequence[Typed], *, constants: bool,
    most: int = _SOME,
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
    for chosen in product(*choices):
        arguments = tuple(term for term, _ in chosen)
        plain = [term for term in arguments if not isinstance(term, Const)]
        if len(set(plain)) == len(plain):
            yield arguments, sum(cost for _, cost in chosen)


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
        price = _alike(first.mask, second.mask)
        if price is not None:
            yield Equal(first.term, second.term), 1.0 + first.cost + second.cost + price
    for key, relation in world.relations.items():
        if relation.arity == 0:
            yield Holds(key, (), ()), 1.0 + relation.cost
            continue
        found: list[tuple[Literal, float]] = []
        most = 0.0 if context.chains else 3.0 if relation.arity <= 2 else 1.5
        short = [t for t in terms if t.cost <= most]
        short = short[: {1: 40, 2: 40, 3: 14}.get(relation.arity, 8)]
        for size in range(1, relation.arity + 1):
            for positions in combinations(range(relation.arity), size):
                if 2 < size < relation.arity and relation.arity > 3:
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
            used = np.unique(relation.rows[:, 1:], axis=0)
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
    for arguments, cost in _arguments(relation, positions, terms, constants=False):
        yield arguments, cost
        count += 1
        if count >= _COMBINATIONS:
            break
    # With a term beside it a constant may come of more than without.
    some, most, price = terms[:12], _SOME if ground else 2 * _FEW, 1.0
    if not relation.dynamic:
        # Such as what a number is divisible by, or whether it is below a bound.
        if generated or relation.arity != 2 or is_successor(relation):
            return
        some, most, price = [t for t in terms if t.cost <= 1.5][:6], _CONSTANTS, 2.5
    for at, position in enumerate(positions):
        if len(relation.domains[position]) > most:
            continue
        rest = positions[:at] + positions[at + 1 :]
        if not rest and len(relation.domains[position]) > (_SOME if ground else _FEW):
            continue
        for code in relation.domains[position]:
            for arguments, cost in _arguments(relation, rest, some, constants=False):
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
                for arguments, _ in _arguments(
                    relation, positions, base, constants=relation.dynamic, most=_FEW
                ):
                    fixed = sum(isinstance(argument, Const) for argument in arguments)
                    if fixed < size or fixed <= 1:
                        loose = not relation.dynamic and size == 0 and len(wide) > 1
                        price = fan + 3.0 * fixed + (12.0 if loose else 0.0)
                        found.append((price, Generator(key, positions, arguments)))
    found.sort(key=lambda pair: pair[0])
    return found


def opened(world: World, base: Sequence[Typed], generator: Generator) -> list[Typed]:
    """The variables after a generator: those before it and those that it opens."""
    relation = world.relations[generator.relation]
    result = list(base)
    for i in range(relation.arity):
        if i not in generator.positions:
            result.append(Typed(Var(len(result)), relation.masks(i), 0.0))
    return result


__all__ = [
    "Context",
    "Frame",
    "Typed",
    "add_orders",
    "fits",
    "generators",
    "head_terms",
    "make_literals",
    "make_terms",
    "opened",
]
