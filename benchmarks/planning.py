"""LOCM measured: blocksworld plans beside macq, and turns of board games beside the GRL paper."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from grl.board import Equipment, Position, Square
from grl.games import load
from grl.generate import generate
from grl.learning import observe_plans
from grl.locm.machines import learn_machines
from grl.sgrl.evidence import Decision, Evidence
from grl.traces import Traces, header_dict, write_traces

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench"
MACQ = WORK / "macq"
MACQ_VERSION = "macq==0.3.11"
STEPS, BLOCKS = 20, 8
PATIENCE = 90
"""Seconds that macq is given for a row; more plans are not tried after one that took longer."""
TOO_LONG = f"macq: more than {PATIENCE} s"

Row = tuple[str, str, str]

GAMES = (
    ("checkers", "checkers", 11_000, "P 260.4, K 52.9 s"),
    ("peg-solitaire", "peg-solitaire", 11_000, "P 8.8 s"),
)


def rows() -> Iterator[Row]:
    """Seconds and peak memory of whole commands; macq in an environment of its own.

    Processor seconds show how time grows with the number of plans, whatever else the machine does.
    """
    macq = _macq()
    for number in (100, 1_000, 10_000, 20_000, 40_000, 100_000):
        path = WORK / f"blocksworld-{number}.plans"
        if not path.exists():
            _write(path, number)
        out = WORK / "blocksworld.pddl"
        command = [str(Path(sys.executable).with_name("grl")), "locm", str(path), "-o", str(out)]
        seconds, busy, peak = _measured(command)
        if isinstance(macq, Path):
            theirs = _of_macq(macq, path)
            macq = theirs if theirs == TOO_LONG else macq
        else:
            theirs = macq
        yield (
            f"{number:,} blocksworld plans of {STEPS} steps",
            f"{seconds:.1f} s, processor {busy:.1f} s, {peak} MB",
            theirs,
        )
    yield from _turns()


def _write(path: Path, number: int) -> None:
    dice = random.Random(1)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as stream:
        for _ in range(number):
            stream.write("\n".join(_walk(dice)) + "\n\n")


def _walk(dice: random.Random) -> Iterator[str]:
    """A random walk among towers of blocks."""
    on: dict[int, int] = {}
    order = dice.sample(range(BLOCKS), BLOCKS)
    for below, above in pairwise(order):
        if dice.random() < 0.6:
            on[above] = below
    held = -1
    for _ in range(STEPS):
        clear = sorted(set(range(BLOCKS)) - set(on.values()) - {held})
        if held < 0:
            held = dice.choice(clear)
            under = on.pop(held, -1)
            yield f"(pickup b{held})" if under < 0 else f"(unstack b{held} b{under})"
        else:
            under = dice.choice([-1, *clear])
            yield f"(putdown b{held})" if under < 0 else f"(stack b{held} b{under})"
            if under >= 0:
                on[held] = under
            held = -1


def _measured(command: list[str]) -> tuple[float, float, int]:
    """Seconds, processor seconds and peak memory in MB of a command."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    seconds = time.perf_counter() - began
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024


def _macq() -> Path | str:
    """A Python that has macq, or why there is none."""
    python = MACQ / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(MACQ)], check=True)
    have = subprocess.run([str(python), "-c", "import macq"], check=False, capture_output=True)
    if have.returncode:
        install = [str(python), "-m", "pip", "install", "--quiet", MACQ_VERSION]
        if subprocess.run(install, check=False, capture_output=True).returncode:
            return f"{MACQ_VERSION} can't be installed here"
    return python


def _of_macq(python: Path, path: Path) -> str:
    command = [str(python), str(ROOT / "benchmarks" / "macq_locm.py"), str(path)]
    try:
        found = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return TOO_LONG
    except subprocess.CalledProcessError as error:
        return f"macq failed: {error.stderr.strip().splitlines()[-1:]}"
    seconds, peak = found.stdout.split()[-2:]
    return f"macq: {float(seconds):.1f} s, {peak} MB"


def _turns() -> Iterator[Row]:
    """Turns of whole games into machines: writing the plans and learning from them."""
    for name, spec, wanted, paper in GAMES:
        game = load(spec)
        path = WORK / f"{name}-{wanted}-turns.jsonl"
        if not path.exists():
            plays = generate(game, wanted // 10, all_moves=False, seed=1)
            write_traces(path, header_dict(game), plays)
        traces = Traces.open(path)
        evidence, turns = Evidence(), 0
        for play in traces:
            for ply in play.plies:
                if turns < wanted:
                    evidence.observe(ply)
                    turns += 1
        seconds, machines = _learned(evidence, traces.header.equipment)
        what = f"LOCM, {name}, {turns:,} turns of both players, all pieces"
        yield what, f"{seconds:.2f} s, {machines} machines", f"GRL paper: {paper}"
    evidence, equipment = _queens_turns(25_000)
    seconds, machines = _learned(evidence, equipment)
    what = "LOCM, amazons 10x10, 25,000 turns of the queen"
    yield what, f"{seconds:.2f} s, {machines} machines", "GRL paper: Q 20.9-30.0 s"


def _learned(evidence: Evidence, equipment: Equipment) -> tuple[float, int]:
    """Processor seconds of the quickest of three runs, and how many machines there are."""
    taken = []
    for _ in range(3):
        began = time.process_time()
        machines = learn_machines(observe_plans(evidence, equipment))
        taken.append(time.process_time() - began)
    return min(taken), len(machines)


def _queens_turns(number: int) -> tuple[Evidence, Equipment]:
    """Random turns of queens, drawn on the board itself: listing all turns would take hours."""
    game = load("amazons")
    position: Position = game.initial
    board, equipment = position.board, position.equipment
    dice = random.Random(1)
    evidence = Evidence()
    cells = list(position.cells)
    made = played = 0
    directions = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]

    def glide(at: Square) -> list[tuple[Square, int, int]]:
        """A random slide over empty squares: where each step leads, and its direction."""
        for dx, dy in dice.sample(directions, len(directions)):
            steps = []
            square = board.step(at, dx, dy)
            while square is not None and cells[square] == ".":
                steps.append((square, dx, dy))
                square = board.step(square, dx, dy)
            if steps:
                return steps[: dice.randint(1, len(steps))]
        return []

    while made < number:
        mover = equipment.players[played % 2]
        queens = [s for s in board.squares if cells[s] == ("q" if played % 2 == 0 else "Q")]
        start = Square(dice.choice(queens))
        queen = cells[start]
        slide = glide(start)
        if not slide or played > 70:
            cells, played = list(position.cells), 0
            continue
        before = "".join(cells)
        cells[start] = "."
        arrow = glide(slide[-1][0])
        cells[slide[-1][0]] = queen
        if not arrow:
            cells = list(before)
            played += 2
            continue
        words = [f"({dx} {dy} e)" for _, dx, dy in slide]
        words += ["(0 0 a x)", *(f"({dx} {dy} e)" for _, dx, dy in arrow)]
        text = " ".join([board.names[start], *words])
        key = Decision(mover, before, (), False)
        turns = evidence.decisions.setdefault(key, {})
        turns[text] = turns.get(text, 0) + 1
        cells[arrow[-1][0]] = "x"
        made, played = made + 1, played + 1
    return evidence, equipment
