"""``grl play``: people and players of any kind play by the learned rules in the terminal."""

from __future__ import annotations

from pathlib import Path

import click

from grl.commands.common import MODEL, SEED, FilePath, example, writable_file


@click.command(
    epilog=example(
        "grl play model.grl.json",
        "grl play model.grl.json --against none",
        "grl play model.grl.json --seat black=mtdf:seconds=2",
        "grl play model.grl.json --seat white=uct:nodes=5000 --seat black=person",
    )
)
@MODEL
@click.option(
    "--against",
    type=click.Choice(["random", "none"]),
    default="random",
    show_default=True,
    help="Who plays the others: chance, or nobody (you play all).",
)
@click.option(
    "--seat",
    "named",
    metavar="PLAYER=SPEC",
    multiple=True,
    help="Who plays for PLAYER: person, random, swift:nodes=500,evaluation=fuzzy, …; repeatable.",
)
@click.option(
    "--hint",
    metavar="SPEC",
    default="swift:seconds=1",
    show_default=True,
    help="Whom the command hint asks.",
)
@click.option(
    "--save",
    metavar="FILE",
    type=FilePath(),
    help="Write the game as a trace file when it ends or you leave.",
)
@SEED
def play(
    model: Path, against: str, named: tuple[str, ...], hint: str, save: Path | None, seed: int
) -> None:
    """Play by a model's rules.

    You play for whoever begins, unless --seat says otherwise.
    """
    from grl.commands.table import Table
    from grl.players.seats import PERSON, seat, seating
    from grl.rulebook import load

    if save is not None:
        writable_file(save, inputs=[model])
    adviser = seat(hint)
    rulebook = load(model)
    players = rulebook.model.equipment.players
    others = seat(PERSON if against == "none" else "random", person=True)
    first = {rulebook.initial.to_move: seat(PERSON, person=True)}
    sitting = seating(players, named, {**dict.fromkeys(players, others), **first})
    table = Table(rulebook, sitting, adviser, seed)
    table.run()
    if save is not None:
        table.save(save)
