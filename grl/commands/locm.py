"""``grl locm``: action traces in, a planning domain out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import (
    FilePath,
    bar,
    example,
    files,
    output,
    table,
    writable_file,
    writable_folder,
)
from grl.commands.limits import MEMORY, bounds, ended_by, time_limit
from grl.showing import count

if TYPE_CHECKING:
    from grl.children import Report
    from grl.locm.fsm import Fsm
    from grl.locm.learn import Learned
    from grl.render import Format
    from grl.render.dot import DotText
    from grl.render.picture import Picture

NO = 1
SEARCH = 0.85
"""The part of the time that is for searching; the rest is for writing down what was found."""
_COLOURS = ("#1f5fa8", "#b3541e", "#2f7d4f", "#7a3b8f", "#8a6d1d", "#a02c4a")


@click.command(
    epilog=example(
        "grl locm plans/*.plan -o domain.pddl",
        "grl locm plans.txt -o domain.pddl --machines pictures --rename b_after_stack1=on",
    )
)
@files("PLANS...")
@output("FILE", "The PDDL domain to write, such as domain.pddl.")
@click.option(
    "--machines",
    "folder",
    metavar="DIR",
    type=FilePath(file_okay=False),
    help="Draw the machines into this folder.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["svg", "png", "pdf", "dot"]),
    default="svg",
    show_default=True,
    help="The format of the pictures.",
)
@click.option("--name", default="learned", show_default=True, help="The name of the domain.")
@click.option(
    "--rename",
    metavar="OLD=NEW",
    multiple=True,
    help="Call a predicate or type otherwise; any number of times.",
)
@time_limit("Stop looking for further machines and relations; what was found is written.")
@MEMORY
def locm(
    files: tuple[Path, ...],
    output: Path,
    folder: Path | None,
    kind: Format,
    name: str,
    rename: tuple[str, ...],
    seconds: float | None,
    megabytes: int | None,
) -> int:
    """Learn a planning domain from plans.

    A plan file has one (action arg ...) a line, and a blank line between plans.
    """
    from grl.locm.pddl import check_domain_name
    from grl.outputs import write_whole
    from grl.supervise import supervised

    names = dict(_renaming(pair) for pair in rename)
    check_domain_name(name)
    target = writable_file(output, inputs=files)
    if folder is not None:
        writable_folder(folder)
    asked = _Asked(files, name, names, folder is not None)
    with bar() as progress:
        ended = supervised(partial(_work, asked), bounds(seconds, megabytes), progress=progress)
    if ended.by == "interrupt":
        raise KeyboardInterrupt
    found = ended.result or ended.best
    if found is None:
        click.echo(f"grl: {ended_by(ended.by)} ended the reading of the plans", err=True)
        return NO
    write_whole(target, found.pddl)
    click.echo("\n".join(found.summary))
    if ended.by not in ("itself", "time"):
        click.echo(f"{ended_by(ended.by)} ended the search", err=True)
    click.echo(f"wrote {target}")
    if folder is not None:
        _draw(found.pictures, folder, kind)
    return 0


@dataclass(frozen=True)
class _Asked:
    """What the command line asks for."""

    files: tuple[Path, ...]
    name: str
    names: Mapping[str, str]
    drawn: bool


@dataclass(frozen=True)
class _Found:
    """A domain as PDDL, what is said of it, and its machines as texts for the drawing program."""

    pddl: str
    summary: tuple[str, ...]
    pictures: tuple[DotText, ...]


def _work(asked: _Asked, report: Report[_Found]) -> _Found:
    """Learns; done in a child process."""
    from grl.locm.learn import bare, learn
    from grl.locm.planfile import read_plans

    plans = read_plans(asked.files, report.progress)
    if report.left() is not None:
        report.keep(_found(bare(plans, asked.name), asked))
    left = report.left()
    limit = None if left is None else left * SEARCH
    return _found(learn(plans, name=asked.name, time_limit=limit, progress=report.progress), asked)


def _found(learned: Learned, asked: _Asked) -> _Found:
    from grl.locm.pddl import check_names, domain_pddl
    from grl.render import named_apart
    from grl.render.dot import dot_text

    names = asked.names
    if learned.stopped:
        # What would be renamed may not have been found.
        known = {*learned.domain.sorts, *(one.name for one in learned.domain.predicates)}
        names = {old: new for old, new in names.items() if old in known}
    check_names(names, learned.domain)
    pictures = _pictures(learned) if asked.drawn else ()
    return _Found(
        domain_pddl(learned.domain.renamed(names)),
        tuple(_summary(learned)),
        tuple(named_apart(dot_text(picture) for picture in pictures)),
    )


def _renaming(pair: str) -> tuple[str, str]:
    old, sign, new = pair.partition("=")
    if not (old and sign and new):
        raise click.BadParameter(f"'{pair}' is not OLD=NEW", param_hint="--rename")
    return old, new


def _summary(learned: Learned) -> Iterator[str]:
    plans = learned.sorts.table
    yield f"{count(plans.plans, 'plan')}, {count(len(plans.kind), 'action')}"
    rows = []
    for fsm in learned.machines:
        remembered = sum(len(parameters) for parameters in fsm.parameters)
        rows.append((_sort(learned, fsm), fsm.size, len(fsm.start), remembered))
    yield table(("machine of", "states", "transitions", "remembered"), rows)
    yield f"{count(len(learned.features), 'further feature')}, " + count(
        len(learned.statics), "static relation"
    )
    if learned.stopped:
        yield "the time limit ended the search: there may be more machines and relations"


def _sort(learned: Learned, fsm: Fsm) -> str:
    return "the plan" if fsm.sort < 0 else learned.sorts.names[fsm.sort]


def _draw(texts: Sequence[DotText], folder: Path, kind: Format) -> None:
    from grl.render import draw_texts

    with bar() as progress:
        rendered = draw_texts(texts, folder, kind, progress)
    click.echo(f"wrote {count(len(rendered.paths), 'file')} to {folder}")
    if rendered.note:
        click.echo(rendered.note, err=True)


def _pictures(learned: Learned) -> Iterator[Picture]:
    """The machines as pictures: the states by number, with their names below the title."""
    from grl.locm.schemas import state_name
    from grl.render.legends import plan_legend
    from grl.render.picture import Arrow, Picture

    sorts = learned.sorts
    for fsm in learned.machines:
        grouped: dict[tuple[int, int], list[str]] = {}
        for t in sorted(fsm.start):
            label = sorts.table.signatures[t].name if fsm.sort < 0 else sorts.table.slot_name(t)
            grouped.setdefault((fsm.start[t], fsm.end[t]), []).append(label)
        labels = [label for lines in grouped.values() for label in lines]
        legend = list(plan_legend(labels, fsm.initial, fsm.final, zero=fsm.sort < 0))
        for state in range(fsm.size):
            remembered = [sorts.names[p.sort] for p in fsm.parameters[state]]
            holds = f" [{', '.join(remembered)}]" if remembered else ""
            legend.append(f"{state}: {state_name(sorts, fsm, state)}{holds}")
        yield Picture(
            f"locm-{'plan' if fsm.sort < 0 else sorts.names[fsm.sort]}",
            _sort(learned, fsm),
            "LOCM zero machine" if fsm.sort < 0 else "LOCM machine",
            tuple(legend),
            _COLOURS[(fsm.sort + 1) % len(_COLOURS)],
            fsm.size,
            tuple(sorted(fsm.initial)),
            frozenset(fsm.final),
            frozenset(),
            tuple(Arrow(*ends, tuple(lines)) for ends, lines in sorted(grouped.items())),
        )
