"""Terms, literals and rules as the learner handles them: frozen values that print as ASP text.

Background and contexts stay text for clingo; what is taken apart here is what mode declarations
are made of and what the rules of a space are built from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

COMPARISONS = ("<", ">", "<=", ">=", "=", "!=")


@dataclass(frozen=True, slots=True)
class Constant:
    """A symbol, a number or a quoted string, as written."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def number(self) -> int | None:
        """Its value where it is an integer."""
        digits = self.text[1:] if self.text.startswith("-") else self.text
        return int(self.text) if digits.isdigit() else None


@dataclass(frozen=True, slots=True)
class Variable:
    """``V1``, ``V2``, … in rules; `number` counts from 1."""

    number: int

    def __str__(self) -> str:
        return f"V{self.number}"


@dataclass(frozen=True, slots=True)
class Anonymous:
    """``_``."""

    def __str__(self) -> str:
        return "_"


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder of a mode: ``var(type)`` or ``const(type)``."""

    kind: str
    type: str

    def __str__(self) -> str:
        return f"{self.kind}({self.type})"


@dataclass(frozen=True, slots=True)
class Function:
    """``f(a,b)``; a tuple has the empty name; a name without arguments is a propositional atom."""

    name: str
    args: tuple[Term, ...]

    def __str__(self) -> str:
        inside = ",".join(map(str, self.args))
        if not self.name:
            return f"({inside},)" if len(self.args) == 1 else f"({inside})"
        return f"{self.name}({inside})" if self.args else self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """Arithmetic: one or two operands."""

    op: str
    args: tuple[Term, ...]

    def __str__(self) -> str:
        if len(self.args) == 1:
            return f"|{self.args[0]}|" if self.op == "|" else f"{self.op}{_operand(self.args[0])}"
        return self.op.join(map(_operand, self.args))


Term = Constant | Variable | Anonymous | Slot | Function | Operation


def _operand(term: Term) -> str:
    if isinstance(term, Operation) and term.op != "|":
        return f"({term})"
    return str(term)


@dataclass(frozen=True, slots=True)
class Atom:
    """An atom, perhaps under ``not``."""

    term: Function
    negated: bool = False

    def __str__(self) -> str:
        return f"not {self.term}" if self.negated else str(self.term)


@dataclass(frozen=True, slots=True)
class Comparison:
    """``left op right``."""

    op: str
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


@dataclass(frozen=True, slots=True)
class Aggregate:
    """``#count{tuple : condition} op right``; variables inside its braces stay inside."""

    function: str
    elements: tuple[Term, ...]
    condition: tuple[Atom | Comparison, ...]
    op: str
    right: Term

    def __str__(self) -> str:
        inside = ",".join(map(str, self.elements))
        condition = ", ".join(map(str, self.condition))
        return f"{self.right} {_mirror(self.op)} {self.function}{{{inside} : {condition}}}"


def _mirror(op: str) -> str:
    return {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)


Literal = Atom | Comparison | Aggregate


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a choice head with its condition."""

    atom: Atom
    condition: tuple[Atom, ...] = ()

    def __str__(self) -> str:
        if not self.condition:
            return str(self.atom)
        return f"{self.atom} : {', '.join(map(str, self.condition))}"


@dataclass(frozen=True, slots=True)
class Choice:
    """``lower {elements} upper``."""

    lower: int
    elements: tuple[Element, ...]
    upper: int

    def __str__(self) -> str:
        return f"{self.lower} {{{'; '.join(map(str, self.elements))} }} {self.upper}"


@dataclass(frozen=True, slots=True)
class Weak:
    """What stands behind a weak constraint: ``[weight@level, terms]``."""

    weight: Term
    level: int
    terms: tuple[Variable, ...]

    def __str__(self) -> str:
        return f"[{', '.join([f'{self.weight}@{self.level}', *map(str, self.terms)])}]"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the space. `head` None is a constraint; `written` is set for a written-out rule."""

    head: Atom | Choice | Weak | None
    body: tuple[Literal, ...]
    cost: int
    written: str | None = None

    def __str__(self) -> str:
        if self.written is not None:
            return self.written
        body = "; ".join(map(str, self.body))
        if isinstance(self.head, Weak):
            return f":~ {body}.{self.head}"
        if self.head is None:
            return f":- {body}."
        return f"{self.head} :- {body}." if body else f"{self.head}."


def parts(term: Term) -> tuple[Term, ...]:
    """The immediate subterms."""
    return term.args if isinstance(term, Function | Operation) else ()


def leaves(term: Term) -> Iterator[Term]:
    """The leaves of a term, left to right."""
    below = parts(term)
    if not below and not isinstance(term, Function | Operation):
        yield term
    for part in below:
        yield from leaves(part)


def terms_of(literal: Literal) -> tuple[Term, ...]:
    """The terms of a literal, those of an aggregate's inside first."""
    if isinstance(literal, Atom):
        return (literal.term,)
    if isinstance(literal, Comparison):
        return (literal.left, literal.right)
    inside = tuple(term for one in literal.condition for term in terms_of(one))
    return (*literal.elements, *inside, literal.right)


def map_leaves(term: Term, change: Callable[[Term], Term]) -> Term:
    """`term` with every leaf replaced."""
    if isinstance(term, Function):
        return Function(term.name, tuple(map_leaves(part, change) for part in term.args))
    if isinstance(term, Operation):
        return Operation(term.op, tuple(map_leaves(part, change) for part in term.args))
    return change(term)


def map_atom(atom: Atom, change: Callable[[Term], Term]) -> Atom:
    """`atom` with every leaf replaced."""
    term = map_leaves(atom.term, change)
    assert isinstance(term, Function)
    return Atom(term, atom.negated)


def map_literal(literal: Literal, change: Callable[[Term], Term]) -> Literal:
    """`literal` with every leaf of its terms replaced, in the order of `terms_of`."""
    if isinstance(literal, Atom):
        return map_atom(literal, change)
    if isinstance(literal, Comparison):
        left = map_leaves(literal.left, change)
        return Comparison(literal.op, left, map_leaves(literal.right, change))
    elements = tuple(map_leaves(term, change) for term in literal.elements)
    condition = tuple(_map_condition(one, change) for one in literal.condition)
    right = map_leaves(literal.right, change)
    return Aggregate(literal.function, elements, condition, literal.op, right)


def _map_condition(literal: Atom | Comparison, change: Callable[[Term], Term]) -> Atom | Comparison:
    mapped = map_literal(literal, change)
    assert not isinstance(mapped, Aggregate)
    return mapped


def variables(literal: Literal) -> set[int]:
    """The numbers of the variables in a literal."""
    found = (leaf for term in terms_of(literal) for leaf in leaves(term))
    return {leaf.number for leaf in found if isinstance(leaf, Variable)}


def bound_by(literal: Literal, known: set[int]) -> set[int]:
    """The variables that `literal` makes safe, given those in `known`, as clingo sees it.

    A positive atom binds a variable that stands alone, or in a sum or product with integers that
    can be solved for it; an equation binds likewise from one side to the other.
    """
    if isinstance(literal, Atom):
        return set() if literal.negated else _solvable(literal.term)
    if literal.op != "=":
        return set()
    if isinstance(literal, Aggregate):
        return _solvable(literal.right)
    bound: set[int] = set()
    for one, other in ((literal.left, literal.right), (literal.right, literal.left)):
        if _numbers(other) <= known:
            bound |= _solvable(one)
    return bound


def _numbers(term: Term) -> set[int]:
    return {leaf.number for leaf in leaves(term) if isinstance(leaf, Variable)}


def _solvable(term: Term) -> set[int]:
    if isinstance(term, Variable):
        return {term.number}
    if isinstance(term, Function):
        return {number for part in term.args for number in _solvable(part)}
    return _numbers(term) if linear(term) is not None else set()


def linear(term: Term) -> tuple[int, int, int] | None:
    """(factor, variable, offset) where `term` is factor·variable + offset with a factor not 0."""
    if isinstance(term, Variable):
        return 1, term.number, 0
    if not isinstance(term, Operation):
        return None
    if len(term.args) == 1:
        inner = linear(term.args[0]) if term.op == "-" else None
        return None if inner is None else (-inner[0], inner[1], -inner[2])
    left, right = term.args
    a, b = linear(left), linear(right)
    m, n = _integer(left), _integer(right)
    if a is not None and n is not None:
        factor, variable, offset = a
        if term.op in "+-":
            return factor, variable, offset + (n if term.op == "+" else -n)
        return (factor * n, variable, offset * n) if term.op == "*" and n else None
    if b is not None and m is not None:
        factor, variable, offset = b
        if term.op == "+":
            return factor, variable, offset + m
        if term.op == "-":
            return -factor, variable, m - offset
        return (factor * m, variable, offset * m) if term.op == "*" and m else None
    return None


def _integer(term: Term) -> int | None:
    if isinstance(term, Constant):
        return term.number
    if isinstance(term, Operation) and len(term.args) == 1 and term.op == "-":
        inner = _integer(term.args[0])
        return None if inner is None else -inner
    return None
