"""What becomes of squares: a term for them, a word, and the piece that the word stands for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial, reduce
from typing import NamedTuple

from grl.board import EMPTY, Equipment, Player
from grl.errors import ModelError
from grl.logic.contents import NOTHING, contents_of, finest_contents, keys_of, owner_of
from grl.logic.ops import OPERATORS
from grl.logic.ops.places import LIES
from grl.logic.ops.sets import BOTH, EITHER, WITHOUT
from grl.logic.terms import Term, make, read_term
from grl.turn import REMOVE_LETTER, Letter

REMOVED = "removed"
SAME = "same"
"""The mover's piece of the type that lies there."""
PUSHED = "pushed"
"""The piece on which the first segment lands."""
SOWN = "sown"
"""One more on each square of the mover's way, for each that the turn takes up."""
MOVED = "moved"
"""Nothing: what lay there counts on another square."""
KEPT = "kept"
"""Nothing: the piece that lies there joins the mover's reserve."""
WON = "won"
"""Nothing: the mover's piece of the type that lies there joins the mover's reserve, or with
``won:`` and a type, one of that type, whatever lay there."""

_OF_PIECES = (REMOVED, KEPT, SAME, WON)
"""Nothing becomes of empty squares."""


class Change(NamedTuple):
    """What a square holds afterwards, and which piece joins the mover's reserve, if any."""

    content: str
    kept: str = ""

    @property
    def letters(self) -> tuple[Letter, ...]:
        """What makes it so, as a segment from the square."""
        if self.content != EMPTY:
            return (Letter(0, 0, "a", self.content),)
        if self.kept:
            return (REMOVE_LETTER, Letter(0, 0, "r", self.kept))
        return (REMOVE_LETTER,)


def outcomes(equipment: Equipment) -> list[str]:
    """All words: ``removed``, ``same``, ``pushed``, ``kept``, ``won`` alone or with a type, or an
    owner with a type that it has."""
    mover = equipment.players[0]
    won = {f"{WON}:{piece.type}" for piece in equipment.pieces.values() if piece.player}
    found = {
        f"{owner_of(piece.player, player)}:{piece.type}"
        for player in (mover, *equipment.players[1:])
        for piece in equipment.pieces.values()
    }
    if len(equipment.players) != 2:
        found = {word for word in found if not word.startswith("opposing:")}
    return [REMOVED, SAME, PUSHED, KEPT, WON, *sorted(won), *sorted(found)]


def change_of(
    equipment: Equipment, becomes: str, mover: Player, key: str, landed: str = EMPTY
) -> Change | None:
    """What `becomes` says of a square that holds `key` when a turn has `landed` on that.

    None where the owner has no such piece, and where nothing is pushed on.
    """
    if becomes == PUSHED:
        return None if landed == EMPTY else Change(landed)
    word, _, kind = becomes.partition(":")
    if word in _OF_PIECES:
        if key == EMPTY:
            return None
        if word in (REMOVED, KEPT):
            return Change(EMPTY, key if word == KEPT else "")
        kind = kind or equipment.pieces[key].type
    owner = "own" if word in _OF_PIECES else word
    for other, piece in sorted(equipment.pieces.items()):
        if piece.type == kind and owner_of(piece.player, mover) == owner:
            return Change(EMPTY, other) if word == WON else Change(other)
    return None


def is_kept(becomes: str) -> bool:
    """Whether what lies on a square joins the mover's reserve, as it is or as another piece."""
    return becomes.partition(":")[0] in (KEPT, WON)


def effect_term(
    where: object, becomes: str, equipment: Equipment, field: str, part: str = "where"
) -> Term:
    """The term for the squares of which something becomes, or for another `part` of the effect.

    Raises `ModelError`, with the `field` of the effect, where there is no such term or word.
    """
    try:
        term = read_term(where, OPERATORS, equipment)
    except ModelError as error:
        raise ModelError(
            f"field {field}.{part} is wrong: {error.message}",
            found=error.found,
            expected=error.expected,
        ) from None
    if term.directed:
        raise ModelError(
            f"field {field}.{part} is wrong",
            found=str(term)[:80],
            expected="a term without a direction",
        )
    for each in term.terms():
        if each.operator.of_past or each.operator.asks or each.seen:
            raise ModelError(
                f"field {field}.{part} is wrong",
                found=str(each)[:80],
                expected="a term that asks for no turns, nor for how a player sees the board",
            )
    words = outcomes(equipment) if equipment.sowing is None else [REMOVED, SOWN, MOVED]
    if becomes not in words:
        raise ModelError(
            f"field {field}.becomes is wrong",
            found=repr(becomes)[:80],
            expected=f"one of {', '.join(words)}",
        )
    return term


def once(term: Term, effects: Mapping[str, Term], equipment: Equipment) -> Term | None:
    """A term that says of a board what `term` says of it once `effects` have changed it.

    They are given by what becomes of which squares, no square of two. `term` is one of those that
    `grl.logic.search` makes, in which ``lies`` alone looks at what lies on the board. None for
    words that don't say what it becomes, and where the term is too large.
    """
    if PUSHED in effects:
        return None
    known: dict[Term, Term] = {}
    try:
        for each in term.terms():
            if each.operator is LIES:
                known[each] = _lies_once(each, effects, equipment)
            else:
                parts = (known[a] if isinstance(a, Term) else a for a in each.arguments)
                known[each] = make(each.operator, *parts)
        return read_term(known[term].data, OPERATORS, equipment)
    except ModelError:
        return None


def said_once(term: Term, effects: Mapping[str, Term], equipment: Equipment) -> Term | None:
    """The term of which `once` makes this one, if any, and it isn't the same."""
    meant = {
        _lies_once(make(LIES, content), effects, equipment): content
        for content in contents_of(equipment)
    }

    def undone(part: Term) -> Term:
        if part in meant:
            return make(LIES, meant[part])
        inner = (undone(a) if isinstance(a, Term) else a for a in part.arguments)
        return make(part.operator, *inner)

    found = undone(term)
    return found if found is not term and once(found, effects, equipment) is term else None


def _lies_once(lies: Term, effects: Mapping[str, Term], equipment: Equipment) -> Term:
    """The squares that hold a content once effects have changed the board."""
    content = str(lies.arguments[0])
    found = lies
    for becomes, squares in effects.items():
        before = {
            each: _turns_into(each, becomes, content, equipment)
            for each in finest_contents(equipment)
            if becomes.partition(":")[0] not in _OF_PIECES or each != NOTHING
        }
        if all(before.values()):
            found = make(EITHER, found, squares)
            continue
        found = make(WITHOUT, found, squares)
        turning = [make(LIES, each) for each, turns in before.items() if turns]
        if turning:
            union = reduce(partial(make, EITHER), turning)
            found = make(EITHER, found, make(BOTH, union, squares))
    return found


def _turns_into(before: str, becomes: str, after: str, equipment: Equipment) -> bool:
    """Whether a content holds another one once something has become of it."""
    return any(
        change.content in keys_of(equipment, mover, after)
        for mover in equipment.players
        for key in keys_of(equipment, mover, before)
        if (change := change_of(equipment, becomes, mover, key)) is not None
    )
