"""Latches of a game description: what stays true, or stays false, once it has become so.

Genesereth and Thielscher, *General Game Playing*, section 16.1: clingo looks for a counterexample:
a state and one legal turn of each player after which a proposition is not what it was. A *state
generator* lets any base proposition be true or not; two points in time are enough.

Three things are added. Base propositions are derived: whatever ``init`` holds or ``next`` may.
States are held to *counts* that are proven first, in the same way: that of propositions which
differ in one argument at most one is true, or at least one. And a state in which the game is over
has no next one.

A latch in force may inhibit another proposition, so that it never becomes true: a square taken for
good is a square that nobody else takes (`Latches.inhibited`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import clingo

from grl.las.clock import Clock, grounded

OPTIONS = ("--sign-def=rnd", "--seed=1", "--heuristic=Domain")
"""Counterexamples with much in them are found soonest where what doesn't matter is drawn by lot."""
SAMPLED = 60
"""States of random play to which counts are held before they are proven."""
BASES = """
{ true(F) } :- f(F).
{ does(R,M) } :- legal(R,M).
f(F) :- init(F).
f(F) :- next(F).
"""
GENERATOR = """
{ true(F) } :- f(F).
{ does(R,M) : legal(R,M) } = 1 :- role(R).
:- terminal.
#external assumed(K,G) : count(K,G).
:- assumed(most,G), 2 { true(F) : in(G,F) }.
:- assumed(some,G), not 1 { true(F) : in(G,F) }.
violated(most,G) :- count(most,G), 2 { next(F) : in(G,F) }.
violated(some,G) :- count(some,G), not 1 { next(F) : in(G,F) }.
ends(F) :- f(F), true(F), not next(F).
begins(F) :- f(F), not true(F), next(F).
#heuristic does(R,M) : legal(R,M). [1,level]
#heuristic does(R,M) : legal(R,M). [1,sign]
"""
UNLISTED = "".join(
    f"#defined {one}.\n"
    for one in ("init/1", "next/1", "legal/2", "role/1", "base/1", "terminal/0", "count/2", "in/2")
)


@dataclass(frozen=True)
class Latches:
    """The latches of a description; propositions are terms as text, ``cell(1,1,x)``.

    `inhibits` has for each latch in force, a proposition and whether it is the true one, what is
    false then and never becomes true. `most` and `some` are sets of propositions of which at most,
    or at least, one is true in every state that play reaches.
    """

    base: tuple[str, ...]
    positive: frozenset[str]
    negative: frozenset[str]
    inhibits: Mapping[tuple[str, bool], frozenset[str]] = field(default_factory=dict)
    most: tuple[frozenset[str], ...] = ()
    some: tuple[frozenset[str], ...] = ()

    def inhibited(self, state: Collection[str]) -> frozenset[str]:
        """The propositions that are false in a state and will be for the rest of the game."""
        true = frozenset(state)
        found = set(self.negative)
        for (latch, holds), others in self.inhibits.items():
            if (latch in true) == holds:
                found |= others
        return frozenset(found - true)


def latches(
    program: str, *, counts: bool = True, inhibition: bool = True, time_limit: float | None = None
) -> Latches:
    """The latches of a description in the relations of GDL, as an answer set program.

    Without `counts` the state generator is the chapter's. Raises `grl.las.clock.OutOfTime` behind
    the limit in seconds, which grounding doesn't look at, and `grl.las.TaskError` where clingo
    can't ground the program.
    """
    clock = Clock(time_limit)
    base, initial = base_propositions(program)
    groups = _groups(base) if counts else []
    facts = [f"f({fluent})." for fluent in base]
    for number, group in enumerate(groups):
        facts += [f"in({number},{fluent})." for fluent in sorted(group)]
        true = len(initial & group)
        facts += [f"count(most,{number})."] * (true <= 1) + [f"count(some,{number})."] * (true == 1)
    ctl = grounded("\n".join((program, *facts, UNLISTED, GENERATOR)), *OPTIONS)
    asked = _Search(ctl, base, clock)
    kept = asked.counts(initial)
    positive, negative = asked.never("ends", base), asked.never("begins", base)
    rest = [one for one in base if one not in negative]
    in_force = [(one, True) for one in sorted(positive)] + [
        (one, False) for one in sorted(negative)
    ]
    return Latches(
        tuple(base),
        positive,
        negative,
        {one: asked.never("begins", rest, *one) - {one[0]} for one in in_force if inhibition},
        tuple(groups[number] for kind, number in kept if kind == "most"),
        tuple(groups[number] for kind, number in kept if kind == "some"),
    )


def base_propositions(program: str) -> tuple[list[str], frozenset[str]]:
    """What states may be made of, and what the initial state is made of.

    It is what ``init`` holds and what ``next`` may hold in a state of such propositions, as
    grounding finds out, whether or not ``base/1`` lists more. Raises `grl.las.TaskError`.
    """
    ctl = grounded(f"{program}\n{UNLISTED}{BASES}")
    return sorted(_arguments(ctl, "f")), frozenset(_arguments(ctl, "init"))


def _arguments(ctl: clingo.Control, name: str) -> set[str]:
    return {str(atom.symbol.arguments[0]) for atom in ctl.symbolic_atoms.by_signature(name, 1)}


def _groups(base: Iterable[str]) -> list[frozenset[str]]:
    """Propositions that differ in one argument, by predicate, argument and what else they say."""
    groups: defaultdict[tuple[str, int, tuple[str, ...]], set[str]] = defaultdict(set)
    for fluent in base:
        term = clingo.parse_term(fluent)
        if term.type == clingo.SymbolType.Function:
            arguments = tuple(map(str, term.arguments))
            for place in range(len(arguments)):
                rest = (*arguments[:place], *arguments[place + 1 :])
                groups[term.name, place, rest].add(fluent)
    return [frozenset(groups[key]) for key in sorted(groups) if len(groups[key]) > 1]


class _Search:
    """One grounding with a choice of states and turns, searched again and again.

    Every counterexample is kept, for it answers further questions: `_met` has a proposition,
    whether it is true, and what some turn then begins.
    """

    def __init__(self, ctl: clingo.Control, base: Sequence[str], clock: Clock) -> None:
        self._ctl, self._clock = ctl, clock
        self._literals = {
            name: {
                fluent: atom.literal
                for fluent in base
                if (atom := ctl.symbolic_atoms[_atom(name, fluent)]) is not None
            }
            for name in ("true", "next", "ends", "begins")
        }
        self._met: dict[tuple[str, bool], set[str]] = {}

    def _found(self, assumed: Iterable[int], note: Callable[[clingo.Model], None]) -> bool:
        """Whether a state and a turn are so; `note` hears of one."""
        self._clock.check()
        return bool(self._ctl.solve(assumptions=list(assumed), on_model=note).satisfiable)

    def _holding(self, name: str, model: clingo.Model) -> set[str]:
        return {one for one, literal in self._literals[name].items() if model.is_true(literal)}

    def counts(self, initial: Collection[str]) -> list[tuple[str, int]]:
        """The counts that every turn keeps if all of them hold before; from now on they hold.

        Random play leaves few of them to look at.
        """
        atoms = self._ctl.symbolic_atoms
        kept = {tuple(one.symbol.arguments) for one in atoms.by_signature("count", 2)}
        violated = {
            tuple(one.symbol.arguments): one.literal for one in atoms.by_signature("violated", 2)
        }
        state = set(initial)

        def note(model: clingo.Model) -> None:
            nonlocal state
            state = self._holding("next", model)
            kept.difference_update(
                [one for one in kept & violated.keys() if model.is_true(violated[one])]
            )

        for _ in range(SAMPLED if kept else 0):
            given = [
                literal if fluent in state else -literal
                for fluent, literal in self._literals["true"].items()
            ]
            if not self._found(given, note):
                state = set(initial)
        while True:
            held = set(kept)
            for one in violated:
                self._ctl.assign_external(clingo.Function("assumed", one), one in held)
            for one in sorted(held & violated.keys()):
                if one in kept:
                    self._found([violated[one]], note)
            if kept == held:
                return sorted((kind.name, group.number) for kind, group in kept)

    def never(
        self, name: str, wanted: Iterable[str], latch: str | None = None, holds: bool = True
    ) -> frozenset[str]:
        """What no turn ends, or begins, in any state, or in any where a proposition is as said."""
        true, literals = self._literals["true"], self._literals[name]
        given = [] if latch is None else [true[latch] if holds else -true[latch]]
        seen = set() if latch is None else self._met.setdefault((latch, holds), set())

        def note(model: clingo.Model) -> None:
            changed = self._holding(name, model)
            seen.update(changed)
            if name == "begins":
                now = self._holding("true", model)
                for one in true:
                    self._met.setdefault((one, one in now), set()).update(changed)

        return frozenset(
            one
            for one in wanted
            if one not in literals
            or (one not in seen and not self._found([literals[one], *given], note))
        )


def _atom(name: str, fluent: str) -> clingo.Symbol:
    return clingo.Function(name, [clingo.parse_term(fluent)])
