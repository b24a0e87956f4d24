"""``grl learn``: traces in, a model file out, and a table of what was learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import (
    SEED,
    SKIP_BAD,
    bar,
    count,
    example,
    files,
    output,
    table,
    writable_file,
)
from grl.commands.standing import automaton_lacks, passing, standings

if TYPE_CHECKING:
    from grl.errors import GrlError
    from grl.model import Model

LISTED = 10


@click.command(
    epilog=example(
        "grl learn games.jsonl more-games.jsonl.gz -o model.grl.json",
        "grl learn games.jsonl --positions 50 -o model.grl.json",
    )
)
@files("TRACES...")
@output("MODEL", "The model file to write, such as model.grl.json.")
@SKIP_BAD
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
@click.option("--strict", is_flag=True, help="Exit status 1 unless nothing is left open.")
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes that read; the model is the same whatever their number.",
)
def learn(
    files: tuple[Path, ...],
    output: Path,
    skip_bad: bool,
    positions: int | None,
    seed: int,
    no_locm: bool,
    no_rules: bool,
    no_symmetry: bool,
    noise: bool,
    prove_minimal: bool,
    strict: bool,
    jobs: int,
) -> int:
    """Learn a model from trace files of one game.

    The last line says whether the model is exact as far as the records tell. With --strict the
    exit status is 1 where it is not; the model is written all the same.
    """
    import grl

    target = writable_file(output)
    with bar() as progress:
        sources = [grl.Traces.open(file, skip_bad=skip_bad, progress=progress) for file in files]
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
            progress=progress,
        )
    rulebook.save(target)
    click.echo("\n".join(learned(rulebook.model)))
    bad = [error for source in sources for error in source.bad]
    if skip_bad:
        click.echo("\n".join(quarantined(bad)), err=bool(bad))
    click.echo(f"wrote {target}")
    verdict = rulebook.model.report["verdict"]
    click.echo(verdict["line"])
    return int(strict and not verdict["exact"])


def learned(model: Model) -> Iterator[str]:
    """A model part by part: automata as a table, and what the records lack."""
    read = [
        count(model.report[key], one)
        for key, one in (("games", "game"), ("decisions", "decision"), ("turns", "turn"))
        if key in model.report
    ]
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
