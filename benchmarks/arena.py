"""What evaluations win: players with and without them, by equal budgets, on models and references.

Everybody has the same number of nodes for a turn, and a node is a turn played while a player thinks
(`grl.players.interface`): a state that a search makes, or that a random game comes to. The games
begin with random turns, each opening from both sides; a draw is half a point.

On learned models the search is `swift`, in C. On references it is `mtdf`, the same search in
Python: games are played on the learned model, and every choice is asked of the reference as well.

    python benchmarks/arena.py --on connect-four --games 100 --nodes 300
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import grl
from grl.engine.engine import Engine
from grl.games import load
from grl.generate import generate
from grl.players.agreement import differences
from grl.players.arena import Contest, Record, tournament
from grl.players.evaluations import evaluation_of
from grl.players.interface import Budget
from grl.players.ratings import Standing, standings
from grl.players.referees import Refereed
from grl.players.seats import Seat, seat
from grl.players.swift import Swift
from grl.rulebook import Rulebook
from grl.traces import header_dict, write_traces

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench"
SHIPPED = ("connect-four", "breakthrough", "checkers")
GENERATED = {"abalone": 200}
"""Games without shipped records, with as many as are played at random to learn from."""
LATCHED = ("connect-four", "breakthrough")
"""Games of which goals name squares, and of which latches are found in time."""
NULL_WINDOWS = "fuzzy by MTD(f)"
"""Fuzzy goals with the search by null windows, which players with an evaluation don't have."""
GAMES, HELD = 400, 10
OPENING = 4
LONGEST = 400


def rulebook_of(name: str) -> Rulebook:
    """The model of a game."""
    if name in SHIPPED:
        return grl.learn([ROOT / "traces" / name / "all-moves.jsonl.gz"])
    path = WORK / f"{name}-{GENERATED[name]}.grl.json"
    if not path.exists():
        game = load(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        records = path.with_suffix(".jsonl")
        plays = generate(game, GENERATED[name], all_moves=True, seed=1)
        write_traces(records, header_dict(game), plays)
        grl.learn([records]).save(path)
    return grl.load(path)


def pairs(name: str) -> Iterator[tuple[str, str]]:
    """Who meets whom: evaluations of the search, or uct."""
    yield "fuzzy", "none"
    if name in LATCHED:
        yield "fuzzy+latches", "fuzzy"
        yield "fuzzy+latches", "uct"
    yield "fuzzy", "uct"
    yield "none", "uct"
    yield "fuzzy", NULL_WINDOWS


def seat_of(who: str, search: str, nodes: int, engine: Engine) -> Seat:
    """The seat of an evaluation, or of uct."""
    if who == NULL_WINDOWS:
        return Seat(who, Swift(evaluation=evaluation_of("fuzzy", engine)), Budget(nodes=nodes))
    return seat(
        f"uct:nodes={nodes}" if who == "uct" else f"{search}:nodes={nodes},evaluation={who}"
    )


def met(
    contest: Contest, names: Sequence[str], games: int, jobs: int
) -> tuple[Standing, list[Record]]:
    """What comes of so many games of two players."""
    with tempfile.TemporaryDirectory() as folder:
        records = tournament(contest, games, Path(folder) / "results.jsonl", jobs)
    return standings(names, records)[0], records


def main(arguments: Sequence[str]) -> int:
    """A line for each pair and budget."""
    parser = argparse.ArgumentParser(prog="arena.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--on", default=",".join((*SHIPPED, *GENERATED)), help="which games")
    parser.add_argument("--games", type=int, default=GAMES, help="of each pair")
    parser.add_argument(
        "--held", type=int, default=HELD, help="of each pair, on references, with the least budget"
    )
    parser.add_argument("--nodes", default="300,1000", help="budgets, with commas between")
    parser.add_argument("--pairs", choices=("search", "uct", "all"), default="all")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args(arguments)
    print(f"{'game':<14} {'played on':<22} {'players':<24} {'nodes':>6} {'games':>5} share  95 %")
    for name in chosen.on.split(","):
        rules = rulebook_of(name)
        for nodes in map(int, chosen.nodes.split(",")):
            for pair in pairs(name):
                if chosen.pairs not in ("all", "uct" if "uct" in pair else "search"):
                    continue
                for line in _lines(rules, name, pair, nodes, chosen):
                    print(line, flush=True)
    return 0


def _lines(
    rules: Rulebook, name: str, pair: tuple[str, str], nodes: int, chosen: argparse.Namespace
) -> Iterator[str]:
    """The line of a pair on the learned model, and on the reference."""
    engine, players = rules.engine(), f"{pair[0]} – {pair[1]}"
    least = min(map(int, chosen.nodes.split(",")))
    for search, games in (("swift", chosen.games), ("mtdf", chosen.held)):
        if not games or (search == "mtdf" and (nodes > least or NULL_WINDOWS in pair)):
            continue
        began = time.perf_counter()
        sitting = [seat_of(who, search, nodes, engine) for who in pair]
        contest = Contest(engine, name, sitting, OPENING, 1, LONGEST)
        found, records = met(contest, pair, games, chosen.jobs)
        where, more = "model", ""
        if search == "mtdf":
            reference = Refereed(load(name), remembers=rules.looks_back, rulings=rules)
            asked, differing = differences(contest, records, reference, chosen.jobs)
            where, more = "model and reference", f", {asked:,} choices, {len(differing)} differ"
        long = sum(record.cut for record in records)
        yield (
            f"{name:<14} {where:<22} {players:<24} {nodes:>6,} {games:>5} {found.share:.3f}  "
            f"{found.low:.3f}–{found.high:.3f}, {found.drawn} drawn, {long} too long{more} "
            f"({time.perf_counter() - began:.0f} s)"
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
