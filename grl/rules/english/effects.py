"""Effects as English sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

from grl.board import Equipment
from grl.logic.changes import KEPT, MOVED, PUSHED, REMOVED, SAME, SOWN, WON, said_once
from grl.logic.english import Speech
from grl.logic.ops import OPERATORS
from grl.logic.ops.counts import GIVEN
from grl.logic.ops.sets import EITHER
from grl.logic.terms import Term, make, parts_of, read_term
from grl.model import Effect, Model
from grl.sowing import FIELDS, NOWHERE, Sowing

_DONE = {
    REMOVED: "are removed",
    KEPT: "are removed and kept in the mover's hand",
    WON: "are removed and join the mover's hand as his",
    SAME: "become the mover's",
    PUSHED: "get the piece on which it lands",
}


def effect_sentence(effect: Effect, equipment: Equipment, others: Sequence[Effect] = ()) -> str:
    """What an effect does, beside others; raises `ModelError` for one that there is not.

    Where it looks at the board that the others leave, or that a part of it leaves, that is said so.
    """
    say = Speech(equipment)
    if equipment.sowing is not None:
        return _stage_sentence(effect, equipment, say)
    done = _DONE.get(effect.becomes) or _becoming(effect.becomes, say)
    changed = {each.becomes: read_term(each.where, OPERATORS, equipment) for each in others}
    at_once: list[Term] = []
    later: list[str] = []
    for part in parts_of(read_term(effect.where, OPERATORS, equipment)):
        after_others = said_once(part, changed, equipment) if changed else None
        after_own = [
            (first, found)
            for first in at_once
            if (found := said_once(part, {effect.becomes: first}, equipment)) is not None
        ]
        if after_others is not None:
            later.append(f"once the other effects are carried out, {_all([after_others], say)}")
        elif after_own:
            first, found = after_own[0]
            before = "then" if len(at_once) == 1 else f"once that is done to {say.noun(first)}"
            later.append(f"{before}, {_all([found], say)}")
        else:
            at_once.append(part)
    said = [_all(at_once, say)] if at_once else []
    return f"With a turn, {f' {done}; '.join([*said, *later])} {done}."


def _becoming(becomes: str, say: Speech) -> str:
    """What happens to pieces of which others are made."""
    word, _, kind = becomes.partition(":")
    made = say.things(f"own:{kind}" if word == WON else becomes)
    return f"are removed and join the mover's hand as {made}" if word == WON else f"become {made}"


def _all(union: Sequence[Term], say: Speech) -> str:
    """All squares of a union of sets, those together that are on no condition."""
    plain = [term for term in union if not _conditions(term, say)]
    found = []
    if plain:
        squares = say.noun(reduce(partial(make, EITHER), plain))
        found.append(squares if squares.startswith("single ") else f"all {squares}")
    for term in union:
        if conditions := _conditions(term, say):
            found.append(f"{conditions}, all {_unconditioned(term, say)}")
    return " and, ".join(found)


def _conditions(term: Term, say: Speech) -> str:
    """On which conditions there are squares of a set, if it is said to be on any."""
    given = [part for part in say.literals(term) if part[0].operator is GIVEN]
    conditions = [say.clauses(each)[not holds].removeprefix("if ") for each, holds in given]
    return f"if {listed(conditions)}" if conditions else ""


def _unconditioned(term: Term, say: Speech) -> str:
    """Which squares belong to a set where its conditions hold."""
    rest = [part for part in say.literals(term) if part[0].operator is not GIVEN]
    alone = len(rest) == 1 and rest[0][1]
    return say.noun(rest[0][0]) if alone else say.conjunction(rest)


def _stage_sentence(effect: Effect, equipment: Equipment, say: Speech) -> str:
    """What a stage does: what is sown, or which contents are moved, and on which conditions."""
    where = read_term(effect.where, OPERATORS, equipment)
    if effect.becomes == SOWN:
        assert equipment.sowing is not None
        return _sowing_sentence(equipment.sowing, say.noun(where))
    if effect.becomes == MOVED:
        done = f"moved to {say.noun(read_term(effect.to, OPERATORS, equipment))}"
    else:
        done = "removed"
    conditions = _conditions(where, say)
    asked = f", {conditions}" if conditions else ""
    return f"Then the contents of {_unconditioned(where, say)} are {done}{asked}."


def listed(phrases: Sequence[str]) -> str:
    """Phrases one after the other, the last after "and"."""
    *some, last = phrases
    return f"{', '.join(some)} and {last}" if some else last


def _sowing_sentence(sowing: Sowing, start: str) -> str:
    """How what is taken up is sown."""
    single = " unless it is a single one" if sowing.goes_on else ""
    first = f"first on {start}{single}, then " if sowing.keeps else ""
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
    effects, equipment = model.effects, model.equipment
    return tuple(
        effect_sentence(effect, equipment, [*effects[:number], *effects[number + 1 :]])
        for number, effect in enumerate(effects)
    )
