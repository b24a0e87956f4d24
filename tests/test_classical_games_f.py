"""Games of a fifth list of `benchmarks/classical`: counts by hand, positions by hand, play."""

from __future__ import annotations

import random

import pytest
from classical_boards import (
    after,
    at,
    contents,
    keeps_the_contract,
    legal,
    standing,
    the,
    winner,
)

ANTICHESS, ARD_RI, BREAKTHRU, DABLOT = "antichess_mini", "ard_ri", "breakthru", "dablot_prejjesne"
DOTS, ITALIAN, JANGGI, Y = "dots_and_boxes", "italian_draughts", "janggi_mini", "y_game"
COUNTS = {
    ANTICHESS: (7, 15, 37),  # as Fairy-Stockfish has it on 5 x 5
    ARD_RI: (4 * 6, 4 * (4 * 8 + 2 * 7)),
    BREAKTHRU: (4 * 6, 4 * (4 * 18 + 2 * 16)),
    DABLOT: (9,),  # two of the king, one of the prince, six of the warriors
    DOTS: (24, 24 * 23, 24 * 23 * 22),
    ITALIAN: (7, 49, 302),  # as in checkers
    JANGGI: (21, 441),  # as Fairy-Stockfish has it on 7 x 7
    Y: (21, 21 * 20),
}
UNLIKE = (ARD_RI, BREAKTHRU, Y)
"""Games in which the players don't sit opposite each other."""
ASKEW = (Y,)
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


def of(square: str, found: set[str]) -> set[str]:
    """The turns that begin on a square, without its name."""
    return {turn.removeprefix(f"{square} ") for turn in found if turn.startswith(f"{square} ")}


def again(letter: str, times: int) -> set[str]:
    """A letter once, twice … so many times."""
    return {" ".join([letter] * number) for number in range(1, times + 1)}


def jumped(*directions: str) -> str:
    """The letters of jumps that take, without the space in front."""
    return " ".join(f"({way} p) (0 0 d) ({way} e)" for way in directions)


def test_ard_ri_goes_one_square_and_only_the_king_onto_the_throne() -> None:
    assert legal(ARD_RI, "defenders", k="d5", d="c4", a="a1") == {
        *("d5 (1 0 e)", "d5 (-1 0 e)", "d5 (0 1 e)", "d5 (0 -1 e)"),
        *("c4 (-1 0 e)", "c4 (0 1 e)", "c4 (0 -1 e)"),
    }


def test_ard_ri_takes_between_two() -> None:
    assert "b5 (1 0 e); c4 (0 0 d); c6 (0 0 d)" in legal(
        ARD_RI, "attackers", a="b5 c3 c7", d="c4 c6", k="f3"
    )
    # The king helps, whether he moves or not.
    assert "b5 (1 0 e); c4 (0 0 d)" in legal(ARD_RI, "defenders", d="b5", k="c3", a="c4")
    assert "b3 (1 0 e); c4 (0 0 d)" in legal(ARD_RI, "defenders", d="c5", k="b3", a="c4")
    # The throne and the edge don't, and who goes between two is safe.
    assert "d7 (0 -1 e)" in legal(ARD_RI, "attackers", a="d7", d="d5", k="f2")
    assert "c2 (-1 0 e)" in legal(ARD_RI, "attackers", a="c2", d="a2", k="f2")
    assert "c4 (0 1 e)" in legal(ARD_RI, "defenders", a="b5 d5", d="c4", k="e2")


@pytest.mark.parametrize(
    ("king", "sides", "turn"),
    [
        ("c5", "b5 c6 d5 b4", "b4 (1 0 e); c5 (0 0 d)"),
        ("d4", "c4 d5 e4 c3", "c3 (1 0 e); d4 (0 0 d)"),
    ],
)
def test_ard_ri_takes_the_king_with_four(king: str, sides: str, turn: str) -> None:
    position = standing(ARD_RI, "attackers", k=king, d="f6", a=sides)
    assert winner(ARD_RI, after(ARD_RI, position, turn)) == "attackers"
    three = standing(ARD_RI, "attackers", k=king, d=sides[:2], a=sides[3:])
    assert turn[:10] in the(ARD_RI).legal(three)


def test_ard_ri_spares_the_king_beside_the_throne() -> None:
    assert "d3 (1 0 e)" in legal(ARD_RI, "attackers", k="e4", a="d3 e5 f4")
    assert "e5 (-1 0 e)" in legal(ARD_RI, "attackers", k="c5", a="b5 e5")


def test_ard_ri_ends_on_the_edge_or_without_a_turn() -> None:
    edge = standing(ARD_RI, "defenders", k="b5", a="g1 g2")
    assert winner(ARD_RI, after(ARD_RI, edge, "b5 (-1 0 e)")) == "defenders"
    assert winner(ARD_RI, standing(ARD_RI, "attackers", k="d4", d="c4")) == "defenders"
    assert winner(ARD_RI, standing(ARD_RI, "attackers", k="c4", d="a2 b1", a="a1")) == "defenders"


def test_breakthru_moves_straight_and_takes_aslant() -> None:
    found = legal(BREAKTHRU, "gold", f="d4", g="b2", s="c3 f6")
    assert of("d4", found) == {
        "(-1 -1 p)",
        *(again("(1 0 e)", 3) | again("(-1 0 e)", 3)),
        *(again("(0 1 e)", 3) | again("(0 -1 e)", 3)),
    }
    # There is no second ship to move.
    assert of("b2", found) == {
        *("(1 1 p)", "(-1 0 e)", "(0 -1 e)"),
        *(again("(1 0 e)", 5) | again("(0 1 e)", 5)),
    }
    assert len(found) == 13 + 13
    assert "c3 (1 1 p)" in legal(BREAKTHRU, "silver", f="d4", g="b2", s="c3 f6")


def test_breakthru_moves_two_ships() -> None:
    position = standing(BREAKTHRU, "gold", f="d4", g="a1 a2 g7", s="d1 f6")
    half = after(BREAKTHRU, position, "a2 (1 0 e) (0 0 a G)")
    assert half.to_move == "gold"
    found = set(the(BREAKTHRU).legal(half))
    assert {turn[:2] for turn in found} == {"a1", "g7"}
    assert all(turn.endswith("e); b2 (0 0 a g)") for turn in found)
    assert len(found) == 2 + 6 + 6 + 6  # a1 right and up, g7 left and down
    done = after(BREAKTHRU, half, "a1 (0 1 e); b2 (0 0 a g)")
    assert done.to_move == "silver"
    assert contents(done) == {"d4": "f", "a2": "g", "b2": "g", "g7": "g", "d1": "s", "f6": "s"}


def test_breakthru_takes_or_moves_the_flagship_and_nothing_else() -> None:
    position = standing(BREAKTHRU, "gold", f="d4", g="a1 a2 g7", s="d1 f6")
    for turn in ("g7 (-1 -1 p)", "d4 (0 1 e)"):
        assert after(BREAKTHRU, position, turn).to_move == "silver"


def test_breakthru_moves_one_ship_where_no_other_can() -> None:
    position = standing(BREAKTHRU, "silver", f="d4", g="a2 b1 e6", s="a1 g7")
    assert of("a1", set(the(BREAKTHRU).legal(position))) == set()
    moved = after(BREAKTHRU, position, "g7 (0 -1 e)")
    assert moved.to_move == "gold"
    # A ship that leaves the way lets another one move.
    freeing = legal(BREAKTHRU, "silver", f="d4", g="a2", s="a1 b1")
    assert "b1 (1 0 e) (0 0 a S)" in freeing


def test_breakthru_ends_with_the_flagship() -> None:
    edge = standing(BREAKTHRU, "gold", f="d4", g="b2", s="c3")
    assert winner(BREAKTHRU, after(BREAKTHRU, edge, "d4" + " (0 1 e)" * 3)) == "gold"
    taking = standing(BREAKTHRU, "gold", f="b4", s="a5 g7")
    assert winner(BREAKTHRU, after(BREAKTHRU, taking, "b4 (-1 1 p)")) == "gold"
    taken = standing(BREAKTHRU, "silver", f="b4", g="a1", s="a5")
    assert winner(BREAKTHRU, after(BREAKTHRU, taken, "a5 (1 -1 p)")) == "silver"
    assert winner(BREAKTHRU, standing(BREAKTHRU, "silver", f="b4")) == "gold"
    inside = standing(BREAKTHRU, "gold", f="b4", g="a1", s="a7")
    assert not the(BREAKTHRU).is_terminal(inside)


def test_dablot_goes_along_the_lines() -> None:
    aslant = {f"({x} {y} e)" for x in (1, -1) for y in (1, -1)}
    straight = {"(2 0 e)", "(-2 0 e)", "(0 2 e)", "(0 -2 e)"}
    found = legal(DABLOT, "white", w="c3", p="d6", k="e7", W="a1")
    assert of("c3", found) == straight | aslant
    assert of("d6", found) == aslant - {"(1 1 e)"}
    assert of("e7", found) == straight | aslant - {"(-1 -1 e)"}
    corner = {"a1 (2 0 e)", "a1 (0 2 e)", "a1 (1 1 e)"}
    assert legal(DABLOT, "black", w="c3", W="a1") == corner


def test_dablot_takes_no_higher_rank() -> None:
    for rank, taken in (("w", "W"), ("p", "WP"), ("k", "WPK")):
        for foe in "WPK":
            found = of(
                "c3", legal(DABLOT, "white", **{"w": "g1", "W": "g9", rank: "c3", foe: "d4"})
            )
            assert len(found) == 7 + (foe in taken)  # nobody has to take
            assert (jumped("1 1") in found) == (foe in taken)


def test_dablot_jumps_on_as_it_likes() -> None:
    found = of("c3", legal(DABLOT, "white", w="c3", W="d4 d6 a7 g7"))
    assert {turn for turn in found if "p)" in turn} == {jumped("1 1"), jumped("1 1", "-1 1")}
    straight = of("a1", legal(DABLOT, "white", w="a1", W="c1 e3"))
    assert jumped("2 0", "0 2") in straight
    assert jumped("2 0") in straight
    # Round a square and back: what it takes on the way is gone.
    ring = of("c3", legal(DABLOT, "white", k="c3", W="d4 d6 b6 b4"))
    assert jumped("1 1", "-1 1", "-1 -1", "1 -1") in ring
    assert jumped("-1 1", "1 1", "1 -1", "-1 -1") not in ring  # the same, another way round
    assert not any("p)" in turn for turn in legal(DABLOT, "white", w="a1", W="c1 e1 a3 a5"))


def test_dablot_ends() -> None:
    kings = standing(DABLOT, "white", k="c3", W="d4", K="g9")
    alone = after(DABLOT, kings, f"c3 {jumped('1 1')}")
    assert winner(DABLOT, alone) is None
    last = standing(DABLOT, "white", k="c3", p="a1", W="d4")
    assert winner(DABLOT, after(DABLOT, last, f"c3 {jumped('1 1')}")) == "white"
    shut = standing(DABLOT, "white", w="a1", K="b2", P="a3 c1")
    assert winner(DABLOT, shut) == "black"
    assert winner(DABLOT, standing(DABLOT, "white", k="a1", W="b2 c3 a3 a5 c1 e1")) == "black"
    assert not the(DABLOT).is_terminal(standing(DABLOT, "white", k="c3", K="g9", W="g1"))


def test_janggi_palaces() -> None:
    corner = {"c1 (1 0 e)", "c1 (0 1 e)", "c1 (1 1 e)", "pass"}
    assert legal(JANGGI, "cho", K="c1", k="e7") == corner
    assert of("d1", legal(JANGGI, "cho", K="d1", k="e7")) == {"(1 0 e)", "(-1 0 e)", "(0 1 e)"}
    guard = of("e3", legal(JANGGI, "cho", K="c1", G="e3", k="d7"))
    assert guard == {"(-1 0 e)", "(0 -1 e)", "(-1 -1 e)"}
    middle = of("d6", legal(JANGGI, "han", K="c1", k="d6"))
    assert middle == {f"({x} {y} e)" for x in (-1, 0, 1) for y in (-1, 0, 1)} - {"(0 0 e)"}


def test_janggi_chariots_and_soldiers_go_along_the_diagonals() -> None:
    found = of("c5", legal(JANGGI, "cho", K="d1", R="c5", k="e6"))
    assert {"(1 1 e)", "(1 1 e) (1 1 e)"} < found
    assert not any(turn.startswith(("(-1 ", "(1 -1")) and "0 e" not in turn for turn in found)
    assert of("c5", legal(JANGGI, "cho", K="d1", S="c5", k="e6")) == {
        *("(0 1 e)", "(1 0 e)", "(-1 0 e)", "(1 1 e)")
    }
    assert of("d5", legal(JANGGI, "cho", K="d1", S="d5", k="e6")) == {
        *("(0 1 e)", "(1 0 e)", "(-1 0 e)")
    }
    assert of("c7", legal(JANGGI, "cho", K="d1", S="c7", k="e6")) == {"(1 0 e)", "(-1 0 e)"}
    assert of("d6", legal(JANGGI, "cho", K="d1", S="d6", k="e5", r="e7")) == {
        *("(0 1 e)", "(1 0 e)", "(-1 0 e)", "(1 1 p)", "(-1 1 e)")
    }


def test_janggi_cannons_jump_one_piece_but_no_cannon() -> None:
    over = "(0 1 e) (0 1 w)"
    found = of("b1", legal(JANGGI, "cho", K="d1", C="b1", S="b3", s="b6", k="e7"))
    assert {turn for turn in found if turn.startswith("(0 1")} == {
        *(f"{over} (0 1 e)", f"{over} (0 1 e) (0 1 e)"),
        f"{over} (0 1 e) (0 1 e) (0 1 p)",
    }
    assert "(1 0 e) (1 0 w) (1 0 e)" in found
    assert len(found) == 3 + 3
    assert of("b1", legal(JANGGI, "cho", K="d2", C="b1", c="b3", s="b6", k="e7")) == set()
    shielded = of("b1", legal(JANGGI, "cho", K="d2", C="b1", S="b3", c="b5", k="e7"))
    assert shielded == {f"{over} (0 1 e)"}
    aslant = of("c5", legal(JANGGI, "cho", K="d1", C="c5", R="d6", k="e6"))
    assert "(1 1 w) (1 1 e)" in aslant
    assert "(1 1 w) (1 1 e)" not in of("c5", legal(JANGGI, "cho", K="d1", C="c5 d6", k="e6"))


def test_janggi_horses_and_elephants_are_hobbled() -> None:
    horse = of("c4", legal(JANGGI, "cho", K="d1", H="c4", S="c5", s="b5", k="e7"))
    assert horse == {
        *("(1 0 e) (1 1 e)", "(1 0 e) (1 -1 e)", "(-1 0 e) (-1 -1 e)", "(-1 0 e) (-1 1 e)"),
        *("(0 -1 e) (1 -1 e)", "(0 -1 e) (-1 -1 e)"),
    }
    elephant = {
        *("(0 1 e) (1 1 e) (1 1 e)", "(0 1 e) (-1 1 e) (-1 1 e)"),
        *("(0 -1 e) (1 -1 e) (1 -1 e)", "(0 -1 e) (-1 -1 e) (-1 -1 e)"),
        *("(1 0 e) (1 1 e) (1 1 e)", "(1 0 e) (1 -1 e) (1 -1 e)"),
        *("(-1 0 e) (-1 1 e) (-1 1 e)", "(-1 0 e) (-1 -1 e) (-1 -1 e)"),
    }
    pieces = {"K": "d1", "E": "d4", "k": "d7"}
    assert of("d4", legal(JANGGI, "cho", **pieces)) == elephant
    blocked = of("d4", legal(JANGGI, "cho", **pieces, s="e6 c4 f7"))
    assert blocked == {turn for turn in elephant if not turn.startswith(("(0 1 e) (1", "(-1 "))}


def test_janggi_a_check_must_be_met() -> None:
    assert legal(JANGGI, "cho", K="d1", r="d5", k="e7") == {"d1 (1 0 e)", "d1 (-1 0 e)"}
    # The soldier is what the cannon needs to jump.
    screened = legal(JANGGI, "cho", K="d1", S="d3", c="d5", k="e7")
    assert screened == {f"d{y} ({x} 0 e)" for y in (1, 3) for x in (1, -1)}
    pinned = legal(JANGGI, "cho", K="d1", G="d2", r="d5", k="e7")
    assert "pass" in pinned
    assert of("d2", pinned) == {"(0 1 e)"}


def test_janggi_ends_with_mate_alone() -> None:
    assert winner(JANGGI, standing(JANGGI, "cho", K="c1", r="c5 d4", k="e7")) == "han"
    assert legal(JANGGI, "cho", K="c1", r="a2 d4", k="e7") == {"pass"}
    assert "pass" in legal(JANGGI, "cho", K="d1", k="d7")  # facing generals
    position = standing(JANGGI, "cho", K="c1", r="a2 d4", k="e7")
    assert after(JANGGI, position, "pass").to_move == "han"


def test_antichess_takes_whatever_it_can() -> None:
    assert legal(ANTICHESS, "white", R="a1", P="c2 e2", n="b3") == {"c2 (-1 1 p)"}
    assert legal(ANTICHESS, "white", R="a1", K="e1", k="a3", p="c3") == {"a1 (0 1 e) (0 1 p)"}
    both = legal(ANTICHESS, "black", q="c3", P="c1 a3", K="e5")
    ways = ("(0 -1 e) (0 -1 p)", "(-1 0 e) (-1 0 p)", "(1 1 e) (1 1 p)")
    assert both == {f"c3 {way}" for way in ways}
    assert legal(ANTICHESS, "white", K="a1", r="b5") == {
        *("a1 (1 0 e)", "a1 (0 1 e)", "a1 (1 1 e)")
    }


def test_antichess_promotes_to_a_king_too() -> None:
    assert legal(ANTICHESS, "white", P="a4", r="e5") == {f"a4 (0 1 e) (0 0 a {k})" for k in "QRBNK"}
    assert legal(ANTICHESS, "black", p="a2", R="b1") == {
        f"a2 (1 -1 p) (0 0 a {k})" for k in "qrbnk"
    }


def test_antichess_is_won_without_a_piece_or_a_turn() -> None:
    position = standing(ANTICHESS, "white", R="a1", k="a3")
    taken = after(ANTICHESS, position, "a1 (0 1 e) (0 1 p)")
    assert winner(ANTICHESS, taken) == "black"
    assert winner(ANTICHESS, standing(ANTICHESS, "white", P="a2", p="a3")) == "white"
    assert not the(ANTICHESS).is_terminal(standing(ANTICHESS, "white", P="a2", b="a3", K="e1"))


def test_y_joins_three_sides() -> None:
    position = standing(Y, "white", w="a3 b2 b3 c1 c3", b="a1 b1 f1")
    assert winner(Y, after(Y, position, "c4 (0 0 a w)")) == "white"
    edge = standing(Y, "black", b="a1 b1 c1 d1 e1", w="a2 b2 c2")
    assert winner(Y, after(Y, edge, "f1 (0 0 a b)")) == "black"
    # b2 and c3 do not touch, and two sides are not enough.
    assert not the(Y).is_terminal(standing(Y, "black", w="a3 b2 c1 c3 c4"))
    assert not the(Y).is_terminal(standing(Y, "black", w="b1 b2 b3 b4 b5"))
    assert len(legal(Y, "black", w="a3 b2 c1", b="c3")) == 21 - 4


def test_y_full_boards_have_one_winner() -> None:
    names, chance = (
        [f"{'abcdef'[x]}{y + 1}" for x in range(6) for y in range(6 - x)],
        random.Random(6),
    )
    for _ in range(50):
        chance.shuffle(names)
        boards = [" ".join(names[:11]), " ".join(names[11:])]
        one = standing(Y, "white", w=boards[0], b=boards[1])
        swapped = standing(Y, "white", w=boards[1], b=boards[0])
        assert {winner(Y, one), winner(Y, swapped)} == {"white", "black"}


def test_dots_and_boxes_closes_and_goes_on() -> None:
    position = standing(DOTS, "first", **{"-": "b1 b3 d1 d3", "|": "a2 e2"})
    both = "c2 (0 0 a |); b2 (0 0 a A); d2 (0 0 a A)"
    closed = after(DOTS, position, both)
    assert closed.to_move == "first"
    assert contents(closed).items() >= {"b2": "A", "d2": "A", "c2": "|"}.items()
    assert after(DOTS, position, "f1 (0 0 a -)").to_move == "second"
    assert sum(";" in turn for turn in the(DOTS).legal(position)) == 1
    three = standing(DOTS, "second", **{"-": "b1 b3", "|": "a2"})
    one = after(DOTS, three, "c2 (0 0 a |); b2 (0 0 a B)")
    assert one.to_move == "second"
    assert len(the(DOTS).legal(one)) == 24 - 4


@pytest.mark.parametrize(("boxes", "won"), [("AAAABBBB", "second"), ("AAAAABBB", "first")])
def test_dots_and_boxes_most_boxes_win(boxes: str, won: str) -> None:
    filled = iter(f".{boxes}")
    drawn = ["#-#-#-#", *["|?|?|?|", "#-#-#-#"] * 3]
    rows = ["".join(next(filled) if c == "?" else c for c in row) for row in drawn]
    position = at(DOTS, ["#.#-#-#", *rows[1:]], "second")
    ended = after(DOTS, position, "b7 (0 0 a -); b6 (0 0 a B)")
    assert winner(DOTS, ended) == won


def test_italian_men_take_men_ahead() -> None:
    assert legal(ITALIAN, "white", m="d3", K="e4") == {"d3 (-1 1 e)"}
    assert legal(ITALIAN, "white", m="d5", M="c4") == {"d5 (1 1 e)", "d5 (-1 1 e)"}
    assert legal(ITALIAN, "white", m="d3", M="e4", K="g6") == {f"d3 {jumped('1 1')}"}
    assert legal(ITALIAN, "black", M="d5", m="e4") == {f"d5 {jumped('1 -1')}"}
    steps = {f"d5 ({x} {y} e)" for x in (1, -1) for y in (1, -1)}
    assert legal(ITALIAN, "white", k="d5", M="h8") == steps
    back = f"d5 {jumped('-1 -1')}"
    assert legal(ITALIAN, "white", k="d5", M="c4") == {back}
    assert legal(ITALIAN, "white", k="d5", K="c4") == {back}


def test_italian_captures_have_an_order() -> None:
    most = legal(ITALIAN, "white", m="b3", k="h1", M="c4 e6 g2")
    assert most == {f"b3 {jumped('1 1', '1 1')}"}
    by_king = legal(ITALIAN, "white", m="b3", k="h1", M="c4 g2")
    assert by_king == {f"h1 {jumped('-1 1')}"}
    assert legal(ITALIAN, "white", k="d3", M="c4", K="e4") == {f"d3 {jumped('1 1')}"}
    first = legal(ITALIAN, "white", k="d1", M="c2 g4", K="c4 e2")
    assert first == {f"d1 {jumped('1 1', '1 1')}"}
    kings = legal(ITALIAN, "white", k="d1", M="g4", K="c2 c4 e2")
    assert kings == {f"d1 {jumped('-1 1', '1 1')}"}
    free = legal(ITALIAN, "white", k="d1", M="c4 g4", K="c2 e2")
    assert free == {f"d1 {jumped('-1 1', '1 1')}", f"d1 {jumped('1 1', '1 1')}"}
    men = legal(ITALIAN, "white", m="b3 f3", M="c4 g4")
    assert men == {f"b3 {jumped('1 1')}", f"f3 {jumped('1 1')}"}


def test_italian_crowning_ends_the_turn() -> None:
    position = standing(ITALIAN, "white", m="c6", M="d7 f7")
    turn = f"c6 {jumped('1 1')} (0 0 a k)"
    assert the(ITALIAN).legal(position) == [turn]
    assert contents(after(ITALIAN, position, turn)) == {"e8": "k", "f7": "M"}
    assert legal(ITALIAN, "black", M="a2", k="h7") == {"a2 (1 -1 e) (0 0 a K)"}


def test_italian_ends_without_a_turn() -> None:
    last = standing(ITALIAN, "white", m="d3", M="e4")
    assert winner(ITALIAN, after(ITALIAN, last, f"d3 {jumped('1 1')}")) == "white"
    assert winner(ITALIAN, standing(ITALIAN, "white", m="a4", K="b5", M="c8")) == "black"
    assert winner(ITALIAN, standing(ITALIAN, "white", m="a4", M="b5 c6")) == "black"
