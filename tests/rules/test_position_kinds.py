"""Restrictions from single moves that hold in a short phase of long games."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from lessons import games_of
from teeko import Teeko

import grl
from grl.rules.restrictions import silence as restrictions
from grl.rules.restrictions.samples import even, kind_of, uneven
from grl.traces import header_dict, write_traces

PIECES = {"w": SimpleNamespace(type="stone"), "b": SimpleNamespace(type="stone")}
SETTING = SimpleNamespace(equipment=SimpleNamespace(pieces=PIECES))


def item(cells: str) -> SimpleNamespace:
    """A position in which turns begin on every square."""
    cases = [SimpleNamespace(candidate=SimpleNamespace(starts=(i,))) for i in range(len(cells))]
    before = SimpleNamespace(cells=cells, setting=SETTING)
    return SimpleNamespace(turn_list=SimpleNamespace(before=before), cases=cases)


def test_positions_are_of_one_kind_when_turns_begin_with_the_same_types() -> None:
    assert kind_of(item(".w")) == kind_of(item("b..")) == {".", "stone"}
    assert kind_of(item("ww")) == {"stone"}


def test_an_even_sample_has_some_of_every_kind() -> None:
    many, few = [item("w") for _ in range(20)], [item(".w") for _ in range(3)]
    mixed = even([*many, *few])
    assert [x in few for x in mixed[:6]].count(True) == 3
    assert len(mixed) == 23
    assert uneven(many[:6], mixed)
    assert not uneven(mixed[:6], mixed)


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
    """Placements are an eighth of the positions, and a sample holds a quarter of these."""
    monkeypatch.setattr(restrictions, "SILENT_TURNS", 5_000)
    book = grl.learn(records)
    rules = book.model.rules.restrictions
    assert rules
    position = book.play(book.play(book.initial, "a1 (0 0 a w)"), "e5 (0 0 a b)")
    assert {turn.segments[0].letters[0].on for turn in book.legal(position)} == {"a"}
    assert not book.model.report["verdict"]["exact"]
