"""Comparing finds what was planted, and nothing where nothing was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from race import (
    Astray,
    Blind,
    Doubling,
    Forgetful,
    Hasty,
    Knowing,
    Lingering,
    Race,
    Rejecting,
    Respelling,
    Stubborn,
    Waiting,
    race_model,
)

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.compare import Comparison, compare_game, compare_traces, fresh_positions
from grl.correspondence import correspond
from grl.errors import BoardError, GrlError
from grl.generate import generate
from grl.rulebook import Rulebook
from grl.tally import shape
from grl.traces import Traces, header_dict, write_traces
from grl.turn import Turn


def against_race(rulebook: Rulebook, positions: int = 60) -> Comparison:
    return compare_game(rulebook, Race(), positions, seed=1)


def record(path: Path, game: Race, *, all_moves: bool, n: int = 12) -> Traces:
    write_traces(path, header_dict(game), generate(game, n, all_moves=all_moves, seed=5))
    return Traces.open(path)


def test_a_perfect_rulebook_shows_no_difference() -> None:
    result = against_race(Knowing())
    assert result.same
    assert result.positions == 60
    assert result.turns > 60
    assert result.played > 60
    assert result.initial is True
    assert result.examples == ()
    assert {tuple(e.goals.values()) for e in result.endings} == {(100, 0), (0, 100)}
    assert all(e.met == e.recognised == e.right > 0 for e in result.endings)


def test_what_the_model_does_not_know_of_endings_is_not_counted() -> None:
    result = against_race(Rulebook(race_model()))
    assert result.same
    assert result.endings
    assert all(e.recognised is None and e.right is None for e in result.endings)


def test_a_missing_turn_is_found_and_shown() -> None:
    result = against_race(Forgetful())
    assert not result.same
    assert result.missing > 0
    assert result.surplus == result.elsewhere == 0
    assert result.missing_shapes[0][0] == "(0 1 e)"
    assert 1 <= len(result.examples) <= 3
    for example in result.examples:
        assert all(turn.startswith("c1 ") for turn in example.missing)
        assert example.to_move == "white"
        assert len(example.rows) == 4


def test_surplus_turns_are_counted_by_their_shape() -> None:
    result = against_race(Rulebook(race_model(sideways=True)))
    assert not result.same
    assert result.missing == 0
    assert result.surplus_shapes == (("(1 0 e)", result.surplus),)
    assert result.examples[0].surplus


def test_a_turn_that_leads_elsewhere_is_found() -> None:
    result = against_race(Astray())
    assert result.elsewhere > 0
    assert result.missing == result.surplus == 0
    assert result.examples[0].elsewhere == ("a1 (0 1 e)",)


def test_the_wrong_player_to_move_is_a_wrong_next_position() -> None:
    result = against_race(Stubborn())
    assert 0 < result.elsewhere < result.played, "after the last turn nobody is to move"
    assert result.missing == result.surplus == 0


def test_another_spelling_of_a_turn_is_the_same_turn() -> None:
    reference = Race()
    spelled = Respelling()
    texts = {
        str(turn)
        for position, _ in fresh_positions(reference, 60, 1)
        for turn in spelled.legal(position)
    }
    assert any(" e) (" in text for text in texts)
    assert against_race(spelled).same


def test_a_turn_generated_twice_is_surplus() -> None:
    result = against_race(Doubling())
    assert result.surplus == result.positions
    assert result.missing == 0


def test_endings_that_are_missed_or_judged_wrongly_are_differences() -> None:
    result = against_race(Blind())
    assert not result.same
    assert all(e.met > 0 and e.recognised == e.right == 0 for e in result.endings)
    assert "not called terminal" in result.examples[0].ending or "but" in result.examples[0].ending


@pytest.mark.parametrize("held_out", [False, True])
def test_who_would_move_in_a_terminal_position_means_nothing(
    tmp_path: Path, held_out: bool
) -> None:
    game = Lingering()
    if held_out:
        result = compare_traces(Waiting(), record(tmp_path / "r.jsonl", game, all_moves=True))
    else:
        result = compare_game(Waiting(), game, 60, seed=1)
    assert result.same
    assert sum(e.met for e in result.endings) > 5


def test_endings_seen_too_early_are_differences() -> None:
    result = against_race(Hasty())
    assert not result.same
    assert result.early == result.positions
    assert "goes on" in result.examples[0].ending


def test_missing_turns_are_shown_before_surplus_ones() -> None:
    class Both(Forgetful):
        def legal(self, position: Position) -> list[Turn]:
            turns = super().legal(position)
            return [*turns, *turns[:1]]

    result = against_race(Both())
    assert result.examples[0].missing


def test_a_comparison_is_plain_data() -> None:
    data = against_race(Forgetful()).to_dict()
    assert json.loads(json.dumps(data))["same"] is False
    assert data["examples"][0]["rows"]


def test_the_same_seed_gives_the_same_comparison_and_another_one_other_positions() -> None:
    assert against_race(Forgetful()) == against_race(Forgetful())
    one = [p.outcome for p, _ in fresh_positions(Race(), 30, 1)]
    other = [p.outcome for p, _ in fresh_positions(Race(), 30, 2)]
    assert one != other


def test_fresh_positions_are_distinct_and_reach_into_endgames() -> None:
    game = Race()
    met = list(fresh_positions(game, 40, 3))
    going = [p.outcome for p, legal in met if legal]
    assert len(going) == len(set(going)) == 40
    assert all(legal == game.legal(p) for p, legal in met)
    few = {len(p.cells.replace(".", "")) for p, _ in met}
    assert min(few) <= 2


def test_a_small_game_gives_what_it_has() -> None:
    game = Race(width=1)
    result = compare_game(Knowing(game), game, 1000, seed=0)
    assert 0 < result.positions < 10


def test_an_error_of_the_rulebook_says_the_position() -> None:
    with pytest.raises(GrlError, match=r"position [rR.]{3}/"):
        against_race(Rejecting())


RENAMED = Race(players=("south", "north"), keys="xo", types=("stone", "stone"))


def test_players_and_pieces_of_other_names_are_brought_together() -> None:
    result = compare_game(Knowing(RENAMED), Race(), 40)
    assert result.same
    assert result.endings[0].goals.keys() == {"south", "north"}


def test_examples_speak_the_language_of_the_model() -> None:
    class Forgets(Knowing):
        def legal(self, position: Position) -> list[Turn]:
            return super().legal(position)[1:]

    example = compare_game(Forgets(RENAMED), Race(), 40).examples[0]
    assert set("".join(example.rows)) <= set("xo.")
    assert example.to_move in ("south", "north")


def test_boards_of_different_sizes_are_one_clear_error() -> None:
    with pytest.raises(BoardError, match=r"boards differ in size.*3 x 4.*4 x 4"):
        compare_game(Knowing(), Race(width=4), 10)


@pytest.mark.parametrize("all_moves", [True, False])
def test_held_out_games_agree_with_a_perfect_rulebook(tmp_path: Path, all_moves: bool) -> None:
    traces = record(tmp_path / "t.jsonl", RENAMED, all_moves=all_moves)
    result = compare_traces(Knowing(), traces)
    assert result.same
    assert result.positions > 20
    assert result.single == (0 if all_moves else result.positions)
    assert sum(e.met for e in result.endings) > 0


def test_held_out_games_show_missing_surplus_and_wrong_next_positions(tmp_path: Path) -> None:
    traces = record(tmp_path / "t.jsonl", Race(), all_moves=True)
    assert compare_traces(Forgetful(), traces).missing > 0
    assert compare_traces(Rulebook(race_model(sideways=True)), traces).surplus > 0
    assert compare_traces(Astray(), traces).elsewhere > 0
    assert compare_traces(Stubborn(), traces).elsewhere > 0
    assert compare_traces(Knowing(), traces, positions=7).positions in range(7, 14)


def test_of_a_single_move_only_that_move_is_asked_for(tmp_path: Path) -> None:
    traces = record(tmp_path / "t.jsonl", Race(), all_moves=False)
    assert compare_traces(Rulebook(race_model(sideways=True)), traces).same
    forgetful = compare_traces(Forgetful(), traces)
    assert forgetful.missing > 0
    assert forgetful.surplus == 0
    assert compare_traces(Astray(), traces).elsewhere > 0


def test_the_shape_of_a_turn_has_no_squares() -> None:
    assert shape(Turn.parse("c3 (1 1 p) (0 0 d); d4 (@d7 e)")) == "(1 1 p) (0 0 d); (@ e)"
    assert shape(Turn.parse("pass")) == "pass"


def position(
    pieces: dict[str, tuple[str | None, str]], rows: list[str], to_move: str = "white"
) -> Position:
    table = {
        key: Piece(key, None if player is None else Player(player), kind)
        for key, (player, kind) in pieces.items()
    }
    players = (Player("white"), Player("black"))
    board = Board(len(rows[0]), len(rows))
    return make_position(Equipment(board, players, table), rows, to_move)


def test_pieces_correspond_by_type_then_by_place_then_by_what_is_left() -> None:
    ours = position(
        {
            "m": ("white", "man"),
            "k": ("white", "king"),
            "q": ("white", "queen"),
            "b": ("black", "man"),
            "x": (None, "stone"),
        },
        ["bb", "..", "mk"],
    )
    theirs = position(
        {
            "a": ("white", "foot"),
            "c": ("white", "crown"),
            "m": ("white", "queen"),
            "Z": ("black", "foot"),
            "y": (None, "arrow"),
        },
        ["ZZ", "..", "ac"],
    )
    assert correspond(ours, theirs).pieces == {"m": "a", "k": "c", "q": "m", "b": "Z", "x": "y"}


def test_players_correspond_from_the_one_who_begins() -> None:
    pieces = {"m": ("white", "man"), "b": ("black", "man")}
    like = correspond(position(pieces, ["bm"]), position(pieces, ["mb"], to_move="black"))
    assert like.players == {"white": "black", "black": "white"}
    assert like.pieces == {"m": "b", "b": "m"}
    assert like.cells("bm.") == "mb."


def test_turns_reserves_and_history_are_translated() -> None:
    ours = Equipment(
        Board(2, 1),
        (Player("white"),),
        {"m": Piece("m", Player("white"), "man")},
        frozenset({(Player("white"), "m")}),
    )
    theirs = Equipment(
        Board(2, 1), (Player("you"),), {"z": Piece("z", Player("you"), "man")}, frozenset()
    )
    like = correspond(
        make_position(ours, [".."], "white"),
        make_position(theirs, [".."], "you", {"you": {"z": 0}}),
    )
    start = make_position(
        ours, ["m."], "white", {"white": {"m": 2}}, {"moved": ["a1"], "last": "a1 (0 0 a m)"}
    )
    assert like.position(start) == {
        "rows": ["z."],
        "to_move": "you",
        "reserve": {"you": {"z": 2}},
        "history": {"moved": ["a1"], "last": "a1 (0 0 a z)"},
    }
    assert like.stock(start.stock) == (("you", "z", 2),)


@pytest.mark.parametrize(
    ("theirs", "rows", "complaint"),
    [
        ({"m": ("white", "man")}, ["..", "mm"], "nothing corresponds to the piece 'k'"),
        (
            {"a": ("white", "foot"), "c": ("white", "crown"), "e": ("white", "else")},
            ["..", "ac"],
            "nothing corresponds to the piece",
        ),
    ],
)
def test_a_piece_without_counterpart_is_one_clear_error(
    theirs: dict[str, tuple[str | None, str]], rows: list[str], complaint: str
) -> None:
    ours = {"m": ("white", "man"), "k": ("white", "king")}
    with pytest.raises(BoardError, match=complaint):
        correspond(position(ours, ["..", "mm"]), position(theirs, rows))


def test_boards_with_other_holes_are_one_clear_error() -> None:
    pieces = {"m": ("white", "man")}
    ours, theirs = position(pieces, ["m."]), position(pieces, ["m."])
    board = Board(2, 1, frozenset({theirs.board.square("b1")}))
    holed = make_position(
        Equipment(board, theirs.equipment.players, theirs.equipment.pieces), ["m#"], "white"
    )
    with pytest.raises(BoardError, match="b1 is a square of only one"):
        correspond(ours, holed)
