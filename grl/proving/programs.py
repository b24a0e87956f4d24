"""Game descriptions as answer set programs: read, checked to be deterministic, renamed apart.

A description is given a state as facts ``true/1`` and a move as facts ``does/2``, the relations of
the Game Description Language, and derives the rest. So that it has exactly one answer set for
every state and move, it has to be a stratified program of plain rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from clingo.ast import AST, ASTType, Sign, Transformer

from grl.asp.dependencies import Dependencies
from grl.asp.reader import ProgramError, nodes
from grl.errors import GrlError, Place
from grl.las.task import TaskError
from grl.las.tokens import check_text

Signature = tuple[str, int]

TRUE: Signature = ("true", 1)
DOES: Signature = ("does", 2)
GIVEN = frozenset({TRUE, DOES})

RELATIONS: tuple[Signature, ...] = (("terminal", 0), ("legal", 2), ("goal", 2), ("next", 1))
"""The relations of the Game Description Language that depend on the state."""
RELATED = GIVEN.union(RELATIONS, [("role", 1), ("init", 1), ("base", 1), ("input", 2)])

_SILENT = (ASTType.ShowSignature, ASTType.ShowTerm, ASTType.Defined, ASTType.Minimize)
"""Statements that change nothing in the one answer set."""


class ProofError(GrlError):
    """A program that can't be reasoned about."""


@dataclass(frozen=True)
class Program:
    """A checked program: its rules and constants; `heuristics` only in a file of invariants.

    `invariants` are the bodies' constraints with their lines; a game description has none.
    """

    rules: tuple[AST, ...]
    constants: tuple[AST, ...] = ()
    invariants: tuple[tuple[int, AST], ...] = ()
    heuristics: tuple[AST, ...] = ()

    @cached_property
    def defined(self) -> frozenset[Signature]:
        """The signatures that rules define."""
        return frozenset(one for rule in self.rules for one in atoms(rule.head))

    @cached_property
    def dependencies(self) -> Dependencies[Signature]:
        """Which signatures rest on which."""
        return Dependencies(
            (head, sorted(set(signed(rule.body))))
            for rule in self.rules
            for head in sorted(atoms(rule.head))
        )


def parse(text: str, file: str | None = None, *, invariants: bool = False) -> Program:
    """A description, or with `invariants` a file of constraints on states.

    Raises `ProofError`, also for what clingo isn't to see: programs that reach outside with
    ``#include`` or ``#script``, numbers of more than 32 bits, terms too deep for it.

    Left out are ``#show``, weak constraints, and rules that choose ``does/2``: whoever asks
    supplies the move.
    """
    rules: list[AST] = []
    constants: list[AST] = []
    constraints: list[tuple[int, AST]] = []
    heuristics: list[AST] = []
    for one in _statements(text, file):
        kind = one.ast_type
        if kind == ASTType.Definition:
            constants.append(one)
        elif kind == ASTType.Heuristic and invariants:
            heuristics.append(one)
        elif kind == ASTType.Rule and invariants and _is_constraint(one):
            constraints.append((one.location.begin.line, one))
        elif kind == ASTType.Rule:
            if DOES not in atoms(one.head):
                _check_head(one, file)
                rules.append(one)
        elif kind not in (*_SILENT, ASTType.Program, ASTType.Comment):
            raise _refused(one, file, "a program of rules")
    program = Program(tuple(rules), tuple(constants), tuple(constraints), tuple(heuristics))
    _check_stratified(program, file)
    return program


def mapped(program: Program, mapping: Program) -> Program:
    """A description whose relations are put in the words of another by the rules of `mapping`.

    Its own relations are called ``own_true/1``, ``own_does/2``, ``own_legal/2`` and so on; the
    mapping says what ``own_true`` and ``own_does`` are in terms of ``true`` and ``does``, and
    what ``legal``, ``next``, ``terminal`` and ``goal`` are in terms of the own ones.
    """
    rules = (renamed(rule, _own) for rule in program.rules)
    return Program((*rules, *mapping.rules), (*program.constants, *mapping.constants))


def _own(signature: Signature) -> str:
    return ("own_" if signature in RELATED else "") + signature[0]


def renamed(node: AST, name: Callable[[Signature], str]) -> AST:
    """A statement with its predicates renamed; terms stay as they are."""
    found: AST = _Renamer(name).visit(node)
    return found


def atoms(node: Any) -> set[Signature]:
    """The signatures of the atoms in a part of a program."""
    return {signature for signature, _ in signed(node)}


def signed(node: Any, monotone: bool = True) -> Iterator[tuple[Signature, bool]]:
    """Signatures in a part of a program; whether more such atoms can only make it true."""
    if not isinstance(node, AST):
        for one in () if isinstance(node, str) or not hasattr(node, "__iter__") else node:
            yield from signed(one, monotone)
        return
    kind = node.ast_type
    if kind == ASTType.SymbolicAtom:
        for term in _pooled(node.symbol):
            if term.ast_type == ASTType.Function:
                yield (term.name, len(term.arguments)), monotone
        return
    if kind == ASTType.Literal:
        monotone = monotone and node.sign == Sign.NoSign
    elif kind == ASTType.ConditionalLiteral:
        yield from signed(node.literal, monotone)
        yield from signed(node.condition, False)
        return
    elif kind in (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.TheoryAtom):
        monotone = False
    for _, child in node.items():
        yield from signed(child, monotone)


def _pooled(term: AST) -> list[AST]:
    """The terms of an atom: several where it is a pool, ``p(1;2)``."""
    return list(term.arguments) if term.ast_type == ASTType.Pool else [term]


class _Renamer(Transformer):
    def __init__(self, name: Callable[[Signature], str]) -> None:
        self._name = name

    def visit_SymbolicAtom(self, atom: AST) -> AST:  # noqa: N802
        named = [
            term.update(name=self._name((term.name, len(term.arguments))))
            for term in _pooled(atom.symbol)
        ]
        pool = atom.symbol.ast_type == ASTType.Pool
        return atom.update(symbol=atom.symbol.update(arguments=named) if pool else named[0])


def _statements(text: str, file: str | None) -> list[AST]:
    try:
        check_text(text, file)
    except TaskError as error:
        raise ProofError(
            f"not a program: {error.message}",
            place=error.place,
            found=error.found,
            expected=error.expected,
        ) from None
    try:
        return nodes(text)
    except ProgramError as error:
        raise ProofError(error.message, place=Place(file=file, line=error.place.line)) from None


def _is_constraint(rule: AST) -> bool:
    head = rule.head
    return bool(
        head.ast_type == ASTType.Literal
        and head.atom.ast_type == ASTType.BooleanConstant
        and not head.atom.value
    )


def _check_head(rule: AST, file: str | None) -> None:
    head = rule.head
    plain = (
        head.ast_type == ASTType.Literal
        and head.sign == Sign.NoSign
        and head.atom.ast_type == ASTType.SymbolicAtom
        and all(term.ast_type == ASTType.Function for term in _pooled(head.atom.symbol))
    )
    if not plain:
        raise _refused(rule, file, "a rule with one atom as its head")
    if TRUE in atoms(head):
        raise _refused(rule, file, "no rule for true/1: the state is given")


def _refused(statement: AST, file: str | None, expected: str) -> ProofError:
    return ProofError(
        "a statement that the proof can't use",
        place=Place(file=file, line=statement.location.begin.line),
        found=str(statement),
        expected=expected,
    )


def _check_stratified(program: Program, file: str | None) -> None:
    circular = program.dependencies.unstratified()
    for rule in program.rules:
        below = {body for body, monotone in signed(rule.body) if not monotone}
        if any((head, body) in circular for head in atoms(rule.head) for body in below):
            raise _refused(rule, file, "a stratified program: no predicate over its own negation")
