"""What `make demo` shows: whole games learned from the shipped traces and held to references.

For each game: learn, compare turns, next positions, endings and goals on fresh positions, draw
every automaton and machine, and print the rules. Games run two at a time, each in a process of its
own. The exit status is 1 when anything differs.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import grl
from grl.compare import compare_game
from grl.games import load
from grl.model import AutomatonKey, Model, Role
from grl.render import render_model
from grl.rules.english.sentences import sentences
from grl.summary.text import rules_text
from grl.tally import Comparison, ending_words

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "demo"
FIGURES = "figures.json"
POSITIONS = 1000
SEED = 20
WIDTH = 100
PARTS = (("restriction", "restrictions"), ("ending", "endings"), ("control", "control"))
HEAD = (
    "game",
    "games",
    "plies",
    "seconds",
    "missing",
    "surplus",
    "endings",
    "recognised",
    "goals",
    "states of the automata",
)


@dataclass(frozen=True)
class Task:
    """One game to learn; `positions` limits the decisions that are learned from.

    The file `traces` lies in the folder of that name, or in `records`.
    """

    name: str
    game: str
    traces: str
    positions: int | None = None
    records: Path | None = None

    @property
    def path(self) -> Path:
        """The records."""
        return (self.records or ROOT / "traces") / self.traces


@dataclass(frozen=True)
class Result:
    """One game: a line of the table and its rules."""

    task: Task
    model: Model
    plies: int
    seconds: float
    compared: Comparison
    pictures: int
    note: str | None

    @property
    def exact(self) -> bool:
        """Whether nothing differs, and the model says something of every ending."""
        return self.compared.same and all(e.right == e.met for e in self.compared.endings)


TASKS = (
    Task("tic-tac-toe", "tic-tac-toe", "tic-tac-toe/all-moves.jsonl"),
    Task("connect-four", "connect-four", "connect-four/all-moves.jsonl.gz"),
    Task("breakthrough", "breakthrough", "breakthrough/all-moves.jsonl.gz"),
    Task("checkers", "checkers", "checkers/all-moves.jsonl.gz"),
    Task("nine-mens-morris", "nine-mens-morris", "nine-mens-morris/all-moves.jsonl.gz"),
    Task("asalto", "asalto", "asalto/all-moves.jsonl.gz"),
    Task("amazons-6x6", "amazons:width=6,height=6", "amazons/6x6-all-moves.jsonl.zst"),
    Task("amazons-10x10", "amazons", "amazons/10x10-all-moves.jsonl.zst", positions=50),
    Task("peg-solitaire", "peg-solitaire", "peg-solitaire/all-moves.jsonl.gz"),
)
LONGEST_FIRST = ("nine-mens-morris", "amazons-10x10", "amazons-6x6", "asalto")
FEWER_POSITIONS = {"amazons-10x10": 200}
"""Where a position has thousands of turns, on how many the comparison is made."""


def main() -> int:
    began = time.perf_counter()
    print("Learning whole games from traces/ and comparing each with a hand-written reference ...")
    sys.stdout.flush()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    order = sorted(TASKS, key=_place)
    with ProcessPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        found = dict(zip(order, pool.map(run, order), strict=True))
    results = [found[task] for task in TASKS]
    print()
    for result in results:
        print("\n".join(report_lines(result)), end="\n\n")
    print("\n".join(report(results)))
    took, busy = time.perf_counter() - began, sum(os.times()[:4])
    print(f"\nThe demo took {took:.0f} s, {busy:.0f} s of processor time.")
    print("Play them, and see what was learned: .venv/bin/grl serve demo --traces traces --open")
    return 0 if all(result.exact for result in results) else 1


def _place(task: Task) -> int:
    """Where a game comes in the order of work: long ones first, for little to be left alone."""
    names = LONGEST_FIRST
    return names.index(task.name) if task.name in names else len(names)


def run(task: Task) -> Result:
    """Learn, compare and draw one game."""
    folder = OUTPUT / task.name
    folder.mkdir(parents=True)
    plies = sum(len(play.plies) for play in grl.Traces.open(task.path))
    began = time.process_time()
    rulebook = grl.learn(task.path, positions=task.positions)
    seconds = time.process_time() - began
    rulebook.save(folder / "model.grl.json")
    (folder / "rules.txt").write_text(rules_text(rulebook.model) + "\n", encoding="utf-8")
    positions = FEWER_POSITIONS.get(task.name, POSITIONS)
    compared = compare_game(rulebook, load(task.game), positions, SEED)
    drawn = render_model(rulebook.model, folder)
    result = Result(task, rulebook.model, plies, seconds, compared, len(drawn.paths), drawn.note)
    figures = json.dumps(dict(zip(HEAD, row(result), strict=True)))
    (folder / FIGURES).write_text(figures + "\n", encoding="utf-8")
    return result


def report_lines(result: Result) -> Iterator[str]:
    """The rules of a game in English, and what a comparison found against them."""
    yield result.task.name
    assert result.model.rules is not None
    equipment = result.model.equipment
    for kind, part in PARTS:
        rules = getattr(result.model.rules, part)
        for rule, sentence in zip(rules, sentences(equipment, kind, rules), strict=True):
            provisional = ", provisional" if rule.provisional else ""
            text = f"{sentence} [{rule.support:,}{provisional}]"
            yield from textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    for ending in result.compared.endings:
        if ending.right != ending.met:
            words = ending_words(ending.kind, ending.goals)
            yield f"  differs: {words}: met {ending.met}, goals right {ending.right}"


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


def row(result: Result) -> tuple[str, ...]:
    """A line of the table; recognised and goals count the endings that come out right."""
    compared = result.compared
    return (
        result.task.name,
        f"{result.model.report['games']}",
        f"{result.plies:,}",
        f"{result.seconds:.1f}",
        f"{compared.missing:,}",
        f"{compared.surplus:,}",
        f"{sum(ending.met for ending in compared.endings):,}",
        f"{sum(ending.recognised or 0 for ending in compared.endings) - compared.early:,}",
        f"{sum(ending.right or 0 for ending in compared.endings):,}",
        states(result.model),
    )


def report(results: Sequence[Result]) -> list[str]:
    """The table, what its signs mean, and where the pictures are."""
    rows = [row(result) for result in results]
    widths = [max(len(line[i]) for line in (HEAD, *rows)) for i in range(len(HEAD))]
    left = (0, len(HEAD) - 1)
    lines = [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (HEAD, *rows)
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    limited = [task for task in TASKS if task.positions is not None]
    fewer = [f", of {name} on {number}" for name, number in FEWER_POSITIONS.items()]
    pictures = sum(result.pictures for result in results)
    notes = sorted({result.note for result in results if result.note})
    differing = [result.task.name for result in results if not result.exact]
    return [
        *lines,
        "",
        "[n]: the positions of the records that speak for a rule",
        "games, plies: read from traces/, every legal turn known"
        + "".join(f"; {t.name} learned from {t.positions} of the positions" for t in limited),
        "seconds: of the processor, for reading the traces and learning",
        "missing, surplus: turns without a match in the model, in the reference, on "
        f"{POSITIONS:,} fresh positions{''.join(fewer)}",
        "endings: terminal positions met; recognised as such; goals right for all players",
        "states: piece:states, players apart; + a piece that has just appeared, ; a later segment,",
        "  _ an empty square",
        "",
        f"{pictures} pictures, {len(results)} models with their rules: "
        f"{OUTPUT.relative_to(ROOT)}/<game>/",
        *notes,
        f"different: {', '.join(differing)}" if differing else "no difference",
    ]


if __name__ == "__main__":
    sys.exit(main())
