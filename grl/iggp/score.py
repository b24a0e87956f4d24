"""Balanced accuracy of a program on a task's states, as clingo sees both.

Pooled over the file: all (state, candidate) pairs are counted together. The mean of the rates of
true positives and of true negatives; a rate without a pair to count is left out of the mean.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import clingo

from grl.errors import IggpError
from grl.iggp.data import Atom, State, Task
from grl.iggp.learn import LearnedProgram


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of (state, candidate) pairs."""

    true_positives: int
    false_negatives: int
    true_negatives: int
    false_positives: int

    @property
    def balanced_accuracy(self) -> float:
        rates = [
            right / (right + wrong)
            for right, wrong in (
                (self.true_positives, self.false_negatives),
                (self.true_negatives, self.false_positives),
            )
            if right + wrong
        ]
        return sum(rates) / len(rates) if rates else 1.0

    @property
    def perfect(self) -> bool:
        return not self.false_negatives and not self.false_positives


class Program:
    """An ASP program with a task's statics, solved for one state after another."""

    def __init__(self, program: str, task: Task) -> None:
        self._statics = "".join(f"{atom}.\n" for atom in task.statics)
        self._program = program
        signatures = sorted(
            {a.signature for a in task.statics}
            | {a.signature for s in task.states for a in s.background}
            | {a.signature for a in task.atoms}
        )
        self._defined = "".join(f"#defined {name}/{arity}.\n" for name, arity in signatures)
        self._targets = {atom.predicate for atom in task.atoms}

    def true_atoms(self, state: State) -> frozenset[Atom]:
        """The target's atoms in the program's only answer set; `IggpError` where there is none."""
        messages: list[str] = []
        control = clingo.Control(
            ["2", "--warn=none"], logger=lambda _, message: messages.append(message)
        )
        facts = "".join(f"{atom}.\n" for atom in state.background)
        try:
            control.add("base", [], self._program + self._defined + self._statics + facts)
            control.ground([("base", [])])
        except RuntimeError as error:
            found = (messages or [str(error)])[0]
            raise IggpError("the rules are not a program", found=found) from None
        models: list[frozenset[Atom]] = []
        with control.solve(yield_=True) as handle:
            for model in handle:
                models.append(
                    frozenset(
                        Atom(symbol.name, tuple(str(argument) for argument in symbol.arguments))
                        for symbol in model.symbols(atoms=True)
                        if symbol.type == clingo.SymbolType.Function
                        and symbol.name in self._targets
                    )
                )
        if len(models) != 1:
            raise IggpError(
                "the rules don't have exactly one answer set",
                found="several" if models else "none",
            )
        return models[0]


def score(program: str, task: Task) -> Score:
    """The score of a program on all states of a task."""
    solved = Program(program, task)
    candidates = frozenset(task.atoms)
    counts = [0, 0, 0, 0]
    for state in task.states:
        said = solved.true_atoms(state) & candidates
        right = len(said & state.positives)
        counts[0] += right
        counts[1] += len(state.positives) - right
        counts[3] += len(said) - right
        counts[2] += len(candidates) - len(state.positives) - (len(said) - right)
    return Score(*counts)


def check(learned: LearnedProgram, task: Task, *, seconds: float) -> tuple[int, int]:
    """Compare clingo with the learner's own predictions on states spread over the task.

    Returns how many states were compared within `seconds`, and the pairs that differ.
    """
    deadline = time.monotonic() + seconds
    solved = Program(learned.text, task)
    atoms: dict[tuple[str, int], list[Atom]] = {}
    for atom in task.atoms:
        atoms.setdefault(atom.signature, []).append(atom)
    step = max(1, len(task.states) // 200)
    states = different = 0
    for number in range(0, len(task.states), step):
        if time.monotonic() > deadline:
            break
        found = solved.true_atoms(task.states[number])
        states += 1
        for key, candidates in atoms.items():
            said = learned.predicted[key][number]
            different += sum(
                (candidates[column] in found) != bool(truth)
                for column, truth in zip(learned.columns[key], said, strict=True)
            )
    return states, different
