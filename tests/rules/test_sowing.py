"""Games of sowing: what contents count is found, what turns bring about is learned and carried out.

The truth is the reference game, other hand-written games, and those of OpenSpiel.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lessons import games_of, taught
from sowing_games import KEYS, Backwards, Even, Facing, Sowing

import grl
from grl.board import EMPTY, Board, Equipment, Piece, Player, Square
from grl.compare import compare_game
from grl.errors import ModelError
from grl.export.program import asp_program
from grl.games import load
from grl.logic.changes import MOVED, REMOVED, SOWN
from grl.logic.ops import OPERATORS
from grl.logic.rows import Ground, Rows, Walked
from grl.logic.terms import read_term
from grl.model import Effect
from grl.modelfile import from_data, to_data
from grl.progress import silent
from grl.rulebook import Rulebook
from grl.rules.english.effects import effect_sentences, sowing_sentences
from grl.rules.learn.numbers import Taken, conserved, continued, ladder
from grl.rules.learn.sowing import learn_sowing
from grl.rules.play.effects import grid_of
from grl.shards import observe
from grl.sowing import Sowing as Counts
from grl.traces import Traces, write_traces

SOUTH, NORTH = Player("south"), Player("north")
END = ("sown",)
OWN, THEIRS = ("field", "home", 0), ("field", "home", 1)
CAPTURED = ("through", "file", END)


@pytest.fixture(scope="module")
def kalah() -> Rulebook:
    return taught(load("kalah"), games_of(load("kalah"), 40, endgames=0.0))


def test_kalah_is_learned_exactly(kalah: Rulebook) -> None:
    game = load("kalah")
    found = compare_game(kalah, game, positions=200, endings=40)

    assert found.same, found
    assert found.turns > 400
    assert sum(ending.met for ending in found.endings) > 10
    assert kalah.perft(kalah.initial, 5) == game.perft(game.initial, 5) == 488


def test_what_kalah_sows_moves_and_counts_is_said(kalah: Rulebook) -> None:
    sown, *moved = kalah.model.effects
    assert sown == Effect(("square", "start1"), SOWN)
    assert [each.becomes for each in moved] == [MOVED] * 3
    assert {each.to for each in moved} == {("field", "store", 0), ("field", "store", 1)}
    assert CAPTURED in _parts(moved[0].where)
    assert {each.where[1] for each in moved[1:]} == {OWN, THEIRS}

    text = kalah.describe()
    assert "taken up and sown" in text
    assert "the mover moves again" in " ".join(text.split())
    assert sowing_sentences(kalah.model) == (
        "The home squares of south are b1, c1, d1 and e1, the store is f1; the way goes by b1, c1, "
        "d1, e1, f1, e2, d2, c2, b2, b1.",
        "The home squares of north are b2, c2, d2 and e2, the store is a2; the way goes by b2, a2, "
        "b1, c1, d1, e1, e2, d2, c2, b2.",
    )
    sentences = effect_sentences(kalah.model)
    assert sentences[2:] == (
        "Then the contents of home squares of the opponent are moved to the store of the opponent, "
        "if there are no neutral pieces on home squares of the mover.",
        "Then the contents of home squares of the mover are moved to the store of the mover, if "
        "there are no neutral pieces on home squares of the opponent.",
    )


def _parts(term: Any) -> list[Any]:
    if not isinstance(term, tuple):
        return []
    return [term, *(part for each in term[1:] for part in _parts(each))]


@pytest.mark.parametrize("row", ["#K...2", "#C.1..9", "#.4J..1"])
def test_numbers_that_no_record_shows_are_sown_as_well(kalah: Rulebook, row: str) -> None:
    """Twelve seeds go round and come by their house again; 20 are taken up in no record."""
    game = load("kalah")
    position = replace(game.initial, cells=f"{row[:6]}.1...#")
    assert {str(turn) for turn in kalah.legal(position)} == set(game.legal(position))


@pytest.mark.parametrize(
    ("kind", "becomes"), [(Backwards, "way_up"), (Facing, "through"), (Even, "multiple")]
)
def test_other_games_of_sowing_are_learned_exactly(kind: type[Sowing], becomes: str) -> None:
    """Stones leave the board, and neither names nor the order of pieces say what they count."""
    game = kind()
    learned = taught(game, games_of(game, 15, endgames=0.0, max_plies=120))

    sowing = learned.model.equipment.sowing
    assert sowing is not None
    assert sowing.values == {key: n for n, key in enumerate(KEYS, 1) if key in sowing.values}
    assert (sowing.keeps, sowing.goes_on) == (kind.keeps, kind.goes_on)
    assert sowing.skips == kind.skips
    assert from_data(json.loads(json.dumps(to_data(learned.model)))) == learned.model
    assert [effect.becomes for effect in learned.model.effects] == [SOWN, REMOVED]
    assert becomes in {part[0] for part in _parts(learned.model.effects[1].where)}
    found = compare_game(learned, game, positions=200, endings=10)
    assert found.same, found


def test_played_turns_alone_show_how_is_sown() -> None:
    game = Backwards()
    learned = taught(game, games_of(game, 8, all_moves=False, endgames=0.0, max_plies=120))
    found = compare_game(learned, game, positions=100, endings=0)
    assert found.same, found


def test_a_game_of_openspiel_is_learned_as_its_states_show_it(tmp_path: Path) -> None:
    """Its Kalah plays on at the end without a last sweep; who has more in all has won."""
    spiel = pytest.importorskip("spiel_sowing", exc_type=ImportError)
    known, fresh = tmp_path / "known.jsonl", tmp_path / "fresh.jsonl"
    write_traces(known, spiel.header("mancala"), spiel.plays("mancala", 22, seed=3))
    write_traces(fresh, spiel.header("mancala"), spiel.plays("mancala", 5, seed=2))
    learned = grl.learn([known])

    positions = 0
    for play in Traces.open(fresh):
        for ply, following in zip(play.plies, play.plies[1:], strict=False):
            positions += 1
            assert {str(turn) for turn in learned.legal(ply.position)} == set(ply.legal or ())
            assert learned.play(ply.position, ply.turn).to_move == following.position.to_move
        assert learned.is_terminal(play.final)
        assert learned.goals(play.final) == play.goals
    assert positions > 150


def test_what_another_game_of_openspiel_moves_is_found(tmp_path: Path) -> None:
    """Of two or three, backwards; not if nothing would be left; and the rest when more than half is
    in store. Left are turns after which nobody can feed the other, or that repeat a position."""
    spiel = pytest.importorskip("spiel_sowing", exc_type=ImportError)
    path = tmp_path / "games.jsonl"
    write_traces(path, spiel.header("oware"), spiel.plays("oware", 60, seed=1))
    shard = observe([Traces.open(path)], 1, silent)
    equipment = Traces.open(path).header.equipment
    found = learn_sowing(shard.evidence.settled(), equipment)

    assert found is not None
    assert (found.sowing.keeps, found.sowing.skips) == (False, True)
    assert found.unexplained < 40
    sown, taken, *rest = found.effects
    assert sown.becomes == SOWN
    row = ("way_up", END, ("both", THEIRS, ("without", ("worth", "<", 4), ("worth", "<", 2))))
    left = ("given", ("without", ("both", THEIRS, ("lies", "neutral")), row))
    assert taken == Effect(("both", row, left), MOVED, ("field", "store", 0))
    half = ("given", ("both", ("field", "store", 0), ("worth", "<", 25)))
    assert Effect(("without", THEIRS, half), MOVED, ("field", "store", 1)) in rest


def test_a_model_with_numbers_is_written_and_read(kalah: Rulebook) -> None:
    data = json.loads(json.dumps(to_data(kalah.model), sort_keys=True))
    again = from_data(data)
    assert again.equipment.sowing == kalah.model.equipment.sowing
    assert again == kalah.model
    assert to_data(again) == to_data(kalah.model)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("values", {}),
        ("values", {"1": 1, "2": 1}),
        ("values", {"1": 0}),
        ("values", {"1": 10**9}),
        ("values", {"?": 3}),
        ("ways", {"south": []}),
        ("ways", {"south": [["b1", "z9"]], "north": []}),
        ("ways", {"south": [["b1"]], "north": []}),
        ("homes", {"east": []}),
        ("stores", {"south": ["a"]}),
        ("keeps", 3),
    ],
)
def test_a_file_with_other_numbers_is_refused(kalah: Rulebook, field: str, value: object) -> None:
    data = json.loads(json.dumps(to_data(kalah.model)))
    data["sowing"][field] = value
    with pytest.raises(grl.GrlError):
        from_data(data)


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        ({"where": ["lies", "neutral"], "becomes": "moved"}, "effects[0].to"),
        ({"where": ["lies", "neutral"], "becomes": "moved", "to": ["worth"]}, "effects[0].to"),
        ({"where": ["field", "den", 0], "becomes": "removed"}, "effects[0].where"),
        ({"where": ["lies", "neutral"], "becomes": "same"}, "effects[0].becomes"),
    ],
)
def test_stages_that_there_are_not_are_refused(
    kalah: Rulebook, effect: dict[str, Any], said: str
) -> None:
    data = json.loads(json.dumps(to_data(kalah.model)))
    with pytest.raises(ModelError) as raised:
        from_data({**data, "effects": [effect]})
    assert said in str(raised.value)


def test_numbers_are_asked_for_only_where_something_counts(kalah: Rulebook) -> None:
    data = json.loads(json.dumps(to_data(kalah.model)))
    del data["sowing"]
    with pytest.raises(ModelError, match="becomes is wrong"):
        from_data(data)
    data["effects"] = [{"where": ["worth", "=", 1], "becomes": "removed"}]
    with pytest.raises(ModelError, match="contents count"):
        from_data(data)


def test_what_has_no_home_elsewhere_says_so(kalah: Rulebook) -> None:
    engine = kalah.engine()
    assert engine.kind == "python"
    assert "count" in engine.reason
    assert engine.perft(engine.initial, 3) == 50
    with pytest.raises(ModelError, match="contents count"):
        asp_program(kalah.model)


# What counts ----------------------------------------------------------------------------------


def turns(pairs: Sequence[tuple[str, str]]) -> list[Taken]:
    return [Taken(SOUTH, Square(0), before, after) for before, after in pairs]


def test_contents_are_what_turns_conserve() -> None:
    """One b is two a, and c as much as both; no name says so."""
    found = conserved(turns([("b..", ".aa"), ("c..", ".ab"), ("cb.", ".cb")]))
    assert found == {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize(
    "pairs",
    [
        [("ab.", ".ab"), ("a..", "..a")],
        [("b..", ".aa"), ("b..", "..a")],
        [("a..", ".b."), ("c..", ".aa")],
    ],
)
def test_contents_are_none_where_any_or_no_numbers_fit(pairs: list[tuple[str, str]]) -> None:
    """Pieces that only move, pieces that leave the board, two contents that are the same."""
    assert conserved(turns(pairs)) is None


def test_steps_show_numbers_where_something_leaves_the_board() -> None:
    steps = [("xxa", ".xb"), ("x..", ".a."), ("xb.", "xc."), ("xa.", "xb."), ("x.b", "x.c")]
    lost = [("xxc", ".x."), ("xaa", ".x.")]
    assert conserved(turns(steps + lost)) is None
    assert ladder(turns(steps + lost)) == {"a": 1, "b": 2, "c": 3}


def test_further_numbers_follow_the_order_of_pieces_if_the_known_ones_do() -> None:
    assert continued({"b": 2, "c": 3}, ["a", "b", "c", "d"]) == {"a": 1, "b": 2, "c": 3, "d": 4}
    assert continued({"b": 3, "c": 2}, ["a", "b", "c", "d"]) == {"b": 3, "c": 2}


# Terms ----------------------------------------------------------------------------------------


def rows_of(cells: str, start: int, mover: Player, counts: Counts) -> Rows:
    pieces = {key: Piece(key, None, key) for key in "123456789"}
    equipment = Equipment(Board(4, 2), (SOUTH, NORTH), pieces, sowing=counts)
    turn = Walked({"start1": Square(start)}.get, tuple, tuple, lambda: cells[start])
    return Rows(equipment, grid_of(equipment), [Ground(mover, cells)], [turn])


ROUND = (1, 2, 3, 7, 0, 4, 5, 6)
VALUES = {str(n): n for n in range(1, 10)}
PLAIN = Counts(VALUES, {"south": ROUND, "north": ROUND}, {"south": (0, 1), "north": (4,)}, {})


def squares(rows: Rows, *data: Any) -> list[int]:
    term = read_term(data, OPERATORS, rows.equipment)
    found: list[int] = np.flatnonzero(rows.squares(term)[0]).tolist()
    return found


@pytest.mark.parametrize(
    ("counts", "taken", "fallen", "last"),
    [
        (PLAIN, 3, [0, 1, 1, 1, 0, 0, 0, 0], 3),
        (PLAIN, 9, [1, 2, 1, 1, 1, 1, 1, 1], 1),
        (replace(PLAIN, skips=True), 9, [0, 2, 2, 1, 1, 1, 1, 1], 2),
        (replace(PLAIN, keeps=True), 3, [1, 1, 1, 0, 0, 0, 0, 0], 2),
        (replace(PLAIN, keeps=True), 9, [2, 1, 1, 1, 1, 1, 1, 1], 0),
        (replace(PLAIN, keeps=True, goes_on=True), 3, [1, 1, 1, 0, 0, 0, 0, 0], 2),
        (replace(PLAIN, keeps=True, goes_on=True), 1, [0, 1, 0, 0, 0, 0, 0, 0], 1),
        (replace(PLAIN, ways={"south": (1, -1, *ROUND[2:]), "north": ROUND}), 3,
         [0, 1, 0, 0, 0, 0, 0, 0], 1),
    ],
)  # fmt: skip
def test_what_is_taken_up_falls_along_the_way(
    counts: Counts, taken: int, fallen: list[int], last: int
) -> None:
    rows = rows_of(f"{taken}.......", 0, SOUTH, counts)
    amounts, ends = rows.fallen()
    assert amounts.tolist() == [fallen]
    assert ends.tolist() == [last]
    assert squares(rows, "sown") == [last]


def test_terms_speak_of_numbers_ways_and_players() -> None:
    rows = rows_of("3.2.1234", 0, SOUTH, PLAIN)
    assert squares(rows, "worth", "=", 2) == [2, 5]
    assert squares(rows, "worth", "<", 2) == [1, 3, 4]
    assert squares(rows, "multiple", 2) == [2, 5, 7]
    assert squares(rows, "multiple", 3) == [0, 6]
    assert squares(rows, "multiple", 0) == []
    assert squares(rows, "field", "home", 0) == [0, 1]
    assert squares(rows, "field", "home", 1) == [4]
    assert squares(rows, "way_up", ("worth", "=", 2), ("lies", "neutral")) == [2, 5, 6, 7]
    assert squares(rows, "given", ("worth", "=", 9)) == []
    assert squares(rows, "given", ("worth", "=", 3)) == list(range(8))
    assert rows.total(read_term(("lies", "neutral"), OPERATORS, rows.equipment)).tolist() == [15]
    north = rows_of("3.2.1234", 0, NORTH, PLAIN)
    assert squares(north, "field", "home", 0) == [4]
    assert EMPTY not in VALUES
