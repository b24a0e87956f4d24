"""Features that terms give: whether a set has any square, how many, and of two which has more.

``("some", when, term)``, ``("size", when, term, op, number)`` and ``("sizes", when, term, op,
term)``, with a number behind where the first and so many more are compared; the terms as data
(`grl.logic.terms`). ``sum`` and ``sums`` are the same of what the contents of the squares count
together. Of turns `when` is ``before`` or ``after``, the
mover looking; of positions it is ``now``, the player to move looking.
"""

# Every maker takes the setting, whether its template needs it or not.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from grl.board import Equipment
from grl.errors import ModelError
from grl.logic.grid import Bools
from grl.logic.ops import OPERATORS as TERMS
from grl.logic.ops import known_term
from grl.logic.rows import Rows
from grl.logic.terms import Term, read_term
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting, TurnCase, rows_of
from grl.rules.features.past import OPERATORS, PositionTest

TurnTest = Callable[[TurnCase], bool]
TERM_TEMPLATES: Final = frozenset({"some", "size", "sizes", "sum", "sums"})
SUMS: Final = frozenset({"sum", "sums"})
"""Those that ask for what contents count, not for how many squares there are."""
WHEN: Final = ("now", "before", "after")
CHUNK = 2_000
"""Rows that are evaluated at once."""


def some(when: str, term: Term) -> Feature:
    """The feature: a term denotes some square."""
    return ("some", when, term.data)


def size(when: str, term: Term, relation: str, number: int) -> Feature:
    """The feature: a term denotes so many squares, or fewer."""
    return ("size", when, term.data, relation, number)


def sizes(when: str, term: Term, relation: str, other: Term, more: int = 0) -> Feature:
    """The feature: a term denotes as many squares as another, or fewer; by more than `more`."""
    return ("sizes", when, term.data, relation, other.data, *([more] if more else []))


def total(when: str, term: Term, relation: str, number: int) -> Feature:
    """The feature: what lies on a term's squares counts so many, or fewer."""
    return ("sum", when, term.data, relation, number)


def totals(when: str, term: Term, relation: str, other: Term) -> Feature:
    """The feature: what lies on a term's squares counts as many as on another's, or fewer."""
    return ("sums", when, term.data, relation, other.data)


def term_of(equipment: Equipment, data: Feature, when: str) -> Term:
    """The term that data stand for; raises `ValueError` where there is none that fits `when`."""
    try:
        term = read_term(data, TERMS, equipment)
    except ModelError as error:
        raise ValueError(f"{error.message}: {error.found}") from None
    if term.directed:
        raise ValueError(f"{term} has a direction")
    if term.of_turn and when == "now":
        raise ValueError(f"{term} speaks of a turn")
    return term


def check_term_feature(equipment: Equipment, feature: Feature) -> None:
    """Raises `ValueError` for arguments that these templates don't take."""
    name, when = feature[0], feature[1] if len(feature) > 1 else None
    if when not in WHEN:
        raise ValueError(f"{when!r} is none of {', '.join(WHEN)}")
    if name in SUMS and equipment.sowing is None:
        raise ValueError(f"{name} asks for contents that count")
    expected = {"some": [3]}.get(name, [5, 6] if name in ("sizes", "sums") else [5])
    if len(feature) not in expected:
        raise ValueError(f"{name} takes {' or '.join(str(n - 1) for n in expected)} arguments")
    term_of(equipment, feature[2], when)
    if name != "some" and feature[3] not in OPERATORS:
        raise ValueError(f"{feature[3]!r} is none of {', '.join(OPERATORS)}")
    if name in ("size", "sum") and type(feature[4]) is not int:
        raise ValueError(f"{feature[4]!r} is no number")
    if name in ("sizes", "sums"):
        term_of(equipment, feature[4], when)
        if type(more_of(feature)) is not int or more_of(feature) < 0:
            raise ValueError(f"{feature[5]!r} is no number of squares")


def more_of(feature: Feature) -> int:
    """What ``sizes`` adds to the first size before it is compared."""
    found: int = feature[5] if len(feature) > 5 else 0
    return found


def terms_in(feature: Feature) -> list[Term]:
    """The terms of a feature; none where it isn't one of these templates."""
    if feature[0] not in TERM_TEMPLATES:
        return []
    return [known_term(data) for data in feature[2::2] if isinstance(data, tuple)]


def turn_test(name: str, setting: Setting, when: str, *arguments: Any) -> TurnTest:
    """The evaluator for a turn; raises `ValueError` for a feature of positions."""
    if when == "now":
        raise ValueError("a turn has a board before it and one after it")
    feature: Feature = (name, when, *arguments)
    one, *others = terms_in(feature)
    if name == "some":
        return lambda case: bool(case.turn_list.some(when, one)[case.number])
    compare = OPERATORS[feature[3]]

    def amount(case: TurnCase, term: Term) -> int:
        turns = case.turn_list
        found = turns.total(when, term) if name in SUMS else turns.size(when, term)
        return int(found[case.number])

    if not others:
        return lambda case: compare(amount(case, one), feature[4])
    other, more = others[0], more_of(feature)
    return lambda case: compare(amount(case, one) + more, amount(case, other))


def position_test(name: str, setting: Setting, when: str, *arguments: Any) -> PositionTest:
    """The evaluator for a position; raises `ValueError` for a feature of turns."""
    if when != "now":
        raise ValueError("a position has one board")
    feature: Feature = (name, when, *arguments)
    one, *others = terms_in(feature)
    if name == "some":
        return lambda case: case.size(one) > 0
    compare = OPERATORS[feature[3]]

    def amount(case: PositionCase, term: Term) -> int:
        return case.total(term) if name in SUMS else case.size(term)

    if not others:
        return lambda case: compare(amount(case, one), feature[4])
    other, more = others[0], more_of(feature)
    return lambda case: compare(amount(case, one) + more, amount(case, other))


def turn_columns(setting: Setting, cases: Sequence[TurnCase], features: Sequence[Feature]) -> Bools:
    """Features of these templates on turns of any positions: turns × features."""
    found = np.zeros((len(cases), len(features)), dtype=np.bool_)
    for begin in range(0, len(cases), CHUNK):
        some_cases = cases[begin : begin + CHUNK]
        whens = dict.fromkeys(feature[1] for feature in features)
        rows = {when: rows_of(setting, some_cases, when) for when in whens}
        for column, feature in enumerate(features):
            found[begin : begin + CHUNK, column] = _column(rows[feature[1]], feature)
    return found


def position_columns(
    setting: Setting, cases: Sequence[PositionCase], features: Sequence[Feature]
) -> Bools:
    """Features of these templates on positions: positions × features."""
    found = np.zeros((len(cases), len(features)), dtype=np.bool_)
    for begin in range(0, len(cases), CHUNK):
        grounds = [case.ground() for case in cases[begin : begin + CHUNK]]
        rows = Rows(setting.equipment, setting.grid, grounds)
        for column, feature in enumerate(features):
            found[begin : begin + CHUNK, column] = _column(rows, feature)
    return found


def _column(rows: Rows, feature: Feature) -> NDArray[np.bool_]:
    one, *others = terms_in(feature)
    if feature[0] == "some":
        return rows.some(one)
    measure = rows.total if feature[0] in SUMS else rows.size
    amount = measure(others[0]) - more_of(feature) if others else feature[4]
    return measure(one) == amount if feature[3] == "=" else measure(one) < amount
