"""A learned rulebook at work: what the library promises of positions, turns and play."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from learned import learned, record
from race import Race, race_model

import grl
from grl import games
from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.errors import BoardError, GrlError, IllegalTurn, TurnSyntaxError
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.rulebook import Rulebook
from grl.turn import PASS, Letter, Turn
from grl.turn import play as carry_out

WHITE, BLACK = Player("white"), Player("black")


@pytest.fixture(scope="module")
def checkers() -> Rulebook:
    return learned("checkers")


def drops() -> Rulebook:
    """White places men from a reserve of two; black only ever passes."""
    pieces = {"m": Piece("m", WHITE, "man")}
    equipment = Equipment(Board(2, 1), (WHITE, BLACK), pieces, frozenset({(WHITE, "m")}))
    place = Dfa(
        AutomatonKey(WHITE, ".", Role.FIRST),
        2,
        ((StateId(0), Letter(0, 0, "a", "m"), StateId(1)),),
        frozenset({StateId(1)}),
    )
    stays = Dfa(AutomatonKey(WHITE, "m", Role.APPEARED), 1, (), frozenset({StateId(0)}))
    initial = make_position(equipment, [".."], "white", {"white": {"m": 2}})
    return Rulebook(Model("drops", equipment, initial, (place, stays), passes={BLACK: "forced"}))


# From records to play.


def test_learn_save_load_and_play(tmp_path: Path) -> None:
    traces = record("tic-tac-toe", tmp_path / "games.jsonl", 3)
    model = grl.learn([traces])
    model.save(tmp_path / "model.grl.json")
    loaded = grl.load(tmp_path / "model.grl.json")
    assert isinstance(loaded, grl.Rulebook)
    assert loaded.model == model.model
    position = loaded.initial
    assert isinstance(position, grl.Position)
    turns = loaded.legal(position)
    assert all(isinstance(turn, grl.Turn) for turn in turns)
    assert sorted(map(str, turns)) == [
        f"{file}{rank} (0 0 a x)" for file in "abc" for rank in "123"
    ]
    after = loaded.play(position, "b2 (0 0 a x)")
    assert after.rows == ["...", ".x.", "..."]
    assert after.to_move == "o"
    assert len(loaded.legal(after)) == 8


@pytest.mark.parametrize("spec", ["breakthrough:width=6,height=6", "connect-four", "checkers"])
def test_every_turn_of_the_reference_game_is_among_the_learned_ones(spec: str) -> None:
    """What is learned so far is pseudo-legal: rules about positions may still forbid some."""
    rulebook, game, random = learned(spec), games.load(spec), Random(4)
    position = game.initial
    for _ in range(30):
        if game.is_terminal(position):
            position = game.initial
        here = replace(position, equipment=rulebook.model.equipment)
        effects = {(turn.origin, carry_out(here, turn).outcome) for turn in rulebook.legal(here)}
        for text in game.legal(position):
            turn = Turn.parse(text)
            assert (turn.origin, game.play(position, turn).outcome) in effects, text
        position = game.play(position, random.choice(game.legal(position)))


# Positions.


def test_the_list_of_legal_turns_is_its_callers_own() -> None:
    rulebook = drops()
    turns = rulebook.legal(rulebook.initial)
    turns.clear()
    assert [str(turn) for turn in rulebook.legal(rulebook.initial)] == [
        "a1 (0 0 a m)",
        "b1 (0 0 a m)",
    ]
    after = rulebook.play(rulebook.initial, "a1 (0 0 a m)")
    assert rulebook.legal(after) == [PASS]


def test_a_position_from_outside_is_as_given(checkers: Rulebook) -> None:
    rows = ["........", "..k.....", *["........"] * 5, "...M...."]
    position = checkers.position(rows, to_move="black")
    assert position.rows == rows
    assert position.to_move == "black"
    assert position.reserve == {}
    assert position.history == {"moved": [], "last": None}
    assert position.board == checkers.initial.board


def test_a_position_as_plain_data_holds_all_and_comes_back(checkers: Rulebook) -> None:
    position = checkers.play(checkers.initial, "c3 (1 1 e)")
    data = position.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data == {
        "rows": [
            ".M.M.M.M",
            "M.M.M.M.",
            ".M.M.M.M",
            "........",
            "...m....",
            "m...m.m.",
            ".m.m.m.m",
            "m.m.m.m.",
        ],
        "to_move": "black",
        "reserve": {},
        "history": {"moved": ["d4"], "last": "c3 (1 1 e)"},
    }
    assert checkers.position(**data) == position


def test_history_follows_the_pieces_that_moved(checkers: Rulebook) -> None:
    position = checkers.initial
    for text in ("c3 (1 1 e)", "f6 (-1 -1 e)", "d4 (1 1 p) (0 0 d) (1 1 e)"):
        position = checkers.play(position, text)
    assert position.history == {"moved": ["f6"], "last": "d4 (1 1 p) (0 0 d) (1 1 e)"}
    back = checkers.position(position.rows, position.to_move, None, position.history)
    assert back == position
    assert checkers.position(position.rows, position.to_move) != position


def test_reserves_are_read_and_counted_down() -> None:
    rulebook = drops()
    assert rulebook.initial.reserve == {"white": {"m": 2}}
    after = rulebook.play(rulebook.initial, "a1 (0 0 a m)")
    assert after.reserve == {"white": {"m": 1}}
    assert after.to_dict()["reserve"] == {"white": {"m": 1}}
    assert rulebook.position(**after.to_dict()) == after
    one = rulebook.position([".."], "white", reserve={"white": {"m": 1}})
    assert len(rulebook.legal(one)) == 2
    none = rulebook.position([".."], "white")
    assert none.reserve == {"white": {"m": 0}}
    assert rulebook.legal(none) == []


@pytest.mark.parametrize(
    ("rows", "to_move", "reserve", "message"),
    [
        (["........"] * 7, "white", None, "rows"),
        (["........"] * 7 + ["......."], "white", None, "row 8"),
        (["........"] * 7 + ["...Z...."], "white", None, "'Z'"),
        (["........"] * 7 + ["...#...."], "white", None, "d1"),
        (["........"] * 8, "red", None, "red"),
        (["........"] * 8, "white", {"red": {"m": 1}}, "red"),
        (["........"] * 8, "white", {"white": {"Z": 1}}, "'Z'"),
        (["........"] * 8, "white", {"white": {"m": -1}}, "-1"),
    ],
)
def test_an_impossible_position_is_refused(
    rows: list[str],
    to_move: str,
    reserve: dict[str, dict[str, int]] | None,
    message: str,
    checkers: Rulebook,
) -> None:
    with pytest.raises(BoardError) as caught:
        checkers.position(rows, to_move, reserve)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# Playing.


def test_playing_leaves_the_position_before_as_it_was(checkers: Rulebook) -> None:
    before = checkers.initial.to_dict()
    for turn in checkers.legal(checkers.initial):
        checkers.play(checkers.initial, turn)
    assert checkers.initial.to_dict() == before


def test_text_and_turn_play_the_same(checkers: Rulebook) -> None:
    turns = checkers.legal(checkers.initial)
    assert len(turns) >= 7
    for turn in turns:
        assert checkers.play(checkers.initial, turn) == checkers.play(checkers.initial, str(turn))


CIRCLE = [
    "........",
    "...k....",
    "..M.M...",
    "........",
    "..M.M...",
    "........",
    "........",
    "." * 8,
]


def jumps(*steps: tuple[int, int]) -> str:
    return "d7" + "".join(f" ({dx} {dy} p) (0 0 d) ({dx} {dy} e)" for dx, dy in steps)


def test_any_spelling_with_the_same_origin_and_effect_may_be_played(checkers: Rulebook) -> None:
    position = checkers.position(CIRCLE, "white")
    left = jumps((-1, -1), (1, -1), (1, 1), (-1, 1))
    right = jumps((1, -1), (-1, -1), (-1, 1), (1, 1))
    listed = {str(turn) for turn in checkers.legal(position)}
    assert len({left, right} & listed) == 1
    one, other = checkers.play(position, left), checkers.play(position, right)
    assert one.outcome == other.outcome
    assert one.rows == ["........", "...k....", *["........"] * 6]
    assert (one.last, other.last) == (left, right)


def test_no_two_legal_turns_have_the_same_origin_and_effect(checkers: Rulebook) -> None:
    position = checkers.position(CIRCLE, "white")
    movement = Rulebook(replace(checkers.model, rules=None))
    effects = [
        (turn.origin, carry_out(position, turn).outcome) for turn in movement.legal(position)
    ]
    assert len(effects) == len(set(effects)) > 4


def test_the_same_effect_from_another_square_is_another_turn(checkers: Rulebook) -> None:
    position = checkers.position([*["........"] * 6, "........", "k......."], "white")
    stepped = checkers.play(position, "a1 (1 1 e)")
    assert stepped.rows[6] == ".k......"
    with pytest.raises(IllegalTurn):
        checkers.play(position, "b2 (0 0 a k); a1 (0 0 d)")


@pytest.mark.parametrize(
    "text",
    [
        "c3 (0 1 e)",
        "c3 (-1 -1 e)",
        "c3 (1 1 p)",
        "f6 (-1 -1 e)",
        "d4 (1 1 e)",
        "c3 (1 1 e) (1 1 e)",
        "c3 (0 0 d)",
        "d4 (0 0 a m)",
        "c3 (1 1 e) (0 0 a K)",
        "a1 (-1 0 e)",
        "z9 (1 1 e)",
        "pass",
    ],
)
def test_any_other_turn_is_illegal(text: str) -> None:
    rulebook = learned("checkers")
    with pytest.raises(IllegalTurn) as caught:
        rulebook.play(rulebook.initial, text)
    assert "\n" not in str(caught.value)
    assert text[:6] in str(caught.value)


@pytest.mark.parametrize("text", ["", "c3", "c3(1 1 e)", "c3 (1 1 x)", "PASS", "c3 (1 1 e);"])
def test_text_that_is_no_turn_is_a_syntax_error(text: str, checkers: Rulebook) -> None:
    with pytest.raises(TurnSyntaxError):
        checkers.play(checkers.initial, text)


def test_an_illegal_turn_shows_the_position(checkers: Rulebook) -> None:
    with pytest.raises(IllegalTurn) as caught:
        checkers.play(checkers.initial, "c3 (0 1 e)")
    assert "/".join(checkers.initial.rows) in str(caught.value)
    number = len(checkers.legal(checkers.initial))
    assert f"one of the {number} legal turns" in str(caught.value)


def test_a_pass_is_played_where_it_is_legal() -> None:
    rulebook = drops()
    black = rulebook.play(rulebook.initial, "a1 (0 0 a m)")
    assert rulebook.legal(black) == [PASS]
    after = rulebook.play(black, "pass")
    assert after.to_move == "white"
    assert after.rows == black.rows
    with pytest.raises(IllegalTurn):
        rulebook.play(rulebook.initial, "pass")


# Endings and counts.


def test_a_position_without_a_turn_is_terminal_and_nothing_is_known_of_goals() -> None:
    rulebook = Rulebook(race_model())
    stuck = rulebook.position(["rRr", "...", "...", "..."], "white")
    assert rulebook.legal(stuck) == []
    assert rulebook.is_terminal(stuck)
    assert not rulebook.is_terminal(rulebook.initial)
    assert rulebook.goals(stuck) == {}


def count(rulebook: Rulebook, position: Position, depth: int) -> int:
    """Turn sequences counted by playing every one of them to its end."""
    if depth == 0:
        return 1
    return sum(
        count(rulebook, rulebook.play(position, turn), depth - 1)
        for turn in rulebook.legal(position)
    )


@pytest.mark.parametrize(
    ("spec", "depth"),
    [("checkers", 3), ("tic-tac-toe", 3), ("connect-four", 2), ("peg-solitaire", 3)],
)
def test_perft_counts_what_playing_counts(spec: str, depth: int) -> None:
    rulebook = learned(spec)
    for length in range(depth + 1):
        assert rulebook.perft(rulebook.initial, length) == count(rulebook, rulebook.initial, length)


def test_perft_agrees_with_reference_games_that_need_no_further_rules() -> None:
    for spec, depth in (("peg-solitaire", 4), ("breakthrough:width=6,height=6", 3)):
        game, rulebook = games.load(spec), learned(spec)
        for length in range(1, depth + 1):
            assert rulebook.perft(rulebook.initial, length) == game.perft(game.initial, length)


def test_perft_counts_only_sequences_of_the_whole_length() -> None:
    rulebook = drops()
    assert [rulebook.perft(rulebook.initial, depth) for depth in range(6)] == [1, 2, 2, 2, 2, 0]
    race = Rulebook(race_model())
    assert race.perft(race.initial, 1) == len(race.legal(race.initial))
    assert race.perft(race.initial, 2) == Race().perft(Race().initial, 2)


def test_without_machines_a_rulebook_allows_no_less(checkers: Rulebook) -> None:
    free = Rulebook(checkers.model, locm=False)
    for rows in (checkers.initial.rows, CIRCLE):
        position = checkers.position(rows, "white")
        ordered = {carry_out(position, turn).outcome for turn in checkers.legal(position)}
        assert ordered <= {carry_out(position, turn).outcome for turn in free.legal(position)}


def test_a_used_rulebook_can_be_pickled() -> None:
    rulebook = learned("tic-tac-toe")
    rulebook.perft(rulebook.initial, 2)
    again = pickle.loads(pickle.dumps(rulebook))
    assert again.model == rulebook.model
    assert again.perft(again.initial, 2) == rulebook.perft(rulebook.initial, 2)


@pytest.mark.parametrize("depth", [1.5, -1, True, "2", None, 10**9])
def test_perft_counts_whole_plies_only(depth: object) -> None:
    rulebook = learned("tic-tac-toe")
    with pytest.raises(GrlError, match="wrong depth"):
        rulebook.perft(rulebook.initial, depth)  # type: ignore[arg-type]


def test_a_position_of_another_game_is_refused() -> None:
    rulebook = learned("tic-tac-toe")
    other = Race().initial
    for ask in (rulebook.legal, rulebook.is_terminal, rulebook.goals):
        with pytest.raises(GrlError, match="another game"):
            ask(other)
    with pytest.raises(GrlError, match="another game"):
        rulebook.play(other, "a1 (0 1 e)")
    with pytest.raises(GrlError, match="another game"):
        rulebook.perft(other, 1)


def test_a_last_turn_that_is_none_is_refused() -> None:
    rulebook = learned("tic-tac-toe")
    rows = rulebook.initial.rows
    for last in ("zzz", "k9 (0 0 a x)", 7):
        with pytest.raises(GrlError, match="last"):
            rulebook.position(rows, "x", history={"moved": [], "last": last})


def test_rulebooks_and_positions_print_readably() -> None:
    rulebook = learned("tic-tac-toe")
    assert repr(rulebook).startswith("<Rulebook of tic-tac-toe, automata: ")
    assert repr(rulebook.initial) == "Position('.../.../...', to_move='x')"
    assert str(rulebook.initial).splitlines() == [
        "3  . . .", "2  . . .", "1  . . .", "   a b c", "x to move",
    ]  # fmt: skip
