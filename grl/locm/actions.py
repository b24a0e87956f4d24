"""Micro-moves as planning actions: the templates of the GRL paper, section 3.3.

========================================  ==================================================
paper                                     here (``T`` is a piece type)
========================================  ==================================================
appearX(square)                           ``appear_T(square)``
removeX(square)                           ``remove_T(square)``, T is what is removed
moveX(from, to)                           ``move_T(from, to)``
moveOverX(from, via, to)                  ``move_over_T(from, via, to)``
moveAndRemoveX(from, to)                  ``move_and_remove_T(from, to)``, T is what moves
(not in the paper: reserves)              ``keep(square)``
========================================  ==================================================

What joins the hand follows from what was taken, of which a plan says nothing, so it has no type.
An action may span two letters: what a step onto a piece is only shows by what follows. `advance`
is therefore a transducer, used letter by letter both to write plans and to generate moves.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from grl.board import EMPTY, Equipment, Square
from grl.turn import Letter

KEEP = "keep"
"""The action by which what was taken joins the hand."""


class Action(NamedTuple):
    """An action of a plan; its arguments are squares."""

    name: str
    args: tuple[Square, ...]


class Pending(NamedTuple):
    """A step onto a piece whose action is not known yet."""

    held: str
    source: Square
    target: Square


def type_name(equipment: Equipment, piece: str) -> str:
    """The type of `piece` as part of an action's name; an empty hand is ``hand``."""
    if not piece or piece == EMPTY:
        return "hand"
    return _plain(equipment.pieces[piece].type)


@cache
def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "piece"


def advance(
    equipment: Equipment,
    pending: Pending | None,
    letter: Letter,
    held: str,
    source: Square,
    target: Square,
    under: str,
) -> tuple[tuple[Action, ...], Pending | None]:
    """The actions that `letter` completes, and the step that is pending after it.

    The hand with `held` goes from `source` to `target` (the same square unless it steps or
    flies), where `under` lies before the letter takes effect.
    """
    if letter.removes:
        if pending is not None:
            name = f"move_and_remove_{type_name(equipment, pending.held)}"
            return (Action(name, (pending.source, pending.target)),), None
        return (Action(f"remove_{type_name(equipment, under)}", (target,)),), None
    if letter.appears or letter.reserves:
        name = f"appear_{type_name(equipment, letter.piece)}" if letter.appears else KEEP
        return (*flush(equipment, pending), Action(name, (target,))), None
    if letter.onto_piece:
        return flush(equipment, pending), Pending(held, source, target)
    if pending is not None:
        name = f"move_over_{type_name(equipment, held)}"
        return (Action(name, (pending.source, pending.target, target)),), None
    return (Action(f"move_{type_name(equipment, held)}", (source, target)),), None


def flush(equipment: Equipment, pending: Pending | None) -> tuple[Action, ...]:
    """The action of a step that nothing explained further: a plain move."""
    if pending is None:
        return ()
    name = f"move_{type_name(equipment, pending.held)}"
    return (Action(name, (pending.source, pending.target)),)
