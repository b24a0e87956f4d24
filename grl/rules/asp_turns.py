"""The templates of features of turns and of rival turns in ASP, as in `grl.rules.turn_features`."""

from __future__ import annotations

from typing import Final

from grl.logic.geometry import AXES
from grl.rules.asp_telling import AXIS_NAMES, Tell, Telling
from grl.rules.cases import FIRST_OF
from grl.rules.position_features import LINES


def role(t: Telling, square: str, turn: str = "T") -> str:
    """The literal: S plays a role of a turn."""
    if square in FIRST_OF:
        t.needs.add(square)
        return f"{square}(W,{turn},S)"
    sort = "start" if square[0] == "s" else "end"
    t.needs.add(sort)
    return f"{sort}(W,{turn},{square[-1]},S)"


def _holds(t: Telling, what: str, when: str, square: str) -> str:
    return t.on(what, "W", square) if when == "before" else t.left(what, "W", "T", square)


def _moves(t: Telling, name: str, what: str) -> str:
    return f"{name}(W,T) :- {role(t, 'start1')}, {t.on(what, 'W', 'S')}."


def _takes(t: Telling, name: str, what: str) -> str:
    lost, gained = _exchange(t, what)
    return f"{name}(W,T) :- {lost}(W,T,N), {gained}(W,T,M), M < N."


def _exchange(t: Telling, what: str) -> tuple[str, str]:
    """How many of the squares that a turn touches held `what`, and how many hold it now."""
    plain = t.names.what(what)
    lost = t.tally(f"{plain}_lost", "W,T", "option(W,T)", f"{_both(t, what, 'held')}(W,T,S)")
    gained = t.tally(f"{plain}_gained", "W,T", "option(W,T)", f"{_both(t, what, 'put')}(W,T,S)")
    return lost, gained


def _both(t: Telling, what: str, when: str) -> str:
    name = f"{t.names.what(what)}_{when}"
    if when == "held":
        rule = f"{name}(W,T,S) :- altered(W,T,S), {t.on(what, 'W', 'S')}."
    else:
        rule = f"{name}(W,T,S) :- changed(W,T,S,C), mover(W,M), {t.of(what, 'M', 'C')}."
    return t.define(name, "", rule)


def _appears(t: Telling, name: str, what: str) -> str:
    t.needs.add("letter")
    return f"{name}(W,T) :- letter(W,T,appear(C)), mover(W,M), {t.of(what, 'M', 'C')}."


def _letter(t: Telling, name: str, kind: str) -> str:
    t.needs |= {"letter", "kind"}
    return f"{name}(W,T) :- letter(W,T,L), kind(L,{kind})."


def _opens(t: Telling, name: str, kind: str) -> str:
    t.needs |= {"lead", "kind"}
    only = "" if kind == "fly" else ", not kind(L,fly)"
    return f"{name}(W,T) :- lead(W,T,L), kind(L,{kind}){only}."


def _segments(t: Telling, name: str, op: str, number: int) -> str:
    t.needs.add("segments")
    return f"{name}(W,T) :- option(W,T), segments(W,T,N), {t.related('N', op, number)}."


def _steps(t: Telling, name: str, op: str, number: int) -> str:
    t.needs.add("steps")
    return f"{name}(W,T) :- option(W,T), steps(W,T,N), {t.related('N', op, number)}."


def _ends(t: Telling) -> str:
    t.needs |= {"start", "end"}
    return "start(W,T,1,S), end(W,T,1,R), mover(W,M)"


def _heading(t: Telling, name: str, way: str) -> str:
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


def _shift(t: Telling, name: str, dx: int, dy: int) -> str:
    return f"{name}(W,T) :- {_ends(t)}, {t.shifted(dx, dy)}(M,S,R)."


def _at(t: Telling, name: str, square: str, line: str, op: str, number: int) -> str:
    there = f"mover(W,M), {t.at('M', 'S', line, 'N')}, {t.related('N', op, number)}"
    return f"{name}(W,T) :- {role(t, square)}, {there}."


def _near(
    t: Telling, name: str, square: str, view: str, dx: int, dy: int, what: str, when: str
) -> str:
    if view == "seen":
        t.seen()
        plain = f"toward_{dx}_{dy}".replace("-", "m")
        t.define(
            plain,
            f"The square {dx} files and {dy} ranks away, as each player sees it.",
            f"{plain}(M,S,R) :- seen(M,S,X,Y), seen(M,R,X+{dx},Y+{dy}).",
        )
        way = f"{plain}(M,S,R)"
    else:
        way = f"{t.away(dx, dy)}(S,{dx},{dy},R)"
    if what == "#":
        inside = f"{name}_inside(W,T) :- {role(t, square)}, mover(W,M), {way}."
        return f"{name}(W,T) :- {role(t, square)}, not {name}_inside(W,T).\n{inside}"
    return f"{name}(W,T) :- {role(t, square)}, mover(W,M), {way}, {_holds(t, what, when, 'R')}."


def _touches(t: Telling, name: str, square: str, adjacency: str, what: str, when: str) -> str:
    near = t.near(adjacency)
    return f"{name}(W,T) :- {role(t, square)}, {near}(S,R), {_holds(t, what, when, 'R')}."


def _beside(t: Telling, name: str, square: str, adjacency: str) -> str:
    t.needs.add("start")
    return f"{name}(W,T) :- {role(t, square)}, start(W,T,1,R), {t.near(adjacency)}(R,S)."


def _apart(t: Telling, name: str, square: str, other: str, dx: int, dy: int) -> str:
    there = f"{role(t, other).removesuffix('S)')}R)"
    return f"{name}(W,T) :- {role(t, square)}, {there}, {t.away(dx, dy)}(S,{dx},{dy},R)."


def _line(t: Telling, name: str, square: str, what: str, length: int, when: str) -> str:
    """A rule for each place that the square can have in the line."""
    t.lines()
    rules = []
    for ahead in range(length):
        body = [_holds(t, what, when, "S")]
        for relation, number in (("ahead", ahead), ("behind", length - 1 - ahead)):
            here = "S"
            for step in range(1, number + 1):
                there = f"{relation[0].upper()}{step}"
                body += [f"{relation}({here},X,{there})", _holds(t, what, when, there)]
                here = there
        rules.append(f"{name}(W,T) :- {role(t, square)}, {', '.join(body)}.")
    return "\n".join(rules)


def _along(t: Telling, name: str, square: str, lines: str, what: str, least: int, when: str) -> str:
    _inline(t)
    axes = "; ".join(AXIS_NAMES[AXES[axis]] for axis in LINES[lines])
    t.define(f"{lines}_axis", "", f"{lines}_axis({axes}).")
    here = f"{role(t, square).removesuffix('S)')}P)"
    t.define(f"{name}_at", "", f"{name}_at(W,T,P,A) :- {here}, {lines}_axis(A).")
    held = f"{name}_at(W,T,P,A), inline(P,A,S), {_holds(t, what, when, 'S')}"
    t.define(f"{name}_in", "", f"{name}_in(W,T,P,A,S) :- {held}.")
    number = t.tally(f"{name}_number", "W,T,P,A", f"{name}_at(W,T,P,A)", f"{name}_in(W,T,P,A,S)")
    return f"{name}(W,T) :- {number}(W,T,P,A,N), {t.related(str(least - 1), '<', 'N')}."


def _inline(t: Telling) -> None:
    """Squares in a line with each other."""
    t.lines()
    t.define(
        "inline",
        "Squares in a line with each other.",
        """
        front(S,A,T) :- ahead(S,A,T).
        front(S,A,T) :- front(S,A,R), ahead(R,A,T), S != T.
        back(S,A,T) :- behind(S,A,T).
        back(S,A,T) :- back(S,A,R), behind(R,A,T), S != T.
        inline(S,A,T) :- front(S,A,T).
        inline(S,A,T) :- back(S,A,T).
        """,
    )


def _onward(t: Telling, name: str, side: str, what: str, when: str) -> str:
    way = _beyond_it(t, side)
    if what == "#":
        inside = f"{name}_inside(W,T) :- {way}."
        return f"{name}(W,T) :- option(W,T), not {name}_inside(W,T).\n{inside}"
    return f"{name}(W,T) :- {way}, {_holds(t, what, when, 'Q')}."


def _onto(t: Telling, name: str, side: str, square: str) -> str:
    there = f"{role(t, square).removesuffix('S)')}Q)"
    return f"{name}(W,T) :- {_beyond_it(t, side)}, {there}."


def _beyond_it(t: Telling, side: str) -> str:
    """The literals: Q is the next square in a turn's direction, or the one behind its start."""
    t.bearing()
    t.define(
        "onward",
        "The next square in the direction from one to another.",
        "onward(S,R,Q) :- bearing(S,R,X,Y), square(R,A,B), square(Q,A+X,B+Y).",
    )
    t.needs |= {"start", "end"}
    ends = "S,R" if side == "ahead" else "R,S"
    return f"start(W,T,1,S), end(W,T,1,R), onward({ends},Q)"


def _exposed(t: Telling, name: str, square: str) -> str:
    t.needs |= {"after", "reply 0"}
    seen = "seen(after(W,T),0)"
    return f"""{name}(W,T) :- {role(t, square)}, reply_turn({seen},U), reply_changed({seen},U,S,C),
    not cell(after(W,T),S,C)."""


def _formed(t: Telling, name: str, square: str, cells: tuple[tuple[int, int, str], ...]) -> str:
    """A rule for each place that the square can have in the pattern."""
    rules = []
    for here, (x, y, _) in enumerate(cells):
        body = []
        for number, (dx, dy, what) in enumerate(cells):
            there = "S" if number == here else f"S{number}"
            if there != "S":
                body.append(f"{t.away(dx - x, dy - y)}(S,{dx - x},{dy - y},{there})")
            body.append(_holds(t, what, "after", there))
        rules.append(f"{name}(W,T) :- {role(t, square)}, {', '.join(body)}.")
    return "\n".join(rules)


def _population(t: Telling, name: str, op: str) -> str:
    """The line is the one along which start and end lie."""
    _inline(t)
    t.needs.add("steps")
    ends = _ends(t).removesuffix(", mover(W,M)")
    t.define("line_of", "", "line_of(W,S,A) :- position(W), square(S,_,_), inline(S,A,_).")
    t.define(
        "peopled", "", "peopled(W,S,A,R) :- line_of(W,S,A), inline(S,A,R), cell(W,R,C), C != empty."
    )
    others = _tally_along(t)
    return f"""{name}(W,T) :- option(W,T), {ends}, S != R, inline(S,A,R), {others}(W,S,A,N),
    succ(N,M), steps(W,T,K), {t.related("K", op, "M")}."""


def _tally_along(t: Telling) -> str:
    name = "on_line"
    if not t.chains:
        return t.define(
            name, "", f"{name}(W,S,A,N) :- line_of(W,S,A), N = #count{{R : peopled(W,S,A,R)}}."
        )
    t.follows()
    squares = [t.names.squares[s] for s in t.setting.board.squares]
    first, last = squares[0], squares[-1]
    return t.define(
        name,
        "",
        f"""
        {name}_upto(W,S,A,{first},0) :- line_of(W,S,A), not peopled(W,S,A,{first}).
        {name}_upto(W,S,A,{first},1) :- peopled(W,S,A,{first}).
        {name}_upto(W,S,A,P,N) :- {name}_upto(W,S,A,R,N), follows(R,P), not peopled(W,S,A,P).
        {name}_upto(W,S,A,P,K) :- {name}_upto(W,S,A,R,N), follows(R,P), succ(N,K),
            peopled(W,S,A,P).
        {name}(W,S,A,N) :- {name}_upto(W,S,A,{last},N).
        """,
    )


def _moved(t: Telling, name: str, square: str) -> str:
    t.needs.add("moved")
    return f"{name}(W,T) :- {role(t, square)}, moved(W,S)."


def _same(t: Telling, name: str, square: str, last: str) -> str:
    t.needs |= {f"last {last}", last.removesuffix("1")}
    return f"{name}(W,T) :- {role(t, square)}, last(W,{last},S)."


def _beside_last(t: Telling, name: str, square: str, last: str, adjacency: str) -> str:
    t.needs |= {f"last {last}", last.removesuffix("1")}
    return f"{name}(W,T) :- {role(t, square)}, last(W,{last},R), {t.near(adjacency)}(R,S)."


def _echo(t: Telling, name: str, sense: str) -> str:
    t.needs |= {"last start1", "last end1", "start", "end"}
    t.bearing()
    last = "A,B" if sense == "same" else "B,A"
    return f"""{name}(W,T) :- start(W,T,1,S), end(W,T,1,R), bearing(S,R,X,Y), last(W,start1,A),
    last(W,end1,B), bearing({last},X,Y)."""


def _breathless(t: Telling, name: str, square: str, adjacency: str) -> str:
    near = t.near(adjacency)
    own, empty = (t.left(what, "W", "T", "R") for what in ("0*", "."))
    return f"""{name}_group(W,T,S) :- {role(t, square)}, {t.left("0*", "W", "T", "S")}.
{name}_group(W,T,R) :- {name}_group(W,T,S), {near}(S,R), {own}.
{name}_free(W,T) :- {name}_group(W,T,S), {near}(S,R), {empty}.
{name}(W,T) :- {name}_group(W,T,_), not {name}_free(W,T)."""


def _before(t: Telling, name: str, feature: tuple[object, ...]) -> str:
    return f"{name}(W,T) :- option(W,T), {t.position(feature)}(W)."


def _after(t: Telling, name: str, feature: tuple[object, ...]) -> str:
    if feature[0] == "stuck":
        return _stuck_after(t, name, int(str(feature[1])))
    t.needs.add("after")
    inner = t.position(feature)
    return f"{name}(W,T) :- option(W,T), {inner}(after(W,T))."


def _stuck_after(t: Telling, name: str, seat: int) -> str:
    """Asked of the turn that is played: all rules have to be applied to the position it leaves."""
    t.needs.add(f"later {seat}")
    return f"{name}(now,T) :- does(M,T), option(now,T), not later_able(seat({seat}))."


# Relations between rival turns -----------------------------------------------------------------


def _place(t: Telling, scope: str, turn: str) -> str:
    """The literal: what rivals in a scope share; P is where `turn` begins, or how."""
    if scope == "any":
        return f"option(W,{turn})"
    if scope == "start":
        t.needs.add("start")
        return f"start(W,{turn},1,P)"
    t.needs.add("opening")
    return f"opening(W,{turn},P)"


def _rival_has(t: Telling, name: str, alive: str, scope: str, feature: tuple[object, ...]) -> str:
    inner = t.turn(feature, alive)
    key = "W" if scope == "any" else "W,P"
    return f"""{name}_some({key}) :- {alive}(W,U), {inner}(W,U), {_place(t, scope, "U")}.
{name}(W,T) :- {name}_some({key}), {_place(t, scope, "T")}, not {inner}(W,T)."""


def _rival_lacks(t: Telling, name: str, alive: str, scope: str, feature: tuple[object, ...]) -> str:
    inner = t.turn(feature, alive)
    key = "W" if scope == "any" else "W,P"
    return f"""{name}_some({key}) :- {alive}(W,U), not {inner}(W,U), {_place(t, scope, "U")}.
{name}(W,T) :- {name}_some({key}), {_place(t, scope, "T")}, {inner}(W,T)."""


def _more(t: Telling, name: str, alive: str, scope: str, what: str) -> str:
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


def _beyond(t: Telling, name: str, alive: str, scope: str, measure: str, sense: str) -> str:
    number = _measured(t, measure)
    related = "N < M" if sense == "more" else "M < N"
    return f"""{name}(W,T) :- {number}(W,T,N), {_place(t, scope, "T")}, {alive}(W,U),
    {_place(t, scope, "U")}, {number}(W,U,M), {related}."""


def _measured(t: Telling, measure: str) -> str:
    """A number of each turn, as in `grl.rules.turn_features.measure_of`."""
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


def _prefix(t: Telling, name: str, alive: str) -> str:
    t.needs.add("part")
    return f"{name}(W,T) :- option(W,T), {alive}(W,U), part(W,U,T)."


TURNS: Final[dict[str, Tell]] = {
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
}
RELATIVE: Final[dict[str, Tell]] = {
    "rival_has": _rival_has,
    "rival_lacks": _rival_lacks,
    "more": _more,
    "beyond": _beyond,
    "prefix": _prefix,
}
