"""Turns text into rules, by clingo's own parser.

The text is one of grl's own making: whoever has a stranger's program looks first whether it reaches
outside, with ``#include`` say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import clingo
import clingo.ast
from clingo.ast import AST, AggregateFunction, ASTType, BinaryOperator, ComparisonOperator, Sign

from grl.asp.rules import (
    Aggregate,
    Atom,
    Comment,
    Comparison,
    Defined,
    Element,
    Literal,
    Rule,
    Statement,
)
from grl.asp.terms import Function, Number, Operation, Pool, Term, Variable
from grl.errors import GrlError, Place

_BINARY = {
    BinaryOperator.XOr: "^",
    BinaryOperator.Or: "?",
    BinaryOperator.And: "&",
    BinaryOperator.Plus: "+",
    BinaryOperator.Minus: "-",
    BinaryOperator.Multiplication: "*",
    BinaryOperator.Division: "/",
    BinaryOperator.Modulo: "\\",
    BinaryOperator.Power: "**",
}
_UNARY = ("-", "~", "|")
_COMPARISONS = {
    ComparisonOperator.GreaterThan: ">",
    ComparisonOperator.LessThan: "<",
    ComparisonOperator.LessEqual: "<=",
    ComparisonOperator.GreaterEqual: ">=",
    ComparisonOperator.NotEqual: "!=",
    ComparisonOperator.Equal: "=",
}
_FUNCTIONS = {
    AggregateFunction.Count: "#count",
    AggregateFunction.Sum: "#sum",
    AggregateFunction.SumPlus: "#sum+",
    AggregateFunction.Min: "#min",
    AggregateFunction.Max: "#max",
}
_FALSE = 0


class ProgramError(GrlError):
    """A text that is no program, or none of the kind that grl writes."""


def nodes(text: str) -> list[AST]:
    """The statements of any program as clingo has them. Raises `ProgramError`, with the line.

    The first of clingo's own, which only says that a program begins, is left out.
    """
    found: list[AST] = []
    said: list[str] = []
    whole = text.replace("\0", " ")  # clingo would take it for the end
    try:
        clingo.ast.parse_string(whole, found.append, logger=lambda _, message: said.append(message))
    except RuntimeError as error:
        _, line, _, message = [*(said or [str(error)])[0].split(":", 3), "", "", ""][:4]
        raise ProgramError(
            f"not a program: {' '.join((message or str(error)).removeprefix(' error:').split())}",
            place=Place(line=int(line) if line.isdigit() else None),
        ) from None
    return found[1:]


def read_statements(text: str) -> tuple[Statement, ...]:
    """Rules, comments and directives in their order; a comment within a rule stands before it.

    Raises `ProgramError`, with the line.
    """
    return tuple(_statement(node) for node in nodes(text))


def read_rules(text: str) -> tuple[Rule, ...]:
    """The rules of a program, without its comments and directives. Raises `ProgramError`."""
    return tuple(one for one in read_statements(text) if isinstance(one, Rule))


def read_literal(text: str) -> Literal:
    """One literal of a rule's body. Raises `ProgramError`."""
    found = read_rules(f":- {text}.")
    if len(found) != 1 or len(found[0].body) != 1:
        raise ProgramError("not a literal", found=text[:200], expected="one literal")
    return found[0].body[0]


def respelt(text: str, name: Callable[[str], str], mark: str = "") -> str:
    """The text with the predicates of its rules renamed, comments and layout as they were.

    Names without `mark` stay what they are. Raises `ProgramError` for what is no program.
    """
    lines = text.encode().split(b"\n")
    there = {number for number, line in enumerate(lines, 1) if mark.encode() in line}
    places = {
        place
        for node in nodes(text)
        if not there.isdisjoint(range(node.location.begin.line, node.location.end.line + 1))
        for place in _places(node)
        if mark in place[2]
    }
    for line, column, old in sorted(places, reverse=True):
        row, begin = lines[line - 1], column - 1
        lines[line - 1] = row[:begin] + name(old).encode() + row[begin + len(old.encode()) :]
    return b"\n".join(lines).decode()


def value(symbol: clingo.Symbol) -> Function | Number:
    """A symbol of clingo's, a number or a function, as a term."""
    if symbol.type == clingo.SymbolType.Number:
        return Number(symbol.number)
    if symbol.type != clingo.SymbolType.Function or symbol.negative:
        raise _unread("term", str(symbol), None)
    return Function(symbol.name, tuple(map(value, symbol.arguments)))


def _places(node: AST) -> Iterator[tuple[int, int, str]]:
    """Line, column in bytes and name of each predicate of a statement."""
    if node.ast_type == ASTType.SymbolicAtom:
        for term in node.symbol.arguments if _is(node.symbol, ASTType.Pool) else [node.symbol]:
            if _is(term, ASTType.Function):
                begin = term.location.begin
                yield begin.line, begin.column, term.name
        return
    for _, child in node.items():
        for one in child if isinstance(child, clingo.ast.ASTSequence) else [child]:
            if isinstance(one, AST):
                yield from _places(one)


def _is(node: AST, kind: ASTType) -> bool:
    return bool(node.ast_type == kind)


def _unread(what: str, found: str, line: int | None) -> ProgramError:
    return ProgramError(f"a {what} that grl doesn't read", place=Place(line=line), found=found)


def _refused(what: str, node: AST) -> ProgramError:
    return _unread(what, str(node), node.location.begin.line)


def _statement(node: AST) -> Statement:
    if _is(node, ASTType.Rule):
        return Rule(_head(node.head), tuple(map(_literal, node.body)))
    if _is(node, ASTType.Comment):
        return Comment(node.value)
    if _is(node, ASTType.Defined) and node.positive:
        return Defined(node.name, node.arity)
    raise _refused("statement", node)


def _head(node: AST) -> Atom | None:
    if _is(node, ASTType.Literal) and node.sign == Sign.NoSign:
        if _is(node.atom, ASTType.SymbolicAtom):
            return _atom(node.atom.symbol)
        if _is(node.atom, ASTType.BooleanConstant) and node.atom.value == _FALSE:
            return None
    raise _refused("head", node)


def _atom(node: AST) -> Atom:
    found = _term(node)
    if not isinstance(found, Atom):
        raise _refused("literal", node)
    return found


def _literal(node: AST) -> Literal:
    if not _is(node, ASTType.Literal) or node.sign == Sign.DoubleNegation:
        raise _refused("literal", node)
    positive = node.sign == Sign.NoSign
    atom = node.atom
    if _is(atom, ASTType.SymbolicAtom):
        return Literal(_atom(atom.symbol), positive)
    if _is(atom, ASTType.Comparison) and len(atom.guards) == 1:
        guard = atom.guards[0]
        operator = _COMPARISONS[guard.comparison]
        return Literal(Comparison(_term(atom.term), operator, _term(guard.term)), positive)
    if _is(atom, ASTType.BodyAggregate) and atom.left_guard and not atom.right_guard:
        return Literal(_aggregate(atom), positive)
    raise _refused("literal", node)


def _aggregate(node: AST) -> Aggregate:
    guard = node.left_guard
    elements = tuple(
        Element(tuple(map(_term, one.terms)), tuple(map(_literal, one.condition)))
        for one in node.elements
    )
    function = _FUNCTIONS[node.function]
    return Aggregate(_term(guard.term), _COMPARISONS[guard.comparison], function, elements)


def _term(node: AST) -> Term:
    match node.ast_type:
        case ASTType.Variable:
            return Variable(node.name)
        case ASTType.SymbolicTerm:
            return value(node.symbol)
        case ASTType.Function if not node.external:
            return Function(node.name, tuple(map(_term, node.arguments)))
        case ASTType.Pool:
            return Pool(tuple(map(_term, node.arguments)))
        case ASTType.Interval:
            return Operation("..", (_term(node.left), _term(node.right)))
        case ASTType.BinaryOperation:
            operator = _BINARY[node.operator_type]
            return Operation(operator, (_term(node.left), _term(node.right)))
        case ASTType.UnaryOperation:
            inner = _term(node.argument)
            operator = _UNARY[node.operator_type]
            constant = _is(node.argument, ASTType.SymbolicTerm)
            if operator == "-" and constant and isinstance(inner, Number):
                return Number(-inner.value)
            return Operation(operator, (inner,))
    raise _refused("term", node)
