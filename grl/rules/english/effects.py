"""Effects as English sentences."""

from __future__ import annotations

from collections.abc import Sequence

from grl.board import Equipment
from grl.logic.changes import KEPT, MOVED, PUSHED, REMOVED, SAME, SOWN, WON
from grl.logic.english import Speech
from grl.logic.ops import OPERATORS
from grl.logic.ops.counts import GIVEN
from grl.logic.terms import read_term
from grl.model import Effect, Model
from grl.sowing import FIELDS, NOWHERE, Sowing

_DONE = {
    REMOVED: "are removed",
    KEPT: "are removed and kept in the mover's hand",
    WON: "are removed and join the mover's hand as his",
    SAME: "become the mover's",
    PUSHED: "get the piece on which it lands",
}


def effect_sentence(effect: Effect, equipment: Equipment) -> str:
    """What an effect does; raises `ModelError` for one that there is not."""
    say = Speech(equipment)
    if equipment.sowing is not None:
        return _stage_sentence(effect, equipment, say)
    squares = say.noun(read_term(effect.where, OPERATORS, equipment))
    done = _DONE.get(effect.becomes) or f"become {say.things(effect.becomes)}"
    which = squares if squares.startswith("single ") else f"all {squares}"
    return f"With a turn, {which} {done}."


def _stage_sentence(effect: Effect, equipment: Equipment, say: Speech) -> str:
    """What a stage does: what is sown, or which contents are moved, and on which conditions."""
    where = read_term(effect.where, OPERATORS, equipment)
    if effect.becomes == SOWN:
        assert equipment.sowing is not None
        return _sowing_sentence(equipment.sowing, say.noun(where))
    literals = say.literals(where)
    given = [part for part in literals if part[0].operator is GIVEN]
    rest = [part for part in literals if part not in given]
    alone = len(rest) == 1 and rest[0][1]
    squares = say.noun(rest[0][0]) if alone else say.conjunction(rest)
    if effect.becomes == MOVED:
        done = f"moved to {say.noun(read_term(effect.to, OPERATORS, equipment))}"
    else:
        done = "removed"
    conditions = [say.clauses(term)[not holds].removeprefix("if ") for term, holds in given]
    asked = f", if {listed(conditions)}" if conditions else ""
    return f"Then the contents of {squares} are {done}{asked}."


def listed(phrases: Sequence[str]) -> str:
    """Phrases one after the other, the last after "and"."""
    *some, last = phrases
    return f"{', '.join(some)} and {last}" if some else last


def _sowing_sentence(sowing: Sowing, start: str) -> str:
    """How what is taken up is sown."""
    first = f"first on {start}, then " if sowing.keeps else ""
    skipped = f", {start} left out in later rounds" if sowing.skips else ""
    return (
        f"With a turn, what {start} holds is taken up and sown, one on each square: {first}on "
        f"those that come next on the mover's way{skipped}."
    )


def sowing_sentences(model: Model) -> tuple[str, ...]:
    """What numbers and squares the effects of a model speak of; nothing where nothing counts."""
    sowing, names = model.equipment.sowing, model.equipment.board.names
    if sowing is None:
        return ()
    found = []
    for player in model.equipment.players:
        way = sowing.ways[player]
        homes, stores = (
            [names[square] for square in sowing.field(kind, player)] for kind in FIELDS
        )
        walk = [names[square] for square in _walk(way, sowing.field("home", player))]
        squares = f"The home squares of {player} are {listed(homes)}" if homes else ""
        store = f", the store is {listed(stores)}" if homes and stores else ""
        found.append(f"{squares}{store}; the way goes by {', '.join(walk)}.")
    return tuple(found)


def _walk(way: Sequence[int], homes: Sequence[int]) -> list[int]:
    """The squares on a way that nothing leads to, or from the first of the home squares on, in
    their order, until it comes round."""
    led = [square for square, after in enumerate(way) if after != NOWHERE]
    starts = [square for square in led if square not in way]
    at = min(starts or homes or led, default=NOWHERE)
    found: list[int] = []
    while at != NOWHERE and at not in found:
        found.append(at)
        at = way[at]
    return [*found, *([at] if at != NOWHERE else [])]


def effect_sentences(model: Model) -> tuple[str, ...]:
    """What the effects of a model do, a sentence each."""
    return tuple(effect_sentence(effect, model.equipment) for effect in model.effects)
