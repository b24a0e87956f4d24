"""Terms of answer set programs: frozen values that print as clingo reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

_BINDING = {
    **{"..": 0, "^": 1, "?": 2, "&": 3, "+": 4, "-": 4},
    **{"*": 5, "/": 5, "\\": 5, "**": 6},
}
_TIGHTEST = 7


@dataclass(frozen=True, slots=True)
class Variable:
    """``X``; the name ``_`` is a variable of its own wherever it stands."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, order=True)
class Number:
    """An integer."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Function:
    """``f(a,X)``; a constant or an atom without arguments has none, a tuple has the name ""."""

    name: str
    arguments: tuple[Term, ...] = ()

    def __str__(self) -> str:
        inside = ",".join(map(str, self.arguments))
        if not self.name:
            return f"({inside},)" if len(self.arguments) == 1 else f"({inside})"
        return f"{self.name}({inside})" if self.arguments else self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """Arithmetic or an interval: two operands, or one after ``-`` or ``~`` or between ``|``."""

    operator: str
    operands: tuple[Term, ...]

    def __str__(self) -> str:
        if self.operator == "|":
            return f"|{self.operands[0]}|"
        if len(self.operands) == 1:
            return self.operator + _inside(self.operands[0], _TIGHTEST)
        binding = _BINDING[self.operator]
        left, right = self.operands
        to_the_right = self.operator == "**"
        before = _inside(left, binding + to_the_right)
        return before + self.operator + _inside(right, binding + (not to_the_right))


@dataclass(frozen=True, slots=True)
class Pool:
    """Terms one of which is meant: ``f(a; b)``, or ``(a; b)`` where they have no name in common."""

    terms: tuple[Term, ...]

    def __str__(self) -> str:
        names = {term.name for term in self.terms if isinstance(term, Function) and term.arguments}
        functions = [term for term in self.terms if isinstance(term, Function) and term.arguments]
        if len(functions) < len(self.terms) or len(names) > 1 or names == {""}:
            return f"({'; '.join(map(str, self.terms))})"
        rows = (",".join(map(str, term.arguments)) for term in functions)
        return f"{functions[0].name}({'; '.join(rows)})"


Term = Variable | Number | Function | Operation | Pool
Substitution = Callable[[Variable], Term]
"""What stands in the place of a variable; it is asked once for each time that one occurs."""


def _inside(term: Term, binding: int) -> str:
    """An operand, in parentheses where it binds less tightly than `binding`."""
    if not isinstance(term, Operation) or term.operator == "|":
        return str(term)
    own = _BINDING[term.operator] if len(term.operands) == 2 else _TIGHTEST
    return str(term) if own >= binding else f"({term})"


def parts(term: Term) -> tuple[Term, ...]:
    """The immediate subterms."""
    match term:
        case Function():
            return term.arguments
        case Operation():
            return term.operands
        case Pool():
            return term.terms
    return ()


def variables(term: Term) -> Iterator[str]:
    """The names of its variables, from left to right, as often as they stand there."""
    if isinstance(term, Variable):
        yield term.name
    for part in parts(term):
        yield from variables(part)


def substitution(values: Mapping[str, Term]) -> Substitution:
    """These values in the place of variables by name; others stay."""
    return lambda variable: values.get(variable.name, variable)


def replaced(term: Term, by: Substitution) -> Term:
    """The term with its variables replaced, from left to right."""
    match term:
        case Variable():
            return by(term)
        case Function():
            return replaced_in(term, by)
        case Operation():
            return Operation(term.operator, tuple(replaced(one, by) for one in term.operands))
        case Pool():
            return Pool(tuple(replaced(one, by) for one in term.terms))
    return term


def replaced_in(function: Function, by: Substitution) -> Function:
    """The same of a function, or of an atom."""
    return Function(function.name, tuple(replaced(one, by) for one in function.arguments))
