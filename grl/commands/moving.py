"""``grl moves`` and ``grl perft``: what a model allows in a position, listed and counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import (
    AFTER,
    AS_JSON,
    MODEL,
    POSITION,
    bar,
    drawn,
    example,
    position_after,
    read_position,
)
from grl.limits import MAX_PERFT_DEPTH
from grl.showing import count

if TYPE_CHECKING:
    from grl.board import Position
    from grl.progress import Progress
    from grl.rulebook import Rulebook


@click.command(
    epilog=example(
        "grl moves model.grl.json",
        'grl moves model.grl.json --after "a1 (0 1 e)" --after "c3 (0 -1 e)" --json',
        "grl moves model.grl.json --position position.json",
    )
)
@MODEL
@POSITION
@AFTER
@AS_JSON
def moves(model: Path, position_file: Path | None, after: tuple[str, ...], as_json: bool) -> None:
    """List the legal turns of a position.

    By default of the initial one. With --json also where each turn leads.
    """
    from grl.rulebook import load

    rulebook = load(model)
    position = position_after(rulebook, position_file, after)
    data = listing(rulebook, position)
    if as_json:
        click.echo(json.dumps(data))
        return
    click.echo(drawn(position))
    if data["terminal"]:
        click.echo("The game is over." + _result(data["goals"]) + marked(data.get("ended")))
    else:
        click.echo(f"{position.to_move} to move, {count(len(data['turns']), 'turn')}:")
    for item in data["turns"]:
        click.echo(item["turn"] + marked(item.get("status")))
    for item in data.get("forbidden", ()):
        click.echo(f"not legal: {item['turn']}" + marked(item["status"]))


def marked(status: str | None) -> str:
    """What is said behind a turn on which a rule decides that is not certain."""
    return "" if status in (None, "certain") else f"  (by a {status} rule)"


def listing(rulebook: Rulebook, position: Position) -> dict[str, Any]:
    """What ``--json`` prints: terminal, goals, and the turns with where each leads.

    Where rules decide that are not certain, it says so: `status` of a turn is how far they are to
    be trusted, `forbidden` are turns that only such rules forbid, `ended` is the status of a rule
    that alone ends the game.
    """
    from grl.explain.doubts import doubts

    found = doubts(rulebook, position)
    terminal = rulebook.is_terminal(position)
    doubtful: dict[str, Any] = {}
    if found.forbidden:
        doubtful["forbidden"] = [
            {"turn": str(turn), "status": status.value} for turn, status in found.forbidden.items()
        ]
    if found.over is not None:
        doubtful["ended"] = found.over.value
    return {
        "terminal": terminal,
        "goals": dict(rulebook.goals(position)) if terminal else {},
        "turns": [
            {
                "turn": str(turn),
                "rows": following.rows,
                "to_move": following.to_move,
                "reserve": following.reserve,
                **({"status": found.allowed[turn].value} if turn in found.allowed else {}),
            }
            for turn in ([] if terminal else rulebook.legal(position))
            for following in (rulebook.after(position, turn),)
        ],
        **doubtful,
    }


def _result(goals: dict[str, int]) -> str:
    return "".join(f" {player} {value}." for player, value in goals.items())


@click.command(
    epilog=example("grl perft model.grl.json -d 4", "grl perft model.grl.json -d 4 --divide")
)
@MODEL
@click.option("-d", "--depth", metavar="N", type=click.IntRange(0, MAX_PERFT_DEPTH), required=True)
@click.option("--divide", is_flag=True, help="Also count behind each first turn.")
@POSITION
def perft(model: Path, depth: int, divide: bool, position_file: Path | None) -> None:
    """Count the legal turn sequences of length N."""
    from grl.rulebook import load

    rulebook = load(model)
    position = rulebook.initial if position_file is None else read_position(rulebook, position_file)
    with bar() as progress:
        if not divide or depth == 0:
            lines = [str(rulebook.perft(position, depth, progress=progress))]
        else:
            lines = _divided(rulebook, position, depth, progress)
    click.echo("\n".join(lines))


def _divided(rulebook: Rulebook, position: Position, depth: int, progress: Progress) -> list[str]:
    """The count behind each first turn, and their sum."""
    turns = rulebook.legal(position)
    counts = []
    for done, turn in enumerate(turns):
        progress("counting behind first turns", done, len(turns))
        counts.append(rulebook.perft(rulebook.after(position, turn), depth - 1))
    lines = [f"{turn}: {behind}" for turn, behind in zip(turns, counts, strict=True)]
    return [*lines, f"total: {sum(counts)}"]
