"""Rules rewritten for clingo: guarded by a switch, turned into a test, or asked for their weights.

Names that begin with two underscores and ``las`` are the learner's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import clingo
import clingo.ast
from clingo.ast import AST, ASTType

from grl.las.terms import Atom, Choice, Rule, Weak

SWITCH = "__las_in"
MADE = "__las_made_"
"""What stands before the names of heads that are to be told from the same atoms in bodies."""
VIOLATED = "__las_violated"
WEAK = "__las_weak"


@cache
def statements(text: str) -> tuple[AST, ...]:
    """The statements of a program."""
    found: list[AST] = []
    clingo.ast.parse_string(text, found.append, logger=lambda _code, _message: None)
    return tuple(found[1:])


def plain(rules: Sequence[tuple[int, Rule]]) -> str:
    """Rules as clingo takes them; weak constraints are distinguished by their numbers."""
    return "\n".join(distinct(number, rule) for number, rule in rules)


def distinct(number: int, rule: Rule) -> str:
    """A rule's text; the tuple of a weak constraint that modes made begins with its number."""
    if not isinstance(rule.head, Weak):
        return str(rule)
    terms = ", ".join(map(str, (f"__las({number})", *rule.head.terms)))
    body = "; ".join(map(str, rule.body))
    return f":~ {body}.[{rule.head.weight}@{rule.head.level}, {terms}]"


def guarded(number: int, rule: Rule) -> str:
    """The rule, switched on by ``SWITCH(number)``."""
    return "\n".join(
        str(one.update(body=[*one.body, _literal(f"{SWITCH}({number})")]))
        for one in statements(distinct(number, rule))
        if one.ast_type in (ASTType.Rule, ASTType.Minimize)
    )


def heads(rule: Rule) -> tuple[Atom, ...]:
    """The atoms that a rule which modes made may derive."""
    if isinstance(rule.head, Choice):
        return tuple(one.atom for one in rule.head.elements)
    return (rule.head,) if isinstance(rule.head, Atom) else ()


def made_apart(rule: Rule) -> Rule | None:
    """The rule with ``MADE`` before the names of its heads; None where that can't be done."""
    if rule.written is not None:
        return None
    if any(one.negated or one.term.name.startswith("-") for one in heads(rule)):
        return None
    if isinstance(rule.head, Atom):
        return replace(rule, head=_made(rule.head))
    if isinstance(rule.head, Choice):
        elements = tuple(replace(one, atom=_made(one.atom)) for one in rule.head.elements)
        return replace(rule, head=replace(rule.head, elements=elements))
    return rule


def _made(atom: Atom) -> Atom:
    return replace(atom, term=replace(atom.term, name=f"{MADE}{atom.term.name}"))


def violated(number: int, rule: Rule) -> str:
    """``VIOLATED(number)`` where an interpretation does not satisfy the rule."""
    lines = []
    for one in statements(distinct(number, rule)):
        if one.ast_type != ASTType.Rule:
            continue
        head = _atom(f"{VIOLATED}({number})")
        lines.append(str(one.update(head=head, body=[*one.body, *_denied(one.head)])))
    return "\n".join(lines)


def _denied(head: AST) -> list[AST]:
    """Body literals that hold where a head does not."""
    kind = head.ast_type
    if kind == ASTType.Literal and head.atom.ast_type == ASTType.BooleanConstant:
        return [] if not head.atom.value else [_literal("#false")]
    if kind == ASTType.Disjunction:
        text = []
        for element in head.elements:
            condition = ", ".join(map(str, element.condition))
            text.append(f"not {element.literal}" + (f" : {condition}" if condition else ""))
        return [one for part in text for one in _body(part)]
    return list(_body(f"not {head}"))


def weights(number: int, text: str) -> str:
    """``WEAK(number,weight,level,terms)`` for the weak constraints in a text."""
    lines = []
    for one in statements(text):
        if one.ast_type == ASTType.Minimize:
            terms = ",".join([*map(str, one.terms), ""]) if one.terms else ""
            body = "; ".join(map(str, one.body))
            atom = f"{WEAK}({number},{one.weight},{one.priority},({terms}))"
            lines.append(f"{atom} :- {body}." if body else f"{atom}.")
    return "\n".join(lines)


@lru_cache(maxsize=8)
def squeezed(text: str) -> str:
    """The program without lines that are empty or comments; grounded often it is parsed faster."""
    if "%*" in text or "#script" in text:
        return text
    lines = text.splitlines()
    return "\n".join(line for line in lines if line.strip() and line.lstrip()[0] != "%")


def is_weak(text: str) -> bool:
    """Whether all statements of a text are weak constraints."""
    return all(one.ast_type == ASTType.Minimize for one in statements(text))


def is_plain(text: str) -> bool:
    """Whether a text certainly holds no weak constraints and minimises nothing."""
    return ":~" not in text and "#m" not in text


def definitions(text: str) -> str:
    """The ``#const`` statements and scripts of a program."""
    kinds = (ASTType.Definition, ASTType.Script)
    return "\n".join(str(one) for one in statements(text) if one.ast_type in kinds)


def defined(text: str) -> set[str]:
    """Signatures, as ``name/arity``, that occur in heads of a program or anywhere as externals."""
    found: set[str] = set()
    for one in statements(text):
        if one.ast_type == ASTType.Rule:
            found |= signatures(one.head)
        elif one.ast_type == ASTType.External:
            found |= signatures(one.atom)
    return found


def used(text: str) -> set[str]:
    """Signatures that occur anywhere in a program."""
    found: set[str] = set()
    for one in statements(text):
        if one.ast_type in (ASTType.Rule, ASTType.Minimize, ASTType.External):
            found |= signatures(one)
    return found


def signatures(node: Any) -> set[str]:
    """Signatures in a part of a parsed program."""
    found: set[str] = set()
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, AST):
            if at.ast_type == ASTType.SymbolicAtom:
                found.add(_signature(at.symbol))
                continue
            stack += [child for _, child in at.items()]
        elif isinstance(at, str) or at is None:
            continue
        elif hasattr(at, "__iter__"):
            stack += list(at)
    return found


def _signature(term: AST) -> str:
    sign = ""
    while term.ast_type == ASTType.UnaryOperation:
        sign = "-"
        term = term.argument
    if term.ast_type == ASTType.Pool:
        term = term.arguments[0]
    return f"{sign}{term.name}/{len(term.arguments)}" if hasattr(term, "arguments") else str(term)


@cache
def _body(text: str) -> tuple[AST, ...]:
    (statement,) = statements(f":- {text}.")
    return tuple(statement.body)


def _literal(text: str) -> AST:
    return _body(text)[0]


@cache
def _atom(text: str) -> AST:
    (statement,) = statements(f"{text}.")
    head: AST = statement.head
    return head
