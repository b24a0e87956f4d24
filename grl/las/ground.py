"""Ground programs caught on their way to the solver, and put again into another one.

A copy of a program gets atoms of its own; only the switches of the rules are shared, so that one
solver can look for one hypothesis that has an answer set in each of many programs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import clingo
from clingo.backend import Backend, Observer

from grl.las.clock import grounded
from grl.las.programs import MADE, SWITCH
from grl.las.task import TaskError
from grl.las.tokens import LARGEST

_Rule = tuple[bool, tuple[int, ...], tuple[int, ...]]
_Sum = tuple[bool, tuple[int, ...], int, tuple[tuple[int, int], ...]]


@dataclass(slots=True)
class Ground:
    """Rules over integer literals as clingo prints them to its solver."""

    rules: list[_Rule] = field(default_factory=list)
    sums: list[_Sum] = field(default_factory=list)
    weak: list[tuple[int, tuple[tuple[int, int], ...]]] = field(default_factory=list)
    atoms: dict[clingo.Symbol, int] = field(default_factory=dict)
    switches: dict[int, int] = field(default_factory=dict)
    facts: list[clingo.Symbol] = field(default_factory=list)

    def given(self) -> str:
        """A program with the same atoms: those that are certain as facts, others from outside."""
        certain = frozenset(self.facts)
        lines = [f"{one}." for one in self.facts]
        return " ".join(
            [*lines, *(f"#external {one}." for one in self.atoms if one not in certain)]
        )


class _Listener(Observer):
    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._ground.rules.append((choice, tuple(head), tuple(body)))

    def weight_rule(
        self,
        choice: bool,
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        self._ground.sums.append((choice, tuple(head), lower_bound, tuple(body)))

    def minimize(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        self._ground.weak.append((priority, tuple(literals)))


def catch(program: str, switches: int = 0, possible: Iterable[clingo.Symbol] = ()) -> Ground:
    """Grounds a program whose rules may be guarded by switches 0 … `switches`-1.

    Where heads are named apart (``MADE``), `possible` are all atoms that they may make. Rules are
    not recursive then for the grounder, which takes many times as long over thousands that are.
    """
    ground = Ground()
    outside = f"#external {SWITCH}(0..{switches - 1})." if switches else ""
    outside += " ".join(f"#external {one}." for one in possible)
    ctl = grounded(f"{program}\n{outside}", "--opt-mode=ignore", observer=_Listener(ground))
    made: dict[clingo.Symbol, int] = {}
    for atom in ctl.symbolic_atoms:
        symbol = atom.symbol
        if symbol.name == SWITCH and len(symbol.arguments) == 1:
            ground.switches[symbol.arguments[0].number] = atom.literal
        elif symbol.name.startswith(MADE):
            named = clingo.Function(symbol.name.removeprefix(MADE), symbol.arguments)
            made[named] = atom.literal
        else:
            ground.atoms[symbol] = atom.literal
            if atom.is_fact:
                ground.facts.append(symbol)
    if made:
        _rename(ground, {at: ground.atoms[symbol] for symbol, at in made.items()})
    return ground


def _rename(ground: Ground, to: Mapping[int, int]) -> None:
    """Puts other literals for some atoms."""

    def placed(one: int) -> int:
        return to.get(one, one) if one > 0 else -to.get(-one, -one)

    ground.rules = [
        (choice, tuple(map(placed, head)), tuple(map(placed, body)))
        for choice, head, body in ground.rules
    ]
    ground.sums = [
        (choice, tuple(map(placed, head)), low, tuple((placed(one), n) for one, n in weighted))
        for choice, head, low, weighted in ground.sums
    ]
    ground.weak = [
        (level, tuple((placed(one), n) for one, n in weighted)) for level, weighted in ground.weak
    ]


@dataclass(frozen=True, slots=True)
class Copy:
    """Where the atoms of a copied program went; `weak` is by level."""

    atoms: Mapping[clingo.Symbol, int]
    weak: Mapping[int, tuple[tuple[int, int], ...]]

    def true(self, model: clingo.Model) -> frozenset[clingo.Symbol]:
        """The atoms of this copy in a model."""
        return frozenset(symbol for symbol, at in self.atoms.items() if model.is_true(at))


def copy(
    ground: Ground, backend: Backend, switches: Sequence[int], active: int | None = None
) -> Copy:
    """Adds a copy with fresh atoms; where `active` is false it has no atoms and breaks nothing."""
    place = {at: switches[number] for number, at in ground.switches.items()}
    to = _placing(backend, place)
    every: tuple[_Rule | _Sum, ...] = (*ground.rules, *ground.sums)
    for rule in every:
        _add(backend, to, rule, active)
    weak: dict[int, list[tuple[int, int]]] = {}
    for level, weighted in ground.weak:
        weak.setdefault(level, []).extend((to(one), weight) for one, weight in weighted)
    atoms = {symbol: to(at) for symbol, at in ground.atoms.items()}
    return Copy(atoms, {level: tuple(terms) for level, terms in weak.items()})


def link(
    caught: Ground,
    backend: Backend,
    switches: Sequence[int],
    made: Copy,
    numbers: Collection[int],
    active: int,
) -> None:
    """Adds to a copy the instances of constraints that the switches `numbers` guard.

    `caught` is the program of the copy and these constraints; what they need of atoms without a
    name, which the grounder adds, comes with them. They break nothing where `active` is false.
    """
    guards = {at for number, at in caught.switches.items() if number in numbers}
    place = {at: switches[number] for number, at in caught.switches.items()}
    place |= {at: made.atoms[symbol] for symbol, at in caught.atoms.items() if symbol in made.atoms}
    known = frozenset(place)
    to = _placing(backend, place)
    every: tuple[_Rule | _Sum, ...] = (*caught.rules, *caught.sums)
    defining: dict[int, list[int]] = {}
    stack: list[int] = []
    for at, rule in enumerate(every):
        for one in rule[1]:
            defining.setdefault(one, []).append(at)
        if not guards.isdisjoint(_inside(rule)):
            stack.append(at)
    seen: set[int] = set()
    while stack:
        at = stack.pop()
        if at in seen:
            continue
        seen.add(at)
        _add(backend, to, every[at], active)
        for one in _inside(every[at]):
            if abs(one) not in known:
                stack += defining.get(abs(one), ())


def _inside(rule: _Rule | _Sum) -> Iterator[int]:
    """The literals of a body."""
    if len(rule) == 3:
        yield from rule[2]
    else:
        yield from (one for one, _ in rule[3])


def _placing(backend: Backend, place: dict[int, int]) -> Callable[[int], int]:
    def to(literal: int) -> int:
        at = abs(literal)
        if at not in place:
            place[at] = backend.add_atom()
        return place[at] if literal > 0 else -place[at]

    return to


def _add(
    backend: Backend, to: Callable[[int], int], rule: _Rule | _Sum, active: int | None
) -> None:
    more = () if active is None else (active,)
    head = [to(one) for one in rule[1]]
    if len(rule) == 3:
        backend.add_rule(head, [*map(to, rule[2]), *more], rule[0])
        return
    terms = [(to(one), weight) for one, weight in rule[3]]
    if active is None:
        backend.add_weight_rule(head, rule[2], terms, rule[0])
    else:
        reached = backend.add_atom()
        backend.add_weight_rule([reached], rule[2], terms, False)
        backend.add_rule(head, [reached, active], rule[0])


def at_least(backend: Backend, weighted: Iterable[tuple[int, int]], bound: int) -> int:
    """A literal that holds where the sum, negative weights allowed, reaches `bound`.

    Raises `TaskError` where clingo can't count so far.
    """
    terms: list[tuple[int, int]] = []
    for literal, weight in weighted:
        if weight > 0:
            terms.append((literal, weight))
        elif weight < 0:
            terms.append((-literal, -weight))
            bound -= weight
    if any(weight > LARGEST for _, weight in terms) or LARGEST < bound <= sum(w for _, w in terms):
        raise TaskError(
            "costs, weights or penalties are too large to be added up",
            expected=f"sums of at most {LARGEST}, which is as far as clingo counts",
        )
    holds = backend.add_atom()
    if bound <= 0:
        backend.add_rule([holds], [])
    elif sum(weight for _, weight in terms) >= bound:
        backend.add_weight_rule([holds], bound, terms)
    return holds


def compare(backend: Backend, levels: Mapping[int, Iterable[tuple[int, int]]], op: str) -> int:
    """A literal that holds where the sums, the highest level first, stand in relation to 0."""
    less, greater, equal = backend.add_atom(), backend.add_atom(), backend.add_atom()
    higher: list[int] = []
    for level in sorted(levels, reverse=True):
        terms = tuple(levels[level])
        more = at_least(backend, terms, 1)
        fewer = at_least(backend, ((literal, -weight) for literal, weight in terms), 1)
        backend.add_rule([greater], [more, *higher])
        backend.add_rule([less], [fewer, *higher])
        higher += [-more, -fewer]
    backend.add_rule([equal], higher)
    holds = backend.add_atom()
    kinds = {"<": (less,), ">": (greater,), "<=": (less, equal), ">=": (greater, equal),
             "=": (equal,), "!=": (less, greater)}  # fmt: skip
    for kind in kinds[op]:
        backend.add_rule([holds], [kind])
    return holds
