"""The contexts in the order in which they are tried: lifted before ground, few rows first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from grl.iggp.bias import Context, Typed, opened
from grl.iggp.determinate import in_step, state_terms
from grl.iggp.literals import generators
from grl.iggp.places import place_generators
from grl.iggp.terms import Apply, Const, Generator, Key
from grl.iggp.world import Positions, World

_T = TypeVar("_T")
_PLAIN = 2.0
_FROM = 3


def contexts_in_order(world: World, base: Sequence[Typed]) -> Iterator[Context]:
    """The contexts of a goal: lifted before ground, few rows before many."""
    single = _in_turn(generators(world, base), lambda pair: _kind(pair[1]), 3)[:14]
    yield Context(depth=1)
    yield Context(depth=2)
    rich = [
        generator
        for _, generator in single
        if world.relations[generator.relation].dynamic
        and generator.relation[1] - len(generator.positions) >= 2
        and not any(isinstance(argument, Const) for argument in generator.arguments)
    ]
    rich.sort(key=lambda generator: len(generator.positions))
    yield Context(level=1, chains=True)
    for generator in rich[:3]:
        yield Context((generator,), depth=0, level=1, chains=True)
    from_state = _from_state(world, base)
    for generator in from_state:
        yield Context((generator,), level=1)
    yield Context(level=1, counts=True)
    for _, generator in single[:8]:
        yield Context((generator,), level=1)
    yield Context(level=1, ground=True)
    # Facts of the state say more than lists of constants.
    telling = [g for g in (*from_state, *rich) if world.relations[g.relation].dynamic][:3]
    plain = [generator for _, generator in single[:4] if generator not in telling]
    for generator in (*telling, *plain):
        yield Context((generator,), depth=2, level=2)
    for _, generator in single[:4]:
        yield Context((generator,), level=2, counts=True)
    pairs: list[tuple[float, Generator, Generator]] = []
    general = [pair for pair in generators(world, base) if _open(pair[1])]
    for fan, first in _varied(general, lambda pair: _kind(pair[1]), 2)[:6]:
        inner = opened(world, base, first)
        further = [pair for pair in generators(world, inner) if _open(pair[1])]
        for other, second in _varied(further, lambda pair: _kind(pair[1]), 2)[:10]:
            if any(world.relations[g.relation].dynamic for g in (first, second)):
                # Facts that share nothing with what came before leave all to the literals.
                free = not second.positions or not second.arguments
                pairs.append((fan * other * (0.3 if free else 1.0), first, second))
    for first in telling:
        for _, second in _ways(world, opened(world, base, first))[:_FROM]:
            yield Context((first, second), level=3)
    pairs.sort(key=lambda item: item[0])
    pairs = _varied(pairs, lambda pair: (_kind(pair[1]), _kind(pair[2])), 1)
    for _, first, second in pairs[:14]:
        yield Context((first, second), level=3)
    for _, first, second in [
        pair for pair in pairs if all(world.relations[g.relation].dynamic for g in pair[1:])
    ][:3]:
        yield Context((first, second), level=3, counts=True)


def _from_state(world: World, base: Sequence[Typed]) -> list[Generator]:
    """Facts about what the state says by itself, such as where the only piece may go."""
    terms = [typed for typed in state_terms(world, ground=False) if typed.cost <= _PLAIN]
    found = [
        (not in_step(generator.arguments), price, generator)
        for price, generator in generators(world, [*base, *terms])
        if any(isinstance(argument, Apply) for argument in generator.arguments)
    ]
    found.sort(key=lambda item: item[:2])
    some = [generator for *_, generator in _varied(found, lambda item: _kind(item[2]), 1)[:_FROM]]
    ways = [generator for _, generator in _ways(world, terms)[:_FROM]]
    return some + [generator for generator in ways if generator not in some]


def _ways(world: World, terms: Sequence[Typed]) -> list[tuple[float, Generator]]:
    """Facts that lead from a place to others, few rows first, the first of each kind before all."""
    found = [pair for pair in place_generators(world, terms) if _open(pair[1])]
    return _in_turn(sorted(found, key=lambda pair: pair[0]), lambda pair: _kind(pair[1]), _FROM)


def _open(generator: Generator) -> bool:
    """Whether it names no constant, so that literals can say which one matters."""
    return not any(isinstance(argument, Const) for argument in generator.arguments)


def _kind(generator: Generator) -> tuple[Key, Positions]:
    return generator.relation, generator.positions


def _in_turn(items: list[_T], kind: Callable[[_T], object], most: int) -> list[_T]:
    """The first item of each kind, then the second ones, and so on up to `most`."""
    times: dict[object, int] = {}
    ranked = []
    for item in items:
        times[kind(item)] = rank = times.get(kind(item), 0) + 1
        if rank <= most:
            ranked.append((rank, item))
    return [item for _, item in sorted(ranked, key=lambda pair: pair[0])]


def _varied(items: list[_T], kind: Callable[[_T], object], most: int) -> list[_T]:
    """The items in their order, but no more than `most` of a kind."""
    times: dict[object, int] = {}
    kept = []
    for item in items:
        times[kind(item)] = times.get(kind(item), 0) + 1
        if times[kind(item)] <= most:
            kept.append(item)
    return kept
