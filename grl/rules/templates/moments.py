"""Features of positions asked of turns: before, after and midway; and two features at once."""

from __future__ import annotations

from grl.errors import ModelError
from grl.model import Feature
from grl.rules.templates import sorts
from grl.rules.templates.template import Phrases, Template
from grl.rules.templates.writers import Definitions, English, Source

BEFORE = Template(
    "before",
    (sorts.POSITION,),
    evaluate=lambda setting, test: lambda case: test(case.before),
    phrases=lambda say, feature: (
        f"before the turn {say.within('turn', feature, True)}",
        f"before the turn {say.within('turn', feature, False)}",
    ),
    rules=lambda asp, name, feature: f"{name}(W,T) :- option(W,T), {asp.position(feature)}(W).",
    code=lambda c, feature: f"return {c.position(feature)}(&l->before);",
    effort=lambda inner: inner,
)
"""A feature of the position in which the turn is played."""


def _after_rules(asp: Definitions, name: str, feature: Feature) -> str:
    """Who is stuck is asked of the turn that is played: all rules have to be applied to the
    position it leaves."""
    if feature[0] == "stuck":
        asp.needs.add(f"later {feature[1]}")
        return f"{name}(now,T) :- does(M,T), option(now,T), not later_able(seat({feature[1]}))."
    asp.needs.add("after")
    holds = asp.position(feature, "after")
    return f"{name}(W,T) :- option(W,T), {holds}(after(W,T))."


AFTER = Template(
    "after",
    (sorts.POSITION,),
    evaluate=lambda setting, test: lambda case: test(case.after),
    phrases=lambda say, feature: (
        f"after the turn {say.within('after', feature, True)}",
        f"after the turn {say.within('after', feature, False)}",
    ),
    rules=_after_rules,
    code=lambda c, feature: f"return {c.position(feature)}(left_by(l, i));",
    effort=lambda inner: 3 + inner,
)
"""A feature of the position that the turn leaves, the next player in turn order to move."""


def _midway_phrases(say: English, feature: Feature) -> Phrases:
    there = f"at some square on its way {say.within('after', feature, True)}"
    return there, f"it is not so that {there}"


def _midway_rules(asp: Definitions, name: str, feature: Feature) -> str:
    if feature[0] == "stuck":
        raise ModelError(
            "a feature of turns can't be written",
            found="who has no turn where the turn breaks off",
            expected="who has none after it",
        )
    asp.needs |= {"midway", "opening", "part"}
    holds = asp.position(feature, "midway")
    return f"{name}(W,T) :- breaks(W,T,P), {holds}(midway(W,P))."


def _midway_code(c: Source, feature: Feature) -> str:
    c.midway = True
    return (
        "start_midway(l, i);\n"
        f"  for (Case *c; (c = next_midway(l));) if ({c.position(feature)}(c)) return 1;\n"
        "  return 0;"
    )


MIDWAY = Template(
    "midway",
    (sorts.POSITION,),
    evaluate=lambda setting, test: lambda case: any(map(test, case.midway)),
    phrases=_midway_phrases,
    rules=_midway_rules,
    code=_midway_code,
    effort=lambda inner: 5 + inner,
)
"""A feature of what the turn would leave if it broke off within its first segment.

There is such a position after each letter of the segment but the last, seen as that after the
turn is.
"""


def _and_phrases(say: English, feature: Feature, second: Feature) -> Phrases:
    both = f"{say.turn(feature, True)} and {say.turn(second, True)}"
    return both, f"it is not so that {both}"


def _and_code(c: Source, feature: Feature, second: Feature) -> str:
    ordered = sorted((feature, second), key=c.effort)
    return f"return {' && '.join(f'{c.turn(each)}(l, i)' for each in ordered)};"


AND = Template(
    "and",
    (sorts.PLAIN, sorts.PLAIN),
    evaluate=lambda setting, one, other: lambda case: one(case) and other(case),
    phrases=_and_phrases,
    rules=lambda asp, name, feature, second: (
        f"{name}(W,T) :- {asp.turn(feature)}(W,T), {asp.turn(second)}(W,T)."
    ),
    code=_and_code,
    effort=lambda one, other: one + other,
)
"""Whether two features hold, neither of them a relation: what rivals may have together."""
OF_TURNS = (BEFORE, AFTER, MIDWAY, AND)
