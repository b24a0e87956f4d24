"""What is learned of every game is exactly the language of its pieces, and minimal."""

from __future__ import annotations

from pathlib import Path

import pytest
from languages import (
    LANGUAGES,
    SIZES,
    difference,
    equivalent_states,
    graph_of,
    minimal_size,
    reached,
)
from learned import ENOUGH, learned, learned_from, name_of, record

import grl
from grl.board import Board
from grl.model import Dfa
from grl.rulebook import Rulebook
from grl.sgrl import pool

EXTERNAL = {
    "breakthrough_6x6.jsonl": "breakthrough",
    "checkers.jsonl": "checkers",
    "checkers.single.jsonl": "checkers",
    "connect_four.jsonl.gz": "connect-four",
    "nine_mens_morris.jsonl.gz": "nine-mens-morris, W and B",
}
COLOURS = {"black b first": "white w first", "white w first": "black b first"}


def assert_exact(rulebook: Rulebook, game: str, renamed: dict[str, str] | None = None) -> None:
    """Every automaton is there, equals its language, and is in canonical minimal form."""
    board = rulebook.model.equipment.board
    automata = {str(dfa.key): dfa for dfa in rulebook.model.automata}
    names = renamed or {}
    expected = {names.get(key, key): language for key, language in LANGUAGES[game].items()}
    assert set(automata) == set(expected)
    for key, dfa in automata.items():
        found = difference(graph_of(dfa), expected[key].graph(), board)
        assert found is None, f"{key} differs from {found[0]} on: {' '.join(map(str, found[1]))}"
        assert_canonical(dfa)


def assert_canonical(dfa: Dfa) -> None:
    """Minimal, without dead states, and numbered breadth first with letters in order."""
    graph = graph_of(dfa)
    assert equivalent_states(graph) is None, f"{dfa.key}: two states are one"
    assert reached(graph) == set(range(dfa.size)), f"{dfa.key}: a state that no word reaches"
    order = [0]
    for state in order:
        for letter in sorted(graph.moves[state]):
            target = graph.moves[state][letter]
            if target not in order:
                order.append(target)
    assert order == list(range(dfa.size)), f"{dfa.key}: numbered {order}"
    assert dfa.transitions == tuple(sorted(dfa.transitions)), f"{dfa.key}: not in order"
    for source, letter, target in dfa.transitions:
        if letter.appears:
            assert target in dfa.accepting, f"{dfa.key}: {letter} from {source}"
            assert not graph.moves[target]


@pytest.mark.parametrize("spec", ENOUGH)
def test_from_games_with_all_moves(spec: str) -> None:
    assert_exact(learned(spec), name_of(spec))


@pytest.mark.parametrize("spec", ENOUGH)
def test_state_counts_are_those_counted_by_hand(spec: str) -> None:
    sizes = {str(dfa.key): dfa.size for dfa in learned(spec).model.automata}
    counted = SIZES[name_of(spec)]
    assert {key: sizes[key] for key in counted} == counted
    for dfa in learned(spec).model.automata:
        assert minimal_size(graph_of(dfa)) == dfa.size


@pytest.mark.parametrize("name", EXTERNAL)
def test_from_the_files_of_independent_engines(name: str) -> None:
    rulebook = learned_from(name)
    if name == "breakthrough_6x6.jsonl":
        # There black begins below: the pawns have changed sides.
        board = rulebook.model.equipment.board
        automata = {str(dfa.key): dfa for dfa in rulebook.model.automata}
        assert set(automata) == set(COLOURS)
        for key, other in COLOURS.items():
            theirs = LANGUAGES["breakthrough"][other].graph()
            assert difference(graph_of(automata[key]), theirs, board) is None
            assert_canonical(automata[key])
    else:
        assert_exact(rulebook, EXTERNAL[name])


def test_tic_tac_toe_from_a_file_whose_players_are_called_otherwise() -> None:
    names = {
        "x . first": "white . first",
        "x x appeared": "white x appeared",
        "o . first": "black . first",
        "o o appeared": "black o appeared",
    }
    assert_exact(learned_from("tic_tac_toe.jsonl"), "tic-tac-toe", names)


def test_single_moves_of_many_games_are_enough_for_checkers() -> None:
    report = learned_from("checkers.single.jsonl").model.report
    assert report["games"] == 200
    assert report["complete"] == 0


@pytest.mark.parametrize(
    ("spec", "n"),
    [("breakthrough:width=5,height=5", 12), ("amazons:width=4,height=4", 60), ("tic-tac-toe", 4)],
)
def test_from_games_of_which_only_the_moves_played_are_known(
    spec: str, n: int, tmp_path: Path
) -> None:
    path = record(spec, tmp_path / "games.jsonl", n, all_moves=False)
    rulebook = grl.learn([path], rules=False)
    assert rulebook.model.report["complete"] == 0
    assert_exact(rulebook, name_of(spec))


@pytest.mark.parametrize("spec", ["breakthrough:width=5,height=5", "tic-tac-toe", "connect-four"])
def test_symmetry_is_no_condition_for_what_all_moves_show(spec: str, tmp_path: Path) -> None:
    path = record(spec, tmp_path / "games.jsonl", 4)
    rulebook = grl.learn([path], symmetry=False, rules=False)
    assert_exact(rulebook, name_of(spec))
    assert all(item["images"] == 0 for item in rulebook.model.report["automata"])


def test_where_every_language_gets_out_of_hand_the_words_seen_are_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "ROWS_PER_OFFER", 0)
    rulebook = grl.learn(
        [record("breakthrough:width=5,height=5", tmp_path / "g.jsonl", 2)], rules=False
    )
    plies = [ply for play in grl.Traces.open(tmp_path / "g.jsonl") for ply in play.plies]
    assert len(plies) > 2
    assert all(set(ply.legal) <= set(map(str, rulebook.legal(ply.position))) for ply in plies)


def test_a_language_is_not_taken_for_another_players() -> None:
    """Black's pawns go the other way: their images pool, their automata differ."""
    pawns = {dfa.key.mover: dfa for dfa in learned("breakthrough:width=6,height=6").model.automata}
    white, black = pawns["white"], pawns["black"]
    assert difference(graph_of(white), graph_of(black), white_board()) is not None
    upside_down = {(s, x._replace(dy=-x.dy), t) for s, x, t in white.transitions}
    assert upside_down == set(black.transitions)


def white_board() -> Board:
    return learned("breakthrough:width=6,height=6").model.equipment.board
