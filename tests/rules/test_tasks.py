"""Endings as ILASP tasks, and whether a model's endings could be cheaper."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from learned import record

import grl
from grl.board import Position
from grl.cli import main
from grl.las.solve import solve
from grl.las.syntax import parse
from grl.las.task import Limits
from grl.las.terms import Rule as Learned
from grl.model import Feature, Literal, Model, Rule
from grl.modelfile import write_model
from grl.rules.endings.pool import Pool
from grl.rules.endings.task import Ending, ending_tasks
from grl.rules.features.cases import PositionCase
from grl.rules.templates.positions import compile_position

GAMES = {"tic-tac-toe": 30}


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Model, Pool]]:
    """The records of a game, what is learned from them, and from what endings were."""
    known: dict[str, tuple[Path, Model, Pool]] = {}

    def learn(spec: str) -> tuple[Path, Model, Pool]:
        if spec not in known:
            path = record(spec, tmp_path_factory.mktemp("games") / "games.jsonl", GAMES[spec])
            pools: list[Pool] = []
            model = grl.learn([path], pool=pools.append).model
            known[spec] = path, model, pools[0]
        return known[spec]

    return learn


def solved(task: Ending) -> list[Learned]:
    """What `grl las` learns from a task, with the limits that it asks for."""
    outcome = solve(parse(task.text, limits=Limits(task.body, task.body + 1)))
    assert outcome.proven
    assert outcome.rules
    return list(outcome.rules)


def says(rules: list[Learned], atoms: Mapping[str, Feature], pool: Pool, position: Position) -> set:
    """The heads that rules derive in a position."""
    case = PositionCase.of(pool.setting, position)
    held = {
        name for name, feature in atoms.items() if compile_position(pool.setting, feature)(case)
    }
    return {
        str(rule.head)
        for rule in rules
        if all((str(atom.term) in held) != atom.negated for atom in rule.body)
    }


@pytest.mark.parametrize("spec", GAMES)
def test_what_a_task_teaches_judges_fresh_positions_as_the_game_does(
    spec: str, lessons: Callable, tmp_path: Path
) -> None:
    _, model, pool = lessons(spec)
    tasks = ending_tasks(pool, model.game, model.rules.endings)
    terminal, goal = solved(tasks["terminal"]), solved(tasks["goal"])
    fresh = grl.Traces.open(record(spec, tmp_path / "fresh.jsonl", 12, seed=7))
    for play in fresh:
        for ply in play.plies:
            assert not says(terminal, tasks["terminal"].atoms, pool, ply.position)
        players = play.final.equipment.players
        at = players.index(play.final.to_move)
        goals = ",".join(str(play.goals[player]) for player in (*players[at:], *players[:at]))
        assert says(terminal, tasks["terminal"].atoms, pool, play.final) == {"terminal"}
        assert says(goal, tasks["goal"].atoms, pool, play.final) == {f"goal({goals})"}


def test_an_example_lists_what_holds_in_its_position(lessons: Callable) -> None:
    _, model, pool = lessons("tic-tac-toe")
    task = ending_tasks(pool, model.game)["terminal"]
    examples = parse(task.text).examples
    assert len(examples) == task.examples <= len(pool.cases)
    alike: dict[tuple[bool, frozenset[str]], int] = {}
    tests = {name: compile_position(pool.setting, feature) for name, feature in task.atoms.items()}
    for case, goals in zip(pool.cases, pool.goals, strict=True):
        key = goals is not None, frozenset(name for name, test in tests.items() if test(case))
        alike[key] = alike.get(key, 0) + 1
    listed = {
        (bool(one.inclusions), frozenset(fact.strip(" .") for fact in one.context.split()))
        for one in examples
    }
    assert listed == set(alike)


def test_positions_that_nothing_tells_apart_have_a_penalty(lessons: Callable) -> None:
    _, model, pool = lessons("tic-tac-toe")
    end = next(item for item in pool.known.items if item.goals is not None)
    both = [*pool.known.items, replace(end, says=None)]
    twice = replace(pool, known=pool.known.among(both))
    task = ending_tasks(twice, model.game)["terminal"]
    examples = parse(task.text).examples
    assert any(one.penalty for one in examples)
    assert sum(one.penalty is not None for one in examples) < len(examples) / 2


def test_learning_leaves_tasks_that_the_command_solves(lessons: Callable, tmp_path: Path) -> None:
    path, _, _ = lessons("tic-tac-toe")
    first = run("learn", path, "-o", tmp_path / "model.grl.json", "--task", tmp_path / "tasks")
    assert first.exit_code == 0
    assert "terminal.las" in first.stdout
    found = run("las", tmp_path / "tasks" / "goal.las", "-ml", 1, "--max-rule-length", 2)
    assert found.exit_code == 0
    assert "goal(0,100) :- some_now_lined_around_3_lies_opposing." in found.stdout
    run("learn", path, "-o", tmp_path / "model.grl.json", "--task", tmp_path / "again")
    for name in ("terminal.las", "goal.las"):
        again = (tmp_path / "again" / name).read_bytes()
        assert again == (tmp_path / "tasks" / name).read_bytes()


def test_nothing_is_cheaper_than_what_was_learned(lessons: Callable, tmp_path: Path) -> None:
    path, model, _ = lessons("tic-tac-toe")
    write_model(model, tmp_path / "model.grl.json")
    result = run("rules", tmp_path / "model.grl.json", "--prove", "--traces", path)
    assert result.exit_code == 0
    assert "none cheaper: proven" in result.stdout


def test_a_worse_model_is_found_out(lessons: Callable, tmp_path: Path) -> None:
    path, model, _ = lessons("tic-tac-toe")
    row, *others = model.rules.endings
    halves = [
        Rule((*row.body, Literal(("mover", "x"), holds)), row.value, row.support)
        for holds in (True, False)
    ]
    worse = replace(model, rules=replace(model.rules, endings=(*halves, *others)))
    write_model(worse, tmp_path / "worse.grl.json")
    asked = ("rules", tmp_path / "worse.grl.json", "--prove", "--traces", path.parent)
    text, data = run(*asked), run(*asked, "--json")
    assert text.exit_code == data.exit_code == 1
    assert "cheaper, at" in text.stdout
    found = json.loads(data.stdout)
    assert found["status"] == "cheaper"
    assert found["proven"]
    assert found["found"] < found["cost"]
    assert len(found["cheaper"]) == len(model.rules.endings)


def test_without_time_the_proof_says_so(lessons: Callable, tmp_path: Path) -> None:
    path, model, _ = lessons("tic-tac-toe")
    write_model(model, tmp_path / "model.grl.json")
    asked = ("rules", tmp_path / "model.grl.json", "--prove", "--traces", path, "--limit", 0)
    result = run(*asked)
    assert result.exit_code == 1
    assert "not decided within 0 s" in result.stdout
    assert "none costs less than" in result.stdout


def test_prove_wants_records_of_the_game(lessons: Callable, tmp_path: Path) -> None:
    _, model, _ = lessons("tic-tac-toe")
    other = record("connect-four:width=4,height=4", tmp_path / "other.jsonl", 1)
    write_model(model, tmp_path / "model.grl.json")
    assert run("rules", tmp_path / "model.grl.json", "--prove").exit_code == 2
    result = run("rules", tmp_path / "model.grl.json", "--prove", "--traces", other)
    assert result.exit_code == 2
    assert "records of another game" in result.output
