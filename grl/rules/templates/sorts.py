"""The sorts of arguments that templates take: the values, and what these say of other players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from grl.errors import ModelError
from grl.logic.contents import content_turned, held_contents, is_content
from grl.logic.ops import OPERATORS as TERMS
from grl.logic.terms import RELATIONS, ROLES, read_term
from grl.rules.features.cases import Setting
from grl.rules.features.terms import IN_HAND, POINTS, said_of, summands


def _same(value: Any, by: int, seats: int) -> Any:
    return value


@dataclass(frozen=True, eq=False)
class Sort:
    """What stands in an argument's place: its name in errors, and which values there are.

    `turned` gives what says of the player so many seats later what a value says of the mover; None
    where there is none.
    """

    name: str
    allows: Callable[[Setting, Any], bool]
    turned: Callable[[Any, int, int], Any] = _same
    words: tuple[str, ...] = ()
    """The values, where they are words that are the same in every game."""


def words(name: str, *allowed: str) -> Sort:
    """The sort of some words."""
    return Sort(name, lambda _, value: isinstance(value, str) and value in allowed, words=allowed)


def _inner(setting: Setting, value: Any) -> bool:
    """Whether a value may be a feature; which, is asked where all templates are known."""
    return isinstance(value, tuple) and bool(value)


POSITION: Final = Sort("feature of positions", _inner)
TURN: Final = Sort("feature of turns", _inner)
"""One of turns, relations between them included."""
PLAIN: Final = Sort("feature of turns that is no relation", _inner)


# Contents, as `grl.logic.contents` names them ----------------------------------------------------


def _content(setting: Setting, value: Any) -> bool:
    return isinstance(value, str) and is_content(setting.equipment, value)


def _held(setting: Setting, value: Any) -> bool:
    return _content(setting, value) or value in held_contents(setting.equipment)


def _pairs(setting: Setting, value: Any) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(pair, tuple) and len(pair) == 2 and all(_content(setting, x) for x in pair)
        for pair in value
    )


def _number(setting: Setting, value: Any) -> bool:
    return type(value) is int


CONTENT: Final = Sort("content", _content, content_turned)
PAIRS: Final = Sort("pairs of contents", _pairs)

# Numbers, players and words ----------------------------------------------------------------------

NUMBER: Final = Sort("number", _number)
MORE: Final = Sort("number of squares more", lambda _, value: type(value) is int and value >= 0)
SEAT: Final = Sort(
    "seat",
    lambda setting, value: type(value) is int and 0 <= value < len(setting.equipment.players),
    lambda value, by, seats: (value + by) % seats,
)
COUNT: Final = Sort("number from 1", lambda _, value: type(value) is int and value > 0)
PLAYER: Final = Sort("player", lambda setting, value: value in setting.equipment.players)
ROLE: Final = words("role", *ROLES)
COMPARISON: Final = words("comparison", *RELATIONS)

# Terms -------------------------------------------------------------------------------------------


def _term(of_turn: bool, *, directed: bool = False) -> Callable[[Setting, Any], bool]:
    def allows(setting: Setting, value: Any) -> bool:
        try:
            term = read_term(value, TERMS, setting.equipment)
        except ModelError as error:
            raise ValueError(f"{error.message}: {error.found}") from None
        if term.directed and not directed:
            raise ValueError(f"{term} has a direction")
        if term.of_turn and not of_turn:
            raise ValueError(f"{term} speaks of a turn")
        return True

    return allows


def counted(term: Sort) -> Sort:
    """The same, where contents count (`grl.sowing`)."""

    def allows(setting: Setting, value: Any) -> bool:
        if setting.equipment.sowing is None:
            raise ValueError("there are no contents that count")
        return term.allows(setting, value)

    return replace(term, allows=allows)


def _amount(setting: Setting, value: Any) -> bool:
    if isinstance(value, tuple) and value and value[0] in IN_HAND:
        return len(value) == 2 and _held(setting, value[1])
    if isinstance(value, tuple) and value and value[0] == POINTS:
        return len(value) > 2 and all(
            type(each) is int and each > 0 and what[0] != POINTS and _amount(setting, what)
            for each, what in summands(value)
        )
    return BOARD_SQUARES.allows(setting, value)


BOARD_TERM: Final = Sort("term", _term(of_turn=False), said_of)
TURN_TERM: Final = Sort("term", _term(of_turn=True), said_of)
BOARD_SQUARES: Final = Sort("term", _term(of_turn=False, directed=True), said_of)
TURN_SQUARES: Final = Sort("term", _term(of_turn=True, directed=True), said_of)
"""What has a number: a term, that of all directions together where it is directed,"""
AMOUNT: Final = Sort("term, or hand", _amount, said_of)
"""or in a position pieces in hand."""
