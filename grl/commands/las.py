"""``grl las``: learns answer set programs from task files in ILASP's language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import AS_JSON, FilePath, bar, example
from grl.commands.las_options import changing_nothing, given
from grl.commands.las_traces import from_traces
from grl.commands.limits import MEMORY, bounds, ended_by, time_limit

if TYPE_CHECKING:
    from grl.children import Report
    from grl.las.solve import Outcome
    from grl.las.task import Task
    from grl.supervise import End

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
        "grl las --popper FOLDER",
        "grl las from-traces games.jsonl --target terminal -o TASK.las",
    ),
)
@click.argument("task", metavar="TASK", type=FilePath(exists=True))
@click.option("--popper", is_flag=True, help="TASK is a folder with Popper's three files.")
@click.option(
    "--write-popper",
    "popper_folder",
    metavar="DIR",
    type=FilePath(file_okay=False),
    help="Write the task as Popper's three files instead of solving it.",
)
@click.option(
    "-s",
    "--search-space",
    "show_space",
    is_flag=True,
    help="Print the rule space, a cost ~ rule a line.",
)
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
    "--max-wc-length",
    "weak",
    metavar="N",
    type=click.IntRange(min=0),
    help="Most body literals of a weak constraint; as -ml says where it is not given.",
)
@time_limit("Stop after so many seconds with the best hypothesis known.")
@MEMORY
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
@click.option("-nc", "--no-constraints", is_flag=True, help="No rules without a head.")
@click.option("-na", "--no-aggregates", is_flag=True, help="No choice rules.")
@click.option("-q", "--quiet", is_flag=True, help="Print rules or UNSATISFIABLE, no comments.")
@click.option("--extended", is_flag=True, help="Allow what ILASP lacks: aggregates in modes.")
@click.option("--allow-files", is_flag=True, help="Allow #include and #script.")
@changing_nothing
def las(
    task: Path,
    popper: bool,
    popper_folder: Path | None,
    show_space: bool,
    body: int,
    length: int,
    weak: int | None,
    seconds: float | None,
    megabytes: int | None,
    as_json: bool,
    explained: bool,
    rule: str | None,
    engine: str,
    no_constraints: bool,
    no_aggregates: bool,
    quiet: bool,
    extended: bool,
    allow_files: bool,
) -> int:
    """Learn an answer set program from an ILASP task.

    Prints the hypothesis of least cost, or UNSATISFIABLE with exit status 1, and
    then, as comments, examples that no hypothesis covers together and what would help.
    `grl las from-traces` writes tasks from trace files.
    """
    if task.is_dir() != popper:
        wanted = "a folder" if popper else "a file"
        raise click.BadParameter(f"{task} is not {wanted}", param_hint="TASK")
    limits = _Limits(body, length, weak, not no_constraints, not no_aggregates, extended)
    asked = _Asked(task, limits, allow_files, explained, show_space, rule, popper)
    if popper_folder is not None:
        return _write_popper(asked, popper_folder)
    if given() and not quiet:
        click.echo(f"grl: {', '.join(given())}: taken, and changes nothing here", err=True)
    if engine == "ilasp":
        return _other(asked, seconds)
    from grl.supervise import supervised

    def kept(found: Found) -> None:
        if found.layer and not quiet:
            click.echo("\n".join(found.layer), err=as_json)
        for note in () if quiet else found.notes:
            click.echo(f"grl: {task}: {note}", err=True)

    with bar() as progress:
        ended = supervised(
            partial(_work, asked), bounds(seconds, megabytes), progress=progress, kept=kept
        )
    found = next((one for one in (ended.result, ended.best) if one and one.lines), None)
    if found is None:
        if ended.by == "interrupt" and asked.question is not None:
            raise KeyboardInterrupt
        found = nothing(asked, ended.by)
    elif ended.by not in ("itself", "time"):
        more = f"% {ended_by(ended.by)} ended the search"
        found = replace(found, lines=(*found.lines, more), data={**found.data, "ended": ended.by})
    if as_json and rule is None:
        click.echo(json.dumps(found.data.get("space", found.data)))
    else:
        shown = [line for line in found.lines if not (quiet and line.startswith("%"))]
        click.echo("\n".join(shown))
    return found.status


@dataclass(frozen=True)
class _Limits:
    """What bounds the rules, as `grl.las.task.Limits` has it, which is imported when it is used."""

    body: int
    rule: int
    weak: int | None
    constraints: bool
    choices: bool
    extended: bool


@dataclass(frozen=True)
class _Asked:
    """What the command line asks of a task."""

    task: Path
    limits: _Limits
    allow_files: bool
    explained: bool
    space: bool
    rule: str | None
    popper: bool = False

    @property
    def question(self) -> str | None:
        """What is asked beside a hypothesis, as a sentence goes on that says it wasn't answered."""
        if self.rule is not None:
            return "not decided"
        return "the rule space was not written out" if self.space else None


@dataclass(frozen=True)
class Found:
    """What is printed, as text and as JSON, and the exit status; or how the task is solved, and
    what is odd about it."""

    lines: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    status: int = 0
    layer: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def nothing(asked: _Asked, by: End) -> Found:
    """What there is to print when a limit came before anything was found."""
    when = f"before {ended_by(by)}" if by in ("interrupt", "killed") else f"within {ended_by(by)}"
    if asked.question is not None:
        return Found((f"% {asked.question} {when}",), {"status": "unknown", "ended": by}, NO)
    lines = (f"% no covering hypothesis found {when}", "% not proven optimal")
    data: dict[str, Any] = {
        "status": "unknown",
        "rules": None,
        "cost": None,
        "bound": 0,
        "uncovered": [],
    }
    return Found(lines, {**data, "layer": "none", "ended": by}, NO)


def _read(asked: _Asked) -> Task:
    from grl.las.syntax import read
    from grl.las.task import Limits

    if asked.popper:
        from grl.las.popper import read_popper

        return read_popper(asked.task)
    limits = Limits(**asdict(asked.limits))
    return read(asked.task, limits=limits, allow_files=asked.allow_files)


def _write_popper(asked: _Asked, folder: Path) -> int:
    """Writes the three files of Popper; none that is there already is written over."""
    from grl.las.popper import popper_files

    files = popper_files(_read(asked))
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        with (folder / name).open("x", encoding="utf-8") as file:
            file.write(text)
    return 0


def _other(asked: _Asked, seconds: float | None) -> int:
    """Leaves the task to an installed ILASP, once it was read."""
    from grl.las.ilasp import run

    printed, found = run(asked.task, _read(asked).limits, seconds)
    click.echo(printed)
    return 0 if found else NO


def _work(asked: _Asked, report: Report[Found]) -> Found:
    """Answers; done in a child process."""
    from grl.las.clock import OutOfTime
    from grl.las.task import TaskError

    task = _read(asked)
    if task.notes:
        report.keep(Found(notes=task.notes))
    try:
        if asked.rule is not None:
            return _member(task, asked.rule)
        if asked.space:
            return _space(task, report.left())
        return _solve(task, asked.explained, report)
    except OutOfTime:
        return Found()
    except TaskError as error:
        raise error.at(file=str(asked.task)) from None


def _solve(task: Task, explained: bool, report: Report[Found]) -> Found:
    from grl.las.solve import solve

    if explained:
        layer = explain_layer(task, report.left())
        report.keep(Found(layer=tuple(f"% {line}" for line in layer)))
    outcome = solve(
        task,
        time_limit=report.left(),
        progress=report.progress,
        better=lambda one: report.keep(_found(one)),
        quick=True,
    )
    found = _found(outcome)
    if not outcome.unsatisfiable:
        return found
    from grl.las.clock import Clock
    from grl.las.explain import explain

    report.keep(found)
    patience = LONG if explained else SHORT
    left = report.left()
    reasons = explain(
        task, Clock(patience if left is None else min(left, patience)), report.progress
    )
    lines = tuple(f"% {line}" for line in reasons.lines())
    return Found((*found.lines, *lines), {**found.data, **reasons.to_dict()}, NO)


def _found(outcome: Outcome) -> Found:
    return Found(
        tuple(report_lines(outcome)), outcome.to_dict(), NO if outcome.rules is None else 0
    )


def explain_layer(task: Task, seconds: float | None) -> list[str]:
    """How a task is going to be solved."""
    from grl.las.analyse import analyse
    from grl.las.clock import Clock, OutOfTime

    try:
        analysis = analyse(task, Clock(seconds))
    except OutOfTime:
        return ["layer: not decided in time"]
    return [f"layer: {analysis.layer}", *(f"  because {one}" for one in analysis.reasons)]


def report_lines(outcome: Outcome) -> list[str]:
    """An outcome as the command prints it: rules, and comments about them."""
    if outcome.unsatisfiable:
        return ["UNSATISFIABLE"]
    if outcome.rules is None:
        return []
    lines = [*outcome.program()]
    if not outcome.proven:
        lines.append("% not proven optimal")
        lines.append(f"% cost {outcome.cost}, at least {outcome.bound}")
    else:
        lines.append(f"% cost {outcome.cost}")
    if outcome.uncovered:
        lines.append(f"% not covered: {', '.join(outcome.uncovered)}")
    return lines


def _space(task: Task, seconds: float | None) -> Found:
    from grl.las.bias import permitted
    from grl.las.clock import Clock
    from grl.las.space import sorted_space

    rules = permitted(task, sorted_space(task, Clock(seconds)))
    listed = [{"cost": rule.cost, "rule": str(rule)} for rule in rules]
    lines = tuple(f"{rule.cost} ~ {rule}" for rule in rules)
    return Found(lines or ("",), {"space": listed})


def _member(task: Task, rule: str) -> Found:
    from grl.las.membership import membership

    found = membership(task, rule)
    lines = tuple(f"% {line}" for line in found.lines)
    return Found(lines, status=0 if found.inside else NO)
