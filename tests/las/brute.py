"""The reference implementation of the learner: all hypotheses, cheapest first, by clingo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grl.las.bias import permitted
from grl.las.clock import Clock
from grl.las.programs import distinct
from grl.las.semantics import AnswerSet, compares, covered, extending, tuples, value
from grl.las.space import sorted_space
from grl.las.task import Ordering, Task
from grl.las.terms import Rule

Numbered = list[tuple[int, Rule]]


def optimum(task: Task, most: int, tries: int) -> tuple[int | None, int]:
    """The least cost of a hypothesis with penalties, and up to which cost it was looked for.

    That is `most`, or less where more than `tries` hypotheses would have to be tried; where the
    least cost is greater, it is None.
    """
    rules = permitted(task, sorted_space(task))
    best: int | None = None
    for cost in range(most + 1):
        if best is not None and cost >= best:
            return best, most
        if task.max_penalty is not None and cost > task.max_penalty:
            break
        for chosen in _of_cost(rules, cost, 0):
            if not tries:
                return None, cost - 1
            tries -= 1
            paid = loss(task, chosen)
            if paid is not None and cost + paid <= most and (best is None or cost + paid < best):
                best = cost + paid
                if not paid:
                    return best, most
    return best, most


def _of_cost(rules: Sequence[Rule], cost: int, first: int) -> Iterator[Numbered]:
    if cost == 0:
        yield []
        return
    for number in range(first, len(rules)):
        if rules[number].cost <= cost:
            for rest in _of_cost(rules, cost - rules[number].cost, number + 1):
                yield [(number, rules[number]), *rest]


def loss(task: Task, chosen: Numbered) -> int | None:
    """The penalties of what a hypothesis leaves uncovered, None where it has to be covered."""
    paid = 0
    for example in task.examples:
        if not covered(task, chosen, example, Clock()):
            if example.penalty is None:
                return None
            paid += example.penalty
    for order in task.orderings:
        if not ordered(task, chosen, order):
            if order.penalty is None:
                return None
            paid += order.penalty
    return paid


def ordered(task: Task, chosen: Numbered, order: Ordering) -> bool:
    """Whether some pair (brave) or every pair of answer sets is in order."""
    examples = {example.name: example for example in task.examples}
    sides = []
    for name in (order.first, order.second):
        context = examples[name].context
        found = extending(task, chosen, examples[name], Clock(), most=0)
        programs = [(-1, f"{task.background}\n{context}")]
        programs += [(number, distinct(number, rule)) for number, rule in chosen]
        sides.append([_sums(programs, one) for one in found])
    pairs = [compares(a, order.op, b) for a in sides[0] for b in sides[1]]
    return any(pairs) if order.brave else all(pairs)


def _sums(programs: list[tuple[int, str]], found: AnswerSet) -> dict[int, int]:
    return value(tuples("", programs, found.atoms))
