"""``grl analyse``: the best turns of a position, with values and variations."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grl.commands.common import (
    AFTER,
    AS_JSON,
    MODEL,
    POSITION,
    SEED,
    drawn,
    example,
    position_after,
    table,
)


@click.command(
    epilog=example(
        "grl analyse model.grl.json",
        "grl analyse model.grl.json --after c3-d4 --player mtdf:depth=6",
        "grl analyse model.grl.json --position position.json --best 3 --json",
    )
)
@MODEL
@POSITION
@AFTER
@click.option(
    "--player",
    "spec",
    metavar="SPEC",
    default="swift:seconds=5",
    show_default=True,
    help="Who judges, and how long, all turns together: solver:seconds=60, uct:nodes=50000, …",
)
@click.option(
    "--best", metavar="N", type=click.IntRange(min=1), help="Only the N best turns. [default: all]"
)
@SEED
@AS_JSON
def analyse(
    model: Path,
    position_file: Path | None,
    after: tuple[str, ...],
    spec: str,
    best: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Judge the turns of a position, the best first.

    Each has a value, and the game as it would go on. Values are as the player to move sees them:
    wins and losses in plies, anything else from -1 to 1. A star marks what is proven. Without
    --position and --after it is the initial position. With three players and more only the player's
    own choice is listed.
    """
    from dataclasses import asdict

    from grl.commands.lines import variation
    from grl.players.analysis import analyse as judge
    from grl.players.interface import spoken
    from grl.players.seats import seat
    from grl.rulebook import load

    player = seat(spec)
    assert player.agent is not None
    rulebook = load(model)
    position = position_after(rulebook, position_file, after)
    engine = rulebook.engine()
    state = engine.state(position)
    over = state.over
    found = [] if over else judge(engine, state, player.agent, player.budget, seed)[:best]
    if as_json:
        data = [{**asdict(each), "spoken": spoken(each.value)} for each in found]
        click.echo(json.dumps({"to_move": position.to_move, "player": spec, "turns": data}))
        return
    click.echo(drawn(position))
    if not found:
        click.echo("The game is over.")
        return
    click.echo(f"{position.to_move} to move, by {spec}:")
    rows = [
        (
            spoken(each.value) + ("*" if each.proven else ""),
            each.depth,
            each.nodes,
            variation(rulebook, position, each.line),
        )
        for each in found
    ]
    click.echo(table(["value", "depth", "nodes", "variation"], rows))
