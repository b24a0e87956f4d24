"""A learned planning domain: predicates and schemas, and which plans it accepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from grl.locm.table import Step

RESERVED = frozenset(
    {"and", "assign", "decrease", "define", "domain", "either", "exists", "forall", "imply"}
    | {"increase", "maximize", "minimize", "not", "object", "oneof", "or", "problem", "when"}
)
"""Words that no parser of PDDL takes for a name."""

Argument = int | str
"""An argument position of the action, from 0, or the name of a constant."""


class Atom(NamedTuple):
    """An atom of a schema."""

    predicate: str
    args: tuple[Argument, ...]


Fact = tuple[str, ...]
"""A ground atom: the predicate and the names of objects."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate, the sorts of its arguments and a sentence about what it says."""

    name: str
    sorts: tuple[str, ...]
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Schema:
    """An action: its name, the sorts of its arguments, and STRIPS lists of atoms."""

    name: str
    sorts: tuple[str, ...]
    needs: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    adds: tuple[Atom, ...]

    def ground(self, args: Sequence[str]) -> tuple[list[Fact], list[Fact], list[Fact]]:
        """What the action with these arguments needs, deletes and adds."""
        return (
            [_fact(atom, args) for atom in self.needs],
            [_fact(atom, args) for atom in self.deletes],
            [_fact(atom, args) for atom in self.adds],
        )


def _fact(atom: Atom, args: Sequence[str]) -> Fact:
    return (atom.predicate, *[a if isinstance(a, str) else args[a] for a in atom.args])


class Broken(NamedTuple):
    """Where a plan stops being accepted: the step, from 0, and what it lacks (None: its schema)."""

    step: int
    fact: Fact | None


@dataclass(frozen=True)
class Domain:
    """What LOCM learned from plans."""

    name: str
    sorts: tuple[str, ...]
    constants: tuple[tuple[str, str], ...]
    """Names of objects that the schemas speak of, with their sorts."""
    predicates: tuple[Predicate, ...]
    schemas: tuple[Schema, ...]

    @cached_property
    def schema(self) -> Mapping[str, Schema]:
        """The schemas by the name of the action, in lower case."""
        return {schema.name.lower(): schema for schema in self.schemas}

    @cached_property
    def _spelled(self) -> Mapping[str, str]:
        return {name.lower(): name for name, _ in self.constants}

    def _called(self, step: Step) -> tuple[Schema, Sequence[str]] | None:
        """The schema of a step and its arguments as the schemas spell them."""
        schema = self.schema.get(step.name.lower())
        if schema is None or len(schema.sorts) != len(step.args):
            return None
        if not self.constants:
            return schema, step.args
        return schema, [self._spelled.get(a.lower(), a) for a in step.args]

    def _grounded(self, step: Step) -> tuple[list[Fact], list[Fact], list[Fact]] | None:
        called = self._called(step)
        return None if called is None else called[0].ground(called[1])

    def broken(self, plan: Iterable[Step]) -> Broken | None:
        """Where `plan` isn't accepted, or None.

        An atom first met as a precondition held initially; afterwards its value is known.
        """
        known: dict[Fact, bool] = {}
        for number, step in enumerate(plan):
            grounded = self._grounded(step)
            if grounded is None:
                return Broken(number, None)
            needs, deletes, adds = grounded
            for fact in needs:
                if not known.setdefault(fact, True):
                    return Broken(number, fact)
            for fact in deletes:
                known[fact] = False
            for fact in adds:
                known[fact] = True
        return None

    def accepts(self, plan: Iterable[Step]) -> bool:
        """Whether `plan` runs."""
        return self.broken(plan) is None

    def initial(self, plan: Iterable[Step]) -> set[Fact]:
        """What must hold initially for `plan` to run: no more than that."""
        first: dict[Fact, bool] = {}
        for step in plan:
            needs, deletes, adds = self._grounded(step) or ([], [], [])
            for fact in needs:
                first.setdefault(fact, True)
            for fact in (*deletes, *adds):
                first.setdefault(fact, False)
        return {fact for fact, held in first.items() if held}

    def applicable(self, state: set[Fact], step: Step) -> bool:
        """Whether `step` may be taken in a state of which everything is known."""
        called = self._called(step)
        if called is None:
            return False
        schema, args = called
        return all(_fact(atom, args) in state for atom in schema.needs)

    def apply(self, state: set[Fact], step: Step) -> set[Fact]:
        """The state after `step`."""
        needs, deletes, adds = self._grounded(step) or ([], [], [])
        del needs
        return (state - set(deletes)) | set(adds)

    def renamed(self, names: Mapping[str, str]) -> Domain:
        """The same domain with other names for predicates and sorts."""

        def new(name: str) -> str:
            return names.get(name, name)

        def atoms(items: tuple[Atom, ...]) -> tuple[Atom, ...]:
            return tuple(Atom(new(a.predicate), a.args) for a in items)

        return Domain(
            self.name,
            tuple(map(new, self.sorts)),
            tuple((name, new(sort)) for name, sort in self.constants),
            tuple(
                Predicate(new(p.name), tuple(map(new, p.sorts)), p.meaning) for p in self.predicates
            ),
            tuple(
                Schema(
                    s.name,
                    tuple(map(new, s.sorts)),
                    atoms(s.needs),
                    atoms(s.deletes),
                    atoms(s.adds),
                )
                for s in self.schemas
            ),
        )


def used(schemas: Iterable[Schema]) -> Iterator[str]:
    """The predicates that some schema needs."""
    for schema in schemas:
        for atom in schema.needs:
            yield atom.predicate
