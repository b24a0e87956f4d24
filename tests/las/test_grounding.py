"""What clingo is spared on spaces whose rules use one another's heads changes nothing it finds."""

from __future__ import annotations

import clingo
import pytest

from grl.las import Limits, ground, parse
from grl.las.alike import alike
from grl.las.clock import Clock
from grl.las.programs import SWITCH, guarded, made_apart
from grl.las.space import sorted_space
from grl.las.task import Task

BOTH = """d(1..2). next(1,2). over :- a(X), not b(X).
#pos({a(1)},{a(2)},{c(1).}). #pos({b(2)},{},{c(2).}).
#modeh(a(var(v))). #modeh(b(var(v))). #modeb(1,a(var(v))). #modeb(1,b(var(v))).
#modeb(1,c(var(v))). #modeb(1,next(var(v),var(v)),(positive)). #modeb(1,over). #maxv(2)."""
CHOICE = """d(1..2). #pos({a(1)},{b},{}). #modeha(a(var(v))). #modec(d(var(v))). #modeh(b).
#modeb(1,a(var(v))). #modeb(1,b). #modeb(1,d(var(v))). #maxv(1)."""


def possible(task: Task, context: str, guards: dict[int, str]) -> set[clingo.Symbol]:
    """All atoms that there may be, as clingo finds them with every rule."""
    text = "\n".join(guards.values())
    caught = ground.catch(f"{task.background}\n{context}\n{text}", max(guards) + 1)
    return set(caught.atoms)


@pytest.mark.parametrize("text", [BOTH, CHOICE])
def test_fewer_rules_make_all_the_atoms_that_there_may_be(text: str) -> None:
    task = parse(text, limits=Limits(body=2, rule=3))
    rules = sorted_space(task)
    guards = {number: guarded(number, rule) for number, rule in enumerate(rules)}

    _, atoms = alike(task, rules, guards, Clock())

    assert atoms
    for context, found in atoms.items():
        assert set(found) == possible(task, context, guards)


@pytest.mark.parametrize("text", [BOTH, CHOICE])
def test_heads_told_from_bodies_give_the_same_answer_sets(text: str) -> None:
    task = parse(text, limits=Limits(body=2, rule=3))
    rules = [rule for rule in sorted_space(task) if rule.head is not None][::5]
    guards = {number: guarded(number, rule) for number, rule in enumerate(rules)}
    apart = [guarded(number, made_apart(rule) or rule) for number, rule in enumerate(rules)]
    context = task.examples[0].context
    given = f"{task.background}\n{context}"

    atoms = possible(task, context, guards)
    both = [
        ground.catch("\n".join([given, *guards.values()]), len(rules)),
        ground.catch("\n".join([given, *apart]), len(rules), sorted(atoms)),
    ]

    for on in ({0, 3, 7}, {1, 2, 5, 8}, set(range(0, len(rules), 3))):
        first, second = (answer_sets(one, on) for one in both)
        assert first == second
        assert first or on


def answer_sets(caught: ground.Ground, on: set[int]) -> set[frozenset[str]]:
    control = clingo.Control(["--models=0"])
    with control.backend() as backend:
        switches = [backend.add_atom() for _ in range(max(caught.switches, default=0) + 1)]
        for number in on & set(caught.switches):
            backend.add_rule([switches[number]], [])
        made = ground.copy(caught, backend, switches)
    found: set[frozenset[str]] = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            found.add(frozenset(str(s) for s in made.true(model) if s.name != SWITCH))
    return found
