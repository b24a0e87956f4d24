"""The phrases of features of turns and of rival turns, as in `grl.rules.features.turns`."""

from __future__ import annotations

from typing import Final

from grl.board import EMPTY
from grl.logic.english import Speech
from grl.logic.ops.places import square
from grl.model import Feature
from grl.rules.english.terms import TERM_PHRASES
from grl.rules.english.words import (
    Phrasebook,
    Phrases,
    Speaker,
    amounts,
    joined,
)

CONTENTS = {
    "e": "steps to an empty square",
    "w": "steps onto a piece of the mover",
    "p": "steps onto a piece of an opponent",
    "n": "steps onto a neutral piece",
    "d": "removes a piece",
    "a": "makes a piece appear",
    "r": "puts a piece into the reserve",
    "fly": "flies",
}


def _role(e: Speaker, role: str) -> str:
    return Speech(e.equipment).noun(square(role))


def _moves(e: Speaker, what: str) -> Phrases:
    thing = e.some(what)
    return f"it begins on {thing}" if what == EMPTY else f"it begins with {thing}", (
        f"it does not begin on {thing}" if what == EMPTY else f"it does not begin with {thing}"
    )


def _takes(e: Speaker, what: str) -> Phrases:
    if what == EMPTY:
        return "it leaves fewer empty squares", "it does not leave fewer empty squares"
    return f"it takes {e.some(what)}", f"it does not take {e.some(what)}"


def _appears(e: Speaker, what: str) -> Phrases:
    thing = e.some(what)
    return f"{thing} appears", f"{thing} does not appear"


def _keeps(e: Speaker, what: str) -> Phrases:
    thing = e.some(what)
    return f"{thing} joins the reserve", f"{thing} does not join the reserve"


def _letter(e: Speaker, kind: str) -> Phrases:  # noqa: ARG001
    does = CONTENTS[kind]
    return f"it {does} on its way", f"it nowhere {does} on its way"


def _opens(e: Speaker, kind: str) -> Phrases:  # noqa: ARG001
    does = CONTENTS[kind]
    return f"it begins as one that {does}", f"it does not begin as one that {does}"


def _segments(e: Speaker, op: str, number: int) -> Phrases:  # noqa: ARG001
    return _has(op, number, "segment")


def _steps(e: Speaker, op: str, number: int) -> Phrases:  # noqa: ARG001
    return _has(op, number, "step")


def _has(op: str, number: int, noun: str) -> Phrases:
    few, many = amounts(op, number)
    things = noun if op == "=" and number == 1 else f"{noun}s"
    if op == "=":
        if number == 0:
            return f"it has no {things}", f"it has {things}"
        return f"it has exactly {few} {things}", f"it does not have exactly {few} {things}"
    return f"it has {few} {things}", f"it has {many} {things}"


HEADINGS = {
    "ahead": "ahead of its start",
    "level": "level with its start",
    "behind": "behind its start",
    "inward": "nearer to the middle file than its start",
    "outward": "farther from the middle file than its start",
}


def _heading(e: Speaker, way: str) -> Phrases:  # noqa: ARG001
    return f"its end is {HEADINGS[way]}", f"its end is not {HEADINGS[way]}"


def _shift(e: Speaker, dx: int, dy: int) -> Phrases:  # noqa: ARG001
    ranks = f"{abs(dy)} rank{'s' if abs(dy) != 1 else ''} {'back' if dy < 0 else 'ahead'}"
    files = f"{dx} file{'s' if dx != 1 else ''} aside"
    return f"it goes {ranks} and {files}", f"it does not go {ranks} and {files}"


def _exposed(e: Speaker, role: str) -> Phrases:
    could = f"the next player could change {_role(e, role)}"
    return could, could.replace("could", "could not")


def _formed(e: Speaker, role: str, cells: tuple[tuple[int, int, str], ...]) -> Phrases:
    whats = {what for _, _, what in cells}
    if len(whats) == 1:
        places = joined([f"({dx}, {dy})" for dx, dy, _ in cells])
        shape = f"the pattern {places} of {e.many(cells[0][2])}"
    else:
        held = [f"{e.some(what)} on ({dx}, {dy})" for dx, dy, what in cells]
        shape = f"the pattern {joined(held)}"
    return f"{_role(e, role)} completes {shape}", f"{_role(e, role)} doesn't complete {shape}"


def _echo(e: Speaker, sense: str) -> Phrases:  # noqa: ARG001
    way = "in the direction of" if sense == "same" else "in the direction opposite to"
    return f"it goes {way} the last turn", f"it does not go {way} the last turn"


def _before(e: Speaker, feature: Feature) -> Phrases:
    return (
        f"before the turn {e.within('turn', feature, True)}",
        f"before the turn {e.within('turn', feature, False)}",
    )


def _after(e: Speaker, feature: Feature) -> Phrases:
    return (
        f"after the turn {e.within('after', feature, True)}",
        f"after the turn {e.within('after', feature, False)}",
    )


def _midway(e: Speaker, feature: Feature) -> Phrases:
    there = f"at some square on its way {e.within('after', feature, True)}"
    return there, f"it is not so that {there}"


def _and(e: Speaker, feature: Feature, second: Feature) -> Phrases:
    both = f"{e.turn(feature, True)} and {e.turn(second, True)}"
    return both, f"it is not so that {both}"


PARTS = {"moves": "begins with", "takes": "takes", "appears": "makes", "keeps": "keeps"}


def _otherwise(e: Speaker, given: str, named: str, pairs: tuple[tuple[str, str], ...]) -> Phrases:
    sources: dict[str, list[str]] = {}
    for one, other in pairs:
        sources.setdefault(other, []).append(e.some(one))
    each = [f"for {joined(ones)} {e.some(other)}" for other, ones in sources.items()]
    table = ", ".join(each)
    one, other = PARTS[given], PARTS[named]
    return (
        f"what it {other} is not what belongs to what it {one}: {table}",
        f"what it {other} is what belongs to what it {one}: {table}",
    )


SCOPES = {
    "any": "",
    "start": " from the same square",
    "first": " with the same first segment",
}


def _rival_has(e: Speaker, scope: str, feature: Feature) -> Phrases:
    if feature[0] == "and":
        other = f"legal turn{SCOPES[scope]} it is true, unlike of this one, that"
        both = e.turn(feature, True)
        return f"of another {other} {both}", f"of no {other} {both}"
    return _unlike(scope, e.turn(feature, False))


def _rival_lacks(e: Speaker, scope: str, feature: Feature) -> Phrases:
    return _unlike(scope, e.turn(feature, True))


def _unlike(scope: str, clause: str) -> Phrases:
    text = f"{clause}, unlike another legal turn{SCOPES[scope]}"
    return text, f"it is not so that {text}"


def _more(e: Speaker, scope: str, what: str) -> Phrases:
    turn = f"legal turn{SCOPES[scope]}"
    return f"another {turn} takes more {e.many(what)}", f"no {turn} takes more {e.many(what)}"


MEASURES = {
    ("start", "less"): "begins on a lower rank",
    ("start", "more"): "begins on a higher rank",
    ("end", "less"): "ends its first segment on a lower rank",
    ("end", "more"): "ends its first segment on a higher rank",
    ("distance", "less"): "goes less far",
    ("distance", "more"): "goes farther",
}


def _beyond(e: Speaker, scope: str, measure: str, sense: str) -> Phrases:  # noqa: ARG001
    turn, does = f"legal turn{SCOPES[scope]}", MEASURES[measure, sense]
    return f"another {turn} {does}", f"no {turn} {does}"


def _prefix(e: Speaker) -> Phrases:  # noqa: ARG001
    return "a legal turn begins with all of it and goes on", "no legal turn goes on after it"


TURN_PHRASES: Final[Phrasebook] = {
    "moves": _moves,
    "takes": _takes,
    "appears": _appears,
    "keeps": _keeps,
    "letter": _letter,
    "opens": _opens,
    "segments": _segments,
    "steps": _steps,
    "heading": _heading,
    "shift": _shift,
    **TERM_PHRASES,
    "exposed": _exposed,
    "formed": _formed,
    "echo": _echo,
    "before": _before,
    "after": _after,
    "midway": _midway,
    "and": _and,
    "otherwise": _otherwise,
    "rival_has": _rival_has,
    "rival_lacks": _rival_lacks,
    "more": _more,
    "beyond": _beyond,
    "prefix": _prefix,
}
