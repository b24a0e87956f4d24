"""Games in coordinates, carried out on a board without a reference game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from grl.cli import main
from grl.errors import GrlError
from grl.importers import CoordinateImports, read_start
from grl.traces import Traces

CHESS = ["rnbqkbnr", "pppppppp", *["........"] * 4, "PPPPPPPP", "RNBQKBNR"]
STONES = {
    "rows": ["...", "...", "..."],
    "players": ["x", "o"],
    "pieces": {"x": {"player": "x", "type": "stone"}, "o": {"player": "o", "type": "stone"}},
}


def start(folder: Path, data: object) -> Path:
    path = folder / "start.json"
    path.write_text(json.dumps(data))
    return path


def played(folder: Path, text: str, data: object = None, **options: Any) -> list[list[str]]:
    """The turns of the games in `text`, on an empty chess board or another one."""
    path = folder / "games.txt"
    path.write_text(text)
    header = read_start(start(folder, {"rows": CHESS} if data is None else data))
    imports = CoordinateImports([path], header, **options)
    plays = list(imports)
    assert [str(flaw) for flaw in imports.quarantine] == []
    return [[turn["turn"] for turn in play["turns"]] for play in plays]


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["import", "coordinates", *map(str, args)])


@pytest.mark.parametrize(
    "text", ["e2e4 d7d5 e4d5", "e2-e4 d7-d5 e4xd5", "1. e2:e4! d7d5?! 2.e4:d5+"]
)
def test_ways_to_write_a_move(tmp_path: Path, text: str) -> None:
    assert played(tmp_path, text) == [["e2 (0 1 e) (0 1 e)", "d7 (0 -1 e) (0 -1 e)", "e4 (-1 1 p)"]]


@pytest.mark.parametrize(
    "text",
    [
        "e2e4 e7e5\ng1f3 b8c6\n",
        "e2e4 e7e5 1-0 g1f3 b8c6 1/2-1/2\n",
        "1. e2e4\ne7e5\n1. g1f3\nb8c6\n",
        '[Event "a"]\ne2e4\ne7e5\n[Event "b"]\n[Round "2"]\n\ng1f3\nb8c6',
        "e2e4\ne7e5\n\n\ng1f3\nb8c6\n\n",
        "# mine\ne2e4 {the best} e7e5 0-1\n\ng1f3 b8c6 *\n",
    ],
)
def test_ways_to_part_games(tmp_path: Path, text: str) -> None:
    assert played(tmp_path, text) == [
        ["e2 (0 1 e) (0 1 e)", "e7 (0 -1 e) (0 -1 e)"],
        ["g1 (-1 2 e)", "b8 (1 -2 e)"],
    ]


def test_one_move_a_line_is_one_game_unless_asked_otherwise(tmp_path: Path) -> None:
    assert played(tmp_path, "e2e4\ne7e5\n") == [["e2 (0 1 e) (0 1 e)", "e7 (0 -1 e) (0 -1 e)"]]
    assert len(played(tmp_path, "e2e4\nd2d4\n", one_a_line=True)) == 2


@pytest.mark.parametrize(
    ("rows", "move", "turn"),
    [
        (["....", "r...", "....", "R..."], "a1a3", "a1 (0 1 e) (0 1 p)"),
        (["....", "r...", "....", "R..."], "a1d1", "a1 (1 0 e) (1 0 e) (1 0 e)"),
        (["....", "r...", "....", "R..."], "a1a4", "a1 (0 3 e)"),
        (["....", "..m.", "....", "M..."], "a1b3", "a1 (1 2 e)"),
        (["...m", "..m.", ".m..", "M..."], "a1c3, xb2", "a1 (2 2 p); b2 (0 0 d)"),
        (["....", ".m..", ".m..", "M..."], "a1c3xa1", "a1 (1 1 e) (1 1 e) (-1 -1 e) (-1 -1 e)"),
        (["....", ".P..", "....", "...."], "b3b4=Q", "b3 (0 1 e) (0 0 a Q)"),
        (["....", ".P..", "....", "...."], "b3b4q", "b3 (0 1 e) (0 0 a Q)"),
        (["....", "....", "....", "K..R"], "a1c1, d1b1", "a1 (1 0 e) (1 0 e); d1 (-2 0 e)"),
        (["....", "....", "....", "K..R"], "a1b1,d1 (-1 0 e)", "a1 (1 0 e); d1 (-1 0 e)"),
        (["....", "....", "....", "K..R"], "a1 (1 1 e); d1 (0 1 e)", "a1 (1 1 e); d1 (0 1 e)"),
        (["....", "....", "....", "K..R"], "Q@b2", "b2 (0 0 a Q)"),
        (["....", "....", "....", "K..R"], "pass", "pass"),
    ],
)  # fmt: skip
def test_a_move_becomes_the_turn_that_the_board_says(
    tmp_path: Path, rows: list[str], move: str, turn: str
) -> None:
    if move == "a1c3xa1":
        rows = [row.replace("m", ".") for row in rows]
    pieces = {
        key: {"player": "white" if key.isupper() else "black", "type": key} for key in "KQRPMrm"
    }

    assert played(tmp_path, move, {"rows": rows, "pieces": pieces}) == [[turn]]


def test_a_square_alone_is_a_drop_of_the_only_piece(tmp_path: Path) -> None:
    assert played(tmp_path, "b2 a1 c3", STONES) == [
        ["b2 (0 0 a x)", "a1 (0 0 a o)", "c3 (0 0 a x)"]
    ]
    hand = {
        "rows": ["...", "...", "..K"],
        "reserve": {"white": {"M": 1, "K": 0}, "black": {"m": 1}},
    }
    assert played(tmp_path, "b2 a1", hand) == [["b2 (0 0 a M)", "a1 (0 0 a m)"]]


def test_files_beyond_z_are_read_as_the_board_has_them(tmp_path: Path) -> None:
    row = "." * 27 + "R"

    assert played(tmp_path, "ab1y1", {"rows": [row]}) == [["ab1 (-1 0 e) (-1 0 e) (-1 0 e)"]]


def test_on_lines_a_move_goes_along_them(tmp_path: Path) -> None:
    board = {"links": [["a1", "c1"], ["c1", "c2"], ["c2", "c3"]]}
    data = {"rows": ["...", "...", "M.."], "board": board}

    assert played(tmp_path, "a1c1 pass c1c3", data)[0][::2] == ["a1 (2 0 e)", "c1 (0 1 e) (0 1 e)"]
    with pytest.raises(AssertionError, match=r"turn 'a1 .1 0 e.'.* along a link"):
        played(tmp_path, "a1b1", data)


def test_results_are_the_rules_own_only_when_asked(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("b2 a1 1-0\nb2 0-1\nb2 1/2-1/2\nb2 *\n")
    target = tmp_path / "out.jsonl"

    for option, ends in (((), ["stopped"] * 4), (("--ended",), ["terminal"] * 3 + ["stopped"])):
        done = run(games, "--start", start(tmp_path, STONES), *option, "-o", target)
        assert done.exit_code == 0, done.output
        plays = list(Traces.open(target))
        assert [play.end for play in plays] == ends
    assert [play.goals and play.goals["x"] for play in plays] == [100, 0, 50, None]


def test_results_are_of_two_players(tmp_path: Path) -> None:
    with pytest.raises(GrlError, match="results such as 1-0 are of two players"):
        played(tmp_path, "b2 1-0", STONES | {"players": ["x", "o", "y"]}, ended=True)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("e2e4\ne7e5\ne2e4", ":3, game games.txt:1, ply 3: the move e2e4: ", "no piece of white"),
        ("e7e5", ":1, game games.txt:1, ply 1: ", "no piece of white on e7; expected a piece of"),
        ("e2e4 e7e5\nd2d4 zzz", ":2, game games.txt:2, ply 2: ", "expected a move such as e2e4"),
        ("e1e2", ":1, game games.txt:1, ply 1: ", "nothing can go from e1 to e2"),
        ("e2e9", ":1, game games.txt:1, ply 1: ", "e9 begins with no square of the board"),
        ("e2e4=Z", ":1, game games.txt:1, ply 1: ", "there is no piece 'Z'; expected one of"),
        ("e4", ":1, game games.txt:1, ply 1: ", "which piece appears on e4?; expected one of B@e4"),
        ("e2", ":1, game games.txt:1, ply 1: ", "nothing can appear on e2"),
        ("e2 (0 1 p)", ":1, game games.txt:1, ply 1: ", "doesn't fit at e3"),
    ],
)  # fmt: skip
def test_a_move_that_cant_be_carried_out_is_named_with_its_place(
    tmp_path: Path, text: str, place: str, words: str
) -> None:
    games, target = tmp_path / "games.txt", tmp_path / "out.jsonl"
    games.write_text(text)

    done = run(games, "--start", start(tmp_path, {"rows": CHESS}), "-o", target, "--strict")

    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"grl: {games}{place}")
    assert words in done.stderr
    assert not target.exists()


def test_a_bad_game_costs_no_other_and_its_beginning_can_be_kept(tmp_path: Path) -> None:
    games, target = tmp_path / "games.txt", tmp_path / "out.jsonl"
    games.write_text("e2e4 oops e7e5 1-0\ne2e4 e2e4 1-0\nd2d4 1-0\n")
    given = (games, "--start", start(tmp_path, {"rows": CHESS}), "-o", target, "--ended")

    assert run(*given).stdout.splitlines()[1].split()[:4] == ["3", "1", "2", "1"]
    assert run(*given, "--keep-beginnings").exit_code == 0
    assert [(len(p.plies), p.end) for p in Traces.open(target)] == [
        (1, "stopped"), (1, "stopped"), (1, "terminal"),
    ]  # fmt: skip


def test_the_first_three_causes_are_given_where_no_game_can_be_imported(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("e7e5 1-0\n" * 5)

    done = run(games, "--start", start(tmp_path, {"rows": CHESS}), "-o", tmp_path / "out.jsonl")

    assert done.exit_code == 2
    assert [line.split(", ")[1] for line in done.stderr.splitlines()] == [
        "game games.txt:2", "game games.txt:3", "game games.txt:1",
    ]  # fmt: skip


def test_a_start_may_be_a_trace_file_and_a_bad_one_is_named(tmp_path: Path) -> None:
    traces = Path(__file__).parents[2] / "traces" / "tic-tac-toe"
    header = read_start(start(tmp_path, STONES))
    whole = tmp_path / "whole.jsonl"
    whole.write_text(json.dumps(header.to_dict()) + '\n{"turns": [], "end": "stopped"}\n')

    assert traces.is_dir()
    assert read_start(whole) == header
    marked = tmp_path / "marked.json"
    marked.write_text("\ufeff" + json.dumps(STONES, indent=1), encoding="utf-8")
    assert read_start(marked) == header
    for data in (
        [],
        {},
        {"rows": []},
        {"rows": ["..", "."]},
        {"rows": 3},
        {"rows": ["a"], "players": 3},
    ):
        with pytest.raises(GrlError, match=r"start\.json"):
            read_start(start(tmp_path, data))
    (tmp_path / "games.txt").write_text("b2")
    out = ("-o", tmp_path / "x.jsonl")
    assert "need --start" in run(tmp_path / "games.txt", *out).stderr
