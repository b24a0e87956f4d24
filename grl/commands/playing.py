"""``grl play``: a person plays by the learned rules in the terminal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grl.commands.common import MODEL, SEED, drawn, example, read_line
from grl.commands.moving import marked
from grl.errors import GrlError, one_line
from grl.notation import find_turn

if TYPE_CHECKING:
    from grl.board import Position
    from grl.rulebook import Rulebook
    from grl.turn import Turn

LISTED = 30
HELP = (
    "A number or a turn, in full or short as c3-d4, plays it; all lists every turn, undo takes one "
    "back, quit ends."
)


@click.command(epilog=example("grl play model.grl.json", "grl play model.grl.json --against none"))
@MODEL
@click.option(
    "--against",
    type=click.Choice(["random", "none"]),
    default="random",
    show_default=True,
    help="Who plays the others: chance, or nobody (you play all).",
)
@SEED
def play(model: Path, against: str, seed: int) -> None:
    """Play by a model's rules; you begin."""
    from grl.rulebook import load

    rulebook = load(model)
    table = _Table(rulebook, random.Random(seed), alone=against == "none")
    click.echo(HELP)
    while not table.over:
        table.next()


@dataclass
class _Table:
    """One game under way: the positions so far, the last one current."""

    rulebook: Rulebook
    rng: random.Random
    alone: bool
    over: bool = False
    past: list[Position] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.position = self.rulebook.initial
        self.person = self.position.to_move

    def next(self) -> None:
        """One turn of whoever is to move."""
        mine = self.alone or self.position.to_move == self.person
        if mine or self.rulebook.is_terminal(self.position):
            click.echo(f"\n{drawn(self.position)}")
        if self.rulebook.is_terminal(self.position):
            from grl.explain.doubts import doubts

            self.over = True
            goals = self.rulebook.goals(self.position)
            said = ["The game is over.", *(f"{p}: {n}." for p, n in goals.items())]
            click.echo(" ".join(said) + marked(doubts(self.rulebook, self.position).over))
            return
        turns = self.rulebook.legal(self.position)
        if mine:
            self.ask(turns)
        else:
            turn = self.rng.choice(turns)
            click.echo(f"{self.position.to_move} plays {turn}")
            self.advance(turn)

    def ask(self, turns: list[Turn]) -> None:
        """Read commands until one changes the game or ends it."""
        self.list(turns[:LISTED])
        if len(turns) > LISTED:
            click.echo(f"… {len(turns) - LISTED:,} more: all lists them")
        before = self.position
        while not self.over and self.position is before:
            try:
                line = read_line(f"{self.position.to_move}> ").strip()
            except EOFError:
                click.echo()
                line = "quit"
            self.obey(line, turns)

    def obey(self, line: str, turns: list[Turn]) -> None:
        """Carry one line of the person out."""
        if line == "quit":
            self.over = True
        elif line == "undo":
            self.undo()
        elif line == "all":
            self.list(turns)
        elif line in ("help", "?"):
            click.echo(HELP)
        elif line.isascii() and line.isdigit():
            number = int(line[:9])
            if 1 <= number <= len(turns):
                self.advance(turns[number - 1])
            else:
                click.echo(f"There are {len(turns)} turns.")
        elif line:
            try:
                self.advance(find_turn(self.position, line, lambda: turns))
            except GrlError as error:
                found = f": {error.found}" if error.found else ""
                click.echo(f"{one_line(error.message + found)}. {HELP}")

    def list(self, turns: Sequence[Turn]) -> None:
        """The first turns with their numbers, and what only doubtful rules forbid."""
        from grl.explain.doubts import doubts

        found = doubts(self.rulebook, self.position)
        side = len(str(len(turns)))
        for number, turn in enumerate(turns, 1):
            click.echo(f"{number:>{side}}  {turn}{marked(found.status(turn))}")
        for turn, status in found.forbidden.items():
            click.echo(f"{'-':>{side}}  {turn}: not legal{marked(status)}")

    def advance(self, turn: Turn) -> None:
        after = self.rulebook.play(self.position, turn)
        self.past.append(self.position)
        self.position = after

    def undo(self) -> None:
        """Go back to the person's turn before."""
        back = [i for i, p in enumerate(self.past) if self.alone or p.to_move == self.person]
        if not back:
            click.echo("Nothing to take back.")
            return
        self.position = self.past[back[-1]]
        del self.past[back[-1] :]
