"""Squares that turns of a player touch, were it that player's turn on the board as it is.

Which turns those are is a level: 0 are the pseudo-legal ones, 1 those that are left by the
restrictions before the first that asks for such turns (`grl.rules.features.levels`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grl.logic.code import Body, Value
from grl.logic.contents import NOTHING
from grl.logic.english import Speech
from grl.logic.terms import Operator, Sort, Term, make

PRICE = 3.0


def _could(say: Speech, seat: int, level: int, verb: str) -> tuple[str, str]:
    who, how = say.seat(seat), "legally " if level else ""
    return f"{who} could {how}{verb}", f"{who} could not {how}{verb}"


def _clause(verb: str) -> Callable[..., tuple[str, str]]:
    def clause(say: Speech, seat: int, level: int) -> tuple[str, str]:
        could, not_ = _could(say, seat, level, verb)
        return f"that {could}", f"that {not_}"

    return clause


def _does(verb: str, special: Mapping[str, str]) -> Callable[..., tuple[str, str]]:
    """What a player could do to one of a content, or could not; other words for some contents."""

    def does(say: Speech, content: str, seat: int, level: int) -> tuple[str, str]:
        return _could(say, seat, level, special.get(content, verb))

    return does


THREATENED = Operator(
    "threatened",
    (Sort.SEAT, Sort.LEVEL),
    evaluate=lambda rows, seat, level: rows.touched(seat, level, ends=False),
    clause=_clause("change"),
    does=_does("take", {NOTHING: "occupy", "": "change"}),
    price=PRICE,
    rules=lambda asp, head, seat, level: asp.world.touched(head, "threatened", seat, level),
    code=lambda c, seat, level: c.touched("threatened", seat, level),
    asks=True,
)
"""The squares that change in some turn."""


def _reaches(c: Body, wanted: Value | str, seat: int, level: int) -> str | None:
    return None if level else c.touched("reaches", seat, wanted)


REACHABLE = Operator(
    "reachable",
    (Sort.SEAT, Sort.LEVEL),
    evaluate=lambda rows, seat, level: rows.touched(seat, level, ends=True),
    clause=_clause("move onto"),
    does=_does("move onto", {}),
    price=PRICE,
    rules=lambda asp, head, seat, level: asp.world.touched(head, "reachable", seat, level),
    code=lambda c, seat, level: c.touched("reachable", seat, level),
    meets=_reaches,
    asks=True,
)
"""The squares on which some turn's first segment ends."""
OPERATORS = (THREATENED, REACHABLE)


def threatened(seat: int, level: int = 0) -> Term:
    """The squares that turns of the player at a seat would change."""
    return make(THREATENED, seat, level)


def reachable(seat: int, level: int = 0) -> Term:
    """The squares on which first segments of turns of the player at a seat would end."""
    return make(REACHABLE, seat, level)
