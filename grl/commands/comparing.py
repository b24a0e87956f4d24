"""``grl compare``: a model against a reference game or held-out games, as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import AS_JSON, MODEL, SEED, FilePath, bar, example
from grl.commands.limits import MEMORY, bounds, time_limit
from grl.showing import count

if TYPE_CHECKING:
    from grl.tally import Comparison, Ending, Example

PROGRAM = FilePath(exists=True, dir_okay=False)
POSITIONS = 1000
LISTED = 8


@click.command(
    epilog=example(
        "grl compare model.grl.json --game GAME",
        "grl compare model.grl.json --game GAME:width=5,height=4 -n 200 --seed 3",
        "grl compare model.grl.json --traces held-out.jsonl",
        "(grl games lists what GAME may be; FILE.py:Class is one of your own)",
        "grl compare learned.lp --prove reference.lp --invariants invariants.lp -c width=5",
    )
)
@MODEL
@click.option("--game", metavar="GAME", help="A hand-written reference: a name, or FILE.py:Class.")
@click.option(
    "--traces",
    "file",
    metavar="FILE",
    type=FilePath(exists=True, dir_okay=False),
    help="Games that the model did not learn from.",
)
@click.option(
    "-n",
    "--positions",
    metavar="POSITIONS",
    type=click.IntRange(min=1),
    help=f"Distinct positions to compare on; by default {POSITIONS} of a game, all of a file.",
)
@SEED
@click.option(
    "--prove",
    "reference",
    metavar="FILE.lp",
    type=PROGRAM,
    help="A game description as a logic program; MODEL is another. Searches all states.",
)
@click.option(
    "--invariants", metavar="FILE.lp", type=PROGRAM, help="With --prove: constraints on states."
)
@click.option(
    "--mapping", metavar="FILE.lp", type=PROGRAM, help="With --prove: MODEL in other words."
)
@click.option(
    "-c", "constants", metavar="NAME=VALUE", multiple=True, help="With --prove: a constant."
)
@time_limit("With --prove.")
@MEMORY
@AS_JSON
def compare(
    model: Path,
    game: str | None,
    file: Path | None,
    positions: int | None,
    seed: int,
    reference: Path | None,
    invariants: Path | None,
    mapping: Path | None,
    constants: tuple[str, ...],
    seconds: float | None,
    megabytes: int | None,
    as_json: bool,
) -> int:
    """Compare a model with a reference game or held-out games.

    Legal turns, next positions and, as far as the model says something of them,
    endings. The exit status is 1 when anything differs.

    With --prove MODEL and the reference are logic programs in the relations of
    the Game Description Language, and a search through all states that satisfy
    the invariants finds one on which they differ, or proves that there is none.
    """
    if [game, file, reference].count(None) != 2:
        raise click.UsageError("give either --game or --traces or --prove")
    if reference is not None:
        from grl.commands.proving import run

        limits = bounds(seconds, megabytes)
        return run(model, reference, invariants, mapping, constants, limits, as_json)
    if invariants or mapping or constants or not (seconds is None and megabytes is None):
        raise click.UsageError(
            "--invariants, --mapping, -c, --time-limit and --memory-limit go with --prove"
        )
    from grl.compare import compare_game, compare_traces
    from grl.games import load as load_game
    from grl.rulebook import load
    from grl.traces import Traces

    rulebook = load(model)
    with bar() as progress:
        if game is not None:
            result = compare_game(rulebook, load_game(game), positions or POSITIONS, seed, progress)
        else:
            assert file is not None
            result = compare_traces(rulebook, Traces.open(file), positions, progress)
    click.echo(json.dumps(result.to_dict()) if as_json else "\n".join(report(result)))
    return 0 if result.same else 1


def report(result: Comparison) -> Iterator[str]:
    """A comparison for people, line by line."""
    single = f", of {result.single:,} only the turn chosen is known" if result.single else ""
    yield f"against {result.against}: {count(result.positions, 'position')}{single}"
    if result.initial is False:
        yield "  the initial positions differ"
    yield f"  turns            {result.turns:,}"
    yield f"  missing          {result.missing:,}"
    yield f"  surplus          {result.surplus:,}"
    yield f"  next positions   {result.played:,} compared, {result.elsewhere:,} differ"
    yield from _endings(result)
    for name, shapes in (("missing", result.missing_shapes), ("surplus", result.surplus_shapes)):
        if shapes:
            yield f"{name} turns by shape, the most frequent first:"
            yield from (f"  {number:>7,}  {shape}" for shape, number in shapes)
    for example_ in result.examples:
        yield ""
        yield from _example(example_)
    if result.examples:
        yield ""
    yield "no difference" if result.same else "there are differences"


def _endings(result: Comparison) -> Iterator[str]:
    met = sum(ending.met for ending in result.endings)
    said = [ending.recognised for ending in result.endings]
    if not met:
        yield "  endings          none met"
    elif None in said:
        yield f"  endings          {met:,} met; the model says nothing of them"
    else:
        yield f"  endings          {met:,} met, {sum(n or 0 for n in said):,} recognised"
    if result.early:
        yield f"  called terminal  {count(result.early, 'position')} where the game goes on"
    yield from (f"    {_ending(ending)}" for ending in result.endings)


def _ending(ending: Ending) -> str:
    from grl.tally import ending_words

    known = "" if ending.recognised is None else f", recognised {ending.recognised:,}"
    right = "" if ending.right is None else f", goals right {ending.right:,}"
    return f"{ending_words(ending.kind, ending.goals)}: met {ending.met:,}{known}{right}"


def _example(example_: Example) -> Iterator[str]:
    from grl.board import board_lines, hand_lines

    yield from board_lines(example_.rows)
    yield from hand_lines(example_.reserve)
    if example_.ending:
        yield f"  ending: {example_.ending}"
    for name in ("missing", "surplus", "elsewhere"):
        turns = getattr(example_, name)
        if turns:
            yield f"  {name} for {example_.to_move}:"
            yield from (f"    {turn}" for turn in turns[:LISTED])
            if len(turns) > LISTED:
                yield f"    … and {len(turns) - LISTED:,} more"
