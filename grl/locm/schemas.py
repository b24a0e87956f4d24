"""From machines to schemas: LOCM's last step.

A machine's state is a predicate of its object and of what the state remembers. A transition needs
the atom of its start, deletes it and adds the atom of its end; where both are the same atom the
transition only needs it. A machine of sort `ZERO` has no object, only what its states remember.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grl.locm.domain import Atom, Predicate, Schema
from grl.locm.features import Feature, Pattern
from grl.locm.fsm import ZERO, Fsm
from grl.locm.sorts import Sorts
from grl.locm.statics import Static
from grl.locm.table import PlanTable


@dataclass
class Draft:
    """Schemas in the making: for each action what it needs, deletes and adds, and predicates."""

    sorts: Sorts
    predicates: list[Predicate] = field(default_factory=list)
    needs: dict[int, dict[Atom, None]] = field(default_factory=dict)
    deletes: dict[int, dict[Atom, None]] = field(default_factory=dict)
    adds: dict[int, dict[Atom, None]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    constants: dict[str, str] = field(default_factory=dict)

    def predicate(self, name: str, sorts: Sequence[int], meaning: str) -> str:
        """A new predicate; its name with a number where it is taken."""
        unique, number = name, 1
        while unique.lower() in self.taken:
            number += 1
            unique = f"{name}_{number}"
        self.taken.add(unique.lower())
        names = tuple(self.sorts.names[sort] for sort in sorts)
        self.predicates.append(Predicate(unique, names, meaning))
        return unique

    def effect(
        self, kind: int, needs: Atom | None, deletes: Atom | None, adds: Atom | None
    ) -> None:
        """Add to the schema of an action; an atom deleted and added again stays."""
        if needs is not None:
            self.needs.setdefault(kind, {})[needs] = None
        if deletes is not None and deletes != adds:
            self.deletes.setdefault(kind, {})[deletes] = None
        if adds is not None and deletes != adds:
            self.adds.setdefault(kind, {})[adds] = None

    def machine(self, fsm: Fsm) -> None:
        """Add the states and transitions of a machine.

        A state is a predicate of the object alone, and another one of the object and all that the
        state remembers. An object is in one state: a transition deletes all others as well.
        """
        own = () if fsm.sort == ZERO else (fsm.sort,)
        states, memories = [], []
        for s in range(fsm.size):
            name, meaning = state_name(self.sorts, fsm, s), state_meaning(self.sorts, fsm, s)
            kept = tuple(p.sort for p in fsm.parameters[s])
            states.append(self.predicate(name, own, meaning) if fsm.size > 1 else "")
            of = "_".join((name, *(self.sorts.names[sort] for sort in kept)))
            memories.append(self.predicate(of, (*own, *kept), meaning) if kept else "")
        for t in sorted(fsm.start):
            kind, position = (t, None) if fsm.sort == ZERO else self.sorts.table.slots[t]
            head = () if position is None else (position,)
            source, target = fsm.start[t], fsm.end[t]
            if fsm.size > 1:
                here, there = Atom(states[source], head), Atom(states[target], head)
                self.effect(kind, here, here, there)
                for other in range(fsm.size):
                    if other not in (source, target):
                        self.effect(kind, None, Atom(states[other], head), None)
            taken = tuple(dict(p.out)[t] for p in fsm.parameters[source])
            put = tuple(dict(p.into)[t] for p in fsm.parameters[target])
            before = Atom(memories[source], (*head, *taken)) if taken else None
            after = Atom(memories[target], (*head, *put)) if put else None
            self.effect(kind, before, before, after)

    def feature(self, feature: Feature) -> None:
        """Add a feature, and a predicate for its absence where an action needs that."""
        name = feature_name(self.sorts, feature)
        held = self.predicate(name, feature.sorts, feature_meaning(self.sorts, feature))
        absent = self.predicate(f"not_{name}", feature.sorts, f"{held} does not hold")
        for kind, positions in feature.adds:
            here, gone = Atom(held, positions), Atom(absent, positions)
            self.effect(kind, gone, gone, here)
        for kind, positions in feature.deletes:
            here, gone = Atom(held, positions), Atom(absent, positions)
            self.effect(kind, here, here, gone)
        for kind, positions in feature.held:
            self.effect(kind, Atom(held, positions), None, None)
        for kind, positions in feature.absent:
            self.effect(kind, Atom(absent, positions), None, None)
        for kind, args in feature.fixed:
            self.effect(kind, Atom(held, args), None, None)
            places = zip(args, feature.sorts, strict=True)
            self.constants |= {
                arg: self.sorts.names[sort] for arg, sort in places if isinstance(arg, str)
            }

    def static(self, static: Static) -> None:
        """Add a static relation."""
        signature = self.sorts.table.signatures[static.kind]
        named = self.sorts.of_kind(static.kind)
        positions = (static.first, static.second)
        name = self.predicate(
            "_".join((signature.name, *(f"{self.sorts.names[named[p]]}" for p in positions))),
            [named[p] for p in positions],
            f"static: {static.pairs} pairs where chance makes {static.chance:.0f}",
        )
        self.effect(static.kind, Atom(name, positions), None, None)

    def schemas(self) -> tuple[Schema, ...]:
        """The schemas of all actions."""
        table = self.sorts.table
        return tuple(
            Schema(
                signature.name,
                tuple(self.sorts.names[s] for s in self.sorts.of_kind(kind)),
                tuple(self.needs.get(kind, ())),
                tuple(self.deletes.get(kind, ())),
                tuple(self.adds.get(kind, ())),
            )
            for kind, signature in enumerate(table.signatures)
        )


def state_name(sorts: Sorts, fsm: Fsm, state: int) -> str:
    """A name made from the sort and from what leads into the state, or out of it."""
    table = sorts.table
    sort = "plan" if fsm.sort == ZERO else sorts.names[fsm.sort]
    into = _labels(table, fsm, [t for t in fsm.start if fsm.end[t] == state])
    out = _labels(table, fsm, [t for t in fsm.start if fsm.start[t] == state])
    if into and set(into) == set(out):
        return f"{sort}_during_{_joined(into)}"
    arriving = [label for label in into if label not in out]
    if arriving:
        return f"{sort}_after_{_joined(arriving)}"
    leaving = [label for label in out if label not in into]
    if leaving:
        return f"{sort}_before_{_joined(leaving)}"
    return f"{sort}_at_{_joined(into)}"


def _joined(labels: list[str]) -> str:
    return "_or_".join(labels) if len(labels) < 4 else f"{labels[0]}_or_{len(labels) - 1}_others"


def _labels(table: PlanTable, fsm: Fsm, transitions: Iterable[int]) -> list[str]:
    """Names of transitions, with a position only where the action has several of the sort."""
    result = []
    for t in sorted(transitions):
        if fsm.sort == ZERO:
            result.append(table.signatures[t].name)
            continue
        kind, position = table.slots[t]
        name = table.signatures[kind].name
        rivals = [s for s in fsm.start if table.slots[s][0] == kind]
        result.append(f"{name}{position + 1}" if len(rivals) > 1 else name)
    return result


def state_meaning(sorts: Sorts, fsm: Fsm, state: int) -> str:
    """A sentence about a state for the comment in the PDDL."""

    def listed(transitions: Iterable[int]) -> str:
        table = sorts.table
        return ", ".join(
            table.signatures[t].name if fsm.sort == ZERO else table.slot_name(t)
            for t in sorted(transitions)
        )

    into = listed(t for t in fsm.start if fsm.end[t] == state)
    out = listed(t for t in fsm.start if fsm.start[t] == state)
    return f"from {into or 'the beginning'} to {out or 'the end'}"


def feature_name(sorts: Sorts, feature: Feature) -> str:
    """A name made from the sorts and from what adds the feature."""
    objects = "_".join(sorts.names[s] for s in feature.sorts) or "plan"
    adding = sorted({sorts.table.signatures[kind].name for kind, _ in feature.adds})
    return f"{objects}_by_{_joined(adding)}"


def feature_meaning(sorts: Sorts, feature: Feature) -> str:
    """A sentence about a feature for the comment in the PDDL."""

    def listed(patterns: Iterable[Pattern]) -> str:
        return ", ".join(
            f"{sorts.table.signatures[kind].name}{''.join(f'.{p + 1}' for p in positions)}"
            for kind, positions in patterns
        )

    return f"added by {listed(feature.adds)}, deleted by {listed(feature.deletes)}"
