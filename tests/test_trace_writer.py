"""The trace writer: what it writes, and the usual errors as soon as a game is added."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import grl
from grl.errors import GrlError

PAWNS: dict[str, Any] = {
    "game": "pawns",
    "players": ["white", "black"],
    "pieces": {"p": "white", "P": ("black", "pawn")},
    "rows": ["P.P", "...", "...", "p.p"],
}


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"

    with grl.TraceWriter(path, **PAWNS) as writer:
        writer.add(["a1 (0 1 e)", {"turn": "c4 (0 -1 e)", "legal": ["c4 (0 -1 e)"]}])
        writer.add(
            ["b2 (1 1 p)"],
            goals={"white": 100, "black": 0},
            name="short",
            rows=["...", "..P", ".p.", "..."],
        )
        assert not path.exists()

    first, second = grl.Traces.open(path)
    assert writer.games == 2
    assert (first.id, first.end, [ply.legal for ply in first.plies][1]) == (
        "g1", "stopped", ("c4 (0 -1 e)",),
    )  # fmt: skip
    assert (second.id, second.goals) == ("short", {"white": 100, "black": 0})
    assert grl.Traces.open(path).header.equipment.pieces["P"].type == "pawn"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rows": ["P.P", "p.x"]}, "line 1|:1, field initial: unknown piece on c1"),
        ({"rows": []}, ":1, field board: impossible size of board"),
        ({"players": []}, "field initial.to_move|field players|field initial"),
        ({"pieces": {"p": "white", "P": "grey"}}, "field pieces: piece 'P' belongs to an unknown"),
        ({"to_move": "grey"}, "unknown player to move"),
        ({"links": [["a1", "z9"]]}, r"field board.links\[0\]: there is no square 'z9'"),
        ({"game": object()}, "not plain data: Object of type object is not JSON"),
    ],
)
def test_a_header_that_contradicts_itself_is_refused(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    with pytest.raises(GrlError, match=words):
        grl.TraceWriter(tmp_path / "games.jsonl", **PAWNS | change)


@pytest.mark.parametrize(
    ("turns", "options", "words"),
    [
        (["a1 (0 1 e)", "c4 (0 -2 p)"], {}, "jsonl:2, game g1, ply 2, field .*doesn't fit at c2"),
        (["a1 (0 1"], {}, "ply 1, field .*can't be read at character"),
        (["a4 (0 -1 e)"], {}, "ply 1, field .*turn of the wrong player"),
        ([{"turn": "a1 (0 1 e)", "legal": []}], {}, "is not among the legal ones"),
        ([{"legal": []}], {}, "missing key; expected a turn"),
        (["a1 (0 1 e)"], {"goals": {"white": 100}}, 'field goals: no goal for "black"'),
        ([], {"rows": ["..."]}, "wrong number of rows"),
        ([], {"to_move": "black"}, "game g1: to_move and reserve need rows"),
    ],
)
def test_a_game_that_doesnt_fit_is_refused_at_once_and_nothing_is_written(
    tmp_path: Path, turns: list[Any], options: dict[str, Any], words: str
) -> None:
    path = tmp_path / "games.jsonl"

    with pytest.raises(GrlError, match=words), grl.TraceWriter(path, **PAWNS) as writer:
        writer.add(turns, **options)

    assert not path.exists()


def test_a_game_that_was_refused_can_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"

    with grl.TraceWriter(path, **PAWNS) as writer:
        with pytest.raises(GrlError):
            writer.add(["a1 (1 1 p)"])
        writer.add(["a1 (0 1 e)"])

    assert [play.id for play in grl.Traces.open(path)] == ["g1"]
