"""Pieces that never moved in the records move as another player's of the same type do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from languages import LANGUAGES, difference, graph_of

import grl
from grl import games
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
    write_traces(path, header_dict(game), generate(game, 10, all_moves=True, seed=1))
    keys = {str(dfa.key) for dfa in grl.learn([path], locm=False, rules=False).model.automata}
    assert keys == {"soldiers s first", "officers O first"}
