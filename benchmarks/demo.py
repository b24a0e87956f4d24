"""What `make demo` shows: six games learned from the shipped traces and held to hand-written rules.

For each game: learn, compare on fresh positions, tell which restriction explains a surplus turn,
draw every automaton and machine. Games run two at a time, each in a process of its own.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from restrictions import RESTRICTIONS, UNEXPLAINED, explain

import grl
from grl.compare import compare_game
from grl.games import load
from grl.model import AutomatonKey, Model, Role
from grl.render import render_model

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "demo"
POSITIONS = 1000
SEED = 20
HEAD = ("game", "games", "plies", "seconds", "states of the automata", "missing", "surplus", "why")


@dataclass(frozen=True)
class Task:
    """One game to learn; `positions` limits the decisions that are learned from."""

    name: str
    game: str
    traces: str
    positions: int | None = None


@dataclass(frozen=True)
class Result:
    """One line of the table; `reasons` counts surplus turns by the restriction that they break."""

    task: Task
    games: int
    plies: int
    seconds: float
    states: str
    missing: int
    surplus: int
    reasons: Mapping[str, int]
    pictures: int
    note: str | None


TASKS = (
    Task("tic-tac-toe", "tic-tac-toe", "tic-tac-toe/all-moves.jsonl"),
    Task("connect-four", "connect-four", "connect-four/all-moves.jsonl.gz"),
    Task("breakthrough", "breakthrough", "breakthrough/all-moves.jsonl.gz"),
    Task("checkers", "checkers", "checkers/all-moves.jsonl.gz"),
    Task("amazons-6x6", "amazons:width=6,height=6", "amazons/6x6-all-moves.jsonl.zst"),
    Task("amazons-10x10", "amazons", "amazons/10x10-all-moves.jsonl.zst", positions=50),
    Task("peg-solitaire", "peg-solitaire", "peg-solitaire/all-moves.jsonl.gz"),
)
LONGEST_FIRST = ("amazons-10x10", "amazons-6x6")


def main() -> int:
    began = time.perf_counter()
    print("Learning six games from traces/ and comparing each with a hand-written reference ...")
    sys.stdout.flush()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    order = sorted(TASKS, key=lambda task: task.name not in LONGEST_FIRST)
    with ProcessPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        found = dict(zip(order, pool.map(run, order), strict=True))
    results = [found[task] for task in TASKS]
    print()
    print("\n".join(report(results)))
    print(f"\nThe demo took {time.perf_counter() - began:.0f} s.")
    return 1 if any(wrong(result) for result in results) else 0


def run(task: Task) -> Result:
    """Learn, compare, explain and draw one game."""
    folder = OUTPUT / task.name
    folder.mkdir(parents=True)
    traces = grl.Traces.open(ROOT / "traces" / task.traces)
    plies = sum(len(play.plies) for play in traces)
    began = time.perf_counter()
    rulebook = grl.learn(ROOT / "traces" / task.traces, positions=task.positions)
    seconds = time.perf_counter() - began
    rulebook.save(folder / "model.grl.json")
    game = load(task.game)
    compared = compare_game(rulebook, game, POSITIONS, SEED)
    reasons = explain(rulebook, game, POSITIONS, SEED) if compared.surplus else {}
    drawn = render_model(rulebook.model, folder)
    return Result(
        task=task,
        games=rulebook.model.report["games"],
        plies=plies,
        seconds=seconds,
        states=states(rulebook.model),
        missing=compared.missing,
        surplus=compared.surplus,
        reasons=reasons,
        pictures=len(drawn.paths),
        note=drawn.note,
    )


def states(model: Model) -> str:
    """The number of states of each automaton, players apart."""
    players = model.equipment.players
    return " / ".join(
        " ".join(
            f"{short(dfa.key)}:{dfa.size}" for dfa in model.automata if dfa.key.mover == player
        )
        for player in players
    )


def short(key: AutomatonKey) -> str:
    """A piece; + before one that has just appeared, ; before a later segment, _ for no piece."""
    mark = {Role.FIRST: "", Role.LATER: ";", Role.APPEARED: "+"}[key.role]
    return mark + ("_" if key.holds == "." else key.holds)


def wrong(result: Result) -> bool:
    """Whether a legal turn is missing or a surplus turn unexplained."""
    unexplained = result.surplus != sum(result.reasons.values()) or UNEXPLAINED in result.reasons
    return bool(result.missing) or unexplained


def report(results: Sequence[Result]) -> list[str]:
    """The table, what its signs mean, and where the pictures are."""
    known = [rule for rules in RESTRICTIONS.values() for rule in rules]
    given = {rule for result in results for rule in result.reasons}
    rules = [rule for rule in (*known, UNEXPLAINED) if rule in given]
    rows = [
        (
            result.task.name,
            f"{result.games}",
            f"{result.plies:,}",
            f"{result.seconds:.1f}",
            result.states,
            f"{result.missing:,}",
            f"{result.surplus:,}",
            ", ".join(f"({rules.index(r) + 1}) {n:,}" for r, n in result.reasons.items()),
        )
        for result in results
    ]
    widths = [max(len(row[i]) for row in (HEAD, *rows)) for i in range(len(HEAD))]
    left = (0, 4, 7)
    lines = [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (HEAD, *rows)
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    limited = [task for task in TASKS if task.positions is not None]
    pictures = sum(result.pictures for result in results)
    notes = sorted({result.note for result in results if result.note})
    return [
        *lines,
        "",
        "games, plies: read from traces/, every legal turn known"
        + "".join(f"; {t.name} learned from {t.positions} of the positions" for t in limited),
        "seconds: reading the traces and learning",
        "states: piece:states, players apart; + a piece that has just appeared, _ an empty square",
        f"missing, surplus: turns without a match in the model, in the reference, on {POSITIONS:,}"
        " fresh positions",
        *(["why: the first of these rules that a surplus turn breaks"] if rules else []),
        *(f"  ({number}) {rule}" for number, rule in enumerate(rules, 1)),
        "",
        f"{pictures} pictures and {len(results)} models: {OUTPUT.relative_to(ROOT)}/<game>/",
        *notes,
    ]


if __name__ == "__main__":
    sys.exit(main())
