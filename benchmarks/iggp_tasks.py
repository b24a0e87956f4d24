"""What `grl iggp` learns: the games of the IGGP data set, and games written here in GDL.

Each task is learned through the command line from its train file, and scored on states that the
learner has not seen: `validate` of the data set, `test` of the games in ``benchmarks/gdl``, whose
files are made when they are needed (`gdl_play.py`).
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import gdl_play

from grl.iggp import read_task, score

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data" / "iggp"
WORK = ROOT / "build" / "bench"
OWN = WORK / "gdl"
TARGETS = ("goal", "legal", "next", "terminal")


@dataclass(frozen=True, slots=True)
class Case:
    """A task: what is learned from, and what the rules are scored on."""

    name: str
    train: Path
    unseen: Path

    @property
    def target(self) -> str:
        return self.name.rpartition("_")[2]


@dataclass(frozen=True, slots=True)
class Result:
    """`accuracy` is balanced; `failed` where no rules came back, which counts as no rules."""

    accuracy: float
    perfect: bool
    failed: bool
    seconds: float
    cpu_seconds: float

    def __str__(self) -> str:
        verdict = "failed" if self.failed else "perfect" if self.perfect else "-"
        times = f"{self.seconds:5.1f} s  {self.cpu_seconds:5.1f} s CPU"
        return f"{self.accuracy:.4f}  {verdict:<7}  {times}"


def shared_cases(begins: tuple[str, ...] = ("",)) -> list[Case]:
    """Those of the data set; IGGP_DATA names another folder of it."""
    folder = Path(os.environ.get("IGGP_DATA", SHARED))
    names = sorted(path.name.removesuffix("_train.dat") for path in folder.glob("*_train.dat"))
    return [
        Case(name, *(folder / f"{name}_{split}.dat" for split in ("train", "validate")))
        for name in names
        if name.startswith(begins)
    ]


def own_cases(begins: tuple[str, ...] = ("",)) -> list[Case]:
    """Those of the games in GDL; makes the files that are missing or older than their game."""
    cases = []
    for game in gdl_play.games():
        names = [f"{game.stem}_{target}" for target in TARGETS]
        found = [
            Case(name, *(OWN / f"{name}_{split}.dat" for split in ("train", "test")))
            for name in names
            if name.startswith(begins)
        ]
        changed = max(path.stat().st_mtime for path in (game, Path(gdl_play.__file__)))
        files = [path for case in found for path in (case.train, case.unseen)]
        if not all(path.exists() and path.stat().st_mtime > changed for path in files):
            gdl_play.write_tasks(game.stem, gdl_play.read_rules(game), OWN)
        cases += found
    return cases


def measured(case: Case, time_limit: float | None = None) -> Result:
    """Learn a task and score the rules; times are those of the whole command."""
    command = [str(Path(sys.executable).with_name("grl")), "iggp", str(case.train)]
    rules = WORK / "iggp.lp"
    rules.parent.mkdir(parents=True, exist_ok=True)
    rules.write_text("", encoding="utf-8")
    command += ["-o", str(rules)]
    if time_limit is not None:
        command += ["--time-limit", f"{time_limit:g}"]
    used = _cpu_seconds()
    began = time.perf_counter()
    failed = subprocess.run(command, check=False, capture_output=True).returncode != 0
    seconds = time.perf_counter() - began
    used = _cpu_seconds() - used
    found = score(rules.read_text(encoding="utf-8"), read_task(case.unseen))
    return Result(found.balanced_accuracy, found.perfect, failed, seconds, used)


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def summary(results: Sequence[Result]) -> str:
    """Perfect tasks, mean and extremes."""
    perfect = sum(result.perfect for result in results)
    return (
        f"{statistics.mean(r.accuracy for r in results):.4f}  {perfect} perfect, "
        f"at most {max(r.seconds for r in results):.1f} s, "
        f"{sum(r.cpu_seconds for r in results):.0f} s CPU in all"
    )


def rows() -> Iterator[tuple[str, str, str]]:
    """The tasks of the data set."""
    results = []
    for case in shared_cases():
        results.append(measured(case))
        yield case.name, str(results[-1]), ""
    if not results:
        yield "no tasks", "there is no *_train.dat in the folder of the data set", ""
        return
    yield (
        f"mean of {len(results)} tasks",
        summary(results),
        "published over all 50 games: 40 % perfect",
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="iggp", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--games", choices=["shared", "own", "all"], default="all",
        help="the data set's, those in GDL, or both",
    )  # fmt: skip
    parser.add_argument("--only", default="", help="names of games or tasks begin so, with commas")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for a task")
    parser.add_argument("--write", action="store_true", help="make the files, and measure nothing")
    chosen = parser.parse_args(arguments)
    groups = {"shared": shared_cases, "own": own_cases}
    begins = tuple(chosen.only.split(","))
    for group, listed in groups.items():
        if chosen.games not in (group, "all"):
            continue
        cases = listed(begins)
        print(f"iggp, {group} games: {len(cases)} tasks", flush=True)
        if chosen.write or not cases:
            continue
        results: dict[Case, Result] = {}
        for case in cases:
            results[case] = measured(case, chosen.time_limit)
            print(f"  {case.name:<34}  {results[case]}", flush=True)
        for target in TARGETS:
            part = [result for case, result in results.items() if case.target == target]
            if part:
                print(f"  {f'{target}, {len(part)} tasks':<34}  {summary(part)}")
        print(f"  {f'all {len(results)} tasks':<34}  {summary(list(results.values()))}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
