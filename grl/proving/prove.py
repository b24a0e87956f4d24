"""Proofs by clingo that a learned and a reference description agree on all states of a game.

The states are those that satisfy *invariants*: constraints on a state that hold at the beginning
and that every legal move keeps, which is proven first. Whatever play reaches is among them. Then
one state is searched for on which the two descriptions differ; when there is none they agree, on
every state and not on a sample. A state that is found need not be one that play reaches, where
the invariants are weak.

The fluents of which states are made are those that the reference lists in ``base/1``; ``init/1``
is its first state. Rules of the invariants may use whatever of the reference no state changes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import clingo
from clingo.ast import AST

from grl.las.clock import Clock, OutOfTime, grounded, search
from grl.progress import Progress, silent
from grl.proving.programs import (
    DOES,
    GIVEN,
    RELATIONS,
    TRUE,
    Program,
    ProofError,
    Signature,
    atoms,
    renamed,
)
from grl.proving.states import consts, derived

BASE, INIT = ("base", 1), ("init", 1)
TERMINAL, LEGAL, GOAL, NEXT = RELATIONS

LEARNED, REFERENCE, NOW, THEN = "__learned_", "__reference_", "__now_", "__then_"
BROKEN, HELD, DIFFERS = "__broken", "__held", "__differs"
MOVES = f"""{{ does(P,M) : {REFERENCE}legal(P,M) }} = 1 :- {REFERENCE}legal(P,_).
:- not {REFERENCE}legal(_,_)."""
"""Every role that has legal moves makes one of them."""
OPTIONS = ("--heuristic=Domain", "--deletion=no")
"""Counting arguments are found by clauses learned on the way, which must not be forgotten."""

INITIALLY = "the invariants hold initially"
KEPT = "every legal move keeps the invariants"


@dataclass(frozen=True)
class Counterexample:
    """A state and, where they matter, moves; `broken` names lines of invariants that fail.

    `missing` holds only by the reference, `surplus` only by the learned description.
    """

    true: tuple[str, ...]
    does: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    broken: tuple[int, ...] = ()


@dataclass(frozen=True)
class Claim:
    """That something is the same, or an invariant kept; `holds` None: not decided in time.

    A `helper` is a predicate of both sides that the language knows nothing of; where it is the
    same other claims are proven from it, and where it isn't nothing is wrong.
    """

    name: str
    holds: bool | None
    seconds: float
    counterexample: Counterexample | None = None
    helper: bool = False


@dataclass(frozen=True)
class Proof:
    """The claims in the order in which they were looked at; `finished` where these are all."""

    claims: tuple[Claim, ...]
    finished: bool = True

    @property
    def proven(self) -> bool:
        """Whether every claim was looked at and holds, helpers apart."""
        return self.finished and all(claim.holds or claim.helper for claim in self.claims)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with `proven`."""
        return {"proven": self.proven, **asdict(self)}


def prove(
    learned: Program,
    reference: Program,
    invariants: Program,
    *,
    constants: Mapping[str, str] | None = None,
    time_limit: float | None = None,
    progress: Progress = silent,
    kept: Callable[[Proof], None] | None = None,
) -> Proof:
    """Proves that two descriptions agree wherever the invariants hold, or finds where they differ.

    Goals are compared in terminal states, the next state for every legal move of the reference.
    When the invariants fail nothing else is looked at. `kept` hears of the claims so far, before
    each further one. Raises `ProofError` and `grl.las.TaskError`.
    """
    work = _Prover(learned, reference, invariants, dict(constants or {}), Clock(time_limit))
    claims: list[Claim] = []

    def begin(name: str) -> None:
        progress(name, 0, None)
        if kept is not None:
            kept(Proof((*claims, Claim(name, None, 0.0)), finished=False))

    for name, step in ((INITIALLY, work.initially), (KEPT, work.kept)):
        begin(name)
        claims.append(_claim(name, step))
        if not claims[-1].holds:
            return Proof(tuple(claims))
    for name, arity in (("role", 1), ("init", 1)):
        if (name, arity) in learned.defined:
            claims.append(_claim(f"{name}/{arity}", partial(work.static, name, arity)))
    for signature in work.order():
        what = f"{signature[0]}/{signature[1]}"
        begin(what)
        claims.append(_claim(what, partial(work.same, signature), signature not in RELATIONS))
        if claims[-1].holds:
            work.agreed.add(signature)
    return Proof(tuple(claims))


def _claim(name: str, step: Callable[[], Counterexample | None], helper: bool = False) -> Claim:
    began = time.monotonic()
    try:
        found = step()
        holds: bool | None = found is None
    except OutOfTime:
        found, holds = None, None
    return Claim(name, holds, time.monotonic() - began, found, helper)


class _Prover:
    """The programs, renamed apart; each method searches for what refutes one claim.

    `agreed` are predicates proven to be the same: from then on the learned description has them
    from the reference, so that a claim is proven from the claims below it. Invariants that are
    kept only because play ends where ``terminal`` says so are `_late`.
    """

    def __init__(
        self,
        learned: Program,
        reference: Program,
        invariants: Program,
        constants: dict[str, str],
        clock: Clock,
    ) -> None:
        _check(reference, invariants)
        self.agreed: set[Signature] = set()
        self._late: set[int] = set()
        self._learned, self._reference, self._invariants = learned, reference, invariants
        self._constants, self._clock = constants, clock
        self._values = _values([reference, learned, invariants], constants)
        own = invariants.defined
        nodes = [*invariants.rules, *(rule for _, rule in invariants.invariants)]
        nodes += invariants.heuristics
        self._static = {one for node in nodes for one in atoms(node)} - own - GIVEN | {BASE}

    def order(self) -> list[Signature]:
        """The predicates to compare, those first on which others of the learned side depend.

        Beside the relations of the language these are helpers that both sides define, which do
        not depend on the move.
        """
        changing = self._learned.dependencies.depending(
            GIVEN
        ) & self._reference.dependencies.depending(GIVEN)
        moved = self._learned.dependencies.depending(
            {DOES}
        ) | self._reference.dependencies.depending({DOES})
        common = self._learned.defined & self._reference.defined & changing - moved
        ranks = self._learned.dependencies.ranks()
        wanted = sorted(common - set(RELATIONS), key=lambda one: (ranks[one], one))
        first = [one for one in wanted if ranks[one] < ranks.get(TERMINAL, 0)]
        rest = [one for one in wanted if one not in first]
        return [*first, TERMINAL, *rest, *RELATIONS[1:]]

    def initially(self) -> Counterexample | None:
        """An invariant that the first state breaks."""
        text = [self._rules(self._reference, REFERENCE, {*self._static, INIT})]
        text += [f"true(F) :- {REFERENCE}init(F).", *self._test(NOW, "true", BROKEN)]
        return self._breaking(text)

    def kept(self) -> Counterexample | None:
        """A state with the invariants, and a legal move that breaks one.

        Each is first proven from itself and those above it in the file.
        """
        outside = f"{BROKEN}(0) :- {THEN}true(F), not {REFERENCE}base(F)."
        found = self._kept([outside], True) and self._kept([outside], False)
        for number in range(len(self._invariants.invariants)):
            if found is None:
                test = self._test(THEN, f"{THEN}true", BROKEN, {number})
                found = self._kept(test, True, number) and self._kept(test, True)
                if found is not None:
                    self._late.add(number)
                    found = self._kept(test, False, number) and self._kept(test, False)
        return found

    def _kept(self, test: list[str], loose: bool, last: int | None = None) -> Counterexample | None:
        rules = self._rules(self._reference, REFERENCE, {*self._static, LEGAL, NEXT}, loose)
        then = f"{THEN}true(F) :- {REFERENCE}next(F)."
        return self._breaking([rules, then, MOVES, *self._states(loose, last), *test])

    def static(self, name: str, arity: int) -> Counterexample | None:
        """Atoms of a relation that never changes on which the two differ."""
        text = [
            self._rules(self._learned, LEARNED, {(name, arity)}),
            self._rules(self._reference, REFERENCE, {(name, arity)}),
        ]
        model = self._search([*text, _difference(name, arity)])
        if model is None:
            return None
        sides = (
            {str(one).removeprefix(prefix) for one in model if one.name == prefix + name}
            for prefix in (LEARNED, REFERENCE)
        )
        return _between((), (), *sides)

    def same(self, signature: Signature) -> Counterexample | None:
        """A state on which a predicate differs, with the moves where it is the next state."""
        name, arity = signature
        wanted = {*self._static, signature}
        more = [_difference(name, arity)]
        if signature == NEXT:
            wanted.add(LEGAL)
            more.append(MOVES)
        elif signature == GOAL:
            wanted.add(TERMINAL)
            more.append(f":- not {REFERENCE}terminal.")
        borrowed = self.agreed & self._learned.dependencies.below({signature}, self.agreed)
        more += [_link(one) for one in borrowed]
        more.append(self._rules(self._learned, LEARNED, {signature}))
        model = None
        for loose in (True, False):
            free = loose and TERMINAL in self.agreed
            rules = self._rules(self._reference, REFERENCE, wanted | borrowed, free)
            model = self._search([rules, *more, *self._states(loose)])
            if model is None:
                return None
        assert model is not None
        true, does = _moment(model)
        sides = (
            derived(one, signature, true, does, self._constants)
            for one in (self._learned, self._reference)
        )
        return _between(true, does, *sides)

    def _rules(
        self, program: Program, prefix: str, wanted: Set[Signature], free: bool = False
    ) -> str:
        """The rules on which `wanted` rests; with `free`, ``terminal`` holds as it likes.

        A freed ``terminal`` allows more than the rules do, and spares a proof all that endings
        are made of.
        """
        cut = self.agreed - wanted if prefix == LEARNED else {TERMINAL} if free else set()
        needed = program.dependencies.below(wanted, cut)
        rules = [
            str(renamed(rule, _apart(prefix)))
            for rule in program.rules
            if atoms(rule.head) & (needed - cut)
        ]
        return "\n".join([*rules, f"{{ {prefix}terminal }}."] if free else rules)

    def _states(self, loose: bool, last: int | None = None) -> list[str]:
        """Any state that satisfies the invariants up to `last`; loosely, those of no endings.

        A loose search has more states and moves to look at, but less to reason about: where it
        finds nothing there is nothing, and where it finds something an exact one follows.
        """
        name = self._names(NOW, "true")
        guide = [str(renamed(one, name)) for one in self._invariants.heuristics]
        guess = f"{{ true(F) : {REFERENCE}base(F) }}."
        number = len(self._invariants.invariants) if last is None else last + 1
        every = set(range(number))
        held = self._test(NOW, "true", HELD, every - self._late if loose else every)
        return [guess, *held, f":- {HELD}(_).", *guide]

    def _test(
        self, prefix: str, true: str, broken: str, numbers: Set[int] | None = None
    ) -> list[str]:
        """The rules of the invariants, with `broken` (line) where one of `numbers` fails."""
        name = self._names(prefix, true)
        lines = [str(renamed(rule, name)) for rule in self._invariants.rules]
        for number, (line, rule) in enumerate(self._invariants.invariants):
            if numbers is None or number in numbers:
                body = "; ".join(map(str, renamed(rule, name).body))
                lines.append(f"{broken}({line}) :- {body}.")
        return lines

    def _names(self, prefix: str, true: str) -> Callable[[Signature], str]:
        """Names for the invariants: the state's, their own, and those of the reference."""
        own = self._invariants.defined

        def name(signature: Signature) -> str:
            if signature in GIVEN:
                return true if signature == TRUE else signature[0]
            return (prefix if signature in own else REFERENCE) + signature[0]

        return name

    def _breaking(self, text: Sequence[str]) -> Counterexample | None:
        model = self._search([*text, f":- not {BROKEN}(_)."])
        if model is None:
            return None
        lines = sorted(one.arguments[0].number for one in model if one.name == BROKEN)
        return Counterexample(*_moment(model), broken=tuple(lines))

    def _search(self, text: Sequence[str]) -> list[clingo.Symbol] | None:
        self._clock.check()
        program = "\n".join([self._values, *text])
        ctl = grounded(program, "--models=1", *OPTIONS, *consts(self._constants))
        models: list[list[clingo.Symbol]] = []
        search(ctl, self._clock, lambda model: models.append(list(model.symbols(atoms=True))))
        return models[0] if models else None


def _check(reference: Program, invariants: Program) -> None:
    missing = {BASE, INIT} - reference.defined
    if missing:
        raise ProofError(
            "the reference does not say what states are made of",
            expected="rules for base/1, all fluents, and for init/1, those of the first state",
        )
    nodes = [*invariants.rules, *(rule for _, rule in invariants.invariants)]
    used = {one for node in nodes for one in atoms(node)}
    changing = (used & reference.dependencies.depending(GIVEN)) - {TRUE} - invariants.defined
    if changing:
        raise ProofError(
            "an invariant uses what the reference derives from a state",
            found=", ".join(f"{name}/{arity}" for name, arity in sorted(changing)),
            expected="true/1, predicates of its own, and predicates that no state changes",
        )


def _apart(prefix: str) -> Callable[[Signature], str]:
    return lambda signature: ("" if signature in GIVEN else prefix) + signature[0]


def _values(programs: Iterable[Program], chosen: Mapping[str, str]) -> str:
    """The constants of all programs, each once. Raises `ProofError` where they disagree."""
    known: dict[str, AST] = {}
    for program in programs:
        for one in program.constants:
            other = known.setdefault(one.name, one)
            if str(other.value) != str(one.value) and one.name not in chosen:
                raise ProofError(
                    f"the programs disagree on the constant {one.name}",
                    found=f"{other.value} and {one.value}",
                    hint=f"say which: -c {one.name}={other.value}",
                )
    return "\n".join(map(str, known.values()))


def _link(signature: Signature) -> str:
    """The learned description has a predicate from the reference."""
    name, arity = signature
    places = f"({','.join(f'V{n}' for n in range(arity))})" if arity else ""
    return f"{LEARNED}{name}{places} :- {REFERENCE}{name}{places}."


def _difference(name: str, arity: int) -> str:
    """There is an atom of the relation that one description has and the other has not."""
    places = ",".join(f"V{n}" for n in range(arity))
    atom, differs = (f"{name}({places})", f"{DIFFERS}({places})") if arity else (name, DIFFERS)
    wanted = f"{DIFFERS}({','.join('_' * arity)})" if arity else DIFFERS
    return "\n".join(
        [
            f"{differs} :- {LEARNED}{atom}, not {REFERENCE}{atom}.",
            f"{differs} :- {REFERENCE}{atom}, not {LEARNED}{atom}.",
            f":- not {wanted}.",
        ]
    )


def _moment(model: Iterable[clingo.Symbol]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fluents and the moves of a model."""
    symbols = sorted(model)
    true = tuple(str(one.arguments[0]) for one in symbols if one.match(*TRUE))
    return true, tuple(str(one) for one in symbols if one.match(*DOES))


def _between(
    true: tuple[str, ...], does: tuple[str, ...], learned: Set[str], reference: Set[str]
) -> Counterexample:
    missing, surplus = sorted(reference - learned), sorted(learned - reference)
    assert missing or surplus
    return Counterexample(true, does, tuple(missing), tuple(surplus))
