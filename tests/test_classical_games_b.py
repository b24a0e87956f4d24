"""Twelve more games of `benchmarks/classical`: counts by hand, positions by hand, random play."""

from __future__ import annotations

import random

import pytest
from classical_boards import (
    after,
    at,
    mirrored,
    played,
    seen_from_the_other_side,
    the,
    turns,
    winner,
)

from grl.board import Player, make_position
from grl.turn import Turn, play

FIRST = {
    "congo": 24,  # 19 of pawns, two leaps of the giraffe, one of each elephant, one of the zebra
    "dameo": 52,  # 18 straight ahead, 17 along each diagonal
    "gonnect": 25,
    "havannah": 37,
    "isola": 165,  # five steps, 33 squares that may go
    "jeson_mor": 30,
    "kings_valley": 10,
    "lau_kata_kati": 3,
    "ludus_latrunculorum": 53,  # 41 of men, 12 of the dux
    "martian_chess": 10,  # seven of pawns, three of drones
    "pallanguzhi": 5,
    "tanbo": 8,
}
COUNTS = {
    "havannah": (37, 1332),
    "gonnect": (25, 600),
    "kings_valley": (10,),
    "lau_kata_kati": (3, 3),
}
MIRRORED = (
    *("congo", "dameo", "gonnect", "jeson_mor", "kings_valley", "lau_kata_kati"),
    *("ludus_latrunculorum", "martian_chess", "tanbo"),
)
"""Games in which left and right are alike."""


@pytest.mark.parametrize("name", FIRST)
def test_first_turns_are_as_many_as_by_hand(name: str) -> None:
    game = the(name)
    assert game.name.replace("-", "_") == name
    assert game.provenance
    assert len(game.legal(game.initial)) == FIRST[name]
    for depth, count in enumerate(COUNTS.get(name, ()), 1):
        assert game.perft(game.initial, depth) == count


@pytest.mark.parametrize("name", FIRST)
def test_random_games_keep_the_contract_of_games(name: str) -> None:
    """Turns apply, differ in effect, lead where the trace format says, and need no history."""
    game, chance = the(name), random.Random(name)
    for position, legal in played(game, chance):
        assert [str(Turn.parse(turn)) for turn in legal] == legal
        bare = make_position(game.equipment, position.rows, position.to_move, position.reserve)
        assert game.legal(bare) == legal
        if position != game.initial and chance.random() < 0.3:
            assert len(game.legal(seen_from_the_other_side(game, position))) == len(legal)
        if name in MIRRORED and chance.random() < 0.3:
            assert len(game.legal(mirrored(game, position))) == len(legal)
        turn = chance.choice(legal)
        assert game.play(position, turn) == play(position, Turn.parse(turn))


@pytest.mark.parametrize("name", ["isola", "kings_valley", "ludus_latrunculorum", "pallanguzhi"])
def test_endgames_are_near_an_end(name: str) -> None:
    game = the(name)
    endgames = game.endgames()
    assert not any(map(game.is_terminal, endgames))
    assert len(endgames) >= 20


def test_havannah_rings() -> None:
    top, bottom = ["....###", ".....##"], ["##.....", "###...."]
    open_ring = [*top, "..ww..#", "..w.w..", "#..w...", *bottom]
    position = at("havannah", open_ring, "white")
    closed = after("havannah", position, "e3 (0 0 a w)")
    assert winner("havannah", closed) == "white"
    assert not the("havannah").is_terminal(after("havannah", position, "d4 (0 0 a w)"))
    for middle in "bw":
        rows = [*top, "..ww..#", f"..w{middle}w..", "#..ww..", *bottom]
        assert winner("havannah", at("havannah", rows, "black")) == "white"
    three = [*top, "..ww..#", "...w...", "#......", *bottom]
    assert not the("havannah").is_terminal(at("havannah", three, "black"))


def test_havannah_bridges_and_forks() -> None:
    top = ["....###", ".....##"]
    bridge = [*top, "......#", ".......", "#......", "##.....", "###ww.w"]
    position = at("havannah", bridge, "white")
    assert len(the("havannah").legal(position)) == 34
    assert winner("havannah", after("havannah", position, "f1 (0 0 a w)")) == "white"
    # Bottom, slanting side below, left: e1, c2 and b3, a5.
    fork = [*top, "......#", ".w.....", "#w.....", "##ww...", "###.w.."]
    position = at("havannah", fork, "white")
    assert winner("havannah", after("havannah", position, "a5 (0 0 a w)")) == "white"
    # The corner a4 belongs to no side.
    assert not the("havannah").is_terminal(after("havannah", position, "a4 (0 0 a w)"))


def test_havannah_full_boards_are_a_draw() -> None:
    rows = ["bwbw###", "wwwbw##", "bwwbwb#", "bbbwbwb", "#bwwbww", "##bwbbw", "###wbwb"]
    assert winner("havannah", at("havannah", rows, "white")) is None


def test_havannah_agrees_with_open_spiel() -> None:
    spiel = pytest.importorskip("pyspiel")
    known = spiel.load_game("havannah(board_size=4)")
    game, chance = the("havannah"), random.Random(4)
    for _ in range(60):
        state, position = known.new_initial_state(), game.initial
        while not state.is_terminal():
            assert not game.is_terminal(position)
            action = chance.choice(state.legal_actions())
            state.apply_action(action)
            y, x = divmod(action, 7)  # OpenSpiel's ranks run the other way
            name = position.board.names[7 * (6 - y) + x]
            position = after("havannah", position, f"{name} (0 0 a {position.to_move[0]})")
        assert game.is_terminal(position)
        assert game.goals(position)[Player("white")] == 50 + 50 * state.returns()[0]


def test_isola_takes_squares_away_but_not_those_of_the_beginning() -> None:
    rows = ["xxx..b", *["xxxxxx"] * 4, "w..xxx"]
    position = at("isola", rows, "white")
    legal = the("isola").legal(position)
    assert set(legal) == {"a1 (1 0 e); a1 (0 0 a x)", "a1 (1 0 e); e6 (0 0 a x)"}
    assert winner("isola", after("isola", position, "a1 (1 0 e); e6 (0 0 a x)")) == "white"
    reply = after("isola", position, "a1 (1 0 e); a1 (0 0 a x)")
    assert the("isola").legal(reply) == ["f6 (-1 0 e); f6 (0 0 a x)"]
    nothing_left = ["xxxxxb", *["xxxxxx"] * 4, "xw.xxx"]
    assert turns("isola", nothing_left, "white") == {"b1 (1 0 e); b1 (0 0 a x)"}


def test_kings_valley_slides_as_far_as_it_can() -> None:
    assert turns("kings_valley", "K..../...../...../...../..s.k", "white") == {
        "c1 (1 0 e)",
        "c1 (-1 0 e) (-1 0 e)",
        "c1" + " (0 1 e)" * 4,
        "c1 (1 1 e) (1 1 e)",
        "c1 (-1 1 e) (-1 1 e)",
        "e1 (-1 0 e)",
        "e1" + " (0 1 e)" * 4,
        "e1" + " (-1 1 e)" * 3,
    }


def test_kings_valley_only_kings_stop_in_the_centre() -> None:
    rows = "K..../.SS../...../...../..s.k"
    legal = turns("kings_valley", rows, "white")
    assert len(legal) == 7
    assert "c1 (0 1 e) (0 1 e)" not in legal
    home = after("kings_valley", at("kings_valley", rows, "white"), "e1 (-1 1 e) (-1 1 e)")
    assert winner("kings_valley", home) == "white"


def test_kings_valley_shut_in_kings_have_lost() -> None:
    rows = "Ks.../ss.../...../..S../....k"
    assert winner("kings_valley", at("kings_valley", rows, "black")) == "white"
    assert not the("kings_valley").is_terminal(at("kings_valley", rows, "white"))
    game = the("kings_valley")
    assert not any(turn.startswith("c1") for turn in game.legal(game.initial))


def test_dameo_takes_the_most_and_removes_at_the_end() -> None:
    bar = "........"
    rows = [bar, bar, "..M.....", "...M....", bar, "...M..M.", "...m..m.", bar]
    up = "(0 1 p) (0 1 e)"
    taken = "d3 (0 0 d); d5 (0 0 d); c6 (0 0 d)"
    assert turns("dameo", rows, "white") == {f"d2 {up} {up} (-1 0 p) (-1 0 e); {taken}"}
    takes = "a1 (1 0 e) (1 0 p) (1 0 e) (1 0 e) (1 0 p) (1 0 e)"
    removed = "c1 (0 0 d); f1 (0 0 d)"
    assert turns("dameo", [*[bar] * 7, "k.M..M.."], "white") == {
        f"{takes}; {removed}",
        f"{takes} (1 0 e); {removed}",
    }


def test_dameo_taken_pieces_stand_in_the_way() -> None:
    bar = "........"
    # From d3 over d2 to d1, over c1 to b1, over b2 to b3: then c3 and d3 are open, but d2 stands.
    rows = [bar, bar, bar, bar, bar, "...m....", ".M.M....", "..M....."]
    legal = turns("dameo", rows, "white")
    assert legal == {
        "d3 (0 -1 p) (0 -1 e) (-1 0 p) (-1 0 e) (0 1 p) (0 1 e); d2 (0 0 d); c1 (0 0 d); b2 (0 0 d)"
    }


def test_dameo_lines_march_and_men_are_crowned() -> None:
    bar = "........"
    rows = [".......M", "m.......", "m.......", bar, bar, bar, bar, bar]
    assert turns("dameo", rows, "white") == {
        "a7 (0 1 e) (0 0 a k)",
        "a7 (1 1 e) (0 0 a k)",
        "a6 (0 1 w) (0 1 e) (0 0 a k)",
        "a6 (1 1 e)",
    }
    passing = ["...M....", "..M.M...", "....m...", bar, bar, bar, bar, bar]
    removed = "e7 (0 0 d); d8 (0 0 d); c7 (0 0 d)"
    assert turns("dameo", passing, "white") == {
        f"e6 (0 1 p) (0 1 e) (-1 0 p) (-1 0 e) (0 -1 p) (0 -1 e); {removed}"
    }
    kings = turns("dameo", [*[bar] * 6, "k.......", "m......M"], "white")
    assert "a1 (0 1 w) (0 1 e)" not in kings


def test_congo_pieces_drown_in_the_river() -> None:
    bar = "......."
    rows = ["...l...", bar, bar, "P..C...", bar, bar, "...L..."]
    drowns = "; a4 (0 0 d)"
    lion = ["(1 0 e)", "(-1 0 e)", "(0 1 e)", "(1 1 e)", "(-1 1 e)"]
    steps = [f"({x} {y} e)" for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    crocodile = [*steps, "(-1 0 e) (-1 0 e)", "(1 0 e) (1 0 e)", "(1 0 e) (1 0 e) (1 0 e)"]
    assert turns("congo", rows, "white") == {
        "a4 (0 1 e)",
        "a4 (1 1 e)",
        *(f"d1 {letters}{drowns}" for letters in lion),
        *(f"d4 {letters}{drowns}" for letters in crocodile),
    }
    monkey = ["....l..", bar, bar, "M......", bar, bar, "..L...."]
    assert {turn for turn in turns("congo", monkey, "white") if turn.startswith("a4")} == {
        "a4 (0 1 e)",
        "a4 (1 1 e)",
        "a4 (1 -1 e)",
        "a4 (0 -1 e)",
        "a4 (1 0 e); b4 (0 0 d)",
    }


def test_congo_monkeys_jump_and_may_stop() -> None:
    bar = "......."
    rows = ["...l...", bar, bar, "....p..", bar, "..p....", ".M..L.."]
    jump = "(1 1 p) (0 0 d) (1 1 e)"
    assert turns("congo", rows, "white") == {
        "b1 (1 0 e)",
        "b1 (-1 0 e)",
        "b1 (0 1 e)",
        "b1 (-1 1 e)",
        f"b1 {jump}",
        f"b1 {jump} {jump}",
        "e1 (-1 0 e)",
        "e1 (0 1 e)",
        "e1 (-1 1 e)",
    }


def test_congo_pawns_and_superpawns_go_back() -> None:
    bar = "......."
    lion = {"c1 (1 0 e)", "c1 (0 1 e)", "c1 (1 1 e)"}
    ahead = {"d5 (0 1 e)", "d5 (1 1 e)", "d5 (-1 1 e)"}
    back = {"d5 (0 -1 e)", "d5 (0 -1 e) (0 -1 e)"}
    rows = ["....l..", bar, "...P...", bar, bar, bar, "..L...."]
    assert turns("congo", rows, "white") == lion | ahead | back
    rows[2] = "...S..."
    more = {f"d5 ({x} 0 e)" for x in (1, -1)}
    more |= {f"d5{f' ({x} -1 e)' * number}" for x in (1, -1) for number in (1, 2)}
    assert turns("congo", rows, "white") == lion | ahead | back | more
    crowned = ["....l..", "P......", bar, bar, bar, bar, "..L...."]
    assert {turn for turn in turns("congo", crowned, "white") if "a S" in turn} == {
        "a6 (0 1 e) (0 0 a S)",
        "a6 (1 1 e) (0 0 a S)",
    }


def test_congo_lions_take_each_other_across_the_river() -> None:
    bar = "......."
    rows = ["...l...", bar, bar, bar, bar, bar, "...L..."]
    position = at("congo", rows, "white")
    stare = "d1" + " (0 1 e)" * 5 + " (0 1 p)"
    assert winner("congo", after("congo", position, stare)) == "white"
    rows[3] = "...C..."
    assert stare not in turns("congo", rows, "white")
    apart = ["...l...", bar, bar, bar, bar, bar, "..L...."]
    assert winner("congo", at("congo", apart, "white")) is None
    lost = ["...l...", bar, bar, "...c...", bar, bar, bar]
    assert winner("congo", at("congo", lost, "white")) == "black"


def test_ludus_latrunculorum_takes_lines_and_corners() -> None:
    bar = "........"
    rows = ["...m...D", bar, bar, bar, "mMM.....", bar, bar, "d......."]
    down = "d8" + " (0 -1 e)" * 4
    assert f"{down}; c4 (0 0 d); b4 (0 0 d)" in turns("ludus_latrunculorum", rows, "white")
    rows = ["...m....", bar, bar, bar, "mDM.....", bar, bar, "d......."]
    assert f"{down}; c4 (0 0 d)" in turns("ludus_latrunculorum", rows, "white")
    rows = ["Mm.....D", bar, bar, bar, bar, bar, bar, "m...d..."]
    up = "a1" + " (0 1 e)" * 6
    assert f"{up}; a8 (0 0 d)" in turns("ludus_latrunculorum", rows, "white")
    between = [".......D", bar, bar, "M.M.....", bar, bar, ".m......", "....d..."]
    assert "b2 (0 1 e) (0 1 e) (0 1 e)" in turns("ludus_latrunculorum", between, "white")


def test_ludus_latrunculorum_dux_goes_like_a_rook_and_is_shut_in() -> None:
    bar = "........"
    alone = [".......D", bar, bar, bar, bar, bar, bar, "d......."]
    assert turns("ludus_latrunculorum", alone, "white") == {
        "a1" + f" ({x} {1 - x} e)" * number for x in (0, 1) for number in range(1, 8)
    }
    rows = ["......MD", "m.......", bar, bar, bar, bar, bar, "d......."]
    position = at("ludus_latrunculorum", rows, "white")
    shut = after("ludus_latrunculorum", position, "a7" + " (1 0 e)" * 7)
    assert winner("ludus_latrunculorum", shut) == "white"
    own_men = ["......MD", ".......M", bar, bar, bar, bar, bar, "d......."]
    assert not the("ludus_latrunculorum").is_terminal(at("ludus_latrunculorum", own_men, "black"))


def test_pallanguzhi_takes_behind_an_empty_house() -> None:
    assert turns("pallanguzhi", ["....2.#", "#1.3..."], "south") == {
        "b1 (0 0 d); c1 (0 0 a 1); d1 (0 0 d); g1 (0 0 a 3)",
        "d1 (0 0 d); e1 (0 0 a 1); f1 (0 0 a 1); g1 (0 0 a 2); e2 (0 0 d); f2 (0 0 a 1)",
    }


def test_pallanguzhi_sows_on_and_gives_cows_to_the_owner() -> None:
    assert turns("pallanguzhi", ["....3.#", "#11..3."], "south") == {
        "b1 (0 0 d); c1 (0 0 d); d1 (0 0 a 1); e1 (0 0 a 1); f1 (0 0 d); g1 (0 0 a 3)",
        "c1 (0 0 d); d1 (0 0 a 1)",
        "f1 (0 0 d); a2 (0 0 a 4); d2 (0 0 a 1); e2 (0 0 d); f2 (0 0 a 1)",
    }
    # The last seed makes a cow: the turn is over.
    cow = turns("pallanguzhi", ["..1...#", "#13.1.."], "south")
    assert "b1 (0 0 d); c1 (0 0 d); g1 (0 0 a 4)" in cow


def test_pallanguzhi_ends_with_an_empty_side() -> None:
    assert winner("pallanguzhi", at("pallanguzhi", ["5.....#", "#.1...4"], "north")) is None
    assert winner("pallanguzhi", at("pallanguzhi", ["5.....#", "#.2...4"], "north")) == "south"
    assert winner("pallanguzhi", at("pallanguzhi", ["5..9..#", "#.....6"], "north")) == "north"


def test_martian_chess_moves() -> None:
    bar = "...."
    rows = ["...q", bar, bar, bar, bar, bar, bar, "p..d"]
    assert turns("martian_chess", rows, "white") == {
        "a1 (1 1 e)",
        "d1 (-1 0 e)",
        "d1 (-1 0 e) (-1 0 e)",
        "d1 (0 1 e)",
        "d1 (0 1 e) (0 1 e)",
    }
    taking = "d8" + " (0 -1 e)" * 6 + " (0 -1 n) (0 0 r d)"
    assert turns("martian_chess", rows, "black") == {
        *("d8" + " (-1 0 e)" * number for number in range(1, 4)),
        *("d8" + " (0 -1 e)" * number for number in range(1, 7)),
        *("d8" + " (-1 -1 e)" * number for number in range(1, 4)),
        taking,
    }
    end = after("martian_chess", at("martian_chess", rows, "black"), taking)
    assert end.reserve["black"] == {"p": 0, "d": 1, "q": 0}
    assert winner("martian_chess", end) == "black"


def test_martian_chess_counts_points_and_the_last_turn() -> None:
    bar = "...."
    rows = [bar, bar, bar, "...p", "...d", bar, bar, bar]
    hand = {"p": 2, "d": 0, "q": 0}
    position = at("martian_chess", rows, "white", black=hand)
    level = at("martian_chess", rows, "white", white={"p": 1}, black=hand)
    taking = "d4 (0 1 n) (0 0 r p)"
    assert winner("martian_chess", after("martian_chess", position, taking)) == "black"
    assert winner("martian_chess", after("martian_chess", level, taking)) == "white"
    queens = [bar, bar, "q.q.", bar, "q...", bar, bar, bar]
    assert sum("r q" in turn for turn in turns("martian_chess", queens, "white")) == 1


def test_gonnect_takes_and_forbids_suicide() -> None:
    bar = "....."
    rows = [bar, bar, bar, "x....", "o...."]
    legal = turns("gonnect", rows, "black")
    assert {turn for turn in legal if ";" in turn} == {"b1 (0 0 a x); a1 (0 0 d)"}
    assert len(legal) == 23
    suicide = [bar, bar, bar, "x....", ".x..."]
    names = {f"{file}{rank}" for file in "abcde" for rank in range(1, 6)} - {"a1", "b1", "a2"}
    assert turns("gonnect", suicide, "white") == {f"{name} (0 0 a o)" for name in names}
    both = [bar, bar, "o....", "xo...", ".xo.."]
    legal = turns("gonnect", both, "white")
    assert "a1 (0 0 a o); b1 (0 0 d); a2 (0 0 d)" in legal


def test_gonnect_joins_opposite_sides() -> None:
    bar = "....."
    rows = [bar, "..xxx", "..x..", ".x...", ".o..."]
    position = at("gonnect", rows, "black")
    game = the("gonnect")
    assert not game.is_terminal(after("gonnect", position, "a2 (0 0 a x)"))
    rows[3] = ".xx.."
    position = at("gonnect", rows, "black")
    assert winner("gonnect", after("gonnect", position, "a2 (0 0 a x)")) == "black"
    assert not game.is_terminal(after("gonnect", position, "c5 (0 0 a x)"))
    upright = ["o....", "o....", "o....", "o....", "o...."]
    assert winner("gonnect", at("gonnect", upright, "black")) == "white"


def test_jeson_mor_knights_race_for_the_centre() -> None:
    bar = "." * 9
    rows = [bar, bar, bar, bar, bar, bar, ".N.......", "..N......", "n........"]
    assert turns("jeson_mor", rows, "white") == {"a1 (1 2 p)", "a1 (2 1 p)"}
    rows = [bar, bar, bar, bar, "....n....", "..N......", bar, bar, bar]
    assert winner("jeson_mor", at("jeson_mor", rows, "white")) == "white"
    position = at("jeson_mor", rows, "black")
    assert winner("jeson_mor", after("jeson_mor", position, "c4 (1 2 e)")) == "white"
    assert winner("jeson_mor", after("jeson_mor", position, "c4 (2 1 p)")) == "black"


def test_lau_kata_kati_jumps_are_compulsory() -> None:
    game = the("lau_kata_kati")
    assert set(game.legal(game.initial)) == {"c3 (1 1 e)", "d3 (0 1 e)", "e3 (-1 1 e)"}
    for turn, reply in (("c3 (1 1 e)", "e5 (-1 -1 p) (0 0 d) (-1 -1 e)"),):
        assert game.legal(game.play(game.initial, turn)) == [reply]
    straight = game.play(game.initial, "d3 (0 1 e)")
    assert game.legal(straight) == ["d5 (0 -1 p) (0 0 d) (0 -1 e)"]


def test_lau_kata_kati_goes_along_lines() -> None:
    rows = "b##.##./#.#.#.#/##...##/###w###/##...##/#.#.#.#/.##.##."
    steps = ["1 0", "0 1", "-1 -1", "0 -1", "1 -1", "-1 1", "1 1"][1:]
    assert turns("lau_kata_kati", rows, "white") == {f"d4 ({way} e)" for way in steps}
    rows = ".##.##./#.#.#.#/##...##/###.###/##...##/#.#.#.#/w##b##."
    position = at("lau_kata_kati", rows, "white")
    jump = "a1 (3 0 p) (0 0 d) (3 0 e)"
    assert the("lau_kata_kati").legal(position) == [jump]
    assert winner("lau_kata_kati", after("lau_kata_kati", position, jump)) == "white"
    rows = ".##.##./#.#.#.#/##..b##/###.###/##b..##/#w#w#.#/.##.##."
    twice = " (1 1 p) (0 0 d) (1 1 e)" * 2
    assert turns("lau_kata_kati", rows, "white") == {f"b2{twice}"}


def test_tanbo_stones_touch_exactly_one_of_their_own() -> None:
    game = the("tanbo")
    beside = ("a2", "c2", "b1", "b3", "e6", "g6", "f5", "f7")
    assert set(game.legal(game.initial)) == {f"{name} (0 0 a x)" for name in beside}
    bar = "......."
    rows = ["o......", bar, bar, bar, bar, bar, "x.x...."]
    assert turns("tanbo", rows, "black") == {f"{name} (0 0 a x)" for name in ("a2", "c2", "d1")}


def test_tanbo_bounded_roots_leave_the_board() -> None:
    bar = "......."
    rows = ["......x", bar, bar, bar, "o......", ".o.....", "xo....."]
    assert turns("tanbo", rows, "black") == {
        "a2 (0 0 a x); a1 (0 0 d); a2 (0 0 d)",
        "f7 (0 0 a x)",
        "g6 (0 0 a x)",
    }
    rows = [bar, bar, bar, bar, "o......", bar, "xo....."]
    bounding = "a2 (0 0 a o); a1 (0 0 d)"
    others = {f"{name} (0 0 a o)" for name in ("a4", "b3", "b2", "c1")}
    assert turns("tanbo", rows, "white") == {bounding, *others}
    end = after("tanbo", at("tanbo", rows, "white"), bounding)
    assert winner("tanbo", end) == "white"
