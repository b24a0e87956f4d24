"""The literals of a context as columns over a sample of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from grl.iggp.bias import Context, Typed
from grl.iggp.determinate import make_terms
from grl.iggp.literals import make_literals
from grl.iggp.tables import Bools
from grl.iggp.terms import Between, Count, Equal, Frame, Holds, Literal, terms_of
from grl.iggp.world import World

_LITERALS = 800
_TRIED = 5000


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
    kept: list[tuple[float, int, Literal, Bools]] = []
    seen: set[bytes] = set()
    for number, (literal, cost) in enumerate(proposals):
        if late():
            break
        for truth, positive in zip(frame.both(literal), (True, False), strict=True):
            if context.chains and context.generators and not positive and cost > 3.0:
                continue
            count = int(np.count_nonzero(truth))
            if count in (0, len(truth)):
                continue
            mark = np.packbits(truth).tobytes()
            if mark in seen:
                continue
            seen.add(mark)
            price = cost if positive else cost + 0.5
            kept.append((price, number, literal if positive else negated(literal), truth))
    kept.sort(key=lambda item: (item[0], item[1]))
    room = _LITERALS if context.generators or not thorough else 2 * _LITERALS
    if context.counts and len(kept) > room:
        special_ = [item for item in kept if _counting(item[2])][: room // 2]
        rest = [item for item in kept if not _counting(item[2])][: room - len(special_)]
        kept = sorted([*rest, *special_], key=lambda item: (item[0], item[1]))
    kept = kept[:room]
    if not kept:
        return [], np.zeros((len(frame.states), 0), dtype=bool), np.zeros(0)
    return (
        [literal for _, _, literal, _ in kept],
        np.stack([truth for *_, truth in kept], axis=1),
        np.array([price for price, *_ in kept]),
    )


def _proposals(
    world: World, terms: Sequence[Typed], context: Context
) -> list[tuple[Literal, float]]:
    """The literals to try, cheap ones first, with their costs."""
    found = sorted(make_literals(world, terms, context), key=lambda pair: pair[1])
    if context.counts:
        # Counts cost more than anything else; half of the room is theirs.
        special = [pair for pair in found if _counting(pair[0])]
        plain = [pair for pair in found if not _counting(pair[0])]
        found = sorted(plain[: _TRIED // 4] + special[: _TRIED // 2], key=lambda pair: pair[1])
    return found[:_TRIED]


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
