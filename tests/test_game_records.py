"""References against records of other engines: legal turns at every ply, and goals at the end."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from grl.board import Player, Position, make_position
from grl.games import Game, load, outcomes
from grl.turn import Turn, play

RECORDS = Path(__file__).resolve().parents[2] / "shared" / "data" / "traces"
CASES = [
    ("checkers.jsonl", "checkers"),
    ("checkers.single.jsonl", "checkers"),
    ("breakthrough_6x6.jsonl", "breakthrough:width=6,height=6"),
    ("connect_four.jsonl.gz", "connect-four"),
    ("tic_tac_toe.jsonl", "tic-tac-toe"),
    ("nine_mens_morris.jsonl.gz", "nine-mens-morris:flying=1"),
]


def read(path: Path) -> list[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class Translation:
    """From a record's players and pieces to a game's: players by turn, pieces by owner and type."""

    def __init__(self, header: dict[str, Any], game: Game) -> None:
        ours = game.equipment
        self.players = dict(zip(header["players"], ours.players, strict=True))
        by_kind = {(piece.player, piece.type): key for key, piece in ours.pieces.items()}
        self.pieces = {
            key: by_kind[self.players[piece["player"]], piece["type"]]
            for key, piece in header["pieces"].items()
        }

    def rows(self, rows: list[str]) -> list[str]:
        return ["".join(self.pieces.get(c, c) for c in row) for row in rows]

    def reserve(self, reserve: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
        return {
            self.players[player]: {self.pieces[key]: count for key, count in pieces.items()}
            for player, pieces in reserve.items()
        }

    def turn(self, text: str) -> str:
        return re.sub(r"(?<= [ar] )(.)(?=\))", lambda match: self.pieces[match[1]], text)


def effect(position: Position, text: str) -> tuple[str, object]:
    turn = Turn.parse(text)
    return turn.segments[0].origin, play(position, turn).outcome


@pytest.mark.parametrize(("file", "spec"), CASES)
def test_games_of_other_engines_replay(file: str, spec: str) -> None:
    path = RECORDS / file
    if not path.exists():
        pytest.skip(f"no records of other engines at {path}")
    game = load(spec)
    header, *records = read(path)
    words = Translation(header, game)
    initial = make_position(
        game.equipment,
        words.rows(header["initial"]["rows"]),
        words.players[header["initial"]["to_move"]],
        words.reserve(header["initial"].get("reserve", {})),
    )
    assert initial == game.initial
    ended = compared = 0
    for record in records:
        position = initial
        for entry in record["turns"]:
            if "by" in entry:
                assert position.to_move == words.players[entry["by"]]
            legal = outcomes(game, position)
            if "legal" in entry:
                compared += 1
                assert len(entry["legal"]) == len(legal)
                assert {effect(position, words.turn(t)) for t in entry["legal"]} == set(legal)
            turn = words.turn(entry["turn"])
            assert effect(position, turn) in legal
            position = game.play(position, turn)
        if record.get("end", "terminal") == "terminal":
            ended += 1
            assert game.is_terminal(position)
            goals = {words.players[player]: goal for player, goal in record["goals"].items()}
            assert game.goals(position) == {Player(p): g for p, g in goals.items()}
    assert len(records) > 10
    assert ended
    assert compared or ".single." in file
