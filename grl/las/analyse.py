"""Which layer solves a task: the reasons against the fast one, found without solving anything.

The fast layer wants observed targets: head predicates that neither background nor contexts nor
bodies mention, and contexts with exactly one answer set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grl.las.clock import Clock
from grl.las.observed import World, world
from grl.las.programs import used
from grl.las.task import Mode, Task
from grl.las.terms import (
    Aggregate,
    Atom,
    Comparison,
    Constant,
    Operation,
    Slot,
    Term,
    leaves,
    parts,
    terms_of,
)

FAST = "coverage"
GENERAL = "general"
ORDERINGS = "orderings"


@dataclass(frozen=True, slots=True)
class Analysis:
    """The layer, what speaks against a faster one, and the answer sets found on the way."""

    layer: str
    reasons: tuple[str, ...]
    targets: frozenset[str] = frozenset()
    worlds: Mapping[str, World] = field(default_factory=dict)


def analyse(task: Task, clock: Clock) -> Analysis:
    """Chooses the layer."""
    if task.orderings or task.preferences:
        why = "there are orderings" if task.orderings else "there are modes of weak constraints"
        return Analysis(ORDERINGS, (why,))
    reasons = [*_shape(task)]
    targets = frozenset(_signature(mode) for mode in task.heads)
    if not reasons:
        reasons += _observable(task, targets)
    worlds: dict[str, World] = {}
    if not reasons:
        for example in task.examples:
            if example.context in worlds:
                continue
            found = world(task, example.context, clock)
            if found is None:
                reasons.append(
                    f"background and context of {example.name} have not exactly one answer set"
                )
                break
            worlds[example.context] = found
    if reasons:
        return Analysis(GENERAL, tuple(reasons), targets)
    return Analysis(FAST, (), targets, worlds)


def _shape(task: Task) -> list[str]:
    found = []
    if task.choices:
        found.append("there are modes of choice heads")
    if task.written:
        found.append("rules are written out")
    if task.bias:
        found.append("#bias decides which rules there are")
    if not task.heads:
        found.append("there are no modes of normal heads")
    for mode in (*task.heads, *task.bodies):
        if isinstance(mode.literal, Aggregate):
            found.append(f"{mode} is an aggregate")
        elif isinstance(mode.literal, Comparison) and mode.literal.op == "=":
            found.append(f"{mode} can bind a variable")
        elif any(_partial(term) for term in terms_of(mode.literal)):
            found.append(f"{mode} divides by a variable")
    for mode in task.heads:
        if any(isinstance(leaf, Operation) for leaf in _inner(mode)):
            found.append(f"the head {mode} holds arithmetic")
    return found


def _inner(mode: Mode) -> list[Term]:
    stack = list(terms_of(mode.literal))
    found: list[Term] = []
    while stack:
        term = stack.pop()
        found.append(term)
        stack += parts(term)
    return found


def _partial(term: Term) -> bool:
    """Whether arithmetic may have no value for some integers, or a constant is not plain."""
    if isinstance(term, Operation) and len(term.args) == 2 and term.op in ("/", "\\", "**"):
        second = term.args[1]
        plain = isinstance(second, Constant) and (second.number or 0) > 0
        if not plain and any(isinstance(leaf, Slot | Constant) for leaf in leaves(second)):
            return True
    return any(map(_partial, parts(term)))


def _observable(task: Task, targets: frozenset[str]) -> list[str]:
    found = []
    elsewhere = used(task.background)
    for context in {example.context for example in task.examples}:
        elsewhere |= used(context)
    if "#const" in task.background:
        found.append("#const gives symbols another meaning")
    in_bodies = {_signature(mode) for mode in task.bodies if isinstance(mode.literal, Atom)}
    for target in sorted(targets):
        if target in elsewhere:
            found.append(f"{target} occurs in the background or in a context")
        if target in in_bodies:
            found.append(f"{target} may occur in bodies")
    return found


def _signature(mode: Mode) -> str:
    assert isinstance(mode.literal, Atom)
    term = mode.literal.term
    return f"{term.name}/{len(term.args)}"
