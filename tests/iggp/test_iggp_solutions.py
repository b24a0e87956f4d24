"""Covers, exceptions and invented relations say what they are meant to, by clingo or by hand."""

import re
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_games import LEGAL, board, empty_ahead

from grl.iggp import parse_task
from grl.iggp.clauses import Clause, clauses_of, program_lines
from grl.iggp.deadline import Late, Span
from grl.iggp.definition import Definition
from grl.iggp.evidence import believed, certain
from grl.iggp.goals import Found, Goal, Solution, trimmed, unsolved
from grl.iggp.guards import Guard
from grl.iggp.invention import invent
from grl.iggp.level_search import search_levels
from grl.iggp.necessity import necessary
from grl.iggp.parts import by_argument, by_persistence
from grl.iggp.score import Program, score
from grl.iggp.specialisation import but_an_exception
from grl.iggp.tables import runs
from grl.iggp.target import make_target
from grl.iggp.terms import Apply, Const, Equal, Holds, Rule, Var
from grl.iggp.world import make_world

ROWS = 12
COVERS = st.lists(
    st.tuples(
        st.lists(st.booleans(), min_size=ROWS, max_size=ROWS),
        st.floats(0.5, 20.0),
    ),
    max_size=8,
)


def rows_goal(positive):
    positive = np.array(positive, dtype=bool)
    return Goal(np.arange(len(positive)), [], positive, [], np.arange(len(positive)))


def definition_of(text):
    task = parse_task(text)
    world = make_world(task)
    (key,) = world.targets
    return task, Definition(make_target(world, key, 0, lambda *_: None))


def everything(goal):
    return Guard(Rule((), ()), np.ones(len(goal.rows), dtype=bool))


def soon():
    return Late(time.monotonic() + 30.0)


@settings(deadline=None)
@given(COVERS, st.integers(0, 8))
def test_a_trimmed_cover_covers_the_same_and_needs_each_rule(covers, split):
    goal = rows_goal([True] * ROWS)
    found = [Found(Rule((), ()), np.array(rows), cost) for rows, cost in covers]
    everywhere = np.array([rows for rows, _ in covers], dtype=bool).reshape(-1, ROWS).any(axis=0)

    kept = trimmed(goal, Solution(found[:split], goal.positive, found[split:]))

    assert (kept.missing == ~everywhere).all()
    for rule in kept.rules:
        others = [other.covers for other in kept.rules if other is not rule]
        assert (rule.covers & ~np.any([np.zeros(ROWS, dtype=bool), *others], axis=0)).any()


@pytest.mark.parametrize(("number", "sure"), [(3, False), (30, True)])
def test_a_rule_is_believed_when_it_covers_much_for_its_cost(number, sure):
    goal = rows_goal([True] * number + [False] * number)
    found = Found(Rule((), ()), goal.positive, 5.0)

    assert believed(goal, [found]) == sure
    assert certain(goal, found) == sure


def test_a_share_of_the_time_is_late_when_it_is_over():
    now = time.monotonic()

    assert Span(now - 10.0, now + 10.0).by(0.4)()
    assert not Span(now - 10.0, now + 10.0).by(0.9)()
    assert not Span(now - 10.0, now + 10.0).by(0.4)(grace=5.0)


def test_everything_but_an_exception_is_the_target():
    task, definition = definition_of(
        board(80, 1, ["terminal()"], unless_green_faces_an_empty_corner)
    )
    goal = definition.target.goal

    guard = everything(goal)
    assert but_an_exception(definition, goal, guard, unsolved(goal), soon())

    assert (definition.covers() == goal.positive).all()
    assert score("\n".join(definition.lines()), task).perfect


def test_a_guard_but_an_exception_is_the_target():
    task, definition = definition_of(board(80, 1, ["terminal()"], when_red_faces_a_held_corner))
    goal, world = definition.target.goal, definition.target.world
    red = Const(world.vocabulary.codes["red"])
    rule = Rule((), (Equal(Apply(("true_control", 1), (), 0, ()), red),))
    guard = Guard(rule, goal.covered(world, rule))

    assert not but_an_exception(definition, goal, everything(goal), unsolved(goal), Late(0.0))
    assert but_an_exception(definition, goal, guard, unsolved(goal), soon())

    assert (definition.covers() == goal.positive).all()
    assert score("\n".join(definition.lines()), task).perfect


def test_what_is_necessary_covers_all_of_a_target_and_is_what_its_text_says():
    task, definition = definition_of(board(80, 1, LEGAL, empty_ahead))
    target = definition.target

    guard = necessary(target, target.goal, soon())

    assert (guard.covers == target.goal.positive).all()
    program = program_lines(target, [Clause(guard.rule, guard.covers, 1.0)])
    assert score("\n".join(program), task).perfect


def test_what_was_true_before_divides_a_target_in_what_stays_and_what_becomes():
    text = board(40, 1, [], lambda *_: []).replace("true_", "was_")
    atoms = sorted(set(re.findall(r"was_cell\(\d, \d, \w\)", text)))
    cells = re.compile(r"was_cell\((\d), (\d), (\w)\)")
    blocks = text.split("background:\n")
    for number, block in enumerate(blocks[1:], 1):
        after = [f"cell({x}, {y}, {'r' if x == '1' else c})" for x, y, c in cells.findall(block)]
        lines = "".join(f"\t{atom}\n" for atom in after)
        blocks[number] = block.replace("positives:\n", "positives:\n" + lines)
    head = "atoms:\n" + "".join(f"\t{atom.removeprefix('was_')}\n" for atom in atoms)
    task, definition = definition_of("background:\n".join(blocks).replace("atoms:\n", head, 1))
    goal = definition.target.goal

    becoming, staying = by_persistence(definition.target, goal)

    before = [
        {atom.arguments for atom in state.background if atom.predicate == "was_cell"}
        for state in task.states
    ]
    names = definition.target.world.vocabulary.names
    for part, stays in ((becoming, False), (staying, True)):
        cell = zip(part.states, *part.columns, strict=True)
        assert all((tuple(names[c] for c in row) in before[s]) == stays for s, *row in cell)
    assert sorted([*becoming.rows, *staying.rows]) == list(range(len(goal.rows)))


def test_offers_are_taken_as_far_as_they_raise_the_balanced_accuracy():
    _, definition = definition_of(board(60, 1, LEGAL, empty_ahead))
    goal = definition.target.goal
    half = goal.positive & (np.cumsum(goal.positive) % 2 == 0)
    for covers in (~goal.positive, half | (goal.rows < 40), half):
        definition.offer(goal, Guard(Rule((), ()), covers))

    best = definition.best_so_far()

    assert definition.clauses == []
    assert (best.covers() == half).all()


@given(
    st.lists(st.tuples(*[st.integers(-3, 3)] * 3), max_size=40), st.sampled_from([1, 2**40, 2**60])
)
def test_runs_are_those_of_numpy(rows, factor):
    table = np.array(rows, dtype=np.int64).reshape(-1, 3) * factor

    first, times = runs(table)

    _, expected, counts = np.unique(table, axis=0, return_index=True, return_counts=True)
    assert first.tolist() == expected.tolist()
    assert times.tolist() == counts.tolist()


def test_an_invented_relation_holds_what_its_text_says():
    task, definition = definition_of(board(60, 1, LEGAL, empty_ahead))
    target = definition.target
    part = by_argument(target.goal)[0]
    found = unsolved(part)
    search_levels(definition, part, (0,), soon(), found)
    definition.clauses += clauses_of(target, part, trimmed(part, found).rules)
    assert definition.settled(part)

    invent(definition, part)

    (invented,) = (key for key in target.world.relations if key[0].startswith("aux_part"))
    rule = Rule((), (Holds(invented, (0, 1, 2), (Var(0), Var(1), Var(2))),))
    rows = target.rows_of(part, part.positive)
    assert (target.goal.covered(target.world, rule) == rows).all()
    program = Program("\n".join(program_lines(target, [Clause(rule, rows, 1.0)])), task)
    said = [program.true_atoms(state) for state in task.states]
    (y,) = {literal.right for literal in part.given}
    rank = target.world.vocabulary.names[y.code]
    assert said == [
        {atom for atom in state.positives if atom.arguments[2] == rank} for state in task.states
    ]


def unless_green_faces_an_empty_corner(cells, mover):
    """The game is over unless green is to move and the corner a1 is empty."""
    return [] if mover == "green" and cells[1, 1] == "b" else ["terminal()"]


def when_red_faces_a_held_corner(cells, mover):
    """The game is over when red is to move, unless the corner a1 is empty."""
    return ["terminal()"] if mover == "red" and cells[1, 1] != "b" else []
