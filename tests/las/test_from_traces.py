"""Tasks from traces: few examples, a bias from the file's words, and rules that are the game's."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import clingo
import pytest
from click.testing import CliRunner, Result

from grl.cli import main
from grl.errors import TraceError
from grl.fresh import fresh_positions
from grl.games import load
from grl.generate import generate
from grl.las import parse, solve
from grl.las.from_traces import Made, make_task
from grl.las.vocabulary import Vocabulary
from grl.traces import Traces, header_dict, write_traces


def recorded(folder: Path, spec: str, plays: int = 12, *, all_moves: bool = True) -> Traces:
    game = load(spec)
    path = folder / "traces.jsonl"
    records = generate(game, plays, all_moves=all_moves, seed=2, max_plies=60)
    write_traces(path, header_dict(game), records)
    return Traces.open(path)


def learned(made: Made) -> str:
    """What is given, without examples and declarations, and the rules that were learned."""
    task = parse(made.text, limits=made.limits)
    outcome = solve(task, time_limit=60)
    assert outcome.proven
    assert outcome.rules is not None
    return "\n".join([task.background, *outcome.program()])


def derived(rules: str, facts: str, name: str) -> set[str]:
    ctl = clingo.Control(["--warn=none"])
    ctl.add("base", [], "\n".join([rules, facts]))
    ctl.ground([("base", [])])
    return {str(one.symbol) for one in ctl.symbolic_atoms if one.symbol.name == name}


def test_the_end_of_tic_tac_toe_is_learned_from_its_records(tmp_path: Path) -> None:
    traces = recorded(tmp_path, "tic-tac-toe", 40)
    made = make_task(traces, "terminal", reach=2, positions=50)
    assert made.complete
    assert made.examples < made.positions
    rules = learned(made)
    game = load("tic-tac-toe")
    words = Vocabulary.of(traces.header.equipment)
    right = checked = 0
    for position, _ in fresh_positions(game, 60, seed=9):
        facts = " ".join(words.position(position))
        found = derived(rules, facts, "terminal")
        right += bool(found) == game.is_terminal(position)
        checked += 1
    # Few games show every line; a line that none showed may be missing.
    assert right >= 0.95 * checked


@pytest.mark.parametrize(
    "spec", ["breakthrough:width=4,height=5", "amazons:width=4,height=4", "peg-solitaire"]
)
def test_next_positions_are_learned_whatever_turns_do(tmp_path: Path, spec: str) -> None:
    traces = recorded(tmp_path, spec, 3)
    made = make_task(traces, "next", positions=9)
    assert made.complete
    assert made.examples <= 8
    rules = learned(made)
    game = load(spec)
    words = Vocabulary.of(traces.header.equipment)
    for position, legal in islice(fresh_positions(game, 12, seed=4), 12):
        for turn in legal[:1]:
            facts = " ".join([*words.position(position), *words.turn(position, turn)])
            found = derived(rules, facts, "next")
            after = [one for one in words.position(game.play(position, turn)) if "cell" in one]
            assert found == {f"next({one.rstrip('.')})" for one in after}


def test_legal_turns_are_those_of_the_game(tmp_path: Path) -> None:
    traces = recorded(tmp_path, "connect-four:width=4,height=3", 8)
    made = make_task(traces, "legal", positions=24)
    assert made.complete
    rules = learned(made)
    game = load("connect-four:width=4,height=3")
    words = Vocabulary.of(traces.header.equipment)
    for position, legal in islice(fresh_positions(game, 25, seed=4), 25):
        name = words.players[position.to_move]
        over = "" if legal else "terminal."
        facts = " ".join([*words.position(position), f"control({name}). {over}"])
        found = derived(rules, facts, "legal")
        assert found == {f"legal({name},{words.term(turn)})" for turn in legal}


def test_whose_turn_comes_next(tmp_path: Path) -> None:
    made = make_task(recorded(tmp_path, "breakthrough:width=4,height=5", 3), "control")
    assert made.complete
    rules = learned(made)
    for mover, after in (("white", "black"), ("black", "white")):
        found = derived(rules, f"control({mover}).", "next")
        assert found == {f"next(control({after}))"}


def test_goals_with_a_rule_that_is_given(tmp_path: Path) -> None:
    given = """won(P) :- role(P), step(A,B), cell(X,Y,P), cell(X+A,Y+B,P), cell(X+2*A,Y+2*B,P).
step(1,0). step(0,1). step(1,1). step(1,-1).
#modeb(2,won(var(p)))."""
    made = make_task(recorded(tmp_path, "tic-tac-toe", 40), "goal", given=given)
    assert made.complete
    rules = learned(made)
    line = "cell(1,1,x). cell(2,1,x). cell(3,1,x)."
    others = "cell(1,2,o). cell(2,2,o). cell(1,3,empty). cell(2,3,empty). played(x)."
    found = derived(rules, f"{line} {others} cell(3,2,empty).", "goal")
    assert found == {"goal(x,100)", "goal(o,0)"}


def test_players_of_one_piece_give_cells_their_names(tmp_path: Path) -> None:
    one = Vocabulary.of(recorded(tmp_path, "breakthrough", 1).header.equipment)
    assert one.contents == {"w": "white", "b": "black", ".": "empty"}
    many = Vocabulary.of(recorded(tmp_path, "checkers", 1).header.equipment)
    assert len(set(many.contents.values())) == 5


def test_a_file_that_says_nothing_of_the_target_is_refused(tmp_path: Path) -> None:
    single = recorded(tmp_path, "checkers", 1, all_moves=False)
    with pytest.raises(TraceError, match="nothing of legal"):
        make_task(single, "legal")


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["las", *args])


def test_the_command_writes_a_task_that_the_other_one_solves(tmp_path: Path) -> None:
    traces = recorded(tmp_path, "tic-tac-toe", 5)
    task = tmp_path / "task.las"
    written = run("from-traces", traces.path, "--target", "next", "-o", str(task))
    assert written.exit_code == 0
    assert "-ml 5 --max-rule-length 6" in task.read_text().splitlines()[0]
    solved = run(str(task), "-ml", "5", "--max-rule-length", "6", "--json")
    assert solved.exit_code == 0
    assert json.loads(solved.stdout)["status"] == "optimal"
    before = task.read_text()
    run("from-traces", traces.path, "--target", "next", "-o", str(task))
    assert task.read_text() == before


def test_the_command_keeps_its_exit_statuses(tmp_path: Path) -> None:
    assert run("from-traces", "--help").exit_code == 0
    assert run("--help").exit_code == 0
    assert run("from-traces").exit_code == 2
    assert run(str(tmp_path / "nothing.las")).exit_code == 2
    file = tmp_path / "from-traces"
    file.write_text("#pos({a},{}). #modeh(a). #maxv(0).\n")
    assert run(str(file)).exit_code in (0, 1)


def test_a_task_does_not_depend_on_the_time_that_searches_take(tmp_path: Path) -> None:
    traces = recorded(tmp_path, "tic-tac-toe", 4)
    heard: list[Made] = []
    made = make_task(traces, "control", positions=20, kept=heard.append)
    slow = make_task(traces, "control", positions=20, time_limit=1000.0)
    assert made == slow
    assert made.complete
    assert not heard[0].complete
    assert heard[0].text.startswith("% UNFINISHED: ")


def test_an_unfinished_task_is_written_only_on_request(tmp_path: Path) -> None:
    traces = recorded(tmp_path, "tic-tac-toe", 30)
    task = tmp_path / "task.las"
    command = ("from-traces", traces.path, "--target", "terminal", "-o", str(task))

    result = run(*command, "--time-limit", "0.1")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "nothing written: the time limit ended the search" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not task.exists()

    result = run(*command, "--time-limit", "0.1", "--unfinished")
    assert result.exit_code == 1
    assert "unfinished: the time limit ended the search" in result.stderr
    if task.exists():
        assert task.read_text().startswith("% UNFINISHED: the time limit ended the search.\n")
        assert parse(task.read_text()).examples


def test_positions_that_contradict_each_other_make_no_task(tmp_path: Path) -> None:
    traces = recorded(tmp_path, "tic-tac-toe", 3)
    given = tmp_path / "given.las"
    given.write_text("#max_penalty(1).")
    task = tmp_path / "task.las"
    command = ("from-traces", traces.path, "--target", "control", "--given", str(given))

    result = run(*command, "-o", str(task))
    assert result.exit_code == 1
    assert "nothing written: no hypothesis satisfies all positions" in result.stderr
    assert not task.exists()

    result = run(*command, "-o", str(task), "--unfinished")
    assert result.exit_code == 1
    assert task.read_text().startswith("% UNFINISHED: no hypothesis satisfies all positions.\n")
