"""The fast layer where the rules have to be written out: for `#bias`, written rules, aggregates.

What each rule derives in each context is asked of clingo, all rules at once; the cheapest cover is
found as in the layer that searches bodies. It is also that layer's reference implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import clingo
from clingo.ast import AST, ASTType

from grl.las.clock import Clock, grounded
from grl.las.cover import Candidate, Cover, cheapest, undominated
from grl.las.observed import World, observe
from grl.las.programs import definitions, signatures, statements
from grl.las.task import Task
from grl.las.terms import Rule
from grl.progress import Progress, silent

DERIVES = "__las_derives"
NOTHING = "__las_nothing"


def observed_targets(rules: Sequence[Rule]) -> frozenset[str] | None:
    """The predicates that the rules define; None where one of them does more than derive atoms."""
    heads: set[str] = set()
    bodies: set[str] = set()
    for rule in rules:
        for statement in statements(str(rule)):
            if statement.ast_type != ASTType.Rule or not _plain(statement.head):
                return None
            heads |= signatures(statement.head)
            bodies |= signatures(list(statement.body))
    return None if heads & bodies else frozenset(heads)


def _plain(head: AST) -> bool:
    if head.ast_type != ASTType.Literal or head.sign:
        return False
    if head.atom.ast_type == ASTType.BooleanConstant:
        return not head.atom.value
    symbolic: bool = head.atom.ast_type == ASTType.SymbolicAtom
    return symbolic and head.atom.symbol.ast_type == ASTType.Function


@dataclass(slots=True)
class EnumeratedSearch:
    """The state of one search over a written-out space."""

    task: Task
    rules: Sequence[Rule]
    worlds: Mapping[str, World]
    targets: frozenset[str]
    clock: Clock = field(default_factory=Clock)
    progress: Progress = silent
    on_better: Callable[[Cover], None] | None = None
    best: Cover | None = None

    def run(self) -> Cover | None:
        """The cheapest hypothesis; None where none covers the examples."""
        constraints = any(_headless(rule) for rule in self.rules)
        observed = observe(self.task, self.targets, self.worlds, constraints)
        derived = [0] * len(self.rules)
        tests = "\n".join(_test(number, rule) for number, rule in enumerate(self.rules))
        fixed = definitions(self.task.background)
        places: dict[tuple[int, clingo.Symbol | None], list[int]] = {}
        for number, bit in enumerate(observed.bits):
            places.setdefault((bit.world, bit.atom), []).append(number)
        for world, here in enumerate(observed.worlds):
            self.clock.check()
            self.progress("contexts", world, len(observed.worlds))
            for rule, atom in _derivations(fixed, tests, here):
                for bit_number in places.get((world, atom), ()):
                    derived[rule] |= 1 << bit_number
        forbidden = sum(1 << n for n, bit in enumerate(observed.bits) if bit.forbidden)
        welcome = sum(1 << n for n, bit in enumerate(observed.bits) if bit.welcome)
        candidates = [
            Candidate(rule, derives)
            for rule, derives in zip(self.rules, derived, strict=True)
            if derives and not derives & forbidden
        ]
        found = undominated(candidates, welcome)
        return cheapest(self.task, observed, found, self.clock, self._keep)

    def _keep(self, cover: Cover) -> None:
        if self.best is None or cover.cost < self.best.cost:
            self.best = cover
            if self.on_better is not None:
                self.on_better(cover)


def _headless(rule: Rule) -> bool:
    return any(
        one.ast_type == ASTType.Rule and one.head.atom.ast_type == ASTType.BooleanConstant
        for one in statements(str(rule))
    )


def _test(number: int, rule: Rule) -> str:
    lines = []
    for one in statements(str(rule)):
        head = NOTHING if _headless(rule) else str(one.head)
        body = "; ".join(map(str, one.body))
        atom = f"{DERIVES}({number},{head})"
        lines.append(f"{atom} :- {body}." if body else f"{atom}.")
    return "\n".join(lines)


def _derivations(fixed: str, tests: str, here: World) -> list[tuple[int, clingo.Symbol | None]]:
    facts = " ".join(f"{atom}." for atom in here.all)
    ctl = grounded(f"{fixed}\n{facts}\n{tests}")
    found: list[tuple[int, clingo.Symbol | None]] = []
    for one in ctl.symbolic_atoms.by_signature(DERIVES, 2):
        number, atom = one.symbol.arguments
        found.append((number.number, None if atom.name == NOTHING else atom))
    return found
