"""Whether pieces form a group."""

from __future__ import annotations

from grl.logic.english import ADJACENT
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.templates import sorts
from grl.rules.templates.template import Phrases, PositionTest, Template
from grl.rules.templates.writers import Definitions, English, Source


def _group(setting: Setting, what: str, adjacency: str) -> PositionTest:
    near = setting.near[adjacency]

    def test(case: PositionCase) -> bool:
        bits = case.bits(what)
        return bool(bits) and setting.spread(bits & -bits, bits, near) == bits

    return test


def _group_phrases(say: English, what: str, adjacency: str) -> Phrases:
    things = say.things(what)
    shape = f"single group, adjacent {ADJACENT[adjacency]}"
    return f"all {things} form a {shape}", f"the {things} don't form a {shape}"


def _group_rules(asp: Definitions, name: str, what: str, adjacency: str) -> str:
    near = asp.near(adjacency)
    asp.follows()
    return f"""{name}_later(W,S) :- follows(S,R), {asp.on(what, "W", "R")}.
{name}_later(W,S) :- follows(S,R), {name}_later(W,R).
{name}_from(W,S) :- {asp.on(what, "W", "S")}, not {name}_later(W,S).
{name}_from(W,R) :- {name}_from(W,S), {near}(S,R), {asp.on(what, "W", "R")}.
{name}_not(W) :- {asp.on(what, "W", "S")}, not {name}_from(W,S).
{name}(W) :- {name}_from(W,_), not {name}_not(W)."""


def _group_code(c: Source, what: str, adjacency: str) -> str:
    spread = c.spread(adjacency)
    near = c.setting.near[adjacency]
    mutual = all(
        near[target] >> (c.setting.size - 1 - square) & 1
        for square, mask in enumerate(near)
        for target in c.setting.members(mask)
    )
    lines = [f"Set all = {c.on(what)}, rest = all;", "if (!set_any(all)) return 0;"]
    if not mutual:  # from which square chains begin then makes a difference: from the last one
        lines.append("while (set_any(set_rest(rest))) rest = set_rest(rest);")
    lines.append(f"return set_same({spread}(set_of(set_first(rest)), all), all);")
    return "\n  ".join(lines)


GROUP = Template(
    "group",
    (sorts.CONTENT, sorts.ADJACENCY),
    evaluate=_group,
    phrases=_group_phrases,
    rules=_group_rules,
    code=_group_code,
    effort=4,
)
"""Whether all `what`, at least one, form a single group."""
OF_POSITIONS = (GROUP,)
