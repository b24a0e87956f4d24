"""``grl ask``: questions on positions that decide what records leave open."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import (
    MODEL,
    SEED,
    FilePath,
    bar,
    drawn,
    example,
    files,
    read_line,
    writable_file,
)
from grl.showing import count

if TYPE_CHECKING:
    from grl.ask import Answer, Oracle, Question
    from grl.progress import Progress

QUESTIONS = 10


@click.command(
    epilog=example(
        "grl ask model.grl.json games.jsonl --answers answers.jsonl -o model.grl.json",
        "grl ask model.grl.json games.jsonl --game checkers --questions 20",
    )
)
@MODEL
@files("TRACES...")
@click.option(
    "--game",
    metavar="NAME",
    help="A reference game, a name or FILE.py:Class, answers in place of a person.",
)
@click.option(
    "--questions",
    metavar="N",
    type=click.IntRange(min=1),
    default=QUESTIONS,
    show_default=True,
    help="Ask at most so many.",
)
@click.option(
    "--answers",
    metavar="FILE",
    type=FilePath(dir_okay=False),
    default=Path("answers.jsonl"),
    show_default=True,
    help="The trace file to which answers go; those in it count as records.",
)
@click.option(
    "-o",
    "--output",
    metavar="MODEL",
    type=FilePath(),
    help="Write the model learned from the records and the answers.",
)
@SEED
def ask(
    model: Path,
    files: tuple[Path, ...],
    game: str | None,
    questions: int,
    answers: Path,
    output: Path | None,
    seed: int,
) -> None:
    """Ask what the TRACES leave open, and learn on.

    MODEL was learned from TRACES. Learning from TRACES and the file of answers together gives
    the same model as this command.
    """
    from grl.ask import Session, game_oracle
    from grl.ask.person import Person
    from grl.games import load as load_game
    from grl.rulebook import load

    target = None if output is None else writable_file(output, inputs=[*files, answers])
    writable_file(answers, inputs=[model, *files])
    with _Bar() as shown:
        session = Session(files, answers, rulebook=load(model), seed=seed, progress=shown.progress)
        oracle: Oracle = (
            Person(read_line, click.echo, drawn)
            if game is None
            else _printing(game_oracle(load_game(game), session.rulebook.initial))
        )
        while not session.over and session.answered < questions:
            session.round(shown.paused(oracle), questions - session.answered)
    if session.answered:
        click.echo(f"{count(session.answered, 'answer')} in {answers}")
    else:
        click.echo("no question was answered")
    if target is not None:
        session.rulebook.save(target)
        click.echo(f"wrote {target}")


class _Bar:
    """A progress bar that goes away while somebody is asked, and comes back when work goes on."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._hook: Progress | None = None

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        self._open.close()
        self._hook = None

    def progress(self, stage: str, done: int, total: int | None) -> None:
        """The hook of those who work."""
        if self._hook is None:
            self._hook = self._open.enter_context(bar())
        self._hook(stage, done, total)

    def paused(self, oracle: Oracle) -> Oracle:
        """An oracle before which the bar goes away."""

        def answer(question: Question) -> Answer | None:
            self._close()
            return oracle(question)

        return answer


def _printing(oracle: Oracle) -> Oracle:
    """An oracle whose questions and answers are printed."""

    def answer(question: Question) -> Answer | None:
        found = oracle(question)
        click.echo(f"\n{drawn(question.position)}\n{question.reason}")
        if found is not None and found.goals is not None:
            agrees = question.over and dict(found.goals) == dict(question.goals)
            said = "over: " + ", ".join(f"{player} {goal}" for player, goal in found.goals.items())
        elif found is not None:
            agrees = not question.over and found.agrees(question.turns)
            said = f"{question.position.to_move} has {count(len(found.turns), 'legal turn')}"
        if found is not None:
            click.echo(f"{said}, {'as' if agrees else 'unlike what'} the model says")
        return found

    return answer
