"""The cheapest choice among rules whose derivations are known: a weighted cover, in clingo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import clingo
from clingo.backend import Backend

from grl.las.clock import Clock, control, search
from grl.las.ground import at_least
from grl.las.observed import Observed
from grl.las.task import Task
from grl.las.terms import Rule


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule with the bits that it derives, as a set of bit numbers in an integer."""

    rule: Rule
    derives: int

    @property
    def cost(self) -> int:
        """What the rule costs."""
        return self.rule.cost


@dataclass(frozen=True, slots=True)
class Cover:
    """A choice of candidates, its cost with penalties, and the examples it leaves uncovered."""

    chosen: tuple[Candidate, ...]
    cost: int
    uncovered: tuple[str, ...]


def cheapest(
    task: Task,
    observed: Observed,
    candidates: Sequence[Candidate],
    clock: Clock,
    on_better: Callable[[Cover], None],
    below: int | None = None,
    *,
    further: Callable[[Backend, Sequence[int]], None] | None = None,
    options: Sequence[str] = (),
) -> Cover | None:
    """The cover of least cost, under `below` where that is given; None where there is none.

    `further` may add constraints on the atoms that stand for the candidates, in their order.
    `options` are clingo's, such as a limit of its conflicts, after which the best cover found until
    then is returned.
    """
    lost = {example.name: example.penalty for example in observed.lost}
    if None in lost.values():
        return None
    base = sum(penalty or 0 for penalty in lost.values())
    ctl = control("--models=0", "--opt-mode=opt", "--opt-strategy=usc,oll", *options)
    prices: list[tuple[int, int]] = []
    misses: list[tuple[str, int]] = []
    with ctl.backend() as backend:
        chosen = [backend.add_atom() for _ in candidates]
        backend.add_rule(chosen, [], True)
        prices += [(at, one.cost) for at, one in zip(chosen, candidates, strict=True)]
        if task.max_penalty is not None:
            over = at_least(backend, prices, task.max_penalty + 1)
            backend.add_rule([], [over])
        if further is not None:
            further(backend, chosen)
        derived = [backend.add_atom() for _ in observed.bits]
        for at, one in zip(chosen, candidates, strict=True):
            for number in members(one.derives):
                backend.add_rule([derived[number]], [at])
        by_example: dict[str, list[int]] = {}
        for number, bit in enumerate(observed.bits):
            by_example.setdefault(bit.example, []).append(number)
        for example in task.examples:
            if example.name in observed.settled:
                continue
            bits = by_example.get(example.name, [])
            welcome = [derived[n] for n in bits if observed.bits[n].welcome]
            unwelcome = [derived[n] for n in bits if not observed.bits[n].welcome]
            missed = backend.add_atom()
            if example.positive:
                for at in welcome:
                    backend.add_rule([missed], [-at])
                for at in unwelcome:
                    backend.add_rule([missed], [at])
            else:
                backend.add_rule([missed], [*unwelcome, *(-at for at in welcome)])
            if example.penalty is None:
                backend.add_rule([], [missed])
            else:
                prices.append((missed, example.penalty))
                misses.append((example.name, missed))
        if below is not None:
            over = at_least(backend, prices, below - base)
            backend.add_rule([], [over])
        backend.add_minimize(0, prices)
    best: list[Cover] = []

    def keep(model: clingo.Model) -> None:
        picked = tuple(one for at, one in zip(chosen, candidates, strict=True) if model.is_true(at))
        missed = [name for name, at in misses if model.is_true(at)]
        cost = sum(weight for at, weight in prices if model.is_true(at)) + base
        best[:] = [Cover(picked, cost, (*lost, *missed))]
        on_better(best[0])

    search(ctl, clock, keep)
    return best[0] if best else None


def members(bits: int) -> list[int]:
    """The numbers of the bits that are set."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def undominated(candidates: Sequence[Candidate], welcome: int) -> list[Candidate]:
    """Leaves out what derives no more that is welcome than another that costs no more."""
    best: dict[int, Candidate] = {}
    for one in candidates:
        known = best.get(one.derives)
        if known is None or (one.cost, str(one.rule)) < (known.cost, str(known.rule)):
            best[one.derives] = one
    kept: list[Candidate] = []
    for one in sorted(
        best.values(), key=lambda c: (c.cost, -(c.derives & welcome).bit_count(), str(c.rule))
    ):
        good, bad = one.derives & welcome, one.derives & ~welcome
        if good and not any(
            good & ~other.derives == 0 and other.derives & ~welcome & ~bad == 0 for other in kept
        ):
            kept.append(one)
    return kept
