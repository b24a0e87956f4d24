"""``grl iggp``: a training file of the IGGP data set in, rules as ASP out."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import SEED, bar, count, example, writable_file

if TYPE_CHECKING:
    from types import FrameType

LIMIT = 50.0
SLACK = 3.0
INTERRUPTED = 130
_ENDING = (signal.SIGTERM, signal.SIGALRM) if os.name == "posix" else ()


@click.command(epilog=example("grl iggp coins_legal_train.dat -o rules.lp"))
@click.argument(
    "train",
    metavar="TRAIN.dat",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option(
    "-o",
    "--output",
    metavar="RULES.lp",
    required=True,
    type=click.Path(path_type=Path),
    help="The program to write.",
)
@click.option(
    "--time-limit",
    metavar="S",
    default=LIMIT,
    show_default=True,
    type=click.FloatRange(min=0.0),
    help="Seconds to search for; the best rules so far are written then.",
)
@SEED
@click.pass_context
def iggp(ctx: click.Context, train: Path, output: Path, time_limit: float, seed: int) -> None:
    """Learn a relational target from states.

    The rules are learned from states and the atoms that were true in them.
    """
    # One core: the products here are small, and threads would only wait for one another.
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    from grl.iggp import check, learn_program, read_task
    from grl.outputs import write_whole

    target = writable_file(output, inputs=[train])
    task = read_task(train)
    with _ends_as_interrupts(time_limit + SLACK) as asked, bar() as progress:
        learned = learn_program(task, seconds=time_limit, seed=seed, progress=progress)
    write_whole(target, "".join(f"{line}\n" for line in learned.text.splitlines()))
    pairs = len(task.states) * len(task.atoms)
    rules = sum(" :- " in line for line in learned.text.splitlines())
    click.echo(f"{count(rules, 'rule')}, {learned.errors:,} of {count(pairs, 'pair')} wrong")
    if learned.interrupted and asked.by != signal.SIGALRM:
        click.echo(f"interrupted; wrote the best so far to {target}", err=True)
        ctx.exit(INTERRUPTED)
    states, different = check(learned, task, seconds=2.0)
    if different:
        click.echo(f"clingo differs on {count(different, 'pair')} of {count(states, 'state')}")
    click.echo(f"wrote {target}")


@dataclass
class _Asked:
    """Which signal asked to end, if any did."""

    by: int | None = None


@contextmanager
def _ends_as_interrupts(seconds: float) -> Iterator[_Asked]:
    """A request to terminate, and the end of the time, are taken as interrupts.

    The search looks at the clock itself; the alarm is for work that takes longer than thought.
    """
    asked = _Asked()
    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        yield asked
        return

    def interrupt(number: int, _: FrameType | None) -> None:
        asked.by = number
        raise KeyboardInterrupt

    before = [(number, signal.signal(number, interrupt)) for number in _ENDING]
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield asked
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        for number, handler in before:
            signal.signal(number, handler)
