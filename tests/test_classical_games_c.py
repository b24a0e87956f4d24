"""The third list of `benchmarks/classical`: counts by hand, positions by hand, random play."""

from __future__ import annotations

import random
import re

import pytest
from classical_boards import (
    after,
    at,
    contents,
    coordinates,
    keeps_the_contract,
    legal,
    standing,
    the,
    turns,
    winner,
)
from classical_games import THIRD

TEEKO = "teeko_standard"
COUNTS = {
    "chomp": (20, 250),  # 20 x 20 less what is eaten: 15 x 10 squares in all
    "dobutsu_shogi": (4, 17),  # five answers to the chick that takes, four to each of the others
    "halma": (16, 257),  # once white has gone from b2 to c3 black jumps twice, too
    "lines_of_action": (24,),  # 4 along the edges, 8 straight, 12 diagonally
    "mak_yek": (32, 1008),  # a man in front takes one or two squares from the man opposite
    "makhos": (7, 49, 392),  # every turn leaves white eight
    "makruk_mini": (8, 64),  # six of pawns, two of the horse
    "ming_mang": (50, 2205),  # 45 left on the average, and one more where f1 was left
    "nim": (16, 206),
    "reversi_anti": (4, 12, 56),
    "russian_draughts": (7, 49, 302, 1469),  # as published
    "shatranj_mini": (9, 81),  # six of pawns, two of the horse, one of the elephant
    "squava": (25, 600),
    "susan": (37, 1332),
    TEEKO: (25, 600),
    "twelve_mens_morris": (24, 552),
}
UNLIKE = ("chomp", "nim")
"""Games with pieces that are nobody's; in the others the players sit opposite each other."""
ASKEW = (*UNLIKE, "halma", "susan")
"""Games in which left and right are not alike."""


@pytest.mark.parametrize("name", THIRD)
def test_first_turns_are_as_many_as_by_hand(name: str) -> None:
    game = the(name)
    assert name.startswith(game.name.replace("-", "_"))
    assert game.provenance
    for depth, count in enumerate(COUNTS[name], 1):
        assert game.perft(game.initial, depth) == count


@pytest.mark.parametrize("name", THIRD)
def test_random_games_keep_the_contract_of_games(name: str) -> None:
    keeps_the_contract(name, opposite=name not in UNLIKE, even=name not in ASKEW)


def test_mak_yek_endgames_end_either_way() -> None:
    game = the("mak_yek")
    endgames = game.endgames()
    assert len(endgames) >= 20
    assert not any(map(game.is_terminal, endgames))
    ends = {
        winner("mak_yek", end)
        for position in endgames
        for turn in game.legal(position)
        if game.is_terminal(end := game.play(position, turn))
    }
    assert ends == {"white", "black"}


def test_chomp_eats_to_the_right_and_above() -> None:
    assert turns("chomp", "...../...../cc.../ccc..", "second") == {
        "a1 (0 0 d); b1 (0 0 d); c1 (0 0 d); a2 (0 0 d); b2 (0 0 d)",
        "b1 (0 0 d); c1 (0 0 d); b2 (0 0 d)",
        "c1 (0 0 d)",
        "a2 (0 0 d); b2 (0 0 d)",
        "b2 (0 0 d)",
    }
    position = at("chomp", "...../ccc../ccc../cccc.", "first")
    bitten = after("chomp", position, "b2 (0 0 d); c2 (0 0 d); b3 (0 0 d); c3 (0 0 d)")
    assert bitten.rows == [".....", "c....", "c....", "cccc."]


def test_chomp_the_poison_loses() -> None:
    last = at("chomp", "...../...../...../c....", "first")
    assert not the("chomp").is_terminal(last)
    assert winner("chomp", after("chomp", last, "a1 (0 0 d)")) == "second"
    position = at("chomp", "...../...../c..../cc...", "second")
    whole = after("chomp", position, "a1 (0 0 d); b1 (0 0 d); a2 (0 0 d)")
    assert winner("chomp", whole) == "first"


def test_nim_takes_from_the_right_end() -> None:
    assert the("nim").initial.rows == ["i......", "iii....", "iiiii..", "iiiiiii"]
    assert turns("nim", "......./......./iii..../i......", "black") == {
        "a1 (0 0 d)",
        "a2 (0 0 d); b2 (0 0 d); c2 (0 0 d)",
        "b2 (0 0 d); c2 (0 0 d)",
        "c2 (0 0 d)",
    }


def test_nim_the_last_stick_wins() -> None:
    position = at("nim", "ii...../......./......./.......", "black")
    assert not the("nim").is_terminal(after("nim", position, "b4 (0 0 d)"))
    assert winner("nim", after("nim", position, "a4 (0 0 d); b4 (0 0 d)")) == "black"


def test_dobutsu_shogi_steps() -> None:
    lion = {"a1 (1 0 e)", "a1 (0 1 e)", "a1 (1 1 e)"}
    assert turns("dobutsu_shogi", "..l/.H./.../L..", "white") == lion | {
        *("b3 (1 0 e)", "b3 (-1 0 e)", "b3 (0 1 e)", "b3 (0 -1 e)"),
        *("b3 (1 1 p)", "b3 (-1 1 e)"),
    }
    assert turns("dobutsu_shogi", "..l/.h./.../L..", "black") == {
        *("b3 (1 0 e)", "b3 (-1 0 e)", "b3 (0 1 e)", "b3 (0 -1 e)"),
        *("b3 (1 -1 e)", "b3 (-1 -1 e)", "c4 (-1 0 e)", "c4 (0 -1 e)"),
    }
    rows = "..l/.e./..G/L.."
    giraffe = {"c2 (0 1 e)", "c2 (0 -1 e)", "c2 (-1 0 e)"}
    assert turns("dobutsu_shogi", rows, "white") == lion | giraffe
    assert turns("dobutsu_shogi", rows, "black") == {
        *("b3 (-1 1 e)", "b3 (-1 -1 e)", "b3 (1 -1 p) (0 0 r g)"),
        *("c4 (-1 0 e)", "c4 (0 -1 e)"),
    }


def test_dobutsu_shogi_hens_are_taken_as_chicks() -> None:
    position = at("dobutsu_shogi", "..l/.../.gH/L..", "black")
    end = after("dobutsu_shogi", position, "b2 (1 0 p) (0 0 r c)")
    assert end.reserve["black"] == {"c": 1, "e": 0, "g": 0}


def test_dobutsu_shogi_puts_pieces_down() -> None:
    held = turns("dobutsu_shogi", "..l/C../.../.L.", "white", white={"C": 1, "G": 2})
    assert len(held) == 5 + 1 + 2 * 9
    assert {turn for turn in held if turn.startswith("a")} == {
        *("a3 (0 1 e) (0 0 a H)", "a4 (0 0 a C)", "a4 (0 0 a G)"),
        *("a1 (0 0 a C)", "a1 (0 0 a G)", "a2 (0 0 a C)", "a2 (0 0 a G)"),
    }
    # Chicks put on the far rank stay chicks.
    far = turns("dobutsu_shogi", "C.l/.../.../.L.", "white")
    assert {turn.partition(" ")[0] for turn in far} == {"b1"}


def test_dobutsu_shogi_lions_reach_the_far_rank() -> None:
    position = at("dobutsu_shogi", "..l/L../.../...", "white")
    home = after("dobutsu_shogi", position, "a3 (0 1 e)")
    assert winner("dobutsu_shogi", home) == "white"
    beside = after("dobutsu_shogi", position, "a3 (1 1 e)")
    assert winner("dobutsu_shogi", after("dobutsu_shogi", beside, "c4 (-1 0 p)")) == "black"
    assert winner("dobutsu_shogi", after("dobutsu_shogi", beside, "c4 (0 -1 e)")) == "white"
    # A chick put down can't take at once what stands behind it.
    chick = at("dobutsu_shogi", "L.l/.../.../...", "black", black={"c": 1})
    assert winner("dobutsu_shogi", chick) == "white"


def test_halma_jumps_go_on_over_either() -> None:
    assert legal("halma", "white", w="a1 b2", b="d4") == {
        *("a1 (1 0 e)", "a1 (0 1 e)", "a1 (1 1 w) (1 1 e)"),
        "a1 (1 1 w) (1 1 e) (1 1 p) (1 1 e)",
        *("b2 (1 0 e)", "b2 (0 1 e)", "b2 (-1 0 e)", "b2 (0 -1 e)"),
        *("b2 (1 1 e)", "b2 (-1 1 e)", "b2 (1 -1 e)"),
    }
    # Around a square of men each end is reached once, and the beginning never.
    position = standing("halma", "white", w="c1", b="c2 d1 d3 e2")
    ends = [contents(the("halma").play(position, turn)) for turn in the("halma").legal(position)]
    men = sorted(square for end in ends for square, key in end.items() if key == "w")
    assert men == ["b1", "b2", "c3", "d2", "e1", "e3"]


def test_halma_men_stay_in_the_camp_they_reached() -> None:
    assert legal("halma", "white", w="e5", b="d4") == {
        *("e5 (1 0 e)", "e5 (1 1 e)", "e5 (0 1 e)", "e5 (-1 1 e)", "e5 (1 -1 e)"),
    }
    assert "b2 (1 1 e)" in legal("halma", "white", w="b2", b="d4")
    assert "b2 (1 1 e)" not in legal("halma", "black", w="d4", b="b2")


def test_halma_full_camps_win_with_one_man_in() -> None:
    game, theirs = the("halma"), "d6 e5 e6 f4 f5"
    position = standing("halma", "white", w="a1 d4", b=f"{theirs} c3")
    assert winner("halma", after("halma", position, "d4 (1 1 p) (1 1 e)")) == "white"
    assert not game.is_terminal(after("halma", position, "d4 (1 0 e)"))
    # It counts only for who has moved, and not without a man of his own.
    assert not game.is_terminal(standing("halma", "white", w="a1 f6", b=theirs))
    assert not game.is_terminal(standing("halma", "black", w="a1", b=f"{theirs} f6"))
    assert winner("halma", standing("halma", "white", w="f6", b=theirs)) == "black"


def test_lines_of_action_goes_as_far_as_there_are_pieces() -> None:
    pieces = {"x": "a1 b1 f6", "o": "a6 d1"}
    taking = "a1 (1 0 w) (1 0 e) (1 0 p)"
    assert legal("lines_of_action", "black", **pieces) == {
        *(taking, "a1 (0 1 e) (0 1 e)", "a1 (1 1 e) (1 1 e)"),
        *("b1 (0 1 e)", "b1 (1 1 e)", "b1 (-1 1 e)"),
        *("f6 (-1 0 e) (-1 0 e)", "f6 (0 -1 e)", "f6 (-1 -1 e) (-1 -1 e)"),
    }
    position = standing("lines_of_action", "black", **pieces)
    # One piece alone hangs together.
    assert winner("lines_of_action", after("lines_of_action", position, taking)) == "white"


def test_lines_of_action_passes() -> None:
    assert legal("lines_of_action", "black", x="a1 f6", o="a2 b1 b2 e5 e6 f5") == {"pass"}


def test_lines_of_action_ends() -> None:
    position = standing("lines_of_action", "white", o="a6 d6", x="a2 c2")
    joined = after("lines_of_action", position, "d6 (-1 0 e) (-1 0 e)")
    assert winner("lines_of_action", joined) == "white"
    apart = after("lines_of_action", position, "d6 (1 0 e) (1 0 e)")
    assert not the("lines_of_action").is_terminal(apart)
    both = standing("lines_of_action", "black", x="a3 b1", o="a1 f6")
    end = after("lines_of_action", both, "a3 (0 -1 e) (0 -1 p)")
    assert winner("lines_of_action", end) is None
    slanted = standing("lines_of_action", "black", x="a1 b2 c3 d2", o="f1 f3")
    assert winner("lines_of_action", slanted) == "black"


def test_mak_yek_takes_between_and_beside() -> None:
    up = "e1" + " (0 1 e)" * 5
    found = legal("mak_yek", "white", w="e1 e8", b="d6 e7 f6")
    assert f"{up}; d6 (0 0 d); f6 (0 0 d); e7 (0 0 d)" in found
    upright = legal("mak_yek", "white", w="b4", b="c3 c5")
    assert {turn for turn in upright if ";" in turn} == {"b4 (1 0 e); c3 (0 0 d); c5 (0 0 d)"}
    end = after(
        "mak_yek", standing("mak_yek", "white", w="e1", b="d6 f6"), f"{up}; d6 (0 0 d); f6 (0 0 d)"
    )
    assert winner("mak_yek", end) == "white"


@pytest.mark.parametrize(
    "pieces",
    [
        {"w": "c6 f1", "b": "d6 e6"},  # two between
        {"w": "e1", "b": "d6 g6"},  # not right between
        {"w": "e1", "b": "d6 e8"},  # not in one line
        {"w": "a5 c5 h1 h2", "b": "b5 g8"},  # others than the man moved
        {"w": "d6 e1", "b": "f6"},  # one of either
    ],
)
def test_mak_yek_takes_nothing_else(pieces: dict[str, str]) -> None:
    assert not any(";" in turn for turn in legal("mak_yek", "white", **pieces))


def test_mak_yek_ends_without_a_turn() -> None:
    assert winner("mak_yek", standing("mak_yek", "black", w="a2 b1", b="a1")) == "white"


def test_makhos_takes_and_goes_on_ahead() -> None:
    take, left = "(1 1 p) (0 0 d) (1 1 e)", "(-1 1 p) (0 0 d) (-1 1 e)"
    found = legal("makhos", "white", m="c3 h2", M="b4 d4 f6")
    assert found == {f"c3 {left}", f"c3 {take} {take}"}
    assert legal("makhos", "white", m="d4", M="c3") == {"d4 (1 1 e)", "d4 (-1 1 e)"}
    # A man crowned goes no further.
    assert legal("makhos", "white", m="b6", M="c7 e7") == {f"b6 {take} (0 0 a k)"}
    assert legal("makhos", "black", m="c3", M="d4 h2") == {
        "d4 (-1 -1 p) (0 0 d) (-1 -1 e)",
    }


def test_makhos_kings_land_right_behind() -> None:
    assert legal("makhos", "white", k="a1", M="d4") == {
        "a1 (1 1 e) (1 1 e) (1 1 p) (0 0 d) (1 1 e)",
    }
    quiet = {f"a1{' (1 1 e)' * number}" for number in range(1, 8)}
    assert legal("makhos", "white", k="a1", M="b8") == quiet
    assert legal("makhos", "white", k="a1", M="d4 e5") == {"a1 (1 1 e)", "a1 (1 1 e) (1 1 e)"}


def test_makhos_taken_pieces_leave_at_once() -> None:
    position = standing("makhos", "white", k="c3", M="b2 d4 f6")
    ends = [contents(the("makhos").play(position, t)) for t in the("makhos").legal(position)]
    assert sorted(square for end in ends for square in end) == ["a1", "g7"]


def test_makhos_ends_without_a_turn() -> None:
    assert winner("makhos", standing("makhos", "white", m="a3", M="b4 c5")) == "black"
    last = standing("makhos", "white", m="a3", M="b4")
    end = after("makhos", last, "a3 (1 1 p) (0 0 d) (1 1 e)")
    assert winner("makhos", end) == "white"


def test_russian_draughts_men_take_backwards() -> None:
    assert legal("russian_draughts", "white", m="c3", M="d2 h8") == {
        "c3 (1 -1 p) (1 -1 e); d2 (0 0 d)",
    }
    found = legal("russian_draughts", "white", m="c3", M="b4 d4 f6")
    assert found == {
        "c3 (1 1 p) (1 1 e) (1 1 p) (1 1 e); d4 (0 0 d); f6 (0 0 d)",
        "c3 (-1 1 p) (-1 1 e); b4 (0 0 d)",
    }
    (around,) = legal("russian_draughts", "white", m="c3", M="b4 b6 d4 d6")
    position = standing("russian_draughts", "white", m="c3", M="b4 b6 d4 d6")
    assert contents(after("russian_draughts", position, around)) == {"c3": "m"}


def test_russian_draughts_men_go_on_as_kings() -> None:
    assert legal("russian_draughts", "white", m="b6", M="c7 g5") == {
        "b6 (1 1 p) (1 1 e) (1 -1 e) (1 -1 e) (1 -1 p) (1 -1 e) (0 0 a k); c7 (0 0 d); g5 (0 0 d)",
    }
    assert legal("russian_draughts", "white", m="a7", M="h8") == {"a7 (1 1 e) (0 0 a k)"}


def test_russian_draughts_kings_land_where_they_take_on() -> None:
    takes = "a1 (1 1 e) (1 1 p)"
    assert legal("russian_draughts", "white", k="a1", M="c3") == {
        f"{takes}{' (1 1 e)' * number}; c3 (0 0 d)" for number in range(1, 6)
    }
    assert legal("russian_draughts", "white", k="a1", M="c3 g3") == {
        f"{takes} (1 1 e) (1 1 e) (1 -1 e) (1 -1 p) (1 -1 e); c3 (0 0 d); g3 (0 0 d)",
    }


def test_russian_draughts_taken_pieces_stand_in_the_way() -> None:
    # From g5 the king could take e3, if d2 behind it had gone.
    short = "e1 (-1 1 p) (-1 1 e) (-1 1 e) (1 1 e) (1 1 e) (1 1 p) (1 1 e); d2 (0 0 d); e7 (0 0 d)"
    long = "e1 (-1 1 p) (-1 1 e) (-1 1 e) (-1 1 e) (1 1 p) (1 1 e) (1 1 e) (1 -1 p)"
    assert legal("russian_draughts", "white", k="e1", M="b6 d2 e3 e7") == {
        short,
        *(f"{long}{' (1 -1 e)' * n}; d2 (0 0 d); b6 (0 0 d); e7 (0 0 d)" for n in (1, 2, 3)),
    }
    shut = standing("russian_draughts", "white", m="a5", M="b6 c7")
    assert winner("russian_draughts", shut) == "black"


def test_makruk_mini_khons_and_mets() -> None:
    white, black = {"a1 (1 0 e)", "a1 (0 1 e)", "a1 (1 1 e)"}, {"f6 (-1 0 e)", "f6 (0 -1 e)"}
    slanted = [f"({x} {y} e)" for x in (1, -1) for y in (1, -1)]
    khon = {f"c4 {way}" for way in slanted}
    assert legal("makruk_mini", "white", K="a1", S="c4", k="f6") == white | khon | {"c4 (0 1 e)"}
    assert legal("makruk_mini", "black", K="a1", s="c4", k="f6") == black | khon | {
        *("c4 (0 -1 e)", "f6 (-1 -1 e)"),
    }
    met = {f"c4 {way}" for way in slanted}
    assert legal("makruk_mini", "white", K="a1", M="c4", k="f6") == white | met


def test_makruk_mini_pawns_become_mets_on_the_fourth_rank() -> None:
    king = {"a1 (1 0 e)", "a1 (0 1 e)", "a1 (1 1 e)"}
    assert legal("makruk_mini", "white", K="a1", P="c3 e2", h="d4", k="f6") == king | {
        *("c3 (0 1 e) (0 0 a M)", "c3 (1 1 p) (0 0 a M)", "e2 (0 1 e)"),
    }


def test_makruk_mini_checks_and_ends() -> None:
    checked = legal("makruk_mini", "white", K="a1", B="f3", b="a6", k="e6")
    assert checked == {"a1 (1 0 e)", "a1 (1 1 e)", "f3" + " (-1 0 e)" * 5}
    mated = standing("makruk_mini", "black", k="a6", K="f1", B="f5 f6")
    assert winner("makruk_mini", mated) == "white"
    stalemate = standing("makruk_mini", "black", k="a6", p="f4", K="f3", B="b1 f5")
    assert winner("makruk_mini", stalemate) is None
    bare = standing("makruk_mini", "black", k="a6", K="f1")
    assert not the("makruk_mini").is_terminal(bare)


def test_shatranj_mini_elephants_leap_and_generals_step() -> None:
    king = {"a1 (1 0 e)", "a1 (0 1 e)", "a1 (1 1 e)"}
    assert legal("shatranj_mini", "white", K="a1", E="c3", P="d4", p="e5", k="f6") == king | {
        *("c3 (2 2 p)", "c3 (-2 2 e)", "c3 (2 -2 e)", "d4 (0 1 e)", "d4 (1 1 p)"),
    }
    general = {f"c3 ({x} {y} e)" for x in (1, -1) for y in (1, -1)}
    assert legal("shatranj_mini", "white", K="a1", G="c3", p="d5", k="f6") == king | general


def test_shatranj_mini_pawns_become_generals() -> None:
    king = {"a1 (1 0 e)", "a1 (0 1 e)", "a1 (1 1 e)"}
    assert legal("shatranj_mini", "white", K="a1", P="c5 e2", h="b6", k="f6") == king | {
        *("c5 (0 1 e) (0 0 a G)", "c5 (-1 1 p) (0 0 a G)", "e2 (0 1 e)"),
    }
    black = legal("shatranj_mini", "black", K="a1", P="c5", p="e2", k="f6")
    assert "e2 (0 -1 e) (0 0 a g)" in black


def test_shatranj_mini_ends() -> None:
    checked = legal("shatranj_mini", "white", K="a1", C="f3", c="a6", k="e6")
    assert checked == {"a1 (1 0 e)", "a1 (1 1 e)", "f3" + " (-1 0 e)" * 5}
    mated = standing("shatranj_mini", "black", k="a6", p="c3", K="f1", C="f5 f6")
    assert winner("shatranj_mini", mated) == "white"
    stalemate = standing("shatranj_mini", "black", k="a6", p="f3", K="f2", C="b1 f5")
    assert winner("shatranj_mini", stalemate) == "white"
    for mover in ("white", "black"):
        bare = standing("shatranj_mini", mover, k="a6", K="c4", C="f1")
        assert winner("shatranj_mini", bare) == "white"


VARIANTS = """
[makrukmini:makruk]
maxFile = f
maxRank = 6
knight = h
rook = b
startFen = bsmkhb/pppppp/6/6/PPPPPP/BHKMSB w - - 0 1
promotionRegionWhite = *4 *5 *6
promotionRegionBlack = *3 *2 *1
countingRule = none

[shatranjmini:shatranj]
maxFile = f
maxRank = 6
knight = h
rook = c
alfil = e
fers = g
promotionPieceTypes = g
startFen = chgkec/pppppp/6/6/PPPPPP/CHGKEC w - - 0 1
promotionRegionWhite = *6
promotionRegionBlack = *1
"""


@pytest.mark.parametrize("name", ["makruk_mini", "shatranj_mini"])
def test_small_chesses_agree_with_fairy_stockfish(name: str) -> None:
    fish = pytest.importorskip("pyffish")
    fish.load_variant_config(VARIANTS)
    variant, game, chance = name.replace("_", ""), the(name), random.Random(name)
    start = fish.start_fen(variant)
    rows = "/".join(game.initial.rows)
    assert start.split()[0] == re.sub(r"\.+", lambda gap: str(len(gap[0])), rows)
    for _ in range(4):
        position = game.initial
        moves: list[str] = []
        for _ in range(80):
            found = {coordinates(position, turn): turn for turn in game.legal(position)}
            if not found:
                break
            assert set(fish.legal_moves(variant, start, moves)) == set(found)
            moves.append(chance.choice(sorted(found)))
            position = game.play(position, found[moves[-1]])


def test_ming_mang_wins_lines_over() -> None:
    up = "d1" + " (0 1 e)" * 3
    # What was won wins no others: b5 stays.
    position = standing("ming_mang", "white", w="a4 b6 d1", b="b4 b5 c4")
    taking = f"{up}; b4 (0 0 a w); c4 (0 0 a w)"
    assert after("ming_mang", position, taking).rows[2:4] == [".b.....", "wwww..."]
    cross = legal("ming_mang", "white", w="a4 d1 d7 g4", b="b4 c4 d5 d6 e4 f4 g7")
    won = ("b4", "c4", "e4", "f4", "d5", "d6")
    assert "; ".join([up, *(f"{square} (0 0 a w)" for square in won)]) in cross


@pytest.mark.parametrize(
    "pieces",
    [
        {"w": "c1", "b": "b4 d4"},  # moved between two
        {"w": "a4 e1", "b": "b4 d4"},  # with a gap
        {"w": "d1", "b": "a4 b4 c4"},  # to the edge
    ],
)
def test_ming_mang_wins_nothing_else(pieces: dict[str, str]) -> None:
    assert not any(";" in turn for turn in legal("ming_mang", "white", **pieces))


def test_ming_mang_ends() -> None:
    assert winner("ming_mang", standing("ming_mang", "white", w="a1", b="a2 b1")) == "black"
    position = standing("ming_mang", "white", w="a4 d1", b="b4 c4")
    taking = "d1" + " (0 1 e)" * 3 + "; b4 (0 0 a w); c4 (0 0 a w)"
    assert winner("ming_mang", after("ming_mang", position, taking)) == "white"


def test_reversi_anti_turns_over_in_all_directions() -> None:
    assert legal("reversi_anti", "black", w="c3 c4 d2 d3", b="c5 e2 e4") == {
        "c2 (0 0 a b); d2 (0 0 a b); c3 (0 0 a b); c4 (0 0 a b); d3 (0 0 a b)",
        "b5 (0 0 a b); c4 (0 0 a b); d3 (0 0 a b)",
    }


def test_reversi_anti_passes_and_fewer_win() -> None:
    assert legal("reversi_anti", "black", w="a1", b="b1") == {"pass"}
    position = standing("reversi_anti", "white", w="a1", b="b1")
    end = after("reversi_anti", position, "c1 (0 0 a w); b1 (0 0 a w)")
    assert winner("reversi_anti", end) == "black"
    fewer = standing("reversi_anti", "black", w="a1", b="e6 f6")
    assert winner("reversi_anti", fewer) == "white"
    assert winner("reversi_anti", standing("reversi_anti", "black", w="a1", b="f6")) is None


def test_squava_three_lose_and_four_win() -> None:
    def end(place: str, to_move: str, **pieces: str) -> str | None:
        position = standing("squava", to_move, **pieces)
        return winner("squava", after("squava", position, f"{place} (0 0 a {to_move[0]})"))

    assert end("c1", "white", w="a1 b1 d1", b="a2 b2") == "white"
    assert end("a4", "white", w="a2 a3", b="a1 b1 d1") == "black"
    assert end("c3", "black", w="a1 b1 d1", b="b4 d2") == "white"
    assert end("c3", "black", w="a1 b1 d1", b="a3 b3 d3 e3") == "black"
    # Four in the file, three in the rank.
    assert end("c2", "black", b="a2 b2 c1 c3 c4") == "black"
    gap = standing("squava", "black", w="a1 b1 d1 e1")
    assert not the("squava").is_terminal(gap)


def test_squava_full_boards_are_a_draw() -> None:
    full = at("squava", "wbwbw/bwbwb/bwbwb/wbwbw/wbwbw", "black")
    assert winner("squava", full) is None


def test_susan_surrounds() -> None:
    position = standing("susan", "white", x="a7", o="a6 b7")
    assert winner("susan", after("susan", position, "b6 (0 0 a o)")) == "white"
    # Where both are surrounded the mover has lost.
    pieces = {"x": "a7 c6 c7", "o": "a6 b7"}
    for mover, other, key in (("white", "black", "o"), ("black", "white", "x")):
        position = standing("susan", mover, **pieces)
        assert winner("susan", after("susan", position, f"b6 (0 0 a {key})")) == other
    slide = after("susan", standing("susan", "black", **pieces), "a7 (1 -1 e)")
    assert not the("susan").is_terminal(slide)


def test_susan_cells_lie_askew() -> None:
    lone = legal("susan", "black", x="d4")
    ways = ("1 0", "0 1", "1 -1", "-1 0", "0 -1", "-1 1")
    assert {turn for turn in lone if turn.startswith("d4")} == {f"d4 ({way} e)" for way in ways}
    assert len(lone) == 36 + 6
    around = {"x": "d4", "o": "c4 d3 d5 e4 e3"}
    position = standing("susan", "white", **around)
    assert winner("susan", after("susan", position, "c5 (0 0 a o)")) == "white"
    assert not the("susan").is_terminal(after("susan", position, "e5 (0 0 a o)"))


def test_teeko_places_all_men_first() -> None:
    rows = "...../...../...../...../bbb.r"
    placing = turns(TEEKO, rows, "black", black={"b": 1}, red={"r": 3})
    assert len(placing) == 21
    assert all(turn.endswith("(0 0 a b)") for turn in placing)
    position = at(TEEKO, rows, "black", black={"b": 1}, red={"r": 3})
    assert winner(TEEKO, after(TEEKO, position, "d1 (0 0 a b)")) == "black"
    moving = legal(TEEKO, "black", b="b2 c2 d1 d2", r="a1 b1 c1 e2")
    assert moving == {
        *("b2 (0 1 e)", "b2 (1 1 e)", "b2 (-1 1 e)", "b2 (-1 0 e)"),
        *("c2 (0 1 e)", "c2 (1 1 e)", "c2 (-1 1 e)"),
        *("d2 (0 1 e)", "d2 (1 1 e)", "d2 (-1 1 e)", "d2 (1 -1 e)", "d1 (1 0 e)"),
    }


def test_teeko_lines_and_squares_win() -> None:
    others = "a1 a3 c1 e1"
    assert winner(TEEKO, standing(TEEKO, "red", b="b2 b3 c2 c3", r=others)) == "black"
    assert winner(TEEKO, standing(TEEKO, "black", r="b1 c2 d3 e4", b=others)) == "red"
    assert winner(TEEKO, standing(TEEKO, "red", b="d2 d3 d4 d5", r=others)) == "black"
    for men in ("b2 b4 d2 d4", "a2 b2 c2 e2", "b2 b3 c2 d3", "d5 e2 e3 e4"):
        assert not the(TEEKO).is_terminal(standing(TEEKO, "red", b=men, r=others))


def test_twelve_mens_morris_mills_take_loose_men() -> None:
    pieces = {"w": "a1 b2 c4", "b": "b6 d6 f6 g4"}
    assert legal("twelve_mens_morris", "white", **pieces) == {
        *("a1 (3 0 e)", "a1 (0 3 e)", "b2 (1 1 e)", "b2 (2 0 e)", "b2 (0 2 e)"),
        *("c4 (0 1 e)", "c4 (-1 0 e)", "c4 (0 -1 e); g4 (0 0 d)"),
    }
    # Where all are in mills any may be taken.
    milled = legal("twelve_mens_morris", "white", w="a1 b2 c4", b="b6 d6 f6")
    assert {turn for turn in milled if ";" in turn} == {
        f"c4 (0 -1 e); {square} (0 0 d)" for square in ("b6", "d6", "f6")
    }


def test_twelve_mens_morris_placing_closes_mills() -> None:
    rows = ".##.##./#.#b#b#/##...##/...#.../##...##/#w#.#.#/w##.##."
    placing = turns("twelve_mens_morris", rows, "white", white={"w": 4}, black={"b": 4})
    assert len(placing) == 20 + 1
    assert {turn for turn in placing if ";" in turn} == {
        "c3 (0 0 a w); d6 (0 0 d)",
        "c3 (0 0 a w); f6 (0 0 d)",
    }
    # Two mills at once take one man.
    rows = ".##.##./#.#b#b#/##w..##/..w#..b/##...##/#w#.#.#/w##.##."
    twice = turns("twelve_mens_morris", rows, "white", white={"w": 1}, black={"b": 0})
    assert {turn for turn in twice if turn.startswith("c3")} == {
        f"c3 (0 0 a w); {square} (0 0 d)" for square in ("d6", "f6", "g4")
    }


def test_twelve_mens_morris_ends() -> None:
    rows = ".##.##./#.#b#b#/##...##/..w#.../##...##/#w#.#.#/w##.##."
    two = at("twelve_mens_morris", rows, "black")
    assert winner("twelve_mens_morris", two) == "white"
    held = at("twelve_mens_morris", rows, "black", black={"b": 1})
    assert not the("twelve_mens_morris").is_terminal(held)
    shut = standing("twelve_mens_morris", "white", w="a1 d1 g1", b="a4 b2 d2 f2 g4")
    assert winner("twelve_mens_morris", shut) == "black"
