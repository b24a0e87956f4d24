"""The templates of features of turns and of rival turns in ASP (`grl.rules.features.turns`)."""

from __future__ import annotations

from typing import Final

from grl.errors import ModelError
from grl.rules.asp.definitions import Definer, Definitions
from grl.rules.asp.terms import TERM_RULES


def _holds(t: Definitions, what: str, when: str, square: str) -> str:
    return t.on(what, "W", square) if when == "before" else t.left(what, "W", "T", square)


def _moves(t: Definitions, name: str, what: str) -> str:
    return f"{name}(W,T) :- {t.role('start1')}, {t.on(what, 'W', 'S')}."


def _takes(t: Definitions, name: str, what: str) -> str:
    lost, gained = _exchange(t, what)
    return f"{name}(W,T) :- {lost}(W,T,N), {gained}(W,T,M), M < N."


def _exchange(t: Definitions, what: str) -> tuple[str, str]:
    """How many of the squares that a turn touches held `what`, and how many hold it now."""
    plain = t.names.what(what)
    lost = t.tally(f"{plain}_lost", "W,T", "option(W,T)", f"{_both(t, what, 'held')}(W,T,S)")
    gained = t.tally(f"{plain}_gained", "W,T", "option(W,T)", f"{_both(t, what, 'put')}(W,T,S)")
    return lost, gained


def _both(t: Definitions, what: str, when: str) -> str:
    name = f"{t.names.what(what)}_{when}"
    if when == "held":
        rule = f"{name}(W,T,S) :- altered(W,T,S), {t.on(what, 'W', 'S')}."
    else:
        rule = f"{name}(W,T,S) :- changed(W,T,S,C), mover(W,M), {t.of(what, 'M', 'C')}."
    return t.define(name, "", rule)


def _appears(t: Definitions, name: str, what: str) -> str:
    t.needs.add("letter")
    return f"{name}(W,T) :- letter(W,T,appear(C)), mover(W,M), {t.of(what, 'M', 'C')}."


def _keeps(t: Definitions, name: str, what: str) -> str:
    t.needs.add("letter")
    return f"{name}(W,T) :- letter(W,T,keep(C)), mover(W,M), {t.of(what, 'M', 'C')}."


def _letter(t: Definitions, name: str, kind: str) -> str:
    t.needs |= {"letter", "kind"}
    return f"{name}(W,T) :- letter(W,T,L), kind(L,{kind})."


def _opens(t: Definitions, name: str, kind: str) -> str:
    t.needs |= {"lead", "kind"}
    only = "" if kind == "fly" else ", not kind(L,fly)"
    return f"{name}(W,T) :- lead(W,T,L), kind(L,{kind}){only}."


def _segments(t: Definitions, name: str, op: str, number: int) -> str:
    t.needs.add("segments")
    return f"{name}(W,T) :- option(W,T), segments(W,T,N), {t.related('N', op, number)}."


def _steps(t: Definitions, name: str, op: str, number: int) -> str:
    t.needs.add("steps")
    return f"{name}(W,T) :- option(W,T), steps(W,T,N), {t.related('N', op, number)}."


def _ends(t: Definitions) -> str:
    t.needs |= {"start", "end"}
    return "start(W,T,1,S), end(W,T,1,R), mover(W,M)"


def _heading(t: Definitions, name: str, way: str) -> str:
    t.seen()
    middle = t.setting.board.width + 1
    far = f"|2*A-{middle}|", f"|2*C-{middle}|"
    relation = t.define(
        f"{way}_of",
        "",
        f"{way}_of(M,S,R) :- seen(M,S,A,B), seen(M,R,C,D), "
        + {
            "ahead": "B < D.",
            "level": "B = D.",
            "behind": "D < B.",
            "inward": f"{far[1]} < {far[0]}.",
            "outward": f"{far[0]} < {far[1]}.",
        }[way],
    )
    return f"{name}(W,T) :- {_ends(t)}, {relation}(M,S,R)."


def _shift(t: Definitions, name: str, dx: int, dy: int) -> str:
    return f"{name}(W,T) :- {_ends(t)}, {t.shifted(dx, dy)}(M,S,R)."


def _exposed(t: Definitions, name: str, square: str) -> str:
    t.needs |= {"after", "reply 0"}
    seen = "seen(after(W,T),0)"
    return f"""{name}(W,T) :- {t.role(square)}, reply_turn({seen},U), reply_changed({seen},U,S,C),
    not cell(after(W,T),S,C)."""


def _formed(t: Definitions, name: str, square: str, cells: tuple[tuple[int, int, str], ...]) -> str:
    """A rule for each place that the square can have in the pattern."""
    rules = []
    for here, (x, y, _) in enumerate(cells):
        body = []
        for number, (dx, dy, what) in enumerate(cells):
            there = "S" if number == here else f"S{number}"
            if there != "S":
                body.append(f"{t.away(dx - x, dy - y)}(S,{dx - x},{dy - y},{there})")
            body.append(_holds(t, what, "after", there))
        rules.append(f"{name}(W,T) :- {t.role(square)}, {', '.join(body)}.")
    return "\n".join(rules)


def _echo(t: Definitions, name: str, sense: str) -> str:
    t.recall("start1", 1)
    t.recall("end1", 1)
    t.needs |= {"start", "end"}
    t.bearing()
    last = "A,B" if sense == "same" else "B,A"
    return f"""{name}(W,T) :- start(W,T,1,S), end(W,T,1,R), bearing(S,R,X,Y), last(W,start1,1,A),
    last(W,end1,1,B), bearing({last},X,Y)."""


def _before(t: Definitions, name: str, feature: tuple[object, ...]) -> str:
    return f"{name}(W,T) :- option(W,T), {t.position(feature)}(W)."


def _after(t: Definitions, name: str, feature: tuple[object, ...]) -> str:
    if feature[0] == "stuck":
        return _stuck_after(t, name, int(str(feature[1])))
    t.needs.add("after")
    inner = t.position(feature)
    return f"{name}(W,T) :- option(W,T), {inner}(after(W,T))."


def _midway(t: Definitions, name: str, feature: tuple[object, ...]) -> str:
    if feature[0] == "stuck":
        raise ModelError(
            "a feature of turns can't be written",
            found="who has no turn where the turn breaks off",
            expected="who has none after it",
        )
    t.needs |= {"midway", "opening", "part"}
    return f"{name}(W,T) :- breaks(W,T,P), {t.position(feature)}(midway(W,P))."


def _and(t: Definitions, name: str, feature: tuple[object, ...], second: tuple[object, ...]) -> str:
    return f"{name}(W,T) :- {t.turn(feature)}(W,T), {t.turn(second)}(W,T)."


def _otherwise(
    t: Definitions, name: str, given: str, named: str, pairs: tuple[tuple[str, str], ...]
) -> str:
    rules = [
        f"{name}(W,T) :- {t.turn((given, one))}(W,T), not {t.turn((named, other))}(W,T)."
        for one, other in pairs
    ]
    return "\n".join(rules)


def _stuck_after(t: Definitions, name: str, seat: int) -> str:
    """Asked of the turn that is played: all rules have to be applied to the position it leaves."""
    t.needs.add(f"later {seat}")
    return f"{name}(now,T) :- does(M,T), option(now,T), not later_able(seat({seat}))."


# Relations between rival turns -----------------------------------------------------------------


def _place(t: Definitions, scope: str, turn: str) -> str:
    """The literal: what rivals in a scope share; P is where `turn` begins, or how."""
    if scope == "any":
        return f"option(W,{turn})"
    if scope == "start":
        t.needs.add("start")
        return f"start(W,{turn},1,P)"
    t.needs.add("opening")
    return f"opening(W,{turn},P)"


def _rival_has(
    t: Definitions, name: str, alive: str, scope: str, feature: tuple[object, ...]
) -> str:
    inner = t.turn(feature, alive)
    key = "W" if scope == "any" else "W,P"
    return f"""{name}_some({key}) :- {alive}(W,U), {inner}(W,U), {_place(t, scope, "U")}.
{name}(W,T) :- {name}_some({key}), {_place(t, scope, "T")}, not {inner}(W,T)."""


def _rival_lacks(
    t: Definitions, name: str, alive: str, scope: str, feature: tuple[object, ...]
) -> str:
    inner = t.turn(feature, alive)
    key = "W" if scope == "any" else "W,P"
    return f"""{name}_some({key}) :- {alive}(W,U), not {inner}(W,U), {_place(t, scope, "U")}.
{name}(W,T) :- {name}_some({key}), {_place(t, scope, "T")}, {inner}(W,T)."""


def _more(t: Definitions, name: str, alive: str, scope: str, what: str) -> str:
    """A turn that takes none and adds some is behind even where it has no rival."""
    lost, gained = _exchange(t, what)
    t.numbers()
    t.define("minus", "", "minus(A,B,A-B) :- number(A), number(B).")
    net = t.define(
        f"{t.names.what(what)}_net",
        "",
        f"{t.names.what(what)}_net(W,T,N) :- {lost}(W,T,L), {gained}(W,T,G), minus(L,G,N).",
    )
    return f"""{name}(W,T) :- {net}(W,T,N), N < 0.
{name}(W,T) :- {net}(W,T,N), {_place(t, scope, "T")}, {alive}(W,U), {_place(t, scope, "U")},
    {net}(W,U,M), N < M."""


def _beyond(t: Definitions, name: str, alive: str, scope: str, measure: str, sense: str) -> str:
    number = _measured(t, measure)
    related = "N < M" if sense == "more" else "M < N"
    return f"""{name}(W,T) :- {number}(W,T,N), {_place(t, scope, "T")}, {alive}(W,U),
    {_place(t, scope, "U")}, {number}(W,U,M), {related}."""


def _measured(t: Definitions, measure: str) -> str:
    """A number of each turn, as in `grl.rules.features.turns.measure_of`."""
    t.numbers()
    if measure == "distance":
        t.needs |= {"start", "end"}
        t.define(
            "apart_by",
            "How far squares are apart, in files or ranks, whichever is more.",
            """
            apart_by(S,R,|A-X|) :- square(S,X,Y), square(R,A,B), |B-Y| <= |A-X|.
            apart_by(S,R,|B-Y|) :- square(S,X,Y), square(R,A,B), |A-X| < |B-Y|.
            """,
        )
        return t.define(
            "distance", "", "distance(W,T,N) :- start(W,T,1,S), end(W,T,1,R), apart_by(S,R,N)."
        )
    t.seen()
    t.needs.add(measure)
    plain = f"{measure}_rank"
    return t.define(plain, "", f"{plain}(W,T,Y) :- {measure}(W,T,1,S), mover(W,M), seen(M,S,_,Y).")


def _prefix(t: Definitions, name: str, alive: str) -> str:
    t.needs.add("part")
    return f"{name}(W,T) :- option(W,T), {alive}(W,U), part(W,U,T)."


TURNS: Final[dict[str, Definer]] = {
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
    **TERM_RULES,
    "exposed": _exposed,
    "formed": _formed,
    "echo": _echo,
    "before": _before,
    "after": _after,
    "midway": _midway,
    "and": _and,
    "otherwise": _otherwise,
}
RELATIVE: Final[dict[str, Definer]] = {
    "rival_has": _rival_has,
    "rival_lacks": _rival_lacks,
    "more": _more,
    "beyond": _beyond,
    "prefix": _prefix,
}
