"""More games of that list of `benchmarks/classical`: counts by hand, positions by hand, play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from classical_boards import (
    after,
    at,
    carried_out,
    contents,
    legal,
    mirrored,
    played,
    seen_from_the_other_side,
    standing,
    the,
    turns,
    winner,
)

from grl.board import Position, make_position
from grl.errors import GameError
from grl.games import Game
from grl.turn import Turn

GLINSKI, TOGUZ, WEED, WILD = "glinski_mini", "toguz_kumalak", "tumbleweed_mini", "wild_tic_tac_toe"
COUNTS = {
    GLINSKI: (15,),  # five of the pawns, six of the knights, four of the bishop on d2
    "hanoi": (2, 6, 16),
    "knights_tour": (25, 96, 424 - 96),  # the leaps of chess, then all but the one back
    "len_choa": (9, 9 * 3, 24 * 8 + 3 * 9),  # of the 27 three are jumps
    "sokoban": (4, 2 + 3 + 3 + 3),
    TOGUZ: (5, 5 + 4 * 4),  # all but the first pit take a pit
    WEED: (11, 11 * 11),
    WILD: (18, 18 * 16, 18 * 16 * 14, (18 * 16 * 14 - 8 * 6 * 2) * 12),
}
ALONE = ("hanoi", "knights_tour", "sokoban")
OPPOSITE = (GLINSKI, TOGUZ, WEED)
"""Games in which the players sit opposite each other."""
EVEN = ("len_choa", WILD, "knights_tour")
"""Games in which left and right are alike."""


@pytest.mark.parametrize("name", COUNTS)
def test_first_turns_are_as_many_as_by_hand(name: str) -> None:
    game = the(name)
    assert name == game.name.replace("-", "_")
    assert game.provenance
    for depth, count in enumerate(COUNTS[name], 1):
        assert game.perft(game.initial, depth) == count


def alone(game: Game, chance: random.Random) -> Iterator[tuple[Position, list[str]]]:
    """As `played`, for one player."""
    (solver,) = game.equipment.players
    for start in [game.initial, *game.endgames()[::6]]:
        assert not game.is_terminal(start)
        position = start
        for _ in range(30):
            found = game.legal(position)
            assert game.is_terminal(position) == (not found)
            if not found:
                assert 0 <= game.goals(position)[solver] <= 100
                break
            assert len({Turn.parse(turn).effect(position) for turn in found}) == len(found)
            yield position, found
            position = game.play(position, chance.choice(found))


@pytest.mark.parametrize("name", COUNTS)
def test_random_games_keep_the_contract_of_games(name: str) -> None:
    """Turns lead where the trace format says, and need no history."""
    game, chance = the(name), random.Random(name)
    for position, found in (alone if name in ALONE else played)(game, chance):
        bare = make_position(game.equipment, position.rows, position.to_move, position.reserve)
        assert game.legal(bare) == found
        if chance.random() < 0.3:
            if name in OPPOSITE:
                assert len(game.legal(seen_from_the_other_side(game, position))) == len(found)
            if name in EVEN:
                assert len(game.legal(mirrored(game, position))) == len(found)
            with pytest.raises(GameError):
                game.goals(position)
        turn = chance.choice(found)
        assert contents(game.play(position, turn)) == carried_out(position, turn)


def sown(squares: str, content: str) -> str:
    """What lies on these squares from then on, one after the other."""
    return "; ".join(f"{square} (0 0 a {content})" for square in squares.split())


def test_toguz_kumalak_takes_even_pits() -> None:
    position = after(TOGUZ, the(TOGUZ).initial, f"b1 (0 0 a 1); {sown('c1 d1 e1 f1', '6')}")
    assert position.rows == [".55555#", "#16666."]
    taking = f"c1 (0 0 a 1); {sown('d1 e1 f1', '6')}; f2 (0 0 d); g1 (0 0 a 6)"
    assert after(TOGUZ, the(TOGUZ).initial, taking).rows == [".5555.#", "#516666"]
    # Neither odd ones, nor in one's own row.
    assert turns(TOGUZ, "....14#/#.11.1.", "south") == {
        "c1 (0 0 d); d1 (0 0 a 2)",
        "d1 (0 0 d); e1 (0 0 a 1)",
        "f1 (0 0 d); f2 (0 0 a 5)",
    }
    assert turns(TOGUZ, "....13#/#....17", "south") == {"f1 (0 0 d); f2 (0 0 d); g1 (0 0 a B)"}


def test_toguz_kumalak_sows_all_around() -> None:
    (ten,) = turns(TOGUZ, "11...1#/#A.....", "south")
    assert ten == (
        f"{sown('b1 c1 d1 e1 f1', '1')}; f2 (0 0 a 2); {sown('e2 d2 c2', '1')}; "
        "b2 (0 0 d); g1 (0 0 a 2)"
    )
    (twelve,) = turns(TOGUZ, "11...1#/#C.....", "south")
    assert twelve == (
        f"{sown('b1 c1', '2')}; {sown('d1 e1 f1', '1')}; f2 (0 0 a 2); {sown('e2 d2 c2', '1')}; "
        "b2 (0 0 a 2)"
    )


def test_toguz_kumalak_wins_a_tuz() -> None:
    made, kept = "f1 (0 0 d); f2 (0 0 a *); g1 (0 0 a 3)", "f1 (0 0 d); f2 (0 0 a 3)"
    assert made in turns(TOGUZ, "....12#/#2...1.", "south")
    # Not a second one, nor of the number of the opponent's; another number may be.
    assert kept in turns(TOGUZ, "...*12#/#2...1.", "south")
    assert kept in turns(TOGUZ, "....12#/#*...1.", "south")
    assert made in turns(TOGUZ, "....12#/#2.*.1.", "south")
    # Nor in the last pit; in the one before it may.
    last = f"{sown('f1 f2 e2 d2', '1')}; c2 (0 0 a 2); b2 (0 0 a 3)"
    assert turns(TOGUZ, ".21...#/#....6.", "south") == {last}
    fourth = f"{sown('f1 f2 e2 d2', '1')}; c2 (0 0 a *); g1 (0 0 a 3)"
    assert turns(TOGUZ, ".12...#/#....5.", "south") == {fourth}
    north = "b2 (0 0 d); b1 (0 0 a *); a2 (0 0 a 3)"
    assert turns(TOGUZ, ".1....#/#21....", "north") == {north}


def test_toguz_kumalak_stones_in_a_tuz_go_to_its_owner() -> None:
    assert turns(TOGUZ, "....*.#/#.*1.4.", "south") == {
        "d1 (0 0 d); e1 (0 0 a 1)",
        f"{sown('f1 f2 d2 g1', '1')}",
    }
    assert turns(TOGUZ, "1...*.#/#3*...2", "south") == {f"{sown('b1 d1', '1')}; a2 (0 0 a 2)"}
    # The last stone in a tuz takes nothing else.
    assert turns(TOGUZ, "1....*#/#....22", "south") == {"f1 (0 0 a 1); g1 (0 0 a 3)"}
    assert turns(TOGUZ, "11....#/#*...12", "north") == {"b2 (0 0 d); a2 (0 0 a 2)"}


def test_toguz_kumalak_ends() -> None:
    assert winner(TOGUZ, at(TOGUZ, ".1....#/#1....Q", "north")) == "south"
    assert not the(TOGUZ).is_terminal(at(TOGUZ, ".1....#/#1....P", "north"))
    assert winner(TOGUZ, at(TOGUZ, "P.....#/#.....P", "north")) is None
    # Without stones to sow; a tuz holds none, and what is left counts.
    assert winner(TOGUZ, at(TOGUZ, "K....*#/#7....N", "north")) == "south"
    assert winner(TOGUZ, at(TOGUZ, "K9....#/#.....L", "south")) == "north"


def test_len_choa_leopards_are_put_first() -> None:
    drops = turns("len_choa", "###t###/##.l.##/#.#.#.#/.##.##.", "leopards", leopards={"l": 5})
    assert drops == {f"{s} (0 0 a l)" for s in ("c3", "e3", "b2", "d2", "f2", "a1", "d1", "g1")}
    moves = legal("len_choa", "leopards", t="d4", l="d3 a1 d2 g1")
    assert moves == {
        *("d3 (-1 0 e)", "d3 (1 0 e)", "a1 (1 1 e)", "a1 (3 0 e)"),
        *("d2 (-2 0 e)", "d2 (2 0 e)", "d2 (0 -1 e)", "g1 (-1 1 e)", "g1 (-3 0 e)"),
    }


def test_len_choa_the_tiger_steps_or_jumps_once() -> None:
    assert legal("len_choa", "tiger", t="d4", l="c3 d3 d2 f2") == {
        "d4 (1 -1 e)",
        "d4 (-1 -1 p) (0 0 d) (-1 -1 e)",
    }
    assert legal("len_choa", "tiger", t="b2", l="a1 c3 d2 e3") == {
        "b2 (1 1 p) (0 0 d) (1 1 e)",
        "b2 (2 0 p) (0 0 d) (2 0 e)",
    }
    along = standing("len_choa", "tiger", t="a1", l="d1 c3 b2 e3")
    jumped = after("len_choa", along, "a1 (3 0 p) (0 0 d) (3 0 e)")
    assert contents(jumped) == {"g1": "t", "c3": "l", "b2": "l", "e3": "l"}


def test_len_choa_ends() -> None:
    shut = {"t": "d4", "l": "c3 d3 e3 b2 d2 f2"}
    assert winner("len_choa", standing("len_choa", "tiger", **shut)) == "leopards"
    corner = at("len_choa", "###.###/##l.l##/#l#.#.#/t##l##l", "tiger", leopards={"l": 1})
    assert winner("len_choa", corner) == "leopards"
    loose = at("len_choa", "###.###/##..l##/#l#.#.#/t##l##l", "tiger", leopards={"l": 2})
    jumped = after("len_choa", loose, "a1 (1 1 p) (0 0 d) (1 1 e)")
    assert not the("len_choa").is_terminal(jumped)
    three = standing("len_choa", "tiger", t="a1", l="b2 d2 f2 d3")
    assert winner("len_choa", after("len_choa", three, "a1 (1 1 p) (0 0 d) (1 1 e)")) == "tiger"


def test_len_choa_leopards_have_a_turn() -> None:
    game = the("len_choa")
    names = [game.equipment.board.names[s] for s in game.equipment.board.squares]
    for tiger in names:
        others = [name for name in names if name != tiger]
        for number in (4, 5, 6):
            for leopards in combinations(others, number):
                assert legal("len_choa", "leopards", t=tiger, l=" ".join(leopards))


def test_sokoban_pushes_one_box() -> None:
    assert legal("sokoban", "solver", m="c3", b="d3 b3 a3 c2") == {
        *("d3 (1 0 e); c3 (1 0 e)", "c2 (0 -1 e); c3 (0 -1 e)", "c3 (0 1 e)"),
    }
    # Not into a wall, nor off the board.
    assert legal("sokoban", "solver", m="c2", b="c1 b2") == {
        *("b2 (-1 0 e); c2 (-1 0 e)", "c2 (0 1 e)"),
    }
    assert legal("sokoban", "solver", m="d4", b="d3 e4 a2") == {"d4 (-1 0 e)", "d4 (0 1 e)"}


WAY = "< ^ > < < v > > > ^ < ^ > v > v v"
MOVES = {"<": (-1, 0), ">": (1, 0), "^": (0, 1), "v": (0, -1)}


def test_sokoban_is_solved_in_seventeen_turns() -> None:
    game = the("sokoban")
    position, man = game.initial, (3, 3)
    for sign in WAY.split():
        x, y = MOVES[sign]
        end = f"{'abcde'[man[0] - 1]}{man[1]} ({x} {y} e)"
        (turn,) = (t for t in game.legal(position) if t.split("; ")[-1] == end)
        assert not game.is_terminal(position)
        position, man = game.play(position, turn), (man[0] + x, man[1] + y)
    assert len(WAY.split()) == 17
    assert winner("sokoban", position) == "solver"
    assert {s for s, key in contents(position).items() if key == "b"} == {"a2", "e1", "e5"}


def test_sokoban_other_ends() -> None:
    game = the("sokoban")
    for boxes in ("a2 e1 d1", "a2 e5 d3", "e1 e5 a1"):
        assert not game.is_terminal(standing("sokoban", "solver", m="c3", b=boxes))
    assert game.goals(standing("sokoban", "solver", m="a1", b="a2 a3 c3")) == {"solver": 0}
    assert game.goals(standing("sokoban", "solver", m="c3", b="a2 e1 e5")) == {"solver": 100}
    # A box in a corner is lost, and the game goes on.
    assert legal("sokoban", "solver", m="d1", b="c1 a5 e5") == {"d1 (1 0 e)"}


def test_hanoi_puts_no_disc_on_a_smaller_one() -> None:
    assert legal("hanoi", "solver", _4="a1", _3="a2", _1="b1", _2="c1") == {
        *("b1 (@a3 e)", "b1 (@c2 e)", "c1 (@a3 e)"),
    }
    assert legal("hanoi", "solver", _4="b1", _2="b2", _1="b3", _3="a1") == {
        *("b3 (@a2 e)", "b3 (@c1 e)", "a1 (@c1 e)"),
    }
    position = after("hanoi", the("hanoi").initial, "a4 (@c1 e)")
    assert contents(position) == {"a1": "4", "a2": "3", "a3": "2", "c1": "1"}


def test_hanoi_is_solved_in_fifteen_turns_on_either_peg() -> None:
    game = the("hanoi")
    seen, now, far = {game.initial.cells}, [game.initial], 0
    ends: dict[str, int] = {}
    while now:
        ends |= {p.cells: far for p in now if game.is_terminal(p)}
        following = {q.cells: q for p in now for t in game.legal(p) if (q := game.play(p, t))}
        now = [position for cells, position in following.items() if cells not in seen]
        seen |= following.keys()
        far += 1
    assert len(seen) == 3**4
    assert ends == {".4..3..2..1.": 15, "..4..3..2..1": 15}
    for peg in "bc":
        tower = {f"_{n}": f"{peg}{5 - n}" for n in range(1, 5)}
        assert winner("hanoi", standing("hanoi", "solver", **tower)) == "solver"
    assert not the("hanoi").is_terminal(
        standing("hanoi", "solver", _4="c1", _3="c2", _2="c3", _1="b1")
    )


TOUR = "a1 b3 a5 c4 e5 d3 e1 c2 a3 b1 d2 e4 c5 a4 b2 d1 e3 d5 b4 a2 c1 e2 d4 b5 c3"


def test_knights_tour_marks_what_it_leaves() -> None:
    assert legal("knights_tour", "solver", n="c3", x="a2 b1 e4") == {
        f"c3 ({x} {y} e); c3 (0 0 a x)" for x, y in ((-2, 1), (-1, 2), (1, 2), (1, -2), (2, -1))
    }
    moved = after("knights_tour", the("knights_tour").initial, "b1 (0 0 a n)")
    moved = after("knights_tour", moved, "b1 (2 1 e); b1 (0 0 a x)")
    assert contents(moved) == {"b1": "x", "d2": "n"}
    assert len(the("knights_tour").legal(moved)) == 3


def test_knights_tour_is_solved_when_all_are_visited() -> None:
    names = TOUR.split()
    position = after("knights_tour", the("knights_tour").initial, "a1 (0 0 a n)")
    for name, to in pairwise(names):
        x, y = ord(to[0]) - ord(name[0]), int(to[1]) - int(name[1])
        position = after("knights_tour", position, f"{name} ({x} {y} e); {name} (0 0 a x)")
    assert winner("knights_tour", position) == "solver"
    assert the("knights_tour").goals(position) == {"solver": 100}


def test_knights_tour_counts_what_was_visited() -> None:
    game = the("knights_tour")
    shut = standing("knights_tour", "solver", n="a1", x="b3 c2 a4")
    assert game.goals(shut) == {"solver": 16}
    late = standing("knights_tour", "solver", n="a1", x=" ".join(TOUR.split()[1:-1]))
    assert game.goals(late) == {"solver": 96}
    ends = [sum(game.goals(position).values()) for position in finished("knights_tour")]
    assert min(ends) < max(ends) == 100


def finished(name: str) -> Iterator[Position]:
    """Ends of random games from the positions near the end."""
    game, chance = the(name), random.Random(name)
    for start in game.endgames():
        assert not game.is_terminal(start)
        position = start
        while found := game.legal(position):
            position = game.play(position, chance.choice(found))
        yield position


def test_wild_tic_tac_toe_whoever_completes_a_line_wins() -> None:
    for mark, other in ("xo", "ox"):
        for mover in ("first", "second"):
            position = standing(WILD, mover, **{mark: "a1 b2", other: "a2"})
            assert winner(WILD, after(WILD, position, f"c3 (0 0 a {mark})")) == mover
            assert not the(WILD).is_terminal(after(WILD, position, f"c3 (0 0 a {other})"))


def test_wild_tic_tac_toe_puts_both_marks() -> None:
    assert legal(WILD, "second", x="a1 a2 b3 c2", o="a3 b1 b2") == {
        *("c1 (0 0 a x)", "c1 (0 0 a o)", "c3 (0 0 a x)", "c3 (0 0 a o)"),
    }
    full = at(WILD, "xox/xox/oxo", "second")
    assert winner(WILD, full) is None
    assert the(WILD).goals(full) == {"first": 50, "second": 50}
    assert winner(WILD, at(WILD, "xxx/oxo/oxo", "second")) == "first"


def ways(*found: tuple[int, int]) -> set[str]:
    """Steps from the centre of a hexagon, and back the other way."""
    return {f"d4 ({s * x} {s * y} e)" for x, y in found for s in (1, -1)}


STRAIGHT = ways((0, 1), (1, 1), (1, 0))
SLANTING = ways((1, 2), (2, 1), (1, -1))


def test_glinski_mini_pieces_on_an_empty_board() -> None:
    far = {turn + f" ({turn[4:-1]})" * n for turn in STRAIGHT for n in (1, 2)}
    leaps = ways((1, 3), (2, 3), (3, 2), (3, 1), (2, -1), (1, -2))
    for found, pieces in (
        (SLANTING, {"B": "d4", "K": "b1", "k": "f7"}),
        (STRAIGHT | SLANTING | far, {"Q": "d4", "K": "b1", "k": "f7"}),
        (leaps, {"N": "d4", "K": "a1", "k": "g7"}),
    ):
        moves = legal(GLINSKI, "white", **pieces)
        assert {turn for turn in moves if turn.startswith("d4")} == found
    kings = legal(GLINSKI, "white", K="d4", P="a1", k="g4")
    assert {turn for turn in kings if turn.startswith("d4")} == STRAIGHT | SLANTING - {
        *("d4 (2 1 e)", "d4 (1 -1 e)"),  # beside the other king
    }


def test_glinski_mini_pawns_step_ahead_and_take_aslant() -> None:
    white = {"K": "d1", "P": "d4", "k": "d7"}
    kings = {turn for turn in legal(GLINSKI, "white", **white) if turn.startswith("d1")}
    assert legal(GLINSKI, "white", **white) == kings | {"d4 (0 1 e)"}
    assert legal(GLINSKI, "white", p="d5 e6 e5 c4 c5 e4", **white) - kings == {
        *("d4 (1 1 p)", "d4 (-1 0 p)"),
    }
    black = {"K": "d1", "p": "d4", "k": "d7"}
    found = legal(GLINSKI, "black", P="c3 e4 c4 e5 d3", **black)
    assert {turn for turn in found if turn.startswith("d4")} == {
        *("d4 (-1 -1 p)", "d4 (1 0 p)"),
    }


def test_glinski_mini_pawns_are_promoted_at_the_ends_of_files() -> None:
    found = legal(GLINSKI, "white", K="d1", P="a3 f6", n="g7", k="d4")
    assert {turn for turn in found if turn[0] in "af"} == {
        f"{turn} (0 0 a {key})"
        for turn in ("a3 (0 1 e)", "f6 (0 1 e)", "f6 (1 1 p)")
        for key in "QBN"
    }
    black = legal(GLINSKI, "black", K="d7", p="e3", k="a1")
    assert {turn for turn in black if turn.startswith("e")} == {
        f"e3 (0 -1 e) (0 0 a {key})" for key in "qbn"
    }


def test_glinski_mini_guards_the_king() -> None:
    pieces = {"K": "d1", "B": "d3", "k": "g7"}
    assert not any(t.startswith("d3") for t in legal(GLINSKI, "white", q="d6", **pieces))
    assert any(t.startswith("d3") for t in legal(GLINSKI, "white", b="d6", **pieces))
    checked = legal(GLINSKI, "white", K="a1", N="b1", P="g4", q="a4", k="g7")
    assert not any(turn.startswith("g4") for turn in checked)
    assert "b1 (-1 2 e)" in checked


def test_glinski_mini_mate_wins_and_stalemate_wins_in_part() -> None:
    mated = standing(GLINSKI, "black", K="d5", Q="d6", k="d7")
    assert winner(GLINSKI, mated) == "white"
    other = standing(GLINSKI, "white", k="f3", q="d2", K="c1")
    assert winner(GLINSKI, other) == "black"
    game = the(GLINSKI)
    still = standing(GLINSKI, "black", K="g7", Q="b5", k="e7")
    assert game.legal(still) == []
    assert game.goals(still) == {"white": 75, "black": 25}
    turned = standing(GLINSKI, "white", k="b3", q="e3", K="b1")
    assert game.goals(turned) == {"white": 25, "black": 75}


def test_glinski_mini_bare_kings_draw() -> None:
    position = standing(GLINSKI, "white", K="d4", k="g7", n="d5")
    assert winner(GLINSKI, after(GLINSKI, position, "d4 (0 1 p)")) is None
    assert not the(GLINSKI).is_terminal(standing(GLINSKI, "black", K="d4", k="g7", p="d6"))


def test_glinski_mini_sides_begin_alike() -> None:
    begun = contents(the(GLINSKI).initial)
    white = {square: key for square, key in begun.items() if key.isupper()}
    assert "".join(sorted(white.values())) == "BBKNNPPPPPQ"
    # The ranks of a file's two ends make four more than its number.
    black = {f"{s[0]}{ord(s[0]) - ord('a') + 5 - int(s[1])}": k.lower() for s, k in white.items()}
    assert begun == white | black


def placed(found: set[str]) -> set[str]:
    """The turns without the pass."""
    return {turn for turn in found if not turn.endswith("(0 0 a p)")}


def test_tumbleweed_mini_stacks_are_as_high_as_what_is_seen() -> None:
    found = placed(legal(WEED, "red", A="d1 a4", B="d7", n="d4"))
    heights = {turn[:2]: turn[-2] for turn in found}
    assert heights["d3"] == "A"  # d4 hides d7
    assert heights["d5"] == "A"
    assert heights["a1"] == "B"
    assert heights["d2"] == "A"
    assert heights["d4"] == "C"
    assert not any(turn.startswith("d4") for turn in legal(WEED, "red", A="d1 a4", n="d4"))
    full = placed(legal(WEED, "red", A="c3 c4 d3 d5 e4 e5"))
    assert "d4 (0 0 a F)" in full
    assert "d4 (0 0 a D)" in legal(WEED, "red", A="c3 c4 d3 d5", n="d4")


def test_tumbleweed_mini_replaces_lower_stacks() -> None:
    pieces = {"A": "d1 a4"}
    for key, height in (("a", 1), ("b", 2), ("c", 3)):
        found = legal(WEED, "red", **pieces, **{key: "d4"})
        assert ("d4 (0 0 a B)" in found) == (height < 2)
    own = legal(WEED, "red", A="d1 a4 d4")
    assert {"d4 (0 0 a B)", "d1 (0 0 a A)"} & own == {"d4 (0 0 a B)"}
    taken = after(WEED, standing(WEED, "red", a="d4", **pieces), "d4 (0 0 a B)")
    assert contents(taken) == {"d1": "A", "a4": "A", "d4": "B"}
    assert taken.to_move == "white"


def test_tumbleweed_mini_two_passes_end_it() -> None:
    game = the(WEED)
    passed = after(WEED, game.initial, "a7 (0 0 a p)")
    assert "g1 (0 0 a p)" in game.legal(passed)
    assert winner(WEED, after(WEED, passed, "g1 (0 0 a p)")) is None
    # A stack between them takes the first one back.
    put = after(WEED, passed, "f7 (0 0 a a); a7 (0 0 d)")
    assert contents(put) == {"b2": "A", "d4": "n", "f6": "a", "f7": "a"}
    again = after(WEED, put, "a7 (0 0 a p)")
    assert winner(WEED, after(WEED, again, "g1 (0 0 a p)")) == "white"
    late = standing(WEED, "white", A="b2 b3", a="f6", n="d4", p="a7")
    assert winner(WEED, after(WEED, late, "g1 (0 0 a p)")) == "red"
    assert all(turn.endswith("; a7 (0 0 d)") for turn in placed(set(game.legal(late))))


def test_tumbleweed_mini_ends_when_nobody_can_put_a_stack() -> None:
    board = the(WEED).equipment.board
    names = [board.names[s] for s in board.squares if board.names[s] not in ("a7", "g1")]
    assert len(names) == 37
    red, white = " ".join(names[:19]), " ".join(names[19:])
    assert winner(WEED, standing(WEED, "white", F=red, f=white)) == "red"
    assert winner(WEED, standing(WEED, "red", F=red, f=white)) == "red"
    low = standing(WEED, "white", F=red, f=" ".join(names[20:]), a=names[19])
    assert not the(WEED).is_terminal(low)
    level = {"F": " ".join(names[2:20]), "f": " ".join([names[1], *names[20:]]), "n": "a1"}
    assert winner(WEED, standing(WEED, "white", **level)) is None
    # Only one of the two can: the other one passes.
    alone = standing(WEED, "white", A="d1", n="d4")
    assert the(WEED).legal(alone) == ["g1 (0 0 a p)"]
