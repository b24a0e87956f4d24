"""What `grl locm` writes is read by three parsers and solved by a planner."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from worlds import (
    Plan,
    World,
    blocksworld_walk,
    camps_walk,
    data,
    factories_walk,
    ferry_walk,
    trays_walk,
    walks,
)

from grl.cli import main
from grl.errors import GrlError
from grl.locm.domain import Domain
from grl.locm.learn import learn_domain
from grl.locm.pddl import check_names, domain_pddl, objects_of, problem_pddl
from grl.locm.planfile import read_plans
from grl.locm.table import Step, table_of

WALKS = [blocksworld_walk, ferry_walk, camps_walk, factories_walk, trays_walk]


def written(domain: Domain, plan: Plan, folder: Path) -> tuple[Path, Path]:
    """The domain, and the problem of reaching what a plan reaches."""
    state = domain.initial(plan)
    for step in plan:
        state = domain.apply(state, step)
    objects = objects_of(domain, [(s.name, *s.args) for s in plan])
    paths = folder / "domain.pddl", folder / "problem.pddl"
    paths[0].write_text(domain_pddl(domain))
    paths[1].write_text(problem_pddl(domain, objects, domain.initial(plan), state))
    return paths


@pytest.mark.parametrize("walk", WALKS)
def test_three_parsers_read_the_domain(
    walk: Callable[[random.Random], Plan], tmp_path: Path
) -> None:
    pddl = pytest.importorskip("pddl")
    reader = pytest.importorskip("tarski.io")
    planning = pytest.importorskip("unified_planning.io")
    plans = walks(walk, 20, 1)
    domain = learn_domain(table_of(plans))
    first, second = written(domain, plans[0], tmp_path)
    names = {schema.name for schema in domain.schemas}

    assert {str(a.name) for a in pddl.parse_domain(str(first)).actions} == names
    assert pddl.parse_problem(str(second)).goal is not None

    tarski = reader.PDDLReader(raise_on_error=True)
    tarski.parse_domain(str(first))
    problem = tarski.parse_instance(str(second))
    assert set(problem.actions) == names

    found = planning.PDDLReader().parse_problem(str(first), str(second))
    assert {a.name for a in found.actions} == names


def solved(domain: Path, problem: Path) -> Plan:
    """The plan of a greedy search with pyperplan."""
    planner = pytest.importorskip("pyperplan.planner")
    found = planner.search_plan(
        str(domain), str(problem), planner.SEARCHES["gbf"], planner.HEURISTICS["hff"]
    )
    assert found is not None
    return [Step(*_split(operator.name)) for operator in found]


def _split(text: str) -> tuple[str, tuple[str, ...]]:
    name, *args = text.strip("()").split()
    return name, tuple(args)


@pytest.mark.parametrize("name", ["blocksworld", "ferry"])
def test_a_planners_plan_is_valid_in_the_true_domain(name: str, tmp_path: Path) -> None:
    true, plans = data(name)
    domain = learn_domain(table_of(plans[::2]))
    for held_out in (plans[7], plans[21], plans[41]):
        found = solved(*written(domain, held_out, tmp_path))
        state = true.initial(held_out)
        assert found
        assert true.runs(state, found)
        assert reached(true, held_out, state) <= reached(true, found, state)


@pytest.mark.parametrize("walk", [blocksworld_walk, ferry_walk])
def test_a_planner_shortens_a_walk_and_stays_in_the_true_domain(
    walk: Callable[[random.Random], Plan], tmp_path: Path
) -> None:
    true, _ = data("blocksworld" if walk is blocksworld_walk else "ferry")
    plans = walks(walk, 61, 4)
    domain = learn_domain(table_of(plans[1:]))
    found = solved(*written(domain, plans[0], tmp_path))
    assert len(found) <= len(plans[0])
    assert true.runs(true.initial(plans[0]), found)


def test_a_planner_takes_the_tray_back_to_the_constant(tmp_path: Path) -> None:
    """The kitchen, where sandwiches go onto trays, is a constant and no argument of that action."""
    domain = learn_domain(table_of(walks(trays_walk, 60, 1)))
    lines = "(move tray1 kitchen t1)", "(make s1)", "(move tray1 t1 kitchen)", "(put s1 tray1)"
    away, *rest = [Step(*_split(line)) for line in lines]
    begun = domain.apply(domain.initial([away, *rest]), away)
    end = begun
    for step in rest:
        end = domain.apply(end, step)
    goal = {fact for fact in end - begun if "s1" in fact}
    objects = objects_of(domain, [(s.name, *s.args) for s in (away, *rest)])
    paths = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    paths[0].write_text(domain_pddl(domain))
    paths[1].write_text(problem_pddl(domain, objects, begun, goal))
    assert "(:constants kitchen - " in paths[0].read_text()
    assert sorted(step.name for step in solved(*paths)) == ["make", "move", "put"]


def reached(true: World, plan: Plan, state: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """What a plan made true that wasn't."""
    end = state
    for step in plan:
        end = true.apply(end, step)
    return end - state


IPC = """; found by a planner
0: (PICKUP b1) [1]
0.5: (stack B1 b2)  ; on top
; cost = 2 (unit cost)

(unstack b1 b2)
(putdown b1)


; nothing follows
"""


def test_ipc_plan_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "p.plan"
    path.write_bytes(b"\xef\xbb\xbf" + IPC.replace("\n", "\r\n").encode())
    table = read_plans([path])
    assert [[str(step) for step in plan] for plan in table] == [
        ["(PICKUP b1)", "(stack b1 b2)"],
        ["(unstack b1 b2)", "(putdown b1)"],
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a x)\n(b x\n", ":2: not an action; expected (action arg …), one a line; found '(b x'"),
        ("(a x) (b x)\n", ":1: not an action"),
        ("(a x)\n()\n", ":2: not the name of an action"),
        ("(1a x)\n", ":1: not the name of an action"),
        ("(a x)\n\n(b)\n(a x y)\n", ":4: action 'a' has 2 arguments; expected 1, as before"),
        ("; nothing\n", "the plans hold no action"),
        ("", "the plans hold no action"),
        ("(a \udcff)\n", ":1: not a plan file: no UTF-8"),
    ],
)
def test_a_broken_plan_file_is_refused_with_its_line(
    text: str, message: str, tmp_path: Path
) -> None:
    path, out = tmp_path / "p.plan", tmp_path / "domain.pddl"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    result = CliRunner().invoke(main, ["locm", str(path), "-o", str(out)])
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not out.exists()


@pytest.fixture
def walked(tmp_path: Path) -> Path:
    path = tmp_path / "plans.txt"
    plans = walks(blocksworld_walk, 30, 3)
    path.write_text("\n\n".join("\n".join(map(str, plan)) for plan in plans) + "\n")
    return path


def test_the_command_writes_a_domain_and_machines(walked: Path) -> None:
    out, pictures = walked.with_name("domain.pddl"), walked.with_name("machines")
    arguments = ["locm", str(walked), "-o", str(out), "--machines", str(pictures)]
    result = CliRunner().invoke(main, [*arguments, "--format", "dot", "--rename", "b=block"])
    assert result.exit_code == 0, result.output
    assert "30 plans, 600 actions" in result.stdout
    text = out.read_text()
    assert "(:types block - object)" in text
    assert "?block1 - block" in text
    drawn = sorted(path.name for path in pictures.iterdir())
    assert "locm-plan.gv" in drawn
    assert "pickup.1" in (pictures / "locm-b.gv").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rename", "nobody=x"], "there is no predicate or type 'nobody' to rename"),
        (["--rename", "b"], "'b' is not OLD=NEW"),
        (["--rename", "b=not"], "'not' is no name in PDDL"),
        (["--rename", "b=1x"], "'1x' is no name in PDDL"),
        (["--name", "two words"], "'two words' is no name in PDDL"),
    ],
)
def test_bad_names_are_refused(options: list[str], message: str, walked: Path) -> None:
    out = walked.with_name("domain.pddl")
    result = CliRunner().invoke(main, ["locm", str(walked), "-o", str(out), *options])
    assert result.exit_code == 2
    assert message in result.stderr
    assert not out.exists()


def test_renaming_keeps_names_apart() -> None:
    domain = learn_domain(table_of(walks(blocksworld_walk, 20, 1)))
    one, two = (predicate.name for predicate in domain.predicates[:2])
    with pytest.raises(GrlError, match=f"two things would be called '{two}'"):
        check_names({one: two}, domain)
    renamed = domain.renamed({one: "first"})
    assert renamed.predicates[0].name == "first"
    plans = walks(blocksworld_walk, 20, 1)
    assert all(renamed.accepts(plan) for plan in plans)
    assert f"({one})" not in domain_pddl(renamed)


def test_equal_plans_give_equal_bytes(walked: Path) -> None:
    texts = [domain_pddl(learn_domain(read_plans([walked]))) for _ in range(2)]
    assert texts[0] == texts[1]
