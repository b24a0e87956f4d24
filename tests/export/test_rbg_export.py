"""Models as games of Regular Boardgames, read back and played beside the models at random."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from learned import learned
from random_models import random_model
from rbg import Rules, read
from running import BREAKTHROUGH, model_with, no, yes
from shorthand import heading

from grl.board import Position, make_position
from grl.cli import main
from grl.errors import ModelError
from grl.export.rbg import rbg_program
from grl.export.squares import NotRegular
from grl.model import Model, Rule
from grl.modelfile import write_model
from grl.rulebook import Rulebook
from grl.turn import play


def board(rules: Rules, position: Position, keys: dict[str, str]) -> str:
    """What lies on the squares of the game, by its names of pieces."""
    squares = position.board.squares
    assert rules.squares == [position.board.names[square] for square in squares]
    return "".join(rules.sign(keys[position.cells[square]]) for square in squares)


def names_of(text: str) -> dict[str, str]:
    """The names of pieces by their keys, from the comments of the file."""
    lines = [line[3:].split(": ") for line in text.splitlines() if line.startswith("// ")]
    return {".": "e", **{parts[1]: parts[0] for parts in lines if len(parts) == 2}}


def play_beside(
    rulebook: Rulebook, games: int, most: int, seed: int, *, origins: bool = True
) -> int:
    """Random games of the model and of its export; how many positions were compared.

    Without `origins` turns are compared by the boards that they leave: where a hand may set out
    empty, a move of the export does not show from where.
    """
    text = rbg_program(rulebook.model)
    rules, chance, compared = read(text), Random(seed), 0
    keys = names_of(text)
    seats = dict(zip(rules.players, rulebook.model.equipment.players, strict=True))
    for _ in range(games):
        position, state = rulebook.initial, rules.settle(rules.initial())
        for _ in range(most):
            wanted = {}
            for turn in rulebook.legal(position):
                start = turn.start(position.board)
                assert start is not None
                first = position.board.squares.index(start) if origins else None
                wanted[first, board(rules, play(position, turn), keys)] = turn
            found = {
                (first if origins else None, left): after
                for (first, left), after in rules.moves(state).items()
            }
            assert set(found) == set(wanted), (
                position,
                sorted(set(found) - set(wanted))[:2],
                sorted(set(wanted) - set(found))[:2],
            )
            compared += 1
            if not wanted:
                goals = {seats[name]: score for name, score in rules.scores(state).items()}
                assert goals == (rulebook.goals(position) or dict.fromkeys(goals, 0))
                break
            assert seats[state.player] == position.to_move
            chosen = chance.choice(sorted(wanted, key=str))
            position = rulebook.play(position, wanted[chosen])
            state = rules.settle(found[chosen])
    return compared


@pytest.mark.parametrize(
    ("spec", "games", "most"),
    [
        ("tic-tac-toe", 4, 20),
        ("connect-four", 1, 50),
        ("breakthrough:width=6,height=6", 2, 80),
        ("amazons:width=6,height=6", 1, 2),
        ("peg-solitaire", 1, 50),
    ],
)
def test_what_is_read_back_plays_as_the_model(spec: str, games: int, most: int) -> None:
    assert play_beside(learned(spec), games, most, seed=5) >= min(most, 8)


def test_captures_are_compulsory_and_go_on_as_in_the_model() -> None:
    """A king may take several men, two ways; men are taken and reach the far rank."""
    model = learned("checkers").model
    rows = ["........", "..M.M.m.", "........", "....M...", "...k....", *["........"] * 3]
    rulebook = Rulebook(replace(model, initial=make_position(model.equipment, rows, "white")))
    assert any(str(turn).count("d)") > 1 for turn in rulebook.legal(rulebook.initial))
    assert play_beside(rulebook, 2, 3, seed=2) > 3


def test_hand_written_rules_come_through_as_well() -> None:
    game = "breakthrough:width=6,height=6"
    assert play_beside(Rulebook(model_with(BREAKTHROUGH, game)), 1, 6, seed=3) == 6


@pytest.mark.parametrize("seed", [3, 6, 13, 14, 15, 27])
def test_the_movements_of_random_models_are_as_in_the_search(seed: int) -> None:
    model = random_model(seed)
    bare = replace(model, effects=(), passes={}, rules=None, machines=())
    assert play_beside(Rulebook(bare, compiled=False), 1, 4, seed=1, origins=False) >= 1


def with_rules(model: Model, **parts: tuple[Rule, ...]) -> Model:
    assert model.rules is not None
    return replace(model, rules=replace(model.rules, **parts))


def test_what_cannot_be_said_is_refused_with_the_rule() -> None:
    model = learned("breakthrough:width=6,height=6").model
    level = Rule((yes(*heading("level")),), support=9)
    with pytest.raises(
        NotRegular, match=r"restriction 1 .* no check for 'aligned.*on the rank of its start"
    ):
        rbg_program(with_rules(model, restrictions=(level,)))
    ending = Rule((yes("times", "position", "=", 2),), (50, 50), 9)
    with pytest.raises(NotRegular, match=r"ending 1 .*times"):
        rbg_program(with_rules(model, endings=(ending,)))
    again = Rule((no("takes", "opposing"),), (0,), 9)
    with pytest.raises(NotRegular, match=r"control 1 .*who moves next"):
        rbg_program(with_rules(model, control=(again,)))
    with pytest.raises(NotRegular, match="passes"):
        rbg_program(replace(model, passes={model.equipment.players[0]: "forced"}))
    late = Rule((yes("rival_has", "any", ("takes", "opposing")),), support=9)
    with pytest.raises(NotRegular, match=r"restriction 2 .*after rivals"):
        rbg_program(with_rules(model, restrictions=(late, Rule((yes("takes", "opposing"),)))))
    assert issubclass(NotRegular, ModelError)


def test_the_command_writes_it_or_refuses_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "model.grl.json"
    model = learned("breakthrough:width=6,height=6").model
    write_model(model, path)
    command = ["export", str(path), "--to", "rbg", "-o", str(tmp_path / "out")]
    assert CliRunner().invoke(main, command).exit_code == 0
    (written,) = (tmp_path / "out").iterdir()
    assert written.name == "breakthrough.rbg"
    assert written.read_text(encoding="utf-8") == rbg_program(model)
    write_model(replace(model, passes={model.equipment.players[0]: "forced"}), path)
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2
