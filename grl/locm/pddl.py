"""A learned domain as PDDL: typed STRIPS that any planner reads, and problems for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grl.errors import GrlError
from grl.locm.domain import RESERVED, Atom, Domain, Fact, Predicate, Schema

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def domain_pddl(domain: Domain) -> str:
    """The domain as a PDDL text; what a predicate means stands beside it as a comment."""
    lines = [f"(define (domain {domain.name})", "  (:requirements :strips :typing)"]
    if domain.sorts:
        lines.append(f"  (:types {' '.join(domain.sorts)} - object)")
    if domain.constants:
        held = " ".join(f"{name} - {sort}" for name, sort in domain.constants)
        lines.append(f"  (:constants {held})")
    if domain.predicates:
        lines += ["  (:predicates", *map(_declared, domain.predicates), "  )"]
    for schema in domain.schemas:
        lines += ["", *_action(schema)]
    return "\n".join([*lines, ")", ""])


def _declared(predicate: Predicate) -> str:
    variables = "".join(f" ?x{i} - {sort}" for i, sort in enumerate(predicate.sorts, 1))
    meaning = f" ; {predicate.meaning}" if predicate.meaning else ""
    return f"    ({predicate.name}{variables}){meaning}"


def variables_of(schema: Schema) -> tuple[str, ...]:
    """The variables of an action: its sorts, with a number where one occurs twice."""
    return tuple(
        f"?{sort}"
        if schema.sorts.count(sort) == 1
        else f"?{sort}{schema.sorts[:i].count(sort) + 1}"
        for i, sort in enumerate(schema.sorts)
    )


def _action(schema: Schema) -> Iterator[str]:
    variables = variables_of(schema)

    def text(atom: Atom) -> str:
        named = (a if isinstance(a, str) else variables[a] for a in atom.args)
        return _listed((atom.predicate, *named))

    typed = (f"{v} - {sort}" for v, sort in zip(variables, schema.sorts, strict=True))
    yield f"  (:action {schema.name}"
    yield f"    :parameters ({' '.join(typed)})"
    yield f"    :precondition {_and(text(atom) for atom in schema.needs)}"
    effects = [f"(not {text(atom)})" for atom in schema.deletes] + [text(a) for a in schema.adds]
    yield f"    :effect {_and(effects)})"


def _listed(words: Iterable[str]) -> str:
    return f"({' '.join(words)})"


def _and(parts: Iterable[str]) -> str:
    return f"(and{''.join(f' {part}' for part in parts)})"


def problem_pddl(
    domain: Domain,
    objects: Mapping[str, str],
    initial: Iterable[Fact],
    goal: Iterable[Fact],
) -> str:
    """A problem as a PDDL text; `objects` gives every name its sort."""
    known = {constant.lower() for constant, _ in domain.constants}
    held = [f"{o} - {sort}" for o, sort in sorted(objects.items()) if o.lower() not in known]
    return "\n".join(
        [
            f"(define (problem task) (:domain {domain.name})",
            f"  (:objects {' '.join(held)})",
            "  (:init",
            *(f"    {_listed(fact)}" for fact in sorted(set(initial))),
            "  )",
            f"  (:goal {_and(_listed(fact) for fact in sorted(set(goal)))})",
            ")",
            "",
        ]
    )


def objects_of(domain: Domain, plan: Sequence[tuple[str, ...]]) -> dict[str, str]:
    """The objects of a plan with their sorts; a step is ``name, argument, …``."""
    return {
        argument: sort
        for name, *args in plan
        for argument, sort in zip(args, domain.schema[name.lower()].sorts, strict=True)
    }


def check_domain_name(name: str) -> None:
    """Raise `GrlError` where `name` can't be the name of a domain."""
    if not NAME.fullmatch(name):
        raise GrlError(
            f"'{name}' is no name in PDDL", expected="a letter, then letters, digits, - and _"
        )


def check_names(names: Mapping[str, str], domain: Domain) -> None:
    """Raise `GrlError` where new names are no PDDL names, or no longer different."""
    known = {*domain.sorts, *(p.name for p in domain.predicates)}
    for old, new in names.items():
        if old not in known:
            raise GrlError(
                f"there is no predicate or type '{old}' to rename",
                expected=f"one of {', '.join(sorted(known))}"[:200],
            )
        if not NAME.fullmatch(new) or new.lower() in RESERVED:
            raise GrlError(
                f"'{new}' is no name in PDDL", expected="a letter, then letters, digits, - and _"
            )
    for group in (domain.sorts, tuple(p.name for p in domain.predicates)):
        renamed = [names.get(name, name).lower() for name in group]
        twice = sorted({name for name in renamed if renamed.count(name) > 1})
        if twice:
            raise GrlError(f"two things would be called '{twice[0]}'", hint="choose other names")
