"""Chess learned from records of games alone, and held to what nobody showed it.

    make bench PART="chess-learning --seeds 5"
    make bench PART="chess-learning --games chess:sidestep=1 --seeds 1"

For every game and seed: random games with all legal turns, and short games around rare turns; the
model learned from them; its perft beside the published counts; its turns, endings and goals beside
the reference on fresh random games, and in games of a player who searches. A figure is printed as
soon as it is known. The searching player, and records of single moves, need the extra pgn.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from io import TextIOWrapper
from pathlib import Path
from random import Random
from typing import Any

from chess_records import WORK, counted

import grl
from grl.compare import compare_game, compare_traces
from grl.games import load
from grl.outputs import whole_file
from grl.rulebook import Rulebook
from grl.tally import Comparison
from grl.traces import Traces

GRL = [str(Path(sys.executable).with_name("grl"))]
VALUES = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}
MATE = 10_000
PLIES = 160


def main(words: list[str]) -> int:
    """Print a line for each figure; the exit status says whether anything differed."""
    parser = argparse.ArgumentParser(prog="make bench PART=chess-learning", description=__doc__)
    parser.add_argument("--games", default="chess", help="reference games, with commas")
    parser.add_argument("--seeds", type=int, default=1, help="how many, from --first on")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--random", type=int, default=20, help="random games of up to 120 plies")
    parser.add_argument("--rare", type=int, default=2_500, help="short games around rare turns")
    parser.add_argument("--positions", type=int, default=20_000, help="fresh ones to compare on")
    parser.add_argument("--strong", type=int, default=0, help="games of a player who searches")
    parser.add_argument("--most", type=int, default=5_000_000, help="the largest perft counted")
    parser.add_argument("--model", type=Path, help="a model to look at, in place of learning one")
    asked = parser.parse_args(words)
    WORK.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for spec in re.split(r",(?=\w+(?::|,|$))", asked.games):
        for seed in range(asked.first, asked.first + asked.seeds):
            print(f"{spec}, seed {seed}", flush=True)
            model = asked.model or _learned(spec, seed, asked.random, asked.rare)
            rulebook = grl.load(model)
            if spec == "chess":
                wrong += sum(map(_printed, _counted(rulebook, asked.most)))
            fresh = compare_game(rulebook, load(spec), asked.positions, 1_000 + seed)
            wrong += _printed(_verdict("fresh random games", fresh))
            if asked.strong and spec == "chess":
                played = compare_traces(rulebook, Traces.open(_strong(asked.strong, seed)))
                wrong += _printed(_verdict("games of a player who searches", played))
    return int(wrong > 0)


def _printed(figure: tuple[str, bool]) -> int:
    line, good = figure
    print(f"  {line}", flush=True)
    return int(not good)


def _learned(spec: str, seed: int, number: int, rare: int) -> Path:
    name = f"{spec.replace(':', '-').replace('=', '').replace(',', '-')}-{seed}"
    model = WORK / f"{name}.grl.json"
    files = [WORK / f"{name}-random.jsonl.gz", WORK / f"{name}-rare.jsonl.gz"]
    plain = ["traces", "generate", spec, "--all-moves", "--seed", str(seed)]
    shares = (["-n", str(number), "--max-plies", "120"], ["-n", str(rare), "--rare", "1"])
    for path, share in zip(files, shares, strict=True):
        subprocess.run([*GRL, *plain, *share, "-o", str(path)], check=True, capture_output=True)
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [*GRL, "learn", *map(str, files), "-o", str(model)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    for line in done.stdout.splitlines():
        if "rules for" in line or "unexplained" in line or " decisions, " in line:
            print(f"  {line[:110]}", flush=True)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    elapsed, most = time.perf_counter() - began, after.ru_maxrss / 1024
    print(f"  learned in {elapsed:.0f} s ({seconds:.0f} s of processor), {most:,.0f} MiB")
    return model


def _counted(rulebook: Rulebook, most: int) -> Iterator[tuple[str, bool]]:
    engine = rulebook.engine()

    def count(position: Mapping[str, Any] | None, depth: int) -> int:
        start = engine.initial if position is None else engine.state(rulebook.position(**position))
        return engine.perft(start, depth)

    return counted(count, most)


def _verdict(what: str, found: Comparison) -> tuple[str, bool]:
    line = (
        f"{what}: {found.positions:,} positions, {found.turns:,} turns, {found.missing:,} missing, "
        f"{found.surplus:,} surplus, {found.elsewhere:,} lead elsewhere; "
        f"{sum(each.right or 0 for each in found.endings):,} of "
        f"{sum(each.met for each in found.endings):,} endings right, {found.early:,} early"
    )
    return line, found.same


def _strong(number: int, seed: int) -> Path:
    """Records with all turns of games of a player who searches."""
    traces = WORK / f"strong-{number}-{seed}.jsonl.gz"
    command = ["import", "pgn", str(played_well(number, seed)), "--all-moves", "-o", str(traces)]
    subprocess.run([*GRL, *command], check=True, capture_output=True)
    return traces


def played_well(number: int, seed: int) -> Path:
    """A PGN of games in which both sides look two plies ahead, material counts."""
    import chess
    import chess.pgn

    path, chance = WORK / f"strong-{number}-{seed}.pgn", Random(seed)
    if path.exists():
        return path
    with whole_file(path) as out, TextIOWrapper(out, encoding="utf-8") as file:
        for _ in range(number):
            board = chess.Board()
            while not board.is_game_over() and len(board.move_stack) < PLIES:
                random = len(board.move_stack) < 4 or chance.random() < 0.05
                board.push(
                    chance.choice(list(board.legal_moves)) if random else _best(board, chance)
                )
            print(chess.pgn.Game.from_board(board), end="\n\n", file=file)
    return path


def _best(board: Any, chance: Random) -> Any:
    best, record = None, -2 * MATE
    moves = list(board.legal_moves)
    chance.shuffle(moves)
    for move in moves:
        board.push(move)
        value = -_value(board, 1, -2 * MATE, -record)
        board.pop()
        if value > record:
            best, record = move, value
    return best


def _value(board: Any, depth: int, low: int, high: int) -> int:
    moves = list(board.legal_moves)
    if not moves:
        return -MATE if board.is_check() else 0
    if depth == 0:
        worth = sum(
            value * (len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)))
            for kind, value in VALUES.items()
        )
        return 10 * worth + len(moves) // 4
    for move in sorted(moves, key=board.is_capture, reverse=True):
        board.push(move)
        low = max(low, -_value(board, depth - 1, -high, -low))
        board.pop()
        if low >= high:
            break
    return low


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
