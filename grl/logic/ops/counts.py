"""Sets by what contents count, where that is sown, and sets that depend on others."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from grl.errors import ModelError, NotCompiled
from grl.logic.code import Body
from grl.logic.english import Speech
from grl.logic.grid import Indices
from grl.logic.rows import Rows, Values
from grl.logic.terms import Operator, Sort, Term, make


def no_rules(*_: object) -> NoReturn:
    """Raises `ModelError`."""
    raise ModelError(
        "what contents count, and where it is sown, can't be written as a logic program",
        expected="a model without numbers",
        hint="grl rules prints what the model says",
    )


def no_code(*_: object) -> NoReturn:
    """Raises `NotCompiled`."""
    raise NotCompiled("what contents count is left to Python")


def _worth(rows: Rows, relation: str, number: int) -> Values:
    counted = rows.worth
    found = counted == number if relation == "=" else counted < number
    return np.asarray(found & (counted >= 0), dtype=np.bool_)


def _worth_words(relation: str, number: int) -> tuple[str, str]:
    if relation == "=":
        return f"hold {number}", f"do not hold {number}"
    return f"hold less than {number}", f"hold {number} or more"


def _worth_clause(say: Speech, relation: str, number: int) -> tuple[str, str]:  # noqa: ARG001
    having, lacking = _worth_words(relation, number)
    return f"that {having}", f"that {lacking}"


def _worth_states(say: Speech, relation: str, number: int) -> tuple[str, str]:  # noqa: ARG001
    having, lacking = _worth_words(relation, number)
    return having.replace("hold", "holds", 1), lacking.replace("do not", "does not").replace(
        "hold", "holds", lacking.startswith("hold")
    )


WORTH = Operator(
    "worth",
    (Sort.RELATION, Sort.NUMBER),
    evaluate=_worth,
    clause=_worth_clause,
    states=_worth_states,
    rules=no_rules,
    code=no_code,
    price=1.5,
    counts=True,
)


def _multiple(rows: Rows, number: int) -> Values:
    """Squares that count something, and a multiple; of a number below one there is none."""
    found = (rows.worth > 0) & (number > 0) & (rows.worth % max(number, 1) == 0)
    return np.asarray(found, dtype=np.bool_)


MULTIPLE = Operator(
    "multiple",
    (Sort.NUMBER,),
    evaluate=_multiple,
    clause=lambda say, number: (
        f"that hold a multiple of {number}",
        f"that do not hold a multiple of {number}",
    ),
    states=lambda say, number: (
        f"holds a multiple of {number}",
        f"does not hold a multiple of {number}",
    ),
    rules=no_rules,
    code=no_code,
    price=1.5,
    counts=True,
)


def _field_noun(say: Speech, kind: str, seat: int) -> str:
    squares = "home squares" if kind == "home" else "the store"
    return f"{squares} of {say.seat(seat)}"


def _field_clause(say: Speech, kind: str, seat: int) -> tuple[str, str]:
    where = f"{'on' if kind == 'home' else 'in'} {_field_noun(say, kind, seat)}"
    return where, f"not {where}"


def _field_states(say: Speech, kind: str, seat: int) -> tuple[str, str]:
    square = "a home square" if kind == "home" else "the store"
    square = f"{square} of {say.seat(seat)}"
    return f"is {square}", f"is not {square}"


FIELD = Operator(
    "field",
    (Sort.FIELD, Sort.SEAT),
    evaluate=lambda rows, kind, seat: rows.field(kind, seat),
    noun=_field_noun,
    clause=_field_clause,
    states=_field_states,
    rules=no_rules,
    code=no_code,
    counts=True,
)


def _sown(rows: Rows) -> Indices:
    return rows.fallen()[1]


SOWN = Operator(
    "sown",
    (),
    evaluate=_sown,
    point=_sown,
    noun=lambda say: "the square where sowing ends",
    rules=no_rules,
    code=no_code,
    of_turn=True,
    counts=True,
)


def _way_up_noun(say: Speech, squares: Term, within: Term) -> str:
    return (
        f"{say.noun(within)}, in an unbroken row up to {say.noun(squares)} on the way of "
        f"{say.seat(0)}"
    )


WAY_UP = Operator(
    "way_up",
    (Sort.SQUARES, Sort.SQUARES),
    evaluate=lambda rows, squares, within: rows.closed(squares, within, rows.before_on_way),
    noun=_way_up_noun,
    rules=no_rules,
    code=no_code,
    counts=True,
)


def _given(rows: Rows, squares: Values) -> Values:
    found = np.zeros(squares.shape, dtype=np.bool_)
    inside = list(rows.grid.geometry.board.squares)
    found[:, :, inside] = squares.any(axis=2, keepdims=True)
    return found


def _given_clause(say: Speech, squares: Term) -> tuple[str, str]:
    some, none = say.some(squares)
    return f"if {some}", f"if {none}"


def _given_code(c: Body, squares: str) -> str:
    everything = c.code.constant(c.code.grid.geometry.board.squares)
    return f"(set_any({squares}) ? {everything} : NO_SQUARE)"


GIVEN = Operator(
    "given",
    (Sort.SQUARES,),
    evaluate=_given,
    clause=_given_clause,
    rules=lambda asp, head, squares: f"{head('S')} :- {squares('T')}, square(S,_,_).",
    code=_given_code,
    price=0.5,
)

OPERATORS = (WORTH, MULTIPLE, FIELD, SOWN, WAY_UP, GIVEN)

sown = make(SOWN)
