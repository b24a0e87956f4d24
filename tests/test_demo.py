"""What `make demo` calls exact."""

from __future__ import annotations

from pathlib import Path

import demo
import pytest
from learned import record

from grl.games import load
from grl.traces import Traces


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs a demonstration of tic-tac-toe from so many games, in a folder of its own."""
    monkeypatch.setattr(demo, "OUTPUT", tmp_path / "demo")
    monkeypatch.setattr(demo, "ROOT", tmp_path)
    monkeypatch.setattr(demo, "POSITIONS", 200)
    (tmp_path / "traces").mkdir()

    def run(games: int, seed: int) -> demo.Result:
        name = f"{games}.jsonl"
        record("tic-tac-toe", tmp_path / "traces" / name, games, seed=seed)
        return demo.run(demo.Task("tic-tac-toe", "tic-tac-toe", name))

    return run


def ends(path: Path) -> set[str]:
    game = load("tic-tac-toe")
    return {game.ending(play.final) for play in Traces.open(path)}


def test_a_whole_game_from_enough_records_is_exact(run, tmp_path: Path) -> None:
    result = run(40, seed=1)

    assert ends(tmp_path / "traces" / "40.jsonl") == {"line", "board full"}
    assert result.exact
    assert "no difference" in demo.report([result])
    assert any("lines of three or more stones" in line for line in demo.report_lines(result))
    assert list((tmp_path / "demo" / "tic-tac-toe").glob("*.svg"))
    assert "Endings" in (tmp_path / "demo" / "tic-tac-toe" / "rules.txt").read_text("utf-8")


def test_records_without_a_draw_are_not_enough(run, tmp_path: Path) -> None:
    result = run(6, seed=4)

    assert ends(tmp_path / "traces" / "6.jsonl") == {"line"}
    assert not result.exact
    assert demo.report([result])[-1] == "different: tic-tac-toe"
    assert any("board full" in line for line in demo.report_lines(result))
