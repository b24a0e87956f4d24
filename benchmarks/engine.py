"""The compiled engine beside open_spiel: playouts, perft, steps through Python, compile times.

Everything is measured by processor time on one core, each game in a process of its own, ours and
open_spiel's one after the other. Playouts are in our loop, and steps by one Python call each; what
open_spiel does through Python is the same for both. It is no dependency: its figures stand in the
table where ``build/open-spiel-venv`` holds it, which ``--install`` makes.

    python benchmarks/engine.py --install --games checkers,amazons
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine_models import LESSONS, learned
from whole_games import select

from grl.engine.source import program
from grl.errors import NotCompiled
from grl.rulebook import Rulebook

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE.parent / "build" / "open-spiel-venv"
OPEN_SPIEL = "open_spiel==2.0.2"
SECONDS = 3.0
"""Processor time of each measurement, by default."""
LIMIT = 30.0
"""A child that takes so many times longer than was asked is stopped: games that never end."""
REPEATS = 3
MOST_NODES = 10**8
MOST_DEPTH = 12
LONGEST = 10_000
MOST_PLIES = {"chess": 300}
"""Random games break off after so many plies where no rule of draws was learned."""
CACHE_FOLDERS = ("GRL_CACHE", "XDG_CACHE_HOME")
"""The environment variables below which compiled models are kept."""


@dataclass(frozen=True)
class Rival:
    """open_spiel's name of a game, and the depth, in actions, to which its perft is counted: about
    as deep as ours where the rate falls with depth, because games end or pieces are taken.

    `rbg` is in states a second in the loop, from what the authors of Regular Boardgames have
    published, as far as they have: measured on another machine, and so an order of magnitude and no
    measurement of ours. The floors are what is asked of our figure,
    as a multiple of theirs.
    """

    name: str
    depth: int
    rbg: float | None = None
    floor: float | None = None
    rbg_floor: float | None = None
    perft_floor: float | None = None
    step_floor: float = 2.0


RIVALS: Mapping[str, Rival] = {
    "tic-tac-toe": Rival("tic_tac_toe", 9, 99e6 / 6.1, 120, 3, 58),
    "connect-four": Rival("connect_four", 6, 110e6 / 17, 100, 8, 110),
    "breakthrough": Rival("breakthrough", 4, 71e6 / 59, 120, 30, 160),
    "checkers": Rival("checkers", 8, 14.1e6 / 5.7, 40, 2.8, 40),
    "amazons:width=6,height=6": Rival("amazons(board_size=6)", 6, None, 4.5, None),
    "amazons": Rival("amazons", 3, 0.57e6 / 1.9, 1.8, 1),
    "nine-mens-morris": Rival("nine_mens_morris", 4, 2.8e6 / 5.6, 3.4, 2.8, 3),
    "nine-mens-morris:flying=1": Rival("nine_mens_morris", 4),
    "chess": Rival("chess", 4, 165e3),
    "breakthrough:width=6,height=6": Rival("breakthrough(rows=6,columns=6)", 4),
    "connect-four:width=5,height=4": Rival("connect_four(rows=4,columns=5)", 6),
    "clobber:width=6,height=5": Rival("clobber(rows=5,columns=6)", 4),
    "clobber": Rival("clobber(rows=10,columns=10)", 2),
    "gomoku:size=9": Rival("gomoku(size=9)", 3),
    "reversing:size=8": Rival("othello", 6),
    "hex:size=9": Rival("hex(board_size=9)", 3),
    "hex": Rival("hex", 2),
}
"""The rules are the same but for nine men's morris: there open_spiel lets three men fly, and ends
games after 200 actions; and for chess, where it ends games by repetition and after fifty moves.
Its turns are counted whole, a mill and its removal as one."""

Figures = Mapping[str, Any]


# Ours.


def measured(spec: str, seconds: float) -> Figures:
    """All figures of one game; those of the engine only where models have one."""
    rulebook, _ = learned(spec)
    engine, loading = _loaded(rulebook)
    if engine is None:
        return {}
    most = MOST_PLIES.get(spec, LONGEST)
    plies = max(_playouts(engine, seconds / REPEATS, seed, most) for seed in range(REPEATS))
    depth, nodes = max((_perft(engine, seconds / REPEATS) for _ in range(REPEATS)), key=_second)
    step = max(_steps(engine, seconds / REPEATS, seed, most) for seed in range(REPEATS))
    began = _spent()
    if engine.native is not None:
        engine.native.beside  # noqa: B018
    more = _spent() - began
    return {
        "kind": getattr(engine, "kind", "?"),
        "load": loading,
        "more": more,
        "lines": _lines(rulebook),
        "playouts": plies,
        "perft": nodes,
        "depth": depth,
        "step": step,
    }


def _second(pair: tuple[int, float]) -> float:
    return pair[1]


def _loaded(rulebook: Rulebook) -> tuple[Any, float]:
    """The engine and what it took to come by, compilers included; None where there is none."""
    make = getattr(rulebook, "engine", None)
    if make is None:
        return None, 0.0
    began = _spent()
    engine = make()
    return engine, _spent() - began


def _spent() -> float:
    """Processor time of this process and of its children that have ended."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def _lines(rulebook: Rulebook) -> int | None:
    """The lines of the source, where there is one."""
    try:
        return program(rulebook.model).text.count("\n")
    except NotCompiled:
        return None


def _playouts(engine: Any, seconds: float, seed: int, most: int) -> float:
    """Plies a second of random games in the loop; the number of games grows until it is long."""
    games = 16
    while True:
        began = time.process_time()
        found = engine.playouts(games, seed, most=most)
        spent = time.process_time() - began
        if spent >= seconds / 2:
            return float(found["plies"]) / spent
        games *= 2 if spent < seconds / 20 else max(2, round(seconds / spent))


def _perft(engine: Any, seconds: float) -> tuple[int, float]:
    """The depth, and sequences a second, each time from the start: deeper while it is quick."""
    start = engine.initial
    depth, nodes, spent = 0, 1, 0.0
    while True:
        began = time.process_time()
        found = engine.perft(start, depth + 1)
        took = time.process_time() - began
        if not found:
            break
        depth, before, nodes, spent = depth + 1, nodes, found, took
        branching = max(nodes / before, 1.0)
        if spent * branching > seconds or nodes * branching > MOST_NODES or depth == MOST_DEPTH:
            break
    rounds = max(1, round(seconds / max(spent, 1e-6)))
    began = time.process_time()
    for _ in range(rounds):
        engine.perft(start, depth)
    return depth, rounds * nodes / max(time.process_time() - began, 1e-9)


def _steps(engine: Any, seconds: float, seed: int, most: int) -> float:
    """Steps a second where Python asks for the number of turns, plays one, and asks on."""
    draw = random.Random(seed).random
    start = engine.initial
    plies = 0
    began = time.process_time()
    spent = 0.0
    while spent < seconds:
        state, left = start, most
        while left and not state.over:
            state = state.play(int(draw() * state.count()))
            plies, left = plies + 1, left - 1
        spent = time.process_time() - began
    return plies / spent


# Theirs.


def installed() -> Path | None:
    """The interpreter that has open_spiel, if there is one."""
    python = ENVIRONMENT / "bin" / "python"
    found = python.exists() and any(ENVIRONMENT.glob("lib/*/site-packages/pyspiel*"))
    return python if found else None


def install(environment: Path = ENVIRONMENT, package: str = OPEN_SPIEL) -> None:
    """An environment for a package; raises `subprocess.CalledProcessError`."""
    if not (environment / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    python = str(environment / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=True)


def theirs(rival: Rival, seconds: float) -> Figures:
    """What `open_spiel_driver.py` prints; nothing without open_spiel."""
    python = installed()
    if python is None:
        return {}
    asked = {"game": rival.name, "depth": rival.depth, "seconds": seconds}
    command = [str(python), str(HERE / "open_spiel_driver.py"), json.dumps(asked)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    answer: Figures = json.loads(done.stdout)
    return answer


def python_chess(seconds: float) -> float | None:
    """Nodes a second of perft by the package chess (extra pgn); None without it."""
    try:
        import chess
    except ImportError:
        return None

    def count(board: Any, depth: int) -> int:
        if depth == 1:
            return int(board.legal_moves.count())
        nodes = 0
        for move in list(board.legal_moves):
            board.push(move)
            nodes += count(board, depth - 1)
            board.pop()
        return nodes

    nodes, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        nodes += count(chess.Board(), 3)
    return nodes / (time.process_time() - began)


# The table.

COLUMNS = (
    f"  {'':<12} {'ours/s':>14} {'open_spiel/s':>14} {'x':>8} {'asked':>7}"
    f" {'RBG/s, publ.':>13} {'x':>7} {'asked':>6}"
)


def lines_of(
    spec: str, ours: Figures, cold: Figures, rival: Rival | None, seconds: float
) -> Iterator[str]:
    """The lines of one game."""
    _, known = learned(spec)
    exact = "exact" if known["exact"] else "not exact"
    yield f"{spec}: learned from {known['games']} games in {known['seconds']} s, {exact}"
    found = theirs(rival, seconds) if rival is not None else {}
    if rival is not None and not found:
        yield '  open_spiel is not installed: make bench PART="engine --install"'
    rates = (
        ("playouts", ours.get("playouts"), found.get("turns/s")),
        ("perft", ours.get("perft"), found.get("nodes/s")),
        ("step", ours.get("step"), found.get("turns/s")),
    )
    floors = (rival.floor, rival.perft_floor, rival.step_floor) if rival else (None,) * 3
    yield COLUMNS
    for (name, mine, other), floor in zip(rates, floors, strict=True):
        published = rival.rbg if rival and name == "playouts" else None
        rbg_floor = rival.rbg_floor if rival and name == "playouts" else None
        yield (
            f"  {name:<12} {_said(mine):>14} {_said(other):>14} {_ratio(mine, other):>8}"
            f" {_floor(mine, other, floor):>7} {_said(published):>13}"
            f" {_ratio(mine, published):>7} {_floor(mine, published, rbg_floor):>6}"
        ).rstrip()
    if spec == "chess" and ours:
        rate = python_chess(seconds)
        yield (
            f"  python-chess: perft {_said(rate)} nodes/s, the last ply counted; "
            f"x {_ratio(ours.get('perft'), rate)}, asked 20"
        )
    if found and rival is not None:
        yield (
            f"  open_spiel: whole turns, {found['actions/s']:,.0f} actions/s;"
            f" perft {rival.depth} actions deep"
        )
    if ours:
        source = f", {ours['lines']:,} lines" if ours["lines"] is not None else ""
        yield (
            f"  ours: {ours['kind']}{source}; perft {ours['depth']} deep;"
            f" {cold['load']:.2f} s cold, {1000 * ours['load']:.1f} ms cached;"
            f" {cold['more']:.2f} s for many positions"
        )
    else:
        yield "  ours: models have no engine"


def _said(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:,.0f}"


def _ratio(mine: float | None, other: float | None) -> str:
    return "-" if mine is None or other is None else f"{mine / other:.1f}"


def _floor(mine: float | None, other: float | None, floor: float | None) -> str:
    """What is asked, marked where it is missed."""
    if floor is None:
        return "-"
    missed = mine is not None and other is not None and mine < floor * other
    return f"{'!' * missed}{floor:g}"


def alone(spec: str, seconds: float, cache: str) -> Figures:
    """`measured` in a process of its own, with caches in that folder; nothing if it is stopped."""
    environment = {**os.environ, **dict.fromkeys(CACHE_FOLDERS, cache)}
    command = [sys.executable, str(Path(__file__)), "--measure", spec, "--seconds", str(seconds)]
    try:
        done = subprocess.run(
            command,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            timeout=LIMIT * (1.0 + seconds),
        )
    except subprocess.TimeoutExpired:
        print(f"  {spec} was stopped", flush=True)
        return {}
    answer: Figures = json.loads(done.stdout)
    return answer


def main(arguments: Sequence[str], say: Callable[[str], None] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="engine.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", default=",".join(LESSONS), help="some, with commas between")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each measurement")
    parser.add_argument("--install", action="store_true", help="make open_spiel's environment")
    parser.add_argument("--measure", default="", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.measure:
        print(json.dumps(measured(chosen.measure, chosen.seconds)))
        return 0
    if chosen.install:
        install()
    write = say or (lambda line: print(line, flush=True))
    for spec in select(chosen.games):
        learned(spec)
        with tempfile.TemporaryDirectory(prefix="grl-engine-") as cache:
            cold = alone(spec, 0.1, cache)
            ours = alone(spec, chosen.seconds, cache) if cold else {}
        for line in lines_of(spec, ours, cold, RIVALS.get(spec), chosen.seconds):
            write(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
