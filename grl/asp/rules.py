"""Rules of answer set programs: frozen values that print on one line, and what is asked of them.

This is the part of the language in which grl writes programs: rules with at most one atom as their
head, default negation, comparisons and aggregates. Arithmetic, intervals and pools are terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from grl.asp.terms import Function, Pool, Substitution, Term, replaced, replaced_in


@dataclass(frozen=True, slots=True)
class Comparison:
    """``left operator right``."""

    left: Term
    operator: str
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"

    def replaced(self, by: Substitution) -> Comparison:
        """The comparison with its variables replaced."""
        return Comparison(replaced(self.left, by), self.operator, replaced(self.right, by))


@dataclass(frozen=True, slots=True)
class Element:
    """``terms : condition`` within the braces of an aggregate."""

    terms: tuple[Term, ...]
    condition: tuple[Literal, ...] = ()

    def __str__(self) -> str:
        terms = ",".join(map(str, self.terms))
        return f"{terms} : {', '.join(map(str, self.condition))}" if self.condition else terms


@dataclass(frozen=True, slots=True)
class Aggregate:
    """``left operator #count{elements}``, or another function than ``#count``."""

    left: Term
    operator: str
    function: str
    elements: tuple[Element, ...]

    def __str__(self) -> str:
        inside = "; ".join(map(str, self.elements))
        return f"{self.left} {self.operator} {self.function}{{{inside}}}"

    def replaced(self, by: Substitution) -> Aggregate:
        """The aggregate with its variables replaced, also within its braces."""
        elements = tuple(
            Element(
                tuple(replaced(term, by) for term in element.terms),
                tuple(literal.replaced(by) for literal in element.condition),
            )
            for element in self.elements
        )
        return replace(self, left=replaced(self.left, by), elements=elements)


Atom = Function | Pool
"""What can be derived; a pool stands for one atom each."""


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom, a comparison or an aggregate, perhaps under ``not``."""

    atom: Atom | Comparison | Aggregate
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"not {self.atom}"

    def replaced(self, by: Substitution) -> Literal:
        """The literal with its variables replaced."""
        return Literal(_replaced(self.atom, by), self.positive)

    def atoms(self) -> Iterator[tuple[Function, bool]]:
        """Its atoms; whether more atoms of that predicate can only make the literal true."""
        if isinstance(self.atom, Aggregate):
            for element in self.atom.elements:
                for literal in element.condition:
                    yield from ((atom, False) for atom, _ in literal.atoms())
        elif not isinstance(self.atom, Comparison):
            yield from ((atom, self.positive) for atom in functions(self.atom))

    def renamed(self, name: Callable[[str], str]) -> Literal:
        """The literal with its predicates renamed; terms stay as they are."""
        atom = self.atom
        if isinstance(atom, Comparison):
            return self
        if not isinstance(atom, Aggregate):
            return Literal(_renamed(atom, name), self.positive)
        elements = tuple(
            Element(element.terms, tuple(one.renamed(name) for one in element.condition))
            for element in atom.elements
        )
        return Literal(replace(atom, elements=elements), self.positive)


@dataclass(frozen=True, slots=True)
class Rule:
    """``head :- body.``; without a head it is a constraint, without a body a fact."""

    head: Atom | None
    body: tuple[Literal, ...] = ()

    def __str__(self) -> str:
        head = "" if self.head is None else str(self.head)
        body = f":- {', '.join(map(str, self.body))}" if self.body else ""
        return f"{' '.join(filter(None, (head, body)))}."

    @property
    def name(self) -> str:
        """The predicate of its head, "" of a constraint."""
        return next((atom.name for atom in self.heads()), "")

    def heads(self) -> Iterator[Function]:
        """What its head derives: one atom, several of a pool, none of a constraint."""
        if self.head is not None:
            yield from functions(self.head)

    def below(self) -> Iterator[tuple[Function, bool]]:
        """The atoms in its body; whether the body is monotone in their predicates."""
        for literal in self.body:
            yield from literal.atoms()

    def atoms(self) -> Iterator[Function]:
        """All its atoms, those of the head first."""
        yield from self.heads()
        yield from (atom for atom, _ in self.below())

    @property
    def predicates(self) -> set[str]:
        """The names of its predicates, of head and body."""
        return {atom.name for atom in self.atoms()}

    def renamed(self, name: Callable[[str], str]) -> Rule:
        """The rule with its predicates renamed; terms stay as they are."""
        head = None if self.head is None else _renamed(self.head, name)
        return Rule(head, tuple(literal.renamed(name) for literal in self.body))

    def replaced(self, by: Substitution) -> Rule:
        """The rule with its variables replaced."""
        head = None if self.head is None else _replaced_atom(self.head, by)
        return Rule(head, tuple(literal.replaced(by) for literal in self.body))


@dataclass(frozen=True, slots=True)
class Defined:
    """``#defined name/arity.``: no rule for it is no mistake."""

    name: str
    arity: int

    def __str__(self) -> str:
        return f"#defined {self.name}/{self.arity}."


@dataclass(frozen=True, slots=True)
class Comment:
    """A line that begins with ``%``, which is part of the text."""

    text: str

    def __str__(self) -> str:
        return self.text


Statement = Rule | Defined | Comment


def printed(statements: Iterable[Statement]) -> str:
    """A program, one statement a line."""
    return "\n".join(map(str, statements))


def functions(atom: Atom) -> Iterator[Function]:
    """The atom itself, or those of a pool."""
    for term in (atom,) if isinstance(atom, Function) else atom.terms:
        if isinstance(term, Function):
            yield term


def _renamed(atom: Atom, name: Callable[[str], str]) -> Atom:
    if isinstance(atom, Pool):
        return Pool(tuple(_renamed(t, name) if isinstance(t, Atom) else t for t in atom.terms))
    return Function(name(atom.name), atom.arguments)


def _replaced_atom(atom: Atom, by: Substitution) -> Atom:
    if isinstance(atom, Function):
        return replaced_in(atom, by)
    return Pool(tuple(replaced(term, by) for term in atom.terms))


def _replaced(
    atom: Atom | Comparison | Aggregate, by: Substitution
) -> Atom | Comparison | Aggregate:
    if isinstance(atom, Comparison | Aggregate):
        return atom.replaced(by)
    return _replaced_atom(atom, by)
