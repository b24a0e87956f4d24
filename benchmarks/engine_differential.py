"""Engines against the reference implementation on as many positions as wanted.

Random models first (`tests/random_models.py`), each on some positions from random play and from
nowhere, then the learned models that `engine.py` measures. Everything is compared that
`tests/engine/differential.py` compares; whatever differs is printed with all that is needed to see
it again, and makes the exit status 1. Without an engine the reference is compared with itself,
which only shows how long that takes.

    python benchmarks/engine_differential.py --positions 1000000 --jobs 2
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from engine_models import LESSONS, learned

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "tests"), str(ROOT / "tests" / "engine")]

EACH = 250
"""Positions of a random model."""
SHOWN = 20
"""Differences that are printed."""
LEARNED = 1 / 8
"""The share of positions that learned models get, together."""


@dataclass
class Found:
    """What a comparison has met and what differed."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def of_seed(seed: int, positions: int) -> Found:
    """The random model of a seed."""
    models = import_module("random_models")
    return _compared(f"random {seed}", models.random_model(seed), seed, positions)


def of_game(spec: str, positions: int) -> Found:
    """The learned model of a game of `engine.py`."""
    return _compared(spec, learned(spec)[0].model, 1, positions)


def _compared(name: str, model: Any, seed: int, positions: int) -> Found:
    tools, models = import_module("differential"), import_module("random_models")
    reference = tools.reference_of(model)
    rulebook = import_module("grl.rulebook").Rulebook(model)
    make = getattr(rulebook, "engine", None)
    engine = tools.PlainEngine(reference) if make is None else make()
    met = tools.Met()
    found = Found(name)
    try:
        some = islice(models.walks(reference, seed), positions)
        for difference in tools.compare(reference, engine, some, met):
            found.differences.append(str(difference))
            if len(found.differences) == SHOWN:
                break
    except Exception as error:
        found.differences.append(f"{name}: {type(error).__name__}: {error}")
    found.counts = met.counts
    return found


def run(positions: int, first: int, jobs: int) -> Iterator[Found]:
    """The comparisons, in the order in which they are done."""
    specs = list(LESSONS)
    of_games = max(1, int(positions * LEARNED) // len(specs))
    seeds = range(first, first + max(1, int(positions * (1 - LEARNED)) // EACH))
    if jobs == 1:
        yield from (of_seed(seed, EACH) for seed in seeds)
        yield from (of_game(spec, of_games) for spec in specs)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        waiting = [pool.submit(of_seed, seed, EACH) for seed in seeds]
        waiting += [pool.submit(of_game, spec, of_games) for spec in specs]
        for future in as_completed(waiting):
            yield future.result()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="engine_differential.py", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first random model")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", type=int, default=20, help="models between two lines")
    chosen = parser.parse_args(arguments)
    total, models, wrong = Counter[str](), 0, 0
    began = time.perf_counter()
    for found in run(chosen.positions, chosen.first, chosen.jobs):
        models += 1
        total += found.counts
        wrong += bool(found.differences)
        for text in found.differences[:SHOWN]:
            print(f"! {found.name}: {text}", flush=True)
        if models % chosen.every == 0:
            print(_line(models, total, wrong, began), flush=True)
    print(_line(models, total, wrong, began), flush=True)
    return 1 if wrong else 0


def _line(models: int, total: Counter[str], wrong: int, began: float) -> str:
    counts = ", ".join(f"{total[name]:,} {name}" for name in ("positions", "turns", "over"))
    given_up = f", {total['given up']:,} given up" if total["given up"] else ""
    seconds = time.perf_counter() - began
    return f"{models:,} models, {counts}{given_up}; {wrong:,} models differ; {seconds:,.0f} s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
