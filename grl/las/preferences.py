"""The layer for weak constraints alone, which change no answer set.

Where every rule of the space is a weak constraint, the answer sets that extend an example are the
same whatever is learned. They are listed once, with what each body adds to their weights. Of
bodies that tell the ordered answer sets apart alike the cheapest is enough, and what is left is a
small choice: whose sums are in order, level by level. Examples of too many answer sets are left to
the conflict-driven layer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeVar

import clingo

from grl.las import ground
from grl.las.clock import Clock, control, grounded, search
from grl.las.matches import Bodies, Interpretation, readable
from grl.las.programs import definitions, distinct, is_plain, is_weak
from grl.las.semantics import AnswerSet, extending, tuples
from grl.las.task import Ordering, Task
from grl.las.terms import Aggregate, Atom, Literal, Rule, Variable, Weak, variables

MOST_SETS = 300
"""Answer sets of one example beyond which they are not listed."""
MOST_PAIRS = 4000
"""Pairs of answer sets of different weights that orderings may compare, in all."""
AT_ONCE = 30
"""Answer sets whose weights are worked out in one go."""

Share = tuple[int, tuple[int, ...]]
"""A level, and the rules any of which adds a weight there; no rules: it is always added."""
Weights = Mapping[Share, int]
Counts = Mapping[int, int]
"""How often bodies match, by the number of the body; 0 is left out."""
_Body = tuple[tuple[Literal, ...], int | None]
"""Literals, and the variable whose values are summed; None: matches are counted."""
_ADDS = len("__las_adds(")


class TooMany(Exception):
    """More answer sets or pairs than are worth listing."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Rules by number, what they and the uncovered cost, and what is uncovered."""

    rules: tuple[int, ...]
    cost: int
    uncovered: tuple[str, ...]


def only_weak(rules: Sequence[Rule]) -> bool:
    """Whether all rules are weak constraints."""
    return all(
        isinstance(rule.head, Weak) or (rule.written is not None and is_weak(rule.written))
        for rule in rules
    )


@dataclass(slots=True)
class Preferences:
    """The state of one search. `run` gives None where no hypothesis covers the examples."""

    task: Task
    rules: Sequence[Rule]
    clock: Clock = field(default_factory=Clock)
    on_better: Callable[[Chosen], None] | None = None
    best: Chosen | None = None
    bound: int = 0

    _bodies: Mapping[_Body, Sequence[tuple[int, int, int]]] = field(init=False)

    def run(self) -> Chosen | None:
        """The cheapest hypothesis. Raises `OutOfTime` and `TooMany`."""
        lost: list[tuple[str, int]] = []
        weighed: dict[str, list[_Weighed]] = {}
        compared = {name for one in self.task.orderings for name in (one.first, one.second)}
        sets: list[tuple[str, AnswerSet]] = []
        for example in self.task.examples:
            self.clock.check()
            most = MOST_SETS if example.name in compared else 0
            found = extending(self.task, (), example, self.clock, most=most + 1)
            if len(found) > most > 0:
                raise TooMany
            if bool(found) != example.positive:
                if example.penalty is None:
                    return None
                lost.append((example.name, example.penalty))
            if most:
                sets += [(example.name, one) for one in found]
                weighed[example.name] = []
        self._bodies = _counted(self.rules)
        for (name, _), one in zip(sets, self._weigh(sets), strict=True):
            if one not in weighed[name]:
                weighed[name].append(one)
        pairs = [
            (order, difference)
            for order in self.task.orderings
            for difference in _differences(weighed[order.first], weighed[order.second])
        ]
        if len(pairs) > MOST_PAIRS:
            raise TooMany
        return self._choose(lost, pairs)

    def _weigh(self, sets: Sequence[tuple[str, AnswerSet]]) -> list[_Weighed]:
        """What matches in answer sets, and what the background and written rules add."""
        counts = self._count([one for _, one in sets])
        inside = {rule for some in self._bodies.values() for rule, _, _ in some}
        rest = [(n, distinct(n, one)) for n, one in enumerate(self.rules) if n not in inside]
        fixed = definitions(self.task.background)
        contexts = {one.name: one.context for one in self.task.examples}
        found: list[_Weighed] = []
        for counted, (name, one) in zip(counts, sets, strict=True):
            self.clock.check()
            given = f"{self.task.background}\n{contexts[name]}"
            weights: dict[Share, int] = {}
            programs = [(-1, given), *rest] if rest or not is_plain(given) else []
            for (level, weight, _), numbers in tuples(fixed, programs, one.atoms).items():
                share = level, (() if -1 in numbers else tuple(sorted(numbers)))
                weights[share] = weights.get(share, 0) + weight
            found.append((counted, weights))
        return found

    def _count(self, sets: Sequence[AnswerSet]) -> list[dict[int, int]]:
        """How often each body matches in each answer set, or the sum of what it matches."""
        fixed = definitions(self.task.background)
        bodies = list(self._bodies)
        looked = Bodies(body if readable(body) and not fixed else None for body, _ in bodies)
        found: list[dict[int, int]] = []
        asked: set[int] = set()
        for one in sets:
            self.clock.check()
            found.append({})
            here = Interpretation(one.atoms, looked)
            for number, (_, summed) in enumerate(bodies):
                rows = None if number in asked else here.rows(number)
                if rows is None:
                    asked.add(number)
                elif rows:
                    total = rows.bit_count() if summed is None else here.sum(rows, number, summed)
                    if total:
                        found[-1][number] = total
        tests = "\n".join(
            f"__las_adds({number},S,W) :- __las_world(W), S = {_total(*bodies[number])}, S != 0."
            for number in sorted(asked)
        )
        for begin in range(0, len(sets) if tests else 0, AT_ONCE):
            self.clock.check()
            some = sets[begin : begin + AT_ONCE]
            facts = "\n".join(_facts(number, one.atoms) for number, one in enumerate(some))
            ctl = grounded(f"{fixed}\n{facts}\n{tests}")
            for atom in ctl.symbolic_atoms.by_signature("__las_adds", 3):
                number, total, world = map(int, str(atom.symbol)[_ADDS:-1].split(","))
                found[begin + world][number] = total
        return found

    def _choose(
        self, lost: Sequence[tuple[str, int]], pairs: Sequence[tuple[Ordering, _Weighed]]
    ) -> Chosen | None:
        effects = self._effects([difference for _, (difference, _) in pairs])
        shared = {n for _, (_, weights) in pairs for _, numbers in weights for n in numbers}
        kept = sorted({*(rule for rule, _, _, _ in effects), *shared})
        base = sum(penalty for _, penalty in lost)
        ctl = control("--models=0", "--opt-mode=opt", "--opt-strategy=usc,oll")
        prices: list[tuple[int, int]] = []
        misses: list[tuple[str, int]] = []
        with ctl.backend() as backend:
            atoms = {number: backend.add_atom() for number in kept}
            backend.add_rule(list(atoms.values()), [], True)
            prices += [(at, self.rules[number].cost) for number, at in atoms.items()]
            if self.task.max_penalty is not None:
                over = ground.at_least(backend, prices, self.task.max_penalty + 1)
                backend.add_rule([], [over])
            sums: list[dict[int, list[tuple[int, int]]]] = [{} for _ in pairs]
            for rule, level, factor, vector in effects:
                for pair, difference in vector:
                    term = atoms[rule], factor * difference
                    sums[pair].setdefault(level, []).append(term)
            any_of: dict[tuple[int, ...], int] = {}
            for levels, (_, (_, weights)) in zip(sums, pairs, strict=True):
                for (level, numbers), weight in weights.items():
                    if numbers not in any_of:
                        any_of[numbers] = backend.add_atom()
                        for body in [[atoms[n]] for n in numbers] or [[]]:
                            backend.add_rule([any_of[numbers]], body)
                    levels.setdefault(level, []).append((any_of[numbers], weight))
            holds: dict[str, list[int]] = {}
            for levels, (order, _) in zip(sums, pairs, strict=True):
                holds.setdefault(order.name, []).append(ground.compare(backend, levels, order.op))
            for order in self.task.orderings:
                covered = backend.add_atom()
                some = holds.get(order.name, [])
                for body in [[at] for at in some] if order.brave else [some]:
                    backend.add_rule([covered], body)
                if order.penalty is None:
                    backend.add_rule([], [-covered])
                else:
                    prices.append((-covered, order.penalty))
                    misses.append((order.name, covered))
            backend.add_minimize(0, prices)

        def keep(model: clingo.Model) -> None:
            chosen = tuple(number for number, at in atoms.items() if model.is_true(at))
            missed = [name for name, at in misses if not model.is_true(at)]
            cost = base + sum(weight for at, weight in prices if model.is_true(at))
            self.best = Chosen(chosen, cost, (*(name for name, _ in lost), *missed))
            if self.on_better is not None:
                self.on_better(self.best)

        self.bound = base
        search(ctl, self.clock, keep)
        return self.best

    def _effects(
        self, differences: Sequence[Counts]
    ) -> list[tuple[int, int, int, tuple[tuple[int, int], ...]]]:
        """Rules with level, factor and differences; of those that have the same effect one."""
        vectors: dict[int, list[tuple[int, int]]] = {}
        for pair, counts in enumerate(differences):
            for body, difference in counts.items():
                vectors.setdefault(body, []).append((pair, difference))
        users = list(self._bodies.values())
        best: dict[tuple[tuple[tuple[int, int], ...], int, int], int] = {}
        for body in sorted(vectors):
            vector, sign = tuple(vectors[body]), 1
            if vector[0][1] < 0:
                vector, sign = tuple((pair, -difference) for pair, difference in vector), -1
            for rule, level, factor in users[body]:
                known = best.setdefault((vector, level, sign * factor), rule)
                if (self.rules[rule].cost, rule) < (self.rules[known].cost, known):
                    best[vector, level, sign * factor] = rule
        return [(rule, level, factor, vector) for (vector, level, factor), rule in best.items()]


_Weighed = tuple[Counts, Weights]


def _differences(first: Sequence[_Weighed], second: Sequence[_Weighed]) -> Iterator[_Weighed]:
    """The different ways in which an answer set of the first may weigh more than of the second."""
    if len(first) * len(second) > MOST_PAIRS:
        raise TooMany
    seen: set[tuple[tuple[object, ...], ...]] = set()
    for (counts, weights), (other_counts, other_weights) in product(first, second):
        found = _difference(counts, other_counts), _difference(weights, other_weights)
        form = tuple(tuple(part.items()) for part in found)
        if form not in seen:
            seen.add(form)
            yield found


_K = TypeVar("_K")


def _difference(first: Mapping[_K, int], second: Mapping[_K, int]) -> dict[_K, int]:
    both = (
        (key, first.get(key, 0) - second.get(key, 0))
        for key in sorted({*first, *second}, key=_order)
    )
    return {key: more for key, more in both if more}


def _counted(rules: Sequence[Rule]) -> dict[_Body, list[tuple[int, int, int]]]:
    """Bodies whose matches are counted, or summed, for which rules, with their levels and factors.

    The tuples of a rule that modes made are its own, one for each match of its body.
    """
    found: dict[_Body, list[tuple[int, int, int]]] = {}
    for number, rule in enumerate(rules):
        head = rule.head
        if not isinstance(head, Weak) or any(isinstance(one, Aggregate) for one in rule.body):
            continue
        weight = head.weight
        summed = weight.number if isinstance(weight, Variable) else None
        factor = 1 if summed is not None else int(str(weight))
        found.setdefault((rule.body, summed), []).append((number, head.level, factor))
    return found


def _total(body: Sequence[Literal], summed: int | None) -> str:
    """What clingo counts or sums for a body."""
    names = sorted({n for one in body for n in variables(one)})
    terms = ",".join(f"V{n}" for n in names) or "0"
    inside = ", ".join(map(_in_world, body))
    return (
        f"#count{{{terms} : {inside}}}"
        if summed is None
        else (f"#sum{{V{summed},{terms} : {inside}}}")
    )


def _in_world(literal: Literal) -> str:
    if not isinstance(literal, Atom):
        return str(literal)
    inside = ",".join(map(str, (*literal.term.args, "W")))
    return f"{'not ' if literal.negated else ''}{literal.term.name}({inside})"


def _facts(world: int, atoms: frozenset[clingo.Symbol]) -> str:
    number = clingo.Number(world)
    facts = [clingo.Function(one.name, [*one.arguments, number], one.positive) for one in atoms]
    return " ".join([f"__las_world({world}).", *(f"{one}." for one in facts)])


def _order(key: object) -> tuple[int, tuple[int, ...]]:
    """The order of bodies by number, and of shares."""
    return key if isinstance(key, tuple) else (int(str(key)), ())
