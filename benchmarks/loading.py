"""How long a model takes to be ready to play whose library was compiled before.

Every figure is of the first call in a fresh process, in milliseconds of processor time, the median
of some processes; the interpreter's start and imports are not in it. `load` reads the model file,
`engine` makes the engine of it, `turns` lists the turns of the first position by that engine,
`legal` by the reference implementation; `written` is `engine` where no note names the library, and
the C text is written to find it.

    make bench PART="load --games checkers,amazons"
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from engine_models import LESSONS, file_of, learned
from whole_games import select

import grl
from grl.engine import kept
from grl.rulebook import Rulebook

PROCESSES = 9
PARTS = ("load", "engine", "turns", "legal")


def measured(path: str) -> dict[str, float]:
    """The figures of the model in a file, in this process, which has done nothing before."""
    moments = [time.process_time()]

    def passed() -> None:
        moments.append(time.process_time())

    rulebook: Rulebook = grl.load(path)
    passed()
    engine = rulebook.engine()
    passed()
    engine.initial.turns()
    passed()
    rulebook.legal(rulebook.initial)
    passed()
    spent = (1000 * (after - before) for before, after in pairwise(moments))
    return dict(zip(PARTS, spent, strict=True))


def figures(path: Path, processes: int, *, noted: bool = True) -> list[float]:
    """The middle of the figures of some processes."""
    command = [sys.executable, str(Path(__file__)), "--measure", str(path)]
    command += [] if noted else ["--written"]
    found = [
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(processes)
    ]
    return [statistics.median(each[part] for each in found) for part in PARTS]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="loading.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", default=",".join(LESSONS), help="some, with commas between")
    parser.add_argument("--processes", type=int, default=PROCESSES, help="for each model")
    parser.add_argument("--measure", default="", help=argparse.SUPPRESS)
    parser.add_argument("--written", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.measure:
        if chosen.written:
            vars(kept)["_generator"] = lambda: None
        print(json.dumps(measured(chosen.measure)))
        return 0
    print(f"{'ms':<30}" + "".join(f" {part:>8}" for part in (*PARTS, "written")))
    for spec in select(chosen.games):
        learned(spec)[0].engine()  # compiled, where it was not
        found = figures(file_of(spec), chosen.processes)
        found.append(figures(file_of(spec), chosen.processes, noted=False)[1])
        print(f"{spec:<30}" + "".join(f" {value:>8.1f}" for value in found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
