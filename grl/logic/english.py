"""Terms as English: every operator phrases itself, and `Speech` joins the phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grl.board import Equipment
from grl.logic.terms import Term, types_of

ADJACENT = {
    "orthogonal": "orthogonally",
    "around": "orthogonally or diagonally",
    "rising": "orthogonally or along rising diagonals",
    "falling": "orthogonally or along falling diagonals",
    "links": "by a link",
}
LINES = {
    "orthogonal": "along a rank or file",
    "diagonal": "along a diagonal",
    "around": "in a straight line",
    "onward": "in the direction of the turn",
}
Literal = tuple[Term, bool]


class Speech:
    """Phrases for the pieces of one game."""

    def __init__(self, equipment: Equipment) -> None:
        self.equipment = equipment

    def noun(self, term: Term) -> str:
        """What a set is, in the plural where it may be several squares."""
        return term.operator.noun(self, *term.arguments)

    def clauses(self, term: Term) -> tuple[str, str]:
        """What squares are that belong to a set, and what others are."""
        if term.operator.clause is not None:
            return term.operator.clause(self, *term.arguments)
        noun = self.noun(term)
        return f"among the {noun}", f"not among the {noun}"

    def literals(self, term: Term) -> list[Literal]:
        """The sets of which a term is the intersection, or what is left."""
        return list(_literals(term))

    def conjunction(self, literals: Sequence[Literal], more: str = "") -> str:
        """What squares are to which all literals apply, the contents first."""
        parts = [each for term, holds in literals for each in _literals(term, holds)]
        named = [term for term, holds in parts if holds and _names_contents(term)]
        head = self.noun(named[0]) if named else "squares"
        rest = [part for part in parts if not named or part[0] is not named[0]]
        clauses = [self.clauses(term)[not holds] for term, holds in rest]
        return " ".join([head, " and ".join([more, *clauses] if more else clauses)]).strip()

    def things(self, content: str) -> str:
        """Several of a content."""
        if content == "empty":
            return "empty squares"
        owner, kind = self._named(content)
        return f"{plural(kind)} of the mover" if owner == "own" else f"{owner} {plural(kind)}"

    def one(self, term: Term) -> str:
        """One square of a set."""
        if term.operator.name != "lies":
            return self.noun(term)
        content = str(term.arguments[0])
        if content == "empty":
            return "an empty square"
        owner, kind = self._named(content)
        if owner == "own":
            return f"{article(kind)} {kind} of the mover"
        return f"{article(owner)} {owner} {kind}"

    def being(self, content: str) -> tuple[str, str]:
        """What squares do that hold a content, and what others do."""
        noun = self.things(content)
        return f"that are {noun}", f"that are not {noun}"

    def _named(self, content: str) -> tuple[str, str]:
        owner, _, kind = content.partition(":")
        types = types_of(self.equipment, owner)
        return owner, kind or (types[0] if len(types) == 1 else "piece")


def _names_contents(term: Term) -> bool:
    """Whether a set is one of contents, so that its noun can stand first."""
    if term.operator.name == "either":
        return all(isinstance(a, Term) and _names_contents(a) for a in term.arguments)
    return term.operator.name == "lies"


def _literals(term: Term, holds: bool = True) -> Iterator[Literal]:
    name = term.operator.name
    if holds and name in ("both", "without"):
        one, other = term.arguments
        assert isinstance(one, Term)
        assert isinstance(other, Term)
        yield from _literals(one)
        yield from _literals(other, name == "both")
    else:
        yield term, holds


def plural(noun: str) -> str:
    """The plural of a piece's type."""
    if noun.endswith("man"):
        return noun[:-3] + "men"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def article(noun: str) -> str:
    """The indefinite article."""
    return "an" if noun[:1] in "aeiou" else "a"
