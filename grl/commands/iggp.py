"""``grl iggp``: a training file of the IGGP data set in, rules as ASP out."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import SEED, FilePath, bar, example, writable_file
from grl.commands.limits import MEMORY, bounds, ended_by, time_limit
from grl.showing import count

if TYPE_CHECKING:
    from grl.children import Report
    from grl.iggp import LearnedProgram

LIMIT = 50.0
LONGEST = 86_400.0
"""Seconds that are shared out where there is no limit: a day."""
SLACK = 1.0
GRACE = 3.0
"""Seconds for the search to notice that the time is over, and to write down what it has."""
CHECK = 2.0
"""Seconds for a look at the rules with clingo, within the limit."""
NO = 1
INTERRUPTED = 130


@click.command(epilog=example("grl iggp coins_legal_train.dat -o rules.lp"))
@click.argument(
    "train",
    metavar="TRAIN.dat",
    type=FilePath(exists=True, dir_okay=False),
)
@click.option(
    "-o",
    "--output",
    metavar="RULES.lp",
    required=True,
    type=FilePath(),
    help="The program to write.",
)
@time_limit("Seconds to search for; the best rules so far are written then.", LIMIT)
@MEMORY
@SEED
def iggp(train: Path, output: Path, seconds: float | None, megabytes: int | None, seed: int) -> int:
    """Learn a relational target from states.

    The rules are learned from states and the atoms that were true in them.
    """
    # One core: the products here are small, and threads would only wait for one another.
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    from grl.outputs import write_whole
    from grl.supervise import supervised

    target = writable_file(output, inputs=[train])
    asked = _Asked(train, seed)
    with bar() as progress:
        ended = supervised(
            partial(_work, asked),
            bounds(seconds, megabytes),
            progress=progress,
            also=(signal.SIGTERM,),
            patience=SLACK,
            grace=GRACE,
        )
    found = ended.result or ended.best
    if found is None:
        click.echo(f"grl: {ended_by(ended.by)} ended the search before there were rules", err=True)
        return INTERRUPTED if ended.by == "interrupt" else NO
    write_whole(target, "".join(f"{line}\n" for line in found.text.splitlines()))
    rules = sum(" :- " in line for line in found.text.splitlines())
    click.echo(f"{count(rules, 'rule')}, {found.errors:,} of {count(found.pairs, 'pair')} wrong")
    if ended.by == "interrupt":
        click.echo(f"interrupted; wrote the best so far to {target}", err=True)
        return INTERRUPTED
    if ended.by not in ("itself", "time"):
        click.echo(f"{ended_by(ended.by)} ended the search", err=True)
    if found.different:
        click.echo(
            f"clingo differs on {count(found.different, 'pair')} of {count(found.states, 'state')}"
        )
    click.echo(f"wrote {target}")
    return 0


@dataclass(frozen=True)
class _Asked:
    """What the command line asks for."""

    train: Path
    seed: int


@dataclass(frozen=True)
class _Rules:
    """A program, the pairs that it gets wrong in training, and of `states` on which clingo was
    asked the pairs on which it differs."""

    text: str
    errors: int
    pairs: int
    states: int = 0
    different: int = 0


def _work(asked: _Asked, report: Report[_Rules]) -> _Rules:
    """Learns; done in a child process."""
    from grl.iggp import check, learn_program, read_task

    task = read_task(asked.train)

    def rules(learned: LearnedProgram, states: int = 0, different: int = 0) -> _Rules:
        pairs = len(task.states) * len(task.atoms)
        return _Rules(learned.text, learned.errors, pairs, states, different)

    left = report.left()
    learned = learn_program(
        task,
        seconds=LONGEST if left is None else left,
        seed=asked.seed,
        progress=report.progress,
        kept=lambda one: report.keep(rules(one)),
    )
    report.keep(rules(learned))
    if learned.interrupted:
        return rules(learned)
    left = report.left()
    seconds = CHECK if left is None else min(CHECK, left)
    return rules(learned, *check(learned, task, seconds=seconds))
