"""Why there is no hypothesis: examples that none covers together, and what would help.

The examples are made fewer by trying; so is every relaxation of the bias. What is said to help
was solved, what is not mentioned was tried in vain or not tried in time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import clingo

from grl.las.analyse import ENUMERATED, FAST, ORDERINGS, analyse
from grl.las.bias import permitted
from grl.las.clock import Clock, OutOfTime
from grl.las.enumerated import EnumeratedSearch
from grl.las.general import General
from grl.las.observed import World, world
from grl.las.preferences import Preferences, TooMany, only_weak
from grl.las.space import sorted_space
from grl.las.task import Example, Mode, Ordering, Task
from grl.las.terms import Atom, Function, Slot, Term, leaves, terms_of
from grl.progress import Progress, silent

Asked = Example | Ordering
BOTH = "one more variable and one more literal"
WIDE = 120
"""How much of an example is shown."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """`conflict` names examples that no hypothesis covers together, as few as were found.

    `least` says that none of them can be left out; `helps` are relaxations with which the whole
    task (or, where `partly`, only the conflict) has a hypothesis.
    """

    conflict: tuple[Asked, ...]
    least: bool
    helps: tuple[str, ...]
    partly: tuple[str, ...]
    tried: int

    def lines(self) -> list[str]:
        """The explanation for people."""
        word = "a smallest set" if self.least else "a set"
        if not self.conflict:
            found = ["even without examples no hypothesis is allowed"]
        elif len(self.conflict) == 1:
            found = ["no hypothesis in the space covers this example:"]
        else:
            found = [f"no hypothesis in the space covers these together ({word} of that kind):"]
        found += [f"  {_shown(one)}" for one in self.conflict]
        found += [f"what helps: {one}" for one in self.helps]
        found += [f"what helps with these, but not with all examples: {one}" for one in self.partly]
        if not self.helps and not self.partly:
            found.append(f"none of {self.tried} relaxations of the bias that were tried helps")
            if len(self.conflict) > 1:
                found.append("the examples may contradict each other: give one a penalty (@1)")
        return found

    def to_dict(self) -> dict[str, object]:
        """The explanation as JSON."""
        return {
            "conflict": [one.name for one in self.conflict],
            "least": self.least,
            "helps": list(self.helps),
            "helps_partly": list(self.partly),
        }


def _shown(one: Asked) -> str:
    text = str(one)
    text = text if len(text) <= WIDE else f"{text[:WIDE]}…"
    return f"{text} (line {one.line})" if one.line else text


def feasible(task: Task, clock: Clock) -> bool:
    """Whether any hypothesis covers what has to be covered. Raises `OutOfTime`."""
    task = replace(
        task,
        examples=tuple(one for one in task.examples if _kept(one, task)),
        orderings=tuple(one for one in task.orderings if one.penalty is None),
    )
    analysis = analyse(task, clock)
    if analysis.layer == FAST:
        # Their tables need numpy, whose import takes longer than a small task.
        from grl.las.coverage import Coverage
        from grl.las.tables import TooLarge

        try:
            search = Coverage(
                task, analysis.worlds, analysis.targets, clock, silent, any_will_do=True
            )
            return search.run() is not None
        except TooLarge:
            pass
    if analysis.layer == ENUMERATED:
        known = analysis.rules
        enumerated = EnumeratedSearch(task, known, analysis.worlds, analysis.targets, clock)
        return enumerated.run() is not None
    rules = permitted(task, sorted_space(task, clock))
    if analysis.layer == ORDERINGS and only_weak(rules):
        with suppress(TooMany):
            return Preferences(task, rules, clock).run() is not None
    return General(task, rules, clock, any_will_do=True).run() is not None


def _kept(example: Example, task: Task) -> bool:
    """Whether an example has to be covered, or is compared by an ordering that has to be."""
    if example.penalty is None:
        return True
    return any(example.name in (one.first, one.second) for one in task.orderings)


def explain(task: Task, clock: Clock, progress: Progress = silent) -> Explanation:
    """Explains why a task has no hypothesis; stops with the clock, or when interrupted."""
    conflict, least = _conflict(task, clock.part(clock.left() * 0.6), progress)
    helps: list[str] = []
    partly: list[str] = []
    tried = 0
    core = _only(task, conflict)
    try:
        for what, change in _relaxations(task, clock):
            if helps and what.startswith(BOTH):
                break
            progress("relaxations", tried, None)
            tried += 1
            try:
                slice_ = clock.part(clock.left() / 3 + 0.5)
                if not feasible(change(core), slice_):
                    continue
                (helps if feasible(change(task), slice_) else partly).append(what)
            except OutOfTime:
                clock.check()
    except (OutOfTime, KeyboardInterrupt):
        pass
    return Explanation(conflict, least, tuple(helps), tuple(partly), tried)


def _only(task: Task, asked: Sequence[Asked]) -> Task:
    """The task without what else has to be covered; compared examples are kept as names."""
    names = {one.name for one in asked}
    orderings = tuple(one for one in task.orderings if one.name in names)
    compared = {name for one in orderings for name in (one.first, one.second)}
    examples = tuple(
        one if one.name in names else replace(one, penalty=0)
        for one in task.examples
        if one.name in names | compared
    )
    return replace(task, examples=examples, orderings=orderings)


def _conflict(task: Task, clock: Clock, progress: Progress) -> tuple[tuple[Asked, ...], bool]:
    """A least set of examples without a hypothesis: halves are left out first, then single ones."""
    everything: tuple[Asked, ...] = (*task.examples, *task.orderings)
    kept = [one for one in everything if one.penalty is None]
    try:
        for one in kept if len(kept) <= 40 else []:
            if not feasible(_only(task, [one]), clock.part(1.0 + clock.left() / 50)):
                return (one,), True
    except (OutOfTime, KeyboardInterrupt):
        pass
    size = max(1, len(kept) // 2)
    least = True
    try:
        while True:
            at = 0
            while at < len(kept):
                fewer = [*kept[:at], *kept[at + size :]]
                progress("conflict", len(kept), None)
                try:
                    stands = not feasible(_only(task, fewer), clock.part(clock.left() / 4))
                except OutOfTime:
                    clock.check()
                    least = stands = False
                if stands:
                    kept = fewer
                else:
                    at += size
            if size == 1:
                return tuple(kept), least
            size = max(1, min(size // 2, len(kept) // 2))
    except (OutOfTime, KeyboardInterrupt):
        return tuple(kept), False


Change = Callable[[Task], Task]


def _relaxations(task: Task, clock: Clock) -> Iterator[tuple[str, Change]]:
    """Single steps away from the bias, and at last two together."""
    limits = task.limits
    weak = None if limits.weak is None else limits.weak + 1
    longer = replace(limits, body=limits.body + 1, rule=limits.rule + 1, weak=weak)
    if task.max_penalty is not None:
        yield "no #max_penalty", lambda t: replace(t, max_penalty=None)
    more = task.max_variables + 1
    yield f"one more variable, #maxv({more})", lambda t: replace(t, max_variables=more)
    yield (
        f"one more literal, -ml {longer.body} --max-rule-length {longer.rule}",
        lambda t: replace(t, limits=longer),
    )
    for number, mode in enumerate(task.bodies):
        if mode.recall is not None:
            yield (
                f"one more recall, #modeb({mode.recall + 1},{mode})",
                _with_mode(number, replace(mode, recall=mode.recall + 1)),
            )
    for number, mode in enumerate(task.bodies):
        if mode.sign is True and isinstance(mode.literal, Atom):
            yield f"{mode} negated too", _with_mode(number, replace(mode, sign=None))
    for mode in _missing(task, clock):
        yield f"another predicate, #modeb(1,{mode})", _adding(mode)
    if task.preferences:
        yield (
            f"one more level, #maxp({task.levels + 1})",
            lambda t: replace(t, levels=t.levels + 1),
        )
    yield (
        f"{BOTH}, #maxv({more}), -ml {longer.body} --max-rule-length {longer.rule}",
        lambda t: replace(t, max_variables=more, limits=longer),
    )


def _with_mode(number: int, mode: Mode) -> Change:
    def change(task: Task) -> Task:
        return replace(task, bodies=(*task.bodies[:number], mode, *task.bodies[number + 1 :]))

    return change


def _adding(mode: Mode) -> Change:
    return lambda task: replace(task, bodies=(*task.bodies, mode))


def _missing(task: Task, clock: Clock) -> Iterator[Mode]:
    """Modes for predicates that contexts hold and no mode mentions, their types by their values."""
    here = _some_world(task, clock)
    if here is None:
        return
    known = {
        (mode.literal.term.name, len(mode.literal.term.args))
        for mode in (*task.bodies, *task.heads, *task.choices)
        if isinstance(mode.literal, Atom)
    }
    values = _values(task, here)
    for (name, arity, positive), atoms in sorted(here.atoms.items()):
        if (name, arity) in known or not positive:
            continue
        places = tuple(_place(atoms, place, values) for place in range(arity))
        yield Mode(Atom(Function(name, places)), 1)


def _some_world(task: Task, clock: Clock) -> World | None:
    for example in task.examples:
        found = world(task, example.context, clock)
        if found is not None:
            return found
    return None


def _values(task: Task, here: World) -> dict[str, set[clingo.Symbol]]:
    """The values that each type is seen with, from plain places of modes."""
    found: dict[str, set[clingo.Symbol]] = {}
    mentioned = [clingo.parse_term(text) for one in task.examples for text in one.inclusions]
    mentioned += [clingo.parse_term(text) for one in task.examples for text in one.exclusions]
    for mode in (*task.bodies, *task.heads):
        if not isinstance(mode.literal, Atom):
            continue
        term = mode.literal.term
        atoms = [*here.atoms.get((term.name, len(term.args), True), ()), *mentioned]
        for atom in atoms:
            if atom.name != term.name or len(atom.arguments) != len(term.args):
                continue
            for pattern, argument in zip(term.args, atom.arguments, strict=True):
                if isinstance(pattern, Slot) and pattern.kind == "var":
                    found.setdefault(pattern.type, set()).add(argument)
    for mode in (*task.bodies, *task.heads):
        for leaf in (leaf for term in terms_of(mode.literal) for leaf in leaves(term)):
            if isinstance(leaf, Slot) and leaf.kind == "var":
                found.setdefault(leaf.type, set())
    return found


def _place(
    atoms: Sequence[clingo.Symbol], place: int, values: dict[str, set[clingo.Symbol]]
) -> Term:
    """The type whose values are most like those seen at a place, or one of its own."""
    seen = {atom.arguments[place] for atom in atoms}
    likeness = {kind: len(seen & own) / len(seen | own) for kind, own in values.items()}
    best = max(likeness, key=lambda kind: likeness[kind], default=None)
    if best is None or not likeness[best]:
        return Slot("var", f"new_{place + 1}")
    return Slot("var", best)
