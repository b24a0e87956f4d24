"""Boards made for all turns at once against turns carried out one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from grl import games
from grl.generate import generate
from grl.model import Role
from grl.progress import silent
from grl.sgrl.collect import collect, written
from grl.shards import observe
from grl.traces import Traces, header_dict, write_traces
from grl.turn import Letter, Turn, carry_out, compile_turn, hand_of


@pytest.mark.parametrize(
    "spec", ["amazons:width=6,height=6", "checkers", "nine-mens-morris:flying=1", "tic-tac-toe"]
)
def test_what_a_turn_writes_follows_from_its_text_and_the_piece_it_lifts(
    spec: str, tmp_path: Path
) -> None:
    game = games.load(spec)
    path = tmp_path / "games.jsonl"
    plays = generate(game, 3, all_moves=False, seed=1, max_plies=80)
    write_traces(path, header_dict(game), plays)
    compared = 0
    for play in Traces.open(path):
        for ply in play.plies:
            turn, position = Turn.parse(ply.turn), ply.position
            for segment in turn.segments[:1]:
                board = game.equipment.board
                program = compile_turn(Turn((segment,)), board)
                cells, mover = list(position.cells), position.to_move
                views, pieces = game.equipment.views[mover], game.equipment.pieces
                carry_out(program, cells, views, set(), hand_of(position.stock, mover), pieces)
                ours = list(position.cells)
                holds = position.cells[board.square(segment.origin)]
                for square, content in written(program, holds).items():
                    ours[square] = content
                assert ours == cells, ply.turn
                compared += 1
    assert compared > 15


def test_what_is_kept_is_offered_where_something_lies_that_was_kept_as_it(tmp_path: Path) -> None:
    game = games.load("gorogoro")
    path = tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), generate(game, 20, all_moves=True, seed=1, max_plies=100))
    trees = collect(observe([Traces.open(path)], 1, silent).evidence.settled(), game.equipment)
    for mover, change in (("white", str.lower), ("black", str.upper)):
        takes = {"G": "G", "S": "SN", "P": "PT"}
        for key, tree in trees.items():
            if key.mover != mover or key.role is not Role.FIRST or key.holds == ".":
                continue
            for keeps, lay in takes.items():
                piece = keeps if mover == "white" else keeps.lower()
                for dx, dy in ((0, 1), (0, -1)):
                    on = tree.root.child(Letter(dx, dy, "p"))
                    found = tree.scene.characters[on.row, on.square].tolist()
                    rows = on.child(Letter(0, 0, "r", piece)).row.tolist()
                    allowed = set(map(ord, change(lay)))
                    assert rows == [
                        row
                        for row, cell in zip(on.row.tolist(), found, strict=True)
                        if cell in allowed
                    ]
