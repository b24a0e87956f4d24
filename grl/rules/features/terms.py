"""Features that terms give, as data; what they mean stands in `grl.rules.templates.terms`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from typing import Any, Final

from grl.logic.contents import content_turned
from grl.logic.ops import known_term
from grl.logic.terms import Operator, Term, replaced, turned
from grl.model import Feature

Held = tuple[str, str]
"""Where and what: how many pieces there are in hand, or there and on the board."""
IN_HAND: Final = frozenset({"hand", "all"})
POINTS: Final = "points"
Data = tuple[Any, ...]
"""A term, pieces held, or points, as data."""
TERM_TEMPLATES: Final = frozenset({"some", "size", "sizes", "sum", "sums"})


def some(when: str, term: Term) -> Feature:
    """The feature: a term denotes some square."""
    return ("some", when, term.data)


def size(when: str, what: Term | Held | Data, relation: str, number: int) -> Feature:
    """The feature: a term denotes so many squares, or fewer, or so many pieces are held."""
    return ("size", when, _data(what), relation, number)


def sizes(
    when: str, what: Term | Held | Data, relation: str, other: Term | Held | Data, more: int = 0
) -> Feature:
    """The feature: a term denotes as many squares as another, or fewer; by more than `more`."""
    return ("sizes", when, _data(what), relation, _data(other), *([more] if more else []))


def points(parts: Iterable[tuple[int, Term | Held]]) -> Data:
    """So many for each square or piece of several amounts, together."""
    return (POINTS, *((each, _data(what)) for each, what in parts))


def summands(data: Data) -> tuple[tuple[int, Data], ...]:
    """Of what an amount is the sum, and how much each one of that counts."""
    return data[1:] if data[0] == POINTS else ((1, data),)


def terms_of(data: Data) -> list[Term]:
    """The terms of an amount."""
    return [known_term(what) for _, what in summands(data) if what[0] not in IN_HAND]


def _data(what: Term | Held | Data) -> Data:
    return what.data if isinstance(what, Term) else what


def said_of(data: Data, by: int, players: int) -> Data | None:
    """What an amount that speaks of who looks is for the player so many places later; None where
    there is none."""
    if data[0] == POINTS:
        later = [(each, said_of(what, by, players)) for each, what in summands(data)]
        known = [(each, what) for each, what in later if what is not None]
        return (POINTS, *known) if len(known) == len(later) else None
    if data[0] in IN_HAND:
        content = content_turned(data[1], by, players)
        return None if content is None else (data[0], content)
    term = turned(known_term(data), by, players)
    return None if term is None else term.data


def with_term(feature: Feature, part: Term, by: Term) -> Feature:
    """A feature with another term wherever a part stands in its terms.

    Raises `ModelError` where one is too large.
    """
    if feature[0] not in TERM_TEMPLATES:
        return feature
    return tuple(
        _with_term(each, part, by) if isinstance(each, tuple) else each for each in feature
    )


def _with_term(data: Data, part: Term, by: Term) -> Data:
    if data[0] == POINTS:
        return (POINTS, *((each, _with_term(what, part, by)) for each, what in data[1:]))
    return data if data[0] in IN_HAND else replaced(known_term(data), part, by).data


def total(when: str, term: Term, relation: str, number: int) -> Feature:
    """The feature: what lies on a term's squares counts so many, or fewer."""
    return ("sum", when, term.data, relation, number)


def totals(when: str, term: Term, relation: str, other: Term) -> Feature:
    """The feature: what lies on a term's squares counts as many as on another's, or fewer."""
    return ("sums", when, term.data, relation, other.data)


def terms_in(feature: Feature) -> list[Term]:
    """The terms of a feature; none where it isn't one of these templates."""
    if feature[0] not in TERM_TEMPLATES:
        return []
    data = (each for each in feature[2::2] if isinstance(each, tuple))
    return list(chain.from_iterable(map(terms_of, data)))


def asked_of(feature: Feature) -> set[tuple[int, int]]:
    """The seats and levels of the players' turns for which a feature asks, or features in it."""
    if feature[0] not in TERM_TEMPLATES:
        inner = (each for each in feature if isinstance(each, tuple) and each)
        return set().union(*map(asked_of, inner))
    parts = (part for term in terms_in(feature) for part in term.terms())
    return {part.data[1:] for part in parts if part.operator.asks}


def speaks_of(feature: Feature, operators: Collection[Operator]) -> bool:
    """Whether some of the operators stand in a feature of terms."""
    return any(part.operator in operators for term in terms_in(feature) for part in term.terms())
