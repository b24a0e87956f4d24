"""Sets made of sets: together, apart, around, joined."""

from __future__ import annotations

from collections.abc import Callable

from grl.logic.english import ADJACENT, Speech
from grl.logic.rows import Rows, Values
from grl.logic.terms import Operator, Sort, Term

SQUARES, NEARNESS = Sort.SQUARES, Sort.NEARNESS


def _near_clause(say: Speech, nearness: str, squares: Term) -> tuple[str, str]:
    words = f"adjacent {ADJACENT[nearness]} to {say.noun(squares)}"
    return words, f"not {words}"


NEAR = Operator(
    "near",
    (NEARNESS, SQUARES),
    evaluate=lambda rows, nearness, squares: rows.near(nearness, squares),
    noun=lambda say, nearness, squares: (
        f"squares adjacent {ADJACENT[nearness]} to {say.noun(squares)}"
    ),
    clause=_near_clause,
    rules=lambda asp, head, nearness, squares: (
        f"{head('T')} :- {squares('S')}, {asp.world.near(nearness)}(S,T)."
    ),
)


def _group(rows: Rows, nearness: str, seeds: Values, within: Values) -> Values:
    onward: Callable[[Values], Values] = lambda fresh: rows.near(nearness, fresh)  # noqa: E731
    return rows.closed(seeds, within, onward)


def _group_clause(say: Speech, nearness: str, seeds: Term, within: Term) -> tuple[str, str]:
    groups = f"in groups of {say.noun(within)}, adjacent {ADJACENT[nearness]},"
    if seeds.operator is NEAR and seeds.arguments[0] == nearness:
        touched = seeds.arguments[1]
        assert isinstance(touched, Term)
        has, lacks = f"{groups} with {say.noun(touched)} beside", f"{groups} without"
        return f"{has} them", f"{lacks} {say.noun(touched)} beside them"
    return f"{groups} with {say.noun(seeds)}", f"{groups} without {say.noun(seeds)}"


GROUP = Operator(
    "group",
    (NEARNESS, SQUARES, SQUARES),
    evaluate=_group,
    noun=lambda say, nearness, seeds, within: (
        f"{say.noun(within)} {_group_clause(say, nearness, seeds, within)[0]}"
    ),
    clause=_group_clause,
    rules=lambda asp, head, nearness, seeds, within: (
        f"{head('S')} :- {seeds('S')}, {within('S')}.\n"
        f"{head('T')} :- {head('S')}, {asp.world.near(nearness)}(S,T), {within('T')}."
    ),
)

BOTH = Operator(
    "both",
    (SQUARES, SQUARES),
    evaluate=lambda rows, one, other: one & other,
    noun=lambda say, one, other: say.conjunction([(one, True), (other, True)]),
    rules=lambda asp, head, one, other: f"{head('S')} :- {one('S')}, {other('S')}.",
)
WITHOUT = Operator(
    "without",
    (SQUARES, SQUARES),
    evaluate=lambda rows, one, other: rows.less(one, other),
    noun=lambda say, one, other: say.conjunction([(one, True), (other, False)]),
    rules=lambda asp, head, one, other: (
        f"{head('S')} :- {one('S')}{asp.bound(head, one)}, not {other('S')}."
    ),
)
EITHER = Operator(
    "either",
    (SQUARES, SQUARES),
    evaluate=lambda rows, one, other: one | other,
    noun=lambda say, one, other: f"{say.noun(one)} or {say.noun(other)}",
    rules=lambda asp, head, one, other: (
        f"{head('S')} :- {one('S')}{asp.bound(head, one)}.\n"
        f"{head('S')} :- {other('S')}{asp.bound(head, other)}."
    ),
)
OPERATORS = (NEAR, GROUP, BOTH, WITHOUT, EITHER)
