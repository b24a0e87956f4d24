"""Evaluations by name: in every command that seats players, on models and on references."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from learned import learned, learned_movements
from race import Race

from grl.cli import main
from grl.errors import GrlError
from grl.games import load
from grl.players.evaluations import MOBILITY, NAMES, NONE, evaluation_of
from grl.players.fuzzy import Fuzzy
from grl.players.fuzzycode import Compiled
from grl.players.referees import Refereed

LINES = [name for name in NAMES if name != NONE]


@pytest.mark.parametrize("name", LINES)
def test_a_model_and_its_reference_are_judged_alike(name: str) -> None:
    rules = learned("tic-tac-toe")
    engine = rules.engine()
    played = Refereed(load("tic-tac-toe"), remembers=False, rulings=rules)
    ours, theirs = evaluation_of(name, engine), evaluation_of(name, played)
    assert isinstance(ours, Fuzzy if engine.native is None else Compiled)
    assert evaluation_of(name, engine) is ours
    state, other = engine.initial, played.initial
    met = set()
    for number in (4, 0, 1, 1):
        state = state.play(number)
        other = other.play(other.turns().index(state.position().last or ""))
        for seat in (0, 1):
            assert ours(state, seat) == pytest.approx(theirs(other, seat), abs=1e-12)
            met.add(round(theirs(other, seat), 6))
    assert len(met) > 3 or name == MOBILITY, "there both have as many turns"


def test_mobility_is_the_turns_that_the_others_lack() -> None:
    """Of one who has 3 turns against one who has 2: 0.9 / (1 + 2) - 0.9 / (1 + 3)."""
    rules = learned("checkers")
    played = Refereed(load("checkers"), remembers=False, rulings=rules)
    rows = ["........"] * 8
    rows[0], rows[3] = ".M......", "...m...."
    rows[7] = "k......."
    position = rules.position(rows, "white")
    white = evaluation_of("mobility", played)
    assert white is not None
    state = played.state(position)
    turns = [played.state(rules.position(rows, who)).count() for who in ("white", "black")]
    assert turns == [3, 2]
    assert white(state, 0) == pytest.approx(0.9 / 3 - 0.9 / 4)
    assert white(state, 1) == -white(state, 0)


def test_without_goals_that_have_degrees_there_is_no_fuzzy_evaluation() -> None:
    for game in (
        learned_movements("tic-tac-toe").engine(),
        Refereed(Race()),
    ):
        with pytest.raises(GrlError):
            evaluation_of("fuzzy", game)


def test_commands_take_players_with_evaluations(tmp_path: Path) -> None:
    model = tmp_path / "model.grl.json"
    learned("tic-tac-toe").save(model)
    player = "swift:depth=1,evaluation=fuzzy"

    def grl(*words: str, typed: str = "") -> str:
        told = CliRunner().invoke(main, [words[0], str(model), *words[1:]], input=typed)
        assert told.exit_code == 0, told.output
        return told.stdout

    # figure 16.4: the centre first, then corners, then edges
    judged = json.loads(grl("analyse", "--player", player, "--json"))["turns"]
    order = [turn["turn"][:2] for turn in judged]
    assert order[0] == "b2"
    assert set(order[1:5]) == {"a1", "a3", "c1", "c3"}
    assert "bestturn b2" in grl("protocol", typed=f"go {player}\nquit\n")
    assert "x plays b2" in grl("play", "--seat", f"x={player}", "--seat", "o=random")
    results = tmp_path / "results.jsonl"
    told = grl("arena", "--players", f"{player},random", "--openings", "0", "-o", str(results))
    assert player in told
    for line in results.read_text().splitlines()[1:3]:
        record = json.loads(line)
        assert record["seats"][0] or record["turns"][0].startswith("b2")
