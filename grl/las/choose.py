"""Few examples that say as much as many: chosen by what a hypothesis learned from fewer gets wrong.

A task is solved with the examples chosen so far; the first of the pool that its hypothesis does
not satisfy, or a few of them, join them, until there is none. Then those without which what is
learned still satisfies the whole pool are dropped again, as long as there aren't many. What is
left is what a person would pick: examples of which each rules out what the others leave open.

Each search is run to its end, so that what is chosen doesn't depend on how fast the machine is. A
clock, or Ctrl-C, ends the whole choice; what was chosen until then may leave much open.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grl.las.clock import Clock, OutOfTime
from grl.las.semantics import Weights, compares, covered, extending, tuples, value
from grl.las.solve import Outcome, solve
from grl.las.task import Example, Ordering, Task
from grl.las.terms import Rule
from grl.progress import Progress, silent

WIDTH = 100
DROPPED = 12
"""Of more lessons none is dropped: that would take a search for each."""


@dataclass(frozen=True)
class Lesson:
    """Examples that come together, with the orderings among them."""

    examples: tuple[Example, ...]
    orderings: tuple[Ordering, ...] = ()

    @cached_property
    def text(self) -> str:
        """The lesson in ILASP's language."""
        return "\n".join([*map(example_text, self.examples), *map(ordering_text, self.orderings)])


@dataclass(frozen=True)
class Chosen:
    """The lessons kept, in the order of the pool, and what is learned from them.

    `lacks` is empty where the choice is complete: the hypothesis satisfies the whole pool.
    Otherwise it says why there is no such hypothesis yet.
    """

    lessons: tuple[Lesson, ...]
    outcome: Outcome | None
    lacks: str = ""

    @property
    def complete(self) -> bool:
        """Whether the hypothesis satisfies the whole pool."""
        return not self.lacks


UNSOLVABLE = "no hypothesis satisfies all positions"
CUT_OFF = "the search was cut off"


class _Undecided(Exception):
    """A search came to no end."""


def choose(
    task: Task,
    pool: Sequence[Lesson],
    *,
    at_once: int = 1,
    time_limit: float | None = None,
    progress: Progress = silent,
    kept: Callable[[Chosen], None] | None = None,
) -> Chosen:
    """The lessons of `pool` that a task needs; `task` is all but these.

    At most `at_once` lessons join between two searches. `time_limit` bounds the whole choice, in
    seconds. `kept` hears of what is chosen so far, before each search.
    """
    clock = Clock(time_limit)
    chosen: list[int] = []
    outcome: Outcome | None = None
    first = min(range(len(pool)), key=lambda number: len(pool[number].text), default=None)
    if first is not None:
        chosen.append(first)
    try:
        while True:
            if kept is not None:
                kept(_chosen(pool, chosen, None, CUT_OFF))
            outcome = _learn(task, [pool[number] for number in chosen], clock)
            progress("examples chosen", len(chosen), None)
            if outcome.rules is None:
                return _chosen(pool, chosen, outcome, UNSOLVABLE)
            wrong = _wrong(task, outcome.rules, pool, at_once, clock)
            if not wrong:
                break
            if set(wrong) <= set(chosen):
                return _chosen(pool, chosen, outcome, UNSOLVABLE)
            chosen += [number for number in wrong if number not in chosen]
        for number in tuple(chosen) if len(chosen) <= DROPPED else ():
            fewer = [one for one in chosen if one != number]
            shorter = _learn(task, [pool[one] for one in fewer], clock)
            if shorter.rules is not None and not _wrong(task, shorter.rules, pool, 1, clock):
                chosen, outcome = fewer, shorter
    except (_Undecided, OutOfTime, KeyboardInterrupt):
        return _chosen(pool, chosen, outcome, CUT_OFF)
    return _chosen(pool, chosen, outcome, "")


def _chosen(
    pool: Sequence[Lesson], chosen: list[int], outcome: Outcome | None, lacks: str
) -> Chosen:
    return Chosen(tuple(pool[number] for number in sorted(chosen)), outcome, lacks)


def with_lessons(task: Task, lessons: Sequence[Lesson]) -> Task:
    """The task with the examples and orderings of lessons."""
    return replace(
        task,
        examples=(*task.examples, *(one for lesson in lessons for one in lesson.examples)),
        orderings=(*task.orderings, *(one for lesson in lessons for one in lesson.orderings)),
    )


def _learn(task: Task, lessons: Sequence[Lesson], clock: Clock) -> Outcome:
    clock.check()
    outcome = solve(
        with_lessons(task, lessons), time_limit=None if clock.limit is None else clock.left()
    )
    if not outcome.proven:
        raise _Undecided
    return outcome


def _wrong(
    task: Task, rules: Sequence[Rule], pool: Sequence[Lesson], most: int, clock: Clock
) -> list[int]:
    """The first lesson that a hypothesis does not satisfy, or `most` spread over all such."""
    wrong: list[int] = []
    for number, lesson in enumerate(pool):
        clock.check()
        if not satisfied(task, rules, lesson):
            wrong.append(number)
            if most == 1:
                break
    if len(wrong) <= most:
        return wrong
    return [wrong[number * len(wrong) // most] for number in range(most)]


def satisfied(task: Task, rules: Sequence[Rule], lesson: Lesson) -> bool:
    """Whether a hypothesis covers all examples of a lesson and keeps its orderings."""
    clock = Clock()
    numbered = list(enumerate(rules))
    if not all(covered(task, numbered, example, clock) for example in lesson.examples):
        return False
    if not lesson.orderings:
        return True
    sums = {one.name: _sums(task, rules, one) for one in lesson.examples}
    return all(
        (any if order.brave else all)(
            compares(first, order.op, second)
            for first in sums[order.first]
            for second in sums[order.second]
        )
        for order in lesson.orderings
    )


def _sums(task: Task, rules: Sequence[Rule], example: Example) -> list[Weights]:
    """What each answer set of an example costs by the weak constraints among the rules."""
    numbered = list(enumerate(rules))
    texts = [(number, str(rule)) for number, rule in numbered]
    found = extending(task, numbered, example, Clock(), most=0)
    return [
        value((level, weight, f"{number} {terms}") for (level, weight, terms), numbers in
              tuples("", texts, one.atoms).items() for number in numbers)
        for one in found
    ]  # fmt: skip


def example_text(example: Example) -> str:
    """An example in ILASP's language, its atoms and its context wrapped to lines."""
    kind = "pos" if example.positive else "neg"
    penalty = "" if example.penalty is None else f"@{example.penalty}"
    inside = [_braces(example.inclusions, ", "), _braces(example.exclusions, ", ")]
    if example.context:
        inside.append(_braces([example.context], ""))
    parts = ",\n  ".join([f"{example.name}{penalty}", *inside])
    return f"#{kind}({parts})."


def _braces(parts: Sequence[str], between: str) -> str:
    return textwrap.fill(
        "{" + between.join(parts) + "}",
        WIDTH,
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def ordering_text(ordering: Ordering) -> str:
    """An ordering in ILASP's language."""
    kind = "brave" if ordering.brave else "cautious"
    penalty = "" if ordering.penalty is None else f"@{ordering.penalty}"
    parts = f"{ordering.name}{penalty}, {ordering.first}, {ordering.second}, {ordering.op}"
    return f"#{kind}_ordering({parts})."
