"""``#bias``: a program about single rules that removes rules from the space, or makes it.

A rule is given to the program as facts: ``head(a)`` and ``body(b)``, ``naf(b)`` for ``not b``,
``in_head(a)``, ``lb(l)`` and ``ub(u)`` for choice heads, ``constraint`` for a rule without head,
``weak``, ``weight(w)`` and ``level(l)`` for weak constraints; variable V1 is ``var__(1)`` and a
comparison ``lt``, ``gt``, ``leq``, ``geq``, ``eq``, ``neq`` of its sides. Where a task has no mode
declarations each answer set of the program is a rule of the space.

A program that defines ``penalty/2`` is one of FastLAS: it prices rules, each by the sum of the
first arguments, and is given ``in_head(a)``, ``in_body(b)`` and ``in_body(neg(b))``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import clingo

from grl.las.clock import grounded
from grl.las.programs import defined
from grl.las.space import choice_cost, finish
from grl.las.task import Task, TaskError
from grl.las.terms import (
    Aggregate,
    Atom,
    Choice,
    Comparison,
    Constant,
    Element,
    Function,
    Literal,
    Rule,
    Term,
    Variable,
    Weak,
    map_leaves,
)

PENALTY = "penalty/2"
_RELATIONS = {"<": "lt", ">": "gt", "<=": "leq", ">=": "geq", "=": "eq", "!=": "neq"}
_OPERATORS = {name: op for op, name in _RELATIONS.items()}


def permitted(task: Task, rules: Sequence[Rule]) -> list[Rule]:
    """The rules that the bias leaves, those that it makes among them."""
    if not task.bias:
        return list(rules)
    if not task.has_modes:
        made = {str(rule): rule for rule in [*task.written, *_made(task)]}
        return sorted(made.values(), key=lambda rule: (rule.cost, str(rule)))
    found = []
    for rule in rules:
        cost = rule.cost if rule.written is not None else judged(task, rule)
        if cost is not None:
            found.append(rule if cost == rule.cost else replace(rule, cost=cost))
    return sorted(found, key=lambda rule: (rule.cost, str(rule)))


def allows(task: Task, rule: Rule) -> bool:
    """Whether the bias has an answer set beside the facts that describe a rule."""
    return judged(task, rule) is not None


def judged(task: Task, rule: Rule) -> int | None:
    """What a rule costs by the bias; None where it is ruled out."""
    pricing = PENALTY in defined(task.bias)
    described = [*facts(rule), *(_scored(rule) if pricing else ())]
    ctl = grounded(f"{task.bias}\n{' '.join(f'{fact}.' for fact in described)}", "--models=1")
    cost: int | None = None
    with ctl.solve(yield_=True) as handle:
        for model in handle:
            if not pricing:
                return rule.cost
            priced = (one for one in model.symbols(atoms=True) if one.match("penalty", 2))
            cost = sum(one.arguments[0].number for one in priced)
            break
    return cost


def _scored(rule: Rule) -> Iterator[str]:
    """The facts that FastLAS describes a rule with."""
    if isinstance(rule.head, Atom):
        yield f"in_head({_name(rule.head.term)})"
    for literal in rule.body:
        if isinstance(literal, Atom) and literal.negated:
            yield f"in_body(neg({_name(literal.term)}))"
        else:
            yield f"in_body({_described(literal)})"


def facts(rule: Rule) -> Iterator[str]:
    """The facts that describe a rule."""
    head = rule.head
    if isinstance(head, Atom):
        yield f"head({_name(head.term)})"
    elif isinstance(head, Choice):
        yield f"lb({head.lower})"
        yield f"ub({head.upper})"
        for element in head.elements:
            yield f"in_head({_name(element.atom.term)})"
    elif isinstance(head, Weak):
        yield "weak"
        yield f"weight({_name(head.weight)})"
        yield f"level({head.level})"
    else:
        yield "constraint"
    yield from (f"body({_described(literal)})" for literal in rule.body)


def _described(literal: Literal) -> str:
    if isinstance(literal, Atom):
        name = _name(literal.term)
        return f"naf({name})" if literal.negated else name
    if isinstance(literal, Aggregate):
        return f'aggregate("{literal.function}")'
    return f"{_RELATIONS[literal.op]}({_name(literal.left)},{_name(literal.right)})"


def _name(term: Term) -> str:
    def named(leaf: Term) -> Term:
        if isinstance(leaf, Variable):
            return Function("var__", (Constant(str(leaf.number)),))
        return Constant(str(leaf)) if isinstance(leaf, Constant) else Constant("any__")

    return str(map_leaves(term, named))


def _made(task: Task) -> Iterator[Rule]:
    """A rule for each answer set of the bias."""
    ctl = grounded(task.bias, "--models=0")
    with ctl.solve(yield_=True) as handle:
        for model in handle:
            rule = _rule(model.symbols(atoms=True))
            if rule is not None and rule.cost <= task.limits.rule:
                yield rule


def _rule(atoms: Sequence[clingo.Symbol]) -> Rule | None:
    def one(name: str) -> list[clingo.Symbol]:
        return sorted(a.arguments[0] for a in atoms if a.name == name and len(a.arguments) == 1)

    heads, body = one("head"), [_literal(symbol) for symbol in one("body")]
    if len(heads) > 1:
        raise TaskError("an answer set of #bias holds two heads", found=", ".join(map(str, heads)))
    if heads:
        return finish(Atom(_atom(heads[0])), body, 1 + len(body))
    elements = tuple(Element(Atom(_atom(symbol))) for symbol in one("in_head"))
    if elements:
        lower = one("lb")[0].number if one("lb") else 0
        upper = one("ub")[0].number if one("ub") else len(elements)
        cost = choice_cost(lower, len(elements), upper) + len(body)
        return finish(Choice(lower, elements, upper), body, cost)
    return finish(None, body, len(body)) if body else None


def _literal(symbol: clingo.Symbol) -> Literal:
    if symbol.name == "naf" and len(symbol.arguments) == 1:
        return Atom(_atom(symbol.arguments[0]), negated=True)
    if symbol.name in _OPERATORS and len(symbol.arguments) == 2:
        left, right = map(_term, symbol.arguments)
        return Comparison(_OPERATORS[symbol.name], left, right)
    return Atom(_atom(symbol))


def _atom(symbol: clingo.Symbol) -> Function:
    sign = "-" if symbol.negative else ""
    return Function(sign + symbol.name, tuple(map(_term, symbol.arguments)))


def _term(symbol: clingo.Symbol) -> Term:
    if symbol.type != clingo.SymbolType.Function or not symbol.arguments:
        return Constant(str(symbol))
    if symbol.name == "var__":
        return Variable(symbol.arguments[0].number)
    return Function(symbol.name, tuple(map(_term, symbol.arguments)))
