"""Tables of rules completed from all records.

A table is read off few turns (`grl.rules.search.tables`) and lacks pairs that these hardly show.
Those join that turns have which the rest of the rule covers, where records show several such turns
and none that is legal. Rules that stood in for a missing pair are needless then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from grl.logic.contents import contents_of, owner_in
from grl.logic.ops import known_term
from grl.logic.ops.sets import BOTH, together
from grl.logic.ops.tables import MATCHED
from grl.logic.terms import Table, Term, make
from grl.model import Literal, Rule
from grl.rules.features.terms import some
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.theory import FEW


def widened(survey: Survey, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules, with tables that have all pairs of which the records show that they belong."""
    found = tuple(rules)
    for number in range(len(found)):
        for place, literal in enumerate(found[number].body):
            parts = _parts(literal)
            if parts is not None:
                found = _completed(survey, found, number, place, *parts)
    return found


def _completed(
    survey: Survey,
    rules: tuple[Rule, ...],
    number: int,
    place: int,
    other: Term,
    one: Term,
    table: Table,
) -> tuple[Rule, ...]:
    """The rules with a larger table in one literal, unless that forbids a legal turn."""

    def with_table(pairs: Sequence[tuple[str, str]]) -> Rule:
        term = together(other, make(MATCHED, tuple(sorted(pairs)), one))
        body = list(rules[number].body)
        body[place] = Literal(some("before", term), True)
        return replace(rules[number], body=tuple(body))

    contents = contents_of(survey.setting.equipment)
    fresh = [pair for pair in _alike(table, contents) if pair not in table]
    single = [with_table([pair]) for pair in fresh]
    counts = survey.counted([*rules[:number], *single])[number:]
    more = [
        pair
        for pair, (support, against) in zip(fresh, counts, strict=True)
        if support >= FEW and not against
    ]
    if not more:
        return rules
    wider = (*rules[:number], with_table([*table, *more]), *rules[number + 1 :])
    _, before = survey.counted(rules)[number]
    _, after = survey.counted(wider)[number]
    return wider if after <= before else rules


def _alike(table: Table, contents: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of pieces of the same owners as those of a table."""

    def owned(content: str, owner: str) -> bool:
        return owner_in(content) == owner and (":" in content or content in seen)

    seen = {content for pair in table for content in pair}
    owners = sorted({(owner_in(one), owner_in(other)) for one, other in table})
    for owner, another in owners:
        yield from product(
            [content for content in contents if owned(content, owner)],
            [content for content in contents if owned(content, another)],
        )


def _parts(literal: Literal) -> tuple[Term, Term, Table] | None:
    """The squares that a literal asks, the one that the table is about, and the table."""
    if literal.feature[0] != "some" or literal.feature[1] != "before" or not literal.holds:
        return None
    term = known_term(literal.feature[2])
    if term.operator is not BOTH:
        return None
    other, matched = term.arguments
    if not isinstance(matched, Term) or matched.operator is not MATCHED:
        return None
    table, one = matched.arguments
    assert isinstance(other, Term)
    assert isinstance(one, Term)
    assert isinstance(table, tuple)
    return other, one, table
