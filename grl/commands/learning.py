"""``grl learn``: traces in, a model file out, and a table of what was learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import SEED, SKIP_BAD, bar, count, example, table, writable_file

if TYPE_CHECKING:
    from grl.errors import GrlError
    from grl.model import Model

LISTED = 10


@click.command(
    epilog=example(
        "grl learn games.jsonl more-games.jsonl.gz -o model.grl.json",
        "grl learn games.jsonl --positions 50 -o model.grl.json",
    )
)
@click.argument(
    "files",
    metavar="TRACES...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option(
    "-o",
    "--output",
    metavar="MODEL",
    required=True,
    type=click.Path(path_type=Path),
    help="The model file to write, such as model.grl.json.",
)
@SKIP_BAD
@click.option(
    "--positions",
    metavar="N",
    type=click.IntRange(min=1),
    help="Learn from N positions chosen at random, where all are too many.",
)
@SEED
@click.option("--no-locm", is_flag=True, help="Leave the state machines of whole turns out.")
def learn(
    files: tuple[Path, ...],
    output: Path,
    skip_bad: bool,
    positions: int | None,
    seed: int,
    no_locm: bool,
) -> None:
    """Learn a model from trace files of one game."""
    import grl

    target = writable_file(output)
    with bar() as progress:
        sources = [grl.Traces.open(file, skip_bad=skip_bad, progress=progress) for file in files]
        rulebook = grl.learn(
            sources, positions=positions, seed=seed, locm=not no_locm, progress=progress
        )
    rulebook.save(target)
    click.echo("\n".join(learned(rulebook.model)))
    bad = [error for source in sources for error in source.bad]
    if skip_bad:
        click.echo("\n".join(quarantined(bad)), err=bool(bad))
    click.echo(f"wrote {target}")


def learned(model: Model) -> Iterator[str]:
    """A model as a short table, with what its report says of the records."""
    read = [
        count(model.report[key], one)
        for key, one in (("games", "game"), ("decisions", "decision"), ("turns", "turn"))
        if key in model.report
    ]
    yield f"{model.game}: " + (", ".join(read) or "no report")
    yield table(
        ("mover", "on", "role", "states", "transitions"),
        [
            (
                dfa.key.mover,
                "empty" if dfa.key.holds == "." else dfa.key.holds,
                dfa.key.role.value,
                dfa.size,
                len(dfa.transitions),
            )
            for dfa in model.automata
        ],
    )
    yield count(len(model.machines), "machine") + " of whole turns"
    for player, when in model.passes.items():
        yield f"{player} may pass" + (", with no other turn left" if when == "forced" else "")


def quarantined(bad: Sequence[GrlError]) -> Iterator[str]:
    """What was left out of the records, as far as a screen takes it."""
    yield f"{count(len(bad), 'flaw')} left out" + (":" if bad else "")
    yield from (f"  {error}" for error in bad[:LISTED])
    if len(bad) > LISTED:
        yield f"  … and {len(bad) - LISTED:,} more: grl traces check --skip-bad lists them all"
