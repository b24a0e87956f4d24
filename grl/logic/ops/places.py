"""Squares that are given: those of the turn, and those that hold something."""

from __future__ import annotations

from collections.abc import Mapping

from grl.logic.terms import Operator, Sort, Term, make

LIES = Operator(
    "lies",
    (Sort.CONTENT,),
    evaluate=lambda rows, content: rows.holding(content),
    noun=lambda say, content: say.things(content),
    clause=lambda say, content: say.being(content),
    rules=lambda asp, head, content: f"{head('S')} :- {asp.world.holds('S', content)}.",
)
START = Operator(
    "start",
    (),
    evaluate=lambda rows: rows.starts(),
    noun=lambda say: "the square where its first segment begins",
    rules=lambda asp, head: f"{head('S')} :- {asp.world.start('S')}.",
)
END = Operator(
    "end",
    (),
    evaluate=lambda rows: rows.ends(),
    noun=lambda say: "the end of its first segment",
    rules=lambda asp, head: f"{head('S')} :- {asp.world.end('S')}.",
)


PATH = Operator(
    "path",
    (),
    evaluate=lambda rows: rows.paths(),
    noun=lambda say: "squares that its first segment passes over",
    clause=lambda say: (
        "that its first segment passes over",
        "that its first segment does not pass over",
    ),
    rules=lambda asp, head: asp.world.path(head),
)
_ZONES: Mapping[str, str] = {
    "corner": "the corners",
    "edge": "the squares at the edge",
    "centre": "the centre",
}
ZONE = Operator(
    "zone",
    (Sort.ZONE,),
    evaluate=lambda rows, zone: rows.zone(zone),
    noun=lambda say, zone: _ZONES[zone],
    clause=lambda say, zone: (f"on {_ZONES[zone]}", f"not on {_ZONES[zone]}"),
    rules=lambda asp, head, zone: f"{head('S')} :- {asp.world.given()}, {asp.world.zone(zone)}(S).",
)
OPERATORS = (LIES, START, END, PATH, ZONE)

start, end, path = make(START), make(END), make(PATH)


def lies(content: str) -> Term:
    """The squares that hold a content."""
    return make(LIES, content)
