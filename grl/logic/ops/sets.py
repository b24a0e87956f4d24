"""Sets made of sets: together, apart, around, joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grl.logic.asp import Atom, Writer
from grl.logic.code import Body, Value
from grl.logic.contents import NOTHING
from grl.logic.english import ADJACENT, Speech, counted, line_with
from grl.logic.rows import Rows, Values
from grl.logic.terms import Operator, Sort, Term, make

SQUARES, NEARNESS = Sort.SQUARES, Sort.NEARNESS


def _near_clause(say: Speech, nearness: str, squares: Term) -> tuple[str, str]:
    words = f"adjacent {ADJACENT[nearness]} to {say.noun(squares)}"
    return words, f"not {words}"


NEAR = Operator(
    "near",
    (NEARNESS, SQUARES),
    evaluate=lambda rows, nearness, squares: rows.near(nearness, squares),
    clause=_near_clause,
    rules=lambda asp, head, nearness, squares: (
        f"{head('T')} :- {squares('S')}, {asp.world.near(nearness)}(S,T)."
    ),
    code=lambda c, nearness, squares: f"{c.code.image(c.code.near_pairs(nearness))}({squares})",
)


def _crowd(rows: Rows, nearness: str, number: int, squares: Values) -> Values:
    tables = rows.grid.neighbours[nearness]
    counts = np.zeros(squares.shape, dtype=np.int16)
    for table in tables:
        counts = counts + rows.gathered(squares, [table])
    return np.asarray(counts >= max(number, 1), dtype=np.bool_)


def _crowd_clause(say: Speech, nearness: str, number: int, squares: Term) -> tuple[str, str]:
    words = f"adjacent {ADJACENT[nearness]} to {counted(number)} or more {say.noun(squares)}"
    return words, f"not {words}"


def _crowd_rules(asp: Writer, head: Atom, nearness: str, number: int, squares: Atom) -> str:
    key = f"{head.row},D,T" if head.directed else f"{head.row},T"
    name, given = head.name, asp.world.given(head.row)
    given += f", {asp.directions()}(D)" if head.directed else ""
    total = asp.world.tally(f"{name}_number", key, f"{name}_at({key})", f"{name}_in({key},S)")
    return f"""{name}_at({key}) :- {given}, square(T,_,_).
{name}_in({key},S) :- {name}_at({key}), {squares("S")}, {asp.world.near(nearness)}(S,T).
{head("T")} :- {total}({key},N), {max(number, 1) - 1} < N."""


CROWD = Operator(
    "crowd",
    (NEARNESS, Sort.NUMBER, SQUARES),
    evaluate=_crowd,
    clause=_crowd_clause,
    rules=_crowd_rules,
    code=lambda c, nearness, number, squares: (
        f"{c.code.crowd(c.code.near_pairs(nearness), max(number, 1))}({squares})"
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
    code=lambda c, nearness, seeds, within: (
        f"{c.code.group(c.code.near_pairs(nearness))}({seeds}, {within})"
    ),
)


def _area(rows: Rows, nearness: str, squares: Values) -> Values:
    onward: Callable[[Values], Values] = lambda fresh: rows.near(nearness, fresh)  # noqa: E731
    empty = rows.of_boards(rows.holding(NOTHING))
    holes = np.zeros(rows.grid.size, dtype=np.bool_)
    holes[list(rows.grid.geometry.board.holes)] = True
    reached, spoiled = (
        rows.closed(rows.near(nearness, beside), empty, onward)
        for beside in (squares, ~(squares | empty | holes))
    )
    return squares | (reached & ~spoiled)


def _area_rules(asp: Writer, head: Atom, nearness: str, squares: Atom) -> str:
    name, near = head.name, asp.world.near(nearness)
    reaches, spoilt = (replace(head, name=f"{name}_{word}") for word in ("reaches", "spoilt"))
    given = asp.world.given(head.row) + (f", {asp.directions()}(D)" if head.directed else "")
    empty = asp.world.holds("T", NOTHING)
    others = f"{given}, square(S,_,_), not {squares('S')}, not {asp.world.holds('S', NOTHING)}"
    return f"""{head("S")} :- {squares("S")}{asp.bound(head, squares)}.
{reaches("T")} :- {head("S")}, {near}(S,T), {empty}, not {spoilt("T")}.
{spoilt("T")} :- {others}, {near}(S,T), {empty}.
{spoilt("T")} :- {spoilt("S")}, {near}(S,T), {empty}.
{head("T")} :- {reaches("T")}."""


def _area_code(c: Body, nearness: str, squares: Value) -> str:
    group = c.code.group(c.code.near_pairs(nearness))
    board = c.code.constant(c.code.grid.geometry.board.squares)
    others = f"set_less(set_less({board}, {squares}), g->empty)"
    reached, spoiled = (f"{group}({each}, set_or({each}, g->empty))" for each in (squares, others))
    return f"set_or({squares}, set_less(set_and({reached}, g->empty), {spoiled}))"


AREA = Operator(
    "area",
    (NEARNESS, SQUARES),
    evaluate=_area,
    noun=lambda say, nearness, squares: (
        f"{say.noun(squares)} and empty squares that they alone enclose"
    ),
    rules=_area_rules,
    code=_area_code,
)

BOTH = Operator(
    "both",
    (SQUARES, SQUARES),
    evaluate=lambda rows, one, other: one & other,
    noun=lambda say, one, other: say.conjunction([(one, True), (other, True)]),
    rules=lambda asp, head, one, other: f"{head('S')} :- {one('S')}, {other('S')}.",
    code=lambda c, one, other: f"set_and({one}, {other})",
    some=lambda c, one, other: c.meeting(one, other),
)
WITHOUT = Operator(
    "without",
    (SQUARES, SQUARES),
    evaluate=lambda rows, one, other: rows.less(one, other),
    noun=lambda say, one, other: say.conjunction([(one, True), (other, False)]),
    rules=lambda asp, head, one, other: (
        f"{head('S')} :- {one('S')}{asp.bound(head, one)}, not {other('S')}."
    ),
    code=lambda c, one, other: f"set_less({one}, {other})",
)


def _either_clause(say: Speech, one: Term, other: Term) -> tuple[str, str]:
    if _on_both_sides(one, other):
        where = _away(say, one.arguments)
        return where, f"not {where}"
    if any(term.operator.clause is None or term.operator.states for term in (one, other)):
        noun = f"{say.noun(one)} or {say.noun(other)}"
        return f"among the {noun}", f"not among the {noun}"
    first, second = say.clauses(one)[0], say.clauses(other)[0]
    return f"{first} or {second}", f"neither {first} nor {second}"


def _either_noun(say: Speech, one: Term, other: Term) -> str:
    if _on_both_sides(one, other):
        return f"squares {_away(say, one.arguments)}"
    return f"{say.noun(one)} or {say.noun(other)}"


EITHER = Operator(
    "either",
    (SQUARES, SQUARES),
    evaluate=lambda rows, one, other: one | other,
    noun=_either_noun,
    clause=_either_clause,
    rules=lambda asp, head, one, other: (
        f"{head('S')} :- {one('S')}{asp.bound(head, one)}.\n"
        f"{head('S')} :- {other('S')}{asp.bound(head, other)}."
    ),
    code=lambda c, one, other: f"set_or({one}, {other})",
)


SIDES = {"board": ("above", "below"), "seen": ("ahead of", "behind")}


def _away(say: Speech, shift: Sequence[Any]) -> str:
    """How far from others squares are, on either side of them."""
    view, dx, dy, squares = shift
    origin, (up, down) = say.noun(squares), SIDES[view]
    files = f"{counted(abs(dx))} file{'' if abs(dx) == 1 else 's'} aside"
    if not dy:
        return f"{files} from {origin}"
    ranks = f"{counted(abs(dy))} rank{'' if abs(dy) == 1 else 's'} {up if dy > 0 else down}"
    return f"{files} and {ranks} {origin}" if dx else f"{ranks} {origin}"


def _on_both_sides(one: Term, other: Term) -> bool:
    """Whether two sets are as far from a third, to the right and to the left."""
    if one.operator is not SHIFT or other.operator is not SHIFT:
        return False
    (view, right, *rest), (also, left, *others) = one.data[1:], other.data[1:]
    return bool(view == also and right == -left and rest == others)


def aside(view: str, dx: int, dy: int, squares: Term) -> Term:
    """The squares so many files to the right or the left of others, and so many ranks ahead."""
    one = make(SHIFT, view, dx, dy, squares)
    return make(EITHER, one, make(SHIFT, view, -dx, dy, squares)) if dx else one


def _shift_noun(say: Speech, view: str, dx: int, dy: int, squares: Term) -> str:
    origin = say.noun(squares)
    things = "the square" if squares.point else "squares"
    if not dx and abs(dy) == 1:
        return f"{things} {SIDES[view][dy < 0]} {origin}"
    if not dx and dy:
        return f"{things} {_away(say, (view, dx, dy, squares))}"
    if view == "board" and not dy and abs(dx) == 1:
        return f"{things} {'right' if dx > 0 else 'left'} of {origin}"
    seen = f" as {say.seat(0)} sees it" if view == "seen" else ""
    return f"{things} ({dx}, {dy}) from {origin}{seen}"


SHIFT = Operator(
    "shift",
    (Sort.VIEW, Sort.NUMBER, Sort.NUMBER, SQUARES),
    evaluate=lambda rows, view, dx, dy, squares: rows.image(
        squares, lambda player: rows.grid.leading(player, view, dx, dy)
    ),
    point=lambda rows, view, dx, dy, at: rows.shifted(view, dx, dy, at),
    noun=_shift_noun,
    rules=lambda asp, head, view, dx, dy, squares: (
        f"{head('T')} :- {squares('S')}, {asp.world.shifted(view, dx, dy)}."
    ),
    code=lambda c, view, dx, dy, squares: c.shifted(view, dx, dy, squares),
)


def _aligned_clause(say: Speech, scale: str, relation: str, squares: Term) -> tuple[str, str]:
    words = line_with(scale, relation, say.noun(squares))
    return words, f"not {words}"


ALIGNED = Operator(
    "aligned",
    (Sort.SCALE, Sort.RELATION, SQUARES),
    evaluate=lambda rows, scale, relation, squares: rows.image(
        squares, lambda player: rows.grid.aligned(player, scale, relation)
    ),
    clause=_aligned_clause,
    rules=lambda asp, head, scale, relation, squares: (
        f"{head('T')} :- {squares('S')}, {asp.world.numbered(0, 'S', scale, 'N')}, "
        + (
            f"{asp.world.numbered(0, 'T', scale, 'N')}."
            if relation == "="
            else f"{asp.world.numbered(0, 'T', scale, 'K')}, K < N."
        )
    ),
    code=lambda c, scale, relation, squares: c.aligned(scale, relation, squares),
    seen=True,
)


def _side_clause(say: Speech, side: str, squares: Term) -> tuple[str, str]:
    of = " of" if side in ("left", "right") else ""
    words = f"anywhere {side}{of} {say.noun(squares)}"
    return words, f"not {words}"


def _side_rules(asp: Writer, head: Atom, side: str, squares: Atom) -> str:
    world, across = asp.world, side in ("left", "right")
    one, other = ("X", "A") if across else ("Y", "B")
    sign = "<" if side in ("right", "above") else ">"
    return (
        f"{head('T')} :- {squares('S')}, {world.cell('S', 'X', 'Y')}, "
        f"{world.cell('T', 'A', 'B')}, {one} {sign} {other}."
    )


SIDE = Operator(
    "side",
    (Sort.SIDE, SQUARES),
    evaluate=lambda rows, side, squares: rows.image(squares, lambda _: rows.grid.farther(side)),
    clause=_side_clause,
    rules=_side_rules,
    code=lambda c, side, squares: c.farther(side, squares),
)
"""Half of the board: what lies farther to a side of it than something else, on whichever line."""
OPERATORS = (NEAR, CROWD, GROUP, AREA, BOTH, WITHOUT, EITHER, SHIFT, ALIGNED, SIDE)


def together(*terms: Term) -> Term:
    """The intersection of sets."""
    found = terms[0]
    for term in terms[1:]:
        found = make(BOTH, found, term)
    return found
