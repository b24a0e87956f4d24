"""Records of players who search: made alike for equal seeds, and learned from like any others."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import grl
from grl.cli import main
from grl.compare import compare_game
from grl.games import load
from grl.traces import Traces

GAME = "connect-four:width=5,height=4"


def generated(path: Path, players: str, *words: str) -> Result:
    command = ["traces", "generate", GAME, "-n", "12", "--all-moves", "--players", players]
    return CliRunner().invoke(main, [*command, *words, "-o", str(path)])


def test_habits_of_players_are_no_rules(tmp_path: Path) -> None:
    """They open in the middle and never overlook a line; the reference has no such rule."""
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    assert generated(one, "alphabeta:nodes=60").exit_code == 0
    assert generated(other, "alphabeta:nodes=60", "--openings", "3").exit_code == 0
    again = tmp_path / "again.jsonl"
    generated(again, "alphabeta:nodes=60", "--openings", "3")
    assert other.read_bytes() == again.read_bytes()
    for path in (one, other):
        game = load(GAME)
        for play in Traces.open(path):
            for ply in play.plies[3:]:
                wins = [
                    turn
                    for turn in ply.legal or ()
                    if 100 in _goals(game, game.play(ply.position, turn))
                ]
                assert not wins or ply.turn in wins
    found = compare_game(grl.learn([one, other]), load(GAME), positions=150, endings=25)
    assert found.same
    assert found.surplus + found.missing == 0
    assert {ending.kind for ending in found.endings} == {"line", "board full"}


def _goals(game: grl.games.Game, position: grl.board.Position) -> list[int]:
    return list(game.goals(position).values()) if game.is_terminal(position) else []


@pytest.mark.parametrize(
    "players", ["alphabeta:seconds=1", "nobody", "mtdf:nodes=9,evaluation=fuzzy"]
)
def test_players_who_would_not_play_alike_again_are_refused(players: str, tmp_path: Path) -> None:
    assert generated(tmp_path / "games.jsonl", players).exit_code == 2
