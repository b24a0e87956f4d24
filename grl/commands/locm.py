"""``grl locm``: action traces in, a planning domain out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import bar, count, example, files, output, table, writable_file

if TYPE_CHECKING:
    from grl.locm.fsm import Fsm
    from grl.locm.learn import Learned
    from grl.render import Format
    from grl.render.picture import Picture

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
    type=click.Path(file_okay=False, path_type=Path),
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
@click.option(
    "--time-limit",
    metavar="S",
    type=click.FloatRange(min=0),
    help="Stop looking for further machines and relations after S seconds.",
)
def locm(
    files: tuple[Path, ...],
    output: Path,
    folder: Path | None,
    kind: Format,
    name: str,
    rename: tuple[str, ...],
    time_limit: float | None,
) -> None:
    """Learn a planning domain from plans.

    A plan file has one (action arg ...) a line, and a blank line between plans.
    """
    from grl.locm.learn import learn
    from grl.locm.pddl import check_domain_name, check_names, domain_pddl
    from grl.locm.planfile import read_plans
    from grl.outputs import write_whole

    names = dict(_renaming(pair) for pair in rename)
    check_domain_name(name)
    target = writable_file(output, inputs=files)
    with bar() as progress:
        plans = read_plans(files, progress)
        learned = learn(plans, name=name, time_limit=time_limit, progress=progress)
    check_names(names, learned.domain)
    domain = learned.domain.renamed(names)
    write_whole(target, domain_pddl(domain))
    click.echo("\n".join(_summary(learned)))
    click.echo(f"wrote {target}")
    if folder is not None:
        _draw(learned, folder, kind)


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


def _draw(learned: Learned, folder: Path, kind: Format) -> None:
    from grl.render import draw_texts, named_apart
    from grl.render.dot import dot_text

    texts = list(named_apart(dot_text(picture) for picture in _pictures(learned)))
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
