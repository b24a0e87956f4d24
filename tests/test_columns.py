"""Columnar records: replayed and counted over arrays as one by one, in parts, after breaks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner
from learned import learned
from made_up_game import MadeUp

import grl
from grl import drivers
from grl.cli import main
from grl.engine.engine import Engine
from grl.engine.recorded import random_games
from grl.errors import GrlError, TraceError
from grl.games import load
from grl.generate import generate
from grl.records import Records
from grl.sgrl.evidence import Evidence
from grl.shardfile import from_bytes, to_bytes
from grl.shards import Reading, Shard
from grl.traces import Traces, header_dict, write_traces

pytest.importorskip("pyarrow")

from grl.parquetio import write_columns

SOURCES = {
    "tic-tac-toe": (80, None),
    "checkers": (10, 60),
    "connect-four:width=5,height=4": (60, None),
    "made-up": (30, 40),
    "nine-mens-morris": (3, 40),
    "go:size=2": (20, 20),
}


@cache
def records_of(source: str) -> tuple[dict, tuple[dict, ...]]:
    games, most = SOURCES[source]
    game = MadeUp() if source == "made-up" else load(source)
    made = generate(game, games, all_moves=False, seed=2, max_plies=most, endgames=0.3)
    return header_dict(game), tuple(made)


def shard_of(limit: int) -> Shard:
    return Shard(Evidence(limit=limit), Records(limit, limit))


def one_by_one(path: Path, limit: int) -> Shard:
    shard = shard_of(limit)
    for play in Traces.open(path):
        shard.observe(play)
    return shard


def over_arrays(path: Path, limit: int) -> Shard:
    reading = Reading()
    reading.shard = shard_of(limit)
    reading.add(Traces.open(path))
    return reading.shard


def content(shard: Shard) -> tuple[object, ...]:
    """All that is learned from."""
    moments = shard.records.sorted_moments()
    return (
        shard.games,
        shard.turns,
        shard.evidence.settled(),
        moments,
        [(list(m.position.trail or ()), m.position.moved) for m in moments],
        shard.records.sorted_ends(),
    )


@pytest.mark.parametrize("limit", [10**6, 40])
@pytest.mark.parametrize("source", SOURCES)
def test_arrays_say_what_games_say_one_by_one(source: str, limit: int, tmp_path: Path) -> None:
    header, plays = records_of(source)
    write_traces(tmp_path / "g.jsonl", header, plays)
    write_columns(tmp_path / "g.parquet", header, plays, rows=7)
    expected = content(one_by_one(tmp_path / "g.jsonl", limit))
    assert content(over_arrays(tmp_path / "g.jsonl", limit)) == expected
    assert content(over_arrays(tmp_path / "g.parquet", limit)) == expected


@pytest.mark.parametrize("limit", [10**6, 25])
def test_parts_kept_as_bytes_and_merged_in_any_order_are_the_whole(
    limit: int, tmp_path: Path
) -> None:
    header, plays = records_of("checkers")
    write_columns(tmp_path / "g.parquet", header, plays, rows=1)
    equipment = Traces.open(tmp_path / "g.parquet").header.equipment
    expected = content(over_arrays(tmp_path / "g.parquet", limit))
    for seed in range(3):
        parts = []
        for number in range(4):
            reading = Reading()
            reading.shard = shard_of(limit)
            reading.add(Traces.open(tmp_path / "g.parquet").part(number, 4))
            parts.append(from_bytes(to_bytes(reading.shard, []), equipment)[0])
        Random(seed).shuffle(parts)
        whole = shard_of(limit)
        for part in parts:
            whole.merge(part)
        assert content(whole) == expected


def test_every_kind_of_turn_has_witnesses_in_a_small_sample(tmp_path: Path) -> None:
    header, plays = records_of("checkers")
    write_traces(tmp_path / "g.jsonl", header, plays)
    everything, few = (
        {
            (d.mover, d.cells[Traces.open(tmp_path / "g.jsonl").header.equipment.board.square(
                text.partition(" ")[0])], text.partition(" ")[2])
            for d, turns in shard.evidence.settled().decisions.items()
            for text in turns
        }
        for shard in (one_by_one(tmp_path / "g.jsonl", limit) for limit in (10**6, 5))
    )  # fmt: skip
    assert few == everything


def test_a_columnar_file_holds_what_a_file_of_lines_holds(tmp_path: Path) -> None:
    game = MadeUp()
    plays = list(generate(game, 6, all_moves=True, seed=1, max_plies=20, endgames=0.5))
    write_traces(tmp_path / "g.jsonl", header_dict(game), plays)
    write_traces(tmp_path / "g.parquet", header_dict(game), plays)
    lines = [(record, play) for record, play in Traces.open(tmp_path / "g.jsonl").with_records()]
    rows = [(record, play) for record, play in Traces.open(tmp_path / "g.parquet").with_records()]
    assert rows == lines


def test_files_are_converted_there_and_back(tmp_path: Path) -> None:
    header, plays = records_of("made-up")
    write_traces(tmp_path / "a.jsonl", header, plays)
    for source, target in (("a.jsonl", "b.parquet"), ("b.parquet", "c.jsonl")):
        command = ["traces", "convert", str(tmp_path / source), "-o", str(tmp_path / target)]
        assert CliRunner().invoke(main, command).exit_code == 0
    known = [play for _, play in Traces.open(tmp_path / "a.jsonl").with_records()]
    assert [play for _, play in Traces.open(tmp_path / "c.jsonl").with_records()] == known
    assert any(a.by == b.by for play in known for a, b in pairwise(play.plies))


def test_a_compiled_model_records_games_that_its_reference_calls_legal(tmp_path: Path) -> None:
    game, rulebook = load("tic-tac-toe"), learned("tic-tac-toe")
    engine = rulebook.engine()
    plays = list(random_games(engine, 30, seed=3))
    assert plays[7:9] == list(random_games(engine, 9, seed=3))[7:]
    assert [play["end"] for play in random_games(engine, 5, most=3)] == ["stopped"] * 5
    write_traces(tmp_path / "g.jsonl", header_dict(game), plays)
    for play in Traces.open(tmp_path / "g.jsonl"):
        assert all(ply.turn in game.legal(ply.position) for ply in play.plies)
        assert game.goals(play.final) == play.goals
    slow = list(random_games(Engine(engine.rulings, None), 4))
    assert all(play["goals"] and len(play["turns"]) > 4 for play in slow)
    assert len({json.dumps(play["turns"]) for play in plays}) > 20


BREAKS = {
    "a turn that does not fit": lambda play: play["turns"][2].update(turn="a1 (0 1 e)"),
    "no turn at all": lambda play: play["turns"][1].update(turn="nonsense"),
    "an unknown player": lambda play: play["turns"][1].update(by="nobody"),
    "the wrong player first": lambda play: play["turns"][0].update(by="o"),
    "a goal that is none": lambda play: play["goals"].update(x=101),
    "an end that is none": lambda play: play.update(end="soon"),
    "another first position": lambda play: play.update(initial={"to_move": "x", "rows": ["..."]}),
}


@pytest.mark.parametrize("how", BREAKS)
def test_a_broken_game_is_refused_in_the_same_words(how: str, tmp_path: Path) -> None:
    header, plays = records_of("tic-tac-toe")
    broken = json.loads(json.dumps(plays[:9]))
    BREAKS[how](broken[4])
    write_traces(tmp_path / "g.jsonl", header, broken)
    write_columns(tmp_path / "g.parquet", header, broken)
    said = []
    for name in ("g.jsonl", "g.parquet"):
        with pytest.raises(GrlError) as caught:
            list(Traces.open(tmp_path / name))
        with pytest.raises(GrlError) as again:
            over_arrays(tmp_path / name, 100)
        assert str(again.value) == str(caught.value)
        said.append(str(caught.value).replace(str(tmp_path / name), ""))
    assert said[0] == said[1]


def test_the_worked_example_of_the_page_is_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Path(__file__).parent.parent / "docs" / "scale.md"
    code = page.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    (play,) = Traces.open("race.parquet")
    assert [ply.turn for ply in play.plies] == ["a1 (0 1 e)", "a2 (0 1 e)"]
    assert play.goals == {"x": 100}
    assert over_arrays(Path("race.parquet"), 10).games == 1


def test_files_that_are_no_columnar_traces_are_refused(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more")
    pyarrow.parquet.write_table(pyarrow.table({"turns": [["a"]]}), tmp_path / "b.parquet")
    for name in ("a.parquet", "b.parquet"):
        with pytest.raises(TraceError):
            Traces.open(tmp_path / name)


@pytest.fixture(scope="module")
def many():
    """Games in fifteen parts, and the model learned from all of them in one process."""
    with TemporaryDirectory() as folder:
        header, plays = records_of("tic-tac-toe")
        path = Path(folder) / "games.parquet"
        write_columns(path, header, plays[:75], rows=5)
        yield path, model_of(path)


def model_of(path: Path | str, **options) -> bytes:
    with TemporaryDirectory() as folder:
        grl.learn(path, rules=False, **options).save(Path(folder) / "model.json")
        return (Path(folder) / "model.json").read_bytes()


def test_reading_goes_on_after_a_break_and_nothing_is_read_twice(
    many: tuple[Path, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, expected = many
    monkeypatch.setattr(drivers, "SAVE", 0.0)
    files = [Traces.open(path)]
    parts = drivers.parts_of(files)
    assert len(parts) == 15
    (tmp_path / "kept").mkdir()
    # What a process leaves that was killed after four parts, and another after three.
    for number, some in enumerate((parts[:4], parts[9:12])):
        reading = Reading()
        for part in some:
            reading.add(part.opener().part(part.number, part.parts))
        names = [part.name for part in some]
        (tmp_path / "kept" / f"{number}.shard").write_bytes(to_bytes(reading.shard, names))
    _, left, number = drivers._saved(files, parts, tmp_path / "kept")
    assert [part.number for part in left] == [4, 5, 6, 7, 8, 12, 13, 14]
    assert number == 2
    assert model_of(path, resume=tmp_path / "kept", jobs=2) == expected
    assert not drivers._saved(files, parts, tmp_path / "kept")[1]
    assert model_of(path, resume=tmp_path / "kept") == expected
    os.utime(path, ns=(1, 1))
    with pytest.raises(GrlError, match="changed"):
        model_of(path, resume=tmp_path / "kept")


def test_a_reader_that_is_killed_leaves_what_the_next_one_goes_on_with(
    many: tuple[Path, bytes], tmp_path: Path
) -> None:
    path, expected = many
    script = (
        "import os, sys, grl\n"
        "from grl import children, drivers\n"
        "children.SELDOM = drivers.SAVE = 0.0\n"
        "def hook(stage, done, total):\n"
        "    if stage == drivers.STAGE and done > 20:\n"
        "        os.kill(os.getpid(), 9)\n"
        f"grl.learn({str(path)!r}, resume={str(tmp_path / 'kept')!r}, progress=hook)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -9
    assert list((tmp_path / "kept").glob("*.shard"))
    assert model_of(path, resume=tmp_path / "kept") == expected


def test_a_cluster_that_loses_a_worker_learns_the_same_model(
    many: tuple[Path, bytes], tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    path, expected = many
    command = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--no-dashboard"]
    workers: list[subprocess.Popen] = []
    killed = []

    def hook(stage: str, _done: int, _total: int | None) -> None:
        if stage == drivers.STAGE and not killed:
            killed.append(workers[1])
            workers[1].kill()

    with distributed.LocalCluster(
        n_workers=0, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        address = cluster.scheduler_address
        try:
            workers += [
                subprocess.Popen([*command, "--nthreads", "1", address], stderr=subprocess.DEVNULL)
                for _ in range(3)
            ]
            with distributed.Client(address) as client:
                client.wait_for_workers(3, timeout=60)
            assert model_of(path, scheduler=address, progress=hook) == expected
            assert killed[0].wait(10) == -9
            # What comes here to be kept is the same, and a second call reads nothing.
            for _ in range(2):
                assert model_of(path, scheduler=address, resume=tmp_path) == expected
        finally:
            for worker in workers:
                worker.kill()
                worker.wait(10)


def test_files_elsewhere_are_read_by_their_scheme(many: tuple[Path, bytes]) -> None:
    fsspec = pytest.importorskip("fsspec")
    path, expected = many
    with fsspec.open("memory://bucket/games.parquet", "wb") as stream:
        stream.write(path.read_bytes())
    assert model_of("memory://bucket/games.parquet") == expected
    with pytest.raises(TraceError):
        Traces.open("memory://bucket/none.jsonl")
