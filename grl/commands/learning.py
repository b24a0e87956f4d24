"""``grl learn``: traces in, a model file out, and a table of what was learned."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import (
    MAX_LINE,
    SEED,
    SKIP_BAD,
    FilePath,
    bar,
    example,
    files,
    output,
    regular_file,
    table,
    writable_file,
    writable_folder,
)
from grl.errors import one_line
from grl.showing import count
from grl.summary.standing import automaton_lacks, passing, standings

if TYPE_CHECKING:
    from grl.errors import GrlError
    from grl.model import Model
    from grl.progress import TimeLimit
    from grl.rules.endings.pool import Pool
    from grl.slides import Slides

LISTED = 10
LEAST = 2_000
"""Turns of each file that are looked at for slides, at the least."""


@click.command(
    epilog=example(
        "grl learn games.jsonl more-games.jsonl.gz -o model.grl.json",
        "grl learn games.jsonl --positions 50 -o model.grl.json",
        "grl learn games.jsonl -o model.grl.json --task tasks",
    )
)
@files("TRACES...")
@output("MODEL", "The model file to write, such as model.grl.json.")
@SKIP_BAD
@MAX_LINE
@click.option(
    "--positions",
    metavar="N",
    type=click.IntRange(min=1),
    help="Learn from N positions chosen at random, where all are too many.",
)
@SEED
@click.option("--no-locm", is_flag=True, help="Leave the state machines of whole turns out.")
@click.option("--no-rules", is_flag=True, help="Leave restrictions, endings and turn order out.")
@click.option("--no-symmetry", is_flag=True, help="Let mirror images not share their evidence.")
@click.option("--noise", is_flag=True, help="Set turns aside that look like slips; list them.")
@click.option("--prove-minimal", is_flag=True, help="Prove by clingo that no DFA can be smaller.")
@click.option(
    "--task",
    "tasks",
    metavar="DIR",
    type=FilePath(file_okay=False),
    help="Leave the learning of endings there as ILASP tasks: terminal.las and goal.las.",
)
@click.option(
    "--time-limit",
    metavar="S",
    type=click.FloatRange(min=0, min_open=True),
    help="End after S seconds, with the best that was found by then.",
)
@click.option("--strict", is_flag=True, help="Exit status 1 unless nothing is left open.")
@click.option(
    "--slides",
    is_flag=True,
    help="Read slides, and steps of hobbled horses, that are written as one leap as steps.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes that read, at most as many as cores and games; the model is the same.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Let the workers of a Dask cluster read, such as tcp://host:8786; the model is the same.",
)
@click.option(
    "--resume",
    metavar="DIR",
    type=FilePath(file_okay=False),
    help="Keep there what was read, and go on from there after a break.",
)
def learn(
    files: tuple[Path, ...],
    output: Path,
    skip_bad: bool,
    max_line: int,
    positions: int | None,
    seed: int,
    no_locm: bool,
    no_rules: bool,
    no_symmetry: bool,
    noise: bool,
    prove_minimal: bool,
    tasks: Path | None,
    time_limit: float | None,
    slides: bool,
    strict: bool,
    jobs: int,
    scheduler: str | None,
    resume: Path | None,
) -> int:
    """Learn a model from trace files of one game.

    The last line says whether the model is exact as far as the records tell. With --strict the
    exit status is 1 where it is not; the model is written all the same. An interrupt ends learning
    as --time-limit does, a second one without a model.
    """
    import grl
    from grl.progress import TimeLimit

    target = writable_file(output, inputs=files)
    folder = None if tasks is None else writable_folder(tasks)
    pools: list[Pool] = []
    reading: dict[str, Any] = {"skip_bad": skip_bad, "max_line": max_line}
    steps = _slides(files, reading) if slides else None
    if steps is None:
        _notice_slides(files, reading)
    with bar() as shown, ended_by_interrupts(TimeLimit(time_limit, shown)) as progress:
        sources = [
            grl.Traces.open(file, slides=steps, progress=progress, **reading) for file in files
        ]
        rulebook = grl.learn(
            sources,
            positions=positions,
            seed=seed,
            locm=not no_locm,
            rules=not no_rules,
            symmetry=not no_symmetry,
            noise=noise,
            prove_minimal=prove_minimal,
            jobs=jobs,
            scheduler=scheduler,
            resume=resume,
            progress=progress,
            pool=pools.append,
        )
    rulebook.save(target)
    click.echo("\n".join(learned(rulebook.model)))
    bad = [error for source in sources for error in source.bad]
    if skip_bad:
        click.echo("\n".join(quarantined(bad)), err=bool(bad))
    click.echo(f"wrote {target}")
    if folder is not None:
        for line in _write_tasks(pools, rulebook.model, folder):
            click.echo(line)
    verdict = rulebook.model.report["verdict"]
    click.echo(verdict["line"])
    return int(strict and not verdict["exact"])


@contextmanager
def ended_by_interrupts(limit: TimeLimit) -> Iterator[TimeLimit]:
    """Let the first interrupt, once anything could be lost by it, end learning early."""
    asked = False

    def end(*_: object) -> None:
        nonlocal asked
        if asked or not limit.begun:
            raise KeyboardInterrupt
        asked = True
        limit.stop()
        click.echo("grl: ending with what was found; interrupt again to give up", err=True)

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # Whoever ignores interrupts goes on doing so.
        yield limit
        return
    signal.signal(signal.SIGINT, end)
    try:
        yield limit
    finally:
        signal.signal(signal.SIGINT, before)


def _write_tasks(pools: Sequence[Pool], model: Model, folder: Path) -> Iterator[str]:
    """Writes the tasks of what endings were learned from; a line for each, with its limits."""
    from grl.outputs import write_whole
    from grl.rules.endings.task import ending_tasks

    rules = () if model.rules is None else model.rules.endings
    made = {k: task for pool in pools for k, task in ending_tasks(pool, model.game, rules).items()}
    if not made:
        yield f"{folder}: no task, for no game of the records came to an end"
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, task in made.items():
        path = folder / f"{name}.las"
        write_whole(path, task.text)
        yield (
            f"wrote {path}: {count(task.examples, 'example')}, {count(len(task.atoms), 'atom')}; "
            f"grl las {path} -ml {task.body} --max-rule-length {task.body + 1}"
        )


def _slides(files: Sequence[Path], reading: Mapping[str, Any]) -> Slides:
    """Which leaps of the files are slides; says what is read otherwise than it stands there."""
    from grl.leaps import find_slides
    from grl.traces import Traces

    for file in files:
        regular_file(file)

    with bar() as progress:
        leaps = find_slides(Traces.open(file, progress=progress, **reading) for file in files)
    for line in leaps.report():
        click.echo(line, err=True)
    return leaps.slides()


def _notice_slides(files: Sequence[Path], reading: Mapping[str, Any]) -> None:
    """Says where the beginnings of the files look as if slides were written as leaps."""
    from grl.leaps import SAMPLE, notice
    from grl.traces import Traces

    for file in files:
        if file.is_file():
            found = notice(Traces.open(file, **reading), max(SAMPLE // len(files), LEAST))
            if found is not None:
                said = f"{file}: {found} (--slides reads them so)"
                click.echo(one_line(said), err=True)
                return


def learned(model: Model) -> Iterator[str]:
    """A model part by part: automata as a table, and what the records lack."""
    read = [
        count(model.report[key], one)
        for key, one in (("games", "game"), ("decisions", "decision"), ("turns", "turn"))
        if key in model.report
    ]
    if "read" in model.report:
        read[-1] += f", a sample of {count(model.report['read'], 'turn')}"
    yield f"{model.game}: " + (", ".join(read) or "no report")
    reports = {item["key"]: item for item in model.report.get("automata", ())}
    yield table(
        ("mover", "on", "role", "states", "seen", "sure", "minimal"),
        [
            (
                dfa.key.mover,
                "empty" if dfa.key.holds == "." else dfa.key.holds,
                dfa.key.role.value,
                dfa.size,
                *_standing(reports.get(str(dfa.key))),
            )
            for dfa in model.automata
        ],
    )
    for key, report in reports.items():
        if not report["sure"]:
            yield f"{key} lacks data: " + "; ".join(automaton_lacks(report, model))
    if "noise" in model.report:
        suspicious = model.report["noise"]["suspicious"]
        yield f"{count(len(suspicious), 'suspicious turn')} set aside" + ":" * bool(suspicious)
        yield from (f"  {line}" for line in suspicious[:LISTED])
        if len(suspicious) > LISTED:
            yield f"  … and {len(suspicious) - LISTED:,} more: the model's report lists them all"
    yield count(len(model.machines), "machine") + " of whole turns"
    yield from passing(model)
    unexplained = model.report.get("effects", {}).get("unexplained", 0)
    if unexplained:
        yield f"effects: {count(unexplained, 'turn')} with further segments that no term describes"
        if not model.effects:
            yield "  the model has first segments only, and no rules: they would see wrong boards"
    for part in standings(model):
        yield from part.lines()


def _standing(report: Mapping[str, Any] | None) -> tuple[str, str, str]:
    """How often words of an automaton were seen, whether it is sure, and whether minimal."""
    if report is None:
        return "", "", ""
    minimal = {True: "proven", False: "no", None: "open"}.get(report.get("minimal"), "")
    return (
        f"{report['sightings']:,}",
        "yes" if report["sure"] else "no",
        minimal if "minimal" in report else "",
    )


def quarantined(bad: Sequence[GrlError]) -> Iterator[str]:
    """What was left out of the records, as far as a screen takes it."""
    yield f"{count(len(bad), 'flaw')} left out" + (":" if bad else "")
    yield from (f"  {error}" for error in bad[:LISTED])
    if len(bad) > LISTED:
        yield f"  … and {len(bad) - LISTED:,} more: grl traces check --skip-bad lists them all"
