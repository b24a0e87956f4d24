"""Plans as one table of numbers: what every stage of LOCM counts on.

LOCM only asks which arguments of a plan are the same object. So names are interned once, every
object of every plan gets a number of its own, and a plan is a run of rows ``kind, arguments``.
A hundred thousand plans are a few arrays, and tables of two shards are laid end to end.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, NewType

import numpy as np
import numpy.typing as npt

from grl.errors import PlanError

Ints = npt.NDArray[np.int64]
Kind = NewType("Kind", int)
Slot = NewType("Slot", int)

NOBODY = -1
"""Stands in `PlanTable.args` beyond the arguments of an action."""


class Step(NamedTuple):
    """An action of a plan, as text."""

    name: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.args))})"


class Signature(NamedTuple):
    """The name of an action and how many arguments it has."""

    name: str
    arity: int


@dataclass(frozen=True, eq=False)
class PlanTable:
    """Plans, interned.

    `kind`, `plan` and `args` have a row for every action of every plan, in order; `args` is
    padded with `NOBODY`. Objects are counted over all plans: object o of plan `home[o]` is called
    ``names[name[o]]``. A slot is an argument position of an action, numbered over all actions.
    """

    signatures: tuple[Signature, ...]
    kind: Ints
    plan: Ints
    args: Ints
    names: tuple[str, ...]
    name: Ints
    home: Ints
    plans: int

    @cached_property
    def base(self) -> tuple[int, ...]:
        """The first slot of every action, and at the end the number of slots."""
        result = [0]
        for signature in self.signatures:
            result.append(result[-1] + signature.arity)
        return tuple(result)

    @cached_property
    def slots(self) -> tuple[tuple[Kind, int], ...]:
        """For every slot its action and position, counted from 0."""
        return tuple(
            (Kind(kind), position)
            for kind, signature in enumerate(self.signatures)
            for position in range(signature.arity)
        )

    def slot(self, kind: int, position: int) -> Slot:
        """The number of a slot."""
        return Slot(self.base[kind] + position)

    def slot_name(self, slot: int) -> str:
        """``stack.2``: an action and its position, counted from 1."""
        kind, position = self.slots[slot]
        return f"{self.signatures[kind].name}.{position + 1}"

    def steps(self, number: int) -> list[Step]:
        """One plan as text."""
        return [self._step(row) for row in np.flatnonzero(self.plan == number).tolist()]

    def __iter__(self) -> Iterator[list[Step]]:
        bounds = np.searchsorted(self.plan, np.arange(self.plans + 1))
        for number in range(self.plans):
            yield [self._step(row) for row in range(bounds[number], bounds[number + 1])]

    def _step(self, row: int) -> Step:
        signature = self.signatures[self.kind[row]]
        named = (self.names[self.name[o]] for o in self.args[row, : signature.arity])
        return Step(signature.name, tuple(named))


class TableBuilder:
    """Collects plans one by one; `finish` makes the table."""

    def __init__(self) -> None:
        self._signatures: list[Signature] = []
        self._known_actions: dict[str, int] = {}
        self._names: list[str] = []
        self._known_names: dict[str, int] = {}
        self._kind = array("i")
        self._args = array("i")
        self._length = array("i")
        self._object_name = array("i")
        self._per_plan = array("i")

    def add(self, plan: Iterable[Sequence[str]]) -> None:
        """Add one plan, given as sequences ``name, argument, …``. Raises `PlanError`."""
        here: dict[str, int] = {}
        length = 0
        for step in plan:
            name = step[0]
            kind = self._known_actions.get(name)
            if kind is None:
                kind = self._new_action(name, len(step) - 1)
            if self._signatures[kind].arity != len(step) - 1:
                raise PlanError(
                    f"action '{name}' has {len(step) - 1} arguments",
                    expected=f"{self._signatures[kind].arity}, as before",
                )
            self._kind.append(kind)
            for argument in step[1:]:
                number = here.get(argument)
                if number is None:
                    number = here[argument] = self._object(argument, here)
                self._args.append(number)
            length += 1
        if length:
            self._length.append(length)
            self._per_plan.append(len(set(here.values())))

    def _new_action(self, name: str, arity: int) -> int:
        folded = name.lower()
        kind = self._known_actions.get(folded)
        if kind is None:
            kind = len(self._signatures)
            self._signatures.append(Signature(name, arity))
            self._known_actions[folded] = kind
        self._known_actions[name] = kind
        return kind

    def _object(self, name: str, here: dict[str, int]) -> int:
        folded = name.lower()
        if folded in here:
            return here[folded]
        known = self._known_names.get(folded)
        if known is None:
            known = self._known_names[folded] = len(self._names)
            self._names.append(name)
        number = here[folded] = len(self._object_name)
        self._object_name.append(known)
        return number

    def fits(self, name: str, arity: int) -> bool:
        """Whether an action may have so many arguments, after what was added so far."""
        kind = self._known_actions.get(name)
        return kind is None or self._signatures[kind].arity == arity

    def finish(self) -> PlanTable:
        """The table of all plans added so far. Raises `PlanError` where there is none."""
        if not self._length:
            raise PlanError("the plans hold no action", expected="at least one (action arg …)")
        order = sorted(range(len(self._signatures)), key=lambda k: self._signatures[k].name)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        old = np.frombuffer(self._kind, dtype=np.int32)
        arity = np.array([s.arity for s in self._signatures], dtype=np.int64)[old]
        width = max(1, int(arity.max()))
        args = np.full((len(old), width), NOBODY, dtype=np.int64)
        if self._args:
            args[np.arange(width) < arity[:, None]] = np.frombuffer(self._args, dtype=np.int32)
        lengths = np.frombuffer(self._length, dtype=np.int32)
        objects = np.frombuffer(self._per_plan, dtype=np.int32)
        name = np.array(self._object_name, dtype=np.int64)
        return PlanTable(
            signatures=tuple(self._signatures[k] for k in order),
            kind=place[old],
            plan=np.repeat(np.arange(len(lengths), dtype=np.int64), lengths),
            args=args,
            names=tuple(self._names),
            name=name,
            home=np.repeat(np.arange(len(lengths), dtype=np.int64), objects),
            plans=len(lengths),
        )


def table_of(plans: Iterable[Iterable[Sequence[str]]]) -> PlanTable:
    """The table of `plans`; a step is a sequence ``name, argument, …`` or a `Step`."""
    builder = TableBuilder()
    for plan in plans:
        builder.add((s.name, *s.args) if isinstance(s, Step) else s for s in plan)
    return builder.finish()


def merged(one: PlanTable, other: PlanTable) -> PlanTable:
    """The table of the plans of two shards. Raises `PlanError` where an action's arity differs."""
    builder = TableBuilder()
    for table in (one, other):
        for plan in table:
            builder.add((step.name, *step.args) for step in plan)
    return builder.finish()
