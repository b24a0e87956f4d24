"""Rules of exported programs as values: what a translation into another syntax reads.

Only the part of answer set programs that exported programs use is read here: normal rules with
negation, comparisons and function terms. Rules that depend on no position may use arithmetic and
pools; they are not read but worked out by clingo, as facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import clingo

from grl.errors import ModelError


class Term(NamedTuple):
    """A variable, a constant or number, or a function of terms."""

    name: str
    arguments: tuple[Term, ...] = ()

    @property
    def is_variable(self) -> bool:
        return not self.arguments and (self.name[0].isupper() or self.name[0] == "_")

    def __str__(self) -> str:
        if not self.arguments:
            return self.name
        return f"{self.name}({','.join(map(str, self.arguments))})"

    def variables(self) -> Iterator[str]:
        """The names of its variables."""
        if self.is_variable:
            yield self.name
        for argument in self.arguments:
            yield from argument.variables()

    def replaced(self, values: dict[str, Term]) -> Term:
        """The term with variables replaced."""
        if self.is_variable:
            return values.get(self.name, self)
        return Term(self.name, tuple(argument.replaced(values) for argument in self.arguments))


class Atom(NamedTuple):
    """A body literal: an atom, or a comparison (`term` is then ``=``, ``!=`` or ``<`` of two)."""

    term: Term
    positive: bool = True

    @property
    def compares(self) -> bool:
        return self.term.name in ("=", "!=", "<")


class Clause(NamedTuple):
    """A rule."""

    head: Term
    body: tuple[Atom, ...] = ()


_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*|-?\d+)|(:-|!=|[(),=<]))")


def parse(text: str) -> Clause:
    """One rule, with its full stop; raises `ModelError` for what is not part of the language."""
    tokens = _tokens(text.strip().removesuffix("."))
    position = 0

    def peek() -> str:
        return tokens[position] if position < len(tokens) else ""

    def take() -> str:
        nonlocal position
        position += 1
        return tokens[position - 1]

    def term() -> Term:
        name = take()
        if peek() != "(":
            return Term(name)
        take()
        arguments = [term()]
        while peek() == ",":
            take()
            arguments.append(term())
        if take() != ")":
            raise ModelError("not a rule that can be translated", found=text[:200])
        return Term(name, tuple(arguments))

    def literal() -> Atom:
        if peek() == "not":
            take()
            return Atom(term(), False)
        left = term()
        if peek() in ("=", "!=", "<"):
            return Atom(Term(take(), (left, term())))
        return Atom(left)

    head = term()
    body = []
    if peek() == ":-":
        take()
        body.append(literal())
        while peek() == ",":
            take()
            body.append(literal())
    if position != len(tokens):
        raise ModelError("not a rule that can be translated", found=text[:200])
    return _named(Clause(head, tuple(body)))


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ModelError("not a rule that can be translated", found=text[:200])
        found.append(match[1] or match[2])
        at = match.end()
    return found


def _named(clause: Clause) -> Clause:
    """Each ``_`` as a variable of its own."""
    count = 0

    def name(term: Term) -> Term:
        nonlocal count
        if term.name == "_":
            count += 1
            return Term(f"Any{count}")
        return Term(term.name, tuple(name(argument) for argument in term.arguments))

    return Clause(name(clause.head), tuple(Atom(name(a.term), a.positive) for a in clause.body))


def predicate(text: str) -> str:
    """The name that a rule's head or an atom begins with."""
    match = re.match(r"\s*(?:not\s+)?([a-z]\w*)", text)
    return match[1] if match else ""


def body_predicates(rule: str) -> set[str]:
    """The predicates in a rule's body, without reading it any further."""
    body = rule.partition(":-")[2]
    depth, start, parts = 0, 0, []
    for at, character in enumerate(body):
        depth += {"(": 1, ")": -1, "{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(body[start:at])
            start = at + 1
    parts.append(body[start:])
    return {predicate(part) for part in parts} - {""}


def dynamic(rules: Sequence[str], given: Iterable[str]) -> set[str]:
    """The predicates that depend on those that are `given` with a state."""
    found = set(given)
    bodies = [(predicate(rule), body_predicates(rule)) for rule in rules]
    while True:
        more = {head for head, body in bodies if body & found} - found
        if not more:
            return found
        found |= more


def needed(rules: Sequence[str], target: str) -> list[str]:
    """The rules on which a predicate rests."""
    wanted = {target}
    while True:
        more = {b for rule in rules if predicate(rule) in wanted for b in body_predicates(rule)}
        if more <= wanted:
            return [rule for rule in rules if predicate(rule) in wanted]
        wanted |= more


def facts(rules: Sequence[str]) -> list[Term]:
    """All that follows from rules which depend on no state, in ascending order."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(rules))
    control.ground([("base", [])])
    found = [atom.symbol for atom in control.symbolic_atoms if atom.is_fact]
    return [_term(symbol) for symbol in sorted(found)]


def _term(symbol: clingo.Symbol) -> Term:
    if symbol.type == clingo.SymbolType.Number:
        return Term(str(symbol.number))
    return Term(symbol.name, tuple(_term(argument) for argument in symbol.arguments))
