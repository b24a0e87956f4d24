"""The templates of features of positions in ASP (meanings: `grl.rules.features.positions`)."""

from __future__ import annotations

from typing import Final

from grl.board import Player
from grl.rules.asp.definitions import Definer, Definitions
from grl.rules.asp.terms import TERM_RULES


def _count(t: Definitions, name: str, zone: str, what: str, op: str, number: int) -> str:
    total = t.total(zone, what)
    return f"{name}(W) :- {total}(W,N), {t.related('N', op, number)}."


def _compare(t: Definitions, name: str, zone: str, one: str, op: str, other: str) -> str:
    left, right = t.total(zone, one), t.total(zone, other)
    return f"{name}(W) :- {left}(W,N), {right}(W,M), {t.related('N', op, 'M')}."


def _held(
    t: Definitions, name: str, seat: int, cells: tuple[tuple[int, int], ...], what: str, least: int
) -> str:
    t.seen()
    there = "\n".join(
        f"{name}_there(W,S) :- {t.on(what, 'W', 'S')}, mover(W,M), seat(M,{seat},P), "
        f"seen(P,S,{x},{y})."
        for x, y in cells
    )
    return _at_least(t, name, there, least)


def _at_least(t: Definitions, name: str, there: str, least: int) -> str:
    """So many squares S are ``there``."""
    t.define(f"{name}_there", "", there)
    number = t.tally(f"{name}_number", "W", "position(W)", f"{name}_there(W,S)")
    return f"{name}(W) :- {number}(W,N), {t.related(str(least - 1), '<', 'N')}."


def _filled(t: Definitions, name: str, seat: int, cells: tuple[tuple[int, int, str], ...]) -> str:
    t.seen()
    rules = [f"{name}(W) :- position(W), not {name}_not(W)."]
    rules += [
        f"{name}_not(W) :- mover(W,M), seat(M,{seat},P), seen(P,S,{x},{y}), "
        f"not {t.on(what, 'W', 'S')}."
        for x, y, what in cells
    ]
    return "\n".join(rules)


def _pattern(t: Definitions, name: str, cells: tuple[tuple[int, int, str], ...]) -> str:
    body = []
    for number, (dx, dy, what) in enumerate(cells):
        square = "S" if (dx, dy) == (0, 0) else f"S{number}"
        if square != "S":
            body.append(f"{t.away(dx, dy)}(S,{dx},{dy},{square})")
        body.append(t.on(what, "W", square))
    return f"{name}(W) :- position(W), square(S,_,_), {', '.join(body)}."


def _group(t: Definitions, name: str, what: str, adjacency: str) -> str:
    near = t.near(adjacency)
    t.follows()
    return f"""{name}_later(W,S) :- follows(S,R), {t.on(what, "W", "R")}.
{name}_later(W,S) :- follows(S,R), {name}_later(W,R).
{name}_from(W,S) :- {t.on(what, "W", "S")}, not {name}_later(W,S).
{name}_from(W,R) :- {name}_from(W,S), {near}(S,R), {t.on(what, "W", "R")}.
{name}_not(W) :- {t.on(what, "W", "S")}, not {name}_from(W,S).
{name}(W) :- {name}_from(W,_), not {name}_not(W)."""


def _stuck(t: Definitions, name: str, seat: int) -> str:
    """Asked of the position on the board alone: what a turn leaves has no turns yet."""
    t.needs.add(f"stuck {seat}" if seat else "able")
    world = f"seat({seat})" if seat else "now"
    return f"{name}(now) :- position(now), not able({world})."


def _mover(t: Definitions, name: str, player: str) -> str:
    return f"{name}(W) :- mover(W,{t.names.player[Player(player)]})."


def _passed(t: Definitions, name: str) -> str:
    t.needs.add("passed")
    return f"{name}(W) :- passed(W)."


def _came(t: Definitions, name: str, dx: int, dy: int) -> str:
    t.recall("start1", 1)
    t.recall("end1", 1)
    last = "last(W,start1,1,S), last(W,end1,1,R)"
    return f"{name}(W) :- {last}, mover(W,M), {t.shifted(dx, dy)}(M,S,R)."


def _attacked(t: Definitions, name: str, what: str, seat: int) -> str:
    t.needs.add(f"reply {seat}")
    return f"""{name}(W) :- mover(W,M), reply_turn(seen(W,{seat}),T), {t.on(what, "W", "S")},
    reply_changed(seen(W,{seat}),T,S,C), not {name}_still(M,C).
{name}_still(M,C) :- player(M), piece(C,_,_), {t.of(what, "M", "C")}."""


def _reached(t: Definitions, name: str, what: str, seat: int) -> str:
    t.needs |= {f"reply {seat}", "halt"}
    return f"{name}(W) :- reply_halt(seen(W,{seat}),S), {t.on(what, 'W', 'S')}."


POSITIONS: Final[dict[str, Definer]] = {
    **TERM_RULES,
    "count": _count,
    "compare": _compare,
    "held": _held,
    "filled": _filled,
    "pattern": _pattern,
    "group": _group,
    "stuck": _stuck,
    "mover": _mover,
    "passed": _passed,
    "came": _came,
    "attacked": _attacked,
    "reached": _reached,
}
