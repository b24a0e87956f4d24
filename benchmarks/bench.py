"""What `make bench` measures, a line for each figure, beside the reference's where there is one.

Published figures were measured on other machines: they show the order of magnitude.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import arena
import asking
import boards_alone
import chess_learning
import chess_records
import chess_single
import classical_games
import drawn_games
import engine
import engine_differential
import engine_tiers
import environments
import fuzzy
import generator
import iggp_tasks
import imports
import loading
import moves
import outside
import perft
import planning
import scale
import second_games
import self_play
import serving
import sgrl
import solver
import strategies
import study
import sure
import whole_games
from las_tasks import las

import grl
from grl.games import load
from grl.generate import generate
from grl.traces import header_dict, write_traces

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench"
PLIES = 500_000

LEARNED = (
    ("tic-tac-toe", "tic-tac-toe", 50, None),
    ("connect-four", "connect-four", 50, None),
    ("breakthrough", "breakthrough", 50, None),
    ("checkers", "checkers", 50, None),
    ("amazons-6x6", "amazons:width=6,height=6", 50, None),
    ("amazons-10x10", "amazons", 3, 50),
    ("peg-solitaire", "peg-solitaire", 50, None),
)
"""Name, game, number of games, and how many positions are learned from (None: all)."""

PAPER: Mapping[str, str] = {
    "checkers": "GRL paper, table 1, all pieces: LOCM 635.6 s",
    "amazons-10x10": "GRL paper, table 1, all pieces: SGRL+ 63.4 s, LOCM 50.9 s",
    "peg-solitaire": "GRL paper, table 1: LOCM 8.8 s",
}
"""Sums over players and pieces, with all moves known; where the paper has no sum worth timing
(below 0.05 s) nothing stands here."""


def traces() -> Iterator[tuple[str, str, str]]:
    """How fast a file of single-move checkers games is read and checked."""
    path = WORK / f"checkers-{PLIES}.jsonl"
    if not path.exists():
        _generate_plies(path)
    checked, games = 0, 0
    began = time.perf_counter()
    for play in grl.Traces.open(path):
        games += 1
        checked += len(play.plies)
    seconds = time.perf_counter() - began
    what = f"read and check, {checked:,} plies of {games:,} games"
    yield what, f"{checked / seconds:,.0f} plies/s", "required: 50,000 plies/s"


def _generate_plies(path: Path) -> None:
    game = load("checkers")
    path.parent.mkdir(parents=True, exist_ok=True)
    number = PLIES // 60
    plays = generate(game, number, all_moves=False, seed=1)

    def enough() -> Iterator[dict[str, object]]:
        plies = 0
        for play in plays:
            if plies >= PLIES:
                break
            plies += len(play["turns"])
            yield play

    write_traces(path, header_dict(game), enough())


def learn() -> Iterator[tuple[str, str, str]]:
    """How long learning takes and how large the automata are."""
    for name, spec, number, positions in LEARNED:
        game = load(spec)
        path = WORK / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        plays = generate(game, number, all_moves=True, seed=1)
        write_traces(path, header_dict(game), plays)
        began = time.perf_counter()
        model = grl.learn(path, positions=positions).model
        seconds = time.perf_counter() - began
        sizes = " ".join(str(dfa.size) for dfa in model.automata)
        what = f"{name}, {number} games" + (f", {positions} positions" if positions else "")
        yield what, f"{seconds:.1f} s, states {sizes}", PAPER.get(name, "")


def help_() -> Iterator[tuple[str, str, str]]:
    """How soon the command line answers."""
    command = [str(Path(sys.executable).with_name("grl")), "--help"]
    taken = []
    for _ in range(9):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    yield "grl --help, median of 9", f"{statistics.median(taken):.2f} s", "required: 0.3 s"


PARTS: Mapping[str, Callable[[], Iterator[tuple[str, str, str]]]] = {
    "traces": traces,
    "learn": learn,
    "help": help_,
    "locm": planning.rows,
    "generator": generator.rows,
    "moves": moves.rows,
    "iggp": iggp_tasks.rows,
    "las": las,
    "sgrl": sgrl.rows,
    "study": study.rows,
    "fuzzy": fuzzy.rows,
    "strategies": strategies.rows,
}


LONG: Mapping[str, Callable[[list[str]], int]] = {
    "arena": arena.main,
    "games": whole_games.main,
    "drawn": drawn_games.main,
    "drawn2": second_games.main,
    "outside": outside.main,
    "classical": classical_games.main,
    "ask": asking.main,
    "boards": boards_alone.main,
    "sure": sure.main,
    "engine": engine.main,
    "load": loading.main,
    "scale": scale.main,
    "perft": perft.main,
    "importers": imports.main,
    "differential": engine_differential.main,
    "tiers": engine_tiers.main,
    "environments": environments.main,
    "solver": solver.main,
    "serve": serving.main,
    "self-play": self_play.main,
    "chess": chess_records.main,
    "chess-learning": chess_learning.main,
    "chess-single": chess_single.main,
    "iggp": iggp_tasks.main,
}
"""Parts that take long and options of their own; they run only when they are named (of `iggp`, what
is in `PARTS` runs otherwise)."""


def main(names: list[str]) -> int:
    if names and names[0] in LONG:
        return LONG[names[0]](names[1:])
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(
            f"no part {', '.join(unknown)}; there are {', '.join([*PARTS, *LONG])}", file=sys.stderr
        )
        return 2
    for name in names or PARTS:
        print(f"{name}:", flush=True)
        for what, ours, reference in PARTS[name]():
            print(f"  {what:<50}  {ours:<30}  {reference}".rstrip(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
