"""Odd cases of the rules of Go, Brandub, Kalah, Brazilian draughts, Gorogoro, small xiangqi.

And of Abalone's and Arimaa's relatives, whose turns displace opposing pieces.
"""

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


def test_any_front_part_of_a_line_of_marbles_moves_and_never_more_than_three() -> None:
    rows = ["##...", "#....", "ooo..", "....#", "O..##"]
    found = turns("abalone:lost=5", rows, "black")
    assert [turn for turn in found if "(1 0" in turn] == [
        "a3 (1 0 w) (1 0 w) (1 0 e)",
        "b3 (1 0 w) (1 0 e)",
        "c3 (1 0 e)",
    ]
    rows[2] = "oooo."
    found = turns("abalone:lost=5", rows, "black")
    assert not any(turn.startswith("a3 (1 0") for turn in found)
    assert "b3 (1 0 w) (1 0 w) (1 0 e)" in found


def test_marbles_go_in_six_directions_and_not_sideways_to_their_line() -> None:
    rows = ["##O..", "#....", "..o..", "....#", "...##"]
    ways = ["(1 0 e)", "(1 1 e)", "(0 1 e)", "(-1 0 e)", "(-1 -1 e)", "(0 -1 e)"]
    assert turns("abalone:lost=5", rows, "black") == [f"c3 {way}" for way in ways]
    rows[2] = ".oo.."
    found = turns("abalone:lost=5", rows, "black")
    assert [turn for turn in found if "w" in turn] == ["b3 (1 0 w) (1 0 e)", "c3 (-1 0 w) (-1 0 e)"]


@pytest.mark.parametrize(
    ("line", "pushes"),
    [
        ("oO...", []),
        ("ooO..", ["a3 (1 0 w) (1 0 p); d3 (0 0 a O)"]),
        ("ooOO.", []),
        (
            "oooO.",
            ["a3 (1 0 w) (1 0 w) (1 0 p); e3 (0 0 a O)", "b3 (1 0 w) (1 0 p); e3 (0 0 a O)"],
        ),
        ("oooOO", ["a3 (1 0 w) (1 0 w) (1 0 p)"]),
        ("ooOo.", []),
        ("ooO.O", ["a3 (1 0 w) (1 0 p); d3 (0 0 a O)"]),
        (".ooOO", []),
        ("..ooO", ["c3 (1 0 w) (1 0 p)"]),
    ],
)
def test_a_longer_line_pushes_a_shorter_one_to_an_empty_square_or_over_the_edge(
    line: str, pushes: list[str]
) -> None:
    found = turns("abalone:lost=5", ["##...", "#....", line, "....#", "...##"], "black")
    assert [turn for turn in found if "(1 0 p)" in turn] == pushes


def test_three_marbles_do_not_push_three() -> None:
    rows = ["###....", "##.....", "#......", "oooOOO.", "......#", ".....##", "....###"]
    assert not any("p)" in turn for turn in turns("abalone:side=4,lost=9", rows, "black"))
    rows[3] = "oooOO.."
    assert "a4 (1 0 w) (1 0 w) (1 0 p); f4 (0 0 a O)" in turns(
        "abalone:side=4,lost=9", rows, "black"
    )


def test_so_many_lost_marbles_end_a_game_of_abalone_at_once() -> None:
    rows = ["##O.O", "#OO..", "..ooO", ".o..#", "oo.##"]
    turn = "c3 (1 0 w) (1 0 p)"
    for spec, over in (("abalone", False), ("abalone:lost=1", True)):
        game = load(spec)
        after = game.play(at(spec, rows, "black"), turn)
        assert after.rows == ["##O.O", "#OO..", "...oo", ".o..#", "oo.##"]
        assert game.is_terminal(after) == over
    rows[1] = "#O..."
    game = load("abalone")
    after = game.play(at("abalone", rows, "black"), turn)
    assert game.ending(after) == "marbles lost"
    assert game.goals(after) == {"black": 100, "white": 0}
    both = at("abalone", ["##O.O", "#O...", "...oo", "....#", "o..##"], "white")
    assert game.goals(both) == {"black": 50, "white": 50}


def test_a_player_of_abalone_who_is_shut_in_loses() -> None:
    game = load("abalone")
    position = at("abalone", ["##.Oo", "#..Oo", "...Oo", "..Oo#", "O.o##"], "white")
    assert not game.is_terminal(position)
    after = game.play(position, "a1 (1 0 e)")
    assert after.rows[-1] == ".Oo##"
    assert game.ending(after) == "no turn"
    assert game.goals(after) == {"black": 0, "white": 100}


def arimaa(rows: Sequence[str], to_move: str, start: str) -> list[str]:
    """The turns that begin on a square, in alphabetical order."""
    return sorted(t for t in turns("arimaa-steps", rows, to_move) if t.startswith(start))


def test_rabbits_step_ahead_and_sideways_and_other_pieces_anywhere() -> None:
    rows = [".....", "r.c..", ".....", "R.C..", "....."]
    assert arimaa(rows, "gold", "a2") == ["a2 (0 1 e)", "a2 (1 0 e)"]
    assert arimaa(rows, "silver", "a4") == ["a4 (0 -1 e)", "a4 (1 0 e)"]
    assert len(arimaa(rows, "gold", "c2")) == len(arimaa(rows, "silver", "c4")) == 4


def test_a_piece_beside_a_stronger_one_is_frozen_unless_its_own_stand_beside_it() -> None:
    rows = ["r....", ".....", "..d..", ".rC..", "R...."]
    stuck, freed = ["a1 (0 1 e)", "a1 (1 0 e)"], ["b2 (-1 0 e); c2 (-1 0 e)", "c2 (0 -1 e)"]
    assert sorted(turns("arimaa-steps", rows, "gold")) == stuck
    rows[3] = ".rCR."
    assert set(freed) < set(turns("arimaa-steps", rows, "gold"))
    rows[2:4] = ["..c..", ".rC.."]
    assert set(freed) < set(turns("arimaa-steps", rows, "gold"))


def test_a_piece_pushes_a_weaker_one_but_no_equal_one() -> None:
    rows = ["r....", "r....", "..c..", "..D..", "R...."]
    assert arimaa(rows, "gold", "c3") == [
        "c3 (0 1 e); c2 (0 1 e)",
        "c3 (1 0 e); c2 (0 1 e); d3 (0 0 d)",
    ]
    game = load("arimaa-steps")
    after = game.play(at("arimaa-steps", rows, "gold"), "c3 (0 1 e); c2 (0 1 e)")
    assert after.rows == ["r....", "r.c..", "..D..", ".....", "R...."]
    for equal_or_weaker in "CR":
        rows[3] = f"..{equal_or_weaker}.."
        assert arimaa(rows, "gold", "c3") == []


def test_a_piece_pulls_a_weaker_one_after_it_and_rabbits_may_be_pulled_back() -> None:
    rows = ["....r", ".....", "..D..", "..r..", "R...."]
    position = at("arimaa-steps", rows, "gold")
    assert arimaa(rows, "gold", "c3 (0 1") == ["c3 (0 1 e)", "c3 (0 1 e); c2 (0 1 e)"]
    after = load("arimaa-steps").play(position, "c3 (0 1 e); c2 (0 1 e)")
    assert after.rows == ["....r", "..D..", "..r..", ".....", "R...."]
    rows[3] = "..d.."
    assert arimaa(rows, "gold", "c3 (0 1") == ["c3 (0 1 e)"]


def test_a_trap_takes_what_stands_there_alone_after_a_turn() -> None:
    rows = ["r...r", ".....", "DC.d.", "...c.", "R...R"]
    assert "a3 (0 1 e); b3 (0 0 d)" in arimaa(rows, "gold", "a3")
    assert "d2 (1 0 e); d3 (0 0 d)" in arimaa(rows, "silver", "d2")
    assert arimaa(rows, "gold", "b3") == ["b3 (0 -1 e)", "b3 (0 1 e)", "b3 (1 0 e)"]
    rows[3] = "...E."
    assert "d3 (0 1 e); d2 (0 1 e); d3 (0 0 d)" in arimaa(rows, "gold", "d3")
    rows[2:4] = ["DC.d.", ".c.E."]
    found = arimaa(rows, "gold", "a3 (0 1")
    assert found == ["a3 (0 1 e); b3 (0 0 d); d3 (0 0 d)"]


def test_two_ways_into_the_traps_are_one_turn() -> None:
    rows = ["r....", ".....", "..C..", ".....", "....R"]
    ways = ["c3 (0 -1 e)", "c3 (0 1 e)", "c3 (1 0 e); d3 (0 0 d)"]
    assert arimaa(rows, "gold", "c3") == ways
    rows[1] = ".R..."
    ways = [*ways[:2], "c3 (-1 0 e)", ways[2]]
    assert arimaa(rows, "gold", "c3") == sorted(ways)


@pytest.mark.parametrize(
    ("rows", "mover", "turn", "kind", "winner"),
    [
        (["..r..", "R....", ".....", ".....", "....."], "gold", "a4 (0 1 e)", "goal", "gold"),
        ([".....", ".....", ".....", "....r", "R...."], "silver", "e2 (0 -1 e)", "goal", "silver"),
        (
            ["...r.", ".....", "....D", "R...r", "....."],
            "gold",
            "e2 (0 -1 e); e3 (0 -1 e)",
            "goal",
            "silver",
        ),
        (
            [".....", ".....", "D.r..", "..D..", "....R"],
            "gold",
            "c3 (1 0 e); c2 (0 1 e); d3 (0 0 d)",
            "none",
            "gold",
        ),
        (
            ["r....", ".....", "..R..", ".....", "....."],
            "gold",
            "c3 (1 0 e); d3 (0 0 d)",
            "none",
            "silver",
        ),
        (["....r", "C....", ".....", ".....", "R...."], "gold", "a1 (1 0 e)", None, None),
        (["....r", "...D.", ".....", ".....", "R...."], "gold", "d4 (1 0 e)", "no turn", "gold"),
        (["....r", "C....", ".....", "d....", "R...."], "silver", "a2 (0 1 e)", None, None),
    ],
)
def test_games_of_arimaa_steps_end_with_rabbits_and_for_want_of_a_turn(
    rows: Sequence[str], mover: str, turn: str, kind: str | None, winner: str | None
) -> None:
    game = load("arimaa-steps")
    position = at("arimaa-steps", rows, mover)
    assert turn in game.legal(position)
    after = game.play(position, turn)
    assert game.is_terminal(after) == (kind is not None)
    if kind is not None:
        kinds = {"goal": "rabbit at its goal", "none": "no rabbit left"}
        assert game.ending(after) == kinds.get(kind, kind)
        assert [player for player, goal in game.goals(after).items() if goal == 100] == [winner]


def test_who_has_just_moved_wins_where_neither_has_a_rabbit_or_both_are_at_their_goals() -> None:
    game = load("arimaa-steps")
    for rows in (["..E..", *["....."] * 3, "..e.."], ["..R..", *["....."] * 3, "..r.."]):
        assert game.goals(at("arimaa-steps", rows, "gold")) == {"gold": 0, "silver": 100}
        assert game.goals(at("arimaa-steps", rows, "silver")) == {"gold": 100, "silver": 0}
    rows = ["..R..", *["....."] * 3, "..E.."]
    assert game.ending(at("arimaa-steps", rows, "silver")) == "rabbit at its goal"
