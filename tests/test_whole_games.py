"""The table of whole games climbs until nothing differs, and says what differs until then."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import whole_games
from race import Blind, Forgetful, Knowing, Race, race_model
from whole_games import Trial, climb, counts, perft, row, select, summary, trial

from grl.games import load
from grl.rulebook import Rulebook


@pytest.fixture(autouse=True)
def count_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_games, "FROM_REFERENCE", 2000)


def climbed(monkeypatch: pytest.MonkeyPatch, *lessons: Rulebook) -> list[Trial]:
    """What is reported when learning from more and more games gives these rulebooks."""
    given = iter(lessons)
    monkeypatch.setattr(whole_games.grl, "learn", lambda *_, **__: next(given))
    ladder = range(1, len(lessons) + 1)
    return list(climb(Race(), "race", True, 1, 40, ladder))


def test_the_first_number_of_games_from_which_nothing_differs_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = climbed(monkeypatch, Forgetful(), Blind(), Knowing(), Forgetful())[-1]
    assert (found.needed, found.games) == (3, 3)
    assert found.missing == found.surplus == found.wrong_terminal == found.wrong_goals == 0
    assert found.perft > 3
    assert set(found.endings) == {"over, white 100, black 0", "over, white 0, black 100"}


def test_on_the_last_rung_everything_that_differs_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forgetful = climbed(monkeypatch, Forgetful())[-1]
    assert forgetful.needed is None
    assert forgetful.missing > 0
    assert forgetful.perft_wrong == 1
    blind = climbed(monkeypatch, Blind())[-1]
    assert blind.needed is None
    assert blind.wrong_terminal == blind.wrong_goals == sum(blind.endings.values())


def test_a_rulebook_that_says_nothing_of_endings_is_not_exact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    silent = climbed(monkeypatch, Rulebook(race_model()))[-1]
    assert silent.needed is None
    assert silent.wrong_terminal is silent.wrong_goals is None


def test_perft_says_how_deep_it_agrees() -> None:
    assert perft(Knowing(), Race(), "race") == (len(list(counts(Race(), "race"))), None)
    assert perft(Forgetful(), Race(), "race") == (0, 1)


def test_perft_is_held_to_the_table_of_the_very_variant() -> None:
    small = "connect-four:width=5,height=4"
    assert list(counts(load(small), small))[:3] == [5, 25, 125]
    long = "connect-four:width=9,height=7,line=5"
    assert list(counts(load(long), long))[:3] == [9, 81, 729]


def test_a_trial_that_comes_to_grief_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_games.grl, "learn", lambda *_, **__: time.sleep(60))
    found = trial("tic-tac-toe", True, 1, 10, limit=0.2)
    assert found.needed is None
    assert "stopped" in found.trouble
    assert any("stopped" in line for line in row(found))


def test_commas_divide_games_and_options() -> None:
    text = "asalto,connect-four:width=5,height=4,checkers"
    assert select(text) == ["asalto", "connect-four:width=5,height=4", "checkers"]
    assert all(load(spec) for spec in select(""))


def test_the_median_counts_a_failure_as_without_end() -> None:
    trials = [Trial("x", True, seed, needed=n) for seed, n in enumerate((5, 20, None))]
    assert ": 20 games" in summary(trials)
    assert "more than 200" in summary(trials[2:])


def test_the_command_prints_rows_and_writes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "t.json"
    arguments = ["--games", "graph-game", "--seeds", "1", "--mode", "all", "--json", str(file)]
    assert whole_games.main(arguments) == 0
    printed = capsys.readouterr().out
    assert "victory, player 100: 1" in printed
    assert printed.splitlines()[-1].startswith("== graph-game, all moves")
    assert json.loads(file.read_text())[0]["positions"] == 2
