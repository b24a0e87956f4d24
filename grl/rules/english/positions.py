"""The phrases of features of positions; `grl.rules.features.positions` says what they mean."""

from __future__ import annotations

from typing import Final

from grl.board import EMPTY
from grl.logic.english import ADJACENT, article, counted
from grl.rules.english.terms import TERM_PHRASES
from grl.rules.english.words import (
    Phrasebook,
    Phrases,
    Speaker,
    amounts,
    joined,
)


def _zone(zone: str) -> str:
    return {
        "board": "on the board",
        "hand": "in hand",
        "all": "on the board or in hand",
        "area": "on the board, empty squares that they alone enclose included",
    }[zone]


def _count(e: Speaker, zone: str, what: str, op: str, number: int) -> Phrases:
    one = op == "=" and number == 1
    verb, things, where = ("is" if one else "are"), e.many(what, 1 if one else None), _zone(zone)
    if one:
        things = things.removeprefix("one ")
    if op == "=":
        exactly = f"exactly {counted(number)}" if number else "no"
        other = f"there {verb} not {exactly} {things}" if number else f"there are {things}"
        return f"there {verb} {exactly} {things} {where}", f"{other} {where}"
    few, many = amounts(op, number)
    return f"there are {few} {things} {where}", f"there are {many} {things} {where}"


def _compare(e: Speaker, zone: str, one: str, op: str, other: str) -> Phrases:
    left, right, where = e.many(one), e.many(other), _zone(zone)
    if op == "=":
        return (
            f"there are as many {left} as {right} {where}",
            f"there are not as many {left} as {right} {where}",
        )
    return (
        f"there are fewer {left} than {right} {where}",
        f"there are at least as many {left} as {right} {where}",
    )


def _filled(e: Speaker, seat: int, cells: tuple[tuple[int, int, str], ...]) -> Phrases:
    parts = [f"file {x} rank {y} {e.holding(what)[0]}" for x, y, what in cells]
    seen = f"as {e.seat(seat)} sees the board"
    return f"{seen}, {joined(parts)}", f"it is not so that, {seen}, {joined(parts)}"


def _held(
    e: Speaker, seat: int, cells: tuple[tuple[int, int], ...], what: str, least: int
) -> Phrases:
    squares = joined([f"({x}, {y})" for x, y in cells])
    seen = f"on {squares} as {e.seat(seat)} sees the board"
    if least == 1:
        return f"{seen} there is {e.some(what)}", f"{seen} there is not {e.some(what)}"
    there = f"{seen} there are"
    things = e.many(what, least)
    return f"{there} {things} or more", f"{there} fewer than {things}"


def _pattern(e: Speaker, cells: tuple[tuple[int, int, str], ...]) -> Phrases:
    whats = {what for _, _, what in cells}
    if len(whats) == 1:
        places = joined([f"({dx}, {dy})" for dx, dy, _ in cells])
        shape = f"{e.many(cells[0][2])} fill the pattern {places}"
    else:
        places = joined([f"{e.some(what)} on ({dx}, {dy})" for dx, dy, what in cells])
        shape = f"the pattern {places} lies"
    return f"{shape} somewhere", f"{shape} nowhere"


def _group(e: Speaker, what: str, adjacency: str) -> Phrases:
    things = e.many(what)
    shape = f"single group, adjacent {ADJACENT[adjacency]}"
    return f"all {things} form a {shape}", f"the {things} don't form a {shape}"


def _stuck(e: Speaker, seat: int) -> Phrases:
    who = e.seat(seat)
    return f"{who} has no turn to play", f"{who} has a turn to play"


def _mover(e: Speaker, player: str) -> Phrases:  # noqa: ARG001
    return f"{player} is to move", f"{player} is not to move"


def _times(e: Speaker, scope: str, op: str, number: int) -> Phrases:  # noqa: ARG001
    thing = "the same board" if scope == "board" else "the same position"
    if op == "=":
        often = f"exactly {counted(number)} time{'' if number == 1 else 's'}"
        return f"{thing} occurred before {often}", f"{thing} did not occur before {often}"
    if number == 1:
        return f"{thing} did not occur before", f"{thing} occurred before"
    few, many = amounts(op, number)
    return f"{thing} occurred before {few} times", f"{thing} occurred before {many} times"


def _again(e: Speaker, number: int) -> Phrases:  # noqa: ARG001
    ago = f"{counted(number)} pl{'y' if number == 1 else 'ies'} ago"
    return f"the board is as it was {ago}", f"the board is not as it was {ago}"


def _passes(e: Speaker, number: int) -> Phrases:  # noqa: ARG001
    return (
        f"the last {counted(number)} turns were passes",
        f"not all of the last {counted(number)} turns were passes",
    )


def _since(e: Speaker, event: str, op: str, number: int) -> Phrases:  # noqa: ARG001
    what = {
        "": "the game began",
        "capture": "a piece was captured",
        "change": "the number of pieces on the board changed",
    }.get(event)
    if what is None:
        kind = event.partition(":")[2]
        what = f"{article(kind)} {kind} moved"
    if op == "=":
        return f"{what} {number} plies ago", f"{what} not {number} plies ago"
    return f"{what} fewer than {number} plies ago", f"{what} {number} plies ago or more"


def _passed(e: Speaker) -> Phrases:  # noqa: ARG001
    return "the last turn was a pass", "the last turn was no pass"


def _came(e: Speaker, dx: int, dy: int) -> Phrases:  # noqa: ARG001
    files = "file" if dx == 1 else "files"
    ranks = f"{abs(dy)} rank{'' if abs(dy) == 1 else 's'} {'back' if dy < 0 else 'on'}"
    gone = joined([*([f"{dx} {files} aside"] if dx else []), *([ranks] if dy else [])])
    return f"the last turn went {gone}", f"the last turn didn't go {gone}"


def _bare(thing: str) -> str:
    return thing.removeprefix("an ").removeprefix("a ")


def _attacked(e: Speaker, what: str, seat: int) -> Phrases:
    could = "could take" if what != EMPTY else "could occupy"
    thing, none = e.some(what), _bare(e.some(what))
    return f"{e.seat(seat)} {could} {thing}", f"{e.seat(seat)} {could} no {none}"


def _reached(e: Speaker, what: str, seat: int) -> Phrases:
    could, thing = f"{e.seat(seat)} could move onto", e.some(what)
    return f"{could} {thing}", f"{could} no {_bare(thing)}"


POSITION_PHRASES: Final[Phrasebook] = {
    **TERM_PHRASES,
    "count": _count,
    "compare": _compare,
    "held": _held,
    "filled": _filled,
    "pattern": _pattern,
    "group": _group,
    "stuck": _stuck,
    "mover": _mover,
    "passed": _passed,
    "times": _times,
    "again": _again,
    "passes": _passes,
    "since": _since,
    "came": _came,
    "attacked": _attacked,
    "reached": _reached,
}
