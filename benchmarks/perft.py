"""Learned models count sequences of turns to great depths, beside what others have counted.

Each count is held to those that are known of the same depth: published ones (`published.json`),
the table and the count of the game's reference, and open_spiel's where its environment is there, in
whole turns. Where they are published, positions that can be reached in so many turns are counted,
too, all nodes and games, and the means of random games. What differs is marked and makes the exit
status 1.

    make bench PART="perft --games checkers,connect-four --most 1e9"
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from engine import RIVALS, installed
from engine_models import LESSONS, OWN, game_of, learned
from whole_games import select

from grl.engine.engine import Engine
from grl.games import factory

HERE = Path(__file__).resolve().parent
PUBLISHED: Mapping[str, Mapping[str, Any]] = json.loads(
    (HERE / "published.json").read_text(encoding="utf-8")
)
MOST = 3e8
"""Sequences of a depth that are counted, by how the numbers have grown."""
SECONDS = 180.0
"""Processor time of a depth, by how that has grown."""
BY_REFERENCE, BY_OPEN_SPIEL, BY_STATES = 20_000, 400_000, 600_000
"""Sequences that are counted in slower ways."""
RANDOM = 20_000
RANDOM_MEANS = ("plies, random game", "goal of the first")
CLOSE = 0.02
"""Means of so many random games on either side differ by less, as a share."""

Known = list[tuple[str, int]]
"""Counts of one depth, with who counted them."""


def known_counts(spec: str) -> list[Known]:
    """For each depth, from 1 on, what others have counted."""
    found: list[Known] = []

    def note(who: str, counts: Sequence[int]) -> None:
        found.extend([] for _ in range(len(counts) - len(found)))
        for known, count in zip(found, counts, strict=False):
            known.append((who, count))

    note("published", PUBLISHED.get(spec, {}).get("counts", ()))
    note("table", table(spec))
    game, counts = game_of(spec), [1]
    while counts[-1] and counts[-1] ** 2 <= BY_REFERENCE * (counts[-2] if counts[1:] else 1):
        counts.append(game.perft(game.initial, len(counts)))
    note("reference", counts[1:])
    note("open_spiel", by_open_spiel(spec))
    return found


def table(spec: str) -> Sequence[int]:
    """The counts that lie beside the game."""
    name, _, options = spec.partition(":")
    if name in OWN:
        return ()
    module = sys.modules[factory(name).__module__]
    tables = json.loads(Path(str(module.__file__)).with_name("perft.json").read_text())["tables"]
    wanted = dict(option.split("=") for option in options.split(",") if option)
    for each in tables:
        if {key: str(value) for key, value in each["options"].items()} == wanted:
            counts: Sequence[int] = each["counts"]
            return counts
    return ()


def by_open_spiel(spec: str) -> Sequence[int]:
    """Its counts in whole turns; none where it doesn't know the game or isn't there."""
    rival, python = RIVALS.get(spec), installed()
    if rival is None or python is None:
        return ()
    asked = json.dumps({"game": rival.name, "most": BY_OPEN_SPIEL})
    command = [str(python), str(HERE / "open_spiel_driver.py"), asked]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    counts: Sequence[int] = json.loads(done.stdout)["counts"]
    return counts


def counted(engine: Engine, most: float, seconds: float) -> Iterator[tuple[int, float]]:
    """For each depth, from 1 on, the number of sequences and the processor time."""
    before, number, spent, depth = 1, 1, 0.0, 0
    while number and number * number / before <= most and spent * number / before <= seconds:
        depth += 1
        began = time.process_time()
        before, number = number, engine.perft(engine.initial, depth)
        spent = time.process_time() - began
        yield number, spent


def reached(engine: Engine, depths: int) -> Iterator[int]:
    """How many positions can be reached in 1, 2, … turns."""
    bulk = engine.bulk()
    states = bulk.pack([engine.initial.position()])
    for _ in range(depths):
        counts = bulk.counts(states)
        places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        states = np.unique(bulk.play(np.repeat(states, counts, axis=0), places), axis=0)
        yield len(states)


def nodes_and_games(engine: Engine) -> tuple[int, int]:
    """All nodes of the tree of a game, its root too, and those at which games end."""
    nodes = games = 0
    waiting = [engine.initial]
    while waiting:
        state = waiting.pop()
        turns = state.count()
        nodes, games = nodes + 1, games + (not turns)
        waiting.extend(map(state.play, range(turns)))
    return nodes, games


class Row(NamedTuple):
    """Something counted: how many, how fast, who agrees, and who differs."""

    what: str
    number: str
    speed: str
    agree: str
    differ: str


def row(what: str, number: int, known: Known, speed: str = "") -> Row:
    """A count beside those of others."""
    agree = ", ".join(who for who, count in known if count == number)
    differ = ", ".join(f"{who} {count:,}" for who, count in known if count != number)
    return Row(what, f"{number:,}", speed, agree, differ)


def rows(spec: str, most: float, seconds: float) -> Iterator[Row]:
    """All that is counted of a game."""
    engine = learned(spec)[0].engine()
    known = known_counts(spec)
    for depth, (number, spent) in enumerate(counted(engine, most, seconds), 1):
        others = known[depth - 1] if depth <= len(known) else []
        speed = f"{number / spent:,.0f}/s" if spent > 0.01 else ""
        yield row(f"depth {depth}", number, others, speed)
    published = PUBLISHED.get(spec, {})
    depths = [count for count in published.get("positions", ()) if count <= BY_STATES]
    both = zip(reached(engine, len(depths)), depths, strict=True)
    for depth, (found, count) in enumerate(both, 1):
        yield row(f"positions after {depth}", found, [("published", count)])
    if "nodes" in published:
        for name, found in zip(("nodes", "games"), nodes_and_games(engine), strict=True):
            yield row(name, found, [("published", published[name])])
    if "random" in published:
        games = engine.playouts(RANDOM)
        means = games["plies"] / RANDOM, games["goals"][:, 0].mean()
        for name, mean, other in zip(RANDOM_MEANS, means, published["random"], strict=True):
            close = abs(mean - other) <= CLOSE * other
            agree, differ = ("published", "") if close else ("", f"published {other}")
            yield Row(name, f"{mean:.2f}", "", agree, differ)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="perft.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", default=",".join(LESSONS), help="some, with commas between")
    parser.add_argument("--most", type=float, default=MOST, help="sequences of a depth")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for a depth")
    chosen = parser.parse_args(arguments)
    wrong = 0
    for spec in select(chosen.games):
        print(spec, flush=True)
        for each in rows(spec, chosen.most, chosen.seconds):
            wrong += bool(each.differ)
            mark = f"! {each.differ}; " if each.differ else ""
            line = f"  {each.what:<20} {each.number:>15} {each.speed:>16}  {mark}{each.agree}"
            print(line.rstrip(), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
