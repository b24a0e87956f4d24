"""``grl import``: games in the notations of players, as trace files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import bar, example, files, output, table, writable_file

if TYPE_CHECKING:
    from grl.importers import Imports

FORMATS = ("acf", "pdn")


@click.command(
    "import",
    epilog=example(
        "grl import pdn matches.pdn -o matches.jsonl",
        "grl import acf ACF.txt --limit 1000 -o thousand.jsonl.zst",
    ),
)
@click.argument("form", metavar="FORMAT", type=click.Choice(FORMATS))
@files("FILE...")
@output("TRACES", "The trace file to write: .jsonl, .jsonl.gz or .jsonl.zst.")
@click.option(
    "--game",
    metavar="NAME",
    default="checkers",
    show_default=True,
    help="The reference game that the records are of.",
)
@click.option(
    "--limit", metavar="N", type=click.IntRange(min=1), help="Stop when N games are written."
)
@click.option(
    "--keep-beginnings",
    is_flag=True,
    help="Keep a bad game up to its first bad ply, rather than leave it out.",
)
@click.option("--strict", is_flag=True, help="Stop at the first bad game.")
def import_(
    form: str,
    files: tuple[Path, ...],
    output: Path,
    game: str,
    limit: int | None,
    keep_beginnings: bool,
    strict: bool,
) -> None:
    """Turn recorded games into a trace file.

    FORMAT is acf or pdn. Every move is matched with the legal turns of a reference game. Games that
    don't replay are left out, counted, and listed with the reason.
    """
    from grl.games import load
    from grl.importers import FORMATS as KNOWN
    from grl.importers import Imports
    from grl.traces import header_dict, write_traces

    target = writable_file(output, inputs=files, device=True)
    reference = load(game)
    began = time.perf_counter()
    with bar() as progress:
        imports = Imports(
            files,
            KNOWN[form],
            reference,
            keep_beginnings=keep_beginnings,
            strict=strict,
            progress=progress,
        )
        write_traces(target, header_dict(reference), _some(imports, limit))
    seconds = f"{time.perf_counter() - began:.2f}"
    for flaw in imports.quarantine:
        click.echo(str(flaw), err=True)
    head = ("read", "written", "quarantined", "plies", "seconds")
    counts = (imports.read, imports.kept, len(imports.quarantine), imports.plies, seconds)
    click.echo(table(head, [counts]))
    if imports.reasons:
        click.echo(table(("quarantined", "games"), imports.reasons.most_common()))


def _some(imports: Imports, limit: int | None) -> Iterator[dict[str, Any]]:
    """At most `limit` plays; an error where there is none at all."""
    from grl.errors import GrlError

    yield from islice(imports, limit)
    if imports.kept == 0:
        raise (
            imports.quarantine[0]
            if imports.quarantine
            else GrlError("the files hold no game", expected="at least one game")
        )
