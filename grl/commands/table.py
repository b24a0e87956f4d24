"""The table of ``grl play``: one game under way, and what a person can say there."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from grl.board import Player, Position
from grl.commands.common import read_line, writable_file
from grl.commands.lines import coloured, named, touched, variation
from grl.commands.moving import marked
from grl.engine.engine import Engine
from grl.errors import GrlError, IllegalTurn, one_line
from grl.explain.answer import Explainer
from grl.explain.doubts import doubts
from grl.notation import find_turn
from grl.players.chance import Chance
from grl.players.interface import spoken
from grl.players.seats import Seat
from grl.rulebook import Rulebook
from grl.tracejson import describe
from grl.tracewriter import TraceWriter
from grl.turn import Turn

LISTED = 30
HELP = (
    "A number or a turn, in full or short as c3-d4, or the beginning of one, plays it; all lists "
    "every turn, hint advises, why TURN explains, undo takes one back, save FILE writes the game, "
    "resign gives it up, quit ends."
)
COMMANDS = ("all", "help", "hint", "quit", "resign", "save ", "undo", "why ")


class Table:
    """One game under way: the positions so far with the turns played there, and who sits where."""

    def __init__(
        self, rulebook: Rulebook, seats: Mapping[Player, Seat], adviser: Seat, seed: int
    ) -> None:
        self.rulebook, self.seats, self.adviser, self.seed = rulebook, seats, adviser, seed
        self.position = rulebook.initial
        self.past: list[tuple[Position, Turn]] = []
        self.turns = rulebook.legal(self.position)
        self.over = False

    def run(self) -> None:
        """Play until the game is over or a person leaves."""
        if self.people:
            click.echo(HELP)
            _complete_by(self.completions)
        while not self.over:
            self.next()

    @cached_property
    def people(self) -> bool:
        """Whether a person sits at the table."""
        return any(seat.agent is None for seat in self.seats.values())

    @cached_property
    def engine(self) -> Engine:
        """The model compiled, for those who search."""
        return self.rulebook.engine()

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.rulebook)

    def next(self) -> None:
        """One turn of whoever is to move."""
        mover = self.position.to_move
        seat = self.seats[mover]
        self.turns = self.rulebook.legal(self.position)
        if seat.agent is None or not self.turns or not self.people:
            self.draw()
        if not self.turns:
            self.over = True
            goals = self.rulebook.goals(self.position)
            said = ["The game is over.", *(f"{p}: {n}." for p, n in goals.items())]
            click.echo(" ".join(said) + marked(doubts(self.rulebook, self.position).over))
        elif seat.agent is None:
            self.ask()
        else:
            answer = self.thought(seat)
            click.echo(f"{mover} plays {answer.turn}")
            self.advance(Turn.parse(answer.turn))

    def thought(self, seat: Seat) -> Any:
        """The answer of a player to the position; chance needs no compiled model."""
        chance = isinstance(seat.agent, Chance)
        game = Engine(self.rulebook, None) if chance else self.engine
        return seat.choose(game, game.state(self.position), self.seed + len(self.past))

    def draw(self) -> None:
        """The board, the squares of the last turn marked."""
        last = touched(*self.past[-1], self.position) if self.past else ()
        click.echo(f"\n{coloured(self.position, last)}")

    # What a person says ---------------------------------------------------------------------------

    def ask(self) -> None:
        """Read commands until one changes the game or ends it."""
        self.names = named(self.position, self.turns, self.turns)
        self.show(self.turns[:LISTED])
        if len(self.turns) > LISTED:
            click.echo(f"… {len(self.turns) - LISTED:,} more: all lists them")
        before = self.position
        while not self.over and self.position is before:
            try:
                line = read_line(f"{self.position.to_move}> ").strip()
            except EOFError:
                click.echo()
                line = "quit"
            try:
                self.obey(line)
            except OSError as error:
                click.echo(f"{error.filename}: {error.strerror}.")
            except GrlError as error:
                found = f": {error.found}" if error.found else ""
                click.echo(f"{one_line(error.message + found)}. help says what can be typed.")

    def obey(self, line: str) -> None:
        """Carry one line of a person out; raises `GrlError` for what can't be understood."""
        word, _, rest = line.partition(" ")
        if line == "quit":
            self.over = True
        elif line == "undo":
            self.undo()
        elif line == "all":
            self.show(self.turns)
        elif line in ("help", "?"):
            click.echo(HELP)
        elif line == "hint":
            answer = self.thought(self.adviser)
            said = variation(self.rulebook, self.position, answer.line)
            click.echo(f"{spoken(answer.value)}: {said}")
        elif line == "resign":
            self.over = True
            click.echo(f"{self.position.to_move} resigns.")
        elif word == "save" and rest:
            self.save(writable_file(Path(rest)))
            click.echo(f"{rest}: {len(self.past)} plies")
        elif word == "why" and rest:
            self.why(rest)
        elif line.isascii() and line.isdigit():
            number = int(line[:9])
            if 1 <= number <= len(self.turns):
                self.advance(self.turns[number - 1])
            else:
                click.echo(f"There are {len(self.turns)} turns.")
        elif line:
            self.advance(self.meant(line))

    def meant(self, line: str) -> Turn:
        """The turn that a line names, in full or short or by its beginning."""
        try:
            return find_turn(self.position, line, lambda: self.turns)
        except GrlError:
            begun = [
                turn
                for turn, name in self.names.items()
                if name.startswith(line) or str(turn).startswith(line)
            ]
            if len(begun) != 1:
                raise
            return begun[0]

    def why(self, text: str) -> None:
        """Say why a turn is legal or not, whatever pieces can do among those that are not."""
        try:
            turn = find_turn(self.position, text, lambda: self.turns)
        except IllegalTurn:
            able = self._explainer.candidates(self.position)
            try:
                turn = find_turn(self.position, text, lambda: able)
            except IllegalTurn:
                click.echo(f"No turn that pieces of {self.position.to_move} can do is {text!r}.")
                return
        click.echo("\n".join(self._explainer.turn(self.position, turn).lines()))

    def show(self, turns: Sequence[Turn]) -> None:
        """The first turns with their numbers, and what only doubtful rules forbid."""
        found = doubts(self.rulebook, self.position)
        side = len(str(len(turns)))
        for number, turn in enumerate(turns, 1):
            name = self.names[turn]
            short = "" if name == str(turn) else f"  {name}"
            click.echo(f"{number:>{side}}  {turn}{short}{marked(found.status(turn))}")
        for turn, status in found.forbidden.items():
            click.echo(f"{'-':>{side}}  {turn}: not legal{marked(status)}")

    def completions(self, begun: str) -> list[str]:
        """The commands and the turns that a line may become."""
        return [text for text in (*COMMANDS, *self.names.values()) if text.startswith(begun)]

    # What changes the game ------------------------------------------------------------------------

    def advance(self, turn: Turn) -> None:
        """Play a turn; raises `IllegalTurn` for one that is not legal."""
        after = self.rulebook.play(self.position, turn)
        self.past.append((self.position, turn))
        self.position = after

    def undo(self) -> None:
        """Go back to the last position in which a person was to move."""
        back = [n for n, (p, _) in enumerate(self.past) if self.seats[p.to_move].agent is None]
        if not back:
            click.echo("Nothing to take back.")
            return
        self.position = self.past[back[-1]][0]
        del self.past[back[-1] :]

    def save(self, path: Path) -> None:
        """Write the game so far as a trace file."""
        model = self.rulebook.model
        header = describe(model.game, model.equipment, self.rulebook.initial)
        size, initial = header["board"], header["initial"]
        with TraceWriter(
            path,
            game=model.game,
            players=header["players"],
            pieces={
                key: (piece["player"], piece["type"]) for key, piece in header["pieces"].items()
            },
            rows=initial["rows"],
            to_move=initial["to_move"],
            reserve=initial.get("reserve"),
            links=size.get("links"),
            arcs=size.get("arcs"),
            lifts_others=True,
        ) as writer:
            goals = {} if self.turns else self.rulebook.goals(self.position)
            known = {str(player): goal for player, goal in goals.items()}
            writer.add([str(turn) for _, turn in self.past], goals=known or None)


def _complete_by(completions: Any) -> None:
    """On a terminal the tabulator key completes what was typed, where Python can."""
    if sys.stdin is None or not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:
        return
    readline.set_completer_delims("")
    readline.set_completer(lambda text, state: dict(enumerate(completions(text))).get(state))
    readline.parse_and_bind("tab: complete")
