"""Of how many pieces an ending speaks, where records show one number of them only."""

from __future__ import annotations

from pathlib import Path

from strange_games import BLACK, STEPS, WHITE, Strange

import grl
from grl.board import make_position
from grl.generate import generate
from grl.traces import header_dict, write_traces


class Pairs(Strange):
    """Men take by stepping onto men; who has fewer than two has lost."""

    rows = ("bbb.", "....", ".www")

    def steps(self, position):
        board, own = position.board, self.own(position)
        return [
            (square, way, target)
            for square in board.squares
            if position.cells[square] == own
            for way in STEPS
            if (target := board.step(square, *way)) is not None and position.cells[target] != own
        ]

    def winner(self, position):
        for player, key in zip(self.equipment.players, "bw", strict=True):
            if position.cells.count(key) < 2:
                return player
        return None

    def legal(self, position):
        if self.winner(position) is not None:
            return []
        names, cells = position.board.names, position.cells
        return [
            f"{names[start]} ({dx} {dy} {'e' if cells[target] == '.' else 'p'})"
            for start, (dx, dy), target in self.steps(position)
        ]


def test_who_has_lost_with_one_piece_has_lost_with_none(tmp_path: Path) -> None:
    game, path = Pairs(), tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), generate(game, 60, all_moves=True, seed=4))
    rulebook = grl.learn(path)
    losing = [
        (WHITE, ["bb..", "b...", "...."]),
        (WHITE, ["b...", "...b", "w..."]),
        (BLACK, ["....", "...w", "ww.."]),
    ]
    for mover, rows in losing:
        position = make_position(game.equipment, rows, mover)
        here = rulebook.position(**position.to_dict())
        assert rulebook.goals(here) == game.goals(position)
        assert not rulebook.legal(here)
