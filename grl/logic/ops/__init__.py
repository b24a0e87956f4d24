"""The operators, a module for each kind; `OPERATORS` has them by name.

A module offers its operators in a list `OPERATORS`; a further operator is a further entry there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from grl.logic.ops import counts, groups, lines, places, sets, shapes, tables, turns
from grl.logic.terms import Operator, Sort, Term, make

OPERATORS: Mapping[str, Operator] = {
    operator.name: operator
    for module in (places, sets, groups, shapes, lines, tables, counts, turns)
    for operator in module.OPERATORS
}


@lru_cache(maxsize=1 << 16)
def known_term(data: tuple[Any, ...]) -> Term:
    """The term that data stand for which `read_term` has seen, or a term itself has given."""
    name, *rest = data
    operator = OPERATORS[name]
    parts = zip(operator.takes, rest, strict=True)
    return make(operator, *(known_term(a) if sort is Sort.SQUARES else a for sort, a in parts))
