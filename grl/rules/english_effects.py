"""Effects as English sentences; `grl.rules.effects` says what they mean."""

from __future__ import annotations

from grl.errors import ModelError
from grl.model import Effect
from grl.rules.english_words import ADJACENT, plural

LINES = {
    "orthogonal": "along a rank or file",
    "diagonal": "along a diagonal",
    "around": "in a straight line",
}
CLOSERS = {"own": "a piece of the mover", "own or edge": "a piece of the mover or the edge"}
END = "the end of its first segment"


def effect_sentence(effect: Effect) -> str:
    """What an effect does; raises `ModelError` for one that there is not."""
    things = "opposing " + " or ".join(plural(kind) for kind in effect.types)
    try:
        which = _which(things, *effect.where)
    except (KeyError, TypeError, ValueError):
        raise ModelError(f"no phrase for the effect {list(effect.where)}") from None
    return f"With a turn, {which} {_become(effect.becomes)}."


def _which(things: str, name: str, *arguments: str) -> str:
    if name == "enclosed":
        directions, length, closer = arguments
        run = f"single {things}" if length == "one" else f"all {things}"
        return f"{run} {LINES[directions]} between {END} and {CLOSERS[closer]}"
    if name == "passed":
        return f"all {things} that its first segment passes over"
    (adjacency,) = arguments
    near = f"adjacent {ADJACENT[adjacency]}"
    if name == "breathless":
        return f"groups of {things}, {near}, next to {END} and without an empty neighbour left"
    if name == "around":
        return f"all {things} {near} to {END}"
    raise KeyError(name)


def _become(becomes: str) -> str:
    if becomes == "removed":
        return "are removed"
    return "become the mover's" if becomes == "same" else f"become {plural(becomes)} of the mover"
