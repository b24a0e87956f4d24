"""Odd cases of the rules of Go, Brandub, Kalah, Brazilian draughts, Gorogoro and small xiangqi."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from grl.board import Position, make_position
from grl.games import load


def at(
    spec: str,
    rows: Sequence[str],
    to_move: str,
    reserve: Mapping[str, Mapping[str, int]] | None = None,
) -> Position:
    return make_position(load(spec).equipment, rows, to_move, reserve)


def turns(
    spec: str,
    rows: Sequence[str],
    to_move: str,
    reserve: Mapping[str, Mapping[str, int]] | None = None,
) -> list[str]:
    return load(spec).legal(at(spec, rows, to_move, reserve))


@pytest.mark.parametrize("superko", [0, 1])
def test_a_ko_is_not_taken_back_at_once(superko: int) -> None:
    game = load(f"go:size=4,superko={superko}")
    rows = [".xo.", "x.xo", ".xo.", "...."]
    position = make_position(game.equipment, rows, "white")
    taken = game.play(position, "b3 (0 0 a o); c3 (0 0 d)")
    assert taken.rows[1] == "xo.o"
    assert not any(turn.startswith("c3") for turn in game.legal(taken))
    later = game.play(game.play(taken, "a1 (0 0 a x)"), "d1 (0 0 a o)")
    assert "c3 (0 0 a x); b3 (0 0 d)" in game.legal(later)


def test_two_passes_end_a_game_of_go_and_area_decides() -> None:
    game = load("go:size=3")
    position = make_position(game.equipment, [".x.", "xxx", "ooo"], "black")
    for turn in ("pass", "pass"):
        assert not game.is_terminal(position)
        position = game.play(position, turn)
    assert game.goals(position) == {"black": 100, "white": 0}


def test_a_king_on_the_throne_is_taken_by_four_and_beside_it_by_three() -> None:
    rows = ["...a...", ".......", "...a...", "..aka..", ".......", "...a...", "......."]
    assert "d2 (0 1 e); d4 (0 0 d)" in turns("brandub", rows, "attackers")
    rows[3] = "..ak.a."
    assert "d2 (0 1 e)" in turns("brandub", rows, "attackers")
    rows = ["...a...", ".......", "....a..", "....k.a", "....a..", ".......", "......."]
    assert "g4 (-1 0 e); e4 (0 0 d)" in turns("brandub", rows, "attackers")


def test_men_are_taken_against_a_corner_and_the_empty_throne_and_may_move_between_two() -> None:
    rows = [".d.....", "..a....", ".......", "......k", "...d...", "..a....", "......."]
    found = turns("brandub", rows, "attackers")
    assert "c6 (0 1 e); b7 (0 0 d)" in found
    assert "c2 (1 0 e); d3 (0 0 d)" in found
    rows = [".....k.", ".......", ".a.a...", ".......", "..d....", ".......", "......."]
    assert "c3 (0 1 e) (0 1 e)" in turns("brandub", rows, "defenders")


def test_only_the_king_passes_the_throne() -> None:
    rows = [".......", ".......", ".......", "a.....k", ".......", ".......", "......."]
    longest = max(turns("brandub", rows, "defenders"), key=len)
    assert longest == "g4" + 5 * " (-1 0 e)"
    assert "a4 (1 0 e) (1 0 e)" in turns("brandub", rows, "attackers")
    assert "a4 (1 0 e) (1 0 e) (1 0 e)" not in turns("brandub", rows, "attackers")


def test_the_last_seed_in_the_own_store_gives_another_turn() -> None:
    game = load("kalah")
    after = game.play(game.initial, game.legal(game.initial)[1])
    assert (after.rows, after.to_move) == ([".3333#", "#3.441"], "south")


def test_the_last_seed_in_an_empty_house_takes_what_is_opposite_and_the_rest_is_swept() -> None:
    game = load("kalah")
    position = at("kalah", ["84.5.#", "#1...6"], "south")
    (turn,) = game.legal(position)
    assert turn == "b1 (0 0 d); c1 (0 0 a 1)"
    position = at("kalah", ["845..#", "#1...6"], "south")
    (turn,) = game.legal(position)
    assert turn == "b1 (0 0 d); f1 (0 0 a C); a2 (0 0 a C); b2 (0 0 d); c2 (0 0 d)"
    after = game.play(position, turn)
    assert after.rows == ["C....#", "#....C"]
    assert game.goals(after) == {"south": 50, "north": 50}


def test_a_man_that_only_passes_the_last_rank_is_not_crowned() -> None:
    rows = ["........", "..M.M...", ".m......", *["........"] * 5]
    assert turns("brazilian-draughts", rows, "white") == [
        "b6 (1 1 p) (1 1 e) (1 -1 p) (1 -1 e); c7 (0 0 d); e7 (0 0 d)"
    ]
    rows[1] = "..M....."
    assert turns("brazilian-draughts", rows, "white") == [
        "b6 (1 1 p) (1 1 e) (0 0 a k); c7 (0 0 d)"
    ]


def test_the_largest_capture_is_obligatory_and_two_in_a_row_are_not_jumped() -> None:
    rows = ["........"] * 3 + ["......M.", "........", "..M.M...", ".m.....k", "........"]
    found = turns("brazilian-draughts", rows, "white")
    assert {turn.count("(0 0 d)") for turn in found} == {2}
    rows = ["........"] * 5 + ["...M.M..", "..M.....", ".k......"]
    assert turns("brazilian-draughts", rows, "white") == ["b1 (-1 1 e)"]


LONE = ["k....", ".....", ".....", ".....", ".....", "....K"]


def test_a_captured_piece_is_in_the_hand_unpromoted_and_may_be_dropped() -> None:
    game = load("gorogoro")
    rows = ["k....", ".....", "..t..", "..P..", ".....", "....K"]
    position = game.play(at("gorogoro", rows, "white"), "c3 (0 1 p) (0 0 r P)")
    assert position.rows[2:4] == ["..P..", "....."]
    assert position.reserve["white"]["P"] == 1
    position = game.play(position, "a6 (1 0 e)")
    drops = [turn for turn in game.legal(position) if turn.endswith("(0 0 a P)")]
    assert not any(turn.startswith("c") or "6 " in turn for turn in drops)
    assert game.play(position, drops[0]).reserve["white"]["P"] == 0


def test_a_dropped_pawn_may_give_check_but_not_mate() -> None:
    mate = ["k.G..", ".....", ".G...", ".....", ".....", "....K"]
    hand = {"white": {"P": 1, "G": 1}}
    found = turns("gorogoro", mate, "white", hand)
    assert "a5 (0 0 a G)" in found
    assert "a5 (0 0 a P)" not in found
    assert "a5 (0 0 a P)" in turns("gorogoro", LONE, "white", hand)


def test_a_pawn_must_be_promoted_on_the_last_rank_and_may_be_before() -> None:
    rows = ["k....", "...P.", "..P..", ".....", ".....", "....K"]
    found = turns("gorogoro", rows, "white")
    assert [turn for turn in found if turn[0] in "cd"] == [
        "c4 (0 1 e)",
        "c4 (0 1 e) (0 0 a T)",
        "d5 (0 1 e) (0 0 a T)",
    ]


def test_a_cannon_takes_over_one_piece_and_a_horse_is_hobbled() -> None:
    rows = ["..k....", ".h.....", ".......", ".p.....", ".......", ".C.....", ".H..K.."]
    found = turns("small-xiangqi", rows, "red")
    assert [turn for turn in found if turn.startswith("b2 (0 1")] == [
        "b2 (0 1 e)",
        "b2 (0 1 e) (0 1 p) (0 1 e) (0 1 p)",
    ]
    assert [turn for turn in found if turn.startswith("b1")] == ["b1 (1 0 e) (1 1 e)"]


def test_generals_do_not_face_each_other_and_a_stalemated_player_loses() -> None:
    rows = ["...k...", ".......", ".......", "...P...", ".......", ".......", "...K..."]
    found = turns("small-xiangqi", rows, "red")
    assert "d4 (0 1 e)" in found
    assert [turn for turn in found if turn.startswith("d1")] == [
        "d1 (1 0 e)",
        "d1 (0 1 e)",
        "d1 (-1 0 e)",
    ]
    rows[3] = "......."
    assert "d1 (0 1 e)" not in turns("small-xiangqi", rows, "red")
    game = load("small-xiangqi")
    shut = at("small-xiangqi", ["...k...", "R......", *["......."] * 4, "..R.K.."], "black")
    assert game.is_terminal(shut)
    assert game.ending(shut) == "no turn"
    assert game.goals(shut) == {"red": 100, "black": 0}
