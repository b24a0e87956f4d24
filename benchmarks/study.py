"""The Connect-Four study repeated: its tasks from traces, solved one by one, and merged.

``python benchmarks/study.py write`` writes games/connect_four/tasks/*.las from traces and
games/connect_four/learned.lp from the tasks; ``make bench PART=study`` solves the tasks as they
stand there and prints what came out, with the study's seconds.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from study_tasks import (
    GAME,
    SPECS,
    TASKS,
    Spec,
    chosen,
    moments,
    sections,
    task_text,
    write_study_traces,
)

from grl.las import Limits, Outcome, Task, read, solve
from grl.las.space import rule_space

LEARNED = GAME / "learned.lp"
GIVEN = ("role", "columns", "count", "check", "center")
COUNTED = 10_000
"""Rule spaces are counted as far as this."""
PAPER = "below 20 s"
ROWS = "1,043 s, all four in one task"
"""Boschloo, section 4.2; the figure of all four rows, from 4 boards, is ILASP 2i's."""

HEADER = """\
% Connect Four as learned in the manner of the Connect-Four study (Boschloo 2025, appendix B),
% in the relations of the Game Description Language. Written by `python benchmarks/study.py write`:
% each rule was learned alone, from the task of its name in tasks/; what is marked as given was not
% learned.

% given: the study's names for the state
cell(X,Y,P) :- true(cell(X,Y,P)).
next(cell(X,Y,P)) :- next(X,Y,P).
"""


def stored(spec: Spec) -> Task:
    """A task as it stands in its file."""
    return read(TASKS / f"{spec.name}.las", limits=Limits(spec.body, spec.rule))


def merged(programs: Mapping[str, Sequence[str]]) -> str:
    """One program of all that was learned, by the names of the tasks."""
    parts = [HEADER]
    parts += [f"% given: {name}\n{sections()[name]}\n" for name in GIVEN]
    parts += ["\n".join([f"% {name}", *rules, ""]) for name, rules in programs.items()]
    return "\n".join(parts)


def learn() -> dict[str, Outcome]:
    """What each stored task gives."""
    return {spec.name: solve(stored(spec)) for spec in SPECS}


def write(folder: Path = TASKS) -> None:
    """Writes the tasks from fresh traces."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        traces = Path(scratch) / "connect-four.jsonl"
        write_study_traces(traces)
        seen = moments(traces)
    for spec in SPECS:
        kept = chosen(spec, seen)
        if not kept.complete:
            raise SystemExit(f"{spec.name}: no hypothesis satisfies all positions")
        (folder / f"{spec.name}.las").write_text(task_text(spec, kept.lessons), encoding="utf-8")


def rows() -> Iterator[tuple[str, str, str]]:
    """Each task: examples, rule space, seconds, and the rules."""
    for spec in SPECS:
        task = stored(spec)
        began = time.perf_counter()
        outcome = solve(task)
        seconds = time.perf_counter() - began
        size = sum(1 for _ in islice(rule_space(task), COUNTED + 1))
        space = f"{size:,}" if size <= COUNTED else f"over {COUNTED:,}"
        examples = len(task.examples)
        what = f"{spec.name}, {examples} example{'s' * (examples != 1)}, {space} rules"
        row = spec.name in ("horz", "vert", "dia1", "dia2")
        yield what, f"{seconds:.1f} s", f"the study: {ROWS if row else PAPER}"
        for rule in outcome.program():
            yield "", rule, ""


def main(words: Sequence[str]) -> int:
    if list(words) != ["write"]:
        print("write: the tasks from traces, and the program learned from them", file=sys.stderr)
        return 2
    write()
    programs = {name: outcome.program() for name, outcome in learn().items()}
    LEARNED.write_text(merged(programs), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
