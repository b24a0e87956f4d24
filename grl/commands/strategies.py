"""``grl learn-strategy``: which turns a player prefers, learned from records of play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import (
    MODEL,
    SKIP_BAD,
    FilePath,
    bar,
    example,
    output,
    regular_file,
    writable_file,
)
from grl.commands.limits import MEMORY, bounds, ended_by, time_limit
from grl.commands.matching import identity

if TYPE_CHECKING:
    from grl.children import Report
    from grl.engine.engine import Engine
    from grl.players.choices import Choice
    from grl.rulebook import Rulebook

NO = 1


@click.command(
    "learn-strategy",
    epilog=example(
        "grl learn-strategy games.jsonl model.grl.json -o strategy.lp",
        "grl learn-strategy games.jsonl model.grl.json --player white --ahead 2 -o strategy.lp",
        "grl arena model.grl.json --players mtdf:nodes=2000,random -o results.jsonl",
        "grl learn-strategy results.jsonl model.grl.json --player mtdf:nodes=2000 -o strategy.lp",
        "grl play model.grl.json --seat black=strategy:strategy.lp",
    ),
)
@click.argument("traces", metavar="TRACES", type=FilePath(exists=True, dir_okay=False))
@MODEL
@click.option(
    "--player",
    "whose",
    metavar="PLAYER",
    help="Learn from this player's turns, from the winner's of each game.  [default: from all]",
)
@click.option(
    "--choices",
    "most",
    metavar="N",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Learn from so many turns at most, evenly spread over the games.",
)
@click.option(
    "--levels",
    metavar="N",
    type=click.IntRange(min=1, max=20),
    default=5,
    show_default=True,
    help="Most preferences.",
)
@click.option(
    "--price",
    metavar="N",
    type=click.IntRange(min=1, max=10**6),
    help="Pairs of turns that a literal has to be worth.  [default: a hundredth of all]",
)
@click.option(
    "--broken",
    metavar="N",
    type=click.IntRange(min=1, max=1000),
    default=3,
    show_default=True,
    help="Cost of a pair in the wrong order; one left open costs 1.",
)
@click.option(
    "--ahead",
    type=click.IntRange(min=0, max=2),
    default=1,
    show_default=True,
    help="How many turns ahead preferences look; 2 takes long where there are many turns.",
)
@click.option(
    "--task",
    metavar="TASK.las",
    type=FilePath(),
    help="Also write what is solved as a task that grl las and ILASP read.",
)
@SKIP_BAD
@time_limit("Stop after so many seconds with the best strategy known.")
@MEMORY
@output("STRATEGY.lp", "The strategy to write.")
def learn_strategy(
    traces: Path,
    model: Path,
    whose: str | None,
    most: int,
    levels: int,
    price: int | None,
    broken: int,
    ahead: int,
    task: Path | None,
    skip_bad: bool,
    seconds: float | None,
    megabytes: int | None,
    output: Path,
) -> int:
    """Learn from records which legal turns a player prefers.

    Records are a trace file, or the results of a tournament, whose players have the names that they
    have there.
    The strategy is a short list of weak constraints, the weightiest first, each with its
    meaning in English. They speak of what a turn does and leaves, in words that are the same for
    all games. `strategy:FILE` is a player wherever players are named.
    """
    from grl.outputs import write_whole
    from grl.supervise import supervised

    writable_file(output, inputs=[traces, model, task])
    if task is not None:
        writable_file(task, inputs=[traces, model])
    asked = _Asked(
        regular_file(traces),
        model,
        whose,
        most,
        levels,
        price,
        broken,
        ahead,
        skip_bad,
        task is not None,
    )
    with bar() as progress:
        ended = supervised(partial(_work, asked), bounds(seconds, megabytes), progress=progress)
    made = ended.result or ended.best
    if made is None:
        click.echo(f"grl: {output}: nothing written: {ended_by(ended.by)} came first", err=True)
        return NO
    write_whole(output, made.text)
    if task is not None:
        write_whole(task, made.task)
    click.echo(made.text, nl=False)
    if ended.by != "itself":
        click.echo(f"grl: {output}: {ended_by(ended.by)} ended the search", err=True)
    return 0


@dataclass(frozen=True)
class _Asked:
    """What the command line asks for."""

    traces: Path
    model: Path
    whose: str | None
    most: int
    levels: int
    price: int | None
    broken: int
    ahead: int
    skip_bad: bool
    task: bool


@dataclass(frozen=True)
class _Made:
    """A strategy, and the task that it solves, if it is asked for."""

    text: str
    task: str


def _work(asked: _Asked, report: Report[_Made]) -> _Made | None:
    """Makes the strategy; done in a child process."""
    from grl.errors import GrlError, Place
    from grl.las.clock import Clock
    from grl.players.choices import evenly
    from grl.players.preferences import (
        Learned,
        learn,
        orderings,
        strategy_text,
        task_text,
    )
    from grl.rulebook import load

    clock = Clock(report.left())
    rulebook = load(asked.model)
    engine = rulebook.engine()
    chosen = evenly(_choices(asked, rulebook, engine, report), asked.most)
    half = Clock(None if clock.limit is None else clock.left() / 2)
    found = orderings(engine, chosen, asked.ahead, clock=half, progress=report.progress)
    if found.left_out and not found.pairs:
        return None
    if not found.pairs:
        raise GrlError(
            "there is nothing to learn from",
            place=Place(file=str(asked.traces)),
            found=f"{found.choices:,} choices in which turns differ, {found.foreign:,} not legal",
            expected="turns that were played where others were legal",
        )
    whose = {None: "all players", "winner": "winners"}.get(asked.whose, asked.whose)
    title = (
        f"A strategy for {' '.join(rulebook.model.game.split())}, learned from turns of {whose}."
    )

    def made(one: Learned) -> _Made:
        task = task_text(found, asked.levels, one.costs) if asked.task else ""
        return _Made(strategy_text(one, title), task)

    best = learn(
        found,
        levels=asked.levels,
        price=asked.price,
        broken=asked.broken,
        clock=clock,
        progress=report.progress,
        kept=lambda one: report.keep(made(one)),
    )
    return made(best)


def _choices(
    asked: _Asked, rulebook: Rulebook, engine: Engine, report: Report[_Made]
) -> list[Choice]:
    """What was played, by a trace file or by the results of a tournament."""
    from grl.errors import GrlError, Place
    from grl.players.arena import read_results
    from grl.players.choices import (
        WINNER,
        check_whose,
        choices,
        choices_of_records,
        of_tournament,
    )
    from grl.traces import Traces

    other = GrlError(
        "the records are of another game",
        place=Place(file=str(asked.traces)),
        expected=f"those of {asked.model}",
    )
    if of_tournament(asked.traces):
        header, records = read_results(asked.traces)
        if header["game"] != identity(rulebook.model.game, asked.model):
            raise other
        names = [player.split(" ")[0] for player in header["players"]]
        check_whose(asked.whose, names)
        seats = [] if asked.whose == WINNER else [names.index(asked.whose or names[0])]
        wanted = None if asked.whose is None else seats
        try:
            return list(choices_of_records(engine, records, header["opening"], wanted))
        except GrlError as error:
            raise error.at(file=str(asked.traces)) from None
    traces = Traces.open(asked.traces, skip_bad=asked.skip_bad, progress=report.progress)
    if traces.header.equipment != rulebook.model.equipment:
        raise other
    check_whose(asked.whose, rulebook.model.equipment.players)
    return choices(traces, asked.whose)
