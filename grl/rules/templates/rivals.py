"""Relations between turns: what a turn has and another one, its rival, lacks.

A rival is a turn of the same position (scope ``any``), from the same square (``start``), or with
the same first segment (``first``), that is still alive when it is asked: that no earlier rule has
forbidden.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from grl.logic.grid import Bools, Indices
from grl.model import Feature
from grl.rules.features.relations import BEGINNINGS, LEAST, MEASURES, SCOPES, Rivals, has
from grl.rules.templates import sorts
from grl.rules.templates.letters import exchange, fewer
from grl.rules.templates.template import Phrases, Template
from grl.rules.templates.writers import Definitions, English, Relations

SCOPE: Final = sorts.words("scope", *SCOPES)
MEASURE: Final = sorts.words("measure", *MEASURES)
BEGINNING: Final = sorts.words("beginning", *BEGINNINGS)
THAN: Final = sorts.words("direction", "more", "less")
_AMONG: Final = {
    "any": "",
    "start": " from the same square",
    "first": " with the same first segment",
}


class Contest(NamedTuple):
    """A relation in C: some number of a living rival lies above the turn's own.

    `value` is the body of a function for that number, LEAST where there is none, which is at most
    `most`; `before` are lines that come before.
    """

    value: str
    most: str = "2147483647"
    before: str = ""


def _unlike(scope: str, clause: str) -> Phrases:
    text = f"{clause}, unlike another legal turn{_AMONG[scope]}"
    return text, f"it is not so that {text}"


def _another(scope: str, does: str) -> Phrases:
    turn = f"legal turn{_AMONG[scope]}"
    return f"another {turn} {does}", f"no {turn} {does}"


def _place(asp: Definitions, scope: str, turn: str) -> str:
    """The literal: what rivals in a scope share; P is where `turn` begins, or how."""
    if scope == "any":
        return f"option(W,{turn})"
    if scope == "start":
        asp.needs.add("start")
        return f"start(W,{turn},1,P)"
    asp.needs.add("opening")
    return f"opening(W,{turn},P)"


def _contrast(
    asp: Definitions, name: str, alive: str, scope: str, feature: Feature, *, lacks: bool
) -> str:
    """Rules for what holds of a turn and of no rival, or the reverse."""
    inner = asp.turn(feature, alive)
    key = "W" if scope == "any" else "W,P"
    rival, own = ("not ", "") if lacks else ("", "not ")
    return f"""{name}_some({key}) :- {alive}(W,U), {rival}{inner}(W,U), {_place(asp, scope, "U")}.
{name}(W,T) :- {name}_some({key}), {_place(asp, scope, "T")}, {own}{inner}(W,T)."""


def _has_phrases(say: English, scope: str, feature: Feature) -> Phrases:
    if feature[0] == "and":
        other = f"legal turn{_AMONG[scope]} it is true, unlike of this one, that"
        both = say.turn(feature, True)
        return f"of another {other} {both}", f"of no {other} {both}"
    return _unlike(scope, say.turn(feature, False))


def _contrasting(name: str, phrases: Callable[..., Phrases], *, lacks: bool) -> Template:
    return Template(
        name,
        (SCOPE, sorts.TURN),
        evaluate=lambda rivals, alive, scope, column: has(
            column, rivals.groups(scope), alive, lacks=lacks
        ),
        phrases=phrases,
        rules=lambda *arguments: _contrast(*arguments, lacks=lacks),
        code=lambda c, scope, feature: c.contrast(feature, lacks=lacks),
    )


RIVAL_HAS = _contrasting("rival_has", _has_phrases, lacks=False)
"""The turn lacks a feature that a rival has."""
RIVAL_LACKS = _contrasting(
    "rival_lacks",
    lambda say, scope, feature: _unlike(scope, say.turn(feature, True)),
    lacks=True,
)
"""The turn has a feature that a rival lacks."""


def _more_rules(asp: Definitions, name: str, alive: str, scope: str, what: str) -> str:
    lost, gained = exchange(asp, what)
    asp.numbers()
    asp.define("minus", "", "minus(A,B,A-B) :- number(A), number(B).")
    net = asp.define(
        f"{asp.names.content(what)}_net",
        "",
        f"{asp.names.content(what)}_net(W,T,N) :- {lost}(W,T,L), {gained}(W,T,G), minus(L,G,N).",
    )
    return f"""{name}(W,T) :- {net}(W,T,N), {_place(asp, scope, "T")}, {alive}(W,U),
    {_place(asp, scope, "U")}, {net}(W,U,M), N < M."""


MORE = Template(
    "more",
    (SCOPE, sorts.CONTENT),
    evaluate=lambda rivals, alive, scope, what: rivals.above(scope, rivals.taken(what), alive),
    phrases=lambda say, scope, what: _another(scope, f"takes more {say.things(what)}"),
    rules=_more_rules,
    code=lambda c, scope, what: Contest(f"return {fewer(c.source, what)};"),
)
"""A rival takes more of `what`."""
_DOES: Final = {
    ("start", "less"): "begins on a lower rank",
    ("start", "more"): "begins on a higher rank",
    ("end", "less"): "ends its first segment on a lower rank",
    ("end", "more"): "ends its first segment on a higher rank",
    ("distance", "less"): "goes less far",
    ("distance", "more"): "goes farther",
}


def _beyond(rivals: Rivals, alive: Bools, scope: str, measure: str, than: str) -> Bools:
    numbers = rivals.measure(measure)
    if than == "less":
        numbers = np.where(numbers == LEAST, LEAST, -numbers)
    return rivals.above(scope, numbers, alive)


def _beyond_rules(
    asp: Definitions, name: str, alive: str, scope: str, measure: str, than: str
) -> str:
    number = _measured(asp, measure)
    related = "N < M" if than == "more" else "M < N"
    return f"""{name}(W,T) :- {number}(W,T,N), {_place(asp, scope, "T")}, {alive}(W,U),
    {_place(asp, scope, "U")}, {number}(W,U,M), {related}."""


def _measured(asp: Definitions, measure: str) -> str:
    """A number of each turn, as `Rivals.measure` has it."""
    asp.numbers()
    if measure == "distance":
        asp.needs |= {"start", "end"}
        asp.define(
            "apart_by",
            "How far squares are apart, in files or ranks, whichever is more.",
            """
            apart_by(S,R,|A-X|) :- square(S,X,Y), square(R,A,B), |B-Y| <= |A-X|.
            apart_by(S,R,|B-Y|) :- square(S,X,Y), square(R,A,B), |A-X| < |B-Y|.
            """,
        )
        return asp.define(
            "distance", "", "distance(W,T,N) :- start(W,T,1,S), end(W,T,1,R), apart_by(S,R,N)."
        )
    asp.seen()
    asp.needs.add(measure)
    plain = f"{measure}_rank"
    return asp.define(
        plain, "", f"{plain}(W,T,Y) :- {measure}(W,T,1,S), mover(W,M), seen(M,S,_,Y)."
    )


def _beyond_code(c: Relations, scope: str, measure: str, than: str) -> Contest:
    width = c.source.setting.board.width
    lines = [
        f"int start = {c.source.start}, end = {c.source.end}, v;",
        "if (start == NONE) return LEAST;",
    ]
    if measure == "distance":
        lines += [
            f"int x = end % {width} - start % {width}, y = end / {width} - start / {width};",
            "x = x < 0 ? -x : x, y = y < 0 ? -y : y;",
            "v = x > y ? x : y;",
        ]
    else:
        lines.append(f"v = {c.source.rank(c.source.mover, measure)}; (void)end;")
    lines.append(f"return {'-' if than == 'less' else ''}v;")
    return Contest("\n  ".join(lines))


BEYOND = Template(
    "beyond",
    (SCOPE, MEASURE, THAN),
    evaluate=_beyond,
    phrases=lambda say, scope, measure, than: _another(scope, _DOES[measure, than]),
    rules=_beyond_rules,
    code=_beyond_code,
)
"""A measure of a rival is ``more``, or ``less``, than that of the turn."""


def _begins_some(pairs: tuple[Indices, Indices], alive: Bools) -> Bools:
    """Which turns are the first of a pair with a living rival."""
    ones, others = pairs
    found = np.zeros(len(alive), dtype=np.bool_)
    found[ones[alive[others]]] = True
    return found


def _prefix_rules(asp: Definitions, name: str, alive: str) -> str:
    asp.needs |= {"part", "longer"}
    return f"{name}(W,T) :- option(W,T), {alive}(W,U), longer(W,U,T)."


PREFIX = Template(
    "prefix",
    (),
    evaluate=lambda rivals, alive: _begins_some(rivals.goes_on, alive),
    phrases=lambda say: (
        "a legal turn begins as it does and goes on",
        "no legal turn goes on after it",
    ),
    rules=_prefix_rules,
    code=lambda c: None,
)
"""A rival begins with all that is chosen in the turn and goes on."""


def _further_rules(asp: Definitions, name: str, alive: str, begins: str) -> str:
    asp.needs.add("meets")
    asp.define("meets_so_many", "", "meets_so_many(W,T,N) :- meets(W,T,N,S).")
    more = "meets(W,U,N,S), not meets_so_many(W,T,N)"
    if begins == "letters":
        asp.needs |= {"part", "longer"}
        return f"{name}(W,T) :- option(W,T), {alive}(W,U), longer(W,U,T), {more}."
    asp.needs.add("start")
    asp.define(
        "turns_aside",
        "T comes to a piece where U, from the same square, comes to none or to another one.",
        """
        turns_aside(W,T,U) :- meets(W,T,N,S), start(W,T,1,P), start(W,U,1,P), not meets(W,U,N,S).
        """,
    )
    return f"""{name}(W,T) :- start(W,T,1,P), start(W,U,1,P), {alive}(W,U), {more},
    not turns_aside(W,T,U)."""


_FURTHER: Final = {
    "letters": "begins as it does and comes to more pieces",
    "pieces": "from the same square comes to the same pieces in turn, and then to more",
}
FURTHER = Template(
    "further",
    (BEGINNING,),
    evaluate=lambda rivals, alive, begins: _begins_some(rivals.comes_to_more(begins), alive),
    phrases=lambda say, begins: (
        f"a legal turn {_FURTHER[begins]}",
        f"no legal turn {_FURTHER[begins]}",
    ),
    rules=_further_rules,
    code=lambda c, begins: None,
)
"""A rival begins with all that is chosen in the turn, or comes from the same square to the pieces
that the turn comes to, in their order; and then it comes to more."""
OF_RIVALS = (RIVAL_HAS, RIVAL_LACKS, MORE, BEYOND, PREFIX, FURTHER)
