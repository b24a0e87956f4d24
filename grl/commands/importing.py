"""``grl import``: games in the notations of players, as trace files."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import FilePath, bar, example, output, table, writable_file

if TYPE_CHECKING:
    from grl.importers.formats import Source

FORMATS = (
    "acf",
    "coordinates",
    "csa",
    "kif",
    "openspiel",
    "pdn",
    "pgn",
    "positions",
    "sgf",
    "uci",
    "usi",
    "wthor",
)
"""As in `grl.importers.formats`, which is not imported for the sake of help."""
CAUSES = 3


@click.command(
    "import",
    epilog=example(
        "grl import pdn matches.pdn -o matches.jsonl",
        "grl import pgn games.pgn --all-moves -o games.jsonl.zst",
        "grl import uci games.txt --variant minishogi -o games.jsonl",
        "grl import coordinates games.txt --start start.json --ended -o games.jsonl",
        "grl import positions boards.csv --start start.json -o games.jsonl",
        "grl import openspiel --game breakthrough -n 100 --all-moves -o games.jsonl",
    ),
)
@click.argument("form", metavar="FORMAT", type=click.Choice(FORMATS))
@click.argument("files", metavar="FILE...", nargs=-1, type=FilePath(exists=True, dir_okay=False))
@output("TRACES", "The trace file to write: .jsonl, .jsonl.gz or .jsonl.zst.")
@click.option(
    "--game",
    metavar="GAME",
    help="The reference game that the records are of, where FORMAT doesn't say it; with openspiel "
    "a game of OpenSpiel.",
)
@click.option(
    "--variant", metavar="NAME", help="With uci and pgn: the game, as pyffish or chess names it."
)
@click.option(
    "--start",
    metavar="START.json",
    type=FilePath(exists=True, dir_okay=False),
    help="With coordinates, positions: JSON with the rows where games begin, or a trace header.",
)
@click.option(
    "--ended", is_flag=True, help="With coordinates, positions: results are the rules' own."
)
@click.option("--one-a-line", is_flag=True, help="With coordinates: every line is a game.")
@click.option(
    "--all-moves", is_flag=True, help="Record every legal turn, where a library or game lists them."
)
@click.option("--exact", is_flag=True, help="With uci: ask pyffish what every legal move does.")
@click.option(
    "-n",
    "number",
    metavar="N",
    type=click.IntRange(min=1),
    help="With openspiel: play so many games at random.",
)
@click.option(
    "--max-plies",
    "plies",
    metavar="N",
    type=click.IntRange(min=1),
    help="With openspiel: break games off after so many turns.",
)
@click.option("--seed", metavar="S", type=int, help="With openspiel: same seed, same games.")
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
    limit: int | None,
    keep_beginnings: bool,
    strict: bool,
    **wished: Any,
) -> None:
    """Turn recorded games into a trace file.

    FORMAT is a notation: acf, csa, kif, pdn, pgn, sgf, uci, usi, wthor, moves in coordinates,
    positions, boards without any moves, or openspiel, which plays the games too. What a move does a
    reference game or a library says, or it is carried out on a board; what was played between two
    boards all games decide together. Games that don't replay are left out, counted, and listed
    with the reason.
    """
    from grl.importers.formats import written

    start = wished["start"]
    inputs = files if start is None else (*files, start)
    target = writable_file(output, inputs=inputs, device=True)
    began = time.perf_counter()
    with bar() as progress:
        common = {"keep_beginnings": keep_beginnings, "strict": strict, "progress": progress}
        source = _source(form, files, wished, common)
        imports = source.imports
        try:
            written(target, source, limit)
        except Exception:
            for flaw in imports.quarantine[1:CAUSES]:
                click.echo(str(flaw), err=True)
            raise
    seconds = f"{time.perf_counter() - began:.2f}"
    for flaw in imports.quarantine:
        click.echo(str(flaw), err=True)
    head = ("read", "written", "quarantined", "plies", "seconds")
    counts = (imports.read, imports.kept, len(imports.quarantine), imports.plies, seconds)
    click.echo(table(head, [counts]))
    if imports.alike:
        click.echo(f"turns for which another one would have done: {imports.alike:,}")
    if imports.reasons:
        click.echo(table(("quarantined", "games"), imports.reasons.most_common()))


def _source(
    form: str, files: tuple[Path, ...], wished: Mapping[str, Any], common: Mapping[str, Any]
) -> Source:
    """Who reads the files; a `click.UsageError` where something was wished that FORMAT hasn't."""
    from grl.importers.formats import NOTATIONS, Wishes

    notation = NOTATIONS[form]
    given = {name: value for name, value in wished.items() if value not in (None, False)}
    for name in given.keys() - notation.takes:
        those = ", ".join(sorted(f for f, n in NOTATIONS.items() if name in n.takes))
        raise click.UsageError(f"{_option(name)} goes with {those}, not with {form}")
    if notation.needs_files and not files:
        raise click.UsageError("Missing argument 'FILE...'.")
    return notation.make(files, Wishes(**given), common)


def _option(name: str) -> str:
    """How an option is written, by the name of what it says."""
    parameters = {parameter.name: parameter.opts[0] for parameter in import_.params}
    return parameters[name]
