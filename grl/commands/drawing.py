"""``grl render`` and ``grl export``: a model as pictures and in formats of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import FOLDER, MODEL, POSITION, bar, example, read_position
from grl.showing import count

if TYPE_CHECKING:
    from grl.render import Format

PROGRAMS = {"asp": "lp", "gdl": "kif", "rbg": "rbg", "lud": "lud"}
"""Forms of the whole game, with the endings of their files."""
EXPORTS = (*PROGRAMS, "pddl", "dot")


@click.command(
    epilog=example(
        "grl render model.grl.json -o pictures --format svg",
        "grl render model.grl.json --all -o pages",
    )
)
@MODEL
@FOLDER
@click.option(
    "--format",
    "kind",
    type=click.Choice(["svg", "png", "pdf", "dot"]),
    default="svg",
    show_default=True,
)
@click.option(
    "--all",
    "whole",
    is_flag=True,
    help="One page of the whole game, as HTML, or with --format pdf as PDF.",
)
def render(model: Path, folder: Path, kind: Format, whole: bool) -> None:
    """Draw every automaton and machine of a model.

    With --all one page instead: board, pieces, pictures and all rules as sentences. A page as PDF
    is printed by Chromium or a browser like it, where there is one.
    """
    if whole:
        _write_page(model, folder, kind)
    else:
        _draw(model, folder, kind)


@click.command(
    epilog=example(
        "grl export model.grl.json --to asp -o programs",
        "grl export model.grl.json --to dot -o graphs",
        "grl export model.grl.json --to pddl --position position.json -o domains",
    )
)
@MODEL
@click.option("--to", "kind", type=click.Choice(EXPORTS), required=True)
@POSITION
@FOLDER
def export(model: Path, kind: str, position_file: Path | None, folder: Path) -> None:
    """Write a model in a format that other tools read.

    asp, gdl, rbg and lud hold the whole game, as a program for clingo, in the Game Description
    Language, for Regular Boardgames and for Ludii; pddl the order of actions in a turn; dot the
    automata and machines as graphs.

    With --to pddl and a position, also the planning problem whose state space holds the turns of
    that position.
    """
    if position_file is not None and kind != "pddl":
        raise click.UsageError("--position goes with --to pddl only")
    if kind == "pddl":
        _write_domains(model, position_file, folder)
    elif kind in PROGRAMS:
        _write_program(model, kind, folder)
    else:
        _draw(model, folder, "dot")


def _write_program(model: Path, kind: str, folder: Path) -> None:
    """The whole model as a logic program."""
    from grl.export.kif import gdl_program
    from grl.export.lud import lud_program
    from grl.export.program import asp_program
    from grl.export.rbg import rbg_program
    from grl.modelfile import read_model
    from grl.outputs import write_whole
    from grl.rules.asp.naming import constant

    learned = read_model(model)
    with bar() as progress:
        progress("writing the program", 0, None)
        write = {"asp": asp_program, "gdl": gdl_program, "rbg": rbg_program, "lud": lud_program}
        text = write[kind](learned)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{constant(learned.game)}.{PROGRAMS[kind]}"
    write_whole(path, text, inputs=[model])
    click.echo(f"wrote {path}")


def _write_domains(model: Path, position_file: Path | None, folder: Path) -> None:
    """The machines of every piece's turns as a planning domain."""
    from grl.locm.pddl import domain_pddl, problem_pddl
    from grl.locm.turn_domains import turn_domains
    from grl.moves.problem import position_problem
    from grl.outputs import write_whole
    from grl.rulebook import load

    read = [file for file in (model, position_file) if file is not None]
    rulebook = load(model)
    position = None if position_file is None else read_position(rulebook, position_file)
    domains = list(turn_domains(rulebook.model))
    folder.mkdir(parents=True, exist_ok=True)
    if position is not None:
        domain, facts = position_problem(rulebook.model, position)
        squares = {position.board.names[s]: "square" for s in position.board.squares}
        task = problem_pddl(domain, squares, facts, [("ended",)])
        for name, text in (("domain", domain_pddl(domain)), ("problem", task)):
            path = folder / f"position-{name}.pddl"
            write_whole(path, text, inputs=read)
    names = [domain.name for domain in domains]
    for number, domain in enumerate(domains):
        again = names[:number].count(domain.name)
        path = folder / f"{domain.name}{f'-{again + 1}' if again else ''}.pddl"
        write_whole(path, domain_pddl(domain), inputs=read)
    written = len(domains) + (0 if position is None else 2)
    click.echo(f"wrote {count(written, 'file')} to {folder}")


def _write_page(model: Path, folder: Path, kind: Format) -> None:
    """A whole game as one file, named after it."""
    from grl.commands.paging import page_of
    from grl.modelfile import read_model
    from grl.outputs import write_whole
    from grl.render.browser import printed
    from grl.render.words import safe_name

    if kind not in ("svg", "pdf"):
        raise click.UsageError(f"--all writes HTML, or PDF with --format pdf; not {kind}")
    learned = read_model(model)
    with bar() as progress:
        page = page_of(learned, progress)
    content = printed(page) if kind == "pdf" else page.encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{safe_name(learned.game)}.{'pdf' if kind == 'pdf' else 'html'}"
    write_whole(path, content, inputs=[model])
    click.echo(f"wrote {path}")


def _draw(model: Path, folder: Path, kind: Format) -> None:
    from grl.render import render_model
    from grl.rulebook import load

    rulebook = load(model)
    with bar() as progress:
        rendered = render_model(rulebook.model, folder, kind, progress, inputs=[model])
    click.echo(f"wrote {count(len(rendered.paths), 'file')} to {folder}")
    if rendered.note:
        click.echo(rendered.note, err=True)
