"""Games in Portable Game Notation: taken apart, replayed, and named where they don't."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from grl.cli import main
from grl.errors import MissingExtra
from grl.games import load
from grl.importers import PgnImports
from grl.importers.pgn import PgnGame, read_pgn
from grl.traceio import Lines
from grl.traces import Traces, header_dict, write_traces

FOOLS_MATE = "1. f3 e5 2. g4 Qh4#"
NEEDED = "the package chess (extra pgn) is not installed"


def read(folder: Path, text: str) -> list[PgnGame]:
    path = folder / "games.pgn"
    path.write_text(text, encoding="utf-8")
    return list(read_pgn(Lines(str(path))))


def imported(
    folder: Path, text: str, spec: str = "chess", **options: Any
) -> tuple[list[dict[str, Any]], PgnImports]:
    pytest.importorskip("chess", reason=NEEDED)
    path = folder / "games.pgn"
    path.write_text(text, encoding="utf-8")
    imports = PgnImports([path], load(spec), **options)
    return list(imports), imports


def test_a_file_is_taken_apart_into_games_and_moves(tmp_path: Path) -> None:
    games = read(
        tmp_path,
        "% escaped\n"
        '[Event "A"] [Site "x \\"y\\""]\n[White "Dirty "Quotes""]\n\n'
        "1.e4! {a comment\nof 1. d4 lines [%clk 0:01]} e5 $1 (1... c5 (1... d5) 2. Nf3) 2 Nf3 ;f4\n"
        "Nc6 3. exd6 e.p. +- O-O 0-0-0 1-0\n\n1. d4 *\n1. c4\n\n"
        '[Event "B"]\n\n[Event "C"]\n\n1/2-1/2\n',
    )
    assert [[move for move, _ in game.moves] for game in games] == [
        ["e4", "e5", "Nf3", "Nc6", "exd6", "O-O", "0-0-0"],
        ["d4"],
        ["c4"],
        [],
        [],
    ]
    assert [game.line for game in games] == [2, 9, 10, 12, 14]
    assert games[0].tags == {"Event": "A", "Site": 'x \\"y\\"', "White": 'Dirty "Quotes"'}
    assert games[0].moves[3] == ("Nc6", 7)
    assert not any(game.flaw for game in games)


@pytest.mark.parametrize(
    ("text", "line", "ply"),
    [("1. e4 {no end e5", 3, 2), ("1. e4 (e5\n1-0", 3, 2), ("1. e4\ne5 } 2. d4", 4, 3)],
)
def test_what_is_not_closed_spoils_one_game(tmp_path: Path, text: str, line: int, ply: int) -> None:
    first, bad, last = read(
        tmp_path, f'1. d4 *\n[Event "bad"]\n{text}\n\n[Event "C"]\n\n1. Nf3 *\n'
    )
    assert bad.flaw is not None
    assert (bad.flaw.reason, bad.flaw.place.ply) == ("unreadable", ply)
    assert bad.flaw.place.line in (line, bad.line)
    assert (first.flaw, last.flaw) == (None, None)
    assert [move for move, _ in last.moves] == ["Nf3"]


def test_mated_games_are_terminal_and_resigned_and_agreed_ones_stopped(tmp_path: Path) -> None:
    plays, _ = imported(tmp_path, f"{FOOLS_MATE} 0-1\n1. e4 1-0\n1. d4 d5 1/2-1/2\n1. c4 *\n")
    assert plays[0] == {
        "id": "games.pgn:1",
        "turns": [
            {"turn": "f2 (0 1 e)"},
            {"turn": "e7 (0 -1 e) (0 -1 e)"},
            {"turn": "g2 (0 1 e) (0 1 e)"},
            {"turn": "d8 (1 -1 e) (1 -1 e) (1 -1 e) (1 -1 e)"},
        ],
        "end": "terminal",
        "goals": {"white": 0, "black": 100},
    }
    assert [(play["end"], "goals" in play) for play in plays[1:]] == [("stopped", False)] * 3


DIRTY = {
    "no moves": "1-0",
    "unreadable": "1. e4 hello 1-0",
    "illegal": "1. e4 e5 2. Ke3 1-0",
    "ambiguous": "1. Nf3 a6 2. d3 a5 3. Nd2 *",
    "over": f"{FOOLS_MATE} 3. a3 *",
    "position": '[FEN "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"]\n\n1. Ke2 *',
}


def test_dirty_games_are_listed_with_line_and_reason_and_none_is_lost(tmp_path: Path) -> None:
    text = "".join(f'[Event "{reason}"]\n{moves}\n\n1. e4 *\n\n' for reason, moves in DIRTY.items())
    plays, imports = imported(tmp_path, text)
    assert len(plays) == len(DIRTY)
    assert imports.read == 2 * len(DIRTY)
    assert [flaw.reason for flaw in imports.quarantine] == list(DIRTY)
    assert all(flaw.place.file and flaw.place.game for flaw in imports.quarantine)
    illegal = str(imports.quarantine[2])
    assert "ply 3: a move that is not legal there; expected one of " in illegal
    assert illegal.endswith("found Ke3")
    plays, imports = imported(tmp_path, text, keep_beginnings=True)
    assert [len(play["turns"]) for play in plays] == [1, 1, 1, 2, 1, 4, 1, 4, 1, 1]


@pytest.mark.parametrize(
    ("fen", "good"),
    [
        ("4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1", True),
        ("4k3/P7/8/8/8/8/8/R3K3 w - - 0 1", False),
        ("4k3/8/8/3pP3/8/8/P7/4K3 w - d6 0 2", False),
        ("4k3/8/8/4P3/8/8/P7/4K3 w - - 0 2", True),
        ("nonsense", False),
        ("8/P7/8/8/8/8/8/R3K3 w Q - 0 1", False),
    ],
)
def test_a_start_from_elsewhere_may_not_need_a_past(tmp_path: Path, fen: str, good: bool) -> None:
    moves = "1. a8=Q+" if "/P7/8/8/8" in fen else "1. a4"
    plays, imports = imported(tmp_path, f'[SetUp "1"]\n[FEN "{fen}"]\n\n{moves} *\n')
    assert len(plays) == good
    assert list(imports.reasons) == ([] if good else ["position"])
    if good:
        assert plays[0]["initial"]["rows"][0] == "....k..."


def random_records(number: int, variant: str = "") -> Iterator[str]:
    """Random games as the package chess writes them."""
    import chess.pgn
    from chess.variant import find_variant

    chance = Random(6)
    for _ in range(number):
        board = find_variant(variant)() if variant else chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 70:
            board.push(chance.choice(list(board.legal_moves)))
        yield f"{chess.pgn.Game.from_board(board)}\n\n"


@pytest.mark.parametrize(("variant", "spec"), [("", "chess"), ("Crazyhouse", "chess:drops=1")])
def test_games_that_the_package_chess_writes_come_through(
    tmp_path: Path, variant: str, spec: str
) -> None:
    pytest.importorskip("chess", reason=NEEDED)
    text = "".join(random_records(12, variant))
    plays, imports = imported(tmp_path, text, spec, all_moves=True)
    assert (imports.read, imports.kept, imports.quarantine) == (12, 12, [])
    game = load(spec)
    write_traces(tmp_path / "out.jsonl", header_dict(game), plays)
    assert sum(len(play.plies) for play in Traces.open(tmp_path / "out.jsonl")) == imports.plies
    for play in plays:
        position = game.initial
        for turn in play["turns"]:
            assert turn["legal"] == sorted(game.legal(position))
            position = game.play(position, turn["turn"])


def test_the_command_imports_and_lists_all_legal_turns_on_request(tmp_path: Path) -> None:
    pytest.importorskip("chess", reason=NEEDED)
    source, target = tmp_path / "games.pgn", tmp_path / "out.jsonl"
    source.write_text("1. e4 e5 1-0\n1. e5 *\n", encoding="utf-8")
    for more, listed in ([], 0), (["--all-moves"], 20):
        done = CliRunner().invoke(main, ["import", "pgn", str(source), "-o", str(target), *more])
        assert done.exit_code == 0
        assert done.stdout.splitlines()[1].split()[:3] == ["2", "1", "1"]
        assert "games.pgn:2, ply 1: a move that is not legal there" in done.stderr
        (play,) = Traces.open(target)
        assert len(play.plies[0].legal or ()) == listed
    done = CliRunner().invoke(main, ["import", "acf", str(source), "-o", str(target), *more])
    assert done.exit_code == 2


def test_without_the_package_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(MissingExtra, match=r"chess is not installed.*pip install 'grl\[pgn\]'"):
        PgnImports([tmp_path / "games.pgn"], load("chess"))
