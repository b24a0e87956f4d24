"""``grl protocol``: another program plays a game between two of these."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest
from learned import learned

from grl import games

Process: TypeAlias = "subprocess.Popen[str]"


def asked(process: Process, line: str) -> list[str]:
    """The answer to a command, without the ok at its end."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    answer = []
    while not answer or answer[-1] not in ("ok", "error"):
        answer.append(process.stdout.readline().rstrip("\n"))
        assert answer[-1], f"no end of the answer to {line!r}: {answer}"
        if answer[-1].startswith("error"):
            raise ValueError(answer[-1])
    return answer[:-1]


@contextmanager
def session(model: Path) -> Iterator[Process]:
    command = [sys.executable, "-m", "grl", "protocol", str(model)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        asked(process, "quit")
        assert process.wait(20) == 0


def test_two_sessions_play_a_game_that_good_play_draws(tmp_path: Path) -> None:
    model = tmp_path / "model.grl.json"
    learned("tic-tac-toe").save(model)
    reference = games.load("tic-tac-toe")
    position = reference.initial
    with session(model) as first, session(model) as second:
        for process in (first, second):
            asked(process, "position start")
        while asked(first, "over") == ["no"]:
            mover = first if position.to_move == "x" else second
            answer = asked(mover, "go mtdf:depth=9")
            assert answer[:2] == ["value 0 0", "proven yes"]
            turn = answer[-1].removeprefix("bestturn ")
            assert answer[4] == f"line {turn}"
            position = reference.play(position, turn)
            for process in (first, second):
                asked(process, f"play {turn}")
        assert asked(second, "goals") == ["50 x", "50 o"]
        with pytest.raises(ValueError, match="over"):
            asked(first, "go")
        asked(second, "undo")
        with pytest.raises(ValueError, match="no player 'nobody'"):
            asked(second, "go nobody")
    assert not reference.legal(position)


def test_another_program_plays_by_the_reference_against_a_model(tmp_path: Path) -> None:
    """It takes its turns from the reference, and holds the model's to it at every ply."""
    spec = "breakthrough:width=6,height=6"
    model = tmp_path / "model.grl.json"
    learned(spec).save(model)
    reference, chance = games.load(spec), Random(3)
    position = reference.initial
    with session(model) as process:
        while reference.legal(position):
            legal = reference.legal(position)
            assert sorted(asked(process, "turns")) == sorted(legal)
            assert asked(process, "over") == ["no"]
            if position.to_move == "white":
                turn = chance.choice(legal)
            else:
                answer = asked(process, "go swift:nodes=300,evaluation=fuzzy+distances")
                turn = answer[-1].removeprefix("bestturn ")
            asked(process, f"play {turn}")
            position = reference.play(position, turn)
        assert asked(process, "over") == ["yes"]
        # who thinks ahead beats who doesn't
        assert asked(process, "goals") == ["0 white", "100 black"]
    assert reference.goals(position) == {"white": 0, "black": 100}
