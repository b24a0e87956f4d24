"""Features that terms give, as data; what they mean stands in `grl.rules.templates.terms`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from grl.logic.ops import known_term
from grl.logic.terms import Operator, Term
from grl.model import Feature

TERM_TEMPLATES: Final = frozenset({"some", "size", "sizes", "sum", "sums"})


def some(when: str, term: Term) -> Feature:
    """The feature: a term denotes some square."""
    return ("some", when, term.data)


def size(when: str, term: Term, relation: str, number: int) -> Feature:
    """The feature: a term denotes so many squares, or fewer."""
    return ("size", when, term.data, relation, number)


def sizes(when: str, term: Term, relation: str, other: Term, more: int = 0) -> Feature:
    """The feature: a term denotes as many squares as another, or fewer; by more than `more`."""
    return ("sizes", when, term.data, relation, other.data, *([more] if more else []))


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
    return [known_term(data) for data in feature[2::2] if isinstance(data, tuple)]


def speaks_of(feature: Feature, operators: Collection[Operator]) -> bool:
    """Whether some of the operators stand in a feature of terms."""
    return any(part.operator in operators for term in terms_in(feature) for part in term.terms())
