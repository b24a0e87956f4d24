"""``grl explain``: why a turn is legal or not, by the rules that decide it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grl.commands.common import (
    AFTER,
    AS_JSON,
    MODEL,
    POSITION,
    drawn,
    example,
    position_after,
)


@click.command(
    epilog=example(
        "grl explain model.grl.json",
        'grl explain model.grl.json --after "c3 (1 1 e)" --turn "a3 (1 1 e)"',
        "grl explain model.grl.json --position position.json --json",
    )
)
@MODEL
@POSITION
@AFTER
@click.option(
    "--turn", "turn_text", metavar="TURN", help="The turn to explain, in full or short, as c3-d4."
)
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
    from grl.notation import find_turn
    from grl.rulebook import load

    rulebook = load(model)
    position = position_after(rulebook, position_file, after)
    explainer = Explainer(rulebook)
    if turn_text is None:
        found = explainer.position(position)
        status = 0
    else:
        turn = find_turn(position, turn_text, lambda: rulebook.legal(position))
        explained = explainer.turn(position, str(turn))
        status = 0 if explained.legal else 1
    answer = found if turn_text is None else explained
    if as_json:
        click.echo(json.dumps(answer.to_dict()))
        return status
    click.echo("\n".join([drawn(position), *answer.lines()]))
    return status
