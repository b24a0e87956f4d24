"""For which hypotheses a given interpretation is an answer set, as rules over the switches.

A is an answer set of a program when A satisfies every rule and the least model of the reduct is A.
Taken over a ground program whose rules hang on switches, only the instances count whose bodies A
satisfies: those with heads in A derive, those without break. Atoms without a name, which the
grounder adds, stand above the named ones and get their truth from them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import clingo
from clingo.backend import Backend

from grl.las.ground import Ground

Weighted = Sequence[tuple[int, int]]


def answer_set(
    ground: Ground,
    backend: Backend,
    switches: Sequence[int],
    atoms: Collection[clingo.Symbol],
) -> int | None:
    """A literal that holds where `atoms` is an answer set; None where that can't be said so."""
    if any(symbol not in ground.atoms for symbol in atoms):
        return backend.add_atom()
    heads = [head for choice, head, _ in ground.rules if not choice]
    heads += [head for choice, head, _, _ in ground.sums if not choice]
    if any(len(head) > 1 for head in heads):
        return None
    return _Reduct(ground, backend, switches, atoms).build()


class _Reduct:
    def __init__(
        self,
        ground: Ground,
        backend: Backend,
        switches: Sequence[int],
        atoms: Collection[clingo.Symbol],
    ) -> None:
        self._ground = ground
        self._backend = backend
        self._named = set(ground.atoms.values())
        self._true = {ground.atoms[symbol] for symbol in atoms}
        self._switch = {at: switches[number] for number, at in ground.switches.items()}
        self._broken = backend.add_atom()
        self._truth: dict[int, int] = {}
        self._derived: dict[int, int] = {}

    def build(self) -> int:
        for choice, head, body in self._ground.rules:
            if self._applies(body):
                self._rule(choice, head, body)
        for choice, head, lower, weighted in self._ground.sums:
            self._sum(choice, head, lower, weighted)
        holds = self._backend.add_atom()
        founded = [self._d(at) for at in self._true]
        self._backend.add_rule([holds], [*founded, -self._broken])
        return holds

    def _applies(self, body: Iterable[int]) -> bool:
        """Whether no named literal of a body is false."""
        for literal in body:
            if abs(literal) in self._named and (abs(literal) in self._true) != (literal > 0):
                return False
        return True

    def _rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        truth = [self._as_truth(one) for one in body if abs(one) not in self._named]
        derived = [self._as_derived(one) for one in body if one > 0 or abs(one) not in self._named]
        self._conclude(choice, head, truth, derived)

    def _sum(self, choice: bool, head: Sequence[int], lower: int, weighted: Weighted) -> None:
        given = sum(weight for one, weight in weighted if self._fixed(one) is True)
        truth = [(self._as_truth(one), w) for one, w in weighted if self._fixed(one) is None]
        fixed = sum(w for one, w in weighted if one < 0 and self._fixed(one) is True)
        derived = [
            (self._as_derived(one), w)
            for one, w in weighted
            if self._fixed(one) is None or (one > 0 and self._fixed(one))
        ]
        if given + sum(weight for _, weight in truth) < lower:
            return
        reached = self._at_least(truth, lower - given)
        founded = self._at_least(derived, lower - fixed)
        self._conclude(choice, head, [reached], [founded])

    def _at_least(self, weighted: Weighted, bound: int) -> int:
        holds = self._backend.add_atom()
        if bound <= 0:
            self._backend.add_rule([holds], [])
        else:
            self._backend.add_weight_rule([holds], bound, weighted)
        return holds

    def _conclude(
        self, choice: bool, head: Sequence[int], truth: Sequence[int], derived: Sequence[int]
    ) -> None:
        add = self._backend.add_rule
        if not head and not choice:
            add([self._broken], truth)
        for one in head:
            if one not in self._named:
                add([self._t(one)], truth)
                add([self._d(one)], derived)
            elif one in self._true:
                add([self._d(one)], derived)
            elif not choice:
                add([self._broken], truth)

    def _fixed(self, literal: int) -> bool | None:
        """The truth of a named literal; None for others."""
        if abs(literal) not in self._named:
            return None
        return (abs(literal) in self._true) == (literal > 0)

    def _as_truth(self, literal: int) -> int:
        at = abs(literal)
        place = self._switch[at] if at in self._switch else self._t(at)
        return place if literal > 0 else -place

    def _as_derived(self, literal: int) -> int:
        if literal < 0 or literal in self._switch:
            return self._as_truth(literal)
        return self._d(literal)

    def _t(self, at: int) -> int:
        if at not in self._truth:
            self._truth[at] = self._backend.add_atom()
        return self._truth[at]

    def _d(self, at: int) -> int:
        if at not in self._derived:
            self._derived[at] = self._backend.add_atom()
        return self._derived[at]
