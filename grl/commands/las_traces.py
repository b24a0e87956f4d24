"""``grl las from-traces``: learning tasks written from trace files."""

from __future__ import annotations

from pathlib import Path

import click

from grl.commands.common import bar, example, output, writable_file

TARGETS = ("terminal", "goal", "legal", "next", "control")


@click.command(
    "from-traces",
    epilog=example(
        "grl las from-traces games.jsonl --target terminal -o terminal.las",
        "grl las terminal.las -ml 5 --max-rule-length 6",
    ),
)
@click.argument(
    "traces", metavar="TRACES", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--target",
    type=click.Choice(TARGETS),
    required=True,
    help="The relation that is to be learned.",
)
@click.option(
    "--given",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
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
@click.option(
    "--time-limit",
    "seconds",
    metavar="S",
    type=click.FloatRange(min=0),
    default=20.0,
    show_default=True,
    help="Seconds for each search on the way.",
)
@output("TASK.las", "The task to write.")
def from_traces(
    traces: Path,
    target: str,
    given: Path | None,
    reach: int,
    positions: int,
    seconds: float,
    output: Path,
) -> int:
    """Write a learning task from a trace file.

    Its examples are those few positions of the file that rule out what the others
    leave open; its mode bias is made from the file's vocabulary. `grl las` and
    ILASP read the task; its first line says with which limits.
    """
    from grl.las.from_traces import make_task
    from grl.las.syntax import read_text
    from grl.outputs import write_whole
    from grl.traces import Traces

    writable_file(output, inputs=[traces, given])
    with bar() as progress:
        made = make_task(
            Traces.open(traces, progress=progress),
            target,
            given="" if given is None else read_text(given),
            reach=reach,
            positions=positions,
            time_limit=seconds,
            progress=progress,
        )
    write_whole(output, made.text)
    limits = f"-ml {made.limits.body} --max-rule-length {made.limits.rule}"
    click.echo(f"{made.examples} of {made.positions} positions: grl las {output} {limits}")
    if not made.complete:
        click.echo("no hypothesis was found that satisfies all positions", err=True)
    return 0
