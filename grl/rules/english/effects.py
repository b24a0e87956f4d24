"""Effects as English sentences."""

from __future__ import annotations

from grl.board import Equipment
from grl.logic.changes import PUSHED, REMOVED, SAME
from grl.logic.english import Speech
from grl.logic.ops import OPERATORS
from grl.logic.terms import read_term
from grl.model import Effect, Model


def effect_sentence(effect: Effect, equipment: Equipment) -> str:
    """What an effect does; raises `ModelError` for one that there is not."""
    say = Speech(equipment)
    squares = say.noun(read_term(effect.where, OPERATORS, equipment))
    if effect.becomes == REMOVED:
        done = "are removed"
    elif effect.becomes == PUSHED:
        done = "get the piece on which it lands"
    elif effect.becomes == SAME:
        done = "become the mover's"
    else:
        done = f"become {say.things(effect.becomes)}"
    which = squares if squares.startswith("single ") else f"all {squares}"
    return f"With a turn, {which} {done}."


def effect_sentences(model: Model) -> tuple[str, ...]:
    """What the effects of a model do, a sentence each."""
    return tuple(effect_sentence(effect, model.equipment) for effect in model.effects)
