"""The rule space that a task's mode declarations span, every rule once up to renaming.

Rules are made in canonical form: variables are numbered as they appear, bodies are sets, and a
rule that can never do anything (a literal beside its negation, a condition that repeats a body
literal) is left out. Costs are ILASP's: a literal costs 1, and a choice head of n elements between
l and u costs n times the number of sets it allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, permutations
from math import comb

import clingo

from grl.las.clock import Clock
from grl.las.evaluate import match
from grl.las.schemas import Placed, Schema, canonical, safe, schemas, slots
from grl.las.task import Mode, Task
from grl.las.terms import (
    Atom,
    Choice,
    Constant,
    Element,
    Literal,
    Rule,
    Slot,
    Term,
    Variable,
    Weak,
    map_atom,
    map_literal,
    variables,
)

Body = tuple[Placed, ...]
ENDLESS = Clock()

FEW = 150
"""Rules that are sooner asked of clingo one by one than searched for."""
MOST_SHUFFLED = 6
"""Choice heads of more elements may be made more than once, in different orders."""


def rule_space(task: Task, clock: Clock = ENDLESS) -> Iterator[Rule]:
    """All rules of the space before its `#bias`, written-out ones first. Raises `OutOfTime`."""
    yield from task.written
    if not task.has_modes:
        return
    if task.limits.constraints:
        for body, _ in bodies(task, task.bodies, (), clock=clock):
            if body:
                yield finish(None, body, len(body))
    for head, types in normal_heads(task):
        for body, _ in bodies(task, task.bodies, types, length=task.limits.rule - 1, clock=clock):
            literals = [one.literal() for one in body]
            if safe(variables(head), literals) and head not in literals:
                yield finish(head, body, 1 + len(body))
    yield from facts(task)
    yield from _choice_rules(task, clock)
    yield from _weak_constraints(task, clock)


def sorted_space(task: Task, clock: Clock = ENDLESS) -> list[Rule]:
    """The space by cost and text."""
    return sorted(rule_space(task, clock), key=lambda rule: (rule.cost, str(rule)))


def few_rules(task: Task) -> bool:
    """Whether the space has at most `FEW` rules, found out without making many more."""
    single = sum(1 for _ in rule_space(replace(task, limits=replace(task.limits, body=1))))
    if single ** max(1, task.limits.body) > FEW**2:
        return False
    return sum(1 for _ in islice(rule_space(task), FEW + 1)) <= FEW


def normal_heads(task: Task) -> Iterator[tuple[Atom, tuple[str, ...]]]:
    """Heads of normal rules with the types of their variables, numbered from 1."""
    seen: set[Atom] = set()
    for schema in schemas(task, task.heads, negate=False):
        for placed, types in _placements(schema, (), task.max_variables):
            literal = placed.literal()
            assert isinstance(literal, Atom)
            if literal not in seen:
                seen.add(literal)
                yield literal, types


def facts(task: Task) -> Iterator[Rule]:
    """An extension: atoms that positive examples include, as facts, where a head could be them."""
    if not task.limits.extended:
        return
    heads = [mode.literal for mode in task.heads if isinstance(mode.literal, Atom)]
    mentioned = {atom for one in task.examples if one.positive for atom in one.inclusions}
    for text in sorted(mentioned):
        symbol = clingo.parse_term(text)
        if any(slots(head) and match(head.term, symbol) is not None for head in heads):
            yield Rule(None, (), 1, f"{text}.")


def _placements(
    schema: Schema, types: tuple[str, ...], most: int
) -> Iterator[tuple[Placed, tuple[str, ...]]]:
    """Ways to put known variables or fresh ones, at most `most` in all, into a schema's places."""

    def fill(
        at: int, names: tuple[int, ...], known: tuple[str, ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
        if at == len(schema.types):
            yield names, known
            return
        kind = schema.types[at]
        for number, other in enumerate(known, 1):
            if other == kind:
                yield from fill(at + 1, (*names, number), known)
        if len(known) < most:
            yield from fill(at + 1, (*names, len(known) + 1), (*known, kind))

    for names, known in fill(0, (), types):
        placed = Placed(schema, names)
        if placed.allowed():
            yield placed, known


def bodies(
    task: Task,
    modes: Sequence[Mode],
    types: tuple[str, ...],
    *,
    length: int | None = None,
    clock: Clock = ENDLESS,
) -> Iterator[tuple[Body, tuple[str, ...]]]:
    """Bodies, the empty one first, each once up to renaming of variables not in the head.

    Without a head (`types` empty) only safe bodies are made.
    """
    pool = schemas(task, modes)
    most = min(task.limits.body, task.limits.rule if length is None else length)
    fixed = len(types)
    level: list[tuple[Body, tuple[str, ...]]] = [((), types)]
    yield level[0]
    for _ in range(most):
        seen: set[tuple[tuple[int, tuple[int, ...]], ...]] = set()
        longer: list[tuple[Body, tuple[str, ...]]] = []
        for body, known in level:
            clock.check()
            used: dict[int, int] = {}
            for one in body:
                used[one.schema.mode] = used.get(one.schema.mode, 0) + 1
            for schema in pool:
                if schema.recall is not None and used.get(schema.mode, 0) >= schema.recall:
                    continue
                for placed, new in _placements(schema, known, task.max_variables):
                    if _clashes(placed, body):
                        continue
                    grown = (*body, placed)
                    form = canonical(grown, new, fixed)
                    if form in seen:
                        continue
                    seen.add(form)
                    longer.append((grown, new))
        for body, known in longer:
            if types or safe(set(), [one.literal() for one in body]):
                yield body, known
        level = longer


def _clashes(placed: Placed, body: Body) -> bool:
    """Whether the literal, or its negation, is there already."""
    _, names = placed.key()
    return any(one.schema.atom == placed.schema.atom and one.key()[1] == names for one in body)


def finish(head: Atom | Choice | Weak | None, body: Sequence[Placed | Literal], cost: int) -> Rule:
    """A rule with its variables renamed in the order in which they are read."""
    literals = [
        one.literal() if isinstance(one, Placed) else one
        for one in sorted(body, key=_reading_order)
    ]
    order: dict[int, int] = {}

    def rename(leaf: Term) -> Term:
        if not isinstance(leaf, Variable):
            return leaf
        return Variable(order.setdefault(leaf.number, len(order) + 1))

    if isinstance(head, Atom):
        head = map_atom(head, rename)
    elif isinstance(head, Choice):
        head = replace(head, elements=tuple(_rename_element(e, rename) for e in head.elements))
    done = tuple(map_literal(literal, rename) for literal in literals)
    if isinstance(head, Weak):
        weight = rename(head.weight)
        head = Weak(weight, head.level, tuple(Variable(n + 1) for n in range(len(order))))
    return Rule(head, done, cost)


def _reading_order(one: Placed | Literal) -> tuple[bool, bool, int, tuple[int, ...]]:
    literal = one.literal() if isinstance(one, Placed) else one
    place = one.key() if isinstance(one, Placed) else (0, ())
    negated = isinstance(literal, Atom) and literal.negated
    return (not isinstance(literal, Atom), negated, *place)


def _rename_element(element: Element, rename: object) -> Element:
    assert callable(rename)
    condition = tuple(map_atom(atom, rename) for atom in element.condition)
    return Element(map_atom(element.atom, rename), condition)


def choice_cost(lower: int, elements: int, upper: int) -> int:
    """n·ΣC(n,i), i from lower to upper; where upper exceeds n the sets of upper things count."""
    wide = max(elements, upper)
    return elements * sum(comb(wide, i) for i in range(lower, upper + 1))


def _choice_rules(task: Task, clock: Clock) -> Iterator[Rule]:
    limits = task.limits
    for elements, types in _choice_heads(task):
        in_head = len(elements) + sum(len(element.condition) for element in elements)
        conditions = {atom for element in elements for atom in element.condition}
        local_sources = [(element, set(variables(element.atom))) for element in elements]
        for body, _ in bodies(task, task.bodies, types, length=limits.rule - in_head, clock=clock):
            literals = [one.literal() for one in body]
            in_body: set[int] = set().union(*map(variables, literals)) if literals else set()
            if any(literal in conditions for literal in literals):
                continue
            if any(isinstance(one, Atom) and _opposite(one) in conditions for one in literals):
                continue
            if not safe(set(), literals):
                continue
            if not all(
                safe(needed - in_body, [*element.condition, *literals])
                for element, needed in local_sources
            ):
                continue
            local = any(needed - in_body for _, needed in local_sources)
            most = max(len(elements), task.max_head) if local else len(elements)
            extra = in_head - len(elements) + len(body)
            for upper in range(1, most + 1):
                for lower in range(upper + 1):
                    cost = choice_cost(lower, len(elements), upper) + extra
                    yield finish(Choice(lower, elements, upper), body, cost)


def _opposite(atom: Atom) -> Atom:
    return Atom(atom.term, not atom.negated)


def _choice_heads(task: Task) -> Iterator[tuple[tuple[Element, ...], tuple[str, ...]]]:
    """Sets of elements up to renaming, with the types of their variables."""
    if not task.limits.choices:
        return
    pool = schemas(task, task.choices, negate=False)
    condition_pool = schemas(task, task.conditions)
    room = task.limits.rule
    level: list[tuple[tuple[tuple[Placed, Body], ...], tuple[str, ...]]] = [((), ())]
    for number in range(1, task.max_head + 1):
        seen: set[object] = set()
        longer: list[tuple[tuple[tuple[Placed, Body], ...], tuple[str, ...]]] = []
        for chosen, known in level:
            used: dict[int, int] = {}
            for one, _ in chosen:
                used[one.schema.mode] = used.get(one.schema.mode, 0) + 1
            size = sum(1 + len(condition) for _, condition in chosen)
            for schema in pool:
                if schema.recall is not None and used.get(schema.mode, 0) >= schema.recall:
                    continue
                for placed, new in _placements(schema, known, task.max_variables):
                    if any(one == placed for one, _ in chosen):
                        continue
                    for condition, types in _conditions(
                        condition_pool, new, task.max_variables, min(2, room - size - 1)
                    ):
                        grown = (*chosen, (placed, condition))
                        form = _head_form(grown)
                        if form not in seen:
                            seen.add(form)
                            longer.append((grown, types))
        if number >= task.min_head:
            for chosen, types in longer:
                elements = tuple(_element(atom, condition) for atom, condition in chosen)
                names = {n for element in elements for n in variables(element.atom)}
                if not task.one_head_variable or len(names) <= 1:
                    yield elements, types
        level = longer


def _element(placed: Placed, condition: Body) -> Element:
    atom = placed.literal()
    assert isinstance(atom, Atom)
    inside = tuple(one.literal() for one in condition)
    return Element(atom, tuple(one for one in inside if isinstance(one, Atom)))


def _conditions(
    pool: Sequence[Schema], types: tuple[str, ...], most: int, size: int
) -> Iterator[tuple[Body, tuple[str, ...]]]:
    yield (), types
    level: list[tuple[Body, tuple[str, ...]]] = [((), types)]
    for _ in range(size):
        longer = []
        for body, known in level:
            first = body[-1].schema.index if body else 0
            used: dict[int, int] = {}
            for one in body:
                used[one.schema.mode] = used.get(one.schema.mode, 0) + 1
            for schema in pool[first:]:
                if schema.recall is not None and used.get(schema.mode, 0) >= schema.recall:
                    continue
                if not isinstance(schema.literal, Atom):
                    continue
                for placed, new in _placements(schema, known, most):
                    if _clashes(placed, body) or (body and placed.key() <= body[-1].key()):
                        continue
                    longer.append(((*body, placed), new))
        yield from longer
        level = longer


def _head_form(chosen: tuple[tuple[Placed, Body], ...]) -> object:
    """The same for heads that differ in order and in the names of variables only."""
    best = None
    for shuffled in permutations(chosen) if len(chosen) <= MOST_SHUFFLED else (chosen,):
        order: dict[int, int] = {}
        form = []
        for atom, condition in shuffled:
            names = tuple(order.setdefault(n, len(order)) for n in atom.names)
            inside = tuple(
                (one.schema.index, tuple(order.setdefault(n, len(order)) for n in one.names))
                for one in condition
            )
            form.append((atom.schema.index, names, inside))
        if best is None or form < best:
            best = form
    return tuple(best or ())


def _weak_constraints(task: Task, clock: Clock) -> Iterator[Rule]:
    if not task.preferences:
        return
    weights: Sequence[Term] = task.weights or (Constant("1"), Constant("-1"))
    plain = [weight for weight in weights if _is_number(weight)]
    typed = [str(weight) for weight in weights if not _is_number(weight)]
    most = task.limits.weak
    longer = task if most is None else replace(task, limits=replace(task.limits, body=most))
    for body, types in bodies(longer, task.preferences, (), length=most, clock=clock):
        if not body:
            continue
        named: list[Term] = [Variable(n) for n, kind in enumerate(types, 1) if kind in typed]
        for weight in [*plain, *named]:
            first = finish(Weak(weight, 1, ()), body, len(body))
            assert isinstance(first.head, Weak)
            yield first
            for level in range(2, task.levels + 1):
                yield replace(first, head=replace(first.head, level=level))


def _is_number(term: Term) -> bool:
    return getattr(term, "number", None) is not None and not isinstance(term, Slot)
