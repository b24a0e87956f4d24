"""Games of the fourth list of `benchmarks/classical`: counts and positions by hand, random play."""

from __future__ import annotations

import pytest
from classical_boards import (
    after,
    at,
    contents,
    keeps_the_contract,
    legal,
    standing,
    the,
    turns,
    winner,
)

COUNTS = {
    "agon": (15,),  # one of the queen, 2 of each of four guards, 3 of each of two
    "atomic_minichess": (7, 49),  # five of pawns, two of the knight
    "cam": (54, 2916),  # 36 steps, 10 canters of knights, 8 of men; the sides don't touch yet
    "frisian_draughts": (7, 49, 302),  # nothing to take but diagonally so far
    "l_game": (65,),  # five places for the L; a neutral piece stays, or one of two goes to one of 6
    "mangala": (6, 36),  # after one of them south moves again
    "nogo": (36, 1260),
    "santorini": (25, 600),
}
ASKEW = ("agon", "mangala")
"""Games in which left and right are not alike."""


@pytest.mark.parametrize("name", COUNTS)
def test_first_turns_are_as_many_as_by_hand(name: str) -> None:
    game = the(name)
    assert game.name.replace("-", "_") == name
    assert game.provenance
    for depth, count in enumerate(COUNTS[name], 1):
        assert game.perft(game.initial, depth) == count


@pytest.mark.parametrize("name", COUNTS)
def test_random_games_keep_the_contract_of_games(name: str) -> None:
    keeps_the_contract(name, opposite=True, even=name not in ASKEW)


def test_agon_goes_sideways_or_inwards() -> None:
    assert the("agon").initial.rows == [
        *("###g.Gq", "##g...G", "#G.....", "G.....g", ".....g#", "g...G##", "Qg.G###"),
    ]
    # b4 is one step from the rim, c4 beside the centre, which is for queens only.
    assert legal("agon", "white", G="b4", q="g7") == {
        *("b4 (1 0 e)", "b4 (1 1 e)", "b4 (0 -1 e)"),
    }
    assert legal("agon", "white", G="c4", q="g7") == {"c4 (1 1 e)", "c4 (0 -1 e)"}
    assert legal("agon", "white", Q="c4", q="g7") == {"c4 (1 1 e)", "c4 (0 -1 e)", "c4 (1 0 e)"}


def test_agon_nobody_goes_between_two() -> None:
    # c5 lies between b5 and d5, b3 between b2 and b4, but not where b4 has just been left.
    assert legal("agon", "white", G="b4", g="b2 d5", q="b5") == {"b4 (1 0 e)", "b4 (0 -1 e)"}
    assert legal("agon", "white", G="a3", g="b2", q="b4") == {"a3 (0 1 e)", "a3 (0 -1 e)"}


def test_agon_who_is_caught_is_put_elsewhere() -> None:
    rim = "a1 b1 c1 d1 e2 f3 g4 g5 g6 g7 f7 e7 d7 c6 b5 a4 a3 a2"
    caught = legal("agon", "white", G="c3 f6", Q="g7", g="b3 d3", q="a1")
    assert caught == {f"c3 (@{to} e)" for to in rim.split() if to not in ("a1", "g7")}
    # The queen first, who may go anywhere but to the centre and between two others.
    both = legal("agon", "white", G="c3", Q="d6", g="b3 d3 c5", q="e7")
    taken = {"c3", "d6", "b3", "d3", "c5", "e7", "d4"}
    board = the("agon").equipment.board
    assert both == {
        f"d6 (@{name} e)" for s in board.squares if (name := board.names[s]) not in taken
    }
    # Several guards, each in a turn of its own; opponents in a corner catch nobody.
    two = legal("agon", "white", G="c3 d6", Q="g7", g="b3 d3 c5 e7")
    assert {turn.partition(" ")[0] for turn in two} == {"c3", "d6"}
    assert legal("agon", "white", G="c3", g="b3 c4") == {"c3 (1 0 e)"}


def test_agon_ends() -> None:
    ring = "c3 d3 e4 e5 d5"
    position = standing("agon", "white", Q="d4", G=f"{ring} b4", q="g7")
    assert winner("agon", after("agon", position, "b4 (1 0 e)")) == "white"
    without = standing("agon", "white", Q="a1", G=f"{ring} b4", q="g7")
    assert winner("agon", after("agon", without, "b4 (1 0 e)")) == "black"
    theirs = standing("agon", "white", Q="a1", G=f"{ring} b4", q="d4")
    assert winner("agon", after("agon", theirs, "b4 (1 0 e)")) == "black"
    assert winner("agon", standing("agon", "white", Q="d4", q="g7")) == "black"


def test_atomic_minichess_explodes() -> None:
    position = standing(
        "atomic_minichess", "white", K="e1", R="a1", N="b3", P="b4", k="e6", r="a4", b="b5", p="a5"
    )
    end = after(
        "atomic_minichess",
        position,
        "a1 (0 1 e) (0 1 e) (0 1 p); a4 (0 0 d); b3 (0 0 d); b5 (0 0 d)",
    )
    assert contents(end) == {"e1": "K", "b4": "P", "e6": "k", "a5": "p"}


def test_atomic_minichess_keeps_its_own_king() -> None:
    found = legal("atomic_minichess", "white", K="d1", Q="d3", k="a6", p="c2", r="d5")
    assert not any("c2" in turn or turn == "d1 (-1 1 p)" for turn in found)
    assert "d3 (0 1 e) (0 1 p); d5 (0 0 d)" in found
    # A king may step to where it can be blown up, and beside the other king.
    kings = legal("atomic_minichess", "white", K="b1", P="a1", k="b3", p="a2")
    assert kings == {"b1 (1 0 e)", "b1 (0 1 e)", "b1 (1 1 e)"}


def test_atomic_minichess_blown_kings_lose() -> None:
    position = standing("atomic_minichess", "black", K="c3", P="d4", k="a6", p="e5")
    end = after("atomic_minichess", position, "e5 (-1 -1 p); d4 (0 0 d); c3 (0 0 d)")
    assert winner("atomic_minichess", end) == "black"
    direct = standing("atomic_minichess", "black", K="c1", k="a6", n="d3")
    blown = after("atomic_minichess", direct, "d3 (-1 -2 p); c1 (0 0 d)")
    assert winner("atomic_minichess", blown) == "black"


def test_atomic_minichess_pawns_on_the_last_rank() -> None:
    found = legal("atomic_minichess", "white", K="e1", P="b5", k="e6", n="a6")
    assert {turn for turn in found if turn.startswith("b5")} == {
        *(f"b5 (0 1 e) (0 0 a {key})" for key in "QRBN"),
        "b5 (-1 1 p); a6 (0 0 d)",
    }


def test_atomic_minichess_draws() -> None:
    # A king can't take.
    stalemate = standing("atomic_minichess", "white", K="a1", k="e6", n="a2 b1 b2")
    assert winner("atomic_minichess", stalemate) is None
    assert winner("atomic_minichess", standing("atomic_minichess", "black", K="a1", k="b2")) is None
    more = standing("atomic_minichess", "black", K="a1", k="b2", p="e3")
    assert not the("atomic_minichess").is_terminal(more)


def test_cam_steps_and_canters() -> None:
    found = legal("cam", "white", m="d5 d6 e8", M="a10")
    assert {turn for turn in found if turn.startswith("d5")} == {
        *("d5 (1 0 e)", "d5 (-1 0 e)", "d5 (0 -1 e)", "d5 (1 1 e)", "d5 (-1 1 e)"),
        *("d5 (1 -1 e)", "d5 (-1 -1 e)"),
        *("d5 (0 1 w) (0 1 e)", "d5 (0 1 w) (0 1 e) (1 1 w) (1 1 e)"),
    }
    # Around a square of men each end is reached once, and the beginning never.
    position = standing("cam", "white", m="c5 c6 d7 e6 d5", M="a10")
    canters = [t for t in the("cam").legal(position) if t.startswith("c5") and "w" in t]
    ends = [contents(the("cam").play(position, turn)) for turn in canters]
    assert sorted(square for end in ends for square in end if square in "c5 c7 e5 e7") == [
        *("c7", "e5", "e7"),
    ]


def test_cam_jumps_are_compulsory_and_go_on() -> None:
    jump, back = "(0 1 p) (0 0 d) (0 1 e)", "(1 -1 p) (0 0 d) (1 -1 e)"
    assert legal("cam", "white", m="d5 a4", M="d6 d8 e6") == {
        f"d5 {jump} {jump}",
        f"d5 {jump} {back}",
        "d5 (1 1 p) (0 0 d) (1 1 e)",
    }
    one = legal("cam", "white", m="d5 f5", M="d6 f6 f8")
    assert one == {f"d5 {jump}", f"f5 {jump} {jump}"}
    assert legal("cam", "black", m="d6", M="d7 a10") == {"d7 (0 -1 p) (0 0 d) (0 -1 e)"}


def test_cam_knights_charge() -> None:
    charge = "d5 (0 1 w) (0 1 e) (1 1 p) (0 0 d) (1 1 e)"
    found = legal("cam", "white", n="d5", m="d6", M="e8")
    assert charge in found
    # Where it could jump it must not stop; other turns are free.
    assert "d5 (0 1 w) (0 1 e)" not in found
    assert "d5 (1 0 e)" in found
    men = legal("cam", "white", m="d5 d6", M="e8")
    assert charge not in men
    assert "d5 (0 1 w) (0 1 e)" in men
    # A charge does as well as a jump.
    forced = legal("cam", "white", n="d5", m="d6 a5", M="e8 a6")
    assert forced == {charge, "a5 (0 1 p) (0 0 d) (0 1 e)"}
    # Nobody canters after a jump.
    assert legal("cam", "white", n="d5", m="d8", M="d6") == {"d5 (0 1 p) (0 0 d) (0 1 e)"}


def test_cam_castles() -> None:
    assert "d2 (0 -1 e)" not in legal("cam", "white", m="d2 a5", M="g10")
    assert "d3 (0 -1 w) (0 -1 e)" not in legal("cam", "white", m="d2 d3", M="g10")
    into = "d3 (0 -1 p) (0 0 d) (0 -1 e)"
    assert legal("cam", "white", m="d3 a5", M="d2 g10") == {into}
    further = legal("cam", "white", m="d3 a5", M="d2 e2 g10")
    assert further == {f"{into} (1 1 p) (0 0 d) (1 1 e)"}
    # From there it must go, whatever else could jump.
    leave = {"d1 (0 1 e)", "d1 (1 1 e)", "d1 (-1 1 e)"}
    assert legal("cam", "white", m="d1 a5", M="a6 g10") == leave
    assert legal("cam", "white", m="d1 a5", M="a6 d2") == {"d1 (0 1 p) (0 0 d) (0 1 e)"}


def test_cam_ends() -> None:
    step = standing("cam", "white", m="d12", M="g10")
    assert winner("cam", after("cam", step, "d12 (0 1 e)")) == "white"
    # In the castle a jump ends.
    jump = standing("cam", "white", m="d11", M="d12 e12")
    assert winner("cam", after("cam", jump, "d11 (0 1 p) (0 0 d) (0 1 e)")) == "white"
    last = standing("cam", "black", m="d5", M="d6")
    assert winner("cam", after("cam", last, "d6 (0 -1 p) (0 0 d) (0 -1 e)")) == "black"
    shut = standing("cam", "white", m="a4", M="a5 a6 b4 c4 b5 c6 b3 c2")
    assert winner("cam", shut) == "black"


def test_frisian_draughts_men_take_in_eight_directions() -> None:
    draughts = "frisian_draughts"
    for square, taken, way in (
        *(("c5", "d6", "1 1"), ("c5", "b6", "-1 1"), ("c5", "d4", "1 -1"), ("c5", "b4", "-1 -1")),
        *(("c5", "e5", "2 0"), ("f4", "d4", "-2 0"), ("c3", "c5", "0 2"), ("c5", "c3", "0 -2")),
    ):
        assert legal(draughts, "white", m=square, M=taken) == {
            f"{square} ({way} p) ({way} e); {taken} (0 0 d)",
        }
    assert legal(draughts, "black", m="c5", M="c7") == {"c7 (0 -2 p) (0 -2 e); c5 (0 0 d)"}
    # Without anything to take it steps ahead; what is farther away is out of reach.
    assert legal(draughts, "white", m="c3", M="g3 h8") == {"c3 (1 1 e)", "c3 (-1 1 e)"}


def test_frisian_draughts_most_pieces_are_taken() -> None:
    assert legal("frisian_draughts", "white", m="c3", k="h2", M="b4 e3 g5 g1") == {
        "c3 (2 0 p) (2 0 e) (0 2 p) (0 2 e); e3 (0 0 d); g5 (0 0 d)",
    }


def test_frisian_draughts_kings_fly_and_take_at_a_distance() -> None:
    draughts = "frisian_draughts"
    assert legal(draughts, "white", k="a1", M="a5") == {
        "a1 (0 2 e) (0 2 p) (0 2 e); a5 (0 0 d)",
    }
    assert legal(draughts, "white", k="c1", M="c3") == {
        f"c1 (0 2 p){' (0 2 e)' * number}; c3 (0 0 d)" for number in (1, 2)
    }
    assert legal(draughts, "white", k="a1", M="c3") == {
        f"a1 (1 1 e) (1 1 p){' (1 1 e)' * number}; c3 (0 0 d)" for number in range(1, 6)
    }
    quiet = {f"a1{' (1 1 e)' * number}" for number in range(1, 8)}
    assert legal(draughts, "white", k="a1", M="b8") == quiet


def test_frisian_draughts_crowns_at_the_end_of_a_turn() -> None:
    start = "b6 (1 1 p) (1 1 e)"
    assert legal("frisian_draughts", "white", m="b6", M="c7 f8") == {
        f"{start} (2 0 p) (2 0 e) (0 0 a k); c7 (0 0 d); f8 (0 0 d)",
    }
    assert legal("frisian_draughts", "white", m="b6", M="c7 e7") == {
        f"{start} (1 -1 p) (1 -1 e); c7 (0 0 d); e7 (0 0 d)",
    }
    assert legal("frisian_draughts", "black", m="h8", M="b2") == {
        *("b2 (1 -1 e) (0 0 a K)", "b2 (-1 -1 e) (0 0 a K)"),
    }


def test_frisian_draughts_ends_without_a_turn() -> None:
    shut = standing("frisian_draughts", "white", m="a3", M="b4 c5")
    assert winner("frisian_draughts", shut) == "black"
    last = standing("frisian_draughts", "white", m="c3", M="c5")
    end = after("frisian_draughts", last, "c3 (0 2 p) (0 2 e); c5 (0 0 d)")
    assert winner("frisian_draughts", end) == "white"


def test_l_game_lays_the_l_anew() -> None:
    up = "c2 (0 0 d); c3 (0 0 d); b4 (0 0 d); c4 (0 0 d)"
    plain = {turn for turn in the("l_game").legal(the("l_game").initial) if "@" not in turn}
    places = ("c2 c3 c4 d4", "c2 d2 c3 c4", "d2 d3 c4 d4", "c2 d2 d3 d4", "d3 b4 c4 d4")
    assert plain == {
        "; ".join([up, *(f"{square} (0 0 a w)" for square in place.split())]) for place in places
    }


def test_l_game_a_neutral_piece_may_follow() -> None:
    game = the("l_game")
    start = "c2 (0 0 d); c3 (0 0 d); b4 (0 0 d); c4 (0 0 d)"
    laid = f"{start}; c2 (0 0 a w); c3 (0 0 a w); c4 (0 0 a w); d4 (0 0 a w)"
    free = "a1 a2 a3 b4 d2 d3"
    assert {turn for turn in game.legal(game.initial) if turn.startswith(laid)} == {
        laid,
        *(f"{laid}; {neutral} (@{to} e)" for neutral in ("a4", "d1") for to in free.split()),
    }
    after_it = after("l_game", game.initial, f"{laid}; d1 (@b4 e)")
    assert after_it.rows == ["nnww", ".bw.", ".bw.", ".bb."]


def test_l_game_ends_without_a_place() -> None:
    # Column d and c4 are all that white could use; the other L there would need c2.
    rows = ".bww/.b.w/bbnw/...n"
    assert winner("l_game", at("l_game", rows, "white")) == "black"
    assert not the("l_game").is_terminal(at("l_game", rows, "black"))


def test_mangala_the_first_stone_stays() -> None:
    game = the("mangala")
    assert game.initial.rows == [".444444#", "#444444."]
    again = after("mangala", game.initial, "e1 (0 0 a 1); f1 (0 0 a 5); g1 (0 0 a 5); h1 (0 0 a 1)")
    assert again.to_move == "south"
    other = after("mangala", game.initial, "b1 (0 0 a 1); c1 (0 0 a 5); d1 (0 0 a 5); e1 (0 0 a 5)")
    assert other.to_move == "north"
    # A single stone goes on.
    assert turns("mangala", ".3.....#/#1....1.", "south") == {
        "b1 (0 0 d); c1 (0 0 a 1)",
        "g1 (0 0 d); h1 (0 0 a 1)",
    }
    assert turns("mangala", ".3.....#/#1......", "north") == {
        "b2 (0 0 a 1); b1 (0 0 d); a2 (0 0 a 3)",
    }


def test_mangala_even_pits_are_taken() -> None:
    sown = "f1 (0 0 a 1); g1 (0 0 a 1)"
    assert turns("mangala", ".2....3#/#....4..", "south") == {f"{sown}; h1 (0 0 a 5); g2 (0 0 d)"}
    assert turns("mangala", ".2....4#/#....4..", "south") == {
        f"{sown}; h1 (0 0 a 1); g2 (0 0 a 5)",
    }


def test_mangala_empty_pits_take_what_lies_opposite() -> None:
    assert turns("mangala", ".23....#/#2......", "south") == {
        "b1 (0 0 a 1); h1 (0 0 a 4); c2 (0 0 d)",
    }
    assert turns("mangala", ".2.....#/#2......", "south") == {"b1 (0 0 a 1); c1 (0 0 a 1)"}
    # Around the board, but not into the other's store.
    passed = "; ".join(f"{square} (0 0 a 1)" for square in ("c2", "d2", "e2", "f2", "g2"))
    assert turns("mangala", ".2.....#/#.....9.", "south") == {
        f"g1 (0 0 a 1); h1 (0 0 a 5); b2 (0 0 d); {passed}",
    }


def test_mangala_who_is_empty_gets_the_rest() -> None:
    assert winner("mangala", at("mangala", "52.....#/#......4", "north")) == "south"
    assert winner("mangala", at("mangala", "52.....#/#......2", "north")) == "north"
    assert winner("mangala", at("mangala", "52.....#/#......3", "south")) is None
    assert winner("mangala", at("mangala", "2......#/#.3....4", "south")) == "north"
    last = at("mangala", "23.....#/#.....1.", "south")
    end = after("mangala", last, "g1 (0 0 d); h1 (0 0 a 1)")
    assert winner("mangala", end) == "south"


def test_nogo_forbids_captures_and_suicide() -> None:
    def may(square: str, **pieces: str) -> bool:
        return f"{square} (0 0 a x)" in legal("nogo", "black", **pieces)

    assert not may("a1", o="a2 b1")
    assert may("a1", o="a2")
    assert not may("a2", x="b1", o="a1")
    assert not may("c1", x="a2 b2", o="a1 b1")
    assert may("c1", x="a2", o="a1 b1")
    # The stone itself has an empty point beside it, but its group of old not.
    assert may("a1", x="a2", o="b1 b2")
    assert not may("a1", x="a2", o="a3 b1 b2")


def test_nogo_ends_without_a_turn() -> None:
    eyes = ".xxxxx/" + "xxxxxx/" * 4 + "xxxxx."
    assert winner("nogo", at("nogo", eyes, "white")) == "black"
    position = at("nogo", eyes, "black")
    assert set(the("nogo").legal(position)) == {"a6 (0 0 a x)", "f1 (0 0 a x)"}
    assert winner("nogo", after("nogo", position, "f1 (0 0 a x)")) == "black"


def test_santorini_workers_are_placed_first() -> None:
    position, movers = the("santorini").initial, []
    for square, key in (("a1", "A"), ("c3", "A"), ("b2", "a"), ("e5", "a")):
        movers.append(position.to_move)
        position = after("santorini", position, f"{square} (0 0 a {key})")
    assert movers == ["white", "white", "black", "black"]
    assert position.to_move == "white"
    assert {turn[:2] for turn in the("santorini").legal(position)} == {"a1", "c3"}


def test_santorini_climbs_one_floor_and_builds() -> None:
    aside = {"_4": "b2 d4 d5 e4", "a": "a5 b5"}
    found = legal("santorini", "white", A="a1 e5", _1="b1", _2="a2", **aside)
    moved = "a1 (1 0 n) (0 0 a B)"
    assert found == {
        *(f"{moved}; a1 (0 0 a 1)", f"{moved}; c1 (0 0 a 1)"),
        *(f"{moved}; c2 (0 0 a 1)", f"{moved}; a2 (0 0 a 3)"),
    }


def test_santorini_goes_down_and_leaves_its_floors() -> None:
    aside = {"_4": "a2 b2 c2 d4 d5 e4", "a": "a5 b5"}
    down = legal("santorini", "white", A="e5", C="a1", **aside)
    assert down == {
        "a1 (1 0 e) (0 0 a A); a1 (0 0 a 3)",
        "a1 (1 0 e) (0 0 a A); a1 (0 0 a 2); c1 (0 0 a 1)",
    }
    level = legal("santorini", "white", A="e5", C="a1", _2="b1", _3="c1", **aside)
    assert level == {
        "a1 (1 0 n); a1 (0 0 a 3)",
        "a1 (1 0 n); a1 (0 0 a 2); c1 (0 0 a 4)",
    }


def test_santorini_three_floors_win() -> None:
    aside = {"_4": "a2 b2 d4 d5 e4", "a": "a5 b5"}
    up = "a1 (1 0 n) (0 0 a D); a1 (0 0 a 2)"
    position = standing("santorini", "white", A="e5", C="a1", _3="b1", **aside)
    assert the("santorini").legal(position) == [up]
    assert winner("santorini", after("santorini", position, up)) == "white"
    high = standing("santorini", "white", A="e5", B="a1", _3="b1", **aside)
    assert winner("santorini", high) == "black"
