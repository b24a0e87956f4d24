"""Whether a hypothesis covers examples: answer sets of background, context and hypothesis.

This is the meaning that every layer is held to; nothing here is clever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import clingo

from grl.las.clock import Clock, grounded, search
from grl.las.programs import plain, violated, weights
from grl.las.task import Example, Task
from grl.las.terms import Rule

Numbered = Sequence[tuple[int, Rule]]
Weights = dict[int, int]


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """The atoms of an answer set, hidden ones too."""

    atoms: frozenset[clingo.Symbol]


def extending(
    task: Task, rules: Numbered, example: Example, clock: Clock, *, most: int = 1
) -> list[AnswerSet]:
    """Answer sets of background, context and `rules` that extend an example (`most` 0: all)."""
    program = f"{task.background}\n{example.context}\n{plain(rules)}\n{asking(example)}"
    ctl = grounded(program, f"--models={most}", "--opt-mode=ignore")
    found: list[AnswerSet] = []
    search(ctl, clock, lambda model: found.append(AnswerSet(_atoms(model))))
    return found


def _atoms(model: clingo.Model) -> frozenset[clingo.Symbol]:
    return frozenset(model.symbols(atoms=True))


def asking(example: Example) -> str:
    """Constraints that leave the answer sets that extend an example."""
    lines = [f":- not {atom}." for atom in example.inclusions]
    lines += [f":- {atom}." for atom in example.exclusions]
    return "\n".join(lines)


def covered(task: Task, rules: Numbered, example: Example, clock: Clock) -> bool:
    """Brave for a positive example, for a negative one no answer set at all."""
    return bool(extending(task, rules, example, clock)) == example.positive


def is_answer_set(
    task: Task, rules: Numbered, context: str, atoms: frozenset[clingo.Symbol], clock: Clock
) -> bool:
    """Whether exactly `atoms` is an answer set of background, context and `rules`."""
    program = f"{task.background}\n{context}\n{plain(rules)}"
    ctl = grounded(program, "--models=1", "--opt-mode=ignore")
    known = {atom.symbol for atom in ctl.symbolic_atoms}
    if not atoms <= known:
        return False
    assumptions = [(symbol, symbol in atoms) for symbol in known]
    return search(ctl, clock, lambda _model: None, assumptions)


def supporting(
    task: Task, rules: Numbered, context: str, atoms: frozenset[clingo.Symbol], clock: Clock
) -> list[int]:
    """A least part of `rules`, by number, with which `atoms` is still an answer set."""
    kept = list(rules)
    for one in tuple(rules):
        fewer = [other for other in kept if other is not one]
        if is_answer_set(task, fewer, context, atoms, clock):
            kept = fewer
    return [number for number, _ in kept]


class Space:
    """The numbered rules of a space, asked which of them an interpretation breaks."""

    def __init__(self, definitions: str, rules: Sequence[Rule]) -> None:
        self._definitions = definitions
        self._tests = "\n".join(violated(number, rule) for number, rule in enumerate(rules))

    def violated(self, atoms: Iterable[clingo.Symbol]) -> list[int]:
        """Numbers of the rules that `atoms` does not satisfy."""
        facts = " ".join(f"{atom}." for atom in atoms)
        ctl = grounded(f"{self._definitions}\n{facts}\n{self._tests}")
        found = ctl.symbolic_atoms.by_signature("__las_violated", 1)
        return sorted(atom.symbol.arguments[0].number for atom in found)


def tuples(
    definitions: str, programs: Sequence[tuple[int, str]], atoms: Iterable[clingo.Symbol]
) -> dict[tuple[int, int, str], set[int]]:
    """The tuples (level, weight, terms) that weak constraints yield, with their numbers."""
    facts = " ".join(f"{atom}." for atom in atoms)
    tests = "\n".join(weights(number, text) for number, text in programs)
    ctl = grounded(f"{definitions}\n{facts}\n{tests}")
    found: dict[tuple[int, int, str], set[int]] = {}
    for atom in ctl.symbolic_atoms.by_signature("__las_weak", 4):
        number, weight, level, terms = atom.symbol.arguments
        if weight.type == clingo.SymbolType.Number and level.type == clingo.SymbolType.Number:
            key = (level.number, weight.number, str(terms))
            found.setdefault(key, set()).add(number.number)
    return found


def value(found: Iterable[tuple[int, int, str]]) -> Weights:
    """The sum of each level."""
    sums: Weights = {}
    for level, weight, _ in found:
        sums[level] = sums.get(level, 0) + weight
    return sums


def compares(first: Weights, op: str, second: Weights) -> bool:
    """Compares two answer sets by their sums, the highest level first."""
    order = 0
    for level in sorted({*first, *second}, reverse=True):
        difference = first.get(level, 0) - second.get(level, 0)
        if difference:
            order = 1 if difference > 0 else -1
            break
    return {
        "<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0,
        "=": order == 0, "!=": order != 0,
    }[op]  # fmt: skip
