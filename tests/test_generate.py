"""Generated plays: the same for everyone, legal to the last turn, and as strong as asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from race import Race

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.errors import GameError
from grl.games import Game, available, load
from grl.generate import CHOOSERS, generate
from grl.traces import Traces, header_dict, write_traces
from grl.turn import Turn
from grl.turn import play as carried_out

ONE, TWO = Player("one"), Player("two")


class Dash(Game):
    """Three squares to the goal; each player moves twice in a row, and may waste a turn."""

    name = "dash"
    provenance = "made up"

    def __init__(self) -> None:
        pieces = {"o": Piece("o", ONE, "runner"), "t": Piece("t", TWO, "runner")}
        self.equipment = Equipment(Board(4, 2), (ONE, TWO), pieces)
        self.initial = make_position(self.equipment, ["t...", "o..."], ONE)

    def legal(self, position: Position) -> list[str]:
        if self.is_terminal(position):
            return []
        square = position.cells.index("o" if position.to_move == ONE else "t")
        return [f"{position.board.names[square]} (1 0 e)", "pass"]

    def is_terminal(self, position: Position) -> bool:
        return "o" in position.rows[1][3:] or "t" in position.rows[0][3:]

    def goals(self, position: Position) -> dict[Player, int]:
        first = 100 if "o" in position.rows[1][3:] else 0
        return {ONE: first, TWO: 100 - first}

    def next_player(self, position: Position, turn: Turn) -> Player:
        del turn
        steps = sum(position.cells[i] == "." for i in (0, 4))
        return position.to_move if steps == 0 else self.equipment.next_player(position.to_move)

    def endgames(self) -> list[Position]:
        rows = [[".t..", "o..."], ["..t.", "o..."]]
        return [make_position(self.equipment, row, TWO) for row in rows]


def plays(game: Game, n: int = 10, **options: Any) -> list[dict[str, Any]]:
    return list(generate(game, n, **{"all_moves": True, "seed": 1, **options}))


def traces(path: Path, game: Game, **options: Any) -> Traces:
    write_traces(path, header_dict(game), plays(game, **options))
    return Traces.open(path)


@pytest.mark.parametrize("name", sorted(available()))
@pytest.mark.parametrize("players", CHOOSERS)
def test_what_is_generated_is_what_the_game_allows(name: str, players: str, tmp_path: Path) -> None:
    game = load(name)
    limit = 6 if players != "random" or name == "amazons" else 40
    if name == "amazons" and players != "random":
        # Whoever chooses looks at each of some thousand turns.
        limit = 2
    file = traces(tmp_path / "f.jsonl.gz", game, n=2, players=players, max_plies=limit)
    assert file.header.initial == game.initial
    for play in file:
        for ply in play.plies:
            assert list(ply.legal or ()) == sorted(game.legal(ply.position))
            assert ply.turn in (ply.legal or ())
            assert not game.is_terminal(ply.position)
        after = [*(ply.position for ply in play.plies[1:]), play.final]
        for ply, position in zip(play.plies, after, strict=True):
            turn = Turn.parse(ply.turn)
            assert replace(carried_out(ply.position, turn), to_move=position.to_move) == position
            if position is not play.final:
                assert game.next_player(ply.position, turn) == position.to_move
        assert game.is_terminal(play.final) == (play.end == "terminal")
        if play.end == "terminal":
            assert play.goals == game.goals(play.final)
        else:
            assert len(play.plies) == limit


def test_every_line_keeps_to_the_schema() -> None:
    text = resources.files("grl").joinpath("trace.schema.json").read_text("utf-8")
    validator = jsonschema.Draft202012Validator(json.loads(text))
    for game in (Race(), Dash(), load("checkers")):
        validator.validate(header_dict(game))
        for play in plays(game, endgames=0.5, max_plies=20):
            validator.validate(play)


def test_a_play_is_the_same_however_many_are_made() -> None:
    game = Race()
    assert plays(game, 3) == plays(game, 8)[:3]
    assert plays(game, 8, seed=2) != plays(game, 8)
    assert len({json.dumps(play["turns"]) for play in plays(game, 8)}) > 4


@pytest.mark.parametrize(
    ("spec", "options"),
    [
        ("checkers", "players='greedy', endgames=0.5, max_plies=30"),
        ("chess:drops=1", "rare=1.0, max_plies=2"),
    ],
)
def test_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path, spec: str, options: str) -> None:
    code = (
        "import sys; from grl.games import load; from grl.generate import generate; "
        f"from grl.traces import header_dict, write_traces; game = load('{spec}'); "
        f"plays = generate(game, 5, all_moves=True, seed=5, {options}); "
        "write_traces(sys.argv[1], header_dict(game), plays)"
    )
    files = []
    for seed in ("1", "2"):
        path = tmp_path / f"{seed}.jsonl"
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, path], env=environment, check=True)
        files.append(path.read_bytes())
    assert files[0] == files[1]


def test_by_is_given_only_where_the_turn_order_does_not_say(tmp_path: Path) -> None:
    game = Dash()
    for play in plays(game):
        mover, due = ONE, ONE
        position = game.initial
        for turn in play["turns"]:
            mover = Player(turn.get("by", due))
            assert mover == position.to_move
            assert ("by" in turn) == (mover != due)
            position = game.play(position, turn["turn"])
            due = game.equipment.next_player(mover)
    played = [ply for play in traces(tmp_path / "f.jsonl", game) for ply in play.plies]
    assert any(a.by == b.by for a, b in pairwise(played))


def test_a_single_move_is_known_where_not_all_are_asked_for() -> None:
    assert all(
        "legal" not in turn for play in plays(Race(), all_moves=False) for turn in play["turns"]
    )


def test_endgames_are_begun_in_their_share() -> None:
    game = Dash()
    assert not any("initial" in play for play in plays(game, 50))
    assert all("initial" in play for play in plays(game, 50, endgames=1.0))
    share = sum("initial" in play for play in plays(game, 400, endgames=0.25)) / 400
    assert 0.15 < share < 0.35
    starts = {tuple(play["initial"]["rows"]) for play in plays(game, 50, endgames=1.0)}
    assert starts == {(".t..", "o..."), ("..t.", "o...")}


def test_short_plays_lead_to_positions_that_the_game_draws_and_one_turn_on() -> None:
    game = Dash()
    drawn = [game.play(game.play(game.initial, "pass"), "a1 (1 0 e)"), game.endgames()[0]]
    game.rare = lambda chance: chance.choice(drawn)  # type: ignore[method-assign]
    assert not any("initial" in play for play in plays(game, 50))
    made = plays(game, 60, rare=1.0)
    assert made[:5] == plays(game, 5, rare=1.0)
    long = [play["turns"] for play in made if "initial" not in play]
    assert 15 < len(long) < 45
    assert all([t["turn"] for t in turns[:2]] == ["pass", "a1 (1 0 e)"] for turns in long)
    assert all(len(turns) == 3 and all(t["legal"] for t in turns) for turns in long)
    assert {len(play["turns"]) for play in made if "initial" in play} == {1}
    assert {play["end"] for play in made} == {"stopped"}
    share = sum(len(play["turns"]) < 4 for play in plays(game, 400, rare=0.25)) / 400
    assert 0.15 < share < 0.35


def test_a_short_play_takes_the_turn_that_ends_the_game() -> None:
    game = Dash()
    start = make_position(game.equipment, ["..t.", "o..."], TWO)
    game.rare = lambda chance: start  # type: ignore[method-assign]  # noqa: ARG005
    for play in plays(game, 10, rare=1.0):
        assert (play["end"], play["goals"]) == ("terminal", {"one": 0, "two": 100})


def test_rare_positions_are_the_endgames_where_a_game_names_no_others() -> None:
    game = Dash()
    rows = {tuple(play["initial"]["rows"]) for play in plays(game, 30, rare=1.0)}
    assert rows == {(".t..", "o..."), ("..t.", "o...")}
    game.endgames = list  # type: ignore[method-assign]
    with pytest.raises(GameError, match="dash draws no positions around rare turns"):
        plays(game, rare=1.0)


def test_a_game_without_endgames_begins_at_the_beginning() -> None:
    game = Dash()
    game.endgames = list  # type: ignore[method-assign]
    assert not any("initial" in play for play in plays(game, endgames=1.0))


def test_a_play_that_is_cut_says_nothing_of_its_end() -> None:
    for play in plays(Race(), max_plies=1):
        assert play["end"] == "stopped"
        assert "goals" not in play
        assert len(play["turns"]) == 1
    assert plays(Race(), 1, max_plies=0)[0]["turns"] == []


@pytest.mark.parametrize("players", ["greedy", "search"])
def test_a_win_at_hand_is_taken(players: str) -> None:
    game = Race()
    start = make_position(game.equipment, ["..R", "r..", "..R", "..."], "white")
    game.endgames = lambda: [start]  # type: ignore[method-assign]
    for play in plays(game, 10, players=players, endgames=1.0):
        assert [turn["turn"] for turn in play["turns"]] == ["a3 (0 1 e)"]


def test_the_greedy_capture() -> None:
    game = Race()
    start = make_position(game.equipment, ["R.R", ".R.", "r..", "..r"], "white")
    game.endgames = lambda: [start]  # type: ignore[method-assign]
    for play in plays(game, 10, players="greedy", endgames=1.0, max_plies=1):
        assert play["turns"][0]["turn"] == "a2 (1 1 p)"


def test_search_sees_a_loss_coming_and_the_greedy_do_not() -> None:
    game = Race()
    start = make_position(game.equipment, ["R..", "...", ".R.", "r.r"], "white")
    game.endgames = lambda: [start]  # type: ignore[method-assign]
    options: dict[str, Any] = {"endgames": 1.0, "max_plies": 1}
    searched = {play["turns"][0]["turn"] for play in plays(game, 20, players="search", **options)}
    assert searched == {"a1 (1 1 p)", "c1 (-1 1 p)"}
    by_chance = {play["turns"][0]["turn"] for play in plays(game, 20, **options)}
    assert by_chance == {"a1 (1 1 p)", "c1 (-1 1 p)", "a1 (0 1 e)", "c1 (0 1 e)"}


def test_search_looks_as_far_as_asked() -> None:
    """Three plies ahead the runner that is nearer can't be caught; one ply ahead all look alike."""
    game = Race(width=4)
    start = make_position(game.equipment, ["..RR", "....", "r...", "...r"], "white")
    game.endgames = lambda: [start]  # type: ignore[method-assign]
    options: dict[str, Any] = {"endgames": 1.0, "max_plies": 1, "players": "search"}
    far = {play["turns"][0]["turn"] for play in plays(game, 20, depth=3, **options)}
    near = {play["turns"][0]["turn"] for play in plays(game, 20, depth=1, **options)}
    assert far == {"a2 (0 1 e)"}
    assert near == {"a2 (0 1 e)", "d1 (0 1 e)"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"players": "wizards"}, "one of ['random', 'greedy', 'search']"),
        ({"n": -1}, "out of bounds"),
        ({"depth": 0}, "depth 0"),
        ({"max_plies": -1}, "max_plies -1"),
        ({"endgames": 1.5}, "endgames 1.5"),
    ],
)
def test_bad_arguments_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(GameError) as caught:
        plays(Race(), **options)
    assert says in str(caught.value)
