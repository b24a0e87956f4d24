"""The templates of features of positions in ASP (meanings: `grl.rules.position_features`)."""

from __future__ import annotations

from typing import Final

from grl.board import Player
from grl.logic.geometry import AXES
from grl.rules.asp_telling import AXIS_NAMES, Tell, Telling
from grl.rules.position_features import LINES


def _count(t: Telling, name: str, zone: str, what: str, op: str, number: int) -> str:
    total = t.total(zone, what)
    return f"{name}(W) :- {total}(W,N), {t.related('N', op, number)}."


def _compare(t: Telling, name: str, zone: str, one: str, op: str, other: str) -> str:
    left, right = t.total(zone, one), t.total(zone, other)
    return f"{name}(W) :- {left}(W,N), {right}(W,M), {t.related('N', op, 'M')}."


def _on(t: Telling, name: str, what: str, line: str, op: str, number: int) -> str:
    there = f"{t.on(what, 'W', 'S')}, {_there(t, what, line)}, {t.related('N', op, number)}"
    return f"{name}(W) :- {there}."


def _there(t: Telling, what: str, line: str) -> str:
    """The literals: S lies on line N as the owner of `what` sees it."""
    seat = int(what[0]) if what[0].isdigit() else 0
    return f"mover(W,M), seat(M,{seat},P), {t.at('P', 'S', line, 'N')}"


def _several(t: Telling, name: str, what: str, line: str, op: str, number: int, least: int) -> str:
    there = f"{t.on(what, 'W', 'S')}, {_there(t, what, line)}, {t.related('N', op, number)}"
    return _at_least(t, name, f"{name}_there(W,S) :- {there}.", least)


def _held(
    t: Telling, name: str, seat: int, cells: tuple[tuple[int, int], ...], what: str, least: int
) -> str:
    t.seen()
    there = "\n".join(
        f"{name}_there(W,S) :- {t.on(what, 'W', 'S')}, mover(W,M), seat(M,{seat},P), "
        f"seen(P,S,{x},{y})."
        for x, y in cells
    )
    return _at_least(t, name, there, least)


def _at_least(t: Telling, name: str, there: str, least: int) -> str:
    """So many squares S are ``there``."""
    t.define(f"{name}_there", "", there)
    number = t.tally(f"{name}_number", "W", "position(W)", f"{name}_there(W,S)")
    return f"{name}(W) :- {number}(W,N), {t.related(str(least - 1), '<', 'N')}."


def _filled(t: Telling, name: str, seat: int, cells: tuple[tuple[int, int, str], ...]) -> str:
    t.seen()
    rules = [f"{name}(W) :- position(W), not {name}_not(W)."]
    rules += [
        f"{name}_not(W) :- mover(W,M), seat(M,{seat},P), seen(P,S,{x},{y}), "
        f"not {t.on(what, 'W', 'S')}."
        for x, y, what in cells
    ]
    return "\n".join(rules)


def _pattern(t: Telling, name: str, cells: tuple[tuple[int, int, str], ...]) -> str:
    body = []
    for number, (dx, dy, what) in enumerate(cells):
        square = "S" if (dx, dy) == (0, 0) else f"S{number}"
        if square != "S":
            body.append(f"{t.away(dx, dy)}(S,{dx},{dy},{square})")
        body.append(t.on(what, "W", square))
    return f"{name}(W) :- position(W), square(S,_,_), {', '.join(body)}."


def _row(t: Telling, name: str, what: str, length: int) -> str:
    t.lines()
    body = [t.on(what, "W", "S1")]
    for number in range(2, length + 1):
        body += [f"ahead(S{number - 1},A,S{number})", t.on(what, "W", f"S{number}")]
    return f"{name}(W) :- {', '.join(body)}."


def _run(t: Telling, name: str, what: str, length: int) -> str:
    t.lines()
    body = [t.on(what, "W", "S1"), f"not {name}_comes(W,A,S1)"]
    for number in range(2, length + 1):
        body += [f"ahead(S{number - 1},A,S{number})", t.on(what, "W", f"S{number}")]
    here, there = t.on(what, "W", "S"), t.on(what, "W", "R")
    return f"""{name}_comes(W,A,S) :- {here}, behind(S,A,R), {there}.
{name}_goes(W,A,S) :- {here}, ahead(S,A,R), {there}.
{name}(W) :- {", ".join(body)}, not {name}_goes(W,A,S{length})."""


def _joined(t: Telling, name: str, what: str, line: str, adjacency: str) -> str:
    near, board = t.near(adjacency), t.setting.board
    low, high = ("1,_", f"{board.width},_") if line == "file" else ("_,1", f"_,{board.height}")
    t.seen()
    first = t.names.player[t.setting.equipment.players[0]]
    return f"""{name}_from(W,S) :- {t.on(what, "W", "S")}, seen({first},S,{low}).
{name}_from(W,R) :- {name}_from(W,S), {near}(S,R), {t.on(what, "W", "R")}.
{name}(W) :- {name}_from(W,S), seen({first},S,{high})."""


def _group(t: Telling, name: str, what: str, adjacency: str) -> str:
    near = t.near(adjacency)
    t.follows()
    return f"""{name}_later(W,S) :- follows(S,R), {t.on(what, "W", "R")}.
{name}_later(W,S) :- follows(S,R), {name}_later(W,R).
{name}_from(W,S) :- {t.on(what, "W", "S")}, not {name}_later(W,S).
{name}_from(W,R) :- {name}_from(W,S), {near}(S,R), {t.on(what, "W", "R")}.
{name}_not(W) :- {t.on(what, "W", "S")}, not {name}_from(W,S).
{name}(W) :- {name}_from(W,_), not {name}_not(W)."""


def _choked(t: Telling, name: str, what: str, adjacency: str) -> str:
    near, here = t.near(adjacency), t.on(what, "W", "S")
    return f"""{name}_free(W,S) :- {here}, {near}(S,R), {t.on(".", "W", "R")}.
{name}_free(W,R) :- {name}_free(W,S), {near}(S,R), {t.on(what, "W", "R")}.
{name}(W) :- {here}, not {name}_free(W,S)."""


def _stuck(t: Telling, name: str, seat: int) -> str:
    """Asked of the position on the board alone: what a turn leaves has no turns yet."""
    t.needs.add(f"stuck {seat}" if seat else "able")
    world = f"seat({seat})" if seat else "now"
    return f"{name}(now) :- position(now), not able({world})."


def _mover(t: Telling, name: str, player: str) -> str:
    return f"{name}(W) :- mover(W,{t.names.player[Player(player)]})."


def _passed(t: Telling, name: str) -> str:
    t.needs.add("passed")
    return f"{name}(W) :- passed(W)."


def _came(t: Telling, name: str, dx: int, dy: int) -> str:
    t.needs |= {"last start1", "last end1", "start", "end"}
    last = "last(W,start1,S), last(W,end1,R)"
    return f"{name}(W) :- {last}, mover(W,M), {t.shifted(dx, dy)}(M,S,R)."


def _landed(t: Telling, name: str, what: str) -> str:
    t.needs |= {"last end1", "end"}
    return f"{name}(W) :- last(W,end1,S), {t.on(what, 'W', 'S')}."


def _contact(t: Telling, name: str, one: str, other: str, adjacency: str) -> str:
    near = t.near(adjacency)
    return f"{name}(W) :- {t.on(one, 'W', 'S')}, {near}(S,R), {t.on(other, 'W', 'R')}."


def _sees(t: Telling, name: str, one: str, other: str, lines: str) -> str:
    t.lines()
    axes = "; ".join(AXIS_NAMES[AXES[axis]] for axis in LINES[lines])
    t.define(f"{lines}_axis", "", f"{lines}_axis({axes}).")
    here, there, free = t.on(one, "W", "S"), t.on(other, "W", "R"), t.on(".", "W", "R")
    rules = []
    for step in ("ahead", "behind"):
        rules += [
            f"{name}_{step}(W,A,R) :- {here}, {lines}_axis(A), {step}(S,A,R).",
            f"{name}_{step}(W,A,Q) :- {name}_{step}(W,A,R), {free}, {step}(R,A,Q).",
            f"{name}(W) :- {name}_{step}(W,A,R), {there}.",
        ]
    return "\n".join(rules)


def _attacked(t: Telling, name: str, what: str, seat: int) -> str:
    t.needs.add(f"reply {seat}")
    return f"""{name}(W) :- mover(W,M), reply_turn(seen(W,{seat}),T), {t.on(what, "W", "S")},
    reply_changed(seen(W,{seat}),T,S,C), not {name}_still(M,C).
{name}_still(M,C) :- player(M), piece(C,_,_), {t.of(what, "M", "C")}."""


POSITIONS: Final[dict[str, Tell]] = {
    "count": _count,
    "compare": _compare,
    "on": _on,
    "several": _several,
    "held": _held,
    "filled": _filled,
    "pattern": _pattern,
    "row": _row,
    "run": _run,
    "joined": _joined,
    "group": _group,
    "choked": _choked,
    "stuck": _stuck,
    "mover": _mover,
    "passed": _passed,
    "came": _came,
    "landed": _landed,
    "contact": _contact,
    "sees": _sees,
    "attacked": _attacked,
}
