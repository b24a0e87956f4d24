"""Restrictions that decide with a turn's first segment whether it may go on.

Such a rule forbids all that goes on from there, whatever follows: the turns from that origin need
no walk on account of it. It must come before all relations, which would still have seen as rivals
the turns that it forbids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grl.board import EMPTY
from grl.engine.graph import Graph
from grl.engine.literals import GEOMETRIC
from grl.logic.contents import keys_of
from grl.logic.terms import Term
from grl.model import Literal, Model, Rules
from grl.rules.features.levels import asks
from grl.rules.features.terms import TERM_TEMPLATES, terms_in
from grl.rules.templates import RELATIONS
from grl.rules.templates.template import RELATED
from grl.turn import Letter

WHOLE = GEOMETRIC | {"lies", "lined"}
"""Operators whose values after a turn rest on the shape of the board and on what lies there."""


def deciding(
    model: Model, rules: Rules, graph: Graph, letters: Sequence[Letter]
) -> Iterator[tuple[int, tuple[Literal, ...]]]:
    """What rules, by number, ask of the first segment of a player's turns that go on: where all
    literals of one rule hold, no such turn is legal."""
    changed = _changed(graph, letters)
    for number, rule in enumerate(rules.restrictions):
        if any(each.feature[0] in RELATIONS or asks(each.feature) for each in rule.body):
            return
        asked: list[Literal] = []
        for literal in rule.body:
            early = _early(model, graph, changed, literal)
            if early is None:
                break
            asked += early
        else:
            yield number, tuple(asked)


def _changed(graph: Graph, letters: Sequence[Letter]) -> frozenset[str] | None:
    """The contents that later segments remove or leave; None where that may be any."""
    found = {EMPTY}
    for node in graph.nodes:
        for edge in node.edges if node.done else ():
            if not letters[edge.letter].removes or edge.keys is None:
                return None
            found |= edge.keys
    return frozenset(found)


def _early(
    model: Model, graph: Graph, changed: frozenset[str] | None, literal: Literal
) -> tuple[Literal, ...] | None:
    """A literal as one on the first segment: none where turns that go on always have it, None where
    more than that segment decides."""
    feature, holds = literal
    name, *arguments = feature
    if name == "segments":
        op, number = arguments
        numbers = range(2, model.segments + 1)
        return () if all(RELATED[op](n, number) == holds for n in numbers) else None
    if name in ("before", "midway", "moves", "opens"):
        return (literal,)
    if name in TERM_TEMPLATES and all(speaks_of_first(term) for term in terms_in(feature)):
        if arguments[0] == "before":
            return (literal,)
        kept = all(_kept(model, graph, changed, term) for term in terms_in(feature))
        return (literal,) if arguments[0] == "after" and kept else None
    return None


def speaks_of_first(term: Term) -> bool:
    """Whether a term asks for squares of the first segment alone."""
    roles = [str(x.arguments[0]) for x in term.terms() if x.operator.name == "square"]
    return all(not role[-1].isdigit() or role[-1] == "1" for role in roles)


def _kept(model: Model, graph: Graph, changed: frozenset[str] | None, term: Term) -> bool:
    """Whether later segments leave a term's value as it is."""
    parts = list(term.terms())
    if changed is None or not all(each.operator.name in WHOLE for each in parts):
        return False
    contents = [str(each.arguments[0]) for each in parts if each.operator.name == "lies"]
    return not any(keys_of(model.equipment, graph.player, each) & changed for each in contents)
