"""Strategies: what turns do, preferences learned from play, and playing by them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from learned import learned, random_positions

from grl import games
from grl.cli import main
from grl.las import parse, solve
from grl.las.choose import Lesson, satisfied
from grl.las.clock import Clock
from grl.las.lists import best_list
from grl.players.choices import choices, evenly
from grl.players.facets import FACETS, Outlook
from grl.players.interface import Budget
from grl.players.preferences import learn, orderings, task_text
from grl.players.referees import Refereed
from grl.players.strategy import Strategy, strategy_of
from grl.tracejson import describe
from grl.traces import Traces, write_traces

HIDDEN = """:~ wins. [-1@3]
:~ risks(N). [N@2, N]
:~ sides(N). [-N@1, N]
"""


def played_by(strategy: Strategy, path: Path, games: int) -> Path:
    """Games of tic-tac-toe, the first player's turns by a strategy, the others by chance."""
    rulebook = learned("tic-tac-toe")
    engine, players = rulebook.engine(), rulebook.model.equipment.players

    def plays() -> Iterator[dict[str, Any]]:
        for number in range(games):
            chance, state, turns = Random(number), engine.initial, []
            while not state.over:
                turn = chance.randrange(state.count())
                if not state.mover:
                    turn = strategy.choose(engine, state, Budget(), chance.getrandbits(32)).number
                turns.append({"by": players[state.mover], "turn": state.turns()[turn]})
                state = state.play(turn)
            yield {"id": f"g{number}", "turns": turns[:], "goals": state.goals()}

    header = describe(rulebook.model.game, rulebook.model.equipment, rulebook.initial)
    write_traces(path, header, plays())
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Records of a player with hidden preferences, and a model."""
    folder = tmp_path_factory.mktemp("strategies")
    model = folder / "model.grl.json"
    learned("tic-tac-toe").save(model)
    return played_by(strategy_of(HIDDEN), folder / "games.jsonl", 60), model


def learn_strategy(files: tuple[Path, Path], output: Path, *words: str) -> Result:
    given = ["learn-strategy", *map(str, files), "-o", str(output), *words]
    return CliRunner().invoke(main, given)


def test_hidden_preferences_are_recovered(files: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "strategy.lp"
    result = learn_strategy(files, path, "--player", "x")
    assert result.exit_code == 0, result.output
    assert result.stdout == path.read_text()
    assert " 0 broken." in " ".join(result.stdout.split("\n% "))
    found, hidden = strategy_of(path.read_text()), strategy_of(HIDDEN)
    engine = learned("tic-tac-toe").engine()
    for position in random_positions("tic-tac-toe", 80, 5):
        state = engine.state(position)
        best, _ = found.best(engine, state, Budget())
        wanted, _ = hidden.best(engine, state, Budget())
        assert best == wanted, position


def test_the_same_records_give_the_same_bytes(files: tuple[Path, Path], tmp_path: Path) -> None:
    outputs = []
    for seed in ("1", "2"):
        path = tmp_path / f"{seed}.lp"
        command = [sys.executable, "-m", "grl", "learn-strategy", *map(str, files), "-o", str(path)]
        command += ["--choices", "25"]
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run(command, check=True, capture_output=True, env=environment)
        outputs.append(path.read_bytes())
    assert outputs[0] == outputs[1]


def test_lists_are_the_cheapest_of_all() -> None:
    random = np.random.default_rng(3)
    for _ in range(40):
        signs = random.integers(-1, 2, (9, 5)).astype(np.int8)
        counts, costs = random.integers(1, 5, 9).tolist(), random.integers(1, 4, 5).tolist()
        found = best_list(signs, counts, costs, 3)
        lists = [each for n in range(4) for each in permutations(range(5), n)]
        assert found.proven
        assert found.cost == found.bound == min(cost_of(signs, counts, costs, e) for e in lists)
        assert found.cost == cost_of(signs, counts, costs, found.chosen)
        narrow = best_list(signs, counts, costs, 3, width=1)
        assert narrow.cost == cost_of(signs, counts, costs, narrow.chosen) >= found.cost


def test_the_best_list_so_far_is_kept() -> None:
    random = np.random.default_rng(5)
    signs = random.integers(-1, 2, (60, 12)).astype(np.int8)
    heard: list[int] = []
    found = best_list(signs, [1] * 60, [1] * 12, 4, better=lambda one: heard.append(one.cost))
    assert heard == sorted(set(heard), reverse=True)
    assert heard[-1] == found.cost < 60
    cut = best_list(signs, [1] * 60, [1] * 12, 4, clock=Clock(0))
    assert (cut.chosen, cut.cost, cut.tied, cut.proven) == ((), 60, 60, False)


def cost_of(signs: Any, counts: list[int], costs: list[int], chosen: tuple[int, ...]) -> int:
    """The cost of a list, ordering by ordering."""
    total = sum(costs[number] for number in chosen)
    for row, count in zip(signs, counts, strict=True):
        first = next((sign for sign in row[list(chosen)] if sign), 0)
        total += count * (1 - first)
    return int(total)


def test_what_is_learned_is_a_hypothesis_of_the_task(files: tuple[Path, Path]) -> None:
    """The general layer of `grl las` takes the task, and the list costs there what it should."""
    engine = learned("tic-tac-toe").engine()
    chosen = evenly(choices(Traces.open(files[0]), "winner"), 3)
    found = orderings(engine, chosen, 0)
    made = learn(found, levels=2, price=1)
    assert made.listed.proven
    task = parse(task_text(found, 2, made.costs))
    rules = {str(rule): rule for rule in task.written}
    listed = [
        parse(f"1 ~ {each.rule(len(made.preferences) - place)}").written[0]
        for place, each in enumerate(made.preferences)
    ]
    assert all(str(rule) in rules for rule in listed)
    cost = sum(rules[str(rule)].cost for rule in listed)
    for order in task.orderings:
        ends = tuple(one for one in task.examples if one.name in (order.first, order.second))
        cost += 0 if satisfied(task, listed, Lesson(ends, (order,))) else order.penalty or 0
    assert cost == made.listed.cost
    assert solve(task, time_limit=20).cost <= cost


def test_facets_are_those_of_the_reference() -> None:
    for spec in ("tic-tac-toe", "connect-four"):
        engine = learned(spec).engine()
        reference = Refereed(games.load(spec), remembers=False)
        for position in random_positions(spec, 8, 2):
            one = Outlook(engine, engine.state(position))
            two = Outlook(reference, reference.state(position))
            for number, turn in enumerate(one.state.turns()):
                other = two.number_of(turn)
                assert other is not None
                assert one.facts(number, FACETS) == two.facts(other, FACETS)


def test_facets_say_what_a_turn_does() -> None:
    rulebook = learned("tic-tac-toe")
    engine = rulebook.engine()
    position = rulebook.position(["x.o", ".x.", "..o"], "x")
    outlook = Outlook(engine, engine.state(position))
    facts = {
        turn.split()[0]: outlook.facts(number, FACETS)
        for number, turn in enumerate(outlook.state.turns())
    }
    wanted = {"blocks": 1, "risks": 0, "threats": 1, "forces": 0, "falls": 0, "sides": 1}
    assert {name: facts["c2"][name] for name in wanted} == wanted
    wanted = {"blocks": 0, "risks": 1, "threats": 1, "falls": 1, "line": 2, "file_off": 0}
    assert {name: facts["b3"][name] for name in wanted} == wanted
    assert (facts["a2"]["threats"], facts["a2"]["replies"], facts["a2"]["beside_own"]) == (2, 4, 2)
    taking = learned("breakthrough:width=6,height=6")
    position = taking.position(
        ["......", "......", "..b...", ".w....", "......", "......"], "white"
    )
    outlook = Outlook(taking.engine(), taking.engine().state(position))
    found = [
        (each["takes"], each["exposed"], each["rank"])
        for number in range(outlook.state.count())
        for each in [outlook.facts(number, FACETS)]
    ]
    assert sorted(found) == [(0, 0, 4), (0, 0, 4), (1, 0, 4)]


def test_a_strategy_may_be_any_program() -> None:
    """Rules, aggregates and constraints; turns without an answer set come last."""
    rulebook = learned("tic-tac-toe")
    engine = rulebook.engine()
    state = engine.state(rulebook.position(["x.o", ".x.", "..o"], "x"))
    program = (
        "good :- blocks(N), N > 0.\n:- sides(0).\n#minimize { 1@2 : not good ; N : sides(N) }."
    )
    best, _ = strategy_of(program).best(engine, state, Budget())
    assert [name.split()[0] for name, _ in best] == ["c2"]
    best, _ = strategy_of(":- wins.\n:- not wins.").best(engine, state, Budget())
    assert len(best) == state.count()
    assert strategy_of(HIDDEN).choose(engine, state, Budget(nodes=1)).nodes == 1


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (":~ risk(N). [N@1]", "risk/1"),
        (":~ wins(N). [N@1]", "wins/1"),
        (":~ wins. [1@", "strategy.lp:2"),
        ('#include "other.lp".', "reaches outside"),
    ],
)
def test_broken_strategies_are_refused(
    files: tuple[Path, Path], tmp_path: Path, program: str, said: str
) -> None:
    path = tmp_path / "strategy.lp"
    path.write_text(program)
    words = ["play", str(files[1]), "--seat", f"x=strategy:{path}"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_strategies_play_in_tournaments(files: tuple[Path, Path], tmp_path: Path) -> None:
    path, results = tmp_path / "strategy.lp", tmp_path / "results.jsonl"
    path.write_text(HIDDEN)
    words = ["arena", str(files[1]), "--players", f"strategy:{path},random", "--games", "40"]
    words += ["--openings", "0", "-o", str(results), "--json"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    (score,) = json.loads(result.stdout)
    assert score["won"] > 25
    found = tmp_path / "found.lp"
    result = learn_strategy((results, files[1]), found, "--player", f"strategy:{path}")
    assert result.exit_code == 0, result.output
    assert ":~ wins." in found.read_text()
    assert "nobody" in learn_strategy((results, files[1]), found, "--player", "nobody").stderr
    content = results.read_text()
    results.write_text(content.replace("a1 (0 0 a x)", "a1 (0 0 a o)"))
    result = learn_strategy((results, files[1]), found)
    assert result.exit_code == 2
    assert "not legal" in result.stderr
    results.write_text(content.replace('"game": "', '"game": "other '))
    assert "another game" in learn_strategy((results, files[1]), found).stderr
    results.write_text(content)
    path.write_text(HIDDEN.replace("-1@3", "1@3"))
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2, "the results of another strategy are gone on with"


def test_errors_of_the_command_line(files: tuple[Path, Path], tmp_path: Path) -> None:
    output = tmp_path / "strategy.lp"
    assert "nobody" in learn_strategy(files, output, "--player", "nobody").stderr
    assert learn_strategy(files, files[0]).exit_code == 2
    result = learn_strategy(files, output, "--time-limit", "0")
    assert (result.exit_code, output.exists()) == (1, False)
    other = tmp_path / "other.grl.json"
    learned("connect-four").save(other)
    result = learn_strategy((files[0], other), output)
    assert result.exit_code == 2
    assert "another game" in result.stderr
    words = ["play", str(files[1]), "--seat", f"x=strategy:{tmp_path / 'none.lp'}"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "none.lp" in result.stderr
