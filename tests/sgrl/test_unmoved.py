"""Pieces that never moved in the records move as another player's of the same type do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from languages import LANGUAGES, difference, graph_of
from race import Race

import grl
from grl import games
from grl.board import Board, Equipment, Piece, Position, make_position
from grl.generate import generate
from grl.traces import header_dict, write_traces
from grl.turn import Turn


def _without_turns_of(key: str, plays: Iterator[dict[str, Any]], spec: str) -> Iterator[Any]:
    """The plays up to where a piece that has this key could move for the first time."""
    game = games.load(spec)
    for play in plays:
        position, kept = game.initial, []
        for item in play["turns"]:
            board, cells = position.board, position.cells
            starts = {Turn.parse(text).segments[0].origin for text in item["legal"]}
            if any(cells[board.square(name)] == key for name in starts):
                break
            kept.append(item)
            position = game.play(position, item["turn"])
        if kept:
            yield {"id": play["id"], "turns": kept, "end": "stopped"}


def test_kings_of_one_player_are_taken_to_move_as_those_of_the_other(tmp_path: Path) -> None:
    game = games.load("checkers")
    plays = _without_turns_of("K", generate(game, 150, all_moves=True, seed=1), "checkers")
    path = tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), plays)
    rulebook = grl.learn([path], locm=False, rules=False)
    automata = {str(dfa.key): dfa for dfa in rulebook.model.automata}
    report = {item["key"]: item for item in rulebook.model.report["automata"]}
    assert report["black K first"]["words"] == 0
    assert not report["black K first"]["sure"]
    board = rulebook.model.equipment.board
    for key, language in LANGUAGES["checkers"].items():
        assert difference(graph_of(automata[key]), language.graph(), board) is None, key


def test_without_symmetry_they_do_not_move(tmp_path: Path) -> None:
    game = games.load("checkers")
    plays = _without_turns_of("K", generate(game, 40, all_moves=True, seed=1), "checkers")
    path = tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), plays)
    rulebook = grl.learn([path], symmetry=False, locm=False, rules=False)
    keys = {str(dfa.key) for dfa in rulebook.model.automata}
    assert "white k first" in keys
    assert "black K first" not in keys


def test_pieces_that_were_long_silent_do_not_move(tmp_path: Path) -> None:
    game = games.load("asalto")
    path = tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), generate(game, 5, all_moves=True, seed=1))
    keys = {str(dfa.key) for dfa in grl.learn([path], locm=False, rules=False).model.automata}
    assert keys == {"soldiers s first", "officers O first"}


class Posts(Race):
    """Races in which white's post may step ahead; black's never moves, and runners go aside."""

    name = "posts"

    def __init__(self) -> None:
        super().__init__()
        white, black = self.equipment.players
        posts = {"p": Piece("p", white, "post"), "P": Piece("P", black, "post")}
        pieces = {**self.equipment.pieces, **posts}
        self.equipment = Equipment(Board(5, 4), self.equipment.players, pieces)
        rows = ["RRR.P", ".....", ".....", "rrrp."]
        self.initial = make_position(self.equipment, rows, white)

    def legal(self, position: Position) -> list[str]:
        if self._arrived(position):
            return []
        white = position.to_move == self.equipment.players[0]
        ways = {"r": [(0, 1)], "p": [(0, 1)]} if white else {"R": [(1, 0), (-1, 0), (1, -1)]}
        board, cells = position.board, position.cells
        return [
            f"{board.names[square]} ({dx} {dy} e)"
            for square in board.squares
            for dx, dy in ways.get(cells[square], [])
            if (target := board.step(square, dx, dy)) is not None and cells[target] == "."
        ]


@pytest.mark.parametrize("all_moves", [True, False])
def test_what_stands_still_while_another_players_piece_moves_has_no_automaton(
    tmp_path: Path, all_moves: bool
) -> None:
    game = Posts()
    path = tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), generate(game, 60, all_moves=all_moves, seed=1))
    keys = {str(dfa.key) for dfa in grl.learn([path], locm=False, rules=False).model.automata}
    assert keys == {"white r first", "black R first", "white p first"}
