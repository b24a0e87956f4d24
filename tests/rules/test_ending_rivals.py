"""Endings that the records leave open: another rule, as simple, explains them as well."""

from __future__ import annotations

from pathlib import Path

from strange_games import Strange

import grl
from grl.board import make_position
from grl.generate import generate
from grl.traces import header_dict, write_traces


class Running(Strange):
    """A man on the far rank wins."""

    rows = ("b..b", "....", "....", "w..w")

    def arrivals(self, position) -> list[int]:
        """The files on which men stand on their far rank."""
        top, bottom = position.rows[0], position.rows[-1]
        return [file for file in range(4) if top[file] == "w" or bottom[file] == "b"]


def learned(path: Path, *, all_files: bool) -> tuple[Running, grl.Rulebook]:
    """From all games, or from those that end in a corner."""
    game = Running()

    def ends_in_a_corner(play: dict) -> bool:
        position = game.initial
        for ply in play["turns"]:
            position = game.play(position, ply["turn"])
        return game.arrivals(position) in ([0], [3])

    plays = list(generate(game, 150, all_moves=True, seed=3))
    kept = [play for play in plays if all_files or ends_in_a_corner(play)]
    assert 10 < len(kept) <= len(plays)
    write_traces(path, header_dict(game), kept)
    return game, grl.learn(path)


def test_an_ending_with_a_rival_as_simple_is_open(tmp_path: Path) -> None:
    game, rulebook = learned(tmp_path / "games.jsonl", all_files=False)
    report = rulebook.model.report
    rivals = report["endings"]["rivals"]
    assert rivals
    for rival in rivals:
        there = make_position(game.equipment, rival["rows"], rival["to_move"])
        assert game.arrivals(there)
        assert not {0, 3} & set(game.arrivals(there))
    assert report["verdict"]["open"] == ["endings"]
    assert report["verdict"]["needs"] == [
        f"a position in which ending {rival['rule']} and one as simple differ" for rival in rivals
    ]


def test_more_records_close_it(tmp_path: Path) -> None:
    _, rulebook = learned(tmp_path / "games.jsonl", all_files=True)
    assert rulebook.model.report["endings"]["rivals"] == []
    assert rulebook.model.report["verdict"]["exact"]
