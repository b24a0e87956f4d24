"""The grammar of drawn games: its parts by hand, and drawn games as games."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import drawn_games
import drawn_parts as parts
import pytest
from drawn_games import draw
from drawn_parts import ORTHOGONALS, Jump, NoTurn, PieceType, Ride
from drawn_play import BLACK, WHITE, DrawnGame, Rules, described, playout

from grl.board import Board, Position, Square, make_position
from grl.errors import GameError
from grl.turn import Turn, play

QUICK = (2, 5, 6, 7, 12, 13)
"""Seeds whose games are drawn in a second or so."""

STEP = Ride(ORTHOGONALS, 1, quiet=True, captures=True)
GUARD = PieceType("guard", "g", (STEP,))
CHIEF = PieceType("chief", "c", (STEP,), royal=True)


def game_of(rows: list[str], *types: PieceType, **more: object) -> tuple[DrawnGame, Position]:
    """A game on the board of `rows`, and the position that they show, white to move."""
    height, width = len(rows), len(rows[0])
    cells = "".join(reversed(rows))
    holes = frozenset(Square(i) for i, c in enumerate(cells) if c == "#")
    rules = Rules(Board(width, height, holes), types or (GUARD,))
    game = DrawnGame(replace(rules, **more))  # type: ignore[arg-type]
    return game, make_position(game.equipment, rows, WHITE)


def legal(rows: list[str], *types: PieceType, **more: object) -> set[str]:
    game, position = game_of(rows, *types, **more)
    return set(game.legal(position))


def test_a_ride_goes_on_until_something_stands_in_the_way() -> None:
    slide = Ride(((1, 0),), 8, quiet=True, captures=True)
    rows = ["g..G.", "gg..."]
    assert legal(rows, replace(GUARD, words=(slide,))) == {
        "a2 (1 0 e)",
        "a2 (1 0 e) (1 0 e)",
        "a2 (1 0 e) (1 0 e) (1 0 p)",
        "b1 (1 0 e)",
        "b1 (1 0 e) (1 0 e)",
        "b1 (1 0 e) (1 0 e) (1 0 e)",
    }


def test_black_moves_half_a_turn_round() -> None:
    game, position = game_of(
        ["..G", "..."], replace(GUARD, words=(replace(STEP, directions=((1, 1),)),))
    )
    assert game.legal(replace(position, to_move=BLACK)) == ["c2 (-1 -1 e)"]


def test_jumps_take_one_after_another_and_may_stop_unless_they_must_not() -> None:
    rows = ["..", "G.", "..", "G.", "g."]
    short, long = "a1 (0 1 p) (0 0 d) (0 1 e)", "a1 (0 1 p) (0 0 d) (0 1 e) (0 1 p) (0 0 d) (0 1 e)"
    jump = Jump(ORTHOGONALS, "p", removes=True, many=True, to_the_end=False)
    assert legal(rows, replace(GUARD, words=(jump,))) == {short, long}
    assert legal(rows, replace(GUARD, words=(replace(jump, to_the_end=True),))) == {long}
    assert legal(rows, replace(GUARD, words=(replace(jump, many=False),))) == {short}


def test_a_jump_that_removes_nothing_reaches_every_square_once() -> None:
    hop = Jump(ORTHOGONALS, "wp", removes=False, many=True, to_the_end=False)
    rows = [".G.", "g.g", ".G."]
    game, position = game_of(rows, replace(GUARD, words=(hop,)))
    assert game.legal(position) == []
    rows = ["...", "G.G", ".g.", "gG."]
    found = legal(rows, replace(GUARD, words=(hop,)))
    assert found == {"a1 (1 0 p) (1 0 e)"}


def test_promotion_and_shots_are_part_of_the_turn() -> None:
    up = replace(STEP, directions=((0, 1),))
    runner = PieceType("runner", "r", ())
    assert legal(["..", "g."], replace(GUARD, words=(up,), promotes="r"), runner) == {
        "a1 (0 1 e) (0 0 a r)"
    }
    assert legal(["..", "g."], replace(GUARD, words=(up,), shoots=1)) == {
        f"a1 (0 1 e) (0 0 a x) ({dx} {dy} e)" for dx, dy in ((1, 0), (0, -1), (1, -1))
    }


def test_who_ends_a_turn_in_a_mill_removes_an_opposing_piece() -> None:
    mill = ((0, 0), (1, 0), (2, 0))
    rows = ["g.G", "gG.", ".gg"]
    turns = legal(rows, mill=mill)
    assert {t for t in turns if t.startswith("a2 (0 -1 e)")} == {
        "a2 (0 -1 e); b2 (0 0 d)",
        "a2 (0 -1 e); c3 (0 0 d)",
    }
    assert "a3 (1 0 e)" in turns


def test_compulsory_and_maximal_captures() -> None:
    rows = ["..", "G.", "..", "G.", "g."]
    jump = Jump(ORTHOGONALS, "p", removes=True, many=True, to_the_end=False)
    steps = Ride(ORTHOGONALS, 1, quiet=True, captures=False)
    kind = replace(GUARD, words=(jump, steps))
    assert len(legal(rows, kind)) == 3
    assert len(legal(rows, kind, restrictions=(parts.compulsory(),))) == 2
    assert len(legal(rows, kind, restrictions=(parts.maximal(),))) == 1


def test_restrictions_on_where_a_turn_ends() -> None:
    rows = ["..G", "...", "g.."]
    up, right = "a1 (0 1 e)", "a1 (1 0 e)"
    assert legal(rows) == {up, right}
    assert legal(rows, restrictions=(parts.rests(),)) == {right}
    assert legal(rows, restrictions=(parts.keeps_out("there", frozenset({Square(1)})),)) == {up}
    near = "..G", ".G.", "g.."
    opposing = parts.adjoins("opposing", forbidden=True)
    assert legal(list(near), restrictions=(opposing,)) == set()
    assert legal(list(near)) == {up, right}
    assert legal(rows, restrictions=(parts.adjoins("opposing", forbidden=False),)) == set()


def test_no_turn_ends_where_the_last_one_began() -> None:
    game, position = game_of(["...", "g.."], restrictions=(parts.not_where_the_last_began(),))
    assert set(game.legal(replace(position, last="b1 (1 0 e)"))) == {"a1 (0 1 e)"}


def test_a_royal_piece_is_not_left_where_it_can_be_taken() -> None:
    rows = ["G..", "...", ".c."]
    safe = parts.royal_safe((GUARD, CHIEF))
    every = legal(rows, GUARD, CHIEF)
    assert every == {"b1 (0 1 e)", "b1 (1 0 e)", "b1 (-1 0 e)"}
    assert legal(rows, GUARD, CHIEF, restrictions=(safe,)) == every
    rows = ["...", "G..", ".c."]
    assert legal(rows, GUARD, CHIEF, restrictions=(safe,)) == {"b1 (1 0 e)"}


@pytest.mark.parametrize(
    ("rule", "rows", "holders"),
    [
        (parts.pattern(((0, 0), (1, 1), (2, 2)), 100, 0), ["..g", ".g.", "g.G"], [WHITE]),
        (parts.pattern(((0, 0), (1, 1), (2, 2)), 100, 0), ["g..", ".g.", "G.g"], []),
        (parts.race((GUARD,), 1, 100, 0), ["..g", "...", "..."], [WHITE]),
        (parts.race((GUARD,), 2, 100, 0), ["...", "g.G", "..."], [WHITE, BLACK]),
        (parts.bereft((GUARD,), 2, 0, 100), ["G.G", "...", "..g"], [WHITE]),
        (parts.filled(frozenset({Square(0), Square(1)}), "", 9, 1), ["GG.", "...", "gg."], [WHITE]),
        (parts.filled(frozenset({Square(0), Square(1)}), "", 9, 1), [".GG", "...", "g.."], [BLACK]),
        (parts.connects(diagonally=False, holder=1, rest=0), [".gg", "gg.", "..."], [WHITE]),
        (parts.connects(diagonally=False, holder=1, rest=0), ["..g", "gg.", "..."], []),
        (parts.connects(diagonally=True, holder=1, rest=0), ["..g", "gg.", "..."], [WHITE]),
        (parts.connects(diagonally=True, holder=1, rest=0), [".G.", "..G", ".G."], [BLACK]),
        (parts.crowded(3, 50), ["g.G", "...", ".G."], [WHITE, BLACK]),
        (parts.crowded(4, 50), ["g.G", "...", ".G."], []),
    ],
)
def test_endings_hold_for_whom_they_should(
    rule: parts.Rule, rows: list[str], holders: list[str]
) -> None:
    game, position = game_of(rows)
    assert rule.holds(game, position) == holders


def test_goals_follow_the_first_ending_that_holds() -> None:
    race = parts.race((GUARD,), 1, 80, 20)
    few = parts.bereft((GUARD,), 2, 10, 90)
    game, position = game_of(["g.", "..", "G."], endings=(race, few))
    assert game.goals(position) == {WHITE: 50, BLACK: 50}, "both have arrived"
    game, position = game_of(["g.", "G.", "G."], endings=(few, race))
    assert (game.ending(position), game.goals(position)) == (few.name, {WHITE: 10, BLACK: 90})
    game, position = game_of(["##", "g#"], no_turn=NoTurn(30, 5))
    assert (game.ending(position), game.goals(position)) == ("no turn", {WHITE: 30, BLACK: 5})


def test_who_takes_a_piece_moves_again_where_that_is_drawn() -> None:
    game, position = game_of(["G..", "g.."], again=True)
    assert game.play(position, "a1 (0 1 p)").to_move == WHITE
    assert game.play(position, "a1 (1 0 e)").to_move == BLACK


@pytest.mark.parametrize("seed", QUICK)
def test_a_drawn_game_is_a_game(seed: int) -> None:
    game = draw(seed)
    chance = Random(seed)
    for _ in range(3):
        for position in playout(game, chance):
            options = game.options(position, position.to_move)
            assert len({(o.origin, o.cells, o.stock) for o in options}) == len(options)
            for option in options:
                turn = Turn.parse(option.text)
                after = play(position, turn)
                assert (after.cells, after.stock) == (option.cells, option.stock)
            turns = game.legal(position)
            assert set(turns) <= {option.text for option in options}
            assert game.is_terminal(position) == (not turns)
            if turns:
                with pytest.raises(GameError):
                    game.goals(position)
            else:
                assert all(0 <= goal <= 100 for goal in game.goals(position).values())
                assert game.ending(position)


@pytest.mark.parametrize("seed", QUICK)
def test_endgames_go_on_and_end_soon(seed: int) -> None:
    game = draw(seed)
    starts = game.endgames()
    assert starts == game.endgames()
    assert not any(game.is_terminal(start) for start in starts)
    assert len({start.outcome for start in starts}) == len(starts) > 10


def test_the_same_seed_draws_the_same_game_and_another_another() -> None:
    again = draw.__wrapped__(QUICK[1])
    assert described(again) == described(draw(QUICK[1]))
    assert len({tuple(described(draw(seed))) for seed in QUICK}) == len(QUICK)


def test_a_dull_game_is_not_drawn() -> None:
    step = replace(STEP, captures=False)
    endless, _ = game_of(
        ["...", "...", "..."], replace(GUARD, words=(step,)), setup=((Square(0), "g"),)
    )
    assert not drawn_games.playable(endless, Random(1))
    never = parts.pattern(((0, 0), (9, 9)), 100, 0)
    stays = replace(GUARD, words=())
    filling, _ = game_of(["...", "...", "..."], stays, hand=(("g", None),))
    assert drawn_games.playable(filling, Random(1))
    hidden, _ = game_of(["...", "...", "..."], stays, hand=(("g", None),), endings=(never,))
    assert not drawn_games.playable(hidden, Random(1))
