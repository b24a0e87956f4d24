"""``grl las from-traces``: learning tasks written from trace files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import FilePath, bar, example, output, writable_file
from grl.commands.limits import MEMORY, bounds, ended_by, time_limit

if TYPE_CHECKING:
    from grl.children import Report
    from grl.las.from_traces import Made

NO = 1
TARGETS = ("terminal", "goal", "legal", "next", "control")


@click.command(
    "from-traces",
    epilog=example(
        "grl las from-traces games.jsonl --target terminal -o terminal.las",
        "grl las terminal.las -ml 5 --max-rule-length 6",
    ),
)
@click.argument("traces", metavar="TRACES", type=FilePath(exists=True, dir_okay=False))
@click.option(
    "--target",
    type=click.Choice(TARGETS),
    required=True,
    help="The relation that is to be learned.",
)
@click.option(
    "--given",
    metavar="FILE",
    type=FilePath(exists=True, dir_okay=False),
    help="Rules and mode declarations to put in, such as rules learned before.",
)
@click.option(
    "--reach",
    metavar="N",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="How far apart cells of a pattern may lie.",
)
@click.option(
    "--positions",
    metavar="N",
    type=click.IntRange(min=2),
    default=120,
    show_default=True,
    help="Positions to choose examples from, with half as many endings.",
)
@time_limit("Stop after so many seconds in all; the task is unfinished then.")
@MEMORY
@click.option(
    "--unfinished",
    is_flag=True,
    help="Write a task whose rules may be wrong too; its first lines say so.",
)
@output("TASK.las", "The task to write.")
def from_traces(
    traces: Path,
    target: str,
    given: Path | None,
    reach: int,
    positions: int,
    seconds: float | None,
    megabytes: int | None,
    unfinished: bool,
    output: Path,
) -> int:
    """Write a learning task from a trace file.

    Its examples are those few positions of the file that rule out what the others
    leave open; its mode bias is made from the file's vocabulary. `grl las` and
    ILASP read the task; its first line says with which limits. A task that was cut
    off, or that no hypothesis solves, is not written, and the exit status is 1.
    """
    from grl.outputs import write_whole
    from grl.supervise import supervised

    target_file = writable_file(output, inputs=[traces, given])
    asked = _Asked(traces, target, given, reach, positions)
    with bar() as progress:
        ended = supervised(partial(_work, asked), bounds(seconds, megabytes), progress=progress)
    made = ended.result or ended.best
    lacks = made.lacks if made is not None else "the search was cut off"
    if lacks and (made is None or not made.solved_in_vain):
        lacks = f"{ended_by(ended.by)} ended the search"
    if made is not None and (unfinished or not lacks):
        text = made.text.replace(made.lacks, lacks, 1)
        write_whole(target_file, text)
        limits = f"-ml {made.body} --max-rule-length {made.rule}"
        click.echo(f"{made.examples} of {made.positions} positions: grl las {output} {limits}")
    if not lacks:
        return 0
    said = f"unfinished: {lacks}"
    if made is None or not unfinished:
        more = "" if made is None else " (--unfinished writes what there is)"
        said = f"nothing written: {lacks}{more}"
    click.echo(f"grl: {output}: {said}", err=True)
    return NO


@dataclass(frozen=True)
class _Asked:
    """What the command line asks for."""

    traces: Path
    target: str
    given: Path | None
    reach: int
    positions: int


@dataclass(frozen=True)
class _Task:
    """A task as text, and what is said of it."""

    text: str
    body: int
    rule: int
    examples: int
    positions: int
    lacks: str
    solved_in_vain: bool


def _work(asked: _Asked, report: Report[_Task]) -> _Task:
    """Makes the task; done in a child process."""
    from grl.las.from_traces import make_task
    from grl.las.syntax import read_text
    from grl.traces import Traces

    made = make_task(
        Traces.open(asked.traces, progress=report.progress),
        asked.target,
        given="" if asked.given is None else read_text(asked.given),
        reach=asked.reach,
        positions=asked.positions,
        time_limit=report.left(),
        progress=report.progress,
        kept=lambda one: report.keep(_task(one)),
    )
    return _task(made)


def _task(made: Made) -> _Task:
    from grl.las.choose import UNSOLVABLE

    limits = made.limits
    return _Task(
        made.text,
        limits.body,
        limits.rule,
        made.examples,
        made.positions,
        made.lacks,
        made.lacks == UNSOLVABLE,
    )
