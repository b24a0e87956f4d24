"""Learning end to end: the same records give the same bytes, and bad ones a clear error."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from learned import record

import grl
from grl.errors import GrlError, LearnError, TraceError
from grl.logic.geometry import Geometry
from grl.logic.grid import Grid
from grl.traces import Traces

SPECS = {"breakthrough:width=5,height=5": 3, "connect-four": 4}
"""Games that are quick to learn; `rules/test_steady_learning.py` asks the same of checkers."""
LEARN = "import sys, grl; grl.learn(sys.argv[2:]).save(sys.argv[1])"


def saved(path: Path, *sources: Path, **options: object) -> bytes:
    grl.learn(list(sources), **options).save(path)  # type: ignore[arg-type]
    return path.read_bytes()


def split(path: Path, cuts: list[Path]) -> list[Path]:
    """The games of a file dealt out to several files, in turn."""
    header, *games = path.read_text().splitlines(keepends=True)
    for i, cut in enumerate(cuts):
        cut.write_text(header + "".join(games[i :: len(cuts)]))
    return cuts


def test_nothing_of_learning_stays_in_memory(tmp_path: Path) -> None:
    """What was known of positions and turns went on living in caches beside classes."""
    path = record("connect-four", tmp_path / "games.jsonl", 4)
    gc.collect()
    before = {id(each) for each in gc.get_objects() if isinstance(each, Geometry | Grid)}
    grl.learn(path)
    gc.collect()
    left = [each for each in gc.get_objects() if isinstance(each, Geometry | Grid)]
    assert {id(each) for each in left} <= before


@pytest.mark.parametrize("spec", SPECS)
def test_other_hash_seeds_give_the_same_bytes(spec: str, tmp_path: Path) -> None:
    path = record(spec, tmp_path / "games.jsonl", SPECS[spec])
    model = tmp_path / "other.grl.json"
    seed = "0" if os.environ.get("PYTHONHASHSEED") == "4242" else "4242"
    subprocess.run(
        [sys.executable, "-c", LEARN, str(model), str(path)],
        check=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    assert model.read_bytes() == saved(tmp_path / "here.grl.json", path)


@pytest.mark.parametrize("spec", SPECS)
def test_the_order_and_cut_of_files_changes_nothing(spec: str, tmp_path: Path) -> None:
    whole = record(spec, tmp_path / "whole.jsonl", SPECS[spec])
    one, two = split(whole, [tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    model = tmp_path / "model.grl.json"
    together = saved(model, whole)
    assert saved(model, one, two) == together
    assert saved(model, two, one) == together
    assert saved(model, one) != together, "half the games must not be recognisable"


def test_the_names_of_files_change_nothing(tmp_path: Path) -> None:
    whole = record("breakthrough:width=5,height=5", tmp_path / "whole.jsonl", 3)
    model = tmp_path / "model.grl.json"
    contents = set()
    for names in (("a.jsonl", "b.jsonl", "c.jsonl"), ("z.jsonl", "y.jsonl", "x.jsonl")):
        contents.add(saved(model, *split(whole, [tmp_path / name for name in names])))
    assert contents == {saved(model, whole)}


@pytest.mark.parametrize("all_moves", [True, False])
def test_a_sample_of_positions_is_the_same_whatever_the_order(
    all_moves: bool, tmp_path: Path
) -> None:
    whole = record("breakthrough:width=5,height=5", tmp_path / "w.jsonl", 4, all_moves=all_moves)
    one, two = split(whole, [tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    model = tmp_path / "model.grl.json"
    options = {"positions": 25, "seed": 3}
    sample = saved(model, whole, **options)
    assert saved(model, one, two, **options) == sample
    assert saved(model, two, one, **options) == sample
    assert saved(model, whole, positions=25, seed=4) != sample
    assert json.loads(sample)["report"]["decisions"] == 25


def test_one_path_alone_open_traces_and_lists_are_all_taken(tmp_path: Path) -> None:
    path = record("tic-tac-toe", tmp_path / "games.jsonl", 1)
    models = [
        grl.learn(path).model,
        grl.learn(str(path)).model,
        grl.learn([str(path)]).model,
        grl.learn(Traces.open(path)).model,
        grl.learn(iter([Traces.open(path)])).model,
    ]
    assert all(model == models[0] for model in models)


def test_the_report_counts_games_decisions_and_turns(tmp_path: Path) -> None:
    path = record("tic-tac-toe", tmp_path / "games.jsonl", 5)
    games = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    report = grl.learn(path).model.report
    assert report["games"] == 5
    assert report["bad"] == 0
    positions = {
        ply.position.outcome: len(ply.legal or ())
        for play in Traces.open(path)
        for ply in play.plies
    }
    assert report["decisions"] == report["complete"] == len(positions)
    assert report["turns"] == sum(positions.values())
    assert len(positions) < sum(len(game["turns"]) for game in games)


def test_learning_reports_its_progress(tmp_path: Path) -> None:
    path = record("tic-tac-toe", tmp_path / "games.jsonl", 2)
    stages: list[str] = []
    grl.learn(path, progress=lambda what, done, total: stages.append(what))  # noqa: ARG005
    assert any("movement" in what for what in stages)
    assert any("machines" in what for what in stages)


def test_without_locm_there_are_no_machines(tmp_path: Path) -> None:
    path = record("breakthrough:width=5,height=5", tmp_path / "games.jsonl", 2)
    assert grl.learn(path).model.machines
    assert grl.learn(path, locm=False).model.machines == ()


# Passing and segments, as records show them.

HEADER = {
    "format": "grl-trace/1",
    "game": "walk",
    "board": {"width": 3, "height": 1},
    "players": ["white", "black"],
    "pieces": {
        "w": {"player": "white", "type": "man"},
        "b": {"player": "black", "type": "man"},
    },
    "initial": {"to_move": "white", "rows": ["w.b"]},
}


def written(path: Path, *plays: object, **changes: object) -> Path:
    lines = [{**HEADER, **changes}, *plays]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def turns(*items: object) -> dict[str, object]:
    return {"id": "g", "turns": list(items), "end": "stopped"}


def test_a_pass_listed_beside_other_turns_is_free(tmp_path: Path) -> None:
    step = {"turn": "a1 (1 0 e)", "legal": ["a1 (1 0 e)"]}
    only = {"turn": "pass", "legal": ["pass"]}
    beside = {"turn": "pass", "legal": ["pass", "c1 (-1 0 e)"]}
    cases = {
        "forced": [turns(step, only)],
        "free": [turns({"turn": "a1 (1 0 e)"}, {"turn": "pass"})],
    }
    for kind, plays in cases.items():
        rulebook = grl.learn(written(tmp_path / f"{kind}.jsonl", *plays), rules=False)
        assert rulebook.model.passes == {"black": kind}
    other = {"initial": {"to_move": "black", "rows": ["w.b"]}, **turns(beside)}
    rulebook = grl.learn(written(tmp_path / "mixed.jsonl", turns(step, only), other))
    assert rulebook.model.passes == {"black": "free"}
    assert grl.learn(written(tmp_path / "none.jsonl", turns(step))).model.passes == {}


def test_the_most_segments_of_a_turn_are_kept(tmp_path: Path) -> None:
    one = turns({"turn": "a1 (1 0 e)"})
    two = turns({"turn": "a1 (1 0 e); c1 (0 0 d)"})
    assert grl.learn(written(tmp_path / "one.jsonl", one)).model.segments == 1
    assert grl.learn(written(tmp_path / "two.jsonl", one, two)).model.segments == 2


# What can't be learned from.


def refused(kind: type[GrlError], *sources: Path) -> str:
    with pytest.raises(GrlError) as caught:
        grl.learn(list(sources))
    assert isinstance(caught.value, kind)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_no_files_at_all_are_an_error() -> None:
    assert "no trace file" in refused(LearnError)


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    text = refused(TraceError, tmp_path / "nowhere.jsonl")
    assert "nowhere.jsonl" in text


def test_a_missing_file_among_others_is_found_before_anything_is_learned(tmp_path: Path) -> None:
    good = record("tic-tac-toe", tmp_path / "good.jsonl", 1)
    assert "nowhere.jsonl" in refused(TraceError, good, tmp_path / "nowhere.jsonl")


def test_files_without_a_turn_are_an_error_that_names_them(tmp_path: Path) -> None:
    empty = written(tmp_path / "empty.jsonl")
    idle = written(tmp_path / "idle.jsonl", turns(), turns())
    assert "empty.jsonl" in refused(LearnError, empty)
    text = refused(LearnError, empty, idle)
    assert "no turn" in text
    assert "2 games" in text
    assert "idle.jsonl" in text


@pytest.mark.parametrize(
    ("part", "changes"),
    [
        ("board", {"board": {"width": 3, "height": 1, "links": [["a1", "b1"]]}}),
        ("players", {"players": ["white", "black", "red"]}),
        ("pieces", {"pieces": {**HEADER["pieces"], "x": {"player": None, "type": "arrow"}}}),
        (
            "stocked",
            {"initial": {"to_move": "white", "rows": ["w.b"], "reserve": {"white": {"w": 1}}}},
        ),
    ],
)
def test_files_of_different_games_are_an_error_that_names_both(
    part: str, changes: dict[str, object], tmp_path: Path
) -> None:
    play = turns({"turn": "a1 (1 0 e)"})
    one = written(tmp_path / "one.jsonl", play)
    two = written(tmp_path / "two.jsonl", play, **changes)
    texts = {refused(LearnError, one, two), refused(LearnError, two, one)}
    assert len(texts) == 1, "the order of files shows in the error"
    (text,) = texts
    assert part in text
    assert "one.jsonl" in text
    assert "two.jsonl" in text


def test_a_broken_game_stops_learning_unless_it_is_to_be_skipped(tmp_path: Path) -> None:
    good, bad = turns({"turn": "a1 (1 0 e)"}), turns({"turn": "a1 (1 0 p)"})
    path = written(tmp_path / "broken.jsonl", good, bad)
    text = refused(GrlError, path)  # type: ignore[type-abstract]
    assert "broken.jsonl:3" in text
    rulebook = grl.learn(path, skip_bad=True)
    assert rulebook.model.report["bad"] == 1
    assert rulebook.model.report["games"] == 2
