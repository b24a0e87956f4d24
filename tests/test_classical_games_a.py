"""More games of `benchmarks/classical`: counts by hand, positions by hand, random play."""

from __future__ import annotations

import random

import pytest
from classical_boards import (
    after,
    at,
    carried_out,
    contents,
    mirrored,
    played,
    seen_from_the_other_side,
    the,
    turns,
    winner,
)

COUNTS = {
    "adugo": (3, 29),  # 11 after the step straight down, 9 after each of the others
    "ataxx": (16, 244),  # three stones and five leaps from each corner; six of the leaps leave 16
    "camette": (22,),  # 17 steps and 5 canters
    "cannon": (4, 16, 376),  # then 18 steps and 6 of cannons, less one with a town behind it
    "connect6": (49, 2352, 110544),
    "fox_and_geese": (10,),
    "pentago": (100,),  # three for each square but the centres of quarters
    "phutball": (48, 2264),  # a man beside the ball gives one jump
    "picaria": (8, 56, 336, 1680, 6720),
    "quixo": (44,),  # two for a corner, three for each other cube of the rim
    "six_mens_morris": (16, 240, 3360),
    "three_musketeers": (8, 16),  # one answer to a step from a corner, three to one of the centre
}
GAMES = sorted(COUNTS)
UNLIKE = ("adugo", "fox_and_geese", "three_musketeers")
"""Games whose players are not alike; in the others they sit opposite each other."""


@pytest.mark.parametrize("name", GAMES)
def test_first_turns_are_as_many_as_by_hand(name: str) -> None:
    game = the(name)
    for depth, count in enumerate(COUNTS[name], 1):
        assert game.perft(game.initial, depth) == count


@pytest.mark.parametrize("name", GAMES)
def test_random_games_keep_the_contract_of_games(name: str) -> None:
    game, chance = the(name), random.Random(name)
    for position, legal in played(game, chance):
        if chance.random() < 0.3:
            assert len(game.legal(mirrored(game, position))) == len(legal)
            if name not in UNLIKE:
                assert len(game.legal(seen_from_the_other_side(game, position))) == len(legal)
        turn = chance.choice(legal)
        assert contents(game.play(position, turn)) == carried_out(position, turn)


@pytest.mark.parametrize("name", GAMES)
def test_endgames_are_near_an_end(name: str) -> None:
    game = the(name)
    endgames = game.endgames()
    assert not any(map(game.is_terminal, endgames))
    assert len(endgames) >= 20


@pytest.mark.parametrize("name", ["adugo", "fox_and_geese"])
def test_endgames_end_either_way(name: str) -> None:
    game = the(name)
    ends = {
        winner(name, end)
        for position in game.endgames()
        for turn in game.legal(position)
        if game.is_terminal(end := game.play(position, turn))
    }
    assert ends == set(game.equipment.players)


def test_picaria_has_diagonals_between_the_middles_of_sides() -> None:
    rows = "b.w/b.b/w.w"
    assert turns("picaria", rows, "white") == {
        *("a1 (1 0 e)", "a1 (1 1 e)", "c1 (-1 0 e)", "c1 (-1 1 e)", "c3 (-1 0 e)", "c3 (-1 -1 e)"),
    }
    assert turns("picaria", rows, "black") == {
        *("a3 (1 0 e)", "a3 (1 -1 e)", "a2 (1 0 e)", "a2 (1 1 e)", "a2 (1 -1 e)"),
        *("c2 (-1 0 e)", "c2 (-1 1 e)", "c2 (-1 -1 e)"),
    }


def test_picaria_keeps_the_centre_empty_at_first() -> None:
    placing = turns("picaria", "bb./.../ww.", "white", white={"w": 1}, black={"b": 1})
    assert placing == {"c1 (0 0 a w)", "a2 (0 0 a w)", "c2 (0 0 a w)", "c3 (0 0 a w)"}
    position = at("picaria", "bb./.../ww.", "white", white={"w": 1}, black={"b": 1})
    assert winner("picaria", after("picaria", position, "c1 (0 0 a w)")) == "white"
    position = at("picaria", "w.b/..b/wbw", "white")
    assert not the("picaria").is_terminal(position)
    assert winner("picaria", at("picaria", "w.b/.wb/.bw", "black")) == "white"


def test_six_mens_morris_mills_take() -> None:
    rows = [".#.#b", "#b.b#", ".b#.w", "#...#", "w#w#."]
    mill = "e3 (0 -2 e)"
    assert turns("six_mens_morris", rows, "white") == {
        *("a1 (0 2 e)", "c1 (2 0 e)", "c1 (0 1 e)", "e3 (-1 0 e)"),
        *(f"{mill}; b3 (0 0 d)", f"{mill}; b4 (0 0 d)", f"{mill}; d4 (0 0 d)"),
        f"{mill}; e5 (0 0 d)",
    }
    rows = [".#.#b", "#bbb#", "..#..", "#...#", "w#w#."]
    placing = turns("six_mens_morris", rows, "white", white={"w": 4}, black={"b": 2})
    assert len(placing) == 10
    assert {turn for turn in placing if ";" in turn} == {"e1 (0 0 a w); e5 (0 0 d)"}


def test_six_mens_morris_ends_with_two_men_or_without_a_turn() -> None:
    rows = [".#.#b", "#...#", "..#.w", "#.b.#", "w#w#b"]
    few = at("six_mens_morris", rows, "black", white={"w": 0}, black={"b": 0})
    assert not the("six_mens_morris").is_terminal(few)
    rows[3] = "#...#"
    assert winner("six_mens_morris", at("six_mens_morris", rows, "black")) == "white"
    shut = at("six_mens_morris", [".#.#.", "#...#", "b.#.b", "#.b.#", "w#w#w"], "white")
    assert winner("six_mens_morris", shut) == "black"


def test_fox_and_geese_jumps_are_optional_and_go_on() -> None:
    bar = "##...##"
    rows = [bar, bar, "...gg..", "...f...", "g.....g", bar, bar]
    jump = "d4 (0 1 p) (0 0 d) (0 1 e)"
    assert turns("fox_and_geese", rows, "fox") == {
        *("d4 (-1 0 e)", "d4 (1 0 e)", "d4 (0 -1 e)"),
        *("d4 (-1 1 e)", "d4 (-1 -1 e)", "d4 (1 -1 e)"),
        *(jump, f"{jump} (1 -1 p) (0 0 d) (1 -1 e)"),
    }
    position = at("fox_and_geese", rows, "fox")
    assert winner("fox_and_geese", after("fox_and_geese", position, jump)) == "fox"
    geese = turns(
        "fox_and_geese", [bar, bar, ".......", "...f...", "g.....g", bar, "##g.g##"], "geese"
    )
    assert geese == {
        *("a3 (1 0 e)", "a3 (0 1 e)", "a3 (1 1 e)", "g3 (-1 0 e)", "g3 (0 1 e)", "g3 (-1 1 e)"),
        *("c1 (1 0 e)", "c1 (0 1 e)", "c1 (1 1 e)", "e1 (-1 0 e)", "e1 (0 1 e)", "e1 (-1 1 e)"),
    }


def test_fox_and_geese_a_fox_shut_in_has_lost() -> None:
    bar = "##...##"
    rows = [bar, bar, ".......", ".......", "...g...", "##.g.##", "##gfg##"]
    assert winner("fox_and_geese", at("fox_and_geese", rows, "fox")) == "geese"
    rows[3], rows[4] = "..g....", "......."
    jump = "d1 (0 1 p) (0 0 d) (0 1 e)"
    assert turns("fox_and_geese", rows, "fox") == {jump}  # no diagonal leaves d3


def test_adugo_jumps_are_compulsory_and_run_around_the_triangle() -> None:
    game = the("adugo")
    full, bar = "ddddd", "....."
    position = at("adugo", [full, full, bar, bar, "..j..", "#d.d#", ".#d#."], "jaguar")
    (turn,) = game.legal(position)
    assert turn in {
        "c3 (-1 -1 p) (0 0 d) (-1 -1 e) (2 0 p) (0 0 d) (2 0 e) (-1 1 p) (0 0 d) (-1 1 e)",
        "c3 (1 -1 p) (0 0 d) (1 -1 e) (-2 0 p) (0 0 d) (-2 0 e) (1 1 p) (0 0 d) (1 1 e)",
    }
    assert game.play(position, turn).rows == [full, full, bar, bar, "..j..", "#...#", ".#.#."]
    down = [full, full, bar, "...j.", "..d..", "#...#", ".#.#."]
    assert turns("adugo", down, "jaguar") == {"d4 (-1 -1 p) (0 0 d) (-1 -1 e)"}


def test_adugo_lines_of_the_triangle_and_ends() -> None:
    full, bar = "ddddd", "....."
    rows = [full, full, bar, bar, bar, "#j..#", ".#.#."]
    assert turns("adugo", rows, "jaguar") == {"b2 (1 1 e)", "b2 (1 0 e)", "b2 (-1 -1 e)"}
    rows[-2:] = ["#...#", ".#j#."]
    assert turns("adugo", rows, "jaguar") == {"c1 (-2 0 e)", "c1 (2 0 e)", "c1 (0 1 e)"}
    shut = at("adugo", [full, "d....", bar, bar, "..d..", "#d..#", "j#d#d"], "jaguar")
    assert winner("adugo", shut) == "dogs"
    jump = at("adugo", [full, "dddd.", bar, ".d...", "..j..", "#...#", ".#.#."], "jaguar")
    assert winner("adugo", after("adugo", jump, "c3 (-1 1 p) (0 0 d) (-1 1 e)")) == "jaguar"


def test_ataxx_turns_over_what_lies_beside() -> None:
    bar = "....."
    rows = [bar, bar, bar, "bb...", "w...."]
    both, one = "; a2 (0 0 a w); b2 (0 0 a w)", "; b2 (0 0 a w)"
    assert turns("ataxx", rows, "white") == {
        *(f"b1 (0 0 a w){both}", f"a1 (0 2 e){both}", f"a1 (1 2 e){both}"),
        *(f"a1 (2 0 e){one}", f"a1 (2 1 e){one}", f"a1 (2 2 e){one}"),
    }
    position = at("ataxx", rows, "white")
    assert winner("ataxx", after("ataxx", position, f"a1 (1 2 e){both}")) == "white"


def test_ataxx_passes_and_counts() -> None:
    shut = ["w....", ".....", "bbb..", "bbb..", "wbb.."]
    assert len(turns("ataxx", shut, "white")) == 3 + 2
    shut[0] = "....."
    assert turns("ataxx", shut, "white") == {"pass"}
    full = ["wwwww", "bbbbb", "wwwww", "bbbbb", "wwbb."]
    position = at("ataxx", full, "black")
    last = "e1 (0 0 a b)"
    assert last in turns("ataxx", full, "black")
    assert winner("ataxx", after("ataxx", position, last)) == "black"


def test_camette_knights_charge() -> None:
    bar, short, castle = ".....", "#...#", "##.##"
    rows = [castle, short, bar, "nm.M.", bar, short, castle]
    canter = "a4 (1 0 w) (1 0 e)"
    assert turns("camette", rows, "white") == {
        *("a4 (0 1 e)", "a4 (0 -1 e)", "a4 (1 1 e)", "a4 (1 -1 e)"),
        *("b4 (-1 1 e)", "b4 (0 1 e)", "b4 (1 1 e)", "b4 (1 0 e)"),
        *("b4 (-1 -1 e)", "b4 (0 -1 e)", "b4 (1 -1 e)"),
        *(canter, f"{canter} (1 0 p) (0 0 d) (1 0 e)"),
    }
    rows[3] = "mm.M."
    assert canter in turns("camette", rows, "white")
    assert not any("p" in turn for turn in turns("camette", rows, "white"))


def test_camette_jumps_are_compulsory_and_go_on() -> None:
    bar, short, castle = ".....", "#...#", "##.##"
    rows = [castle, short, "...M.", "..mM.", bar, short, castle]
    jumps = "c4 (1 0 p) (0 0 d) (1 0 e) (-1 1 p) (0 0 d) (-1 1 e)"
    assert turns("camette", rows, "white") == {jumps}
    position = at("camette", rows, "white")
    assert winner("camette", after("camette", position, jumps)) == "white"
    either = [castle, short, "...M.", "nmmM.", bar, short, castle]
    assert turns("camette", either, "white") == {jumps}
    either[4] = ".M..."
    charge = "a4 (1 0 w) (1 0 e)"
    assert not any(turn.startswith(charge) for turn in turns("camette", either, "white"))


def test_camette_castles() -> None:
    bar, short, castle = ".....", "#...#", "##.##"
    rows = [castle, "#.m.#", bar, bar, bar, "#n..#", "##.##"]
    rows[3] = "M...."
    position = at("camette", rows, "white")
    assert winner("camette", after("camette", position, "c6 (0 1 e)")) == "white"
    assert "b2 (1 -1 e)" not in turns("camette", rows, "white")
    entered = [castle, short, bar, bar, "..m..", "#.M.#", castle]
    assert turns("camette", entered, "white") == {"c3 (0 -1 p) (0 0 d) (0 -1 e)"}
    cantered = [castle, short, bar, "M....", "..m..", "#.m.#", castle]
    assert not any(turn.startswith("c3 (0 -1 w)") for turn in turns("camette", cantered, "white"))


def test_cannon_shifts_and_shoots() -> None:
    bar = "......"
    rows = [".T....", bar, "..S...", bar, "..s...", "..s...", "..s...", bar, bar, ".t...."]
    assert turns("cannon", rows, "white") == {
        *("c6 (-1 1 e)", "c6 (0 1 e)", "c6 (1 1 e)", "c5 (-1 1 e)", "c5 (1 1 e)"),
        *("c4 (-1 1 e)", "c4 (1 1 e)", "c8 (0 0 d)"),
        *("c4 (0 1 w) (0 1 w) (0 1 e)", "c6 (0 -1 w) (0 -1 w) (0 -1 e)"),
    }
    rows[0], rows[2], rows[3], rows[6] = "..T...", bar, "..s...", bar
    position = at("cannon", rows, "white")
    assert winner("cannon", after("cannon", position, "c10 (0 0 d)")) == "white"
    rows[1] = "..S..."
    assert "c10 (0 0 d)" not in turns("cannon", rows, "white")
    assert "c9 (0 0 d)" in turns("cannon", rows, "white")


def test_cannon_soldiers_retreat_from_soldiers() -> None:
    bar = "......"
    rows = [".T....", bar, bar, bar, bar, "..sS..", bar, bar, bar, ".t...."]
    assert turns("cannon", rows, "white") == {
        *("c5 (-1 1 e)", "c5 (0 1 e)", "c5 (1 1 e)", "c5 (1 0 p)"),
        *("c5 (-1 -1 e) (-1 -1 e)", "c5 (0 -1 e) (0 -1 e)", "c5 (1 -1 e) (1 -1 e)"),
    }
    assert turns("cannon", rows, "black") == {
        *("d5 (-1 -1 e)", "d5 (0 -1 e)", "d5 (1 -1 e)", "d5 (-1 0 p)"),
        *("d5 (-1 1 e) (-1 1 e)", "d5 (0 1 e) (0 1 e)", "d5 (1 1 e) (1 1 e)"),
    }
    taking = [".T....", "..s...", *[bar] * 7, ".t...."]
    position = at("cannon", taking, "white")
    end = after("cannon", position, "c9 (-1 1 p)")
    assert winner("cannon", end) == "white"
    stuck = [".T....", *[bar] * 8, ".t...."]
    assert winner("cannon", at("cannon", stuck, "black")) == "white"


def test_connect6_two_stones_each_but_the_first() -> None:
    game = the("connect6")
    position, movers = game.initial, []
    for _ in range(7):
        movers.append(position.to_move[0])
        position = game.play(position, game.legal(position)[0])
    assert "".join(movers) == "bwwbbww"
    bar = "......."
    rows = [bar, bar, bar, bar, bar, "oooo...", "xxxxx.."]
    position = at("connect6", rows, "black")
    assert winner("connect6", after("connect6", position, "f1 (0 0 a x)")) == "black"
    assert after("connect6", position, "g7 (0 0 a x)").to_move == "white"
    slanted = ["......o", ".....o.", "....o..", "...o...", "..o....", bar, "xxxxx.."]
    position = at("connect6", slanted, "white")
    assert not game.is_terminal(position)
    assert winner("connect6", after("connect6", position, "b2 (0 0 a o)")) == "white"
    full = [*["xxooxxo", "ooxxoox"] * 3, "xxooxxo"]
    assert winner("connect6", at("connect6", full, "black")) is None


def test_quixo_pushes() -> None:
    rows = ["oooox", "obbbo", "obbbo", "obbbo", "boooo"]
    left = "a1 (0 0 d); b1 (-1 0 e); c1 (-1 0 e); d1 (-1 0 e); e1 (-1 0 e); e1 (0 0 a x)"
    assert turns("quixo", rows, "white") == {
        left,
        "a1 (0 0 d); a2 (0 -1 e); a3 (0 -1 e); a4 (0 -1 e); a5 (0 -1 e); a5 (0 0 a x)",
        "e5 (0 0 d); d5 (1 0 e); c5 (1 0 e); b5 (1 0 e); a5 (1 0 e); a5 (0 0 a x)",
        "e5 (0 0 d); e4 (0 1 e); e3 (0 1 e); e2 (0 1 e); e1 (0 1 e); e1 (0 0 a x)",
    }
    assert winner("quixo", after("quixo", at("quixo", rows, "white"), left)) == "black"


def test_quixo_who_makes_both_fives_has_lost() -> None:
    blank = "bbbbb"
    right = "e5 (0 0 d); d5 (1 0 e); c5 (1 0 e); b5 (1 0 e); a5 (1 0 e); a5 (0 0 a x)"
    position = at("quixo", ["xxxxb", blank, blank, blank, blank], "white")
    assert winner("quixo", after("quixo", position, right)) == "white"
    down = "e1 (0 0 d); e2 (0 -1 e); e3 (0 -1 e); e4 (0 -1 e); e5 (0 -1 e); e5 (0 0 a x)"
    position = at("quixo", ["xxxxo", "oooob", blank, blank, blank], "white")
    assert winner("quixo", after("quixo", position, down)) == "black"


def test_quixo_agrees_with_lists() -> None:
    game, chance = the("quixo"), random.Random(1)
    for _ in range(20):
        cells = ["".join(chance.choice("xob") for _ in range(5)) for _ in range(5)]
        position = at("quixo", cells, "white")
        if game.is_terminal(position):
            continue
        expected = set()
        for y, x in ((y, x) for y in range(5) for x in range(5) if {x, y} & {0, 4}):
            for along, end in ((a, e) for a in "rf" for e in (0, 4)):
                grid = [list(row) for row in cells]
                line = grid[y] if along == "r" else [row[x] for row in grid]
                at_line = x if along == "r" else y
                if grid[y][x] == "o" or at_line == end:
                    continue
                del line[at_line]
                line.insert(end, "x")
                if along == "f":
                    for row, content in zip(grid, line, strict=True):
                        row[x] = content
                origin = f"{'abcde'[x]}{5 - y}"
                expected.add((origin, tuple("".join(row) for row in grid)))
        found = {(t.split()[0], tuple(game.play(position, t).rows)) for t in game.legal(position)}
        assert found == expected


def test_pentago_turns_a_quarter() -> None:
    game = the("pentago")
    first = {turn for turn in game.legal(game.initial) if turn[:2] in ("a1", "b2")}
    put = "a1 (0 0 a w)"
    assert first == {
        *("b2 (0 0 a w)", put),
        *(f"{put}; a1 (0 0 d); c1 (0 0 a w)", f"{put}; a1 (0 0 d); a3 (0 0 a w)"),
    }
    bar = "......"
    legal = turns("pentago", [bar, bar, bar, bar, bar, ".b...."], "white")
    put = "e5 (0 0 a w)"
    assert {turn for turn in legal if turn.startswith("e5")} == {
        *(put, f"{put}; b1 (0 0 d); a2 (0 0 a b)", f"{put}; b1 (0 0 d); c2 (0 0 a b)"),
    }


def test_pentago_fives() -> None:
    bar = "......"
    position = at("pentago", [bar, bar, bar, "...ww.", "w.....", "w....."], "white")
    clockwise = "a3 (0 0 a w); a1 (0 0 d); a2 (0 0 d); b3 (0 0 a w); c3 (0 0 a w)"
    assert winner("pentago", after("pentago", position, clockwise)) == "white"
    at_once = turns("pentago", [bar, bar, bar, bar, bar, "wwww.b"], "white")
    assert {turn for turn in at_once if turn.startswith("e1")} == {"e1 (0 0 a w)"}
    both = at("pentago", [bar, bar, bar, bar, "bbbbb.", "wwwww."], "white")
    assert winner("pentago", both) is None
    full = at("pentago", ["wwbbww", "bbwwbb"] * 3, "white")
    assert winner("pentago", full) is None


def test_three_musketeers_take_and_must_not_line_up() -> None:
    rows = "....m/...../..mc./...../m...."
    assert turns("three_musketeers", rows, "musketeers") == {"c3 (1 0 p)"}
    assert turns("three_musketeers", rows, "enemy") == {"d3 (1 0 e)", "d3 (0 1 e)", "d3 (0 -1 e)"}
    position = at("three_musketeers", rows, "musketeers")
    end = after("three_musketeers", position, "c3 (1 0 p)")
    assert winner("three_musketeers", end) == "musketeers"
    stuck = at("three_musketeers", "....m/...../..m../c..../..m..", "musketeers")
    assert winner("three_musketeers", stuck) == "musketeers"
    line = at("three_musketeers", "m.m.m/...../..c../...../.....", "musketeers")
    assert winner("three_musketeers", line) == "enemy"
    own = at("three_musketeers", "....m/..m../..c../...../..m..", "musketeers")
    assert not the("three_musketeers").is_terminal(own)
    file = at("three_musketeers", "..mcm/..m../...../...../.....", "enemy")
    assert not the("three_musketeers").is_terminal(file)
    file = at("three_musketeers", "....c/..m../..m../...../..m..", "enemy")
    assert winner("three_musketeers", file) == "enemy"


def test_phutball_jumps_go_on() -> None:
    bar = "......."
    rows = [bar, bar, "....x..", "...x...", "...o...", bar, bar, bar, bar]
    legal = turns("phutball", rows, "white")
    jump = "d5 (0 1 n) (0 0 d) (0 1 e)"
    assert len(legal) == 46 + 2
    assert {turn for turn in legal if turn.startswith("d5")} == {
        *(jump, f"{jump} (1 0 n) (0 0 d) (1 0 e)"),
    }
    assert legal == turns("phutball", rows, "black")


def test_phutball_goals() -> None:
    bar, men = ".......", "...x..."
    jump = "d5" + " (0 1 n) (0 0 d)"
    rows = [bar, men, men, men, "...o...", bar, bar, bar, bar]
    over = f"{jump} (0 1 n) (0 0 d) (0 1 n) (0 0 d) (0 1 e)"
    position = at("phutball", rows, "black")
    assert winner("phutball", after("phutball", position, over)) == "white"
    rows = [bar, bar, "..xx...", men, "...o...", bar, bar, bar, bar]
    onto = f"{jump} (0 1 n) (0 0 d) (0 1 e)"
    back = f"{onto} (-1 -1 n) (0 0 d) (-1 -1 e)"
    assert {t for t in turns("phutball", rows, "white") if t.startswith("d5")} == {onto, back}
    position = at("phutball", rows, "white")
    assert winner("phutball", after("phutball", position, onto)) == "white"
    assert not the("phutball").is_terminal(after("phutball", position, back))
    home = [bar, bar, bar, bar, bar, bar, bar, "...o...", bar]
    assert winner("phutball", at("phutball", home, "white")) == "black"
