"""The tasks of the Connect-Four study: hypotheses equal in meaning to its own, and not longer."""

from __future__ import annotations

import pytest

from grl.las import Limits, Task, parse, solve
from grl.las.clock import Clock, control
from grl.las.semantics import compares, extending, tuples, value
from las.study import PREFERENCES, Study, boards, cells, line_task, lines, studies, with_lines

STUDIES = studies()


def answer_sets(task: Task, program: str, context: str, shown: tuple[str, ...]) -> set[str]:
    ctl = control("--models=0")
    show = " ".join(f"#show {name}." for name in shown)
    ctl.add("base", [], f"{task.background}\n{context}\n{program}\n{show}")
    ctl.ground([("base", [])])
    with ctl.solve(yield_=True) as handle:
        return {" ".join(sorted(map(str, model.symbols(shown=True)))) for model in handle}


@pytest.mark.parametrize("name", STUDIES)
def test_the_study_tasks_give_the_rules_of_the_study(name: str) -> None:
    study: Study = STUDIES[name]
    task = parse(study.task, limits=Limits(body=study.body))
    outcome = solve(task)
    assert outcome.proven
    assert outcome.rules is not None
    assert outcome.cost <= study.cost
    for context in study.contexts:
        ours = answer_sets(task, "\n".join(outcome.program()), context, study.shown)
        assert ours == answer_sets(task, study.program, context, study.shown)


def test_preferences_order_the_moves_as_the_examples_do() -> None:
    task = parse(PREFERENCES)
    outcome = solve(task)
    assert outcome.proven
    assert outcome.rules is not None
    # The study's three weak constraints have two, two and three literals.
    assert outcome.cost <= 7
    program = "\n".join(outcome.program())
    sums = {}
    for example in task.examples:
        (found,) = extending(task, [], example, Clock())
        sums[example.name] = value(tuples("", [(0, program)], found.atoms))
    for order in task.orderings:
        assert compares(sums[order.first], order.op, sums[order.second])


def test_four_boards_are_enough_for_all_four_directions() -> None:
    chosen = with_lines(1, ["horz", "vert", "dia1", "dia2"])
    for heads, body in ((True, 5), (False, 5)):
        task = parse(line_task(chosen, heads=heads), limits=Limits(body=body, rule=body + 1))
        outcome = solve(task)
        assert outcome.proven
        assert outcome.rules is not None


def test_many_boards_give_the_four_lines_themselves() -> None:
    """With enough counterexamples nothing but four in a row is left."""
    wanted: list[str | None] = ["horz", "vert", "dia1", "dia2"]
    chosen = with_lines(1, [*wanted * 3, *[None] * 8])
    task = parse(line_task(chosen, heads=True), limits=Limits(body=4, rule=5))
    outcome = solve(task, time_limit=60)
    assert outcome.proven
    assert outcome.cost == 20
    program = "\n".join(outcome.program()) + "\nline(P) :- role(P), horz(_,_,P)."
    program += "".join(f"line(P) :- role(P), {name}(_,_,P)." for name in ("vert", "dia1", "dia2"))
    more = boards(77)
    for _ in range(20):
        board = next(more)
        expected = {f"line({player})" for player in (1, 2) if lines(board, player)}
        found = answer_sets(task, program, cells(board), ("line/1",))
        assert found == {" ".join(sorted(expected))}
