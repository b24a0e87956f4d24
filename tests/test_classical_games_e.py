"""Further games of that list of `benchmarks/classical`: counts by hand, positions by hand, play."""

from __future__ import annotations

import random
import re
from itertools import combinations

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

from grl.board import Position

RACING = "racing_kings_mini"
COUNTS = {
    "minishogi": (14, 181, 2512),  # as published
    "oust": (36, 36 * 35),
    "popout": (7, 49, 49 * 8),  # black's first disc stays at the bottom, and may be taken out
    RACING: (12,),  # one of the king, four of the bishop, seven of the knights
    "shisima": (5, 14),  # from the centre three leave black two, the others four each
    "shobu": (4 * (16 + 9 + 9 + 16 + 4 + 4),),  # ahead and aslant, one square and two
    "slimetrail": (8, 56),
    "snort": (36, 4 * 33 + 16 * 32 + 16 * 31),
}
UNLIKE = ("popout", RACING, "slimetrail")
"""Games in which the players don't sit opposite each other."""
ASKEW = ("slimetrail",)
"""Games in which left and right are not alike."""


@pytest.mark.parametrize("name", COUNTS)
def test_first_turns_are_as_many_as_by_hand(name: str) -> None:
    game = the(name)
    assert name.startswith(game.name.replace("-", "_"))
    assert game.provenance
    for depth, count in enumerate(COUNTS[name], 1):
        assert game.perft(game.initial, depth) == count


@pytest.mark.parametrize("name", COUNTS)
def test_random_games_keep_the_contract_of_games(name: str) -> None:
    keeps_the_contract(name, opposite=name not in UNLIKE, even=name not in ASKEW)


def test_popout_takes_own_discs_out_below() -> None:
    position = standing("popout", "white", x="a1 a3 b1", o="a2 c1")
    out = "a1 (0 0 d); a2 (0 -1 e); a3 (0 -1 e)"
    drops = {f"{square} (0 0 a x)" for square in ("a4", "b2", "c2", "d1", "e1", "f1", "g1")}
    assert set(the("popout").legal(position)) == drops | {out, "b1 (0 0 d)"}
    assert contents(after("popout", position, out)) == {"a1": "o", "a2": "x", "b1": "x", "c1": "o"}
    full = legal("popout", "black", x="a1 a2 a5 a6", o="a3 a4")
    assert full == {f"{file}1 (0 0 a o)" for file in "bcdefg"}


def test_popout_fours_win_whoever_made_them() -> None:
    four = standing("popout", "white", x="a1 b2 c3 d3", o="b1 c1 c2 d1 d2")
    assert winner("popout", after("popout", four, "d4 (0 0 a x)")) == "white"
    given = standing("popout", "white", x="a1 d2", o="a2 b1 c1 d1")
    assert winner("popout", after("popout", given, "a1 (0 0 d); a2 (0 -1 e)")) == "black"
    gap = standing("popout", "white", x="a1 b1 c1 e1", o="a2 b2 c2 f1")
    assert not the("popout").is_terminal(gap)


def test_popout_who_moved_wins_with_two_fours() -> None:
    out = "a1 (0 0 d); a2 (0 -1 e); a3 (0 -1 e)"
    one, other = "a1 a3 b2 c2 d2", "a2 b1 c1 d1"
    white = standing("popout", "white", x=one, o=other)
    assert winner("popout", after("popout", white, out)) == "white"
    black = standing("popout", "black", o=one, x=other)
    assert winner("popout", after("popout", black, out)) == "black"


def test_oust_stones_without_a_larger_group() -> None:
    found = legal("oust", "black", x="c3", o="d3 e3")
    assert len(found) == 36 - 3 - 3
    assert not any(turn[:2] in {"b3", "c2", "c4"} or ";" in turn for turn in found)
    assert "f3 (0 0 a x)" in found
    assert "b1 (0 0 a x)" not in legal("oust", "black", x="a1", o="f6")


def test_oust_larger_groups_take_all_that_they_touch() -> None:
    taking = "a3 (0 0 a x); d3 (0 0 d); e3 (0 0 d)"
    position = standing("oust", "black", x="b3 c3", o="a6 d3 e3")
    following = after("oust", position, taking)
    assert following.to_move == "black"
    assert contents(following) == {"a3": "x", "b3": "x", "c3": "x", "a6": "o"}
    last = standing("oust", "black", x="b3 c3", o="d3 e3")
    assert winner("oust", after("oust", last, taking)) == "black"
    # One of the groups touched is as large: then nothing is taken.
    held = legal("oust", "black", x="b3 c3", o="d3 e3 c4 c5 c6")
    assert not any(";" in turn or turn.startswith("a3") for turn in held)
    joined = legal("oust", "white", o="b3 d3", x="c4 d2 e2 f6")
    assert "c3 (0 0 a o); d2 (0 0 d); e2 (0 0 d); c4 (0 0 d)" in joined


def test_oust_passes_and_first_stones() -> None:
    position = at("oust", ["oooxx.", *["oooxxx"] * 5], "black")
    assert the("oust").legal(position) == ["pass"]
    passed = after("oust", position, "pass")
    assert passed.to_move == "white"
    assert the("oust").legal(passed) == ["f6 (0 0 a o)"]
    first = after("oust", the("oust").initial, "c3 (0 0 a x)")
    assert first.to_move == "white"
    assert not the("oust").is_terminal(first)


def test_racing_kings_mini_gives_no_check() -> None:
    assert legal(RACING, "white", K="a1", R="c1", k="f3") == {
        *("a1 (1 0 e)", "a1 (0 1 e)", "a1 (1 1 e)"),
        *("c1 (-1 0 e)", "c1 (1 0 e)", "c1 (1 0 e) (1 0 e)"),
        *("c1" + " (0 1 e)" * far for far in (1, 3, 4, 5)),
    }
    # Nor does a piece step away from before one's own king, or the opponent's.
    assert not any(t[:2] == "b1" for t in legal(RACING, "white", K="a1", N="b1", r="e1", k="f3"))
    assert not any(t[:2] == "d3" for t in legal(RACING, "white", K="a1", N="d3", R="b3", k="f3"))


def test_racing_kings_mini_black_may_draw_level() -> None:
    position = standing(RACING, "white", K="b5", k="e5")
    reached = after(RACING, position, "b5 (0 1 e)")
    assert not the(RACING).is_terminal(reached)
    assert winner(RACING, after(RACING, reached, "e5 (0 1 e)")) is None
    assert winner(RACING, after(RACING, reached, "e5 (1 0 e)")) == "white"
    late = standing(RACING, "white", K="b5", k="e4")
    assert winner(RACING, after(RACING, late, "b5 (0 1 e)")) == "white"
    assert winner(RACING, standing(RACING, "black", K="a6", R="c6", k="e5")) == "white"
    first = standing(RACING, "black", K="b5", k="e5")
    assert winner(RACING, after(RACING, first, "e5 (0 1 e)")) == "black"


def test_racing_kings_mini_no_turn_draws() -> None:
    assert winner(RACING, standing(RACING, "black", k="a1", K="c2", N="c3")) is None


def test_minishogi_steps_and_slides() -> None:
    king = {"a1 (1 0 e)", "a1 (0 1 e)", "a1 (1 1 e)"}
    slants = {f"c3 ({x} {y} e)" for x in (1, -1) for y in (1, -1)}
    straight = {f"c3 ({way} e)" for way in ("1 0", "0 1", "-1 0", "0 -1")}
    twice = {f"{turn} {turn.removeprefix('c3 ')}" for turn in straight}
    dragon = legal("minishogi", "white", K="a1", D="c3", k="e5")
    assert dragon == king | straight | slants | twice
    gold = straight | {"c3 (1 1 e)", "c3 (-1 1 e)"}
    for key in "GNT":
        assert legal("minishogi", "white", K="a1", k="e5", **{key: "c3"}) == king | gold
    assert legal("minishogi", "white", K="a1", S="c3", k="e5") == king | slants | {"c3 (0 1 e)"}
    far = {f"{turn} {turn.removeprefix('c3 ')}" for turn in slants} - {"c3 (-1 -1 e) (-1 -1 e)"}
    horse = legal("minishogi", "white", K="a1", H="c3", k="e4")
    assert horse == king | straight | slants | far


def test_minishogi_promotes_to_and_from_the_far_rank() -> None:
    king = {"a1 (1 0 e)", "a1 (0 1 e)", "a1 (1 1 e)"}
    ways = {"c4 (0 1 e)", "c4 (1 1 e)", "c4 (-1 1 e)"}
    assert legal("minishogi", "white", K="a1", S="c4", k="e3") == {
        *(king | ways | {f"{turn} (0 0 a N)" for turn in ways}),
        *("c4 (1 -1 e)", "c4 (-1 -1 e)"),
    }
    back = {"c5 (1 -1 e)", "c5 (-1 -1 e)"}
    assert legal("minishogi", "white", K="a1", S="c5", k="e3") == {
        *(king | back | {f"{turn} (0 0 a N)" for turn in back}),
    }
    assert legal("minishogi", "white", K="a1", P="c4", t="c5", k="e3") == king | {
        "c4 (0 1 p) (0 0 r P) (0 0 a T)",
    }
    black = legal("minishogi", "black", K="c3", r="b2", k="e5")
    assert {"b2 (0 -1 e)", "b2 (0 -1 e) (0 0 a d)", "b2 (1 0 e)"} <= black
    assert "b2 (1 0 e) (0 0 a d)" not in black


def test_minishogi_what_is_taken_changes_hands() -> None:
    position = standing("minishogi", "white", K="a1", G="c2", d="c3", k="e5")
    taken = after("minishogi", position, "c2 (0 1 p) (0 0 r R)")
    assert taken.reserve["white"] == {"B": 0, "G": 0, "P": 0, "R": 1, "S": 0}


def test_minishogi_puts_pawns_down() -> None:
    rows = "..T.k/...../...../..P../K...."
    found = turns("minishogi", rows, "white", white={"P": 1, "S": 1})
    pawns = {turn[:2] for turn in found if "a P" in turn}
    assert len([turn for turn in found if "a S" in turn]) == 25 - 4
    # Neither on the far rank nor in the pawn's file.
    assert pawns == {f"{x}{y}" for x in "abde" for y in (1, 2, 3, 4)} - {"a1"}
    other = turns("minishogi", "..T.k/...../...../...../K....", "white", white={"P": 1})
    assert "c2 (0 0 a P)" in other


def test_minishogi_no_pawn_put_down_mates() -> None:
    rows = "....k/..S../...G./...../K...."
    found = turns("minishogi", rows, "white", white={"P": 1, "G": 1})
    assert "e4 (0 0 a P)" not in found
    assert "e3 (0 0 a P)" in found
    position = at("minishogi", rows, "white", white={"P": 1, "G": 1})
    assert winner("minishogi", after("minishogi", position, "e4 (0 0 a G)")) == "white"
    loose = turns("minishogi", "....k/...../...G./...../K....", "white", white={"P": 1})
    assert "e4 (0 0 a P)" in loose
    # A pawn that steps there may mate.
    stepping = standing("minishogi", "white", K="a1", S="c4", G="d3", P="e3", k="e5")
    assert winner("minishogi", after("minishogi", stepping, "e3 (0 1 e)")) == "white"


def test_minishogi_checks_are_met() -> None:
    found = turns("minishogi", "r...k/...../...../...../K....", "white", white={"G": 1})
    assert found == {
        *("a1 (1 0 e)", "a1 (1 1 e)"),
        *("a2 (0 0 a G)", "a3 (0 0 a G)", "a4 (0 0 a G)"),
    }
    mated = standing("minishogi", "black", k="e5", K="a1", G="e4", R="e1")
    assert winner("minishogi", mated) == "white"
    shut = standing("minishogi", "black", k="e5", K="c4", R="d1", S="e3")
    assert winner("minishogi", shut) == "white"


def spelled(position: Position, turn: str) -> str:
    """A turn as ``a2a3``, ``a4a5+`` or ``P@c3``."""
    if " (0 0 a " in turn and turn.count("(") == 1:
        return f"{turn[-2].upper()}@{turn[:2]}"
    plain = re.sub(r" \(0 0 r .\)", "", turn)
    text = coordinates(position, plain)
    return text[:4] + "+" * (len(text) > 4)


RACING_VARIANT = """
[racingkingsmini:racingkings]
maxFile = f
maxRank = 6
startFen = 6/6/6/6/kbnNBK/qrnNRQ w - - 0 1
flagRegionWhite = *6
flagRegionBlack = *6
"""


@pytest.mark.parametrize("name", ["minishogi", RACING])
def test_agrees_with_fairy_stockfish(name: str) -> None:
    fish = pytest.importorskip("pyffish")
    fish.load_variant_config(RACING_VARIANT)
    variant, game, chance = name.replace("_", ""), the(name), random.Random(name)
    start = fish.start_fen(variant)
    rows = "/".join(game.initial.rows)
    assert re.split(r"[ \[]", start)[0] == re.sub(r"\.+", lambda gap: str(len(gap[0])), rows)
    for _ in range(3):
        position = game.initial
        moves: list[str] = []
        for _ in range(80):
            found = {spelled(position, turn): turn for turn in game.legal(position)}
            if not found:
                break
            theirs = set(fish.legal_moves(variant, start, moves))
            assert set(found) <= theirs
            # It lists pawns put down as mate, and counts them as lost.
            for mate in theirs - set(found):
                assert mate.startswith("P@")
                assert not fish.legal_moves(variant, start, [*moves, mate])
            moves.append(chance.choice(sorted(found)))
            position = game.play(position, found[moves[-1]])


def test_slimetrail_leaves_slime() -> None:
    position = after("slimetrail", the("slimetrail").initial, "e5 (-1 1 e); e5 (0 0 a x)")
    assert contents(position) == {"d6": "s", "e5": "x"}
    ways = ("1 0", "0 1", "1 1", "-1 1", "-1 -1", "-1 0", "0 -1")
    assert set(the("slimetrail").legal(position)) == {f"d6 ({way} e); d6 (0 0 a x)" for way in ways}


def test_slimetrail_homes_win_for_their_owners() -> None:
    for mover in ("white", "black"):
        low = standing("slimetrail", mover, s="b2", x="e5")
        assert winner("slimetrail", after("slimetrail", low, "b2 (-1 -1 e); b2 (0 0 a x)")) == (
            "white"
        )
        high = standing("slimetrail", mover, s="f7", x="e5")
        assert winner("slimetrail", after("slimetrail", high, "f7 (1 0 e); f7 (0 0 a x)")) == (
            "black"
        )
    for corner in ("a7", "g1"):
        assert not the("slimetrail").is_terminal(standing("slimetrail", "white", s=corner))


def test_slimetrail_ends_without_a_turn() -> None:
    shut = {"s": "a7", "x": "a6 b6 b7"}
    assert winner("slimetrail", standing("slimetrail", "white", **shut)) == "black"
    assert winner("slimetrail", standing("slimetrail", "black", **shut)) == "white"


def test_shobu_pushes_one_stone() -> None:
    pieces = {"b": "a1 f1 a6 f6", "w": "d1 f2 d6 f8 f9"}
    found = legal("shobu", "black", **pieces)
    one, two = "a1 (0 1 e)", "a1 (0 1 e) (0 1 e)"
    assert {turn for turn in found if turn.startswith(f"{one};")} == {
        f"{one}; f2 (0 1 e); f1 (0 1 e)",
        f"{one}; f6 (0 1 e)",
    }
    # In front of f8 stands f9.
    far = f"{two}; f2 (0 1 e) (0 1 e); f1 (0 1 e) (0 1 e)"
    assert {turn for turn in found if turn.startswith(f"{two};")} == {far}
    end = contents(after("shobu", standing("shobu", "black", **pieces), far))
    assert {square for square, key in end.items() if key == "b"} == {"a3", "f3", "a6", "f6"}
    assert {square for square, key in end.items() if key == "w"} == {"d1", "d6", "f4", "f8", "f9"}
    # A passive move pushes nothing.
    assert not any(turn.startswith("f1 (0 1 e)") for turn in found)
    assert "f1 (1 0 e); a1 (1 0 e)" in found


def test_shobu_pushes_off_the_board() -> None:
    two = "a1 (0 1 e) (0 1 e)"
    pieces = {"b": "a1 f2 a6 f6", "w": "d1 f3 d6 i9"}
    position = standing("shobu", "black", **pieces)
    off = f"{two}; f3 (0 0 d); f2 (0 1 e) (0 1 e)"
    assert winner("shobu", after("shobu", position, off)) == "black"
    pieces["w"] += " i4"
    assert not the("shobu").is_terminal(after("shobu", standing("shobu", "black", **pieces), off))


@pytest.mark.parametrize(
    "pieces",
    [
        {"b": "a1 f1 a6 i9", "w": "d1 f2 f3 d6 f9"},  # two stones
        {"b": "a1 f1 f3 a6 i9", "w": "d1 f2 d6 f9"},  # an own one behind
        {"b": "a1 f1 f2 a6 i9", "w": "d1 f3 f4 d6 f9"},  # an own one, and one to f4
    ],
)
def test_shobu_pushes_nothing_else(pieces: dict[str, str]) -> None:
    found = legal("shobu", "black", **pieces)
    assert not any(turn.startswith("a1 (0 1 e) (0 1 e);") for turn in found)


def test_shobu_homes_and_colours() -> None:
    pieces = {"b": "b2 g2 b7 g7", "w": "d4 i4 d9 i9"}
    for mover, homes in (("black", {"b2", "g2"}), ("white", {"d9", "i9"})):
        moves = [turn.split("; ") for turn in legal("shobu", mover, **pieces)]
        assert {move[0][:2] for move in moves} == homes
        assert all((move[0] < "e") != (move[-1] < "e") for move in moves)
        ranks = {"2", "7"} if mover == "black" else {"4", "9"}
        assert {move[-1][1] for move in moves} == ranks


def test_shobu_ends_without_a_turn() -> None:
    shut = standing("shobu", "black", b="a1 f1 a6 f6", w="a2 b1 b2 f2 g1 g2 d9 i9")
    assert winner("shobu", shut) == "white"


def test_snort_keeps_apart_along_the_lines() -> None:
    found = legal("snort", "white", b="a1")
    assert len(found) == 33
    assert "b2 (0 0 a w)" in found
    assert len(legal("snort", "black", b="a1")) == 35
    assert winner("snort", at("snort", ["wwwwww"] * 5 + ["wwwww."], "black")) == "white"
    assert legal("snort", "white", w="a1", b="c1") == {
        f"{x}{y} (0 0 a w)" for x in "abcdef" for y in range(1, 7)
    } - {f"{square} (0 0 a w)" for square in ("a1", "b1", "c1", "d1", "c2")}


def test_shisima_goes_along_the_circle_and_through_the_centre() -> None:
    assert legal("shisima", "white", w="a2 b1 c3", b="a3 b3 c1") == {
        *("a2 (0 -1 e)", "a2 (1 0 e)", "b1 (-1 0 e)", "b1 (0 1 e)"),
        *("c3 (0 -1 e)", "c3 (-1 -1 e)"),
    }
    assert legal("shisima", "black", w="a1 b1 c1", b="b2 b3 c3") == {
        *("b2 (-1 0 e)", "b2 (1 0 e)", "b2 (-1 1 e)"),
        *("b3 (-1 0 e)", "c3 (0 -1 e)"),
    }


def test_shisima_lines_run_through_the_centre() -> None:
    position = standing("shisima", "white", w="a1 c2 c3", b="a2 a3 b1")
    assert winner("shisima", after("shisima", position, "c2 (-1 0 e)")) == "white"
    assert winner("shisima", standing("shisima", "white", w="a1 c2 c3", b="b1 b2 b3")) == "black"
    assert not the("shisima").is_terminal(standing("shisima", "black", w="a1 a2 a3", b="c1 c2 c3"))


def test_shisima_has_a_turn_until_it_is_over() -> None:
    game = the("shisima")
    names = [f"{x}{y}" for x in "abc" for y in (1, 2, 3)]
    for white in combinations(names, 3):
        for black in combinations(sorted(set(names) - set(white)), 3):
            pieces = {"w": " ".join(white), "b": " ".join(black)}
            position = standing("shisima", "white", **pieces)
            lines = ("a1 b2 c3", "a3 b2 c1", "b1 b2 b3", "a2 b2 c2")
            won = any(set(line.split()) in (set(white), set(black)) for line in lines)
            assert game.is_terminal(position) == won
