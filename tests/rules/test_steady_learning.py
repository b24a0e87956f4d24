"""Equal records give equal models, stopped games no endings, and a mistaken record no harm."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from lessons import games_of, taught
from made_up_game import MadeUp
from reversing_game import Reversing

import grl
from grl.compare import compare_game
from grl.compiler import Kernel
from grl.engine import generator
from grl.games import Game, load
from grl.logic import intersections
from grl.rulebook import Rulebook
from grl.rules.search import hitting_sets
from grl.traces import header_dict, write_traces

GAMES = 4


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two small files of checkers."""
    folder = tmp_path_factory.mktemp("checkers")
    game = load("checkers")
    plays = iter(games_of(game, 2 * GAMES, endgames=0.5, max_plies=60))
    paths = [folder / "one.jsonl", folder / "two.jsonl"]
    for path in paths:
        write_traces(path, header_dict(game), islice(plays, GAMES))
    return paths


def written(rulebook: Rulebook, path: Path) -> bytes:
    rulebook.save(path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def model(files: list[Path]) -> bytes:
    """The model file that one process makes of the files in their order."""
    rulebook = grl.learn(files)
    rules = rulebook.model.rules
    assert rules is not None
    assert rules.restrictions
    assert rules.endings
    return written(rulebook, files[0].with_name("model.grl.json"))


def test_names_of_files_and_the_games_in_each_make_no_difference(
    files: list[Path], model: bytes, tmp_path: Path
) -> None:
    """All games stand in one file, the last one first."""
    lines = [line for path in files for line in path.read_text().splitlines()[1:]]
    whole = tmp_path / "all.jsonl"
    header = files[0].read_text().splitlines()[0]
    whole.write_text("\n".join([header, *reversed(lines), ""]))
    assert written(grl.learn([whole]), tmp_path / "m.grl.json") == model


def test_the_order_of_the_files_and_the_number_of_processes_make_no_difference(
    files: list[Path], model: bytes, tmp_path: Path
) -> None:
    assert written(grl.learn(files[::-1], jobs=2), tmp_path / "m.grl.json") == model


def test_the_seed_of_hashing_makes_no_difference(
    files: list[Path], model: bytes, tmp_path: Path
) -> None:
    program = "import sys, grl; grl.learn(sys.argv[2:]).save(sys.argv[1])"
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    target = tmp_path / f"{seed}.grl.json"
    command = [sys.executable, "-c", program, str(target), *map(str, files)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    assert target.read_bytes() == model


# Games that were broken off, and records that are wrong.


@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect-four:width=5,height=4"])
def test_stopped_games_say_nothing_of_endings(spec: str) -> None:
    game = load(spec)
    plays = games_of(game, 10)
    told = taught(game, plays)
    stopped = taught(game, [{**play, "end": "stopped", "goals": None} for play in plays])
    assert told.knows_goals
    assert told.model.rules is not None
    assert told.model.rules.endings
    assert stopped.model.rules is not None
    assert stopped.model.rules.endings == ()
    assert not stopped.knows_goals
    assert stopped.model.report["endings"]["terminal"] == 0
    assert stopped.model.rules.restrictions == told.model.rules.restrictions
    assert stopped.goals(stopped.initial) == {}


def test_a_stopped_game_among_others_is_no_ending() -> None:
    """Where it broke off the game went on in others."""
    game = load("tic-tac-toe")
    plays = games_of(game, 30)
    cut = [
        {**play, "turns": play["turns"][:n], "end": "stopped", "goals": None}
        for play, n in zip(plays, (1, 2, 3, 4) * 5, strict=False)
    ]
    found = compare_game(taught(game, plays + cut), game, 100, 3, endings=50)
    assert found.same
    assert {e.kind for e in found.endings} == {"board full", "line"}


@pytest.mark.parametrize("length", [1, 3])
def test_an_end_that_is_a_mistake_does_not_break_what_is_learned(length: int) -> None:
    """A record says that the game was over where it went on in all others."""
    game = load("connect-four:width=5,height=4")
    plays = games_of(game, 15)
    assert all(play["end"] == "terminal" for play in plays)
    first = next(play for play in plays if "initial" not in play)
    goals = {"white": 100, "black": 0}
    slip = {**first, "id": "slip", "turns": first["turns"][:length], "goals": goals}
    rulebook = taught(game, [slip, *plays])
    found = compare_game(rulebook, game, 100, 3, endings=20)
    assert (found.missing, found.surplus, found.early) == (0, 0, 0), found.examples[:1]
    assert all(e.met == e.recognised == e.right for e in found.endings), found.examples[:1]
    assert rulebook.model.report["endings"]["unexplained"] == 1


def test_games_of_which_no_end_was_seen_still_give_turns() -> None:
    game = MadeUp()
    rulebook = taught(game, games_of(game, 8, endgames=0, max_plies=12))
    assert rulebook.model.rules is not None
    assert rulebook.model.rules.endings == ()
    assert rulebook.legal(rulebook.initial)
    assert not rulebook.knows_goals


@pytest.mark.parametrize("game", [load("checkers"), Reversing(4)], ids=lambda game: game.name)
def test_a_compiler_makes_no_difference(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is one it is asked at once."""
    path = tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), games_of(game, 12, endgames=0, max_plies=40))
    monkeypatch.setattr(generator, "WORTH_COMPILING", 1)
    monkeypatch.setattr(generator, "WORTH_WITHOUT", 1)
    written_with = []
    for compiler in ("none", ""):
        monkeypatch.setenv("GRL_COMPILER", compiler)
        for module, package in ((intersections, "grl.logic"), (hitting_sets, "grl.rules.search")):
            name = module.__name__.rpartition(".")[2]
            monkeypatch.setattr(module, "_KERNEL", Kernel(package, name, worth=0))
        written_with.append(written(grl.learn(path), tmp_path / "m.grl.json"))
    assert written_with[0] == written_with[1]
