"""The second grammar of drawn games: its parts by hand, its draws, and how models are judged."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from exactness import KINDS, Outcome, Trial, differences, totals
from second_games import main, trial
from second_grammar import closings, conditions, recalling, restrictions, takings, wholes
from second_grammar import odd_words as odd
from second_grammar import words as way
from second_grammar.control import AfterTaking, NoTurn, TurnAbout, Twice
from second_grammar.describe import described, features
from second_grammar.endings import Ending, Fixed, Scored, Shared
from second_grammar.fields import ALL, ORTHOGONAL, Field, draw_field
from second_grammar.play import SecondGame, playout
from second_grammar.rules import Aftermath, Placing, Rules
from second_grammar.screening import ATTEMPTS, draw, passes, playable, rules_of
from second_grammar.table import PLAYERS, Change, PieceType, Table, Word, Zone

from grl.board import Board, Position, Square, make_position
from grl.fresh import fresh_positions
from grl.generate import generate
from grl.traces import Traces, header_dict, write_traces
from grl.turn import Turn, play

ROOT = Path(__file__).resolve().parent.parent
TEN = (2, 5, 8, 10, 14, 15, 52, 56, 57, 82)
WHITE, BLACK = PLAYERS[:2]
STEP = way.Slide("orthogonally", 1, "ep")
QUIET = way.Slide("orthogonally", 1, "e")


def game_of(
    rows: list[str], *words: Word, touching: Any = ORTHOGONAL, **more: Any
) -> tuple[SecondGame, Position]:
    """A game of men m and kings k on a plain board, and a position, white to move."""
    cells = "".join(reversed(rows))
    holes = frozenset(Square(i) for i, c in enumerate(cells) if c == "#")
    board = Board(len(rows[0]), len(rows), holes)
    near = {(s, d): t for s in board.squares for d in ALL if (t := board.step(s, *d)) is not None}
    field = Field("plain", board, ALL, touching, near)
    types = more.pop("types", None) or (
        PieceType("man", "m", words or (STEP,), (0, 1)),
        PieceType("king", "k", (STEP,), (0, 1), royal=True),
    )
    rules = Rules(
        "armies",
        Table(field, PLAYERS[:2], types),
        start=((Square(0), "m"),),
        hand=(),
        placing=Placing(),
        takings=(),
        takes_on="all",
        prisoners=False,
        aftermath=None,
        restrictions=(),
        endings=(),
        no_turn=NoTurn("loses"),
        control=TurnAbout(),
        passing="none",
    )
    game = SecondGame(replace(rules, **more))
    return game, make_position(game.equipment, rows, WHITE)


def legal(rows: list[str], *words: Word, **more: Any) -> set[str]:
    game, position = game_of(rows, *words, **more)
    return set(game.legal(position))


def zone(game: SecondGame, *names: str) -> Zone:
    board = game.table.field.board
    found = frozenset(board.square(name) for name in names)
    return Zone("there", (found, found, found))


@pytest.mark.parametrize(
    ("word", "rows", "turns"),
    [
        (way.Slide("straight ahead", 9, "ep"), ["M", ".", "m"], {"", " (0 1 p)"}),
        (way.Slide("straight ahead", 9, "ep", far=True), [".", ".", "m"], {" (0 1 e)"}),
        (way.Leap("a knight's leap", "ep"), ["M..", "...", "..m"], {"(-1 2 e)", "(-2 1 e)"}),
        (way.Lame("e"), ["...", "..M", "..m"], {"(-1 0 e) (-1 1 e)"}),
        (way.Cannon("orthogonally"), ["M", "M", ".", "M", "m"], {"(0 1 p) (0 1 e) (0 1 p)"}),
        (way.Tally("orthogonally", "ep"), ["M", ".", "m", "m"], {"(0 1 w) (0 1 e) (0 1 p)"}),
        (odd.Push("orthogonally", off=True), ["mM.", ".M."], {"(1 0 p); c2 (0 0 a M)"}),
        (odd.Push("orthogonally", off=True), ["M", "m"], {"a1 (0 1 p)"}),
        (odd.Push("orthogonally", off=False), ["M", "m"], set()),
        (odd.Shoot("orthogonally", 2), ["M", ".", "m"], {"(0 1 e) (0 1 p) (0 0 d) (0 -1 e) (0 -1"}),
        (odd.Split("straight ahead"), [".", "m"], {"a1 (0 0 a m) (0 1 e)"}),
        (odd.Swap("orthogonally", "w"), ["m", "k"], {"a2 (0 -1 w); a2 (0 0 a k)"}),
        (way.Fly(few=1), ["..", ".m"], {"@a1", "@a2", "@b2"}),
    ],
)
def test_pieces_move_as_they_are_said_to(word: Word, rows: list[str], turns: set[str]) -> None:
    found = legal(rows, word, restrictions=(OnlyMen(),))
    if isinstance(word, way.Slide):
        assert len(found) == (1 if word.far else 2)
        return
    assert all(any(part in turn for turn in found) for part in turns)
    assert bool(found) == bool(turns)


class OnlyMen:
    """Kings stand still."""

    def keep(self, judge: Any, position: Position, options: Any) -> Any:  # noqa: ARG002
        return [c for c in options if c.key in "mM"]

    def said(self) -> str:
        return "kings stand still"


def test_a_hop_goes_on_while_it_must_and_takes_at_once_or_at_the_end() -> None:
    rows = ["...", ".M.", "...", "M..", "m.."]
    now = way.Hop("in every direction", "p", "now", chain=True)
    short = "a1 (0 1 p) (0 0 d) (0 1 e)"
    both = f"{short} (1 1 p) (0 0 d) (1 1 e)"
    assert legal(rows, now) == {short, both}
    assert legal(rows, replace(now, must=True)) == {both}
    later = legal(rows, replace(now, takes="later", must=True))
    assert later == {"a1 (0 1 p) (0 1 e) (1 1 p) (1 1 e); a2 (0 0 d); b4 (0 0 d)"}
    flip = legal(rows, replace(now, takes="flip", must=True))
    assert flip == {"a1 (0 1 p) (0 1 e) (1 1 p) (1 1 e); a2 (0 0 a m); b4 (0 0 a m)"}


def test_a_flying_hop_comes_from_and_lands_further_off() -> None:
    rows = [".", ".", "M", ".", "m"]
    hop = way.Hop("orthogonally", "p", "now", flying=True)
    assert legal(rows, hop) == {
        "a1 (0 1 e) (0 1 p) (0 0 d) (0 1 e)",
        "a1 (0 1 e) (0 1 p) (0 0 d) (0 1 e) (0 1 e)",
    }


@pytest.mark.parametrize(
    ("taking", "rows", "turn"),
    [
        (takings.Custodial("orthogonally", runs=False), ["..M", "mM.", "..m"], "c1 (0 1 e); b2"),
        (takings.Custodial("orthogonally", runs=False), ["mMM.", "...m"], "d1 (0 1 e)"),
        (
            takings.Custodial("orthogonally", runs=True),
            ["mMM.", "...m"],
            "d1 (0 1 e); b2 (0 0 d); c2",
        ),
        (takings.Intervention("orthogonally"), ["M.M", ".m."], "b1 (0 1 e); a2 (0 0 d); c2"),
        (takings.Enclosure(), ["Mm", "..", ".m"], "b1 (-1 0 e)"),
        (takings.Outnumbered(2), ["mM.", "..m"], "c1 (0 1 e); b2 (0 0 d)"),
        (takings.Outnumbered(1, flips=True), [".M.", "m.."], "a1 (0 1 e); b2 (0 0 a m)"),
        (
            takings.Facing(approach=True, withdraw=True, runs=True),
            ["M", "M", ".", "m", "M"],
            "a2 (0 1 e); a4 (0 0 d); a5 (0 0 d)|a2 (0 1 e); a1 (0 0 d)",
        ),
        (
            takings.Mill("orthogonally", 3, safe=True),
            ["mm.", "..m", "M.M"],
            "c2 (0 1 e); a1 (0 0 d)|c2 (0 1 e); c1 (0 0 d)",
        ),
    ],
)
def test_takings_take_what_they_are_said_to(
    taking: takings.Taking, rows: list[str], turn: str
) -> None:
    found = legal(rows, QUIET, takings=(taking,))
    for text in turn.split("|"):
        assert any(known.startswith(text) for known in found)
        if ";" not in text:
            assert text in found


def test_a_group_without_an_empty_square_beside_it_is_taken() -> None:
    assert "b1 (-1 0 e); a2 (0 0 d)" in legal(["Mm", ".m"], QUIET, takings=(takings.Enclosure(),))


def test_captured_pieces_join_the_hand_as_what_they_were_before_they_changed() -> None:
    base = PieceType("man", "m", (STEP,), (0, 1), change=Change("q", None))
    queen = PieceType("queen", "q", (STEP,), (0, 1))
    more: dict[str, Any] = {
        "types": (base, queen),
        "prisoners": True,
        "hand": ((0, "m", 0), (1, "M", 0)),
    }
    game, position = game_of(["Q.", "m."], **more)
    turns = game.legal(position)
    assert turns == ["a1 (1 0 e) (0 0 a q)", "a1 (0 1 p) (0 0 r m) (0 0 a q)"]
    after = game.play(position, turns[1])
    assert after.reserve[WHITE] == {"m": 1}
    assert "b1 (0 0 a m)" in game.legal(replace(after, to_move=WHITE))


def test_stones_are_shot_put_beside_or_left_behind() -> None:
    rows = ["...", "m.."]
    trail = legal(rows, QUIET, aftermath=Aftermath("trail"))
    assert trail == {"a1 (0 1 e); a1 (0 0 a x)", "a1 (1 0 e); a1 (0 0 a x)"}
    block = legal(rows, QUIET, aftermath=Aftermath("block"))
    assert "a1 (1 0 e); c1 (0 0 a x)" in block
    assert len(block) == 5
    arrow = legal(rows, QUIET, aftermath=Aftermath("arrow", 9))
    assert "a1 (0 1 e) (0 0 a x) (1 0 e) (1 0 e)" in arrow


def test_restrictions_keep_what_they_are_said_to() -> None:
    rows = ["M..", "m.M", ".m."]
    every = legal(rows)
    assert len(every) == 6

    def kept(*parts: restrictions.Restriction) -> set[str]:
        return legal(rows, restrictions=parts)

    assert kept(restrictions.Compulsory(most=False)) == {"a2 (0 1 p)"}
    game, _ = game_of(rows)
    assert not any(t.startswith("a2 (0 -1") for t in kept(restrictions.KeepsOut(zone(game, "a1"))))
    assert kept(restrictions.StaysIn(zone(game, "a2", "a1"))) == every - {
        "a2 (0 1 p)",
        "a2 (1 0 e)",
    }
    frozen = kept(restrictions.Frozen(unless=False, escape=True))
    assert frozen == {"a2 (0 1 p)"} | {t for t in every if t.startswith("b1")}
    lonely = kept(restrictions.Beside("opposing", forbidden=True, what="all"))
    assert "b1 (1 0 e)" not in lonely
    assert "b1 (-1 0 e)" in lonely
    assert kept(restrictions.NoRetreat("m", "man")) == every - {"a2 (0 -1 e)"}
    together = kept(wholes.StaysTogether())
    assert together == every
    assert kept(wholes.AtMost(1, zone(game, "a1", "b1", "a2"))) == every - {
        "a2 (0 -1 e)",
        "b1 (-1 0 e)",
    }


def test_a_royal_piece_is_not_left_where_it_can_be_taken() -> None:
    rows = ["..M", "...", "k.."]
    safe = restrictions.RoyalSafe()
    assert legal(rows, restrictions=(safe,)) == legal(rows)
    rows = [".M.", "...", "k.."]
    assert legal(rows, restrictions=(safe,)) == {"a1 (0 1 e)", "a1 (1 0 e)"}
    rows = ["M..", "k.."]
    assert legal([*rows], restrictions=(safe,)) == {"a1 (0 1 p)", "a1 (1 0 e)"}
    mate = NoTurn("mate")
    game, position = game_of(["M.", "k."], no_turn=mate)
    assert mate.goals(game, position) == (0, 100)
    game, position = game_of([".M", "k."], no_turn=mate)
    assert mate.goals(game, position) == (50, 50)


def test_restrictions_that_recall_look_at_the_game_so_far() -> None:
    rows = ["M...", "....", "m..."]

    def after(part: restrictions.Restriction, *turns: str) -> list[str]:
        game, position = game_of(rows, restrictions=(part,))
        for turn in turns:
            position = game.play(position, turn)
        return game.legal(position)

    there = ("a1 (1 0 e)", "a3 (1 0 e)")
    assert "b1 (-1 0 e)" in after(recalling.NoRecapture(), *there)
    assert "b1 (-1 0 e)" not in after(recalling.NoUndo(), *there)
    assert after(recalling.AnotherPiece(if_any=False), *there) == []
    assert len(after(recalling.AnotherPiece(if_any=True), *there)) == 3
    back = (*there, "b1 (-1 0 e)")
    assert "b3 (-1 0 e)" in after(recalling.NoReturn(ever=False), *back)
    assert "b3 (-1 0 e)" not in after(recalling.NoReturn(ever=True), *back)
    line = recalling.InTouch("line", if_any=False)
    assert after(line, *there) == ["b1 (0 1 e)"]
    game, _ = game_of(rows)
    opening = recalling.Opening(2, zone(game, "b1", "b3"), outside=False)
    assert after(opening) == ["a1 (1 0 e)"]
    assert len(after(opening, *there)) == 3


@pytest.mark.parametrize(
    ("when", "rows", "holders"),
    [
        (conditions.Row("diagonally", 3), ["..m", ".m.", "m.M"], [0]),
        (conditions.Row("orthogonally", 2, exact=True), ["mmm", "...", "MM."], [1]),
        (conditions.Shape("a square of four"), ["mm.", "mmM", ".M."], [0]),
        (conditions.Joined(own_sides=True), [".m.", ".m.", "mmM"], [0]),
        (conditions.Joined(own_sides=True), ["mmm", "...", "..M"], []),
        (conditions.Joined(own_sides=False), ["mmm", "...", "..M"], [0]),
        (conditions.Few("", "pieces", 2), ["m.M", "..M", "..."], [0]),
        (conditions.Few("k", "kings", 1), ["k.M", "..M", "..."], [1]),
        (conditions.Lead(2), ["mmm", "..M", "..."], [0]),
        (conditions.OneGroup(), ["mm.", "...", "M.M"], [0]),
        (conditions.Trapped("", "men", enemies=False), ["mM.", "M..", "..."], [0]),
        (conditions.Trapped("", "men", enemies=False), ["mM.", "...", "..."], []),
        (conditions.Contact(1), ["mK.", "...", "..k"], [0]),
        (closings.Full(), ["mm", "MM"], [0, 1]),
        (closings.Full(1), ["mm", "M."], [0, 1]),
        (closings.Stuck(), ["m#", "#M"], [0, 1]),
    ],
)
def test_conditions_hold_for_whom_they_should(
    when: conditions.Condition, rows: list[str], holders: list[int]
) -> None:
    game, position = game_of(rows, start=())
    assert when.holders(game, position) == holders


def test_conditions_about_the_game_so_far_count_its_turns() -> None:
    ended = Ending(closings.Repeated(2, for_all=False), Fixed(0, 100))
    late = Ending(closings.Turns(6), Shared(1))
    quiet = Ending(closings.Quiet(3), Scored("pieces"))

    def result(*endings: Ending) -> tuple[int, str, dict[Any, int]]:
        game, position = game_of(["M..", "..m", "m.."], endings=endings)
        turns = [
            "a1 (1 0 e)",
            "a3 (1 0 e)",
            "b1 (-1 0 e)",
            "b3 (-1 0 e)",
            "a1 (1 0 e)",
            "a3 (1 0 e)",
        ]
        for number, turn in enumerate(turns):
            if game.is_terminal(position):
                return number, game.ending(position), game.goals(position)
            position = game.play(position, turn)
        return len(turns), game.ending(position), game.goals(position)

    assert result(ended) == (4, "repeated", {WHITE: 100, BLACK: 0})
    assert result(late) == (6, "turns", {WHITE: 0, BLACK: 100})
    assert result(quiet, ended) == (3, "quiet", {WHITE: 100, BLACK: 0})


def test_scores_count_territory_groups_and_points() -> None:
    game, position = game_of(["m.M", "mmM", ".mM"])
    assert Scored("territory").goals(game, position, ()) == (100, 0)
    assert Scored("area", each=10).goals(game, position, ()) == (50, 30)
    assert Scored("group", most=False).goals(game, position, ()) == (0, 100)
    assert Scored("pieces").goals(*game_of(["m.M"]), ()) == (50, 50)


def test_players_pass_move_twice_or_again_where_that_is_drawn() -> None:
    game, position = game_of(["M..", "m.."], control=AfterTaking())
    assert game.play(position, "a1 (0 1 p)").to_move == WHITE
    assert game.play(position, "a1 (1 0 e)").to_move == BLACK
    game, position = game_of(["M...", "m..."], control=Twice(once_first=True))
    movers = []
    for turn in ("a1 (1 0 e)", "a2 (1 0 e)", "b2 (1 0 e)", "b1 (1 0 e)"):
        position = game.play(position, turn)
        movers.append(position.to_move)
    assert movers == [BLACK, BLACK, WHITE, WHITE]
    forced, blocked = game_of(["m#", "#M", ".."], passing="forced", start=())
    assert forced.legal(blocked) == ["pass"]
    assert forced.legal(forced.play(blocked, "pass")) == ["b2 (0 -1 e)"]


@pytest.mark.parametrize("kind", ["plain", "hexagons", "alquerque", "walls", "rings", "cylinder"])
def test_neighbours_are_neighbours_both_ways_and_every_square_can_be_reached(kind: str) -> None:
    for number in range(5):
        field = draw_field(Random(number), kind)
        for (square, (dx, dy)), target in field.near.items():
            assert field.near[target, (-dx, -dy)] == square
        assert len(field.groups(field.squares)) == 1
        assert 12 <= len(field.squares) <= 49


# What is drawn.


@pytest.mark.parametrize("seed", TEN)
def test_a_drawn_game_is_well_formed(seed: int) -> None:
    game = draw(seed)
    for position in playout(game, Random(seed), most=25)[::2]:
        turns = game.legal(position)
        seat = game.table.seat(position.to_move)
        for option in game.options(position, seat):
            after = play(position, Turn.parse(option.text))
            assert (after.cells, after.stock) == (option.cells, option.stock)
        assert len({Turn.parse(text).effect(position) for text in turns}) == len(turns)
        assert game.is_terminal(position) == (not turns)
        if not turns:
            assert all(0 <= goal <= 100 for goal in game.goals(position).values())
            assert game.ending(position)


@pytest.mark.parametrize("seed", TEN)
def test_two_positions_of_a_drawn_game_replay_by_the_reader(seed: int, tmp_path: Path) -> None:
    game = draw(seed)
    path = tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), generate(game, 2, all_moves=True, seed=1, max_plies=8))
    for record in Traces.open(path):
        number = Random(seed).randrange(len(record.plies))
        position = record.plies[0].position
        for ply in record.plies[:number]:
            position = game.play(position, ply.turn)
        ply = record.plies[number]
        assert position.outcome == ply.position.outcome
        assert ply.legal is not None
        assert set(game.legal(position)) == set(ply.legal)


def test_seeds_draw_the_same_games_in_another_process() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "second_games.py"), "--describe", "1-10"]
    elsewhere = subprocess.run(
        command,
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONHASHSEED": "7"},
    ).stdout
    for seed in range(1, 11):
        assert all(line in elsewhere for line in described(rules_of.__wrapped__(seed)))


def test_a_hundred_seeds_draw_much_that_differs() -> None:
    drawn = [features(rules_of(seed)) for seed in range(1, 101)]
    assert len(set(drawn)) == 100
    number = {
        part: len({f for fs in drawn for p, f in fs if p == part})
        for part in ("frame", "board", "word", "taking", "restriction", "ending", "control")
    }
    assert number["frame"] == 6
    assert number["board"] == 8
    assert number["word"] >= 10
    assert number["taking"] >= 10
    assert number["restriction"] >= 18
    assert number["ending"] >= 13
    assert number["control"] >= 4


@pytest.mark.parametrize("seed", [14, 51, 82])
def test_the_draw_of_a_seed_is_the_first_that_passes(seed: int) -> None:
    known = ATTEMPTS[seed - 1]
    assert passes(seed, known)
    assert known == 1 or not passes(seed, known - 1)


def test_dull_games_are_not_drawn() -> None:
    chance = Random(1)
    endless, _ = game_of(["..M", "m.."], QUIET)
    assert not playable(endless, chance), "it never ends"
    over, _ = game_of(["...", "..."], endings=(Ending(closings.Turns(3), Shared()),))
    assert not playable(over, chance), "it ends at once"
    never = Ending(conditions.Row("orthogonally", 4), Fixed(100, 0))
    filling: dict[str, Any] = {"hand": ((0, "m", None), (1, "M", None)), "types": None}
    rows = ["....", "....", "...."]
    full = Ending(closings.Full(), Scored("pieces"))
    types = (PieceType("man", "m", (), (0, 1)),)
    good, _ = game_of(rows, **filling | {"types": types, "start": (), "endings": (full,)})
    assert playable(good, chance)
    felt, _ = game_of(
        rows,
        **filling | {"types": types, "start": (), "endings": (full,)},
        restrictions=(recalling.NoUndo(),),
    )
    assert not playable(felt, chance), "its restriction forbids nothing"
    met, _ = game_of(
        rows, **filling | {"types": types, "start": (), "endings": (full, replace(never, seats=()))}
    )
    assert not playable(met, chance), "one of its endings never comes about"


# How models are judged.


class Copy:
    """A model that knows a game, but for what a test spoils."""

    looks_back = True

    def __init__(self, game: SecondGame) -> None:
        self._game, self.initial = game, game.initial

    def position(self, rows: Any, to_move: Any, reserve: Any, history: Any) -> Position:
        return make_position(self._game.equipment, rows, to_move, reserve, history)

    def legal(self, position: Position) -> list[Turn]:
        return [Turn.parse(text) for text in self._game.legal(position)]

    def goals(self, position: Position) -> dict[Any, int]:
        return self._game.goals(position)

    def play(self, position: Position, turn: Turn) -> Position:
        return self._game.play(position, turn)

    after = play


def judged(spoil: Callable[[Any], None]) -> set[str]:
    """The kinds of differences that are found in a spoiled model of the game of seed 10."""
    game = draw(10)
    copy = Copy(game)
    spoil(copy)
    number, found = differences(cast(Any, copy), game, fresh_positions(game, 40, 1, endings=0), 1)
    assert number > 40
    assert list(found) == list(KINDS)
    return {kind for kind, n in found.items() if n}


def test_differences_are_counted_by_kind() -> None:
    def fewer(copy: Any) -> None:
        copy.legal = lambda p: Copy.legal(copy, p)[1:]

    def turned(copy: Any) -> None:
        other = {WHITE: BLACK, BLACK: WHITE}
        copy.play = lambda p, t: replace(
            after := Copy.play(copy, p, t), to_move=other[after.to_move]
        )

    def silent(copy: Any) -> None:
        copy.goals = lambda _: {}

    def unjust(copy: Any) -> None:
        copy.goals = lambda _: {WHITE: 13, BLACK: 13}

    def endless(copy: Any) -> None:
        copy.legal = lambda p: Copy.legal(copy, p) or [Turn.parse("pass")]

    assert judged(lambda _: None) == set()
    assert "missing" in judged(fewer)
    assert judged(turned) == {"next"}
    assert judged(silent) == {"unknown"}
    assert judged(unjust) == {"goals"}
    assert judged(endless) == {"ending"}


def test_outcomes_are_classed_by_what_the_model_says_of_itself() -> None:
    good = Outcome(
        "one", 200, 1000, dict.fromkeys(KINDS, 0), verdict="exact as far as the records tell"
    )
    wrong = replace(good, game="two", differing={"missing": 3})
    assert replace(wrong, differing={"unknown": 3}).result == "not exact and said so"
    outcomes = [
        good,
        replace(good, said=True),
        wrong,
        replace(wrong, said=True, verdict="not exact: open: endings"),
        Outcome("three", 200, trouble="ended by the limit of time, at 'reading'"),
    ]
    assert [found.result for found in outcomes] == [
        "exact",
        "exact, but unsure",
        "not exact in silence",
        "not exact and said so",
        "no model",
    ]
    assert "missing 3" in outcomes[3].line()
    assert "open: endings" in outcomes[3].line()
    assert next(totals(outcomes, "games")) == "2 of 5 games are learned exactly"


def test_seeds_in_the_file_of_outcomes_are_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run: list[int] = []

    def quick(trial: Trial) -> Outcome:
        run.append(trial.seed)
        return Outcome(trial.name, 200, 10, dict.fromkeys(KINDS, 0))

    monkeypatch.setattr(Trial, "run", quick)
    out = str(tmp_path / "outcomes.jsonl")
    assert main(["--seeds", "1-2", "--out", out]) == 0
    assert main(["--seeds", "1-4", "--out", out, "--resume"]) == 0
    assert run == [1, 2, 3, 4]
    assert "4 of 4 games" in capsys.readouterr().out


def test_work_that_takes_too_long_is_ended_and_said_to_be() -> None:
    found = trial(14, games=2, positions=10, limit=0.01, memory=4096).run()
    assert found.result == "no model"
    assert "stopped after 0.01 s" in found.trouble
