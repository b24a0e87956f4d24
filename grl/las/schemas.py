"""Literals with open places for variables: what one mode declaration allows, its constants put in.

A body is a set of placed schemas, each a schema with a tuple of variables; two bodies that differ
in the names of variables only have the same canonical form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

from grl.las.task import Mode, Task
from grl.las.terms import (
    Aggregate,
    Atom,
    Comparison,
    Constant,
    Literal,
    Slot,
    Term,
    Variable,
    bound_by,
    leaves,
    map_literal,
    terms_of,
    variables,
)


@dataclass(frozen=True, slots=True)
class Schema:
    """A literal whose variable places are still slots; `types` are theirs, left to right.

    `atom` is the same for a literal and its negation.
    """

    index: int
    atom: int
    mode: int
    literal: Literal
    types: tuple[str, ...]
    recall: int | None
    anti_reflexive: bool
    symmetric: bool

    def place(self, names: Sequence[int]) -> Literal:
        """The literal with variables of these numbers in its places."""
        rest = iter(names)

        def fill(leaf: Term) -> Term:
            return Variable(next(rest)) if isinstance(leaf, Slot) else leaf

        return map_literal(self.literal, fill)


class Placed(NamedTuple):
    """A schema with the variables in its places."""

    schema: Schema
    names: tuple[int, ...]

    def literal(self) -> Literal:
        """The literal that this is."""
        return self.schema.place(self.names)

    def key(self) -> tuple[int, tuple[int, ...]]:
        """Equal for literals that mean the same by their mode's options."""
        names = self.names
        if self.schema.symmetric and len(names) == 2 and names[0] > names[1]:
            names = (names[1], names[0])
        return self.schema.index, names

    def allowed(self) -> bool:
        """Whether the options and plain sense let these variables stand here."""
        schema, names = self.schema, self.names
        if len(names) == 2 and names[0] == names[1]:
            if schema.anti_reflexive:
                return False
            literal = schema.literal
            if isinstance(literal, Comparison) and literal.left == literal.right:
                return False
        if schema.symmetric and len(names) == 2:
            return names[0] <= names[1]
        return True


def schemas(task: Task, modes: Sequence[Mode], *, negate: bool = True) -> tuple[Schema, ...]:
    """All schemas of some modes, constants put in, the positive literal before the negated."""
    found: list[Schema] = []
    seen: set[tuple[Literal, int]] = set()
    atoms: dict[Literal, int] = {}
    for number, mode in enumerate(modes):
        signs = (False, True) if mode.sign is None and negate else (mode.sign is False,)
        for literal in _with_constants(task, _with_locals(mode.literal)):
            symmetric = mode.symmetric or _commutes(literal)
            for negated in signs:
                signed = Atom(literal.term, negated) if isinstance(literal, Atom) else literal
                if (signed, number) in seen:
                    continue
                seen.add((signed, number))
                types = tuple(slot.type for slot in slots(signed))
                atom = atoms.setdefault(literal, len(atoms))
                symmetrical = symmetric and len(types) == 2
                found.append(
                    Schema(
                        index=len(found),
                        atom=atom,
                        mode=number,
                        literal=signed,
                        types=types,
                        recall=mode.recall,
                        anti_reflexive=mode.anti_reflexive,
                        symmetric=symmetrical,
                    )
                )
    return tuple(found)


def slots(literal: Literal) -> list[Slot]:
    """The open places of a mode's literal, left to right."""
    return [leaf for term in terms_of(literal) for leaf in leaves(term) if isinstance(leaf, Slot)]


def _commutes(literal: Literal) -> bool:
    if not isinstance(literal, Comparison) or literal.op not in ("=", "!="):
        return False
    return isinstance(literal.left, Slot) and literal.left == literal.right


def _with_locals(literal: Literal) -> Literal:
    """Inside an aggregate the types of its tuple stand for one variable each, known there only."""
    if not isinstance(literal, Aggregate):
        return literal
    names: dict[Term, Term] = {}
    for leaf in (leaf for term in literal.elements for leaf in leaves(term)):
        if isinstance(leaf, Slot) and leaf.kind == "var":
            names.setdefault(leaf, Constant(f"L{len(names) + 1}"))

    def name(leaf: Term) -> Term:
        return names.get(leaf, leaf)

    named = map_literal(literal, name)
    assert isinstance(named, Aggregate)
    return replace(named, right=literal.right)


def _with_constants(task: Task, literal: Literal) -> Iterator[Literal]:
    open_slots = [slot for slot in slots(literal) if slot.kind == "const"]
    for values in product(*(task.constants.get(slot.type, ()) for slot in open_slots)):
        rest = iter(values)

        def fill(leaf: Term, rest: Iterator[Term] = rest) -> Term:
            return next(rest) if isinstance(leaf, Slot) and leaf.kind == "const" else leaf

        yield map_literal(literal, fill)


def canonical(
    placed: Sequence[Placed], types: Sequence[str], fixed: int
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The least form of a body under renaming of variables beyond the first `fixed` ones."""
    best: tuple[tuple[int, tuple[int, ...]], ...] | None = None
    for new in _renamings(tuple(types), fixed):
        form = tuple(
            sorted(
                Placed(one.schema, tuple(new.get(n, n) for n in one.names)).key() for one in placed
            )
        )
        if best is None or form < best:
            best = form
    assert best is not None
    return best


@lru_cache(maxsize=1024)
def _renamings(types: tuple[str, ...], fixed: int) -> tuple[Mapping[int, int], ...]:
    """Ways to rename variables beyond the first `fixed` ones among those of their type."""
    groups: dict[str, list[int]] = {}
    for number in range(fixed + 1, len(types) + 1):
        groups.setdefault(types[number - 1], []).append(number)
    ways = product(*(permutations(group) for group in groups.values()))
    return tuple(
        {
            old: new
            for group, shuffled in zip(groups.values(), way, strict=True)
            for old, new in zip(group, shuffled, strict=True)
        }
        for way in ways
    )


def safe(needed: set[int], body: Sequence[Literal]) -> bool:
    """Whether the body binds all variables in `needed` and all of its own."""
    globals_ = set(needed)
    for literal in body:
        if isinstance(literal, Aggregate):
            globals_ |= _of_term(literal.right)
        else:
            globals_ |= variables(literal)
    bound: set[int] = set()
    while True:
        more = {
            number for literal in body for number in bound_by(literal, bound) if number not in bound
        }
        if not more:
            break
        bound |= more
    if not globals_ <= bound:
        return False
    for literal in body:
        if isinstance(literal, Aggregate):
            inside: set[int] = set()
            for one in literal.condition:
                inside |= bound_by(one, inside | bound)
            if not variables(literal) <= inside | bound:
                return False
    return True


def _of_term(term: Term) -> set[int]:
    return {leaf.number for leaf in leaves(term) if isinstance(leaf, Variable)}
