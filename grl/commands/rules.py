"""``grl rules``: a model as a rulebook to read, part by part, with what it lacks."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grl.commands.common import AS_JSON, MODEL, FilePath, example
from grl.commands.limits import Seconds


@click.command(
    epilog=example(
        "grl rules model.grl.json",
        "grl rules model.grl.json --json",
        "grl rules model.grl.json --prove --traces games.jsonl --limit 60",
    ),
)
@MODEL
@click.option(
    "--prove",
    is_flag=True,
    help="Look for endings that cost less and agree with the same positions; prove there are none.",
)
@click.option(
    "--traces",
    metavar="FILE",
    multiple=True,
    type=FilePath(exists=True),
    help="With --prove: the records, a file or a folder of them; repeatable.",
)
@click.option(
    "--limit",
    "seconds",
    metavar="SECONDS",
    type=Seconds(),
    default=60.0,
    show_default=True,
    help="With --prove: how long to look, once the records are read.",
)
@AS_JSON
def rules(
    model: Path, prove: bool, traces: tuple[Path, ...], seconds: float | None, as_json: bool
) -> int:
    """Print what was learned as sentences.

    Pieces, what is forbidden, when the game is over and for whom, who moves next; each rule with
    the number of recorded positions that speak for it.

    With --prove the endings are held to all rules over the features that the
    learner has for these records. The exit status is 1 where there are cheaper
    ones, or the time ran out.
    """
    from grl.rulebook import load
    from grl.summary.text import rules_data, rules_text

    if prove != bool(traces):
        raise click.UsageError("--prove and --traces go together")
    learned = load(model).model
    if prove:
        from grl.commands.cheaper import run

        return run(learned, traces, seconds, as_json)
    click.echo(json.dumps(rules_data(learned)) if as_json else rules_text(learned))
    return 0
