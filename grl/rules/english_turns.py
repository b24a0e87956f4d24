"""The phrases of features of turns and of rival turns, as in `grl.rules.turn_features`."""

from __future__ import annotations

from typing import Final

from grl.board import EMPTY, HOLE
from grl.logic.english import ADJACENT
from grl.model import Feature
from grl.rules.english_words import (
    Phrasebook,
    Phrases,
    Speaker,
    amounts,
    joined,
    line_of,
)

ORDINALS = ("", "first", "second", "third", "fourth", "fifth")
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
PLAIN_SIDES = {
    (0, -1): "below",
    (0, 1): "above",
    (-1, 0): "left of",
    (1, 0): "right of",
}
SEEN_SIDES = {(0, 1): "ahead of", (0, -1): "behind"}


def _role(role: str) -> str:
    if role == "drop":
        return "the square where a piece first appears"
    if role == "taken":
        return "the square where it first removes a piece"
    sort, number = ("start" if role[0] == "s" else "end"), int(role[-1])
    return f"its {sort}" if number == 1 else f"the {sort} of its {_ordinal(number)} segment"


def _ordinal(number: int) -> str:
    return ORDINALS[number] if number < len(ORDINALS) else f"{number}th"


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


def _at(e: Speaker, role: str, line: str, op: str, number: int) -> Phrases:  # noqa: ARG001
    where = line_of(line, op, number)
    return f"{_role(role)} is {where}", f"{_role(role)} is not {where}"


def _side(view: str, dx: int, dy: int, role: str) -> str:
    sides = PLAIN_SIDES if view == "board" else SEEN_SIDES
    if (dx, dy) in sides:
        return f"the square {sides[dx, dy]} {_role(role)}"
    seen = " as the mover sees it" if view == "seen" else ""
    return f"the square ({dx}, {dy}) from {_role(role)}{seen}"


def _when(when: str) -> str:
    return " afterwards" if when == "after" else ""


def _near(e: Speaker, role: str, view: str, dx: int, dy: int, what: str, when: str) -> Phrases:
    if what == HOLE:
        square = _side(view, dx, dy, role).removeprefix("the ")
        return (
            f"there is no {square}{_when(when)}",
            f"there is a {square}{_when(when)}",
        )
    square = _side(view, dx, dy, role)
    holds, fails = e.holding(what)
    return f"{square} {holds}{_when(when)}", f"{square} {fails}{_when(when)}"


def _touches(e: Speaker, role: str, adjacency: str, what: str, when: str) -> Phrases:
    square = f"square adjacent {ADJACENT[adjacency]} to {_role(role)}"
    holds, _ = e.holding(what)
    return f"a {square} {holds}{_when(when)}", f"no {square} {holds}{_when(when)}"


def _beside(e: Speaker, role: str, adjacency: str) -> Phrases:  # noqa: ARG001
    start = f"adjacent {ADJACENT[adjacency]} to the square where it begins"
    return f"{_role(role)} is {start}", f"{_role(role)} is not {start}"


def _apart(e: Speaker, role: str, other_role: str, dx: int, dy: int) -> Phrases:  # noqa: ARG001
    where = f"({dx}, {dy}) away from {_role(role)}"
    return f"{_role(other_role)} is {where}", f"{_role(other_role)} is not {where}"


def _line(e: Speaker, role: str, what: str, length: int, when: str) -> Phrases:
    line = f"straight line of {e.many(what, length)} or more"
    through = f"goes through {_role(role)}{_when(when)}"
    return f"a {line} {through}", f"no {line} {through}"


def _along(e: Speaker, role: str, lines: str, what: str, least: int, when: str) -> Phrases:
    line = f"{ONE_LINE[lines]} through {_role(role)}"
    things = f"{e.many(what, least)} or more on it, the square itself aside{_when(when)}"
    return f"a {line} has {things}", f"no {line} has {things}"


def _onward(e: Speaker, side: str, what: str, when: str) -> Phrases:
    square = _next(side)
    if what == HOLE:
        bare = square.removeprefix("the ")
        return f"there is no {bare}{_when(when)}", f"there is a {bare}{_when(when)}"
    holds, fails = e.holding(what)
    return f"{square} {holds}{_when(when)}", f"{square} {fails}{_when(when)}"


def _onto(e: Speaker, side: str, role: str) -> Phrases:  # noqa: ARG001
    return f"{_role(role)} is {_next(side)}", f"{_role(role)} is not {_next(side)}"


def _next(side: str) -> str:
    if side == "ahead":
        return "the next square in the direction of its first segment"
    return "the square just behind its start"


def _exposed(e: Speaker, role: str) -> Phrases:  # noqa: ARG001
    could = f"the next player could change {_role(role)}"
    return could, could.replace("could", "could not")


def _formed(e: Speaker, role: str, cells: tuple[tuple[int, int, str], ...]) -> Phrases:
    whats = {what for _, _, what in cells}
    if len(whats) == 1:
        places = joined([f"({dx}, {dy})" for dx, dy, _ in cells])
        shape = f"the pattern {places} of {e.many(cells[0][2])}"
    else:
        held = [f"{e.some(what)} on ({dx}, {dy})" for dx, dy, what in cells]
        shape = f"the pattern {joined(held)}"
    return f"{_role(role)} completes {shape}", f"{_role(role)} doesn't complete {shape}"


def _population(e: Speaker, op: str) -> Phrases:  # noqa: ARG001
    if op == "=":
        return (
            "its steps are as many as the pieces on its line",
            "its steps are not as many as the pieces on its line",
        )
    return (
        "its steps are fewer than the pieces on its line",
        "its steps are at least as many as the pieces on its line",
    )


def _moved(e: Speaker, role: str) -> Phrases:  # noqa: ARG001
    piece = f"the piece on {_role(role)}"
    return f"{piece} has moved before", f"no piece on {_role(role)} has moved before"


def _same(e: Speaker, role: str, last: str) -> Phrases:  # noqa: ARG001
    other = f"the square where the last turn {'began' if last == 'start1' else 'ended'}"
    return f"{_role(role)} is {other}", f"{_role(role)} is not {other}"


def _beside_last(e: Speaker, role: str, last: str, adjacency: str) -> Phrases:  # noqa: ARG001
    other = f"the square where the last turn {'began' if last == 'start1' else 'ended'}"
    where = f"adjacent {ADJACENT[adjacency]} to {other}"
    return f"{_role(role)} is {where}", f"{_role(role)} is not {where}"


def _echo(e: Speaker, sense: str) -> Phrases:  # noqa: ARG001
    way = "in the direction of" if sense == "same" else "in the direction opposite to"
    return f"it goes {way} the last turn", f"it does not go {way} the last turn"


def _breathless(e: Speaker, role: str, adjacency: str) -> Phrases:  # noqa: ARG001
    group = f"the mover's group on {_role(role)}"
    free = f"empty square adjacent {ADJACENT[adjacency]} afterwards"
    return (
        f"{group} has no {free}",
        f"there is no group of the mover on {_role(role)} without an {free}",
    )


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


SCOPES = {
    "any": "",
    "start": " from the same square",
    "first": " with the same first segment",
}


def _rival_has(e: Speaker, scope: str, feature: Feature) -> Phrases:
    return _unlike(scope, e.turn(feature, False))


def _rival_lacks(e: Speaker, scope: str, feature: Feature) -> Phrases:
    return _unlike(scope, e.turn(feature, True))


def _unlike(scope: str, clause: str) -> Phrases:
    text = f"{clause}, unlike another legal turn{SCOPES[scope]}"
    return text, f"it is not so that {text}"


def _more(e: Speaker, scope: str, what: str) -> Phrases:
    turn = f"legal turn{SCOPES[scope]}"
    return f"another {turn} takes more {e.many(what)}", f"no {turn} takes more {e.many(what)}"


ONE_LINE = {
    "orthogonal": "rank or file",
    "diagonal": "diagonal",
    "around": "rank, file or diagonal",
}
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
    "letter": _letter,
    "opens": _opens,
    "segments": _segments,
    "steps": _steps,
    "heading": _heading,
    "shift": _shift,
    "at": _at,
    "near": _near,
    "touches": _touches,
    "beside": _beside,
    "apart": _apart,
    "line": _line,
    "along": _along,
    "onward": _onward,
    "onto": _onto,
    "exposed": _exposed,
    "formed": _formed,
    "population": _population,
    "moved": _moved,
    "same": _same,
    "beside_last": _beside_last,
    "echo": _echo,
    "breathless": _breathless,
    "before": _before,
    "after": _after,
    "rival_has": _rival_has,
    "rival_lacks": _rival_lacks,
    "more": _more,
    "beyond": _beyond,
    "prefix": _prefix,
}
