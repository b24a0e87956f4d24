"""``grl import``: games in the notations of players, as trace files."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import FilePath, bar, example, files, output, table, writable_file

if TYPE_CHECKING:
    from grl.importers import CoordinateImports, Imports, PgnImports

COORDINATES = "coordinates"
PGN = "pgn"
FORMATS = ("acf", COORDINATES, "pdn", PGN)
CAUSES = 3


@click.command(
    "import",
    epilog=example(
        "grl import pdn matches.pdn -o matches.jsonl",
        "grl import acf ACF.txt --limit 1000 -o thousand.jsonl.zst",
        "grl import pgn games.pgn --all-moves -o games.jsonl.zst",
        "grl import coordinates games.txt --start start.json --ended -o games.jsonl",
    ),
)
@click.argument("form", metavar="FORMAT", type=click.Choice(FORMATS))
@files("FILE...")
@output("TRACES", "The trace file to write: .jsonl, .jsonl.gz or .jsonl.zst.")
@click.option(
    "--game",
    metavar="GAME",
    help="The reference game that the records are of, where it isn't the usual one of FORMAT.",
)
@click.option(
    "--start",
    metavar="START.json",
    type=FilePath(exists=True, dir_okay=False),
    help="With coordinates: JSON with the rows where games begin, or a whole trace header.",
)
@click.option("--ended", is_flag=True, help="With coordinates: results are the rules' own.")
@click.option("--one-a-line", is_flag=True, help="With coordinates: every line is a game.")
@click.option(
    "--all-moves", is_flag=True, help="With pgn: record every legal turn, not only the chosen."
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
    game: str | None,
    start: Path | None,
    ended: bool,
    one_a_line: bool,
    all_moves: bool,
    limit: int | None,
    keep_beginnings: bool,
    strict: bool,
) -> None:
    """Turn recorded games into a trace file.

    FORMAT is acf, pdn, pgn or coordinates. Every move of the first three is matched with the legal
    turns of a reference game; moves in coordinates, such as e2e4, are carried out on a board. Games
    that don't replay are left out, counted, and listed with the reason.
    """
    from grl.traces import write_traces

    inputs = files if start is None else (*files, start)
    target = writable_file(output, inputs=inputs, device=True)
    began = time.perf_counter()
    with bar() as progress:
        options: dict[str, Any] = {
            "keep_beginnings": keep_beginnings,
            "strict": strict,
            "progress": progress,
        }
        if all_moves and form != PGN:
            raise click.UsageError("--all-moves goes with pgn")
        imports: Imports | CoordinateImports | PgnImports
        if form == COORDINATES:
            if game is not None:
                raise click.UsageError("coordinates need no --game: they are carried out")
            options |= {"ended": ended, "one_a_line": one_a_line}
            imports, header = _coordinates(files, start, options)
        else:
            if start is not None or ended or one_a_line:
                raise click.UsageError("--start, --ended and --one-a-line go with coordinates")
            if form == PGN:
                options |= {"all_moves": all_moves}
            imports, header = _matched(form, files, game, options)
        try:
            write_traces(target, header, _some(imports, limit))
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
    if imports.reasons:
        click.echo(table(("quarantined", "games"), imports.reasons.most_common()))


def _matched(
    form: str, files: tuple[Path, ...], game: str | None, options: dict[str, Any]
) -> tuple[Imports | PgnImports, dict[str, Any]]:
    """Who reads a notation whose moves the legal turns of a game explain, and the header."""
    from grl.games import load, written_in
    from grl.importers import FORMATS as KNOWN
    from grl.importers import Imports, PgnImports
    from grl.traces import header_dict

    reference = load(written_in(form) if game is None else game)
    if form == PGN:
        return PgnImports(files, reference, **options), header_dict(reference)
    return Imports(files, KNOWN[form], reference, **options), header_dict(reference)


def _coordinates(
    files: tuple[Path, ...], start: Path | None, options: dict[str, Any]
) -> tuple[CoordinateImports, dict[str, Any]]:
    """Who reads coordinates, and the header."""
    from grl.importers import CoordinateImports, read_start

    if start is None:
        raise click.UsageError("coordinates need --start: the rows where games begin")
    header = read_start(start)
    return CoordinateImports(files, header, **options), header.to_dict()


def _some(
    imports: Imports | CoordinateImports | PgnImports, limit: int | None
) -> Iterator[dict[str, Any]]:
    """At most `limit` plays; an error where there is none at all."""
    from grl.errors import GrlError

    plays: Iterable[dict[str, Any]] = imports
    yield from islice(plays, limit)
    if imports.kept == 0:
        raise (
            imports.quarantine[0]
            if imports.quarantine
            else GrlError("the files hold no game", expected="at least one game")
        )
