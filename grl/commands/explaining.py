"""``grl explain``: why a turn is legal or not, by the rules that decide it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grl.commands.common import AS_JSON, MODEL, POSITION, drawn, example, read_position
from grl.errors import GrlError


@click.command(
    epilog=example(
        "grl explain model.grl.json",
        'grl explain model.grl.json --after "c3 (1 1 e)" --turn "a3 (1 1 e)"',
        "grl explain model.grl.json --position position.json --json",
    )
)
@MODEL
@POSITION
@click.option("--after", metavar="TURN", multiple=True, help="Play this turn first; repeatable.")
@click.option("--turn", "turn_text", metavar="TURN", help="The turn to explain.")
@AS_JSON
def explain(
    model: Path,
    position_file: Path | None,
    after: tuple[str, ...],
    turn_text: str | None,
    as_json: bool,
) -> int:
    """Say why a turn is legal or not.

    Without --turn say whether the game is over and why, and which rule forbids which turns. The
    exit status is 1 for a turn that is not legal.
    """
    from grl.explain import Explainer
    from grl.rulebook import load

    rulebook = load(model)
    position = rulebook.initial if position_file is None else read_position(rulebook, position_file)
    for ply, turn in enumerate(after, 1):
        try:
            position = rulebook.play(position, turn)
        except GrlError as error:
            raise error.at(ply=ply, field="--after") from None
    explainer = Explainer(rulebook)
    if turn_text is None:
        found = explainer.position(position)
        status = 0
    else:
        explained = explainer.turn(position, turn_text)
        status = 0 if explained.legal else 1
    answer = found if turn_text is None else explained
    if as_json:
        click.echo(json.dumps(answer.to_dict()))
        return status
    click.echo("\n".join([drawn(position), *answer.lines()]))
    return status
