"""Promotions on the way: a piece is promoted where it comes to its zone, and goes on from there."""

from __future__ import annotations

import pytest

from grl.board import Board, Equipment, Piece, make_position
from grl.sgrl.evidence import Decision, Evidence
from grl.sgrl.promotions import promoted_early, spelled_early, zones_of
from grl.turn import Turn

BOARD = Board(5, 4)
PIECES = {
    key: Piece(key, "white" if key.islower() else "black", "man" if key in "mM" else "king")
    for key in "mkMK"
}
EQUIPMENT = Equipment(BOARD, ("white", "black"), PIECES)
CROWNED = "a2 (1 1 p) (0 0 d) (1 1 e) (0 0 a k)"
GOES_ON = "a2 (1 1 p) (0 0 d) (1 1 e) (1 -1 p) (0 0 d) (1 -1 e) (0 0 a k)"
EARLIER = "a2 (1 1 p) (0 0 d) (1 1 e) (0 0 a k) (0 0 d) (1 -1 p) (0 0 d) (1 -1 e)"
"""A man on a2 takes b3, comes to c4, and takes d3, too."""
AT_ONCE = "e3 (-1 1 e) (0 0 a k)"


def cells(*rows: str) -> str:
    return "".join(reversed(rows))


ONE = cells(".....", ".M..m", "m....", ".....")
TWO = cells(".....", ".M.M.", "m....", ".....")


def evidence(*decisions: tuple[str, tuple[str, ...]]) -> Evidence:
    return Evidence(
        {Decision("white", at, (), True): dict.fromkeys(turns, 1) for at, turns in decisions}
    )


RECORDED = evidence((ONE, (CROWNED, AT_ONCE)), (TWO, (GOES_ON,)))


def test_a_piece_is_promoted_where_it_comes_to_its_zone() -> None:
    zones = zones_of(RECORDED, BOARD)

    assert {key: {BOARD.names[s] for s in zone} for key, zone in zones.items()} == {
        ("white", "m"): {"c4", "d4"}
    }
    found = promoted_early(RECORDED, BOARD, zones).decisions
    assert [turn for turns in found.values() for turn in turns] == [
        CROWNED + " (0 0 d)",
        AT_ONCE + " (0 0 d)",
        EARLIER,
    ]


@pytest.mark.parametrize(("at", "turn"), [(ONE, CROWNED), (ONE, AT_ONCE), (TWO, GOES_ON)])
def test_it_is_the_same_turn(at: str, turn: str) -> None:
    position = make_position(EQUIPMENT, BOARD.rows(at), "white")
    other = spelled_early("white", at, turn, zones_of(RECORDED, BOARD), BOARD)

    assert other != turn
    assert Turn.parse(other).effect(position) == Turn.parse(turn).effect(position)


def test_promotions_at_the_end_alone_stay_as_they_are() -> None:
    assert zones_of(evidence((ONE, (CROWNED, AT_ONCE))), BOARD) == {}


def test_who_passes_the_far_rank_unpromoted_has_no_zone_there() -> None:
    """The man is promoted where his way ends, wherever he has been."""
    passing = GOES_ON.removesuffix(" (0 0 a k)")
    four = cells(".....", ".M.M.", "m...M", ".....")
    more = passing + " (-1 -1 e) (0 0 a k)"

    assert zones_of(evidence((ONE, (CROWNED,)), (TWO, (passing,)), (four, (more,))), BOARD) == {}
