"""The operators, a module for each kind; `OPERATORS` has them by name.

A module offers its operators in a list `OPERATORS`; a further operator is a further entry there.
"""

from __future__ import annotations

from collections.abc import Mapping

from grl.logic.ops import lines, places, sets
from grl.logic.terms import Operator

OPERATORS: Mapping[str, Operator] = {
    operator.name: operator for module in (places, sets, lines) for operator in module.OPERATORS
}
