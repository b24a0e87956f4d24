"""Games of OpenSpiel: turns from the boards that it prints, legal turns counted as it counts."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from library_records import imported, needs, turns_of, write

from grl.cli import main
from grl.errors import GrlError
from grl.games import load
from grl.importers.holdings import Step, holdings_of
from grl.importers.layouts import Layout
from grl.tracejson import header_dict
from grl.traces import Traces

FIRST = {
    "amazons": 2_176,
    "breakthrough": 22,
    "checkers": 7,
    "chess": 20,
    "clobber": None,
    "connect_four": 7,
    "crazyhouse": 20,
    "go(board_size=5)": 26,
    "hex(board_size=4)": 16,
    "lines_of_action": 36,
    "nine_mens_morris": 24,
    "othello": 4,
    "shogi": 30,
    "tic_tac_toe": 9,
    "xiangqi": 44,
}
"""How many turns each game begins with, where that is known."""


@pytest.mark.parametrize("name", FIRST)
def test_random_games_replay_and_list_every_turn_once(name: str) -> None:
    needs("pyspiel")
    plies = 1 if name == "amazons" else 6
    plays, imports = imported("openspiel", None, game=name, number=1, plies=plies, all_moves=True)
    assert (imports.read, imports.kept, imports.quarantine) == (1, 1, [])
    for turn in plays[0]["turns"]:
        assert turn["turn"] in turn["legal"]
        assert len(set(turn["legal"])) == len(turn["legal"])
    first = plays[0]["turns"][0]["legal"]
    assert FIRST[name] in (len(first), None)
    if name == "amazons":
        reference = load(name)
        assert first == sorted(reference.legal(reference.initial))


def test_recorded_actions_may_be_numbers_or_words(tmp_path: Path) -> None:
    needs("pyspiel")
    path = write(tmp_path / "games.txt", "4 0\n# a comment\nx(1,1); o(0,0)\nx(1,1); o(1,1)\n")
    plays, imports = imported("openspiel", path, game="tic_tac_toe")
    assert [turns_of(play) for play in plays] == [["b2 (0 0 a x)", "a3 (0 0 a o)"]] * 2
    (flaw,) = imports.quarantine
    assert (flaw.reason, flaw.place.line, flaw.place.ply, flaw.found) == ("illegal", 4, 2, "o(1,1)")


def test_what_players_hold_is_read_beside_the_board() -> None:
    needs("pyspiel")
    plays, imports = imported("openspiel", None, game="nine_mens_morris", number=3, all_moves=True)
    assert imports.header["initial"]["reserve"] == {"player1": {"W": 9}, "player2": {"B": 9}}
    assert imports.kept == 3
    for play in plays:
        placed = ["(0 0 a " in turn for turn in turns_of(play)]
        assert placed == [True] * 18 + [False] * (len(placed) - 18)


def test_lines_drawn_between_points_are_links_and_men_fly_elsewhere() -> None:
    needs("pyspiel")
    plays, imports = imported("openspiel", None, game="nine_mens_morris", number=8, seed=1)
    drawn, known = (
        {frozenset(link) for link in header["board"]["links"]}
        for header in (imports.header, header_dict(load("nine-mens-morris")))
    )
    assert drawn == known
    turns = [turn.split(" (")[1] for play in plays for turn in turns_of(play)]
    assert any(turn.startswith("@") for turn in turns)
    assert all(turn.startswith(("@", "0 ")) or turn.split()[1] == "0" for turn in turns)


def test_a_number_is_of_a_hand_if_it_falls_with_every_piece_put_down() -> None:
    pieces = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 1), (2, 0), (2, 1)]
    puts = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 1), (2, 1), (2, 2)]
    texts = [
        f"board 8x8\nturn {n}\non it {mine} {other}\nx holds {5 - put}, o holds {4 - by_other}"
        for n, ((mine, other), (put, by_other)) in enumerate(zip(pieces, puts, strict=True))
    ]
    steps = [
        Step(*texts[i : i + 2], {"x": two[0] - one[0], "o": two[1] - one[1]})
        for i, (one, two) in enumerate(pairwise(pieces))
    ]
    assert holdings_of(steps, ["x", "o"]) == {"x": 3, "o": 4}
    assert holdings_of(steps[2:3], ["x", "o"]) == {}
    longer = steps[0]._replace(after=texts[1] + " 7")
    assert holdings_of([longer, *steps[1:]], ["x", "o"]) == {}


def test_several_jumps_are_one_turn_of_one_piece() -> None:
    needs("pyspiel")
    plays, _ = imported("openspiel", None, game="checkers", number=12, seed=3)
    turns = [turn for play in plays for turn in turns_of(play)]
    jumps = [turn for turn in turns if turn.count("(0 0 d)") > 1]
    assert jumps
    assert all(";" not in turn for turn in jumps)
    assert all(play["end"] == "terminal" for play in plays)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nonsense", "OpenSpiel has no game 'nonsense'; expected one of amazons "),
        ("kuhn_poker", "kuhn_poker is no game of perfect information"),
        ("oware", "no board can be seen"),
        ("pentago", "changes nothing on the board"),
    ],
)
def test_games_that_no_board_shows_are_refused(name: str, message: str) -> None:
    needs("pyspiel")
    with pytest.raises(GrlError, match=message):
        imported("openspiel", None, game=name, number=3)


def test_the_command_plays_games_and_the_same_ones_again(tmp_path: Path) -> None:
    needs("pyspiel")
    first, again = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    words = [
        "import",
        "openspiel",
        "--game",
        "tic_tac_toe",
        "-n",
        "3",
        "--all-moves",
        "--seed",
        "5",
    ]
    for target in (first, again):
        done = CliRunner().invoke(main, [*words, "-o", str(target)])
        assert done.exit_code == 0, done.output
    assert first.read_bytes() == again.read_bytes()
    assert len(list(Traces.open(first))) == 3
    done = CliRunner().invoke(main, ["import", "openspiel", "-n", "3", "-o", str(first)])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)


# What is printed, and where its squares are.


def test_a_board_is_found_among_other_lines() -> None:
    boards = ("..", ".."), ("x.", ".."), ("x.", ".o"), ("xx", "oo")
    texts = [
        f"Turn {n}\n  a b c\n2 {up[0]} | {up[1]} 2\n1 {low[0]} | {low[1]} 1\n  a b c\nx"
        for n, (up, low) in enumerate(boards)
    ]
    layout = Layout.of(texts)
    assert [layout.rows_of(text) for text in texts] == list(boards)


def test_lines_between_points_are_no_squares_and_odd_signs_get_keys() -> None:
    texts = [f"{a}-{b}\n| |\n.-{c}" for a, b, c in ("...", "#..", "#@.", "..#")]
    layout = Layout.of(texts)
    assert [layout.rows_of(text)[0] for text in texts] == ["..", "x.", "xA", ".."]
    with pytest.raises(GrlError, match="a text without the board of the others"):
        layout.rows_of("over")


def test_empty_lines_between_ranks_are_passed_over() -> None:
    texts = [f"{a} {b}\n\n{c} {d}\n\nturn {a}" for a, b, c, d in ("....", "x...", "x.o.", "xxoo")]
    layout = Layout.of(texts)
    assert layout.rows_of(texts[2]) == ("x.", "o.")
    assert layout.rows_of(texts[3]) == ("xx", "oo")


def test_files_of_lines_shifted_by_half_a_square_are_slanted() -> None:
    games = ("......", "x.....", "x.o...", "x.oxo.", "xooxox")
    texts = [f"  a b c\n 1 {a} {b} {c}\n  2 {d} {e}\n   3[{f}]" for a, b, c, d, e, f in games]
    layout = Layout.of(texts)
    assert layout.rows_of(texts[3]) == ("x.o", "xo#", ".##")
    assert layout.rows_of(texts[4]) == ("xoo", "xo#", "x##")
