"""The text protocol of ``grl protocol`` and ``grl engine --protocol``: other programs play by a
model, and against it.

A command is a line, and so is each part of an answer; the last line of an answer is ``ok``, or
``error`` and what is wrong. Errors change nothing and end nothing.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from grl.commands.common import MODEL, example, read_position
from grl.errors import GrlError, IllegalTurn, one_line

if TYPE_CHECKING:
    from grl.engine.engine import Engine, State
    from grl.rulebook import Rulebook

LONGEST = 2**20
"""Characters of a line."""
MOST_GAMES = 10_000_000
"""Random games of one command."""
PLAYER = "swift:seconds=1"
"""Who answers to go where nobody is named."""
UNKNOWN = "-"
"""In the place of a goal of which nothing is known."""


@click.command(epilog=example("grl protocol model.grl.json"))
@MODEL
def protocol(model: Path) -> None:
    """Let another program play by a model, and against it.

    It writes commands to standard input, a line each, and reads answers that end in ok or error;
    help lists them. docs/playing.md has an example.
    """
    from grl.rulebook import load

    Session(load(model)).run()


class Session:
    """One conversation: a model's engine, and the states so far, the last one current."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.engine: Engine = rulebook.engine()
        self.states: list[State] = [self.engine.initial]
        self.over = False
        self._commands: dict[str, tuple[str, Callable[[str], Iterator[str]]]] = {
            "position": ("[start|FILE]", self._position),
            "turns": ("", self._turns),
            "play": ("TURN|NUMBER", self._play),
            "undo": ("", self._undo),
            "go": ("[PLAYER]", self._go),
            "perft": ("N", self._perft),
            "over": ("", self._over),
            "goals": ("", self._goals),
            "playouts": ("N SEED", self._playouts),
            "show": ("", self._show),
            "players": ("", self._players),
            "kind": ("", self._kind),
            "help": ("", self._help),
            "quit": ("", self._quit),
        }

    def run(self) -> None:
        """Answer what comes on standard input until it ends, or somebody quits."""
        while not self.over and sys.stdin is not None:
            line = _line(sys.stdin)
            if line is None:
                return
            if line == "" or line.strip():
                click.echo("\n".join(self.answer(line)))

    def answer(self, line: str) -> list[str]:
        """The answer to a line, which is empty for one that was too long."""
        name, _, rest = line.strip().partition(" ")
        form, command = self._commands.get(name, ("", None))
        try:
            if not name:
                raise GrlError("the line is too long", expected=f"at most {LONGEST:,} characters")
            if command is None:
                raise GrlError("no such command", found=repr(name[:40]), hint="help lists them")
            if not form and rest.strip():
                raise GrlError(f"{name} takes nothing", found=repr(rest.strip()[:40]))
            return [*command(rest.strip()), "ok"]
        except GrlError as error:
            return [one_line(f"error {error}")]
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            return [one_line(f"error {where}{error.strerror or error}")]
        except (MemoryError, RecursionError):
            return ["error this takes more memory than there is"]

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[-1]

    # Commands ---------------------------------------------------------------------------------

    def _position(self, text: str) -> Iterator[str]:
        if not text:
            yield json.dumps(self.state.position().to_dict(trail=self.rulebook.looks_back))
            return
        if text == "start":
            self.states = [self.engine.initial]
        else:
            position = read_position(self.rulebook, Path(text))
            self.states = [self.engine.state(position)]

    def _turns(self, _: str) -> Iterator[str]:
        yield from self.state.turns()

    def _play(self, text: str) -> Iterator[str]:
        turns = self.state.turns()
        if text.isascii() and text.isdigit():
            number = int(text[:9])
            if number >= len(turns):
                raise IllegalTurn(
                    f"there is no turn number {text[:9]}",
                    expected=f"0 to {len(turns) - 1}" if turns else "none: the game is over",
                )
            self.states.append(self.state.play(number))
        elif text in turns:
            self.states.append(self.state.play(turns.index(text)))
        else:
            self.states.append(self._otherwise_spelled(text))
        yield from ()

    def _otherwise_spelled(self, text: str) -> State:
        """The state after a turn that is spelled in another way than the list has it."""
        from grl.notation import find_turn

        position = self.state.position()
        turn = find_turn(position, text, partial(self.rulebook.legal, position))
        spelled = str(turn)
        turns = self.state.turns()
        if spelled in turns:
            return self.state.play(turns.index(spelled))
        return self.engine.state(self.rulebook.play(position, turn))

    def _undo(self, _: str) -> Iterator[str]:
        if len(self.states) == 1:
            raise GrlError("nothing was played")
        self.states.pop()
        yield from ()

    def _go(self, text: str) -> Iterator[str]:
        from grl.players.interface import check_going_on, spoken
        from grl.players.seats import seat

        check_going_on(self.state)
        answer = seat(text or PLAYER).choose(self.engine, self.state, len(self.states))
        yield f"value {answer.value} {spoken(answer.value)}"
        yield f"proven {'yes' if answer.proven else 'no'}"
        yield f"depth {answer.depth}"
        yield f"nodes {answer.nodes}"
        yield from (f"line {turn}" for turn in answer.line)
        yield f"bestturn {answer.turn}"

    def _perft(self, text: str) -> Iterator[str]:
        (depth,) = _numbers(text, "N")
        yield str(self.engine.perft(self.state, depth))

    def _over(self, _: str) -> Iterator[str]:
        yield "yes" if self.state.over else "no"

    def _goals(self, _: str) -> Iterator[str]:
        goals = self.state.goals()
        for player in self.rulebook.model.equipment.players:
            yield one_line(f"{goals.get(player, UNKNOWN)} {player}")

    def _playouts(self, text: str) -> Iterator[str]:
        games, seed = _numbers(text, "N SEED")
        if games > MOST_GAMES:
            raise GrlError("too many games", found=f"{games:,}", expected=f"at most {MOST_GAMES:,}")
        played = self.engine.playouts(games, seed, start=self.state)
        yield f"games {played['games']}"
        yield f"plies {played['plies']}"
        ends = Counter(map(tuple, played["goals"].tolist()))
        for goals, times in sorted(ends.items()):
            listed = " ".join(str(goal) if goal >= 0 else UNKNOWN for goal in goals)
            yield f"end {times} {listed}"

    def _show(self, _: str) -> Iterator[str]:
        from grl.board import board_lines, hand_lines

        position = self.state.position()
        yield from board_lines(position.rows)
        yield from map(one_line, hand_lines(position.reserve))
        yield "the game is over" if self.state.over else one_line(f"{position.to_move} to move")

    def _players(self, _: str) -> Iterator[str]:
        yield from map(one_line, self.rulebook.model.equipment.players)

    def _kind(self, _: str) -> Iterator[str]:
        engine = self.engine
        yield one_line(f"{engine.kind} {engine.reason}".strip())

    def _help(self, _: str) -> Iterator[str]:
        yield from (f"{name} {form}".strip() for name, (form, _) in self._commands.items())

    def _quit(self, _: str) -> Iterator[str]:
        self.over = True
        yield from ()


def _numbers(text: str, form: str) -> list[int]:
    """Whole numbers of at most eighteen digits, as many as a form has words."""
    words = text.split()
    fits = [word.isascii() and word.isdigit() and len(word) <= 18 for word in words]
    if len(words) != len(form.split()) or not all(fits):
        raise GrlError(
            "wrong numbers", found=repr(text[:40]), expected=f"{form}, in digits, at least 0"
        )
    return [int(word) for word in words]


def _line(stream: TextIO) -> str | None:
    """The next line; empty for one that is too long, None where there is no more.

    An empty line of the stream comes as its end of line.
    """
    line = stream.readline(LONGEST + 1)
    if not line:
        return None
    if len(line) <= LONGEST:
        return line
    while line and not line.endswith("\n"):
        line = stream.readline(LONGEST)
    return ""
