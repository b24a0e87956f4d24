"""What lies on a square, given what lies on another one: tables of contents.

A table has pairs of contents. It says which pieces are stronger than others, say, or what may stand
beside what; which pairs it has is found from records (`grl.rules.search.tables`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from grl.logic.asp import Atom, Writer
from grl.logic.code import Body, Value
from grl.logic.english import Speech
from grl.logic.relations import union
from grl.logic.rows import Rows, Values
from grl.logic.terms import Operator, Sort, Table, Term


def _grouped(table: Table) -> Iterator[tuple[list[str], list[str]]]:
    """Contents with the contents that go with each of them: those alike in this are together."""
    others: dict[str, list[str]] = {}
    for one, other in table:
        others.setdefault(one, []).append(other)
    alike: dict[tuple[str, ...], list[str]] = {}
    for one, found in others.items():
        alike.setdefault(tuple(found), []).append(one)
    yield from ((ones, list(found)) for found, ones in alike.items())


def _matched(rows: Rows, table: Table, squares: Values) -> Values:
    def holding(contents: Sequence[str]) -> Values:
        parts = [rows.of_boards(rows.holding(content)) for content in contents]
        return np.asarray(np.any(parts, axis=0), dtype=np.bool_)

    found = np.zeros((1, 1, rows.grid.size), dtype=np.bool_)
    for ones, others in _grouped(table):
        given = (squares & holding(ones)).any(axis=2, keepdims=True)
        found = found | (given & holding(others))
    return found


def _said(say: Speech, table: Table, squares: Term) -> str:
    where = say.noun(squares)
    there = "holds" if squares.point else "have"
    cases = [
        f"{say.any_of(others)} where {where} {there} {say.any_of(ones)}"
        for ones, others in _grouped(table)
    ]
    return "; or ".join(cases)


def _clause(say: Speech, table: Table, squares: Term) -> tuple[str, str]:
    words = _said(say, table, squares)
    return f"with {words}", f"without {words}"


def _states(say: Speech, table: Table, squares: Term) -> tuple[str, str]:
    words = _said(say, table, squares)
    return f"holds {words}", f"does not hold {words}"


def _rules(asp: Writer, head: Atom, table: Table, squares: Atom) -> str:
    lines = []
    key = f"{head.row},D" if head.directed else head.row
    for number, (ones, others) in enumerate(_grouped(table), 1):
        given = f"{head.name}_given_{number}({key})"
        lines += [f"{given} :- {squares('S')}, {asp.world.holds('S', one)}." for one in ones]
        lines += [f"{head('S')} :- {given}, {asp.world.holds('S', other)}." for other in others]
    return "\n".join(lines)


def _code(c: Body, table: Table, squares: Value) -> str:
    def holding(contents: Sequence[str]) -> str:
        return union([c.holding(content) for content in contents])

    return union(
        [
            f"(set_any(set_and({squares}, {holding(ones)})) ? {holding(others)} : NO_SQUARE)"
            for ones, others in _grouped(table)
        ]
    )


MATCHED = Operator(
    "matched",
    (Sort.TABLE, Sort.SQUARES),
    evaluate=_matched,
    clause=_clause,
    states=_states,
    rules=_rules,
    code=_code,
)
OPERATORS = (MATCHED,)
