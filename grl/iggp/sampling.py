"""The literals of a context as columns over a sample of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from grl.iggp.bias import Context, Typed
from grl.iggp.determinate import make_terms
from grl.iggp.literals import is_operation, make_literals
from grl.iggp.places import of_places, places
from grl.iggp.tables import Bools
from grl.iggp.terms import (
    Apply,
    Between,
    Const,
    Count,
    Equal,
    Frame,
    Holds,
    Literal,
    Term,
    terms_of,
)
from grl.iggp.world import World

_T = TypeVar("_T")
_LITERALS = 800
_TRIED = 5000
_ALIKE = 0.3
"""What naming one of twice as many literals of a kind costs."""
_AT_ONCE = 1 << 17
"""How many rows of literals are evaluated together."""


def literal_columns(
    world: World,
    frame: Frame,
    base: Sequence[Typed],
    context: Context,
    late: Callable[[], bool],
    *,
    thorough: bool = True,
) -> tuple[list[Literal], Bools, NDArray[np.float64]]:
    """Literals of a context and their negations that differ on the sample, cheap ones first.

    `base` are the variables of the frame. With the literals come their truth, a row a row of the
    frame and a column a literal, and their costs. When it is late those that are left are left out.
    """
    typed = tuple(base)
    terms = world.once(("terms", typed, context), lambda: make_terms(world, typed, context))
    distinct = tuple(_distinct(frame, terms, late))
    proposals = world.once(
        ("literals", distinct, context), lambda: _proposals(world, distinct, context)
    )
    kept: list[tuple[float, int, Literal, bytes]] = []
    rows = len(frame.states)
    seen = {np.packbits(np.full(rows, truth)).tobytes() for truth in (False, True)}
    step = max(1, _AT_ONCE // max(rows, 1))
    for begin in range(0, len(proposals), step):
        if late():
            break
        tried = proposals[begin : begin + step]
        both = [np.packbits(truth, axis=1) for truth in frame.truths([x for x, _ in tried])]
        for number, (literal, cost) in enumerate(tried):
            for truth, positive in zip(both, (True, False), strict=True):
                if context.chains and context.generators and not positive and cost > 3.0:
                    continue
                mark = truth[number].tobytes()
                if mark in seen:
                    continue
                seen.add(mark)
                price = cost if positive else cost + 0.5
                kept.append(
                    (price, begin + number, literal if positive else negated(literal), mark)
                )
    kept.sort(key=lambda item: (item[0], item[1]))
    kept = _varied(kept, [(item[2], item[0]) for item in kept])
    room = _LITERALS if context.generators or not thorough else 2 * _LITERALS
    for special in _special(world, context) if len(kept) > room else ():
        # What costs more than anything else has half of the room.
        some = [item for item in kept if special(item[2])][: room // 2]
        rest = [item for item in kept if not special(item[2])][: room - len(some)]
        kept = [*rest, *some]
    kept = sorted(kept[:room], key=lambda item: (item[0], item[1]))
    if not kept:
        return [], np.zeros((rows, 0), dtype=bool), np.zeros(0)
    marks = np.frombuffer(b"".join(mark for *_, mark in kept), dtype=np.uint8)
    truths = np.unpackbits(marks.reshape(len(kept), -1), axis=1, count=rows)
    return (
        [literal for _, _, literal, _ in kept],
        np.ascontiguousarray(truths.T).view(bool),
        np.array([price for price, *_ in kept]),
    )


def _proposals(
    world: World, terms: Sequence[Typed], context: Context
) -> list[tuple[Literal, float]]:
    """The literals to try, cheap ones first, with their costs."""
    found = sorted(make_literals(world, terms, context), key=lambda pair: pair[1])
    found = _varied(found, found)
    for special in _special(world, context):
        some = [pair for pair in found if special(pair[0])][: _TRIED // 2]
        plain = [pair for pair in found if not special(pair[0])]
        found = plain[: _TRIED - len(some)] + some
    return sorted(found[:_TRIED], key=lambda pair: pair[1])


def _varied(items: list[_T], priced: Sequence[tuple[Literal, float]]) -> list[_T]:
    """Items with a literal each and its cost, in order: those first that are cheap for their kind.

    The more there are of a kind the more it costs to name one, so that many that are alike don't
    crowd out what is of another kind.
    """
    times: dict[object, int] = {}
    ranks = []
    for literal, cost in priced:
        kind = _kind(literal)
        times[kind] = rank = times.get(kind, 0) + 1
        ranks.append(cost + _ALIKE * log2(rank))
    return [items[i] for i in sorted(range(len(items)), key=ranks.__getitem__)]


def _kind(literal: Literal) -> object:
    if isinstance(literal, Holds):
        return literal.relation, literal.positions, literal.positive
    if isinstance(literal.right, Const):
        return literal.left, literal.positive
    return _root(literal.left), _root(literal.right), literal.positive


def _root(term: Term) -> object:
    if isinstance(term, Apply):
        return term.relation, term.output
    return type(term), term.relation if isinstance(term, Count | Between) else None


def _special(world: World, context: Context) -> list[Callable[[Literal], bool]]:
    """Kinds of literals that need room of their own: counts, places, and made relations."""
    made = {key for key, relation in world.relations.items() if relation.choice}
    found: list[Callable[[Literal], bool]] = [_counting] if context.counts else []
    if any(places(relation) for relation in world.relations.values()):
        found.append(lambda literal: of_places(world, literal))
    if context.results:
        found.append(lambda literal: _of_operation(world, literal))
    if made:
        found.append(lambda literal: isinstance(literal, Holds) and literal.relation in made)
    return found


def _of_operation(world: World, literal: Literal) -> bool:
    return (
        isinstance(literal, Holds)
        and len(literal.positions) == 3
        and is_operation(world.relations[literal.relation])
    )


def _distinct(frame: Frame, terms: Sequence[Typed], late: Callable[[], bool]) -> list[Typed]:
    """Terms with values of their own on the sample, the cheapest of equals."""
    seen: set[bytes] = set()
    result = []
    for typed in terms:
        if late():
            break
        values = frame.value(typed.term)
        mark = values.tobytes()
        if mark in seen or not (values >= 0).any():
            continue
        seen.add(mark)
        result.append(typed)
    return result


def _counting(literal: Literal) -> bool:
    return any(isinstance(term, Count | Between) for term in terms_of(literal))


def negated(literal: Literal) -> Literal:
    """The literal with the other sign."""
    if isinstance(literal, Equal):
        return Equal(literal.left, literal.right, not literal.positive)
    return Holds(literal.relation, literal.positions, literal.arguments, not literal.positive)
