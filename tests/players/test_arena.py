"""Tournaments: the same results in one go or in several, and what is said of them."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from learned import learned

from grl import games
from grl.cli import main
from grl.players.arena import matches
from grl.players.ratings import Standing, elo, rated, wilson

PLAYERS = "random,mtdf:nodes=60,uct:nodes=60"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("arena") / "model.grl.json"
    learned("tic-tac-toe").save(path)
    return path


def arena(model: Path, path: Path, *words: str, games: int = 6) -> Result:
    given = ["--players", PLAYERS, "--games", str(games), "--openings", "2", "-o", str(path)]
    return CliRunner().invoke(main, ["arena", str(model), *given, *words])


def test_a_tournament_that_was_cut_off_gives_the_same_results(model: Path, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    told = arena(model, whole, "--plot", str(tmp_path / "plot.svg"))
    assert told.exit_code == 0, told.output
    content = whole.read_bytes()
    assert content.count(b"\n") == 1 + 3 * 6
    for size, jobs in ((len(content) // 2, 2), (30, 1), (len(content), 1)):
        cut.write_bytes(content[:size])
        again = arena(model, cut, "--jobs", str(jobs))
        assert again.stdout == told.stdout
        assert cut.read_bytes() == content
    short = tmp_path / "short.jsonl"
    arena(model, short, games=2)
    assert arena(model, short).stdout == told.stdout
    assert short.read_bytes() == content
    circles = ET.parse(tmp_path / "plot.svg").findall("{http://www.w3.org/2000/svg}circle")
    assert len(circles) == 3


def test_records_are_games_of_the_reference_with_its_points(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    assert arena(model, path).exit_code == 0
    header, *records = map(json.loads, path.read_text().splitlines())
    assert header["players"] == PLAYERS.split(",")
    reference = games.load("tic-tac-toe")
    for record in records:
        position = reference.initial
        for turn in record["turns"]:
            position = reference.play(position, turn)
        assert not reference.legal(position)
        assert record["points"] == reference.goals(position)["x"] / 100
    for one, two in zip(records[0:3], records[3:6], strict=True):
        assert one["seats"] == two["seats"][::-1]
        assert one["turns"][:2] == two["turns"][:2]


def test_results_of_another_tournament_are_left_alone(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    for content in (b"what was there before\n", b"something"):
        path.write_bytes(content)
        assert arena(model, path).exit_code == 2
        assert path.read_bytes() == content
    path.unlink()
    arena(model, path, games=1)
    content = path.read_bytes()
    assert "another tournament" in arena(model, path, "--seed", "9").stderr
    assert path.read_bytes() == content


def test_players_choose_alike_on_the_reference(tmp_path: Path) -> None:
    """Whatever judges: in every position of their games, with the same seeds."""
    model = tmp_path / "model.grl.json"
    learned("connect-four").save(model)
    given = "mtdf:nodes=40,evaluation=fuzzy,uct:nodes=40,alphabeta:nodes=40,evaluation=mobility"
    command = ["arena", str(model), "--players", given, "--games", "2", "--openings", "8"]
    results = ["-o", str(tmp_path / "results.jsonl")]
    told = CliRunner().invoke(main, [*command, *results, "--game", "connect-four"])
    assert told.exit_code == 0, told.output
    _, *records = map(json.loads, (tmp_path / "results.jsonl").read_text().splitlines())
    asked = sum(len(record["turns"]) - 8 for record in records)
    assert f"{asked} choices asked of connect-four, 0 differ." in told.stdout
    other = CliRunner().invoke(main, [*command, *results, "--game", "connect-four:line=3"])
    assert other.exit_code == 1
    assert "0 differ" not in other.stdout
    for players in ("swift:nodes=9,random", "mtdf:seconds=1,random"):
        command[3] = players
        assert (
            CliRunner().invoke(main, [*command, *results, "--game", "connect-four"]).exit_code == 2
        )


def test_every_pair_plays_each_opening_from_both_sides() -> None:
    listed = list(matches(3, 4))
    assert [match.number for match in listed] == list(range(12))
    assert {(match.seats, match.opening) for match in listed} == {
        (seats, opening)
        for opening in (0, 1)
        for a, b in ((0, 1), (0, 2), (1, 2))
        for seats in ((a, b), (b, a))
    }


@pytest.mark.parametrize(
    ("score", "games", "low", "high"),
    [
        (5, 10, 0.2366, 0.7634),
        (0, 10, 0.0, 0.2775),
        (81, 263, 0.2553, 0.3662),  # Newcombe, Statistics in Medicine 17 (1998), table I
        (1, 29, 0.0061, 0.1718),  # the same
    ],
)
def test_intervals_are_the_published_ones(score: int, games: int, low: float, high: float) -> None:
    assert wilson(score, games) == pytest.approx((low, high), abs=5e-5)


def test_ratings_of_two_players_are_their_difference_and_those_of_many_add_up() -> None:
    def result(first: str, second: str, won: int, lost: int) -> Standing:
        return Standing(first, second, won, 0, lost, 0, 1, (0, 0))

    one, other = rated("ab", [result("a", "b", 90, 9)])
    assert one == -other
    assert one - other == pytest.approx(elo(90.5 / 100))
    # three to one and three to one are nine to one
    chain = [result("a", "b", 300, 100), result("b", "c", 300, 100), result("a", "c", 900, 100)]
    a, b, c = rated("abc", chain)
    assert (a - b, b - c) == pytest.approx((elo(0.75), elo(0.75)), abs=1)


def test_elo_differences_are_the_usual_ones() -> None:
    assert elo(0.5) == 0
    assert elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(1) == math.inf
