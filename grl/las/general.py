"""The conflict-driven layer: any rules, any background, optimal.

One solver holds a switch for every rule of the space, minimises cost, and knows only part of what
the examples ask. Each hypothesis it proposes is checked on all examples, and what it gets wrong is
given to it:

* a positive example: a copy of its ground program joins the solver, which has to find an answer
  set there too;
* a negative example: the answer set that should not be is given as the condition under which a
  hypothesis has it, which must not hold;
* a brave ordering: two copies, their weights compared; a cautious one: the pair found is excluded
  as with a negative example, unless the weights that the hypothesis gives it are in order.

A hypothesis that passes every check is optimal, since the solver knew a relaxation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import clingo

from grl.las import ground
from grl.las.alike import alike
from grl.las.clock import Clock, OutOfTime, control, search
from grl.las.filters import Filters, filtering, too_strong
from grl.las.programs import definitions, distinct, guarded, heads, made_apart
from grl.las.semantics import AnswerSet, Space, asking, extending, supporting, tuples
from grl.las.stable import answer_set
from grl.las.task import Example, Ordering, Task
from grl.las.terms import Rule
from grl.progress import Progress, silent

AT_ONCE = 3
"""How many counterexamples are given to the solver between two of its answers."""
SCREENED = 200
"""How many constraints are tried on a positive example in one go."""
OFTEN = 256
"""Rules of the space between two looks at the clock."""
GRACE = 0.5
"""Seconds for a last look, behind the time limit, at what the solver proposed within it."""


@dataclass(frozen=True, slots=True)
class Found:
    """A hypothesis: its rules by number, its whole cost, and whether no other costs less."""

    rules: tuple[int, ...]
    cost: int
    proven: bool
    uncovered: tuple[str, ...] = ()


@dataclass(slots=True)
class Best:
    """The best hypothesis known so far and the bound below which there is none."""

    found: Found | None = None
    bound: int = 0
    on_better: Callable[[Found], None] | None = None

    def offer(self, found: Found) -> None:
        """Takes a hypothesis where it is cheaper than the one known."""
        if self.found is None or found.cost < self.found.cost:
            self.found = found
            if self.on_better is not None:
                self.on_better(found)


@dataclass(slots=True)
class General:
    """The state of one search. `run` gives None where no hypothesis covers the examples."""

    task: Task
    rules: Sequence[Rule]
    clock: Clock = field(default_factory=Clock)
    progress: Progress = silent
    best: Best = field(default_factory=Best)
    any_will_do: bool = False

    _master: clingo.Control = field(init=False)
    _switches: list[int] = field(init=False)
    _covers: dict[str, int] = field(init=False, default_factory=dict)
    _copied: set[str] = field(init=False, default_factory=set)
    _space: Space | None = field(init=False, default=None)
    _by_name: dict[str, Example] = field(init=False)
    _guarded: str = field(init=False)
    _ground: dict[str, ground.Ground] = field(init=False, default_factory=dict)
    _definitions: str = field(init=False)
    _apart: str | None = field(init=False, default=None)
    _possible: dict[str, list[clingo.Symbol]] = field(init=False, default_factory=dict)
    _filters: Filters | None = field(init=False, default=None)
    _copies: dict[str, ground.Copy] = field(init=False, default_factory=dict)
    _screened: dict[str, set[int]] = field(init=False, default_factory=dict)

    def run(self) -> Found | None:
        """Searches until an optimum is proven or the clock runs out (`OutOfTime`)."""
        self._set_up()
        rounds = 0
        while True:
            rounds += 1
            found = self._propose()
            if found is None:
                return None
            self.best.bound = found.cost
            met = self._refute(found)
            self.progress("hypotheses tried", rounds, None)
            self.progress("lower bound", found.cost, None)
            if self.best.found is not None:
                self.progress("cost of the best hypothesis", self.best.found.cost, None)
            if not met:
                done = Found(found.rules, found.cost, True, found.uncovered)
                self.best.found = done
                return done

    def _set_up(self) -> None:
        task = self.task
        self._by_name = {example.name: example for example in task.examples}
        self._definitions = definitions(task.background)
        apart = None if task.orderings else filtering(self.rules)
        if apart:
            self._filters = Filters(self._definitions, self.rules, apart)
        away = frozenset(apart or ())
        guards = dict(self._guarding(away))
        idle, self._possible = alike(task, self.rules, guards, self.clock)
        guards = {number: text for number, text in guards.items() if number not in idle}
        self._guarded = "\n".join(guards.values())
        if self._possible:
            self._name_apart(guards)
        if self._filters is not None:
            self._filters.leave_out(idle)
        options = [] if self.any_will_do else ["--opt-mode=opt"]
        if options and not task.orderings and all(one.positive for one in task.examples):
            # Constraints are of no use then, and few rules or none can be absent together.
            options.append("--opt-strategy=usc,oll")
        self._master = control("--models=0", "--sat-prepro=no", *options)
        with self._master.backend() as backend:
            self._switches = [backend.add_atom() for _ in self.rules]
            used = [at for number, at in enumerate(self._switches) if number not in idle]
            backend.add_rule(used, [], True)
            priced = [(at, rule.cost) for at, rule in zip(self._switches, self.rules, strict=True)]
            if task.max_penalty is not None:
                over = ground.at_least(backend, priced, task.max_penalty + 1)
                backend.add_rule([], [over])
            losses: list[tuple[int, int]] = []
            for one in self._asked():
                at = backend.add_atom()
                self._covers[one.name] = at
                if one.penalty is None:
                    backend.add_rule([at], [])
                else:
                    backend.add_rule([at], [], True)
                    losses.append((-at, one.penalty))
            if not self.any_will_do:
                backend.add_minimize(0, [*priced, *losses])

    def _name_apart(self, numbers: Iterable[int]) -> None:
        """Tells the heads of rules from the same atoms in bodies, where all rules allow it."""
        made: set[tuple[str, int]] = set()
        text: list[str] = []
        for number in numbers:
            rule = made_apart(self.rules[number])
            if rule is None:
                return
            text.append(guarded(number, rule))
            made |= {(one.term.name, len(one.term.args)) for one in heads(self.rules[number])}
        self._apart = "\n".join(text)
        self._possible = {
            context: [atom for atom in atoms if (atom.name, len(atom.arguments)) in made]
            for context, atoms in self._possible.items()
        }

    def _guarding(self, apart: frozenset[int]) -> Iterator[tuple[int, str]]:
        for number, rule in enumerate(self.rules):
            if not number % OFTEN:
                self.clock.check()
            if number not in apart:
                yield number, guarded(number, rule)

    def _propose(self) -> Found | None:
        last: list[Found] = []

        def keep(model: clingo.Model) -> None:
            chosen = tuple(n for n, at in enumerate(self._switches) if model.is_true(at))
            lost = tuple(name for name, at in self._covers.items() if not model.is_true(at))
            last[:] = [Found(chosen, self._cost(chosen, lost), False, lost)]

        try:
            if self.any_will_do:
                self._master.configuration.solve.models = 1  # type: ignore[union-attr]
            idle = self._filters.idle() if self._filters is not None else []
            search(self._master, self.clock, keep, [-self._switches[n] for n in idle])
        except OutOfTime:
            if last and self.best.found is None:
                self._try(last[0])
            raise
        return last[0] if last else None

    def _cost(self, chosen: Sequence[int], lost: Sequence[str]) -> int:
        penalties = {one.name: one.penalty or 0 for one in self._asked()}
        return sum(self.rules[n].cost for n in chosen) + sum(penalties[name] for name in lost)

    def _asked(self) -> tuple[Example | Ordering, ...]:
        return (*self.task.examples, *self.task.orderings)

    def _try(self, found: Found) -> None:
        """Keeps a proposal, its further failures paid for, where all that must be covered is."""
        grace = Clock(GRACE)
        lost = set(found.uncovered)
        try:
            for one in self._asked():
                if one.name not in lost and self._wrong(one, found.rules, grace) is not None:
                    if one.penalty is None:
                        return
                    lost.add(one.name)
        except OutOfTime:
            return
        cost = self._cost(found.rules, sorted(lost))
        self.best.offer(Found(found.rules, cost, False, tuple(sorted(lost))))

    def _numbered(self, chosen: Sequence[int]) -> list[tuple[int, Rule]]:
        return [(number, self.rules[number]) for number in chosen]

    def _wrong(
        self, one: Example | Ordering, chosen: Sequence[int], clock: Clock
    ) -> Callable[[], None] | None:
        """None where a hypothesis covers this; otherwise what forbids this in the solver."""
        rules = self._numbered(chosen)
        if isinstance(one, Example):
            found = extending(self.task, rules, one, clock)
            if bool(found) == one.positive:
                return None
            if one.positive:
                return lambda: self._ask_for(one, rules)
            return lambda: self._exclude(one, rules, found[0])
        pair = self._pair(one, rules, clock)
        if (pair is not None) == one.brave:
            return None
        if one.brave:
            return lambda: self._copy_ordering(one)
        assert pair is not None
        return lambda: self._exclude_pair(one, rules, pair)

    def _refute(self, found: Found) -> int:
        """Checks a proposal; how many counterexamples the solver was given."""
        given = 0
        lost = set(found.uncovered)
        failures = set(lost)
        payable = True
        for one in self._asked():
            if one.name in lost or (one.name in self._copied and self._filters is None):
                continue
            self.clock.check()
            wrong = self._wrong(one, found.rules, self.clock)
            if wrong is None:
                continue
            failures.add(one.name)
            payable = payable and one.penalty is not None
            if given < AT_ONCE:
                wrong()
                given += 1
            elif not payable:
                break
        if given and payable:
            cost = self._cost(found.rules, sorted(failures))
            self.best.offer(Found(found.rules, cost, False, tuple(sorted(failures))))
        return given

    def _ground_of(self, context: str) -> ground.Ground:
        if context not in self._ground:
            self.clock.check()
            given = f"{self.task.background}\n{context}"
            if self._apart is None:
                caught = ground.catch(f"{given}\n{self._guarded}", len(self.rules))
            else:
                possible = self._possible[context]
                caught = ground.catch(f"{given}\n{self._apart}", len(self.rules), possible)
            self._ground[context] = caught
        return self._ground[context]

    def _ask_for(self, example: Example, rules: list[tuple[int, Rule]]) -> None:
        """Gives the solver what it did not know of a positive example, or a part of it."""
        if self._filters is None:
            self._copy_example(example)
            return
        apart = frozenset(self._filters.numbers)
        needed = list(rules)
        for one in rules:
            fewer = [other for other in needed if other is not one]
            if one[0] in apart and not extending(self.task, fewer, example, self.clock):
                needed = fewer
        blamed = [number for number, _ in needed if number in apart]
        if not blamed:
            self._copy_example(example)
            return
        active = self._covers[example.name]
        self._filters.suspected.update(blamed)
        known = self._screened.setdefault(example.name, set())
        most = max(self.rules[number].cost for number in blamed)
        unknown = [
            number
            for number in self._filters.of_use()
            if number not in known and self.rules[number].cost <= most
        ][:SCREENED]
        dead = []
        if unknown:
            dead = too_strong(self.task, self.rules, self._guarded, unknown, example, self.clock)
        known.update(unknown)
        with self._master.backend() as backend:
            for number in dead:
                self._filters.suspected.add(number)
                backend.add_rule([], [active, self._switches[number]])
        if not dead or frozenset(blamed).isdisjoint(dead):
            self._link(example, blamed)

    def _link(self, example: Example, numbers: list[int]) -> None:
        """Adds constraints to the copy of an example."""
        if example.name not in self._copied:
            self._copy_example(example)
        text = "\n".join(guarded(number, self.rules[number]) for number in numbers)
        given = self._ground_of(example.context).given()
        caught = ground.catch(f"{self._definitions}\n{given}\n{text}", len(self.rules))
        made, active = self._copies[example.name], self._covers[example.name]
        with self._master.backend() as backend:
            ground.link(caught, backend, self._switches, made, numbers, active)

    def _copy_example(self, example: Example) -> None:
        self._copied.add(example.name)
        caught = self._ground_of(example.context)
        with self._master.backend() as backend:
            made = self._put(backend, caught, example, self._covers[example.name])
        self._copies[example.name] = made

    def _put(
        self, backend: clingo.Backend, caught: ground.Ground, example: Example, active: int
    ) -> ground.Copy:
        made = ground.copy(caught, backend, self._switches, active)
        for text in example.inclusions:
            at = made.atoms.get(clingo.parse_term(text))
            backend.add_rule([], [active] if at is None else [active, -at])
        for text in example.exclusions:
            at = made.atoms.get(clingo.parse_term(text))
            if at is not None:
                backend.add_rule([], [active, at])
        return made

    def _exclude(self, example: Example, rules: list[tuple[int, Rule]], found: AnswerSet) -> None:
        killing = [] if self._filters is None else self._filters.killing(found.atoms)
        with self._master.backend() as backend:
            condition = self._stable(backend, rules, example.context, found)
            condition += [-self._switches[number] for number in killing]
            for one in self.task.examples:
                if not one.positive and one.context == example.context and _extends(found, one):
                    backend.add_rule([], [self._covers[one.name], *condition])

    def _stable(
        self,
        backend: clingo.Backend,
        rules: list[tuple[int, Rule]],
        context: str,
        found: AnswerSet,
    ) -> list[int]:
        """Literals with which `found` is an answer set: exactly then, or for disjunctions at least
        where the rules that support it are there and none that it breaks."""
        holds = answer_set(self._ground_of(context), backend, self._switches, found.atoms)
        if holds is not None:
            return [holds]
        support = supporting(self.task, rules, context, found.atoms, self.clock)
        if self._space is None:
            self._space = Space(self._definitions, self.rules)
        broken = self._space.violated(found.atoms)
        return [*(self._switches[n] for n in support), *(-self._switches[n] for n in broken)]

    def _copy_ordering(self, order: Ordering) -> None:
        self._copied.add(order.name)
        first, second = self._by_name[order.first], self._by_name[order.second]
        caught = [self._ground_of(one.context) for one in (first, second)]
        active = self._covers[order.name]
        with self._master.backend() as backend:
            a = self._put(backend, caught[0], first, active)
            b = self._put(backend, caught[1], second, active)
            holds = ground.compare(backend, _difference(a, b), order.op)
            backend.add_rule([], [active, -holds])

    def _pair(
        self, order: Ordering, rules: list[tuple[int, Rule]], clock: Clock
    ) -> tuple[AnswerSet, AnswerSet] | None:
        """A pair of answer sets in order (brave) or out of order (cautious)."""
        ctl = control("--models=1", "--opt-mode=ignore")
        text = "\n".join(distinct(number, rule) for number, rule in rules)
        copies = []
        with ctl.backend() as backend:
            for name in (order.first, order.second):
                example = self._by_name[name]
                program = f"{self.task.background}\n{example.context}\n{text}\n{asking(example)}"
                copies.append(ground.copy(ground.catch(program), backend, ()))
            holds = ground.compare(backend, _difference(*copies), order.op)
            backend.add_rule([], [-holds if order.brave else holds])
        found: list[tuple[AnswerSet, AnswerSet]] = []

        def keep(model: clingo.Model) -> None:
            first, second = (AnswerSet(one.true(model)) for one in copies)
            found.append((first, second))

        search(ctl, clock, keep)
        return found[0] if found else None

    def _exclude_pair(
        self, order: Ordering, rules: list[tuple[int, Rule]], pair: tuple[AnswerSet, AnswerSet]
    ) -> None:
        names = (order.first, order.second)
        with self._master.backend() as backend:
            levels: dict[int, list[tuple[int, int]]] = {}
            for name, found, sign in zip(names, pair, (1, -1), strict=True):
                self._add_tuples(backend, self._by_name[name].context, found, sign, levels)
            holds = ground.compare(backend, levels, order.op)
            body = [self._covers[order.name], -holds]
            for name, found in zip(names, pair, strict=True):
                body += self._stable(backend, rules, self._by_name[name].context, found)
            backend.add_rule([], body)

    def _add_tuples(
        self,
        backend: clingo.Backend,
        context: str,
        found: AnswerSet,
        sign: int,
        levels: dict[int, list[tuple[int, int]]],
    ) -> None:
        programs = [(-1, f"{self.task.background}\n{context}")]
        programs += [(n, distinct(n, rule)) for n, rule in enumerate(self.rules)]
        for (level, weight, _), numbers in tuples(self._definitions, programs, found.atoms).items():
            at = backend.add_atom()
            if -1 in numbers:
                backend.add_rule([at], [])
            for number in numbers - {-1}:
                backend.add_rule([at], [self._switches[number]])
            levels.setdefault(level, []).append((at, sign * weight))


def _extends(found: AnswerSet, example: Example) -> bool:
    inside = (clingo.parse_term(text) in found.atoms for text in example.inclusions)
    outside = (clingo.parse_term(text) not in found.atoms for text in example.exclusions)
    return all(inside) and all(outside)


def _difference(first: ground.Copy, second: ground.Copy) -> dict[int, list[tuple[int, int]]]:
    levels: dict[int, list[tuple[int, int]]] = {}
    for level, terms in first.weak.items():
        levels.setdefault(level, []).extend(terms)
    for level, terms in second.weak.items():
        levels.setdefault(level, []).extend((literal, -weight) for literal, weight in terms)
    return levels
