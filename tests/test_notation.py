"""Short notation names one legal turn, or says why it doesn't."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from race import race_model

from grl.board import Board, Equipment, Piece, Position, make_position
from grl.cli import main
from grl.errors import IllegalTurn, TurnSyntaxError
from grl.games import Game, load
from grl.modelfile import write_model
from grl.notation import find_turn
from grl.turn import Turn

KINDS = {"P": "pawn", "R": "rook", "Q": "queen"}


def run(*args: object, text: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=text)


def named(game: Game, position: Position, text: str) -> str:
    return str(find_turn(position, text, lambda: [Turn.parse(t) for t in game.legal(position)]))


def after(spec: str, *texts: str) -> tuple[Game, Position]:
    game = load(spec)
    position = game.initial
    for text in texts:
        position = game.play(position, named(game, position, text))
    return game, position


def test_two_squares_name_a_step_however_they_are_joined() -> None:
    game, position = after("checkers")
    for text in ("c3-d4", "c3d4", "c3 - d4", "c3- d4", " c3-d4 "):
        assert named(game, position, text) == "c3 (1 1 e)"
    assert named(game, position, "c3 (1 1 e)") == "c3 (1 1 e)"


def test_a_jump_is_named_by_its_ends_or_its_way() -> None:
    game, position = after("checkers", "c3-d4", "b6-c5")
    assert named(game, position, "d4xb6") == "d4 (-1 1 p) (0 0 d) (-1 1 e)"
    assert named(game, position, "d4-b6") == "d4 (-1 1 p) (0 0 d) (-1 1 e)"
    with pytest.raises(IllegalTurn, match="no legal turn of white"):
        named(game, position, "d4xe5")


def test_a_square_alone_is_a_drop_or_the_only_way_there() -> None:
    game, position = after("tic-tac-toe")
    assert named(game, position, "b2") == "b2 (0 0 a x)"
    assert named(game, position, "@b2") == named(game, position, "x@b2") == "b2 (0 0 a x)"
    with pytest.raises(IllegalTurn, match="no legal turn"):
        named(game, position, "o@b2")
    game, position = after("checkers")
    assert named(game, position, "h4") == "g3 (1 1 e)"
    with pytest.raises(IllegalTurn, match=r"'d4' fits 2 legal turns") as caught:
        named(game, position, "d4")
    assert "'c3 (1 1 e)', 'e3 (-1 1 e)'" in str(caught.value)


def test_a_capture_sign_asks_for_a_capture() -> None:
    game, position = after("breakthrough", "b2-b3")
    with pytest.raises(IllegalTurn, match="no legal turn"):
        named(game, position, "b7xb6")
    assert named(game, position, "b7-b6") == "b7 (0 -1 e)"


def test_a_promotion_names_the_piece() -> None:
    rook, queen = "a7 (0 1 e) (0 0 a R)", "a7 (0 1 e) (0 0 a Q)"
    game = load("tic-tac-toe")
    pieces = {key: Piece(key, game.initial.to_move, kind) for key, kind in KINDS.items()}
    equipment = Equipment(Board(1, 8), game.equipment.players, pieces)
    position = make_position(equipment, [".", "P", *"......"], game.initial.to_move)
    turns = [Turn.parse(rook), Turn.parse(queen)]
    for text, meant in (("a7-a8=R", rook), ("a7a8Q", queen), ("a7-a8=q", queen), ("a8=Q", queen)):
        assert str(find_turn(position, text, lambda: turns)) == meant
    with pytest.raises(IllegalTurn, match="fits 2 legal turns"):
        find_turn(position, "a7-a8", lambda: turns)


def test_what_is_no_notation_at_all_is_a_syntax_error() -> None:
    game, position = after("tic-tac-toe")
    for text in ("", "zz", "b2-", "b2=", "-b2", "b2--c3", "(0 1 e)", "B2"):
        with pytest.raises(TurnSyntaxError):
            named(game, position, text)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "race.grl.json"
    write_model(race_model(), path)
    return path


def test_commands_take_short_turns_and_whole_games(model: Path, tmp_path: Path) -> None:
    long = run("moves", model, "--after", "a1 (0 1 e)", "--after", "b4 (0 -1 e)", "--json")
    assert long.exit_code == 0
    assert run("moves", model, "--after", "a1-a2", "--after", "b3", "--json").stdout == long.stdout
    listed = tmp_path / "game.txt"
    listed.write_text("% a game\na1-a2\n\nb4 (0 -1 e)\n")
    assert run("moves", model, "--after", f"@{listed}", "--json").stdout == long.stdout
    record = tmp_path / "game.jsonl"
    turns = [{"turn": "a1 (0 1 e)"}, {"turn": "b4 (0 -1 e)"}]
    record.write_text('{"format": "grl-trace/1"}\n' + json.dumps({"turns": turns}) + "\n")
    assert run("moves", model, "--after", f"@{record}", "--json").stdout == long.stdout
    listed.write_text("a1-a2\nb3-b9\n")
    done = run("moves", model, "--after", f"@{listed}")
    assert done.exit_code == 2
    assert f"{listed}:2, ply 2" in done.stderr
    assert run("moves", model, "--after", "@nowhere.txt").exit_code == 2


def test_a_person_plays_asks_and_explains_in_short(model: Path) -> None:
    played = run("play", model, "--against", "none", text="a1-a2\nb3\nquit\n")
    assert played.exit_code == 0
    assert ".  R  ." not in played.stderr
    assert "3  . R ." in played.stdout
    assert run("explain", model, "--turn", "a1-a2").exit_code == 0
    assert run("explain", model, "--turn", "a1-a3").exit_code == 2
