"""What the labels, arrows from nowhere and double rings of a machine say, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from grl.model import Machine

MOST_LABELS = 12
"""More labels than these are left without words: the picture would be all legend."""

_VERBS = ("move_and_remove", "move_over", "move", "appear", "remove")
_HAPPENS = {
    "move_and_remove": "{} moves onto a piece, which is removed",
    "move_over": "{} moves over a piece",
    "move": "{} moves",
    "appear": "{} appears",
    "remove": "{} is removed",
    "keep": "what is taken goes into the reserve",
}
_SUFFIX = {"1": "st", "2": "nd", "3": "rd"}
_SQUARES = {
    "move_and_remove": ("where it comes from", "where it goes and the piece is removed"),
    "move_over": ("where it comes from", "what it passes over", "where it goes"),
    "move": ("where it comes from", "where it goes"),
}
_NOUNS = {
    "move_and_remove": "a capture by {}",
    "move_over": "a move of {} over a piece",
    "move": "a move of {}",
}


def machine_legend(machine: Machine) -> tuple[str, ...]:
    """The legend of a machine of turns."""
    turn = machine.sort == "zero"
    what = "the turn" if turn else "what happens to a square in a turn"
    lines = list(_marks(machine.initial, machine.final, what))
    labels = sorted({(action, position) for _, action, position, _ in machine.transitions})
    if len(labels) <= MOST_LABELS:
        for action, position in labels:
            name = f"{action}.{position}" if position else action
            lines.append(f"{name}: {action_words(action, position)}")
    if turn and not machine.binding:
        lines.append("it describes the turns seen and forbids none")
    lines += [
        f"{tie.after}.{tie.second} has to be {tie.before}.{tie.first} before it"
        for tie in machine.ties
    ]
    return tuple(lines)


def plan_legend(
    labels: Iterable[str], initial: Collection[int], final: Collection[int], *, zero: bool
) -> tuple[str, ...]:
    """The legend of a machine of plans, whose labels are ``action`` or ``action.argument``."""
    lines = list(_marks(initial, final, "a plan" if zero else "an object's part in a plan"))
    first = min(labels, default="")
    action, dot, position = first.rpartition(".")
    if dot and position.isdigit():
        lines.append(f"{first}: it is argument {position} of {action}")
    return tuple(lines)


def action_words(action: str, position: int) -> str:
    """What an action of a turn is, or what its square at `position` (from 1) is.

    Two positions that are one square stand together, as 13 for the first and third.
    """
    verb = next((verb for verb in _VERBS if action.startswith(f"{verb}_")), None)
    if action == "keep":
        return f"the square where {_HAPPENS[action]}" if position else _HAPPENS[action]
    if verb is None:
        return f"the {_ordinals(position)} square of {action}" if position else action
    piece = _with_article(action.removeprefix(f"{verb}_").replace("_", " "))
    if not position:
        return _HAPPENS[verb].format(piece)
    if verb not in _SQUARES:
        return f"the square where {_HAPPENS[verb].format(piece)}"
    parts = [_SQUARES[verb][int(digit) - 1] for digit in str(position) if _known(verb, digit)]
    where = f": {' and '.join(parts)}" if parts else ""
    return f"{_ordinals(position)} square of {_NOUNS[verb].format(piece)}{where}"


def _known(verb: str, digit: str) -> bool:
    return 1 <= int(digit) <= len(_SQUARES[verb])


def _marks(initial: Collection[int], final: Collection[int], what: str) -> Iterator[str]:
    if len(initial) > 1:
        yield f"several arrows from nowhere: {what} may begin in any of these states"
    elif initial:
        yield f"arrow from nowhere: {what} begins here"
    if final:
        yield f"double ring: {what} may end here"


def _ordinals(position: int) -> str:
    return " and ".join(f"{digit}{_SUFFIX.get(digit, 'th')}" for digit in str(position))


def _with_article(name: str) -> str:
    if name == "hand":
        return "an empty hand"
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
