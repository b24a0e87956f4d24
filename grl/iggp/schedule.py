"""The target predicates of a file in turn: what has been learned of one helps with the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grl.iggp.deadline import Late, until
from grl.iggp.definition import Definition
from grl.iggp.plan import find_guard, learn_lightly, learn_target, salvage_rest
from grl.iggp.widening import widen
from grl.iggp.world import Relation

_LIGHT = 0.2
"""The share of the time for what is easy."""
_WIDE = 0.4
"""The share of the time after which no relations are made for a target."""
_LEAST = 0.8
"""Seconds that a guard may take, however short the time is."""
_ENOUGH = 0.93
"""The share of the time after which only rules that are wrong somewhere are sought."""


def learn_all(definitions: Sequence[Definition], end: float) -> None:
    """Let these definitions grow until all are complete or the time is over.

    First there is a guard for each, so that there is always something; then what is easy; then each
    gets an equal share of the time, and what one leaves the others get.
    """
    waiting = [d for d in definitions if d.target.goal.positive.any()]
    span = until(end)
    for number, definition in enumerate(waiting):
        share = until(span.moment(0.1)).moment(1 / (len(waiting) - number))
        find_guard(definition, Late(max(share, until(end).begin + _LEAST)))
        definition.target.step()
    waiting = _while_it_helps(waiting, span.moment(_LIGHT))
    for number, definition in enumerate(waiting):
        widen(definition, until(span.moment(_WIDE)).moment(1 / (len(waiting) - number)))
    waiting = [definition for definition in waiting if not definition.sure]
    late = span.by(_ENOUGH)
    while waiting and not late():
        before = len(waiting)
        waiting = _in_turn(waiting, late.moment)
        if len(waiting) == before:
            break
    for number, definition in enumerate(waiting):
        if not definition.complete:
            salvage_rest(definition, Late(until(end).moment(1 / (len(waiting) - number))))


def _while_it_helps(waiting: list[Definition], end: float) -> list[Definition]:
    """Learn lightly what can be, again after what helps; those that are left."""
    again = True
    while again and waiting:
        again = False
        before = list(waiting)
        for number, definition in enumerate(before):
            if definition.first is None:
                learn_lightly(definition, until(end).moment(1 / (len(before) - number + 1)))
            if definition.sure:
                waiting = [other for other in waiting if other is not definition]
                again = True
                _share(definition, waiting)
    return waiting


def _in_turn(waiting: list[Definition], end: float) -> list[Definition]:
    """Learn each with an equal share of the time; those that are left."""
    left = list(waiting)
    for number, definition in enumerate(waiting):
        clauses, doubted = definition.clauses, definition.doubted
        definition.forget()
        learn_target(definition, until(end).moment(1 / (len(waiting) - number)))
        if clauses and not definition.complete:
            definition.clauses, definition.doubted = clauses, doubted
        if definition.sure:
            left.remove(definition)
            _share(definition, left)
    return left


def _share(definition: Definition, others: Sequence[Definition]) -> None:
    """Let the bodies of other definitions use what has been learned, as a relation."""
    target = definition.target
    goal, world = target.goal, target.world
    (name, arity), rows = target.key, np.flatnonzero(goal.positive)
    table = np.stack([goal.states[rows], *(column[rows] for column in goal.columns)], axis=1)
    arguments = f"({','.join(f'X{i}' for i in range(arity))})" if arity else ""
    alias = f"{world.prefix}_said_{name}"
    rule = f"{alias}{arguments} :- {target.domain}{arguments}, {name}{arguments}."
    for other in others:
        other.add_relation(
            Relation(
                alias,
                arity,
                True,
                table,
                world.states,
                world.vocabulary,
                (target.candidate_facts(), rule),
                cost=1.0,
            )
        )
