"""``grl plan``: wins that can be forced within few turns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import (
    AFTER,
    AS_JSON,
    MODEL,
    POSITION,
    FilePath,
    drawn,
    example,
    position_after,
    writable_file,
)
from grl.commands.limits import MEMORY, bounds, ended_by, time_limit
from grl.showing import count

if TYPE_CHECKING:
    from grl.children import Report
    from grl.engine.engine import State
    from grl.players.plans import Step

NO = 1


@click.command(
    epilog=example(
        "grl plan model.grl.json --after c3-d4",
        "grl plan model.grl.json --position position.json --depth 3 --json",
        "grl plan model.grl.json --position position.json --task plan.las",
    )
)
@MODEL
@POSITION
@AFTER
@click.option(
    "--depth",
    metavar="N",
    type=click.IntRange(min=1, max=20),
    default=2,
    show_default=True,
    help="Most turns of the player to move.",
)
@click.option(
    "--task",
    metavar="TASK.las",
    type=FilePath(),
    help="Also write the question, for two turns, as a task that grl las reads, with -ml 2.",
)
@AS_JSON
@time_limit("Stop after so many seconds.")
@MEMORY
def plan(
    model: Path,
    position_file: Path | None,
    after: tuple[str, ...],
    depth: int,
    task: Path | None,
    as_json: bool,
    seconds: float | None,
    megabytes: int | None,
) -> int:
    """Find a win that can be forced within few turns.

    A plan is a turn after which the player to move wins whatever the replies: what it plays after
    most of them, and the exceptions, as few as there can be. The exit status is 1 where no win can
    be forced by so many turns of the player.
    """
    from grl.outputs import write_whole
    from grl.rulebook import load
    from grl.supervise import supervised

    if task is not None:
        writable_file(task, inputs=[model, position_file])
    position = position_after(load(model), position_file, after)
    asked = _Asked(model, position_file, after, depth, task is not None)
    ended = supervised(partial(_work, asked), bounds(seconds, megabytes))
    found = ended.result
    if found is None:
        click.echo(f"grl: not decided: {ended_by(ended.by)} came first", err=True)
        return NO
    if task is not None and found.task:
        write_whole(task, found.task)
    if as_json:
        click.echo(json.dumps({"to_move": position.to_move, **found.data}))
    else:
        click.echo(drawn(position))
        click.echo("\n".join(found.lines))
    return 0 if found.data["own"] else NO


@dataclass(frozen=True)
class _Asked:
    """What the command line asks for."""

    model: Path
    position_file: Path | None
    after: tuple[str, ...]
    depth: int
    task: bool


@dataclass(frozen=True)
class _Found:
    """What is printed, as text and as JSON, and the task."""

    lines: tuple[str, ...]
    data: dict[str, Any] = field(default_factory=lambda: {"own": None, "exceptions": None})
    task: str = ""


def _work(asked: _Asked, report: Report[None]) -> _Found | None:
    """Plans; done in a child process."""
    from grl.las.clock import Clock, OutOfTime
    from grl.players.plan_tasks import task_text
    from grl.players.plans import expanded
    from grl.players.plans import plan as planned
    from grl.rulebook import load

    clock = Clock(report.left())
    rulebook = load(asked.model)
    engine = rulebook.engine()
    position = position_after(rulebook, asked.position_file, asked.after)
    state = engine.state(position)
    if state.over:
        return _Found(("The game is over.",))
    try:
        task = task_text(expanded(engine, state, 2, clock=clock)) if asked.task else ""
        found = planned(engine, state, asked.depth, clock=clock, progress=report.progress)
    except OutOfTime:
        return None
    who = position.to_move
    if found is None:
        within = count(asked.depth, "turn")
        return _Found((f"{who} can't force a win within {within} of its own.",), task=task)
    head = f"{who} wins within {count(found.own, 'turn')} of its own, whatever the replies:"
    data = {"own": found.own, "exceptions": found.exceptions, "plan": _data(found.first)}
    assert found.first.turn is not None
    first = _named(state, found.first.turn)
    return _Found((head, f"  {first}", *_lines(found.first, "    ")), data, task)


def _data(step: Step) -> dict[str, Any]:
    """A plan as plain data."""
    return {
        "turn": step.turn,
        "usual": step.usual,
        "after": {turn: _data(each) for turn, each in step.following.items()},
    }


def _lines(step: Step, indent: str) -> Iterator[str]:
    """A plan for people: what is played after which reply, and the usual turn once for all replies
    after which it wins at once."""
    usual = []
    for reply, each in step.following.items():
        if each.turn is not None and each.turn == step.usual and not each.following:
            usual.append(each)
            continue
        then = "" if each.turn is None else f" {_named(each.state, each.turn)}"
        yield f"{indent}after {_named(step.after, reply)}:{then or ' …' * bool(each.following)}"
        yield from _lines(each, indent + "  ")
    if usual and step.usual is not None:
        which = "after any reply" if len(usual) == len(step.following) else "otherwise"
        yield f"{indent}{which}: {_named(usual[0].state, step.usual)}"


def _named(state: State | None, turn: str) -> str:
    """A turn of a state by its short name."""
    from grl.commands.lines import named
    from grl.turn import Turn

    assert state is not None
    turns = [Turn.parse(text) for text in state.turns()]
    return named(state.position(), turns, [Turn.parse(turn)])[Turn.parse(turn)]
