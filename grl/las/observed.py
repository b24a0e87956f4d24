"""What examples say of the targets when every context has one answer set.

A bit is an atom of an example that a rule may derive: welcome, or unwelcome, or forbidden where
deriving it leaves an example uncovered that has to be covered. The bit without an atom stands for
inconsistency, which constraints derive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import clingo

from grl.las.clock import Clock, grounded, search
from grl.las.programs import squeezed
from grl.las.task import Example, Task


@dataclass(frozen=True, slots=True)
class Bit:
    """An atom that a rule may derive in the world of an example; None is inconsistency."""

    world: int
    example: str
    atom: clingo.Symbol | None
    welcome: bool
    forbidden: bool


@dataclass(frozen=True, slots=True)
class World:
    """The one answer set of background and context, by predicate."""

    atoms: Mapping[tuple[str, int, bool], Sequence[clingo.Symbol]]
    all: frozenset[clingo.Symbol]


@dataclass(frozen=True, slots=True)
class Observed:
    """Worlds, bits, and the examples that nothing in the space can change."""

    worlds: tuple[World, ...]
    bits: tuple[Bit, ...]
    lost: tuple[Example, ...]
    settled: frozenset[str]


def world(task: Task, context: str, clock: Clock) -> World | None:
    """The answer set of background and context, None unless there is exactly one."""
    ctl = grounded(f"{squeezed(task.background)}\n{context}", "--models=2", "--opt-mode=ignore")
    found: list[list[clingo.Symbol]] = []
    search(ctl, clock, lambda model: found.append(list(model.symbols(atoms=True))))
    if len(found) != 1:
        return None
    return make_world(found[0])


def make_world(atoms: Sequence[clingo.Symbol]) -> World:
    """A world of these atoms."""
    by_name: dict[tuple[str, int, bool], list[clingo.Symbol]] = {}
    for atom in atoms:
        by_name.setdefault((atom.name, len(atom.arguments), atom.positive), []).append(atom)
    return World(by_name, frozenset(atoms))


def observe(
    task: Task, targets: frozenset[str], worlds: Mapping[str, World], constraints: bool
) -> Observed:
    """The bits of all examples; `targets` are signatures such as ``line/1``."""
    places = {context: number for number, context in enumerate(worlds)}
    bits: list[Bit] = []
    lost: list[Example] = []
    settled: set[str] = set()
    for example in task.examples:
        here = worlds[example.context]
        inclusions = [clingo.parse_term(text) for text in example.inclusions]
        exclusions = [clingo.parse_term(text) for text in example.exclusions]
        wanted = [atom for atom in inclusions if signature(atom) in targets]
        unwanted = [atom for atom in exclusions if signature(atom) in targets]
        fails = any(a not in here.all for a in inclusions if signature(a) not in targets)
        fails = fails or any(a in here.all for a in exclusions if signature(a) not in targets)
        if fails and example.positive:
            lost.append(example)
        if fails:
            settled.add(example.name)
            continue
        hard = example.penalty is None
        sole = len(wanted) == 1 and not unwanted and not constraints
        number = places[example.context]
        good, bad = (wanted, unwanted) if example.positive else (unwanted, wanted)
        strict = hard and (example.positive or sole)
        bits += [Bit(number, example.name, atom, True, False) for atom in good]
        bits += [Bit(number, example.name, atom, False, strict) for atom in bad]
        if constraints:
            forbidden = hard and example.positive
            bits.append(Bit(number, example.name, None, not example.positive, forbidden))
    return Observed(tuple(worlds.values()), tuple(bits), tuple(lost), frozenset(settled))


def signature(atom: clingo.Symbol) -> str:
    """``name/arity``, with a minus in front of what is classically negated."""
    return f"{'' if atom.positive else '-'}{atom.name}/{len(atom.arguments)}"
