"""``grl las``: learns answer set programs from task files in ILASP's language."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import AS_JSON, bar, example
from grl.commands.las_traces import from_traces

if TYPE_CHECKING:
    from grl.las.solve import Outcome
    from grl.las.task import Task

NO = 1
SHORT = 10.0
LONG = 60.0
"""Seconds for explaining that there is no hypothesis, without and with --explain."""


class _Las(click.Command):
    """A command on a file, with a further command of its own as a first word."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        if args[:1] == [from_traces.name]:
            name = f"{info_name} {from_traces.name}"
            return from_traces.make_context(name, args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    cls=_Las,
    epilog=example(
        "grl las TASK.las",
        "grl las TASK.las -ml 4 --max-rule-length 6 --time-limit 60",
        "grl las TASK.las --why 'terminal :- line(V1).'",
        "grl las from-traces games.jsonl --target terminal -o TASK.las",
    ),
)
@click.argument(
    "task", metavar="TASK", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("-s", "show_space", is_flag=True, help="Print the rule space, a cost ~ rule a line.")
@click.option(
    "-ml",
    "body",
    metavar="N",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="Most body literals of a rule.",
)
@click.option(
    "--max-rule-length",
    "length",
    metavar="N",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Most literals of a rule.",
)
@click.option(
    "--time-limit",
    "seconds",
    metavar="S",
    type=click.FloatRange(min=0),
    help="Stop after so many seconds with the best hypothesis known.",
)
@AS_JSON
@click.option("--explain", "explained", is_flag=True, help="Say how the task is solved, and why.")
@click.option("--why", "rule", metavar="RULE", help="Say why a rule is not in the space.")
@click.option(
    "--engine",
    type=click.Choice(["grl", "ilasp"]),
    default="grl",
    show_default=True,
    help="Who learns: ilasp runs an installed ILASP on the same file.",
)
@click.option("--no-constraints", is_flag=True, help="No rules without a head.")
@click.option("--extended", is_flag=True, help="Allow what ILASP lacks: aggregates in modes.")
@click.option("--allow-files", is_flag=True, help="Allow #include and #script.")
def las(
    task: Path,
    show_space: bool,
    body: int,
    length: int,
    seconds: float | None,
    as_json: bool,
    explained: bool,
    rule: str | None,
    engine: str,
    no_constraints: bool,
    extended: bool,
    allow_files: bool,
) -> int:
    """Learn an answer set program from an ILASP task.

    Prints the hypothesis of least cost, or UNSATISFIABLE with exit status 1, and
    then, as comments, examples that no hypothesis covers together and what would help.
    `grl las from-traces` writes tasks from trace files.
    """
    from grl.las.syntax import read
    from grl.las.task import Limits, TaskError

    limits = Limits(body, length, not no_constraints, extended)
    read_task = read(task, limits=limits, allow_files=allow_files)
    try:
        return _answer(task, read_task, show_space, seconds, as_json, explained, rule, engine)
    except TaskError as error:
        raise error.at(file=str(task)) from None


def _answer(
    task: Path,
    read_task: Task,
    show_space: bool,
    seconds: float | None,
    as_json: bool,
    explained: bool,
    rule: str | None,
    engine: str,
) -> int:
    from grl.las.solve import solve

    if rule is not None:
        return _why(read_task, rule)
    if show_space:
        _space(read_task, as_json)
        return 0
    if engine == "ilasp":
        from grl.las.ilasp import run

        printed, found = run(task, read_task.limits, seconds)
        click.echo(printed)
        return 0 if found else NO
    began = time.monotonic()
    with bar() as progress:
        if explained:
            for line in explain_layer(read_task, seconds):
                click.echo(f"% {line}", err=as_json)
        outcome = solve(read_task, time_limit=seconds, progress=progress)
        reasons = None
        if outcome.unsatisfiable:
            from grl.las.clock import Clock
            from grl.las.explain import explain

            patience = LONG if explained else SHORT
            spent = time.monotonic() - began
            left = patience if seconds is None else min(max(1.0, seconds - spent), patience)
            reasons = explain(read_task, Clock(left), progress)
    if as_json:
        told = outcome.to_dict()
        click.echo(json.dumps(told | ({} if reasons is None else reasons.to_dict())))
    else:
        lines = report(outcome)
        lines += [f"% {line}" for line in (reasons.lines() if reasons else ())]
        click.echo("\n".join(lines))
    return 0 if outcome.rules is not None else NO


def explain_layer(task: Task, seconds: float | None) -> list[str]:
    """How a task is going to be solved."""
    from grl.las.analyse import analyse
    from grl.las.clock import Clock, OutOfTime

    try:
        analysis = analyse(task, Clock(seconds))
    except OutOfTime:
        return ["layer: not decided in time"]
    return [f"layer: {analysis.layer}", *(f"  because {one}" for one in analysis.reasons)]


def report(outcome: Outcome) -> list[str]:
    """An outcome as the command prints it: rules, and comments about them."""
    if outcome.unsatisfiable:
        return ["UNSATISFIABLE"]
    if outcome.rules is None:
        return ["% no covering hypothesis found within the time limit", "% not proven optimal"]
    lines = [*outcome.program()]
    if not outcome.proven:
        lines.append("% not proven optimal")
        lines.append(f"% cost {outcome.cost}, at least {outcome.bound}")
    else:
        lines.append(f"% cost {outcome.cost}")
    if outcome.uncovered:
        lines.append(f"% not covered: {', '.join(outcome.uncovered)}")
    return lines


def _space(task: Task, as_json: bool) -> None:
    from grl.las.bias import permitted
    from grl.las.space import sorted_space

    rules = permitted(task, sorted_space(task))
    if as_json:
        click.echo(json.dumps([{"cost": rule.cost, "rule": str(rule)} for rule in rules]))
        return
    click.echo("\n".join(f"{rule.cost} ~ {rule}" for rule in rules))


def _why(task: Task, rule: str) -> int:
    from grl.las.why import why

    reasons = why(task, rule)
    click.echo("\n".join(f"% {line}" for line in reasons.lines))
    return 0 if reasons.inside else NO
