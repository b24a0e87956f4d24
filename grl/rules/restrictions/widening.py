"""Tables and zones of rules completed from all records.

Both are read off few turns (`grl.rules.search.tables`, `grl.rules.search.zones`) and lack pairs, or
squares, that these hardly show. Those join that turns have which the rest of the rule covers, where
records show several such turns and none that is legal. Rules that stood in for a missing one are
needless then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from grl.board import Board
from grl.errors import ModelError
from grl.logic.contents import contents_of, owner_in
from grl.logic.ops import known_term
from grl.logic.ops.shapes import named, places_in
from grl.logic.ops.tables import MATCHED
from grl.logic.terms import Table, Term, literals_of, make
from grl.model import Literal, Rule
from grl.rules.features.terms import with_term
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.theory import FEW


class _Part(NamedTuple):
    """A table or a zone in a literal of a rule: its pairs or squares, and others of the kind."""

    place: int
    term: Term
    known: Sequence[Any]
    others: Sequence[Any]
    made: Callable[[tuple[Any, ...]], Term]

    def among(self, rule: Rule, some: Sequence[Any], every: Sequence[Any]) -> Rule:
        """The rule with some pairs or squares in this literal, and others wherever else it names
        the same."""
        body = tuple(
            Literal(with_term(feature, self.term, self.made(tuple(sorted(asked)))), holds)
            for place, (feature, holds) in enumerate(rule.body)
            for asked in (some if place == self.place else every,)
        )
        return replace(rule, body=body)


def widened(survey: Survey, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules, with tables and zones that have all pairs and squares of which the records show
    that they belong."""
    found = tuple(rules)
    for number in range(len(found)):
        for part in list(_parts(survey, found[number])):
            found = _completed(survey, found, number, part)
    return found


def _completed(
    survey: Survey, rules: tuple[Rule, ...], number: int, part: _Part
) -> tuple[Rule, ...]:
    """The rules with a larger table or zone in one, unless that forbids a legal turn."""
    rule = rules[number]
    try:
        single = [part.among(rule, [each], [*part.known, each]) for each in part.others]
    except ModelError:  # It would be too large.
        return rules
    counts = survey.counted([*rules[:number], *single])[number:]
    more = [
        each
        for each, (support, against) in zip(part.others, counts, strict=True)
        if support >= FEW and not against
    ]
    if not more:
        return rules
    every = [*part.known, *more]
    try:
        larger = part.among(rule, every, every)
    except ModelError:
        return rules
    wider = (*rules[:number], larger, *rules[number + 1 :])
    _, before = survey.counted(rules)[number]
    _, after = survey.counted(wider)[number]
    return wider if after <= before else rules


def _parts(survey: Survey, rule: Rule) -> Iterator[_Part]:
    """The tables and zones of which a rule asks whether turns have them."""
    contents = contents_of(survey.setting.equipment)
    for place, (feature, holds) in enumerate(rule.body):
        if feature[:2] != ("some", "before") or not holds:
            continue
        for term, inside in literals_of(known_term(feature[2])):
            zone = places_in(term)
            if inside and term.operator is MATCHED:
                table, one = term.arguments
                assert isinstance(table, tuple)
                assert isinstance(one, Term)
                others = [pair for pair in _alike(table, contents) if pair not in table]
                yield _Part(place, term, table, others, partial(_matched, one))
            elif inside and zone is not None:
                places, seat = zone
                squares = [each for each in _places(survey.setting.board) if each not in places]
                yield _Part(place, term, places, squares, partial(named, seat=seat))


def _matched(one: Term, table: Table) -> Term:
    return make(MATCHED, table, one)


def _places(board: Board) -> Iterator[tuple[int, int]]:
    """All squares by file and rank, whichever way a player sees the board."""
    numbers = range(1, max(board.width, board.height) + 1)
    yield from product(numbers, numbers)


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
