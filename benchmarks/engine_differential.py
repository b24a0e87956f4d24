"""Engines against the reference implementation on as many positions as wanted.

Random models first (`tests/random_models.py`), each on some positions from random play and from
nowhere, then the learned models that `engine.py` measures, in parts. Everything is compared that
`tests/engine/differential.py` compares; whatever differs is printed with all that is needed to see
it again, and makes the exit status 1. Seeds go up from `--first`: each line says from which one a
run goes on that was broken off. Without an engine the reference is compared with itself,
which only shows how long that takes.

    make bench PART="differential --positions 1000000 --jobs 2"
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from engine_models import LESSONS, learned
from whole_games import select

from grl.errors import ModelError

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "tests"), str(ROOT / "tests" / "engine")]

EACH = 250
"""Positions of a random model, and of a learned one at a time."""
SUCCESSORS = 60
"""Turns of a position that are played in Python, at most; tests play more of them."""
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


def of_seed(seed: int) -> Found:
    """The random model of a seed."""
    name = f"random {seed}"
    try:
        model = import_module("random_models").random_model(seed)
    except ModelError:  # a term deeper than a file may have
        return Found(name, Counter(refused=1))
    return _compared(name, model, seed)


def of_game(spec: str, seed: int) -> Found:
    """The learned model of a game of `engine.py`, on the positions of a seed."""
    return _compared(spec, learned(spec)[0].model, seed)


class Remembering:
    """A reference that knows the legal turns of the last position: two ask for them."""

    def __init__(self, reference: Any) -> None:
        self._reference = reference
        self._last: Any = None
        self._turns: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reference, name)

    def legal(self, position: Any) -> list[Any]:
        """The legal turns of a position."""
        if position is not self._last:
            self._turns = self._reference.legal(position)
            self._last = position
        return self._turns


def _compared(name: str, model: Any, seed: int) -> Found:
    tools, models = import_module("differential"), import_module("random_models")
    vars(tools)["SUCCESSORS"] = SUCCESSORS
    reference = Remembering(tools.reference_of(model))
    rulebook = import_module("grl.rulebook").Rulebook(model)
    make = getattr(rulebook, "engine", None)
    engine = tools.PlainEngine(reference) if make is None else make()
    met = tools.Met()
    found = Found(name)
    try:
        some = islice(models.walks(reference, seed), EACH)
        for difference in tools.compare(reference, engine, some, met):
            found.differences.append(str(difference))
            if len(found.differences) == SHOWN:
                break
    except Exception as error:
        found.differences.append(f"{name}: {type(error).__name__}: {error}")
    found.counts = met.counts
    return found


Task = tuple[Callable[..., Found], tuple[Any, ...]]


def tasks(positions: int, first: int, games: Sequence[str]) -> list[Task]:
    """The comparisons: random models, then games in turn."""
    of_games = int(positions * LEARNED) // EACH if games else 0
    found: list[Task] = [(of_seed, (first + n,)) for n in range(positions // EACH - of_games)]
    for number in range(of_games):
        found.append((of_game, (games[number % len(games)], first + number // len(games))))
    return found


def run(todo: Sequence[Task], jobs: int) -> Iterator[tuple[int, Found]]:
    """What was found, as it comes, with the numbers of tasks."""
    if jobs == 1:
        for number, (compare, arguments) in enumerate(todo):
            yield number, compare(*arguments)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        waiting = {pool.submit(each, *rest): number for number, (each, rest) in enumerate(todo)}
        for future in as_completed(waiting):
            yield waiting.pop(future), future.result()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="engine_differential.py", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first random model")
    parser.add_argument("--games", default=",".join(LESSONS), help="learned ones, or none")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", type=int, default=20, help="models between two lines")
    chosen = parser.parse_args(arguments)
    todo = tasks(chosen.positions, chosen.first, select(chosen.games) if chosen.games else ())
    total, wrong, done, next_one = Counter[str](), 0, set[int](), 0
    began = time.perf_counter()
    for number, found in run(todo, chosen.jobs):
        done.add(number)
        while next_one in done:
            next_one += 1
        total += found.counts
        wrong += bool(found.differences)
        for text in found.differences[:SHOWN]:
            print(f"! {found.name}: {text}", flush=True)
        if len(done) % chosen.every == 0 or len(done) == len(todo):
            seeds = (arguments for each, arguments in todo[next_one:] if each is of_seed)
            after = next(seeds, None)
            left = f"; on with --first {after[0]}" if after else ""
            print(f"{_line(len(done), total, wrong, began)}{left}", flush=True)
    return 1 if wrong else 0


def _line(models: int, total: Counter[str], wrong: int, began: float) -> str:
    counts = ", ".join(f"{total[name]:,} {name}" for name in ("positions", "turns", "over"))
    given_up = "".join(f", {total[n]:,} {n}" for n in ("given up", "refused") if total[n])
    seconds = time.perf_counter() - began
    return f"{models:,} parts, {counts}{given_up}; {wrong:,} differ; {seconds:,.0f} s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
