"""Constraints among the rules of a space: they make no atom, they only take answer sets away.

A constraint is of use where it takes away an answer set that should not be. So those that take
away none of the answer sets met so far need not be looked at, and of those that nothing is known
against one that takes away as much and costs no more stands for the others. Only when it is found
to take away too much the next one comes in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import clingo
from clingo.ast import ASTType

from grl.las.clock import Clock, grounded, search
from grl.las.matches import Bodies, Interpretation, readable
from grl.las.membership import read_rule
from grl.las.programs import SWITCH, guarded, statements
from grl.las.semantics import Space, asking
from grl.las.task import Example, Task
from grl.las.terms import Literal, Rule, Weak

MOST_COMPARED = 600
"""Sets of answer sets that are compared for one holding another; of more, equal ones only."""


def filtering(rules: Sequence[Rule]) -> list[int] | None:
    """The numbers of the constraints; None where there are weak constraints, which compare."""
    found = []
    for number, rule in enumerate(rules):
        if isinstance(rule.head, Weak):
            return None
        if rule.written is None:
            if rule.head is None:
                found.append(number)
            continue
        kinds = statements(rule.written)
        if any(one.ast_type == ASTType.Minimize for one in kinds):
            return None
        if all(_headless(one) for one in kinds):
            found.append(number)
    return found


def _headless(statement: clingo.ast.AST) -> bool:
    if statement.ast_type != ASTType.Rule:
        return False
    head = statement.head
    return bool(
        head.ast_type == ASTType.Literal
        and head.atom.ast_type == ASTType.BooleanConstant
        and not head.atom.value
        and not head.sign
    )


class Filters:
    """The constraints of a space, and what is known of them."""

    def __init__(self, definitions: str, rules: Sequence[Rule], numbers: Sequence[int]) -> None:
        self.numbers = tuple(numbers)
        self._rules = rules
        self._definitions = definitions
        self._bodies = Bodies(None if definitions else _body(rules[n]) for n in numbers)
        self._space: tuple[list[int], Space] | None = None
        self._met = 0
        self._left_out: frozenset[int] = frozenset()
        self._kills: dict[int, int] = {}
        self.suspected: set[int] = set()
        """Those of which it is known that they take away too much with something else."""

    def leave_out(self, numbers: Collection[int]) -> None:
        """Forgets constraints for which others stand."""
        self._left_out = frozenset(numbers)

    def killing(self, atoms: frozenset[clingo.Symbol]) -> list[int]:
        """The constraints that an answer set breaks; it counts as one that was met."""
        here = Interpretation(atoms, self._bodies)
        found: list[int] = []
        asked: list[int] = []
        for at, number in enumerate(self.numbers):
            if number in self._left_out:
                continue
            rows = here.rows(at)
            if rows is None:
                asked.append(number)
            elif rows:
                found.append(number)
        if asked:
            found = sorted([*found, *self._asked(asked, atoms)])
        for number in found:
            self._kills[number] = self._kills.get(number, 0) | 1 << self._met
        self._met += 1
        return found

    def _asked(self, numbers: list[int], atoms: Iterable[clingo.Symbol]) -> list[int]:
        if self._space is None or self._space[0] != numbers:
            self._space = numbers, Space(self._definitions, [self._rules[n] for n in numbers])
        return [numbers[at] for at in self._space[1].violated(atoms)]

    def idle(self) -> list[int]:
        """Constraints that no cheapest hypothesis needs, as far as is known."""
        best: dict[int, int] = {}
        kept: list[int] = []
        for number in sorted(self._kills, key=lambda n: (self._rules[n].cost, n)):
            if number in self.suspected:
                kept.append(number)
            else:
                best.setdefault(self._kills[number], number)
        fronts = sorted(best.values(), key=lambda n: (self._rules[n].cost, n))
        if len(fronts) <= MOST_COMPARED:
            front: list[int] = []
            for number in fronts:
                if not any(self._kills[number] & ~self._kills[one] == 0 for one in front):
                    front.append(number)
            fronts = front
        useful = {*fronts}
        for number in kept:
            cost, kills = self._rules[number].cost, self._kills[number]
            if not any(
                self._rules[one].cost <= cost and kills & ~self._kills[one] == 0 for one in fronts
            ):
                useful.add(number)
        return [number for number in self.numbers if number not in useful]

    def of_use(self) -> list[int]:
        """Constraints that take away some answer set that was met, cheap ones first."""
        return sorted(self._kills, key=lambda n: (self._rules[n].cost, n))


def too_strong(
    task: Task,
    rules: Sequence[Rule],
    makers: str,
    numbers: Sequence[int],
    example: Example,
    clock: Clock,
) -> list[int]:
    """The constraints each of which keeps a positive example uncovered, whatever else is chosen.

    `makers` are the other rules, guarded by switches. One answer set that many constraints leave
    settles all of them, so the solver is asked to leave as many as it likes.
    """
    text = "\n".join(guarded(number, rules[number]) for number in numbers)
    free = f"{{ {SWITCH}(0..{len(rules) - 1}) }}. #heuristic {SWITCH}(N) : {SWITCH}(N). [1,sign]"
    program = f"{task.background}\n{example.context}\n{makers}\n{text}\n{free}\n{asking(example)}"
    ctl = grounded(program, "--models=1", "--opt-mode=ignore", "--heuristic=Domain")
    switch = {number: clingo.Function(SWITCH, [clingo.Number(number)]) for number in numbers}
    literal = {number: ctl.symbolic_atoms[one].literal for number, one in switch.items()}  # type: ignore[union-attr]
    left = dict.fromkeys(numbers)
    found: list[int] = []
    while left:
        number = next(iter(left))
        fine: list[int] = []

        def keep(model: clingo.Model, fine: list[int] = fine) -> None:
            fine += [one for one in left if model.is_true(literal[one])]

        if not search(ctl, clock, keep, [literal[number]]):
            found.append(number)
            fine = [number]
        for one in fine:
            del left[one]
    return found


def _body(rule: Rule) -> tuple[Literal, ...] | None:
    read = rule if rule.written is None else read_rule(rule.written)
    return read.body if read is not None and read.head is None and readable(read.body) else None
