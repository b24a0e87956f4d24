"""The games of `benchmarks/classical`: counts by hand, positions by hand, and other libraries."""

from __future__ import annotations

import random

import pytest
from classical_boards import (
    after,
    at,
    coordinates,
    mirrored,
    played,
    seen_from_the_other_side,
    the,
    turns,
    winner,
)
from classical_games import FIFTH, FOLDER, FOURTH, FURTHER, GAMES, THIRD, main, trial

from grl.board import Player

FIRST = {
    "alquerque": 4,
    "atari_go": 36,
    "bagh_chal": 21,
    "bridg_it": 25,
    "dao": 12,
    "dara": 30,
    "dodgem": 4,
    "domineering": 30,
    "dou_shou_qi": 8,
    "epaminondas": 51,  # 21 straight ahead and 15 along each diagonal
    "fanorona": 5,
    "four_field_kono": 4,
    "hare_and_hounds": 7,
    "hasami_shogi": 15,
    "konane": 4,
    "los_alamos_chess": 10,
    "mu_torere": 2,
    "neutron": 13,
    "order_and_chaos": 72,
    "oware": 4,
    "pah_tum": 24,
    "pente": 49,
    "pong_hau_ki": 2,
    "seega": 24,
    "surakarta": 16,
    "tablut": 80,
    "tapatan": 9,
    "turkish_draughts": 6,
    "yavalath": 37,
    "yote": 30,
}
COUNTS = {
    "tapatan": (9, 72, 504, 3024, 15120),
    "domineering": (30, 800),  # 10 of the upright ones bar two lying ones, 20 bar four
    "order_and_chaos": (72, 5040),
    "konane": (4, 12),  # two neighbours of a corner, four of a stone in the centre
    "los_alamos_chess": (10, 100, 1212),  # as Fairy-Stockfish counts
}
ALIKE = (
    *("alquerque", "atari_go", "dao", "dara", "dou_shou_qi", "epaminondas", "fanorona"),
    *("four_field_kono", "hasami_shogi", "mu_torere", "neutron", "pah_tum", "pente"),
    *("surakarta", "tapatan", "turkish_draughts", "yavalath", "yote"),
)
"""Games that look the same to both players, who sit opposite each other."""
MIRRORED = ({*ALIKE} - {"yavalath"}) | {
    *("bagh_chal", "bridg_it", "domineering", "los_alamos_chess", "tablut")
}
"""Games in which left and right are alike."""


def test_the_list_has_every_file() -> None:
    files = {path.stem for path in FOLDER.glob("*.py")} - {"classical_rules"}
    names = [*GAMES, *FURTHER, *THIRD, *FOURTH, *FIFTH]
    assert sorted(files) == sorted(names)
    assert sorted(GAMES) == sorted(FIRST)
    assert len({the(name).name for name in names}) == len(names)


@pytest.mark.parametrize("name", GAMES)
def test_first_turns_are_as_many_as_by_hand(name: str) -> None:
    game = the(name)
    assert len(game.legal(game.initial)) == FIRST[name]
    for depth, count in enumerate(COUNTS.get(name, ()), 1):
        assert game.perft(game.initial, depth) == count


@pytest.mark.parametrize("name", GAMES)
def test_random_games_keep_the_contract_of_games(name: str) -> None:
    game, chance = the(name), random.Random(name)
    for position, legal in played(game, chance):
        if name in ALIKE and position != game.initial and chance.random() < 0.3:
            assert len(game.legal(seen_from_the_other_side(game, position))) == len(legal)
        if name in MIRRORED and chance.random() < 0.3:
            assert len(game.legal(mirrored(game, position))) == len(legal)


@pytest.mark.parametrize("name", ["alquerque", "bagh_chal", "hare_and_hounds", "oware"])
def test_endgames_are_near_an_end(name: str) -> None:
    game = the(name)
    endgames = game.endgames()
    assert not any(map(game.is_terminal, endgames))
    assert len(endgames) >= 20


def test_alquerque_jumps_are_compulsory_and_go_on() -> None:
    jump = "a1 (1 1 p) (0 0 d) (1 1 e) (0 1 p) (0 0 d) (0 1 e)"
    position = at("alquerque", "...../..b../...../.b.../w...w", "white")
    assert the("alquerque").legal(position) == [jump]
    assert winner("alquerque", after("alquerque", position, jump)) == "white"


def test_fanorona_takes_by_approach_and_by_withdrawal() -> None:
    game = the("fanorona")
    assert set(game.legal(game.initial)) == {
        "b3 (1 0 e); d3 (0 0 d)",
        "b3 (1 0 e); a3 (0 0 d)",
        "b2 (1 1 e); d4 (0 0 d); e5 (0 0 d)",
        "c2 (0 1 e); c4 (0 0 d); c5 (0 0 d)",
        "d2 (-1 1 e); b4 (0 0 d); a5 (0 0 d)",
    }
    once = "a1 (0 1 e); a3 (0 0 d)"
    both = f"{once}; a2 (1 0 e); c2 (0 0 d)"
    assert turns("fanorona", "...../...../b..../..b../w....", "white") == {once, both}


def test_konane_jumps_go_on_in_one_direction() -> None:
    jump = " (1 0 p) (0 0 d) (1 0 e)"
    bar = "......"
    rows = [bar, bar, bar, "....o.", bar, "xo.o.."]
    assert turns("konane", rows, "black") == {f"a1{jump}", f"a1{jump}{jump}"}
    rows = ["oxoxox", "xoxoxo", "oxoxox", "xoxoxo", "oxoxox", ".oxoxo"]
    assert turns("konane", rows, "white") == {"b1 (0 0 d)", "a2 (0 0 d)"}


def test_surakarta_takes_only_around_a_loop() -> None:
    rows = ["......", "......", "......", ".w....", "b.....", "......"]
    legal = turns("surakarta", rows, "white")
    assert "b3 (0 -1 e) (0 -1 e) (-1 1 p)" in legal
    assert len(legal) == 8
    rows[0], rows[4] = ".b....", "......"
    legal = turns("surakarta", rows, "white")
    assert len(legal) == 9
    assert [turn for turn in legal if turn.endswith("(1 1 p)")]
    rows[4] = ".w...."
    straight = [turn for turn in turns("surakarta", rows, "white") if turn.startswith("b3")]
    assert len(straight) == 7
    assert not any("p" in turn for turn in straight)


def test_seega_places_by_twos_and_spares_the_centre() -> None:
    game = the("seega")
    position, movers = game.initial, []
    for _ in range(6):
        movers.append(position.to_move)
        position = game.play(position, game.legal(position)[0])
    assert movers == ["white", "white", "black", "black", "white", "white"]
    legal = turns("seega", "...../...../..bw./.w..b/..bwb", "white")
    assert {"b2 (0 1 e)", "b2 (0 -1 e); c1 (0 0 d)"} <= legal
    shut = at("seega", "...../...../...../bb.../wwb..", "white")
    assert game.legal(shut) == ["pass"]
    assert winner("seega", at("seega", "...../...../...../.bb../w....", "white")) == "black"


def test_hasami_shogi_takes_rows_and_corners() -> None:
    row = "a3 (0 -1 e) (0 -1 e); b1 (0 0 d); c1 (0 0 d)"
    assert row in turns("hasami_shogi", "..b../...../w..../...../.bbw.", "white")
    corner = "a4 (0 -1 e) (0 -1 e); a1 (0 0 d)"
    position = at("hasami_shogi", "..b../w..../...../...../bw...", "white")
    assert winner("hasami_shogi", after("hasami_shogi", position, corner)) == "white"
    safe = turns("hasami_shogi", "...b./.b.../w..../.b.../....w", "white")
    assert "a3 (1 0 e)" in safe


def test_dodgem_cars_leave_and_must_not_be_shut_in() -> None:
    assert "d3 (0 0 d)" in turns("dodgem", "..../...w/..../.b..", "white")
    assert winner("dodgem", at("dodgem", "wb../b.../..../..b.", "white")) == "white"
    assert winner("dodgem", at("dodgem", "..../..../..../..b.", "black")) == "white"


def test_mu_torere_men_reach_the_centre_beside_an_opponent() -> None:
    assert turns("mu_torere", "bbb/b.w/www", "white") == {"a1 (1 1 e)", "c2 (-1 0 e)"}
    game = the("mu_torere")
    assert winner("mu_torere", at("mu_torere", "bb./wbb/www", "white")) == "black"
    position = game.play(game.initial, "c2 (-1 0 e)")
    assert set(game.legal(position)) == {"c3 (0 -1 e)"}


def test_pong_hau_ki_has_one_open_side() -> None:
    assert turns("pong_hau_ki", "b#b/#w#/.#w", "black") == {"a3 (0 -2 e)"}
    assert turns("pong_hau_ki", "b#b/#w#/.#w", "white") == {"b2 (-1 -1 e)"}
    assert winner("pong_hau_ki", at("pong_hau_ki", "b#w/#b#/.#w", "white")) == "black"


def test_bagh_chal_tigers_take_and_are_shut_in() -> None:
    jump = "a1 (1 1 p) (0 0 d) (1 1 e)"
    rows = "t...t/...../...../.g.../t...t"
    assert jump in turns("bagh_chal", rows, "tigers", goats={"g": 19})
    assert "a2 (0 0 a g)" in turns("bagh_chal", rows, "goats", goats={"g": 19})
    assert "b2 (0 1 e)" not in turns("bagh_chal", rows, "goats", goats={"g": 19})
    after_fifth = after("bagh_chal", at("bagh_chal", rows, "tigers", goats={"g": 15}), jump)
    assert winner("bagh_chal", after_fifth) == "tigers"
    full = at("bagh_chal", "ttggg/ttggg/ggggg/ggggg/.gggg", "tigers")
    assert winner("bagh_chal", full) == "goats"


def test_hare_and_hounds_win_each_in_their_way() -> None:
    assert winner("hare_and_hounds", at("hare_and_hounds", "#..d#/...dh/#..d#", "hare")) == "hounds"
    assert winner("hare_and_hounds", at("hare_and_hounds", "#d..#/h.d../#d..#", "hounds")) == "hare"
    legal = turns("hare_and_hounds", "#...#/..d.h/#dd.#", "hounds")
    assert not any("(-1" in turn for turn in legal)


def test_tapatan_men_move_once_all_are_placed() -> None:
    legal = turns("tapatan", "b.b/.w./wbw", "white")
    assert legal == {"a1 (0 1 e)", "c1 (0 1 e)", "b2 (-1 0 e)", "b2 (0 1 e)", "b2 (1 0 e)"}
    assert winner("tapatan", at("tapatan", "..w/bwb/wb.", "black")) == "white"


def test_dara_takes_for_exactly_three() -> None:
    bar = "......"
    rows = ["bbb...", bar, "b.....", "..w...", "ww.w.."]
    legal = turns("dara", rows, "white")
    assert {turn for turn in legal if ";" in turn} == {"d1 (-1 0 e); a3 (0 0 d)"}
    assert "c2 (0 -1 e)" not in legal
    placing = turns("dara", [bar, bar, bar, bar, "ww...."], "white", white={"w": 9}, black={"b": 9})
    assert len(placing) == 27
    assert "c1 (0 0 a w)" not in placing


def test_yavalath_lines() -> None:
    rows = ["....###", ".....##", "......#", "..ww.w.", "#......", "##b.b..", "###...."]
    position = at("yavalath", rows, "white")
    assert winner("yavalath", after("yavalath", position, "e4 (0 0 a w)")) == "white"
    assert winner("yavalath", after("yavalath", position, "b4 (0 0 a w)")) == "black"
    position = at("yavalath", rows, "black")
    assert winner("yavalath", after("yavalath", position, "d2 (0 0 a b)")) == "white"
    slanted = at("yavalath", ["....###", "...w.##", "....w.#", ".......", *rows[4:]], "white")
    assert winner("yavalath", after("yavalath", slanted, "f4 (0 0 a w)")) == "black"


def test_epaminondas_larger_phalanxes_take_smaller_ones() -> None:
    bar = "......."
    rows = [bar, bar, "wwwbb..", "wwbb...", bar, bar]
    legal = turns("epaminondas", rows, "white")
    assert "c4 (1 0 p); b4 (1 0 e); a4 (1 0 e); e4 (0 0 d)" in legal
    assert not any(turn.startswith("b3 (1 0 p)") for turn in legal)
    assert "c4 (1 0 p); b4 (1 0 e); e4 (0 0 d)" not in legal
    ahead = at("epaminondas", ["..w....", bar, bar, "...b...", bar, bar], "white")
    assert winner("epaminondas", ahead) == "white"
    level = at("epaminondas", ["..w....", bar, bar, bar, bar, "b......"], "white")
    assert not the("epaminondas").is_terminal(level)


def test_dou_shou_qi_water_and_ranks() -> None:
    def legal(*rows: str) -> set[str]:
        return turns("dou_shou_qi", list(rows), "white")

    bar = "....."
    leap = "b2 (0 1 e) (0 1 e) (0 1 e) (0 1 p)"
    assert leap in legal(bar, ".C...", bar, bar, bar, ".t...", bar)
    assert leap not in legal(bar, ".C...", ".R...", bar, bar, ".t...", bar)
    assert leap not in legal(bar, ".L...", bar, bar, bar, ".t...", bar)
    assert "c4 (1 0 e) (1 0 e)" in legal(bar, "C....", bar, "..l..", bar, bar, bar)
    assert "a3 (0 1 p)" in legal(bar, bar, bar, "E....", "r....", bar, bar)
    assert "a3 (0 1 p)" not in legal(bar, bar, bar, "R....", "e....", bar, bar)
    assert "b4 (-1 0 p)" not in legal(bar, bar, bar, "Er...", bar, bar, bar)
    assert "b4 (-1 0 e)" in legal(bar, "E....", bar, ".r...", bar, bar, bar)
    assert "b2 (1 0 p)" in legal(bar, bar, bar, bar, bar, ".cL..", bar)
    assert "c2 (0 -1 e)" not in legal(bar, "C....", bar, bar, bar, "..c..", bar)
    assert (
        winner("dou_shou_qi", at("dou_shou_qi", ["..d..", *[bar] * 5, "T...."], "black")) == "white"
    )


def test_four_field_kono_jumps_over_ones_own() -> None:
    assert "a1 (0 1 w) (0 1 p)" in turns("four_field_kono", "bb../b.../w.../w...", "white")
    assert (
        winner("four_field_kono", at("four_field_kono", "b.../..../w.../w...", "black")) == "white"
    )


def test_neutron_slides_as_far_as_it_can() -> None:
    rows = "b.b../..b../..n../b.w.b/w.w.w"
    legal = turns("neutron", rows, "white")
    assert "c3 (1 0 e) (1 0 e); a1 (1 0 e)" in legal
    assert not any(turn.startswith("c3 (1 0 e);") for turn in legal)
    assert "c3 (1 1 e) (1 1 e)" in legal
    home = after("neutron", at("neutron", rows, "white"), "c3 (1 1 e) (1 1 e)")
    assert winner("neutron", home) == "black"
    shut = at("neutron", "....b/...../wwb../wnb../wbw..", "black")
    assert winner("neutron", shut) == "white"


def test_dao_patterns_and_corners() -> None:
    assert winner("dao", at("dao", "w..w/.b../..bb/w.bw", "black")) == "white"
    assert winner("dao", at("dao", "ww.b/ww.b/.b.b/....", "black")) == "white"
    assert winner("dao", at("dao", "wb.w/bb../..w./b.w.", "white")) == "white"
    assert not the("dao").is_terminal(at("dao", "w..b/.w.b/..wb/b..w", "black"))


def test_bridg_it_ends_with_a_winner_always() -> None:
    game, chance = the("bridg_it"), random.Random(3)
    for _ in range(20):
        position = game.initial
        while not game.is_terminal(position):
            position = game.play(position, chance.choice(game.legal(position)))
        assert winner("bridg_it", position) is not None


def test_order_and_chaos_play_for_different_ends() -> None:
    bar = "......"
    rows = [".x....", "..x...", "...x..", "....x.", ".....x", bar]
    assert winner("order_and_chaos", at("order_and_chaos", rows, "chaos")) == "order"
    full = ["xxooxx", "ooxxoo"] * 3
    assert winner("order_and_chaos", at("order_and_chaos", full, "order")) == "chaos"


def test_pente_takes_pairs() -> None:
    bar = "......."
    rows = [bar, bar, bar, bar, bar, ".b.....", "w..bb.w"]
    taking = "c1 (0 0 a w)"
    assert taking in turns("pente", rows, "white")
    rows = [bar, bar, bar, bar, bar, bar, "...bbw."]
    pair = f"{taking}; d1 (0 0 d) (0 0 r b); e1 (0 0 d) (0 0 r b)"
    position = at("pente", rows, "white", white={"b": 8}, black={"w": 0})
    end = after("pente", position, pair)
    assert end.reserve["white"] == {"b": 10}
    assert winner("pente", end) == "white"
    assert taking in turns("pente", [*rows[:6], "...bbbw"], "white")


def test_atari_go_first_capture_wins() -> None:
    bar = "......"
    capture = at("atari_go", [bar, bar, bar, bar, "x.....", "o....."], "black")
    end = after("atari_go", capture, "b1 (0 0 a x)")
    assert winner("atari_go", end) == "black"
    suicide = [bar, bar, bar, bar, "x.....", ".x...."]
    assert "a1 (0 0 a o)" not in turns("atari_go", suicide, "white")
    both = [bar, bar, bar, "o.....", "xo....", ".xo..."]
    assert "a1 (0 0 a o)" in turns("atari_go", both, "white")


def test_pah_tum_counts_rows_of_three_and_more() -> None:
    rows = ["wwwww", "bwbwb", "bw#bw", "wbbbw", "bbbwb"]
    position = at("pah_tum", rows, "white")
    # White: five in the highest row, 25, and b3 to b5, 3. Black: b2 to d2 and a1 to c1, 6.
    assert winner("pah_tum", position) == "white"
    assert the("pah_tum").score(position.cells, "w") == 28  # type: ignore[attr-defined]
    assert the("pah_tum").score(position.cells, "b") == 6  # type: ignore[attr-defined]


def test_oware_grand_slams_and_feeding() -> None:
    slam = {"d1 (0 0 d); e1 (0 0 a 1); d2 (0 0 a 2); e2 (0 0 a 3)"}
    assert turns("oware", ["5..12#", "#..3.5"], "south") == slam
    taken = {"e1 (0 0 d); f1 (0 0 a 9); d2 (0 0 d); e2 (0 0 d)"}
    assert turns("oware", ["53.11#", "#...25"], "south") == taken
    hungry = turns("oware", ["5....#", "#1..25"], "south")
    assert hungry == {"e1 (0 0 d); d2 (0 0 a 1); e2 (0 0 a 1)"}


def test_turkish_draughts_takes_the_most_and_never_turns_back() -> None:
    bar = "......"
    rows = [bar, bar, bar, "..M...", bar, ".MM...", "m.m...", bar]
    legal = turns("turkish_draughts", rows, "white")
    jump = "(0 1 p) (0 0 d) (0 1 e)"
    assert legal == {f"c2 {jump} {jump}"}
    takes = "a1 (1 0 e) (1 0 p) (0 0 d) (1 0 e)"
    legal = turns("turkish_draughts", [bar] * 7 + ["k.M..M"], "white")
    assert legal == {takes, f"{takes} (1 0 e)"}
    back = turns("turkish_draughts", [bar] * 7 + [".MkM.."], "white")
    takes = "c1 (1 0 p) (0 0 d) (1 0 e)"
    assert back == {takes, f"{takes} (1 0 e)", "c1 (-1 0 p) (0 0 d) (-1 0 e)"}
    crowned = ["......", "m.....", bar, bar, bar, bar, bar, "M....."]
    assert "a7 (0 1 e) (0 0 a k)" in turns("turkish_draughts", crowned, "white")


def test_yote_jumps_take_a_second_stone() -> None:
    bar = "......"
    rows = ["b....b", bar, bar, bar, "wb...."]
    jump = "a1 (1 0 p) (0 0 d) (1 0 e)"
    legal = turns("yote", rows, "white", white={"w": 0}, black={"b": 3})
    assert legal == {f"{jump}; a5 (0 0 d)", f"{jump}; f5 (0 0 d)", "a1 (0 1 e)"}
    assert jump in turns("yote", [bar, bar, bar, bar, "wb...."], "white", black={"b": 3})
    assert winner("yote", at("yote", rows, "white")) is None


def test_tablut_kings_are_taken_by_two_three_or_four() -> None:
    bar = "........."
    taken = "; e5 (0 0 d)"
    throne = [bar, bar, bar, "....a....", "...ak....", "....a.a..", bar, bar, bar]
    assert not any(taken in t for t in turns("tablut", throne, "muscovites"))
    throne[4] = "...ak.a.."
    assert f"g5 (-1 0 e){taken}" in turns("tablut", throne, "muscovites")
    throne[3] = bar
    assert f"g5 (-1 0 e){taken}" not in turns("tablut", throne, "muscovites")
    beside = [bar, bar, "....a....", "...ak.a..", bar, bar, bar, bar, bar]
    assert "g6 (-1 0 e); e6 (0 0 d)" in turns("tablut", beside, "muscovites")
    free = [bar, bar, "...ak.a..", bar, bar, bar, bar, bar, bar]
    position = at("tablut", free, "muscovites")
    assert winner("tablut", after("tablut", position, "g7 (-1 0 e); e7 (0 0 d)")) == "muscovites"
    escaped = [bar, bar, "k...a....", bar, bar, bar, bar, bar, bar]
    assert winner("tablut", at("tablut", escaped, "muscovites")) == "swedes"


def test_oware_agrees_with_open_spiel() -> None:
    spiel = pytest.importorskip("pyspiel")
    known = spiel.load_game("oware(num_houses_per_player=4,num_seeds_per_house=3)")
    game, chance = the("oware"), random.Random(1)
    houses = {"south": ["b1", "c1", "d1", "e1"], "north": ["e2", "d2", "c2", "b2"]}
    ended = 0
    for _ in range(60):
        state, position = known.new_initial_state(), game.initial
        while not state.is_terminal():
            legal = {turn.partition(" ")[0]: turn for turn in game.legal(position)}
            names = houses[position.to_move]
            assert {names[action] for action in state.legal_actions()} == set(legal)
            action = chance.choice(state.legal_actions())
            state.apply_action(action)
            position = game.play(position, legal[names[action]])
        if game.is_terminal(position):
            ended += 1
            south, _ = state.returns()
            assert game.goals(position)[Player("south")] == 50 + 50 * south
    assert ended > 40


def test_los_alamos_chess_agrees_with_fairy_stockfish() -> None:
    fish = pytest.importorskip("pyffish")
    game, chance = the("los_alamos_chess"), random.Random(2)
    start = fish.start_fen("losalamos")
    for _ in range(4):
        position, moves = game.initial, []
        for _ in range(80):
            legal = {coordinates(position, turn): turn for turn in game.legal(position)}
            assert set(fish.legal_moves("losalamos", start, moves)) == set(legal)
            if not legal:
                break
            moves.append(chance.choice(sorted(legal)))
            position = game.play(position, legal[moves[-1]])


def test_the_bench_refuses_unknown_names(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--games", "konane,nonesuch"])
    assert "nonesuch" in capsys.readouterr().err
    assert trial("konane", 10).near == 0.25
