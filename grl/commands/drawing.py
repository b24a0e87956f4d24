"""``grl render`` and ``grl export``: a model as pictures and in formats of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import FOLDER, MODEL, bar, count, example

if TYPE_CHECKING:
    from grl.render import Format

EXPORTS = ("dot", "pddl")


@click.command(epilog=example("grl render model.grl.json -o pictures --format svg"))
@MODEL
@FOLDER
@click.option(
    "--format",
    "kind",
    type=click.Choice(["svg", "png", "pdf", "dot"]),
    default="svg",
    show_default=True,
)
def render(model: Path, folder: Path, kind: Format) -> None:
    """Draw every automaton and machine of a model."""
    _draw(model, folder, kind)


@click.command(
    epilog=example(
        "grl export model.grl.json --to dot -o graphs",
        "grl export model.grl.json --to pddl -o domains",
    )
)
@MODEL
@click.option("--to", "kind", type=click.Choice(EXPORTS), required=True)
@FOLDER
def export(model: Path, kind: str, folder: Path) -> None:
    """Write a model in a format that other tools read."""
    if kind == "pddl":
        _write_domains(model, folder)
    else:
        _draw(model, folder, "dot")


def _write_domains(model: Path, folder: Path) -> None:
    """The machines of every piece's turns as a planning domain."""
    from grl.locm.pddl import domain_pddl
    from grl.locm.turn_domains import turn_domains
    from grl.rulebook import load

    domains = list(turn_domains(load(model).model))
    folder.mkdir(parents=True, exist_ok=True)
    names = [domain.name for domain in domains]
    for number, domain in enumerate(domains):
        again = names[:number].count(domain.name)
        path = folder / f"{domain.name}{f'-{again + 1}' if again else ''}.pddl"
        path.write_text(domain_pddl(domain), encoding="utf-8")
    click.echo(f"wrote {count(len(domains), 'file')} to {folder}")


def _draw(model: Path, folder: Path, kind: Format) -> None:
    from grl.render import render_model
    from grl.rulebook import load

    rulebook = load(model)
    with bar() as progress:
        rendered = render_model(rulebook.model, folder, kind, progress)
    click.echo(f"wrote {count(len(rendered.paths), 'file')} to {folder}")
    if rendered.note:
        click.echo(rendered.note, err=True)
