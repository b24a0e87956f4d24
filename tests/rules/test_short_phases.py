"""Restrictions from single moves that hold in a short phase of long games."""

from __future__ import annotations

import pytest
from lessons import games_of
from teeko import Teeko

import grl
from grl.rules.restrictions import silence as restrictions
from grl.traces import header_dict, write_traces


@pytest.fixture
def records(tmp_path):
    path = tmp_path / "teeko.jsonl"
    game = Teeko()
    plays = games_of(game, 20, all_moves=False, endgames=0.0, max_plies=60)
    write_traces(path, header_dict(game), plays)
    return path


def test_that_a_stone_in_hand_has_to_be_placed_is_learned_beside_many_moves(
    records, monkeypatch
) -> None:
    """Placements are an eighth of the positions; in a small sample taken evenly they don't pay."""
    monkeypatch.setattr(restrictions, "SILENT_TURNS", 3_000)
    book = grl.learn(records)
    rules = book.model.rules.restrictions
    assert rules
    position = book.play(book.play(book.initial, "a1 (0 0 a w)"), "e5 (0 0 a b)")
    assert {turn.segments[0].letters[0].on for turn in book.legal(position)} == {"a"}
    assert not book.model.report["verdict"]["exact"]
