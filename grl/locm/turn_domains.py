"""Machines of turns as planning domains, one for each mover and piece (GRL paper, figure 4).

An action needs the state of each zero machine that sees it and the states of its squares. That a
square is in the state in which the controlled piece has just arrived is what the paper calls
control: an arrow appears only there. A square that stands twice in an action has transitions of
its own, for which STRIPS has no schema of the same name; they are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grl.board import Equipment
from grl.locm.actions import type_name
from grl.locm.domain import Atom, Domain, Predicate, Schema
from grl.model import Machine, Model, refuse_effects

SQUARE = "square"


def turn_domains(model: Model) -> Iterator[Domain]:
    """The domains of a model's machines, in the order of the machines.

    Raises `ModelError` where turns have effects: no machine knows of them.
    """
    refuse_effects(model, "planning domains")
    keys = dict.fromkeys((machine.mover, machine.piece) for machine in model.machines)
    for mover, piece in keys:
        machines = [m for m in model.machines if (m.mover, m.piece) == (mover, piece)]
        yield _domain(f"{mover}_{_piece(model.equipment, piece)}", machines)


def _piece(equipment: Equipment, piece: str) -> str:
    return "empty" if piece == "." else type_name(equipment, piece)


def _domain(name: str, machines: Sequence[Machine]) -> Domain:
    predicates: list[Predicate] = []
    arity: dict[str, int] = {}
    needs: dict[str, list[Atom]] = {}
    deletes: dict[str, list[Atom]] = {}
    adds: dict[str, list[Atom]] = {}
    for number, machine in enumerate(machines):
        sorts = () if machine.sort == "zero" else (SQUARE,)
        stem = "turn" if machine.sort == "zero" else SQUARE
        states = [f"{stem}{number or ''}_{state}" for state in range(machine.size)]
        predicates += [
            Predicate(state, sorts, _meaning(machine, i)) for i, state in enumerate(states)
        ]
        for source, action, position, target in machine.transitions:
            if position > 9:
                continue
            arity[action] = max(arity.get(action, 0), position)
            args = () if machine.sort == "zero" else (position - 1,)
            before, after = Atom(states[source], args), Atom(states[target], args)
            needs.setdefault(action, []).append(before)
            if before != after:
                deletes.setdefault(action, []).append(before)
                adds.setdefault(action, []).append(after)
    schemas = tuple(
        Schema(
            action,
            (SQUARE,) * arity[action],
            tuple(needs[action]),
            tuple(deletes.get(action, ())),
            tuple(adds.get(action, ())),
        )
        for action in sorted(arity)
    )
    safe = re.sub(r"[^A-Za-z0-9_-]+", "_", name)
    safe = safe if safe[:1].isalpha() else f"player_{safe}"
    return Domain(safe, (SQUARE,), (), tuple(predicates), schemas)


def _meaning(machine: Machine, state: int) -> str:
    """Which actions lead into a state and which out of it."""

    def listed(side: int) -> str:
        labels = {(t[1], t[2]) for t in machine.transitions if t[side] == state}
        return ", ".join(f"{name}.{at}" if at else name for name, at in sorted(labels))

    words = f"from {listed(3) or 'the beginning'} to {listed(0) or 'the end'}"
    if machine.sort == "zero":
        words += "; a turn may begin here" if state in machine.initial else ""
        words += "; a turn may end here" if state in machine.final else ""
    return words
