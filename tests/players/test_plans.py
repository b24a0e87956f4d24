"""Forced wins: planned by clingo, searched by minimax, learned as rules with exceptions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from learned import learned, random_positions

from grl import games
from grl.board import Position
from grl.cli import main
from grl.errors import GrlError
from grl.players import agent
from grl.players.forcing import forces, won
from grl.players.interface import Budget, plies_to_end
from grl.players.plans import Step, plan
from grl.players.referees import Refereed
from grl.rulebook import Rulebook

FORK = {"rows": ["..o", "ox.", "x.."], "to_move": "x"}
"""The position of Grillotti's example: b2, a2, a1 and c3 are taken."""


def late_positions(spec: str, n: int, seed: int) -> Iterator[Position]:
    """Positions of random games with few enough turns."""
    rulebook = learned(spec)
    for position in random_positions(spec, 40 * n, seed):
        if n and len(rulebook.legal(position)) <= 12:
            n -= 1
            yield position


@pytest.mark.parametrize(
    ("spec", "own", "n"),
    [
        ("tic-tac-toe", 3, 20),
        ("connect-four", 2, 20),
        ("breakthrough:width=6,height=6", 2, 6),
        ("checkers", 2, 6),
    ],
)
def test_plans_are_there_where_minimax_finds_a_win(spec: str, own: int, n: int) -> None:
    engine = learned(spec).engine()
    met = set()
    for position in late_positions(spec, n, 7):
        state = engine.state(position)
        found = plan(engine, state, own)
        value = agent("alphabeta").choose(engine, state, Budget(depth=2 * own - 1)).value
        plies = plies_to_end(value) if value > 0 else None
        assert (None if plies is None else (plies + 1) // 2) == (found and found.own), position
        assert (found is not None) == forces(engine, state, state.mover, own)
        met.add(found and found.own)
        if found is not None:
            assert exceptions(engine.equipment.players, found.first, state.mover) >= 0
    assert {None, 1} <= met or n < 20


def exceptions(players: tuple[str, ...], step: Step, seat: int) -> int:
    """How many exceptions a plan has; each of its lines ends in a win and leaves no reply out."""
    state = step.state
    if step.turn is not None:
        assert state.mover == seat
        state = state.play(state.turns().index(step.turn))
    if not step.following:
        assert won(state, players, seat)  # type: ignore[arg-type]
        return 0
    found = 0
    if state.mover != seat:
        assert set(step.following) == set(state.turns())
        found = sum(
            each.turn != step.usual for each in step.following.values() if each.turn is not None
        )
    return found + sum(exceptions(players, each, seat) for each in step.following.values())


def test_the_fewest_exceptions_are_planned() -> None:
    rulebook = learned("tic-tac-toe")
    for engine in (rulebook.engine(), Refereed(games.load("tic-tac-toe"), remembers=False)):
        found = plan(engine, engine.state(position_of(rulebook)), 3)
        assert found is not None
        assert (found.own, found.exceptions) == (2, 1)
        assert exceptions(engine.equipment.players, found.first, 0) == 1


def test_a_row_of_two_with_room_on_both_sides_wins() -> None:
    rulebook = learned("connect-four")
    position = rulebook.initial
    for turn in ("d1 (0 0 a x)", "d2 (0 0 a o)", "e1 (0 0 a x)", "d3 (0 0 a o)"):
        position = rulebook.play(position, turn)
    found = plan(rulebook.engine(), rulebook.engine().state(position), 3)
    assert found is not None
    assert (found.own, found.exceptions) == (2, 1)
    assert found.first.turn in ("c1 (0 0 a x)", "f1 (0 0 a x)")


def position_of(rulebook: Rulebook) -> Position:
    return rulebook.position(FORK["rows"], str(FORK["to_move"]))


def test_too_many_states_are_refused() -> None:
    engine = learned("tic-tac-toe").engine()
    with pytest.raises(GrlError, match="too many states"):
        plan(engine, engine.initial, 4, most=500)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plans") / "model.grl.json"
    learned("tic-tac-toe").save(path)
    return path


def run(model: Path, tmp_path: Path, *words: str) -> Result:
    position = tmp_path / "position.json"
    position.write_text(json.dumps(FORK))
    return CliRunner().invoke(main, ["plan", str(model), "--position", str(position), *words])


def test_plans_are_printed(model: Path, tmp_path: Path) -> None:
    result = run(model, tmp_path)
    assert result.exit_code == 0, result.output
    _, _, said = result.stdout.partition("whatever the replies:\n")
    first, unless, otherwise = said.splitlines()
    assert unless.strip() == f"after {otherwise.split()[-1]}: {unless.split()[-1]}"
    assert first.strip() in ("c1", "b1")
    data = json.loads(run(model, tmp_path, "--json").stdout)
    assert (data["to_move"], data["own"], data["exceptions"]) == ("x", 2, 1)
    assert len(data["plan"]["after"]) == 4
    result = run(model, tmp_path, "--depth", "1")
    assert result.exit_code == 1
    assert "x can't force a win within 1 turn of its own." in result.stdout
    result = run(model, tmp_path, "--after", "c1", "--after", "c2", "--after", "b1")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (1, "The game is over.")
    assert run(model, tmp_path, "--depth", "0").exit_code == 2
    assert run(model, tmp_path, "--time-limit", "0").exit_code == 1


def test_the_plan_is_learned_as_a_rule_with_exceptions(model: Path, tmp_path: Path) -> None:
    task = tmp_path / "plan.las"
    assert run(model, tmp_path, "--task", str(task)).exit_code == 0
    result = CliRunner().invoke(main, ["las", str(task), "-ml", "1"])
    assert result.exit_code == 0, result.output
    *rules, cost = result.stdout.splitlines()
    assert cost == "% cost 5"
    first, unless, otherwise = (
        rule.replace("does(", " ").split() for rule in sorted(rules, key=len)
    )
    rulebook = learned("tic-tac-toe")
    engine = rulebook.engine()
    state = play(engine.state(position_of(rulebook)), first[0])
    reply, exception, usual = unless[-1], unless[0], otherwise[0]
    assert reply == otherwise[-1]
    for number, turn in enumerate(state.turns()):
        square = turn.split()[0]
        answer = exception if reply.startswith(f"other,{square},") else usual
        assert won(play(state.play(number), answer), engine.equipment.players, 0)


def play(state, atom):  # type: ignore[no-untyped-def]
    """The state after the turn that an atom such as ``mover,b1,3`` names."""
    square = atom.split(",")[1]
    return state.play(next(n for n, turn in enumerate(state.turns()) if turn.startswith(square)))
