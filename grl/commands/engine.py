"""``grl engine``: a model as machine code, what there is of it, and the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from grl.commands.common import MODEL, example
from grl.errors import one_line
from grl.showing import count

if TYPE_CHECKING:
    from grl.engine.overview import Overview
    from grl.model import Model

WIDTH = 100
TITLES = {
    "effects": "Effects",
    "restrictions": "Restrictions",
    "endings": "Endings",
    "control": "Who moves next",
    "passing": "Passes",
}


@click.command(
    epilog=example(
        "grl engine model.grl.json",
        "grl engine model.grl.json --show",
        "grl engine model.grl.json --source",
        "printf 'turns\\nperft 4\\n' | grl engine model.grl.json --protocol",
    )
)
@MODEL
@click.option("--show", is_flag=True, help="Also the graph of each player's turns, and the rules.")
@click.option("--source", is_flag=True, help="Print the C text instead.")
@click.option("--cuda", is_flag=True, help="Print the text for graphics processors instead.")
@click.option(
    "--protocol", is_flag=True, help="Answer commands on standard input, for other programs."
)
def engine(model: Path, show: bool, source: bool, cuda: bool, protocol: bool) -> int:
    """Say what there is of a model as machine code.

    Which compiler made it or why Python plays, how large it is, and which
    rules are compiled. With --protocol other programs play by the model:
    its command help lists the others.
    """
    from grl.rulebook import load

    if show + source + cuda + protocol > 1:
        raise click.UsageError("--show, --source, --cuda and --protocol exclude one another")
    rulebook = load(model)
    if protocol:
        from grl.commands.protocol import Session

        Session(rulebook).run()
        return 0
    if source or cuda:
        from grl.engine.gpu import device_text
        from grl.engine.source import program
        from grl.errors import NotCompiled

        try:
            made = program(rulebook.model)
            text = device_text(made) if cuda else made.text
        except NotCompiled as error:
            click.echo(str(error), err=True)
            return 1
        click.echo(text, nl=False)
        return 0
    from grl.engine.overview import overview

    found = overview(rulebook.model)
    click.echo("\n".join(_summary(rulebook.model, found)))
    if show:
        click.echo("\n".join(_shown(rulebook.model, found)))
        click.echo("\nThe C text: grl engine MODEL --source")
    return 0


def _summary(model: Model, found: Overview) -> Iterator[str]:
    """What there is, in a few lines."""
    from grl.engine.overview import size

    yield _fact("kind", f"{found.kind}: {found.reason}" if found.reason else found.kind)
    for graph in found.graphs:
        nodes, edges = size(graph)
        text = f"{one_line(graph.player)}: {count(nodes, 'node')}, {count(edges, 'edge')}"
        yield _fact("graph", text)
    if found.source:
        lines = count(found.source.count("\n"), "line")
        yield _fact("source", f"{lines} of C, written in {found.writing:.3f} s")
        yield _fact("turns", f"counted {found.counted}")
    if found.state:
        made = "loaded, as it was kept," if found.kept else "compiled"
        yield _fact("library", f"{made} in {found.making:.3f} s")
        yield _fact("state", f"{found.state:,} bytes")
    yield _fact("rules", _compiled(model, found))


def _fact(name: str, text: str) -> str:
    return f"{name:<8} {text}"


def _compiled(model: Model, found: Overview) -> str:
    """How many rules and effects are compiled, or could be."""
    listed = [obstacle for part in found.obstacles.values() for obstacle in part]
    fit = listed.count(None)
    if model.rules is None and not listed:
        return "none were learned"
    if found.state:
        return f"{fit} of {len(listed)} compiled"
    return f"0 of {len(listed)} compiled, {fit} could be"


def _shown(model: Model, found: Overview) -> Iterator[str]:
    """The graphs, and each rule with whether it is compiled."""
    from grl.engine.overview import graph_lines

    for graph in found.graphs:
        yield ""
        yield f"Turns of {one_line(graph.player)}"
        yield from (f"  {line}" for line in graph_lines(model, graph))
    for part, obstacles in found.obstacles.items():
        if not obstacles:
            continue
        yield ""
        yield TITLES[part]
        for number, (sentence, obstacle) in enumerate(
            zip(_sentences(model, part), obstacles, strict=True), 1
        ):
            marked = _mark(obstacle, bool(found.state))
            text = f"{number}. {sentence} ({marked})"
            yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="     ")


def _mark(obstacle: str | None, compiled: bool) -> str:
    if obstacle is not None:
        return f"not compiled: {obstacle}"
    return "compiled" if compiled else "could be compiled"


def _sentences(model: Model, part: str) -> list[str]:
    from grl.rules.english.effects import effect_sentences
    from grl.rules.english.sentences import sentences
    from grl.summary.text import KINDS

    if part == "effects":
        return list(effect_sentences(model))
    return sentences(model.equipment, KINDS[part], getattr(model.rules, part))
