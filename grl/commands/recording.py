"""``grl traces``: reference games' trace files, written and checked."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
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
    output,
    regular_file,
    table,
    writable_file,
)
from grl.errors import one_line
from grl.showing import count

if TYPE_CHECKING:
    from grl.progress import Progress
    from grl.traces import Traces

LONGEST = 1_000
"""Plies after which a generated game is broken off: some games have no end by chance."""


@click.group(
    invoke_without_command=True,
    epilog=example(
        "grl traces generate GAME -n 50 --all-moves -o games.jsonl", "grl traces check games.jsonl"
    ),
)
@click.pass_context
def traces(ctx: click.Context) -> None:
    """Write and check trace files."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@traces.command(
    epilog=example(
        "grl traces generate GAME -n 50 --all-moves --seed 7 -o games.jsonl",
        "grl traces generate GAME:width=5,height=4 -n 1000 --players search -o games.jsonl.zst",
        "grl traces generate GAME -n 50 --players alphabeta:nodes=200 --openings 4 -o games.jsonl",
        "grl traces generate model.grl.json -n 1000000 -o games.parquet",
        "(grl games lists what GAME may be; FILE.py:Class is one of your own)",
    )
)
@click.argument("game", metavar="GAME")
@click.option(
    "-n",
    "--games",
    "number",
    metavar="N",
    type=click.IntRange(min=1),
    required=True,
    help="How many games.",
)
@click.option("--all-moves", is_flag=True, help="Record every legal turn, not only the chosen.")
@SEED
@click.option(
    "--players",
    metavar="WHO",
    default="random",
    show_default=True,
    help="random, greedy, search, or players as in grl arena, one or one for each side: "
    "alphabeta:nodes=200.",
)
@click.option(
    "--openings",
    "opening",
    metavar="K",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Random turns with which every game begins.",
)
@click.option(
    "--depth",
    metavar="D",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="How many plies search looks ahead.",
)
@click.option(
    "--max-plies",
    metavar="N",
    type=click.IntRange(min=1),
    default=LONGEST,
    show_default=True,
    help="Break longer games off there.",
)
@click.option(
    "--endgames",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="The share of games that start near their end.",
)
@click.option(
    "--rare",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="The share of games that are a few plies around turns that random play seldom meets.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=FilePath(),
    help="The file to write: .jsonl, .jsonl.gz or .jsonl.zst.",
)
def generate(
    game: str,
    number: int,
    all_moves: bool,
    seed: int,
    players: str,
    opening: int,
    depth: int,
    max_plies: int,
    endgames: float,
    rare: float,
    output: Path,
) -> None:
    """Let a reference game play, and record it.

    GAME may be a model file, too: its compiled engine plays at random, thousands of games a second.
    """
    from grl.games import load
    from grl.generate import CHOOSERS
    from grl.generate import generate as plays_of
    from grl.players.recorded import chooser
    from grl.players.seats import seats
    from grl.traces import header_dict, write_traces

    target = writable_file(output, device=True)
    if game.endswith(".json"):
        if all_moves or players != "random" or opening or endgames or rare:
            raise click.UsageError("A model plays at random, and records the chosen turns alone.")
        _play_model(Path(game), number, seed, max_plies, target)
        return
    reference = load(game)
    plays = plays_of(
        reference,
        number,
        all_moves=all_moves,
        seed=seed,
        players=CHOOSERS[players] if players in CHOOSERS else chooser(seats(players)),
        max_plies=max_plies,
        endgames=endgames,
        rare=rare,
        depth=depth,
        opening=opening,
    )
    with bar() as progress:
        write_traces(target, header_dict(reference), _counted(plays, number, progress))
    click.echo(f"wrote {count(number, 'game')} to {target}", err=True)


def _play_model(model: Path, number: int, seed: int, max_plies: int, target: Path) -> None:
    """Random games of a model's engine."""
    import grl
    from grl.engine.recorded import random_games
    from grl.traces import describe, write_traces

    rulebook = grl.load(model)
    known = rulebook.model
    plays = random_games(rulebook.engine(), number, seed, max_plies)
    header = describe(known.game, known.equipment, known.initial)
    with bar() as progress:
        write_traces(target, header, _counted(plays, number, progress))
    click.echo(f"wrote {count(number, 'game')} to {target}", err=True)


@traces.command(epilog=example("grl traces convert games.jsonl.zst -o games.parquet"))
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=FilePath(exists=True, dir_okay=False)
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=FilePath(),
    help="The file to write: .parquet, .jsonl, .jsonl.gz or .jsonl.zst.",
)
@SKIP_BAD
@MAX_LINE
def convert(files: tuple[Path, ...], output: Path, skip_bad: bool, max_line: int) -> None:
    """Write trace files of one game in another form, checked turn by turn.

    Columnar files (.parquet) are small and are learned from many times as fast.
    """
    from grl.errors import LearnError
    from grl.traces import Traces, write_traces

    target = writable_file(output, inputs=files)
    games = 0

    def plays(sources: Iterable[Traces]) -> Iterator[dict[str, Any]]:
        nonlocal games
        for source in sources:
            for play in source:
                games += 1
                yield play.to_dict(source.header.initial)

    with bar() as progress:
        sources = [
            Traces.open(file, skip_bad=skip_bad, progress=progress, max_line=max_line)
            for file in files
        ]
        for source in sources:
            if source.header.equipment != sources[0].header.equipment:
                raise LearnError(f"{source.path} and {sources[0].path} are of different games")
        write_traces(target, sources[0].header.to_dict(), plays(sources))
    for error in [error for source in sources for error in source.bad]:
        click.echo(str(error), err=True)
    click.echo(f"wrote {count(games, 'game')} to {target}", err=True)


def _counted(
    plays: Iterable[dict[str, Any]], total: int, progress: Progress
) -> Iterator[dict[str, Any]]:
    for done, play in enumerate(plays, 1):
        yield play
        progress("playing", done, total)


@traces.command(
    epilog=example("grl traces check games.jsonl", "grl traces check --skip-bad a.jsonl b.jsonl.gz")
)
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=FilePath(exists=True, dir_okay=False),
)
@SKIP_BAD
@MAX_LINE
def check(files: tuple[Path, ...], skip_bad: bool, max_line: int) -> None:
    """Check trace files, turn by turn.

    Every turn is carried out, and the content of every square that it names is looked at.
    """
    from grl.leaps import SAMPLE, Leaps
    from grl.traces import Traces

    rows = []
    for file in files:
        began = time.perf_counter()
        leaps = Leaps(SAMPLE)
        with bar() as progress:
            source = Traces.open(file, skip_bad=skip_bad, progress=progress, max_line=max_line)
            games = plies = legal = 0
            for record in source:
                leaps.observe(record)
                games += 1
                plies += len(record.plies)
                legal += sum(len(ply.legal or ()) for ply in record.plies)
        seconds = time.perf_counter() - began
        for error in source.bad:
            click.echo(str(error), err=True)
        found = leaps.notice()
        if found is not None:
            click.echo(one_line(f"{file}: {found} (grl traces slides writes it so)"), err=True)
        rate = round(plies / seconds) if seconds else 0
        rows.append((str(file), games, plies, legal, len(source.bad), f"{seconds:.2f}", rate))
    head = ("file", "games", "plies", "legal turns", "quarantined", "seconds", "plies/s")
    click.echo(table(head, rows))


@traces.command(epilog=example("grl traces slides games.jsonl -o steps.jsonl"))
@click.argument(
    "file",
    metavar="FILE",
    type=FilePath(exists=True, dir_okay=False),
)
@output("FILE", "The file to write: .jsonl, .jsonl.gz or .jsonl.zst.")
@SKIP_BAD
@MAX_LINE
def slides(file: Path, output: Path, skip_bad: bool, max_line: int) -> None:
    """Write slides in steps that stand as one leap in a trace file.

    A leap such as (0 3 e) becomes (0 1 e) (0 1 e) (0 1 e) where the squares between are empty, of
    pieces that go single steps along such lines too and never leap over a piece. Everything else
    stays as it is, and is counted.
    """
    from grl.leaps import find_slides
    from grl.traces import Traces, write_traces

    regular_file(file)
    target = writable_file(output, inputs=[file], device=True)
    reading: dict[str, Any] = {"skip_bad": skip_bad, "max_line": max_line}
    with bar() as progress:
        source = Traces.open(file, progress=progress, **reading)
        leaps = find_slides([source])
        for error in source.bad:
            click.echo(str(error), err=True)
        steps = Traces.open(file, slides=leaps.slides(), progress=progress, **reading)
        write_traces(target, steps.header.to_dict(), _rewritten(steps))
    click.echo("\n".join(leaps.report()))
    click.echo(f"wrote {target}", err=True)


def _rewritten(source: Traces) -> Iterator[dict[str, Any]]:
    """The plays of a file as they stand there, but for turns that are read otherwise."""
    for record, play in source.with_records():
        turns = [
            {**item, "turn": ply.turn} | ({} if ply.legal is None else {"legal": list(ply.legal)})
            for item, ply in zip(record["turns"], play.plies, strict=False)
        ]
        whole = {**record, "turns": turns}
        if play.end == "stopped":
            whole["end"] = "stopped"
            if source.skip_bad:
                whole.pop("goals", None)
        yield whole
