"""How fast records are read and learned from, how time and memory grow, and a cluster that fails.

Games are played at random by compiled models that were learned from the shipped records, and kept
in columnar files. Each figure is measured in a process of its own; times are of processors, of all
processes together, since a machine is seldom alone with its work.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grl
from grl.compare import compare_game
from grl.engine.recorded import random_games
from grl.games import load
from grl.resources import resident_together
from grl.traces import Traces, describe, write_traces

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench" / "scale"
SOURCES = {
    "connect-four": "connect-four/all-moves.jsonl.gz",
    "checkers": "checkers/all-moves.jsonl.gz",
}
COMPARED = 300
"""Positions on which a learned model is compared with its reference."""


def main(arguments: Sequence[str]) -> int:
    """`make bench PART="scale --games 1000000 --jobs 2"`."""
    parser = argparse.ArgumentParser(prog="scale")
    parser.add_argument("--game", action="append", choices=sorted(SOURCES))
    parser.add_argument("--games", type=int, default=100_000, help="at most so many games")
    parser.add_argument("--least", type=int, default=10_000, help="at least so many")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", choices=("a", "b", "c"))
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        print(json.dumps(_measured(Path(options.one[0]), options.one[1], int(options.one[2]))))
        return 0
    games = options.game or sorted(SOURCES)
    sizes = [10**n for n in range(4, 10) if options.least <= 10**n <= options.games]
    if options.only in (None, "a"):
        _one_core(games, min(1_000_000, options.games))
    if options.only in (None, "b"):
        _whole(games, sizes, options.jobs)
    if options.only in (None, "c"):
        _cluster(games[-1], 10_000)
    return 0


def _records(game: str, number: int) -> Path:
    """A file of that many random games, made if it is not there."""
    path = WORK / f"{game}-{number}.parquet"
    if not path.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        rulebook = grl.learn(ROOT / "traces" / SOURCES[game])
        model = rulebook.model
        header = describe(model.game, model.equipment, model.initial)
        write_traces(path, header, random_games(rulebook.engine(), number, seed=1))
    return path


def _measured(path: Path, what: str, jobs: int) -> dict[str, Any]:
    """What learning from a file takes, in this process and its children."""
    stages: dict[str, float] = {}

    def hook(stage: str, _done: int, _total: int | None) -> None:
        stages.setdefault(stage.partition(":")[0], _spent())

    began, wall = _spent(), time.perf_counter()
    rulebook = grl.learn(path, rules=what == "whole", jobs=jobs, progress=hook)
    spent, wall = _spent() - began, time.perf_counter() - wall
    rulebook.save(path.with_suffix(".grl.json"))
    report = rulebook.model.report
    return {
        "games": report["games"],
        "turns": report.get("read", report["turns"]),
        "reading": stages["movement"] - began,
        "cpu": spent,
        "wall": wall,
        "states": [dfa.size for dfa in rulebook.model.automata],
    }


def _spent() -> float:
    """Processor seconds of this process and of children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _asked(path: Path, what: str, jobs: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--one", str(path), what, str(jobs)]
    most = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        while child.poll() is None:
            most = max(most, resident_together(child.pid))
            time.sleep(0.1)
        said = child.stdout.read() if child.stdout else ""
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    found["memory"] = most >> 20
    return found


def _one_core(games: Sequence[str], number: int) -> None:
    print("one core reads single moves and learns movements from them:")
    for game in games:
        found = _asked(_records(game, number), "movements", 1)
        rate = found["turns"] / found["cpu"]
        print(
            f"  {game:<14} {found['games']:>9,} games {found['turns']:>11,} turns"
            f"  {found['cpu']:6.1f} s  {rate:9,.0f} turns/s  states {found['states']}",
            flush=True,
        )


def _whole(games: Sequence[str], sizes: Sequence[int], jobs: int) -> None:
    print(f"games learned whole by {jobs} processes: processor time, memory of all together:")
    for game in games:
        for number in sizes:
            path = _records(game, number)
            found = _asked(path, "whole", jobs)
            learned = grl.load(path.with_suffix(".grl.json"))
            result = compare_game(learned, load(game), COMPARED, endings=10)
            print(
                f"  {game:<14} {number:>9,} games {found['turns']:>11,} turns"
                f"  reading {found['reading']:7.1f} s, all {found['cpu']:7.1f} s"
                f" ({found['wall']:,.0f} s by the clock)  {found['memory']:6,.0f} MB"
                f"  {result.missing} turns missing, {result.surplus} too many of {result.turns:,}"
                f", {'the same as' if result.same else 'not the same as'} the reference",
                flush=True,
            )


def _cluster(game: str, number: int) -> None:
    """A cluster of three processes, of which one is killed: the model, byte by byte."""
    from distributed import Client, LocalCluster

    print("three workers of a Dask cluster, one of them killed on the way:")
    path = _records(game, number)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--nthreads", "1"]
    with (
        TemporaryDirectory() as folder,
        LocalCluster(n_workers=0, processes=True, dashboard_address=None) as cluster,  # type: ignore[no-untyped-call]
    ):
        address = cluster.scheduler_address
        workers = [
            subprocess.Popen([*command, address], stderr=subprocess.DEVNULL) for _ in range(3)
        ]
        killed: list[int] = []

        def hook(stage: str, _done: int, _total: int | None) -> None:
            if stage == "reading traces" and not killed:
                workers[0].kill()
                killed.append(workers[0].pid)

        try:
            with Client(address) as client:  # type: ignore[no-untyped-call]
                client.wait_for_workers(3, timeout=60)
            began = time.perf_counter()
            lost = Path(folder) / "cluster.json"
            grl.learn(path, rules=False, scheduler=address, progress=hook).save(lost)
            seconds = time.perf_counter() - began
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
        alone = Path(folder) / "alone.json"
        grl.learn(path, rules=False).save(alone)
        same = alone.read_bytes() == lost.read_bytes()
        games = sum(1 for _ in Traces.open(path).records()) if number <= 10**4 else number
        print(
            f"  {game}, {games:,} games: {seconds:.0f} s by the clock, killed {len(killed)} of 3;"
            f" the model {'is the same' if same else 'DIFFERS'}",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
