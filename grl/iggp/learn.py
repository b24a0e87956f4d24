"""From a task to a program: each target predicate by the ladder, by parts, and by exceptions.

A target predicate is first learned as a whole. Where that fails or looks bought dearly, it is
split by the values of one argument: a part that was learned becomes a relation of its own that
the bodies of later parts may use or deny, so that the hardest part can be what is left. A part
can also be everything but an exception, which is then learned as a target itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from grl.iggp.bias import Context, head_terms
from grl.iggp.contexts import ladder
from grl.iggp.data import Task
from grl.iggp.guards import Guard, guards, partition, salvage
from grl.iggp.ladder import BITS, Goal, Late, Solution, climb, surprise, trimmed
from grl.iggp.orders import add_orders
from grl.iggp.sweep import OVERHEAD
from grl.iggp.terms import Const, Equal, Key, Literal, Rule, Var, shifted
from grl.iggp.text import rule_text, used_relations
from grl.iggp.world import Bools, Ints, Relation, World, make_world
from grl.progress import Progress, silent

DEFAULT_LIMIT = 50.0
STAGE = "learning rules"

Trace = Callable[..., None]


@dataclass(frozen=True)
class LearnedProgram:
    """The program, the wrong (state, candidate) pairs in training, and the predictions by target.

    `predicted` holds for each target predicate a row a state and a column a candidate that was
    learned from; `columns` says which of the file's candidates of that predicate they are.
    `interrupted` says that the search was broken off and this is the best so far.
    """

    text: str
    errors: int
    predicted: dict[Key, Bools]
    columns: dict[Key, Ints]
    interrupted: bool = False


_Part: TypeAlias = tuple[tuple[Literal, ...], Bools]


@dataclass
class _Clause:
    """A rule for some positive rows: its text without the definitions that it needs."""

    write: Callable[[str], str]
    needs: tuple[str, ...]
    covers: Bools
    cost: float


def learn_program(
    task: Task,
    *,
    seconds: float = DEFAULT_LIMIT,
    seed: int = 0,
    progress: Progress = silent,
    trace: Trace = lambda *_: None,
) -> LearnedProgram:
    """Learn a definition of the target over background and statics, within `seconds`.

    The same task and seed give the same program when the time suffices. Time is shared out
    equally over the target predicates, and what one leaves the others get. `progress` counts
    target predicates; `trace` is told of each step of the search, for whoever looks into it.
    """
    deadline = time.monotonic() + seconds
    world = make_world(task)
    keys = sorted(world.targets, key=lambda key: (world.labels[key].size, key))
    targets = {
        key: _Target(replace(world, relations=dict(world.relations)), key, seed, trace)
        for key in keys
    }
    interrupted = False
    try:
        for number, key in enumerate(keys):
            progress(STAGE, number, len(keys))
            now = time.monotonic()
            rest = sum(bool(world.labels[other].any()) for other in keys[number:])
            targets[key].learn(now + (deadline - now) / max(rest, 1))
        progress(STAGE, len(keys), len(keys))
    except KeyboardInterrupt:
        interrupted = True
        for target in targets.values():
            target.take_what_there_is()
    lines: dict[str, None] = {}
    for key in keys:
        lines.update(dict.fromkeys(targets[key].lines()))
    predicted = {key: targets[key].predicted() for key in keys}
    errors = sum(int((predicted[key] != world.labels[key]).sum()) for key in keys)
    empty = [f"#defined {name}/{arity}." for name, arity in keys]
    return LearnedProgram(
        "\n".join([*empty, *lines, ""]), errors, predicted, world.columns, interrupted
    )


class _Target:
    def __init__(self, world: World, key: Key, seed: int, trace: Trace) -> None:
        self.world, self.key, self.seed, self.trace = world, key, seed, trace
        add_orders(world, key)
        candidates = world.targets[key]
        states = np.repeat(np.arange(world.states), len(candidates))
        columns = [np.tile(candidates[:, i], world.states) for i in range(key[1])]
        self.goal = Goal(
            states,
            columns,
            world.labels[key].ravel(),
            head_terms(world, key),
            np.arange(len(states)),
        )
        self.domain = f"{world.prefix}_atom_{key[0]}"
        self.clauses: list[_Clause] = []
        self.names = 0
        self.named = np.zeros(len(states), dtype=bool)
        self.lenient = False
        self.contexts: tuple[int, list[Context]] | None = None
        self.end = 0.0
        self.collected: list[tuple[Goal, Solution]] = []
        self.dear: list[tuple[float, Bools, list[_Clause]]] = []

    # What is known at any moment: the program of the clauses found so far.

    def lines(self) -> list[str]:
        lines: dict[str, None] = {}
        for clause in self.clauses:
            lines.update(dict.fromkeys(clause.needs))
            lines[clause.write(self.key[0])] = None
        return self._with_domain(list(lines))

    def _with_domain(self, lines: list[str]) -> list[str]:
        if any(f"{self.domain}(" in line for line in lines):
            names = self.world.vocabulary.names
            facts = [
                f"{self.domain}({','.join(names[int(c)] for c in row)})."
                for row in self.world.candidates[self.key]
            ]
            lines = [" ".join(facts), *lines]
        return lines

    def predicted(self) -> Bools:
        said = np.zeros(len(self.goal.states), dtype=bool)
        for clause in self.clauses:
            said |= clause.covers
        return said.reshape(self.world.labels[self.key].shape)

    def _missing(self) -> Bools:
        return self.goal.positive & ~self.predicted().ravel()

    def take_what_there_is(self) -> None:
        """After an interrupt: also the rules that were collected so far, and dear ones."""
        for goal, solution in self.collected:
            left = self._missing()[goal.rows]
            for found in trimmed(goal, solution, left).rules:
                rows = self._spread(goal, found.covers)
                self.clauses.append(self._clause(found.rule, rows, found.cost))
        self._fall_back(Solution([], self._missing()))

    # The plan.

    def learn(self, end: float) -> None:
        goal = self.goal
        if not goal.positive.any():
            return
        begin = time.monotonic()
        span = end - begin
        self.end = end - 0.08 * span
        every = np.ones(len(goal.positive), dtype=bool)
        parts = self._parts()
        few = 2 <= len(parts) <= 4
        start = Solution([], goal.positive.copy())
        self._go(goal, (0,), self._by(begin + 0.15 * span), start)
        poor = 2 * int(start.missing.sum()) > int(goal.positive.sum())
        if poor and self.key[1]:
            self._by_guards(begin + 0.4 * span)
            if self._settled(every):
                return
        tried = not (few and poor)
        if tried:
            late = self._by(self._soon(0.12 if few else 0.4, end))
            self._go(goal, (1,), late, start)
        whole = trimmed(goal, start)
        if whole.complete and not self._dear(goal, whole):
            if 2 <= len(parts) <= 6 and len(whole.rules) >= len(parts) and self._total():
                self.lenient = True
                self._by_parts(parts, None, self._soon(0.25, end))
                self.lenient = False
            if not self._settled(every) or self._cost() > whole.cost:
                self.clauses = []
                self._accept(whole)
            return
        middle = begin + (0.6 if len(parts) == 1 else 0.75) * span
        if len(parts) == 1:
            if whole.complete:
                self._settle(every, goal, whole, [found.covers for found in whole.rules])
            if not self._settled(every):
                self._but(goal, every, whole, middle)
        else:
            self._by_parts(parts, whole, middle)
        if not self._settled(every) and self.key[1]:
            self._by_guards(begin + 0.8 * span)
        if not self._settled(every) and not self.key[1]:
            late = self._by(begin + 0.8 * span)
            everything = Guard(Rule((), ()), every)
            nothing = Solution([], goal.positive.copy())
            self._exception(goal, every, everything, late, nothing, levels=(3, 2))
        missing = self._missing()
        if missing.any():
            found = Solution([], missing.copy())
            self._go(goal, (2, 3) if tried else (1, 2, 3), self._by(self.end), found)
            found.reserve += [rule for rule in whole.rules if (rule.covers & missing).any()]
            deep = trimmed(goal, found, missing)
            if deep.complete and not self._dear(goal, deep, int(missing.sum())):
                self._accept(deep)
            else:
                self._fall_back(deep)
        if self._missing().any():
            self.trace("salvage", int(self._missing().sum()))
            self._salvage(end)

    def _soon(self, share: float, end: float) -> float:
        """The moment when a share of the time until the end is over."""
        now = time.monotonic()
        return now + share * (end - now)

    def _cost(self) -> float:
        return sum(clause.cost + OVERHEAD for clause in self.clauses)

    def _total(self) -> bool:
        """Whether each choice of the other arguments has one true value of the last, always."""
        candidates = self.world.targets[self.key]
        _, groups = np.unique(candidates[:, :-1], axis=0, return_inverse=True)
        truth = self.world.labels[self.key].astype(np.int64)
        groups = groups.ravel()
        return all((truth[:, groups == g].sum(axis=1) == 1).all() for g in range(groups.max() + 1))

    def _fall_back(self, deep: Solution) -> None:
        """The cheapest that covers a part, though it may be owed to chance."""
        for cost, keep, clauses in sorted(self.dear, key=lambda option: option[0]):
            missing = self._missing()
            others = [f for f in deep.rules if (f.covers & missing & keep).any()]
            if not (missing & keep).any():
                continue
            if (deep.missing & keep).any() or cost < sum(f.cost + OVERHEAD for f in others):
                self.clauses += clauses
        missing = self._missing()
        rules = [f for f in deep.rules if (f.covers & missing).any()]
        self._accept(Solution(rules))

    def _by(self, moment: float) -> Late:
        return Late(moment)

    def _direct(self, goal: Goal, levels: Sequence[int], late: Late) -> Solution:
        solution = Solution([], goal.positive.copy())
        self._go(goal, levels, late, solution)
        return trimmed(goal, solution)

    def _go(self, goal: Goal, levels: Sequence[int], late: Late, solution: Solution) -> None:
        """Climb the contexts of these levels; stop after one at which nothing is missing."""
        if bool((goal.positive == self.goal.positive[goal.rows]).all()):
            self.collected.append((goal, solution))
        known = len(self.world.relations)
        if self.contexts is None or self.contexts[0] != known:
            self.contexts = known, list(ladder(self.world, goal.base))
        contexts = self.contexts[1]
        for level in levels:
            for context in contexts:
                if context.level != level or solution.complete or late():
                    continue
                before = len(solution.rules), len(solution.reserve)
                climb(self.world, goal, [context], late, self.seed, solution)
                self.trace(
                    context.name,
                    [g.relation[0] + str(g.positions) for g in context.generators],
                    len(solution.rules) - before[0],
                    len(solution.reserve) - before[1],
                    "missing",
                    int(solution.missing.sum()),
                    int(solution.all_missing().sum()),
                )
                if self._believed(goal, solution):
                    return
            if not solution.all_missing().any():
                return

    def _believed(self, goal: Goal, solution: Solution) -> bool:
        """Whether all is covered, the reserve counted in, and not dearly."""
        if solution.all_missing().any():
            return False
        return not self._dear(goal, trimmed(goal, solution))

    def _dear(self, goal: Goal, solution: Solution, number: int | None = None) -> bool:
        """Whether the rules cost so much for what they cover that chance may have made them."""
        number = int(goal.positive.sum()) if number is None else number
        return BITS * sum(found.cost for found in solution.rules) > number * surprise(goal)

    def _accept(self, solution: Solution) -> None:
        for found in solution.rules:
            self.clauses.append(self._clause(found.rule, found.covers, found.cost))

    def _clause(
        self,
        rule: Rule,
        covers: Bools,
        cost: float,
        extra: tuple[str, ...] = (),
        needs: tuple[str, ...] = (),
    ) -> _Clause:
        world, arity, domain = self.world, self.key[1], self.domain
        relations = dict(world.relations)
        lines = dict.fromkeys(needs)
        for key in used_relations(rule):
            lines.update(dict.fromkeys(relations[key].definition))

        def write(head: str) -> str:
            return rule_text(world, head, arity, rule, domain, extra, guarded=head != self.key[0])

        return _Clause(write, tuple(lines), covers, cost)

    def _parts(self) -> list[_Part]:
        """The rows by the values of one argument.

        The last one if it has few values, as scores and contents do, or that with the fewest.
        """
        goal = self.goal
        best: tuple[int, int] | None = None
        for i in reversed(range(self.key[1])):
            number = len(np.unique(goal.columns[i][goal.positive]))
            if i == self.key[1] - 1 and 2 <= number <= 6:
                best = number, i
                break
            if 2 <= number <= 12 and (best is None or number < best[0]):
                best = number, i
        if best is None:
            return [((), np.ones(len(goal.positive), dtype=bool))]
        position = best[1]
        values, times = np.unique(goal.columns[position][goal.positive], return_counts=True)
        order = np.argsort(times, kind="stable")
        result: list[_Part] = []
        for code in values[order]:
            keep = goal.columns[position] == code
            result.append(((Equal(Var(position), Const(int(code))),), keep))
        return result

    def _by_parts(self, parts: list[_Part], whole: Solution | None, end: float) -> None:
        """Learn the parts one by one; what is learned helps with the rest."""
        waiting = list(range(len(parts)))
        best: dict[int, Solution] = {}
        fresh = True
        for attempt in range(6):
            left, waiting = waiting, []
            for at, number in enumerate(left):
                given, keep = parts[number]
                now = time.monotonic()
                if now > end:
                    return
                part = self.goal.part(keep, self.goal.positive, given)
                moment = now + (end - now) * (0.9 if fresh else 0.8) / (len(left) - at)
                known = whole if attempt == 0 else None
                if fresh:
                    best[number] = self._plain(part, keep, known, moment)
                    solved = self._settled(keep)
                else:
                    solved = self._but(part, keep, best[number], moment)
                if solved:
                    self._name(keep)
                else:
                    waiting.append(number)
            if not waiting:
                return
            progress = len(waiting) < len(left)
            if not progress and not fresh:
                return
            fresh = progress

    def _by_guards(self, end: float) -> None:
        """Parts by literals that together cover what is missing, learned one by one."""
        missing = self._missing()
        found = partition(self.world, self.goal, missing, self.seed, self._by(end))
        names = [
            rule_text(self.world, *self.key, Rule((), (literal,)), self.domain)
            for literal, _ in found
        ]
        self.trace("GUARDS", *names)
        parts: list[_Part] = [((literal,), rows) for literal, rows in found]
        if parts:
            self._by_parts(parts, None, end)

    def _settled(self, keep: Bools) -> bool:
        return not (self._missing() & keep).any()

    def _plain(self, part: Goal, keep: Bools, whole: Solution | None, moment: float) -> Solution:
        """Learn the rows of one part directly.

        What covers the part but is dear is kept in case nothing better turns up.
        """
        begin = time.monotonic()
        names = self.world.vocabulary.names
        self.trace(
            "PART",
            [
                names[e.right.code]
                for e in part.given
                if isinstance(e, Equal) and isinstance(e.right, Const)
            ],
            f"{moment - begin:.1f}s",
            int(part.positive.sum()),
        )
        if whole is not None and not (whole.missing & keep).any():
            rules = [found for found in whole.rules if (found.covers & keep).any()]
            if self._settle(keep, part, Solution(rules), [f.covers for f in rules]):
                return Solution(rules, part.positive & False)
        start = Solution([], part.positive.copy())
        span = moment - begin
        self._told_by_states(
            part, start, self._by(begin + 0.5 * span), self._by(begin + 0.75 * span)
        )
        self._go(part, (0, 1), self._by(moment), start)
        direct = trimmed(part, start)
        if direct.complete:
            self._settle(keep, part, direct, [self._spread(part, f.covers) for f in direct.rules])
        return direct

    def _but(self, part: Goal, keep: Bools, direct: Solution, moment: float) -> bool:
        """Learn a part as everything in it, or all that a guard covers, but an exception."""
        late = self._by(moment)
        everything = Guard(Rule((), part.given), np.ones(len(part.positive), dtype=bool))
        nothing = Solution([], part.positive.copy())
        if self._exception(part, keep, everything, late, nothing):
            return True
        if direct.complete:
            direct = nothing
        for guard in guards(self.world, part, direct.missing, self.seed, late):
            if late():
                break
            if self._exception(part, keep, guard, late, direct):
                return True
        return False

    def _told_by_states(self, part: Goal, solution: Solution, late: Late, then: Late) -> None:
        """First tell the states in which anything of a part is true, then what is true there."""
        some = np.zeros(self.world.states, dtype=bool)
        some[part.states[part.positive]] = True
        if some.all():
            return
        world = self.world
        outer = Goal(np.arange(world.states), [], some, [], np.arange(world.states))
        found = Solution([], some.copy())
        for context in ladder(world, []):
            if context.level > 1 or found.complete or late():
                break
            climb(world, outer, [context], late, self.seed, found)
            if self._believed(outer, found):
                break
        found = trimmed(outer, found)
        self.trace("STATES", int(some.sum()), len(found.rules), "missing", int(found.missing.sum()))
        for rule in (shifted(f.rule, self.key[1]) for f in found.rules):
            context = Context("told by states", rule.generators, rule.literals)
            climb(world, part, [context], then, self.seed, solution)
        self.trace("of these missing", int(solution.missing.sum()))

    def _settle(self, keep: Bools, part: Goal, solution: Solution, covers: list[Bools]) -> bool:
        clauses = [
            self._clause(found.rule, rows, found.cost)
            for found, rows in zip(solution.rules, covers, strict=True)
        ]
        if self._dear(part, solution) and not self.lenient:
            self.dear.append((solution.cost, keep & self.goal.positive, clauses))
            return False
        self.clauses += clauses
        return True

    def _spread(self, part: Goal, covers: Bools) -> Bools:
        """Rows of a part as rows of the whole target."""
        rows = np.zeros(len(self.goal.positive), dtype=bool)
        rows[part.rows[covers]] = True
        return rows

    def _exception(
        self,
        part: Goal,
        keep: Bools,
        guard: Guard,
        late: Late,
        direct: Solution,
        levels: Sequence[int] = (0, 1),
    ) -> bool:
        """Settle a part by rules for some of it and, for the rest, a guard but for an exception."""
        inside = guard.covers
        inner = part.part(inside, ~part.positive, part.given)
        if not inner.positive.any() or inner.positive.all():
            return False
        if (direct.missing & ~inside).any():
            return False
        self.trace("EXCEPT", int(inner.positive.sum()), "of", len(inner.positive))
        solution = self._direct(inner, levels, late)
        if not solution.complete:
            return False
        name = f"{self.world.prefix}_except_{self.key[0]}_{self._next_name()}"
        needs: dict[str, None] = {} if self.key[1] else {f"#defined {name}/0.": None}
        for found in solution.rules:
            clause = self._clause(found.rule, found.covers, found.cost)
            needs.update(dict.fromkeys(clause.needs))
            needs[clause.write(name)] = None
        covers = self._spread(part, inside & part.positive)
        cost = solution.cost + 4.0
        clauses = [
            *(self._clause(f.rule, self._spread(part, f.covers), f.cost) for f in direct.rules),
            self._clause(guard.rule, covers, cost, (name,), tuple(needs)),
        ]
        if self._dear(inner, solution):
            self.dear.append((cost + direct.cost, keep & self.goal.positive, clauses))
            return False
        self.clauses += clauses
        return True

    def _next_name(self) -> int:
        self.names += 1
        return self.names

    def _name(self, keep: Bools) -> None:
        """Make what has been learned, with this part, a relation that bodies may use."""
        before, self.named = self.named, self.named | (keep & self.goal.positive)
        rows = np.flatnonzero(self.named)
        name = f"{self.world.prefix}_part_{self.key[0]}_{self._next_name()}"
        table = np.stack([self.goal.states[rows], *(c[rows] for c in self.goal.columns)], axis=1)
        lines: dict[str, None] = {}
        for clause in self.clauses:
            if (clause.covers & self.named).any() and not (clause.covers & ~self.named).any():
                lines.update(dict.fromkeys(clause.needs))
                lines[clause.write(name)] = None
        covered_ = np.zeros(len(self.named), dtype=bool)
        for clause in self.clauses:
            covered_ |= clause.covers
        if (self.named & ~covered_).any():
            self.named = before
            return
        self.world.add(
            Relation(
                name,
                self.key[1],
                True,
                table,
                self.world.states,
                self.world.vocabulary,
                tuple(lines),
                cost=1.0,
            )
        )

    def _salvage(self, end: float) -> None:
        """Rules that are wrong somewhere, as far as they raise the balanced accuracy."""
        said = self.predicted().ravel()
        for rule in salvage(self.world, self.goal, said, self.seed, self._by(end)):
            self.clauses.append(self._clause(rule.rule, rule.covers, 0.0))


__all__ = ["DEFAULT_LIMIT", "LearnedProgram", "learn_program"]
