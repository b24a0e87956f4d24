"""Which layer solves a task: the reasons against the fast one, found without solving anything.

The fast layer wants observed targets: head predicates that neither background nor contexts nor
bodies mention, and contexts with exactly one answer set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grl.errors import Place
from grl.las.bias import permitted
from grl.las.clock import Clock, grounded
from grl.las.enumerated import observed_targets
from grl.las.observed import World, world
from grl.las.programs import squeezed, used
from grl.las.space import sorted_space
from grl.las.task import Mode, Task, TaskError
from grl.las.terms import (
    Aggregate,
    Atom,
    Comparison,
    Constant,
    Operation,
    Rule,
    Slot,
    Term,
    leaves,
    parts,
    terms_of,
)

FAST = "coverage"
ENUMERATED = "coverage, rules written out"
GENERAL = "general"
ORDERINGS = "orderings"


@dataclass(frozen=True, slots=True)
class Analysis:
    """The layer, what speaks against a faster one, and what was found out on the way."""

    layer: str
    reasons: tuple[str, ...]
    targets: frozenset[str] = frozenset()
    worlds: Mapping[str, World] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()


def analyse(task: Task, clock: Clock) -> Analysis:
    """Chooses the layer. Raises `TaskError` where clingo can't ground a context."""
    _check(task, clock)
    if task.orderings or task.preferences:
        why = "there are orderings" if task.orderings else "there are modes of weak constraints"
        return Analysis(ORDERINGS, (why,))
    if task.choices:
        return Analysis(GENERAL, ("there are modes of choice heads",))
    unsearched = tuple(_unsearched(task))
    rules: tuple[Rule, ...] = ()
    targets: frozenset[str] | None
    if unsearched:
        rules = tuple(permitted(task, sorted_space(task, clock)))
        targets = observed_targets(rules)
        if targets is None:
            return Analysis(GENERAL, ("some rules define what others use, or do more",))
    else:
        targets = frozenset(_signature(mode) for mode in task.heads)
    reasons = list(_unobserved(task, targets))
    worlds: dict[str, World] = {}
    for example in task.examples if not reasons else ():
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
    return Analysis(ENUMERATED if unsearched else FAST, unsearched, targets, worlds, rules)


def _check(task: Task, clock: Clock) -> None:
    grounded(task.background)
    background = squeezed(task.background)
    seen = {""}
    for example in task.examples:
        if example.context in seen:
            continue
        seen.add(example.context)
        clock.check()
        try:
            grounded(f"{background}\n{example.context}")
        except TaskError as error:
            what = error.message.split(": ", 1)[-1]
            message = f"in the context of {example.name}: {what}"
            raise TaskError(message, place=Place(line=example.line)) from None


def _unsearched(task: Task) -> Iterator[str]:
    """Why the space has to be written out."""
    if task.written:
        yield "rules are written out"
    if task.limits.extended:
        yield "facts and aggregates are allowed"
    if task.bias:
        yield "#bias decides which rules there are"
    if "#const" in task.background:
        yield "#const gives symbols another meaning"
    for mode in (*task.heads, *task.bodies):
        if isinstance(mode.literal, Aggregate):
            yield f"{mode} is an aggregate"
        elif isinstance(mode.literal, Comparison) and mode.literal.op == "=":
            yield f"{mode} can bind a variable"
        elif any(_partial(term) for term in terms_of(mode.literal)):
            yield f"{mode} divides by what may be no number, or 0"
    for mode in task.heads:
        if any(isinstance(leaf, Operation) for leaf in _inner(mode)):
            yield f"the head {mode} holds arithmetic"


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


def _unobserved(task: Task, targets: frozenset[str]) -> Iterator[str]:
    """Why targets are not only what rules derive."""
    elsewhere = used(task.background)
    names = {target.rpartition("/")[0].lstrip("-") for target in targets}
    for context in {example.context for example in task.examples}:
        if any(name in context for name in names):
            elsewhere |= used(context)
    in_bodies = {_signature(mode) for mode in task.bodies if isinstance(mode.literal, Atom)}
    for target in sorted(targets):
        if target in elsewhere:
            yield f"{target} occurs in the background or in a context"
        if target in in_bodies:
            yield f"{target} may occur in bodies"


def _signature(mode: Mode) -> str:
    assert isinstance(mode.literal, Atom)
    term = mode.literal.term
    return f"{term.name}/{len(term.args)}"
