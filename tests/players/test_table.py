"""``grl play``: whole games at a pseudo terminal, and what a person can say there."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from learned import ENOUGH, learned
from race import race_model

from grl import games
from grl.cli import main
from grl.errors import GrlError
from grl.modelfile import write_model
from grl.notation import find_turn, short_names
from grl.players.evaluations import Judging
from grl.players.interface import Budget
from grl.players.minimax import Search
from grl.players.seats import Seat, seat, seats
from grl.traces import Traces

COLOUR = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
LISTED = re.compile(r"^ *[0-9]+  (\S.*?)\r?$", re.MULTILINE)


def conversation(command: list[str], choose: Random, reply: str) -> str:
    """What is seen on a pseudo terminal where somebody plays turns of the lists, by short name
    where they have one, and begins with another `reply`."""
    parent, child = pty.openpty()
    seen, said = "", 0
    turns: list[str] = []
    with subprocess.Popen(command, stdin=child, stdout=child, stderr=child) as process:
        os.close(child)
        while True:
            try:
                seen += os.read(parent, 4096).decode("utf-8", "replace")
            except OSError:
                break
            if not re.search(r"\w> $", COLOUR.sub("", seen[said:])):
                continue
            listed = LISTED.findall(COLOUR.sub("", seen[said:]))
            turns = [line.split("  ")[-1] for line in listed] or turns
            said = len(seen)
            os.write(parent, f"{reply or choose.choice(turns)}\n".encode())
            reply = ""
        os.close(parent)
        assert process.wait(30) == 0
    return seen


@pytest.mark.parametrize("spec", ENOUGH)
def test_a_whole_game_is_played_at_a_terminal(spec: str, tmp_path: Path) -> None:
    rulebook = learned(spec)
    model, saved = tmp_path / "model.grl.json", tmp_path / "game.jsonl"
    rulebook.save(model)
    command = [sys.executable, "-m", "grl", "play", str(model), "--save", str(saved)]
    if "tac" in spec or "connect" in spec:
        other = rulebook.model.equipment.players[1]
        command += ["--seat", f"{other}=swift:nodes=300"]
    reply = "hint" if "tac" in spec else "all"
    seen = conversation(command, Random(spec), reply)

    assert "The game is over." in seen
    assert "\x1b[7m" in seen, "the last turn is shown in reverse"
    reference = games.load(spec)
    position = reference.initial
    (play,) = Traces.open(saved)
    for ply in play.plies:
        position = reference.play(position, ply.turn)
    assert not reference.legal(position)
    told = {f"{player}: {goal}." for player, goal in reference.goals(position).items()}
    last = seen[seen.index("The game is over.") :]
    assert all(text in last for text in told)


def said(tmp_path: Path, *lines: str, options: tuple[str, ...] = ()) -> str:
    """What is printed of a game of races in which somebody says these lines."""
    model = tmp_path / "race.grl.json"
    write_model(race_model(), model)
    typed = "\n".join([*lines, "quit", ""])
    done = CliRunner().invoke(main, ["play", str(model), *options], input=typed)
    assert done.exit_code == 0, done.output
    assert "\x1b" not in done.stdout
    return done.stdout


def test_one_letter_is_enough_where_one_turn_begins_so(tmp_path: Path) -> None:
    assert "2  r . ." in said(tmp_path, "a", options=("--against", "none"))


def test_a_person_asks_why(tmp_path: Path) -> None:
    told = said(tmp_path, "why a1-a2", "why a1 (1 1 e)", "why a1-a4")
    assert "a1 (0 1 e): legal" in told
    assert "a1 (1 1 e): not legal" in told
    assert "No turn that pieces of white can do is 'a1-a4'." in told


def test_a_person_resigns_and_the_record_breaks_off(tmp_path: Path) -> None:
    saved = tmp_path / "game.jsonl"
    told = said(tmp_path, "a", f"save {tmp_path}", f"save {saved}", "resign", "a")
    assert "white resigns." in told
    assert "not a file" in told
    (play,) = Traces.open(saved)
    assert str(play.plies[0].turn) == "a1 (0 1 e)"
    assert len(play.plies) == 2
    assert play.goals is None


def test_anybody_sits_anywhere(tmp_path: Path) -> None:
    told = said(tmp_path, options=("--seat", "white=uct:nodes=50", "--seat", "black=random"))
    assert "The game is over." in told
    assert "> " not in told
    told = said(tmp_path, "1", options=("--seat", "white=random", "--seat", "black=person"))
    assert told.index("white plays") < told.index("black> ")


@pytest.mark.parametrize(
    "text",
    [
        *("", "nobody", "mtdf:nodes", "mtdf:nodes=0", "uct:seconds=nan", "uct:speed=1", "person"),
        *("mtdf:evaluation=", "mtdf:evaluation=clever", "random:evaluation=fuzzy"),
    ],
)
def test_texts_that_name_no_player_are_refused(text: str) -> None:
    with pytest.raises(GrlError):
        seat(text)


def test_players_are_listed_with_commas_between_and_inside() -> None:
    first, second, third = seats("random,uct:nodes=5,depth=9,mtdf:seconds=.5")
    (judging,) = seats("mtdf:evaluation=fuzzy+latches,nodes=7")
    assert judging.agent == Judging("mtdf", "fuzzy+latches")
    assert (judging.budget.nodes, judging.budget.seconds) == (7, None)
    assert seat("mtdf:evaluation=none") == Seat("mtdf:evaluation=none", Search(), Budget(seconds=1))
    assert (first.spec, second.spec, third.spec) == (
        "random",
        "uct:nodes=5,depth=9",
        "mtdf:seconds=.5",
    )
    assert (second.budget.nodes, second.budget.depth, second.budget.seconds) == (5, 9, None)
    assert third.budget.seconds == 0.5


@pytest.mark.parametrize("spec", ["checkers", "peg-solitaire", "breakthrough:width=6,height=6"])
def test_short_names_are_understood_as_the_turns_they_name(spec: str) -> None:
    chance = Random(1)
    rulebook = learned(spec)
    position = rulebook.initial
    for _ in range(12):
        turns = rulebook.legal(position)
        some = chance.sample(turns, min(20, len(turns)))
        names = short_names(position, turns, some)
        for turn, name in names.items():
            assert find_turn(position, name, lambda turns=turns: turns) == turn
        assert not any(" " in name for name in names.values())
        position = rulebook.play(position, chance.choice(turns))
