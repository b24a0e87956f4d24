"""What numpy says of random rules is what clingo says of their text."""

import random

import clingo
import numpy as np
import pytest
from small_games import LEGAL, board, empty_ahead

from grl.iggp import parse_task
from grl.iggp.bias import Context, head_terms, opened
from grl.iggp.determinate import make_terms
from grl.iggp.literals import generators, make_literals
from grl.iggp.orders import add_orders
from grl.iggp.sampling import negated
from grl.iggp.terms import Equal, Rule, covered, shifted
from grl.iggp.text import rule_text, used_relations
from grl.iggp.world import make_world

TARGET = ("legal", 3)
STATES = 6
CONTEXTS = {
    "plain": Context(depth=1),
    "deep": Context(depth=2),
    "ground": Context(ground=True),
    "counts": Context(counts=True),
    "chains": Context(chains=True),
}


@pytest.fixture(scope="module")
def task():
    return parse_task(board(STATES, 11, LEGAL, empty_ahead))


@pytest.fixture(scope="module")
def world(task):
    made = make_world(task)
    add_orders(made, TARGET)
    return made


def random_rules(world, context, number, seed):
    """Rules of one to three literals, half of them after a generator."""
    generator = random.Random(seed)
    single = generators(world, head_terms(world, TARGET))
    rules = []
    while len(rules) < number:
        base = head_terms(world, TARGET)
        chosen = ()
        if generator.random() < 0.5:
            chosen = (generator.choice(single)[1],)
            base = opened(world, base, chosen[0])
        literals = [
            literal
            for literal, _ in make_literals(world, make_terms(world, base, context), context)
        ]
        for _ in range(5):
            some = [generator.choice(literals) for _ in range(generator.randint(1, 3))]
            some = [negated(x) if generator.random() < 0.4 else x for x in some]
            rules.append(Rule(chosen, tuple(some)))
    return rules


def by_clingo(world, task, rules):
    """Which candidates each rule's text covers, a row a state."""
    lines: dict[str, None] = {}
    for number, rule in enumerate(rules):
        for key in used_relations(rule):
            lines.update(dict.fromkeys(world.relations[key].definition))
        lines[rule_text(world, f"t{number}", 3, rule, "dom", guarded=True)] = None
    names = world.vocabulary.names
    candidates = [tuple(names[c] for c in row) for row in world.targets[TARGET]]
    facts = [f"dom({','.join(row)})." for row in candidates] + [f"{a}." for a in task.statics]
    result = np.zeros((len(rules), len(task.states), len(candidates)), dtype=bool)
    for s, state in enumerate(task.states):
        control = clingo.Control(["--warn=none"])
        background = [f"{a}." for a in state.background]
        control.add("base", [], "\n".join([*lines, *facts, *background]))
        control.ground([("base", [])])
        with control.solve(yield_=True) as handle:
            found = {str(x) for x in handle.model().symbols(atoms=True)}
        for number in range(len(rules)):
            result[number, s] = [f"t{number}({','.join(row)})" in found for row in candidates]
    return result


@pytest.mark.parametrize("name", CONTEXTS)
def test_numpy_and_clingo_agree_on_random_rules(world, task, name):
    rules = random_rules(world, CONTEXTS[name], 100, seed=len(name))
    candidates = world.targets[TARGET]
    states = np.repeat(np.arange(STATES), len(candidates))
    columns = [np.tile(candidates[:, i], STATES) for i in range(3)]

    said = np.stack([covered(world, rule, states, columns) for rule in rules])

    expected = by_clingo(world, task, rules).reshape(len(rules), -1)
    different = np.flatnonzero((said != expected).any(axis=1))
    assert not len(different), rule_text(world, "t", 3, rules[different[0]], "dom", guarded=True)
    assert said.any()
    assert not said.all()


def test_raising_variables_keeps_what_a_rule_says(world):
    rules = random_rules(world, Context(counts=True), 30, seed=3)
    candidates = world.targets[TARGET]
    states = np.zeros(len(candidates), dtype=np.int64)
    columns = [candidates[:, i] for i in range(3)]

    for rule in rules:
        expected = covered(world, rule, states, columns)
        said = covered(world, shifted(rule, 2), states, [columns[0], columns[0], *columns])
        assert (said == expected).all()


def test_equated_terms_share_a_name(world):
    terms = [t.term for t in make_terms(world, head_terms(world, TARGET), Context("plain"))]
    apply = next(t for t in terms if type(t).__name__ == "Apply" and t.arguments)
    rule = Rule((), (Equal(apply, apply.arguments[0]),))

    assert rule_text(world, "t", 3, rule, "dom").count("!=") == 0
