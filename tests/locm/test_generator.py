"""What LOCM keeps out of the generated turns, held to games whose turns are written by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from castling import Castling
from generator import measure
from learned import learned_movements, random_positions

import grl
from grl.board import EMPTY, Board, Position, Square
from grl.generate import generate
from grl.moves.search import Searcher
from grl.traces import header_dict, write_traces
from grl.turn import play

Effect = tuple[str, tuple[str, ...]]


def test_castling_over_generates_without_ties_and_not_with_them(tmp_path: Path) -> None:
    game, path = Castling(), tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), generate(game, 200, all_moves=True, seed=1))
    counts = measure(game, grl.learn([path]).model, positions=30)
    assert not any(counts.missing.values())
    assert counts.generated["both"] == counts.generated["machines"] == counts.legal > 100
    assert counts.generated["roles"] > counts.legal
    assert counts.disordered["neither"] > counts.legal


def pseudo_legal(position: Position, key: str, other: str) -> set[Effect]:
    """A man placed or moved along a line, and then no man or any opposing one removed."""
    board, cells = position.board, position.cells
    in_hand = sum(n for player, piece, n in position.stock if piece == key)
    found = set()
    for origin in board.squares:
        placed = [origin] if cells[origin] == EMPTY and in_hand else []
        moved = neighbours(board, origin) if cells[origin] == key else []
        for target in placed + [square for square in moved if cells[square] == EMPTY]:
            after = list(cells)
            after[origin], after[target] = EMPTY, key
            for removed in (None, *(s for s in board.squares if cells[s] == other)):
                left = [EMPTY if s == removed else c for s, c in enumerate(after)]
                found.add((board.names[origin], tuple(board.rows("".join(left)))))
    return found


def neighbours(board: Board, square: Square) -> list[Square]:
    assert board.links is not None
    return [b for a, b in board.links if a == square]


@pytest.mark.parametrize(("locm", "exact"), [(True, True), (False, False)])
def test_in_morris_machines_alone_order_placing_moving_and_removing(
    locm: bool, exact: bool
) -> None:
    """The automata have no roles, as in the GRL paper: nothing else orders the segments."""
    model = learned_movements("nine-mens-morris", 20).model
    searcher = Searcher(model, locm=locm, roles=False)
    compared = surplus = 0
    for reached in random_positions("nine-mens-morris", 30, seed=4):
        position = replace(reached, equipment=model.equipment)
        keys = ("m", "M") if position.to_move == "white" else ("M", "m")
        expected = pseudo_legal(position, *keys)
        found = {
            (turn.segments[0].origin, tuple(play(position, turn).rows))
            for turn in searcher.turns(position)
        }
        assert expected <= found
        compared += len(expected)
        surplus += len(found - expected)
    assert compared > 1000
    assert (surplus == 0) == exact
