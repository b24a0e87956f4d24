"""``grl arena``: tournaments between players of a learned game."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import (
    AS_JSON,
    MODEL,
    SEED,
    FilePath,
    bar,
    example,
    output,
    table,
    writable_file,
)
from grl.errors import GrlError
from grl.showing import count

if TYPE_CHECKING:
    from grl.players.agreement import Difference
    from grl.players.referees import Refereed
    from grl.rulebook import Rulebook

LISTED = 8
"""Differences that are printed."""


@click.command(
    epilog=example(
        "grl arena model.grl.json --players random,uct:nodes=500 -o results.jsonl",
        "grl arena model.grl.json --players mtdf:nodes=300,mtdf:nodes=300,evaluation=fuzzy "
        "--game GAME -o results.jsonl",
        "grl arena model.grl.json --players mtdf:nodes=2000,uct:nodes=2000 --games 400 --jobs 8 "
        "-o results.jsonl --plot results.svg",
    )
)
@MODEL
@click.option(
    "--players",
    "specs",
    metavar="A,B,…",
    required=True,
    help="Who plays, two or more: random,uct:nodes=5000,swift:nodes=900,evaluation=fuzzy.",
)
@click.option(
    "--games",
    metavar="N",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Games of each pair; two in a row have one opening, with sides swapped.",
)
@click.option(
    "--openings",
    "opening",
    metavar="K",
    type=click.IntRange(min=0),
    default=4,
    show_default=True,
    help="Random turns with which every game begins.",
)
@click.option(
    "--plies",
    metavar="N",
    type=click.IntRange(min=1),
    default=500,
    show_default=True,
    help="Games that are longer count as drawn.",
)
@click.option(
    "--game",
    "reference",
    metavar="GAME",
    help="Hold every choice to that of the same player on this reference game.",
)
@click.option(
    "--jobs",
    metavar="J",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Games played at once.",
)
@SEED
@output("FILE", "The results, a line for each game; a file that is there is gone on with.")
@click.option("--plot", "picture", metavar="FILE", type=FilePath(), help="Also draw them, as SVG.")
@AS_JSON
def arena(
    model: Path,
    specs: str,
    games: int,
    opening: int,
    plies: int,
    reference: str | None,
    jobs: int,
    seed: int,
    output: Path,
    picture: Path | None,
    as_json: bool,
) -> int:
    """Let players play each other, and say who is better.

    With budgets in nodes the same command gives the same results. A tournament that was interrupted
    goes on where it stopped, and one with more games after the ones that are there.

    With --game the same players are asked on a hand-written reference as well, in every position
    and with the same seeds; the exit status is 1 where one of them chooses another turn there.
    """
    from grl.outputs import write_whole
    from grl.players.agreement import check_repeatable, differences
    from grl.players.arena import Contest, tournament
    from grl.players.plot import plot
    from grl.players.ratings import elo, rated, standings
    from grl.players.seats import seats
    from grl.rulebook import load

    sitting = seats(specs)
    if len(sitting) < 2:
        raise GrlError("a tournament needs two players or more", found=specs)
    if reference is not None:
        check_repeatable(sitting)
    writable_file(output, inputs=[model, picture])
    if picture is not None:
        writable_file(picture, inputs=[model])
    rulebook = load(model)
    name = identity(rulebook.model.game, model)
    contest = Contest(rulebook.engine(), name, sitting, opening, seed, plies)
    other = None if reference is None else refereed(reference, rulebook)
    with bar() as progress:
        records = tournament(contest, games, output, jobs, progress)
        held = None if other is None else differences(contest, records, other, jobs, progress)
    names = [each.spec for each in sitting]
    found = standings(names, records)
    if picture is not None:
        write_whole(picture, plot(rulebook.model.game, found))
    differing = [] if held is None else held[1]
    if as_json:
        click.echo(json.dumps([{**asdict(each), "share": each.share} for each in found]))
        for each in differing:
            click.echo(f"differs: {_told(each)}", err=True)
        return 1 if differing else 0
    head = ["players", "games", "won", "drawn", "lost", "score", "95 %", "Elo", "95 %"]
    rows = [
        (
            f"{each.first} – {each.second}",
            each.games,
            each.won,
            each.drawn,
            each.lost,
            f"{each.share:.3f}",
            f"{each.low:.3f}–{each.high:.3f}",
            _signed(elo(each.share)),
            f"{_signed(elo(each.low))} to {_signed(elo(each.high))}",
        )
        for each in found
    ]
    click.echo(table(head, rows))
    if len(sitting) > 2:
        ratings = sorted(zip(rated(names, found), names, strict=True), reverse=True)
        click.echo(f"\n{table(['player', 'Elo'], [(name, f'{n:+.0f}') for n, name in ratings])}")
    cut = sum(record.cut for record in records)
    if cut:
        click.echo(f"{cut:,} of {len(records):,} games were longer than {plies:,} plies.")
    if held is not None:
        click.echo(f"{count(held[0], 'choice')} asked of {reference}, {len(differing):,} differ.")
        for each in differing[:LISTED]:
            click.echo(_told(each))
    return 1 if differing else 0


def refereed(name: str, rulebook: Rulebook) -> Refereed:
    """A reference game as players see it, with the evaluations of a model that was learned of it;
    raises `GrlError` where board, pieces or players are others."""
    from grl.games import load
    from grl.players.referees import Refereed

    game = load(name)
    if game.equipment != rulebook.model.equipment:
        raise GrlError("the model is of another game", expected=f"board and pieces of {name}")
    return Refereed(game, remembers=rulebook.looks_back, rulings=rulebook)


def _told(each: Difference) -> str:
    """A difference for people."""
    return (
        f"game {each.game}, ply {each.ply}, {each.player}: {each.turn}, on the reference "
        f"{each.other or 'not legal'}; {' '.join(each.rows)}"
    )


def identity(game: str, model: Path) -> str:
    """A text that differs for any other model file."""
    return f"{game} {hashlib.sha256(model.read_bytes()).hexdigest()[:16]}"


def _signed(difference: float) -> str:
    """An Elo difference for people."""
    if math.isinf(difference):
        return "+∞" if difference > 0 else "-∞"
    return f"{difference:+.0f}"
